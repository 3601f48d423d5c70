"""Joint distributions P(X, Y) with known mutual information."""
