"""How written files name meshes: by path for MuJoCo, by model for Gazebo."""

from __future__ import annotations

import pytest

from mdh2urdf.mesh_names import as_file, as_model, source_file


@pytest.fixture
def folders(tmp_path):
    """A package ``arm`` with a mesh, and a folder elsewhere."""
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    (tmp_path / "arm" / "urdf").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "arm" / "meshes" / "a.stl").write_bytes(b"x")
    return tmp_path / "arm" / "urdf", tmp_path / "out"


def test_a_file_is_named_by_the_path_that_leads_to_it(folders):
    source, out = folders
    name = as_file(source, out)
    for given in ("../meshes/a.stl", "package://arm/meshes/a.stl", "model://arm/meshes/a.stl"):
        assert (out / name(given)).resolve() == source.parent / "meshes" / "a.stl"
    assert name("package://arm/meshes/a.stl") == "../arm/meshes/a.stl"


def test_a_file_that_is_not_found_keeps_its_path_in_the_package(folders):
    name = as_file(*folders)
    assert name("package://arm/meshes/b.stl") == "meshes/b.stl"
    assert name("model://other/b.stl") == "b.stl"
    assert name("file:///nowhere/b.stl") == "/nowhere/b.stl"
    assert name("b.stl") == "b.stl"
    assert source_file("b.stl", folders[0]) is None


def test_gazebo_names_files_of_packages_by_model(folders):
    name = as_model(*folders)
    assert name("package://arm/meshes/a.stl") == "model://arm/meshes/a.stl"
    assert name("model://arm/meshes/a.stl") == "model://arm/meshes/a.stl"
    assert name("../meshes/a.stl") == "../arm/meshes/a.stl"
