"""SRDF, what MoveIt wants beside a URDF."""
