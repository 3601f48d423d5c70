"""Which files of the documentation pytest looks at: the pages that are written by hand, whose examples must run."""

collect_ignore_glob = ["*.py", "_ext/*", "_build/*", "_generated/*"]
