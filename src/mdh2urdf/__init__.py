"""From Denavit-Hartenberg tables, calibration files and CAD assemblies to URDF and xacro, and back."""

__version__ = "0.1.0"
