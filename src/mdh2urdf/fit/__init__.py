"""From joint axes to a Denavit-Hartenberg table with the same kinematics."""
