"""Dumps of random assemblies become URDFs whose parts are where the truth has them."""

from __future__ import annotations

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_meshes
from running import convert, link, numbers, told, truth_error, urdf_values

POSITION = 1e-9
ANGLE = 1e-9


def made(seed: int, folder, *, joints: int = 6, branches: bool = False, screws: int = 2, **dump_options):
    rng = np.random.default_rng(seed)
    assembly = random_assembly(rng, joints, branches=branches, screws=screws, meshes=True)
    write_meshes(assembly, folder)
    return assembly, dump_of(assembly, assembly.random_q(rng), rng=rng, **dump_options), rng


@pytest.mark.parametrize("seed", range(12))
def test_parts_of_random_arms_and_trees_are_where_the_truth_has_them(seed, tmp_path):
    assembly, dump, rng = made(seed, tmp_path, branches=seed % 2 == 1, steps=2 + seed % 3)
    result = convert(dump, tmp_path)
    position, angle = truth_error(assembly, result, rng)
    assert position < POSITION
    assert angle < ANGLE
    assert result.certificate.passed
    assert result.exit_status == 0
    assert told(result) == []


@pytest.mark.parametrize("seed", range(4))
def test_probes_that_suppress_the_other_joints_say_the_same(seed, tmp_path):
    assembly, dump, rng = made(seed, tmp_path, branches=True, alone=True)
    result = convert(dump, tmp_path)
    assert max(truth_error(assembly, result, rng)) < POSITION
    assert result.certificate.passed


def test_samples_with_only_the_two_parts_of_a_joint_are_enough(tmp_path):
    assembly, dump, rng = made(3, tmp_path, screws=0, pairs_only=True, verify=0)
    result = convert(dump, tmp_path)
    assert max(truth_error(assembly, result, rng)) < POSITION


@pytest.mark.parametrize("seed", range(6))
def test_noise_of_a_millionth_of_a_centimetre_stays_below_a_ten_thousandth_of_the_reach(seed, tmp_path):
    assembly, dump, rng = made(seed, tmp_path, noise=1e-6)
    result = convert(dump, tmp_path)
    reach = sum(float(np.linalg.norm(body.home[:3, 3])) for body in assembly.bodies[1:])
    position, angle = truth_error(assembly, result, rng)
    assert position < 1e-4 * reach
    assert angle < 1e-4
    assert {finding.rule for finding in result.findings} == {"not-rigid"}


@pytest.mark.parametrize("seed", range(3))
def test_noise_ten_times_as_large_puts_every_screw_on_its_link_all_the_same(seed, tmp_path):
    assembly, dump, _ = made(seed, tmp_path, noise=1e-5)
    assert_every_part_on_its_link(assembly, convert(dump, tmp_path))


def assert_every_part_on_its_link(assembly, result):
    groups = [{item["occurrence"] for item in row["occurrences"]} for row in result.report["links"]]
    wanted = [{part.name for part in body.parts} for body in assembly.bodies]
    assert sorted(map(sorted, filter(None, groups))) == sorted(map(sorted, wanted))


@pytest.mark.parametrize("seed", range(4))
def test_every_screw_is_on_the_link_that_it_moved_with(seed, tmp_path):
    assembly, dump, _ = made(seed, tmp_path, joints=8, branches=True, screws=4)
    assert_every_part_on_its_link(assembly, convert(dump, tmp_path))


@pytest.mark.parametrize("seed", range(6))
def test_limits_keep_sign_and_value_whatever_their_order_and_the_pose(seed, tmp_path):
    assembly, dump, _ = made(seed, tmp_path, screws=0)
    result = convert(dump, tmp_path)
    rows = {row["name"]: row for row in result.report["joints"]}
    for body in assembly.moving:
        (limits,) = rows[body.joint]["limits"]
        (kind,) = rows[body.joint]["urdf_type"]
        assert kind == ("prismatic" if body.kind == "slide" else "revolute" if body.limits else "continuous")
        if body.kind == "slide":
            assert limits == [float(f"{end * 100!r}e-2") for end in body.limits]
        else:
            assert limits == list(body.limits or (None, None))


@pytest.mark.parametrize("seed", range(4))
def test_mass_data_of_every_link_equal_the_sum_of_its_solids(seed, tmp_path):
    assembly, dump, _ = made(seed, tmp_path)
    result = convert(dump, tmp_path)
    for body in assembly.bodies:
        name = next(
            row["name"]
            for row in result.report["links"]
            if row["occurrences"] and row["occurrences"][0]["occurrence"] == body.parts[0].name
        )
        inertial = link(result, name).find("inertial")
        # In the axes of the head part, which the link's frame has; its point may be elsewhere, on the axis.
        mass, center, tensor = summed(body)
        found = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        got = np.array(
            [
                [found["ixx"], found["ixy"], found["ixz"]],
                [found["ixy"], found["iyy"], found["iyz"]],
                [found["ixz"], found["iyz"], found["izz"]],
            ]
        )
        assert float(inertial.find("mass").get("value")) == pytest.approx(mass, rel=1e-12)
        assert np.abs(got - tensor).max() < 1e-9 * np.abs(tensor).max()
        visual = next(v for v in link(result, name).findall("visual"))
        offset = numbers(inertial.find("origin").get("xyz")) - numbers(visual.find("origin").get("xyz"))
        assert np.abs(offset - center).max() < 1e-9


def summed(body):
    """Mass, centre and tensor of a body's solids in the frame of its head part, by sums over point masses."""
    head = np.linalg.inv(body.parts[0].body_from_part)
    rows = []
    for part in body.parts:
        for solid in part.solids:
            pose = head @ part.body_from_part @ solid.part @ solid.place
            # Eight masses at the corners of a box scaled by 1/sqrt(3) have the box's tensor.
            corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T / np.sqrt(3)
            points = corners * solid.size @ pose[:3, :3].T + pose[:3, 3]
            rows += [(solid.mass / 8, point) for point in points]
    masses, points = np.array([m for m, _ in rows]), np.array([p for _, p in rows])
    center = masses @ points / masses.sum()
    arms = points - center
    tensor = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True))
    return masses.sum(), center, tensor


@pytest.mark.parametrize("seed", range(6))
def test_an_assembly_left_in_another_pose_gives_the_same_urdf(seed, tmp_path):
    rng = np.random.default_rng(seed)
    assembly = random_assembly(rng, 6, branches=True, meshes=True)
    write_meshes(assembly, tmp_path)
    first, second = (
        convert(dump_of(assembly, assembly.random_q(rng), rng=rng), tmp_path, settings=None) for _ in range(2)
    )
    one, two = first.robot, second.robot
    assert [link.name for link in one.links] == [link.name for link in two.links]
    for a, b in zip(one.joints, two.joints, strict=True):
        assert (a.name, a.type, a.parent, a.child, a.limits) == (b.name, b.type, b.parent, b.child, b.limits)
        assert np.abs(np.subtract(a.origin.matrix(), b.origin.matrix())).max() < 1e-10
        assert np.abs(np.subtract(a.axis, b.axis)).max() < 1e-10
    q = urdf_values(first, assembly.random_q(rng))
    poses = [robot.link_poses(q) for robot in (one, two)]
    for name in poses[0]:
        assert np.abs(np.subtract(poses[0][name].matrix(), poses[1][name].matrix())).max() < 1e-9


def test_an_arm_of_plain_numbers_left_in_another_pose_gives_the_same_bytes(tmp_path):
    from assemblies import Assembly, Body, Part

    from oracles import rot_x, shift

    bodies = [Body([Part("Base:1", np.eye(4))])]
    for i, (axis, place) in enumerate(
        (((0, 0, 1), shift(0, 0, 0.3)), ((0, 1, 0), shift(0.2, 0, 0) @ rot_x(np.pi / 2)))
    ):
        bodies.append(
            Body(
                [Part(f"Link{i}:1", shift(0.05, 0, 0))],
                i,
                "turn",
                np.array(axis),
                place[:3, 3],
                place,
                (-2.0, 2.0),
                f"Turn:{i}",
            )
        )
    assembly = Assembly(bodies)
    texts = {
        convert(dump_of(assembly, {"Turn:0": a, "Turn:1": b}), tmp_path).urdf
        for a, b in ((0.0, 0.0), (0.7, -1.1), (-1.9, 0.4))
    }
    assert len(texts) == 1
    assert 'xyz="0 0 0.3"' in texts.pop()


@pytest.mark.parametrize("seed", range(4))
def test_link_frames_stand_on_the_axis_nearest_to_the_part_with_its_orientation_at_zero(seed, tmp_path):
    assembly, dump, _ = made(seed, tmp_path, screws=0)
    result = convert(dump, tmp_path)
    zero = assembly.body_poses({})
    truth = assembly.part_poses({})
    root = assembly.bodies[0].parts[0].name
    links = result.robot.link_poses({})
    names = {row["occurrences"][0]["occurrence"]: row["name"] for row in result.report["links"] if row["occurrences"]}
    for body in assembly.joints:
        part = body.parts[0].name
        pose = truth[root] @ np.array(links[names[part]].matrix())
        parent = zero[body.parent]
        assert np.abs(pose[:3, :3] - truth[part][:3, :3]).max() < 1e-9
        if body.kind == "turn":
            axis, point = parent[:3, :3] @ body.axis, parent[:3, :3] @ body.point + parent[:3, 3]
            foot = point + axis * (axis @ (truth[part][:3, 3] - point))
            assert np.abs(pose[:3, 3] - foot).max() < 1e-9
        else:
            assert np.abs(pose[:3, 3] - truth[part][:3, 3]).max() < 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_links_on_the_frames_of_the_fitted_table_turn_about_z_and_keep_every_part(seed, tmp_path):
    assembly, dump, rng = made(seed, tmp_path, joints=5)
    result = convert(dump, tmp_path, frames="dh")
    assert max(truth_error(assembly, result, rng)) < POSITION
    moving = [joint for joint in result.robot.joints if joint.type != "fixed"]
    assert moving
    assert all(np.abs(np.subtract(np.abs(joint.axis), (0, 0, 1))).max() < 1e-9 for joint in moving)
    assert result.certificate.passed
