"""SDF 1.9, Gazebo's own format: written and read."""
