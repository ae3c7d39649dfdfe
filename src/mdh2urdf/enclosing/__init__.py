"""Shapes around meshes, for collision: boxes, cylinders, spheres, capsules, hulls and decompositions.

Every one encloses every vertex. How far it stands off is measured and told.
"""
