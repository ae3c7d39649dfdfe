"""A picture of an arm for a paper or a README."""
