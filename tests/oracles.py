"""Second ways to the same numbers, in numpy; nothing here is shared with the product."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np


def rot_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def rot_y(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])


def rot_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def shift(x: float, y: float, z: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def modified_row(
    a: float, alpha: float, d: float, theta: float, beta: float = 0.0, gamma: float = 0.0, b: float = 0.0
) -> np.ndarray:
    """Khalil's whole row, factor by factor."""
    before = rot_z(gamma) @ shift(0, 0, b) @ rot_y(beta)
    return before @ rot_x(alpha) @ shift(a, 0, 0) @ rot_z(theta) @ shift(0, 0, d)


def standard_row(a: float, alpha: float, d: float, theta: float, beta: float = 0.0) -> np.ndarray:
    """Spong's row with Hayati's beta, factor by factor."""
    return rot_z(theta) @ shift(0, 0, d) @ shift(a, 0, 0) @ rot_x(alpha) @ rot_y(beta)


def rpy_matrix(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """URDF's rpy: turns about the fixed axes x, y, z in this order."""
    return rot_z(yaw) @ rot_y(pitch) @ rot_x(roll)


def turn_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about any axis by the matrix exponential's closed form on the skew matrix."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) + math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew
    return matrix


def table_poses(table, q) -> dict[str, np.ndarray]:
    """DH frames of a table's rows by link, and ``tool`` if there is one, from the factors of each row."""
    poses = {table.base.link: np.array(table.base.pose.matrix())}
    values = dict(zip([joint.name for joint in table.joints if joint.type != "fixed"], q, strict=True))
    for joint in table.joints:
        poses[joint.link] = poses[joint.parent] @ _row(joint.row, _moved(joint, values.get(joint.name, 0.0)))
    end = poses[table.joints[-1].link]
    if table.tool is not None:
        row = table.tool.row
        end = end @ (np.array(table.tool.pose.matrix()) if row is None else _row(row, (row.theta, row.d)))
    poses["tool"] = end
    return poses


def _moved(joint, q: float) -> tuple[float, float]:
    theta, d = joint.row.theta, joint.row.d
    if joint.type == "prismatic":
        return theta, d + joint.direction * q
    return (theta, d) if joint.type == "fixed" else (theta + joint.direction * q, d)


def _row(row, theta_d: tuple[float, float]) -> np.ndarray:
    theta, d = theta_d
    if hasattr(row, "alpha_prev"):
        return modified_row(row.a_prev, row.alpha_prev, d, theta, row.beta_prev, row.gamma, row.b)
    return standard_row(row.a, row.alpha, d, theta, row.beta)


def urdf_fk(text: str, q: dict[str, float]) -> dict[str, np.ndarray]:
    """Pose of every link of a URDF text in its root, read with the standard library."""
    root = ElementTree.fromstring(text)
    joints = root.findall("joint")
    mimics = {joint.get("name"): joint.find("mimic").attrib for joint in joints if joint.find("mimic") is not None}
    children = {joint.find("child").get("link") for joint in joints}
    poses = {link.get("name"): np.eye(4) for link in root.findall("link") if link.get("name") not in children}
    assert len(poses) == 1
    waiting = list(joints)
    while waiting:
        rest = []
        for joint in waiting:
            parent = joint.find("parent").get("link")
            if parent not in poses:
                rest.append(joint)
                continue
            poses[joint.find("child").get("link")] = poses[parent] @ _joint_pose(joint, _value(joint, q, mimics))
        assert len(rest) < len(waiting)
        waiting = rest
    return poses


def _value(joint, q: dict[str, float], mimics) -> float:
    name, factor, offset = joint.get("name"), 1.0, 0.0
    while name in mimics:
        offset += factor * float(mimics[name].get("offset", 0))
        factor *= float(mimics[name].get("multiplier", 1))
        name = mimics[name]["joint"]
    return factor * q.get(name, 0.0) + offset


def _joint_pose(joint, value: float) -> np.ndarray:
    origin = joint.find("origin")
    attributes = {} if origin is None else origin.attrib
    xyz = [float(part) for part in attributes.get("xyz", "0 0 0").split()]
    rpy = [float(part) for part in attributes.get("rpy", "0 0 0").split()]
    pose = shift(*xyz) @ rpy_matrix(*rpy)
    axis_element = joint.find("axis")
    axis = np.array([float(part) for part in ("1 0 0" if axis_element is None else axis_element.get("xyz")).split()])
    if joint.get("type") == "prismatic":
        return pose @ shift(*(value * axis / np.linalg.norm(axis)))
    if joint.get("type") in ("revolute", "continuous"):
        return pose @ turn_about(axis, value)
    return pose


def rotation_error(a: np.ndarray, b: np.ndarray) -> float:
    """Angle in rad between two rotations (or the rotations of two poses), exact for small angles."""
    difference = np.linalg.norm(np.asarray(a)[:3, :3] - np.asarray(b)[:3, :3])
    return float(2 * np.arcsin(min(1.0, difference / (2 * math.sqrt(2)))))


def position_error(a: np.ndarray, b: np.ndarray) -> float:
    """Distance in m between the points of two poses."""
    return float(np.linalg.norm(np.asarray(a)[:3, 3] - np.asarray(b)[:3, 3]))


EXACT_DIGITS = 40
"""Decimal digits in which the exact rotations are computed."""


def exact(*factors: tuple[str, float]) -> tuple[list[list], list]:
    """Rotation and point of a product of elementary transforms, in mpmath's numbers.

    A factor is a name and a number: ``rx ry rz`` turn by rad, ``tx tz`` shift by m, as in
    ``exact(("rx", alpha), ("tx", a), ("rz", theta), ("tz", d))``.
    """
    import mpmath

    with mpmath.workdps(EXACT_DIGITS):
        rotation = [[mpmath.mpf(i == j) for j in range(3)] for i in range(3)]
        point = [mpmath.mpf(0)] * 3
        for (kind, axis), value in factors:
            number = mpmath.mpf(value)
            index = "xyz".index(axis)
            if kind == "t":
                point = [point[i] + rotation[i][index] * number for i in range(3)]
                continue
            c, s = mpmath.cos_sin(number)
            j, k = (index + 1) % 3, (index + 2) % 3
            for row in rotation:
                row[j], row[k] = c * row[j] + s * row[k], c * row[k] - s * row[j]
        return rotation, point


def exact_error(pose: tuple[list[list], list], xyz, rpy) -> tuple[float, float]:
    """Frobenius norm of the rotation's error and distance in m between an exact pose and a URDF origin."""
    import mpmath

    rotation, point = pose
    with mpmath.workdps(EXACT_DIGITS):
        written, _ = exact(("rz", rpy[2]), ("ry", rpy[1]), ("rx", rpy[0]))
        turn = sum((rotation[i][j] - written[i][j]) ** 2 for i in range(3) for j in range(3))
        distance = sum((point[i] - mpmath.mpf(xyz[i])) ** 2 for i in range(3))
        return float(mpmath.sqrt(turn)), float(mpmath.sqrt(distance))


def robot_poses(robot, q: dict[str, float]) -> dict[str, np.ndarray]:
    """Pose of every link of a robot tree by matrices; every joint, a mimic too, has its own value in q or 0."""
    children = {joint.child for joint in robot.joints}
    poses = {link.name: np.eye(4) for link in robot.links if link.name not in children}
    waiting = list(robot.joints)
    while waiting:
        ready = [joint for joint in waiting if joint.parent in poses]
        waiting = [joint for joint in waiting if joint.parent not in poses]
        for joint in ready:
            pose = poses[joint.parent] @ np.array(joint.origin.matrix())
            value = q.get(joint.name, 0.0)
            if joint.type == "prismatic":
                pose = pose @ shift(*(value * np.array(joint.axis)))
            elif joint.type != "fixed":
                pose = pose @ turn_about(np.array(joint.axis), value)
            poses[joint.child] = pose
    return poses


def inverse(pose: np.ndarray) -> np.ndarray:
    """Pose of the parent in the child frame."""
    back = np.eye(4)
    back[:3, :3] = pose[:3, :3].T
    back[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return back


def sdf_model(text: str) -> dict:
    """Links, frames and joints of an SDF text's model, poses in the model, by following ``relative_to``."""
    model = ElementTree.fromstring(text).find("model")
    elements = {each.get("name"): each for tag in ("link", "frame", "joint") for each in model.findall(tag)}

    def pose(name: str) -> np.ndarray:
        if name == "__model__":
            return np.eye(4)
        element = elements[name]
        default = {"link": "__model__", "joint": element.findtext("child"), "frame": element.get("attached_to")}
        found = element.find("pose")
        numbers = [0.0] * 6 if found is None else [float(part) for part in found.text.split()]
        start = default[element.tag] if found is None else found.get("relative_to", default[element.tag])
        return pose(start) @ shift(*numbers[:3]) @ rpy_matrix(*numbers[3:])

    joints = []
    for joint in model.findall("joint"):
        axis = joint.find("axis/xyz")
        joints.append(
            {
                "name": joint.get("name"),
                "type": joint.get("type"),
                "parent": joint.findtext("parent"),
                "child": joint.findtext("child"),
                "axis": [0.0, 0.0, 1.0] if axis is None else [float(part) for part in axis.text.split()],
                "pose": np.linalg.inv(pose(joint.findtext("child"))) @ pose(joint.get("name")),
            }
        )
    return {
        "links": {link.get("name"): pose(link.get("name")) for link in model.findall("link")},
        "frames": {f.get("name"): (f.get("attached_to"), pose(f.get("name"))) for f in model.findall("frame")},
        "joints": joints,
    }


def sdf_poses(model: dict, q: dict[str, float]) -> dict[str, np.ndarray]:
    """Pose of every link and frame in the world, the first link or the world at rest; closing joints are left out."""
    links = model["links"]
    held = {joint["child"] for joint in model["joints"]}
    poses = {name: pose for name, pose in links.items() if name not in held}
    poses["world"] = np.eye(4)
    start = links | {"world": np.eye(4)}
    waiting = list(model["joints"])
    while waiting:
        rest = []
        for joint in waiting:
            parent, child, value = joint["parent"], joint["child"], q.get(joint["name"], 0.0)
            if parent not in poses:
                rest.append(joint)
            elif child not in poses:
                move = np.eye(4)
                if joint["type"] == "prismatic":
                    move = shift(*(value * np.array(joint["axis"])))
                elif joint["type"] in ("revolute", "continuous"):
                    move = turn_about(np.array(joint["axis"]), value)
                to_joint = np.linalg.inv(start[parent]) @ start[child] @ joint["pose"]
                poses[child] = poses[parent] @ to_joint @ move @ np.linalg.inv(joint["pose"])
        assert len(rest) < len(waiting)
        waiting = rest
    for name, (body, pose) in model["frames"].items():
        poses[name] = poses[body] @ np.linalg.inv(start[body]) @ pose
    del poses["world"]
    return poses
