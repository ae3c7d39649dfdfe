"""A table as a xacro macro that keeps its rows and parameters."""
