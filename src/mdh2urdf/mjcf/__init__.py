"""MJCF, MuJoCo's own format: written and read."""
