"""Estimators of mutual information: each sees the points (x, y), and nothing else."""
