"""Exact nearest neighbours and counts of points within a radius, compiled; they know nothing of mutual information."""
