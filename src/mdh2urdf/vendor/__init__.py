"""Files in which makers of arms hand out kinematics."""
