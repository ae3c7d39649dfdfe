"""The largest number that a file may hold."""

LARGEST = 1e12
"""Of lengths, angles and all else in SI (or, of a table, in its own unit): sums and products of a few stay finite."""
