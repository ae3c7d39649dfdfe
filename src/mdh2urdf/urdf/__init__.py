"""URDF: written and read."""
