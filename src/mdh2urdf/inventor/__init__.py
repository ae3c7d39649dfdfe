"""An Autodesk Inventor assembly, dumped as JSON and STL, becomes a URDF."""
