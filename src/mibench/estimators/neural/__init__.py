"""Variational estimators: critics, objectives, training, and the paper's estimators made of them."""
