"""``python -m mdh2urdf`` is the command line."""

from mdh2urdf.cli import main

main()
