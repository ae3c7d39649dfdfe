"""Mass data of links: bodies put together, overrides, and the slips that the mesh betrays."""

# ruff: noqa: E501 (one line a case reads best)

from __future__ import annotations

import copy
from types import SimpleNamespace

import numpy as np
import pytest
from assemblies import Part, Solid, body_of, box_triangles, mesh_name, occurrence_of, stl_bytes
from running import changed, convert, link, numbers, occurrence, one_joint, told

from mdh2urdf.inventor.bodies import volume_of
from mdh2urdf.inventor.inertia import MassData, combined, faults, slip
from mdh2urdf.inventor.mesh import mesh_facts
from mdh2urdf.robot import Inertia
from oracles import rot_x, shift, turn_about

CUBE = {"ixx": 16.666666666666668, "iyy": 16.666666666666668, "izz": 16.666666666666668, "ixy": 0, "iyz": 0, "ixz": 0}


def body(mass=1.0, center=(0, 0, 0), inertia=None, **fields) -> dict:
    return {"name": "S", "mass": mass, "center_of_mass": list(center), "inertia": inertia or CUBE} | fields


def bodies_on_arm(*bodies: dict, **fields) -> dict:
    dump = one_joint()
    dump["occurrences"][1] |= {"bodies": list(bodies)} | fields
    return dump


def inertial(result, name: str = "Arm_1") -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre and tensor of a link as the text says."""
    found = link(result, name).find("inertial")
    i = {key: float(value) for key, value in found.find("inertia").attrib.items()}
    tensor = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
    return float(found.find("mass").get("value")), numbers(found.find("origin").get("xyz")), tensor


# The arm's link frame stands on its axis, 10 and 5 cm from the part's origin.
FRAME = np.array((0.1, 0.05, 0.0))


def test_a_kilogram_square_centimetre_is_a_ten_thousandth_of_si(tmp_path):
    mass, center, tensor = inertial(convert(bodies_on_arm(body()), tmp_path))
    assert (mass, (center + FRAME).tolist()) == (1.0, [0, 0, 0])
    assert tensor == pytest.approx(np.eye(3) / 600, rel=1e-12)


def test_two_bodies_are_moved_to_their_common_centre(tmp_path):
    # A 4 x 6 x 10 cm block of 1.2 kg and one of 0.8 kg beside it.
    one = body(1.2, (0, 0, 5), {"ixx": 13.6, "iyy": 11.6, "izz": 5.2, "ixy": 0, "iyz": 0, "ixz": 0})
    two = body(0.8, (6, 2, 10), {"ixx": 2.0, "iyy": 9.0, "izz": 10.0, "ixy": 0, "iyz": 0, "ixz": 0})
    mass, center, tensor = inertial(convert(bodies_on_arm(one, two), tmp_path))
    assert mass == 2.0
    assert center + FRAME == pytest.approx(np.array((0.024, 0.008, 0.07)), abs=1e-12)
    # With d = (6, 2, 5) cm between the centres: I1 + I2 + 0.48 (d² 1 - d d').
    d = np.array((0.06, 0.02, 0.05))
    wanted = np.diag((15.6e-4, 20.6e-4, 15.2e-4)) + 0.48 * (d @ d * np.eye(3) - np.outer(d, d))
    assert np.abs(tensor - wanted).max() < 1e-15
    assert tensor[0, 1] == pytest.approx(-0.000576)


def test_products_are_tensor_components_and_keep_their_sign(tmp_path):
    given = {"ixx": 21.83, "iyy": 21.83, "izz": 42.33, "ixy": -12.5, "iyz": 1.0, "ixz": 2.0}
    _, _, tensor = inertial(convert(bodies_on_arm(body(2.0, inertia=given)), tmp_path))
    assert (tensor[0, 1], tensor[1, 2], tensor[0, 2]) == (-0.00125, 0.0001, 0.0002)


def test_a_part_inside_a_sub_assembly_turns_centre_and_tensor_once(tmp_path):
    given = {"ixx": 0.2, "iyy": 0.7, "izz": 0.8, "ixy": 0, "iyz": 0, "ixz": 0}
    place = shift(0, 0, 10) @ rot_x(np.pi / 2)
    _, center, tensor = inertial(
        convert(bodies_on_arm(body(0.5, (1, 0, 2), given, occurrence_from_part=place.tolist())), tmp_path)
    )
    assert center + FRAME == pytest.approx(np.array((0.01, -0.02, 0.1)), abs=1e-12)
    assert tensor == pytest.approx(np.diag((0.2e-4, 0.8e-4, 0.7e-4)), abs=1e-15)


def test_a_mass_override_scales_mass_and_tensor(tmp_path):
    mass, _, tensor = inertial(convert(bodies_on_arm(body(0.008), mass_override=0.05), tmp_path))
    assert mass == 0.05
    assert tensor == pytest.approx(np.eye(3) / 600 * 50 / 8, rel=1e-12)
    inner, _, tensor = inertial(convert(bodies_on_arm(body(0.008, override_scale=3)), tmp_path))
    assert (inner, tensor[0, 0]) == pytest.approx((0.024, 3 / 600))


def test_an_override_of_nothing_is_told(tmp_path):
    result = convert(bodies_on_arm(body(), mass_override=0), tmp_path)
    assert "mass-override: Arm:1: its mass is overridden with 0 kg" in told(result)
    assert link(result, "Arm_1").find("inertial") is None


def test_bodies_without_mass_or_tensor_are_told(tmp_path):
    result = convert(bodies_on_arm(body(0.0), body(1.0, inertia=None) | {"inertia": None}), tmp_path)
    assert told(result) == [
        "no-mass: Arm:1: body S has no mass and is left out",
        "no-tensor: Arm:1: body S has no tensor or centre, and no mesh of its own to take them from: it is left out",
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"visible": False}, "not-counted: Arm:1: is not visible: its mass is left out"),
        ({"bom": "reference"}, "not-counted: Arm:1: is reference in the BOM: its mass is left out"),
    ],
)
def test_what_is_hidden_or_no_part_of_the_product_has_no_mass(fields, words, tmp_path):
    result = convert(bodies_on_arm(body(), **fields), tmp_path)
    assert words in told(result)
    assert told(convert(bodies_on_arm(**fields), tmp_path)) == []
    assert link(result, "Arm_1").find("inertial") is None


@pytest.mark.parametrize("bom", ["normal", "phantom", "purchased", "inseparable", "default"])
def test_what_the_bom_lists_elsewhere_weighs_all_the_same(bom, tmp_path):
    """A phantom only groups parts in the BOM; of the BOM structures Inventor leaves none but reference out of masses."""
    result = convert(bodies_on_arm(body(), bom=bom), tmp_path)
    assert told(result) == []
    assert link(result, "Arm_1").find("inertial") is not None


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        (
            {"ixx": 1, "iyy": 1, "izz": -1},
            "its tensor is not positive definite (principal moments -0.0001, 0.0001, 0.0001 kg m²)",
        ),
        (
            {"ixx": 1, "iyy": 1, "izz": 3},
            "its principal moments 0.0001, 0.0001, 0.0003 kg m² break the triangle inequality",
        ),
    ],
)
def test_a_tensor_that_no_body_has_is_told(inertia, words, tmp_path):
    inertia = {"ixy": 0, "iyz": 0, "ixz": 0} | inertia
    assert f"inertia: Arm:1: {words}" in told(convert(bodies_on_arm(body(1.0, inertia=inertia)), tmp_path))


def test_a_flat_plate_meets_the_triangle_inequality():
    assert faults(np.diag((1.0, 1.0, 2.0))) == []


@pytest.mark.parametrize(
    ("moments", "words"),
    [
        ((0.1, 1.0, 1.5), "triangle"),
        ((0.5, 1.0, 1.5), ""),
        ((0.5, 1.0, 1.501), "triangle"),
        ((0.0, 1.0, 1.0), "positive definite"),
        ((0.0, 0.0, 0.0), "positive definite"),
    ],
)
def test_each_rule_of_rigid_bodies_looks_at_all_three_moments(moments, words):
    found = faults(np.diag(moments))
    assert len(found) == bool(words)
    assert words in "".join(found)


def test_mass_data_are_rounded_to_what_a_measurement_is_worth():
    tensor = np.array([[1.0, -1e-14, 1 / 3], [-1e-14, 2.0, 0.0], [1 / 3, 0.0, 3.0]])
    found = MassData(mass=1.0, center=np.array([0.1 + 1e-13, -1e-13, 4e-13]), inertia=tensor).inertial()
    assert (found.inertia.ixy, found.inertia.ixz) == (0.0, 0.333333333333)
    assert str(found.inertia.ixy) == "0.0"
    assert found.origin.translation == (0.1, 0.0, 0.0)
    nothing = MassData(mass=1.0, center=np.zeros(3), inertia=np.zeros((3, 3))).inertial()
    assert nothing.inertia == Inertia(ixx=0, ixy=0, ixz=0, iyy=0, iyz=0, izz=0)


@pytest.mark.parametrize("off", [0.985, 1.0, 1.01995])
@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (100, "kg mm², not"),
        (0.01, "kg m² or kg dm², not"),
        (1e-4, "it is in kg m², not"),
        (1e3, "g cm², not"),
        (1e-3, "where the mass is in g"),
    ],
)
def test_a_slip_of_units_is_seen_within_what_tessellation_may_change(factor, words, off):
    expected = np.diag((1.0, 2.0, 2.5))
    data = MassData(mass=1.0, center=np.array((0.3, 0.2, 0.1)), inertia=factor * off * expected)
    assert words in slip(data, expected)
    assert slip(MassData(mass=1.0, center=data.center, inertia=off * expected), expected) is None
    far = MassData(mass=1.0, center=data.center, inertia=factor * 1.03 * expected)
    assert slip(far, expected) == "no known slip explains it"


def test_settings_of_a_heads_occurrence_hold_for_the_whole_link(tmp_path):
    dump = bodies_on_arm(body())
    dump["occurrences"].append(occurrence("Bolt:1", bodies=[body(0.5)]))
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Bolt:1"] = sample["transforms"]["Arm:1"]
    mass, _, tensor = inertial(convert(dump, tmp_path, settings="links: {'Arm:1': {mass: 3}}\n"))
    assert (mass, tensor[0, 0]) == pytest.approx((3.0, 2 * 2 / 600))
    settings = (
        "links: {'Arm:1': {center_of_mass: [1, 2, 3], inertia: {ixx: 1, iyy: 1, izz: 1, ixy: 0, ixz: 0, iyz: 0}}}\n"
    )
    mass, center, tensor = inertial(convert(dump, tmp_path, settings=settings))
    assert (mass, (center + FRAME).tolist()) == (1.5, pytest.approx([1, 2, 3]))
    assert tensor == pytest.approx(np.eye(3))


def test_settings_of_a_loose_part_hold_for_it_alone(tmp_path):
    dump = bodies_on_arm(body())
    dump["occurrences"].append(occurrence("Bolt:1", bodies=[body(0.5)]))
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Bolt:1"] = sample["transforms"]["Arm:1"]
    mass, _, _ = inertial(convert(dump, tmp_path, settings="links: {'Bolt:1': {mass: 0.25}}\n"))
    assert mass == 1.25


def test_settings_may_give_all_that_bodies_do_not(tmp_path):
    settings = "links: {'Arm:1': {mass: 2, center_of_mass: [0, 0, 1], inertia: {ixx: 1, iyy: 1, izz: 5, ixy: 0, ixz: 0, iyz: 0}}}\n"
    result = convert(one_joint(), tmp_path, settings=settings)
    assert inertial(result)[0] == 2.0
    assert (
        "inertia: Arm:1: with the settings its principal moments 1, 1, 5 kg m² break the triangle inequality"
        in told(result)
    )
    lacking = convert(one_joint(), tmp_path, settings="links: {'Arm:1': {mass: 2}}\n")
    assert "mass: Arm:1: mass, center_of_mass and inertia are needed where the bodies give none" in told(lacking)


@pytest.mark.parametrize("without", ["mass", "center_of_mass", "inertia"])
def test_settings_for_a_part_without_bodies_are_whole_or_told(without, tmp_path):
    fields = {
        "mass": "2",
        "center_of_mass": "[0, 0, 1]",
        "inertia": "{ixx: 1, iyy: 1, izz: 1, ixy: 0, ixz: 0, iyz: 0}",
    }
    given = ", ".join(f"{name}: {value}" for name, value in fields.items() if name != without)
    result = convert(one_joint(), tmp_path, settings=f"links: {{'Arm:1': {{{given}}}}}\n")
    assert "mass: Arm:1: mass, center_of_mass and inertia are needed where the bodies give none" in told(result)
    assert link(result, "Arm_1").find("inertial") is None


def test_a_density_of_the_settings_goes_before_the_cads(tmp_path):
    settings = "links: {'Arm:1': {density: 2000}}\n"
    mass, _, tensor = inertial(convert(bodies_on_arm(body(1.0, volume=1000)), tmp_path, settings=settings))
    assert (mass, tensor[0, 0]) == pytest.approx((2.0, 2 / 600))
    without = convert(bodies_on_arm(body(1.0)), tmp_path, settings=settings)
    assert "density: Arm:1: the density of the settings does nothing: body S has no volume" in told(without)
    assert inertial(without)[0] == 1.0


def test_a_density_scales_the_tensor_by_the_mass_that_the_body_had(tmp_path):
    settings = "links: {'Arm:1': {density: 2000}}\n"
    mass, _, tensor = inertial(convert(bodies_on_arm(body(0.8, volume=1000)), tmp_path, settings=settings))
    assert (mass, tensor[0, 0]) == pytest.approx((2.0, 2.0 / 0.8 / 600))


def test_a_tensor_of_a_body_without_mass_is_none(tmp_path):
    settings = "links: {'Arm:1': {density: 2000}}\n"
    result = convert(bodies_on_arm(body(0.0, volume=1000)), tmp_path, settings=settings)
    assert [line for line in told(result) if line.startswith("no-tensor")]
    assert link(result, "Arm_1").find("inertial") is None


def test_what_is_told_of_masses_has_its_place(tmp_path):
    (finding,) = [one for one in convert(bodies_on_arm(body(0.0)), tmp_path).findings if one.rule == "no-mass"]
    assert finding.file.endswith(".json")
    assert finding.path == "occurrences[1]"


def test_expected_mass_and_centre_are_checked(tmp_path):
    dump = bodies_on_arm(body())
    good = "expect: {mass: 1.0005, center_of_mass: [0, 0, 0.0005]}\n"
    assert convert(dump, tmp_path, settings=good).exit_status == 0
    bad = convert(dump, tmp_path, settings="expect: {mass: 2, center_of_mass: [0, 0, 1]}\n")
    assert bad.exit_status == 1
    assert bad.failed == (
        "the robot's mass is 1 kg, expected were 2 kg",
        "the robot's centre of mass is [0.0, 0.0, 0.0] m, expected was [0.0, 0.0, 1.0] m",
    )
    nothing = convert(one_joint(), tmp_path, settings="expect: {mass: 2, center_of_mass: [0, 0, 1]}\n")
    assert nothing.failed == (
        "the robot's mass is 0 kg, expected were 2 kg",
        "the robot has no mass, but a centre of mass is expected",
    )


def test_the_mass_budget_is_sorted_by_share(tmp_path):
    dump = bodies_on_arm(body(3.0))
    dump["occurrences"][0]["bodies"] = [body(1.0)]
    result = convert(dump, tmp_path)
    assert result.report["mass"]["budget"] == [
        {"link": "Arm_1", "mass": 3.0, "share": 0.75},
        {"link": "Base_1", "mass": 1.0, "share": 0.25},
    ]
    assert "   75.0%          3 kg  Arm_1" in result.report_text


def test_links_of_different_documents_with_one_mass_and_centre_are_suspicious(tmp_path):
    dump = bodies_on_arm(body(2.58, (1, 2, 3)))
    dump["occurrences"][0]["bodies"] = [body(2.58, (1, 2, 3))]
    words = "hidden-bodies: Base:1, Arm:1 have one mass (2.58 kg) and one centre: are hidden bodies counted?"
    assert words in told(convert(dump, tmp_path))
    same = changed(dump, "occurrences.1.document", "Base.ipt")
    assert words not in told(convert(same, tmp_path))


@pytest.mark.parametrize(("center", "same"), [((1, 2, 3), True), ((1.00002, 2, 3), True), ((1.1, 2, 3), False)])
def test_twins_have_one_centre_within_a_micrometre(center, same, tmp_path):
    dump = bodies_on_arm(body(2.58, (1, 2, 3)))
    dump["occurrences"][0]["bodies"] = [body(2.58, center)]
    assert any("are hidden bodies counted?" in line for line in told(convert(dump, tmp_path))) is same


def test_mass_data_of_a_whole_document_are_told(tmp_path):
    whole = body(1.0, visible_only=False) | {"name": "*"}
    words = "hidden-bodies: Arm:1: its mass data are the whole document's; hidden bodies are counted"
    assert words in told(convert(bodies_on_arm(whole), tmp_path))
    assert words in told(convert(bodies_on_arm(whole, bodies_total=2, bodies_visible=1), tmp_path))
    assert told(convert(bodies_on_arm(whole, bodies_total=1, bodies_visible=1), tmp_path)) == []


# Against the mesh: an L of two boxes, off the origin and turned, so that no slip is hidden by symmetry.

TURN = shift(0.03, 0.05, -0.02) @ turn_about((1, 2, 3), 0.7)
SOLIDS = [
    Solid(np.array((0.1, 0.02, 0.03)), 7850.0, TURN),
    Solid(np.array((0.02, 0.1, 0.03)), 7850.0, TURN @ shift(0.05, 0.06, 0.01)),
]


def with_mesh(folder, change=None, solids=None, **fields) -> dict:
    part = Part("Arm:1", np.eye(4), solids or SOLIDS, mesh_unit="mm")
    (folder / mesh_name(part)).write_bytes(stl_bytes(box_triangles(part.solids) / 0.001))
    dump = one_joint()
    data = occurrence_of(part, np.eye(4), False)
    whole = summed([body_of(s, "S") for s in part.solids])
    data["bodies"] = [whole if change is None else change(copy.deepcopy(whole))]
    dump["occurrences"][1] = data | fields
    return dump


def summed(bodies: list[dict]) -> dict:
    """The boxes as one body, in kg and cm."""

    def tensor(b):
        i = b["inertia"]
        return np.array(
            [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
        )

    mass = sum(b["mass"] for b in bodies)
    center = sum(b["mass"] * np.array(b["center_of_mass"]) for b in bodies) / mass
    arms = [np.array(b["center_of_mass"]) - center for b in bodies]
    whole = sum(tensor(b) + b["mass"] * (a @ a * np.eye(3) - np.outer(a, a)) for b, a in zip(bodies, arms, strict=True))
    names = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "iyz": (1, 2), "ixz": (0, 2)}
    return {
        "name": "S",
        "mass": mass,
        "volume": sum(b["volume"] for b in bodies),
        "center_of_mass": center.tolist(),
        "inertia": {key: whole[at] for key, at in names.items()},
    }


FLAT = np.array([[[0, 0, 0], [100, 0, 0], [0, 100, 0]], [[0, 0, 0], [0, 100, 0], [100, 0, 0]]], dtype=float)
"""Two triangles, one on the other, in mm: they enclose nothing."""


def test_mass_data_that_fit_the_mesh_need_no_word(tmp_path):
    assert told(convert(with_mesh(tmp_path), tmp_path)) == []


def scaled(factor: float):
    def change(data: dict) -> dict:
        data["inertia"] = {key: factor * value for key, value in data["inertia"].items()}
        return data

    return change


def turned_signs(data: dict) -> dict:
    data["inertia"] = {key: value if key in ("ixx", "iyy", "izz") else -value for key, value in data["inertia"].items()}
    return data


def swapped(data: dict) -> dict:
    data["inertia"] |= {"ixz": data["inertia"]["iyz"], "iyz": data["inertia"]["ixz"]}
    return data


def about_origin(data: dict) -> dict:
    x, y, z = data["center_of_mass"]
    m, i = data["mass"], data["inertia"]
    i["ixx"] += m * (y * y + z * z)
    i["iyy"] += m * (x * x + z * z)
    i["izz"] += m * (x * x + y * y)
    for key, product in (("ixy", x * y), ("iyz", y * z), ("ixz", x * z)):
        i[key] -= m * product
    return data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (turned_signs, "its products of inertia have the other sign"),
        (about_origin, "it is about the origin of the part, not about the centre of mass"),
        (swapped, "ixz and iyz are swapped"),
        (scaled(100), "it is in kg mm², not in kg cm²"),
        (scaled(0.01), "it is in kg m² or kg dm², not in kg cm²"),
        (scaled(1e-4), "it is in kg m², not in kg cm²"),
        (scaled(1e3), "it is in g cm², not in kg cm²"),
        (scaled(1e-3), "it is in kg cm² where the mass is in g"),
        (scaled(1.5), "no known slip explains it"),
    ],
)
def test_a_tensor_that_the_mesh_contradicts_names_the_slip(change, words, tmp_path):
    lines = told(convert(with_mesh(tmp_path, change), tmp_path))
    assert f"tensor: Arm:1: its tensor differs from the mesh's by more than 2 %: {words}" in lines


def test_a_centre_elsewhere_than_the_meshs_is_told(tmp_path):
    def moved(data: dict) -> dict:
        data["center_of_mass"][0] += 5
        return data

    assert "center: Arm:1: its centre of mass is not where the mesh's is: another frame?" in told(
        convert(with_mesh(tmp_path, moved), tmp_path)
    )


def test_a_mesh_of_another_volume_than_the_bodies_is_told(tmp_path):
    def halved(data: dict) -> dict:
        data["volume"] /= 1.1
        data["mass"] /= 1.1
        return data

    dump = with_mesh(tmp_path, halved)
    assert "volume: Arm:1: its mesh encloses 1.1 times the volume of its bodies: hidden bodies?" in told(
        convert(dump, tmp_path)
    )


def test_the_density_of_a_part_without_a_material_is_told(tmp_path):
    water = [Solid(solid.size, 1000.0, solid.place) for solid in SOLIDS]
    lines = told(convert(with_mesh(tmp_path, solids=water), tmp_path))
    assert "material: Arm:1: its density is 1000 kg/m³: is the material not set?" in lines


def test_bodies_of_one_density_are_measured_by_the_mesh_together(tmp_path):
    solids = [SOLIDS[0], Solid(np.array((0.03, 0.1, 0.03)), 7850.0, SOLIDS[1].place)]
    dump = with_mesh(tmp_path, solids=solids)
    dump["occurrences"][1]["bodies"] = [turned_signs(body_of(solid, "S")) for solid in solids]
    assert [line for line in told(convert(dump, tmp_path)) if line.startswith("tensor")]


def test_a_centre_within_what_tessellation_may_move_is_fine(tmp_path):
    def moved(data: dict) -> dict:
        data["center_of_mass"][0] += 0.1
        return data

    assert told(convert(with_mesh(tmp_path, moved), tmp_path)) == []


def test_the_density_is_told_by_the_meshs_volume_or_the_bodies(tmp_path):
    water = [Solid(solid.size, 1000.0, solid.place) for solid in SOLIDS]
    words = "material: Arm:1: its density is 1000 kg/m³: is the material not set?"
    box = {"min": [0, 0, 0], "max": [10, 10, 0], "precise": True}
    unknown = with_mesh(tmp_path, lambda data: data | {"volume": None}, water)
    facts = mesh_facts(next(tmp_path.glob("*.stl")))
    low, high = (corner * 0.1 for corner in (facts.low, facts.high))
    unknown["occurrences"][1]["range_box"] = {"min": low.tolist(), "max": high.tolist(), "precise": True}
    assert words in told(convert(unknown, tmp_path))
    flat = with_mesh(tmp_path, solids=water, range_box=box)
    next(tmp_path.glob("*.stl")).write_bytes(stl_bytes(FLAT))
    assert told(convert(flat, tmp_path)) == [words]


@pytest.mark.parametrize("density", [2700.0, 5200.0])
def test_bodies_of_two_densities_are_not_measured_by_the_mesh(density, tmp_path):
    mixed = [SOLIDS[0], Solid(SOLIDS[1].size, density, SOLIDS[1].place)]
    dump = with_mesh(tmp_path, solids=mixed)
    dump["occurrences"][1]["bodies"] = [body_of(solid, "S") for solid in mixed]
    assert told(convert(dump, tmp_path)) == []


@pytest.mark.parametrize("without", [("inertia",), ("inertia", "center_of_mass")])
def test_a_tensor_that_could_not_be_read_is_the_meshs(without, tmp_path):
    def bare(data: dict) -> dict:
        return data | dict.fromkeys(without)

    dump = with_mesh(tmp_path)
    full = inertial(convert(dump, tmp_path))
    result = convert(with_mesh(tmp_path, bare), tmp_path)
    assert inertial(result)[0] == full[0]
    assert np.abs(inertial(result)[1] - full[1]).max() < 1e-8
    assert np.abs(inertial(result)[2] - full[2]).max() < 1e-6 * np.abs(full[2]).max()
    assert "mesh-tensor: Arm:1: body S has no tensor or centre; the mesh's is taken, with uniform density" in told(
        result
    )


def test_a_centre_without_a_tensor_is_kept_in_the_part(tmp_path):
    place = shift(1.0, 2.0, 3.0) @ rot_x(np.pi / 2)

    def bare(data: dict) -> dict:
        return data | {"inertia": None, "center_of_mass": [1, 2, 4], "occurrence_from_part": place.tolist()}

    _, center, _ = inertial(convert(with_mesh(tmp_path, bare), tmp_path))
    assert center + FRAME == pytest.approx(np.array((0.02, -0.02, 0.05)), abs=1e-12)


def test_a_flat_mesh_or_one_of_several_bodies_gives_no_tensor(tmp_path):
    dump = with_mesh(tmp_path)
    whole = dump["occurrences"][1]["bodies"][0]
    dump["occurrences"][1]["bodies"] = [whole, copy.deepcopy(whole) | {"inertia": None}]
    assert [line for line in told(convert(dump, tmp_path)) if line.startswith("no-tensor")]
    box = {"min": [0, 0, 0], "max": [10, 10, 0], "precise": True}
    flat = with_mesh(tmp_path, lambda data: data | {"inertia": None}, range_box=box)
    (mesh,) = tmp_path.glob("*.stl")
    mesh.write_bytes(stl_bytes(FLAT))
    assert [line for line in told(convert(flat, tmp_path)) if line.startswith("no-tensor")]


def test_the_volume_of_bodies_is_known_if_that_of_each_is():
    def part(*volumes: float | None) -> SimpleNamespace:
        return SimpleNamespace(bodies=[SimpleNamespace(volume=volume) for volume in volumes])

    assert [volume_of(part(*volumes)) for volumes in ((), (1.0, 2.0), (1.0, None), (None,))] == [None, 3.0, None, None]


def test_a_density_without_a_body_volume_takes_the_meshs(tmp_path):
    def bare(data: dict) -> dict:
        return data | {"volume": None}

    dump = with_mesh(tmp_path, bare)
    result = convert(dump, tmp_path, settings="links: {'Arm:1': {density: 1000}}\n")
    volume = sum(solid.volume for solid in SOLIDS)
    assert inertial(result)[0] == pytest.approx(1000 * volume, rel=1e-6)
    no_mass = convert(
        with_mesh(tmp_path, lambda data: data | {"mass": None, "inertia": None}),
        tmp_path,
        settings="links: {'Arm:1': {density: 1000}}\n",
    )
    assert inertial(no_mass)[0] == pytest.approx(1000 * volume, rel=1e-6)


def test_combined_bodies_without_mass_are_none():
    assert combined([MassData(mass=0.0, center=np.zeros(3), inertia=np.eye(3))]) is None
