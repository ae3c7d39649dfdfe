"""Capsules in a URDF: a cylinder and two spheres, which fill the same room."""

from __future__ import annotations

from xml.etree import ElementTree

from mdh2urdf.capsules import without_capsules
from mdh2urdf.robot import Capsule, Cylinder, Link, Robot, Shape, Sphere
from mdh2urdf.se3 import Transform
from mdh2urdf.urdf.writer import write_urdf

PLACE = Transform.from_xyz_rpy((1, 0, 0), (0, 0, 0))


def test_a_capsule_is_its_cylinder_and_the_spheres_at_its_ends():
    shape = Shape(geometry=Capsule(radius=0.1, length=0.4), origin=PLACE, name="rod")
    rod, top, bottom = without_capsules([shape])
    assert (rod.geometry, rod.origin, rod.name) == (Cylinder(radius=0.1, length=0.4), PLACE, "rod")
    assert (top.geometry, top.origin.translation, top.name) == (Sphere(radius=0.1), (1.0, 0.0, 0.2), "rod_top")
    assert (bottom.origin.translation, bottom.name) == ((1.0, 0.0, -0.2), "rod_bottom")


def test_a_capsule_without_length_is_a_sphere_and_other_shapes_stay():
    ball, box = Shape(geometry=Capsule(radius=0.1, length=0.0), origin=PLACE), Shape(geometry=Sphere(radius=1.0))
    assert without_capsules([ball, box]) == (Shape(geometry=Sphere(radius=0.1), origin=PLACE), box)


def test_a_urdf_has_no_capsule():
    shape = (Shape(geometry=Capsule(radius=0.1, length=0.4)),)
    text = write_urdf(Robot(name="r", links=(Link(name="a", visuals=shape, collisions=shape),), joints=()))
    link = ElementTree.fromstring(text).find("link")
    tags = ["cylinder", "sphere", "sphere"]
    for role in ("visual", "collision"):
        assert [each.find("geometry")[0].tag for each in link.findall(role)] == tags
