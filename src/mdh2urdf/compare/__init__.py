"""Two models brought together: base, tool, signs and zero offsets, and what is left then."""
