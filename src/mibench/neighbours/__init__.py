"""Exact nearest neighbours and counts of points within a radius, compiled; they know nothing of mutual information."""

METRICS = ("chebyshev", "manhattan", "euclidean")  # each at the number by which the kernels know it
