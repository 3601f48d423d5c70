"""Injective maps, which leave mutual information as it is."""
