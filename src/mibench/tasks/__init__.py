"""Named tasks: the forty of the benchmark, and the families with one parameter."""
