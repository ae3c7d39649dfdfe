"""What looks wrong in a robot description: limits, mass data, origins, names, mesh files."""
