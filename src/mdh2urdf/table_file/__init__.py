"""The table file: YAML and text tables, read with every problem at its place, and written."""
