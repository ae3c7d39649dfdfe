"""The largest number that a file may hold, and from where on a number looks odd."""

from math import pi

LARGEST = 1e12
"""Of lengths, angles and all else in SI (or, of a table, in its own unit): sums and products of a few stay finite."""

FOUR_TURNS = 8 * pi
"""rad; limits of a few turns are usual, of more than four they look like degrees."""

LONGEST = 20.0
"""m; no arm has a longer row or origin, and one in millimetres has one above 20."""

FAR = 2.0
"""Reaches that a frame may lie along an axis that is nearly parallel to the next before it is told."""
