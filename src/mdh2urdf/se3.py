"""Rotations and poses as plain tuples: small, exact at quarter turns, quick to import.

Rotations follow URDF: ``R = Rz(yaw) Ry(pitch) Rx(roll)``. Lengths are metres, angles radians.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, atan2, cos, hypot, pi, sin, sqrt

Vector3 = tuple[float, float, float]
Matrix3 = tuple[Vector3, Vector3, Vector3]

QUARTER_TURN_TOLERANCE = 4.5e-16
"""rad, relative above 1 rad: two steps of a double, what ``2*pi/4`` or 270 degrees may be off."""

GIMBAL_LOCK = 5e-16
"""Length of cos(pitch) below which yaw is free: two rounding errors of the products of cosines."""

HALF_PI = pi / 2
_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))

X_AXIS: Vector3 = (1.0, 0.0, 0.0)
Y_AXIS: Vector3 = (0.0, 1.0, 0.0)
Z_AXIS: Vector3 = (0.0, 0.0, 1.0)
ORIGIN: Vector3 = (0.0, 0.0, 0.0)
NO_ROTATION: Matrix3 = (X_AXIS, Y_AXIS, Z_AXIS)


def cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine of an angle in rad, exactly 0 or ±1 at multiples of 90 degrees."""
    quarters = round(angle / HALF_PI)
    if abs(angle - quarters * HALF_PI) <= QUARTER_TURN_TOLERANCE * max(1.0, abs(angle)):
        return _QUARTERS[quarters % 4]
    return cos(angle), sin(angle)


def dot(u: Vector3, v: Vector3) -> float:
    """Scalar product."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u: Vector3, v: Vector3) -> Vector3:
    """Vector product."""
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def add(u: Vector3, v: Vector3) -> Vector3:
    """Sum of two vectors."""
    return (u[0] + v[0], u[1] + v[1], u[2] + v[2])


def subtract(u: Vector3, v: Vector3) -> Vector3:
    """Difference ``u - v``."""
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


def scale(factor: float, v: Vector3) -> Vector3:
    """Vector times a number."""
    return (factor * v[0], factor * v[1], factor * v[2])


def norm(v: Vector3) -> float:
    """Euclidean length."""
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def unit(v: Vector3) -> Vector3:
    """Vector of length 1 along v.

    Raises
    ------
    ZeroDivisionError
        If v is zero.
    """
    length = norm(v)
    return (v[0] / length, v[1] / length, v[2] / length)


def rotate(rotation: Matrix3, v: Vector3) -> Vector3:
    """Matrix times vector."""
    x, y, z = rotation
    return (dot(x, v), dot(y, v), dot(z, v))


def multiply(left: Matrix3, right: Matrix3) -> Matrix3:
    """Product of two rotations."""
    (a, b, c), (d, e, f), (g, h, i) = right
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = left
    return (
        (x0 * a + y0 * d + z0 * g, x0 * b + y0 * e + z0 * h, x0 * c + y0 * f + z0 * i),
        (x1 * a + y1 * d + z1 * g, x1 * b + y1 * e + z1 * h, x1 * c + y1 * f + z1 * i),
        (x2 * a + y2 * d + z2 * g, x2 * b + y2 * e + z2 * h, x2 * c + y2 * f + z2 * i),
    )


def transpose(rotation: Matrix3) -> Matrix3:
    """Inverse of a rotation."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    return ((a, d, g), (b, e, h), (c, f, i))


def column(rotation: Matrix3, index: int) -> Vector3:
    """Axis ``index`` (0 x, 1 y, 2 z) of the child frame in the parent frame."""
    return (rotation[0][index], rotation[1][index], rotation[2][index])


def rotation_from_columns(x: Vector3, y: Vector3, z: Vector3) -> Matrix3:
    """Rotation whose columns are the axes x, y, z of the child frame."""
    return transpose((x, y, z))


def rotation_x(angle: float) -> Matrix3:
    """Turn about x by an angle in rad."""
    c, s = cos_sin(angle)
    return (X_AXIS, (0.0, c, -s + 0.0), (0.0, s, c))


def rotation_y(angle: float) -> Matrix3:
    """Turn about y by an angle in rad."""
    c, s = cos_sin(angle)
    return ((c, 0.0, s), Y_AXIS, (-s + 0.0, 0.0, c))


def rotation_z(angle: float) -> Matrix3:
    """Turn about z by an angle in rad."""
    c, s = cos_sin(angle)
    return ((c, -s + 0.0, 0.0), (s, c, 0.0), Z_AXIS)


def rotation_about(axis: Vector3, angle: float) -> Matrix3:
    """Turn about a unit axis by an angle in rad (Rodrigues)."""
    c, s = cos_sin(angle)
    x, y, z = axis
    v = 1.0 - c
    return (
        (c + v * x * x, v * x * y - s * z, v * x * z + s * y),
        (v * x * y + s * z, c + v * y * y, v * y * z - s * x),
        (v * x * z - s * y, v * y * z + s * x, c + v * z * z),
    )


def rotation_from_rpy(rpy: Sequence[float]) -> Matrix3:
    """Rotation ``Rz(yaw) Ry(pitch) Rx(roll)`` of URDF's rpy in rad, shape (3,)."""
    (cr, sr), (cp, sp), (cy, sy) = cos_sin(rpy[0]), cos_sin(rpy[1]), cos_sin(rpy[2])
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def rpy_from_rotation(rotation: Matrix3, reference: Vector3 = ORIGIN) -> Vector3:
    """URDF's (roll, pitch, yaw) in rad, of the two triples the one whose pitch is nearest the reference.

    Nearest on the circle, by the larger cos(pitch - reference); at a tie the triple with
    ``|pitch| <= 90°``. In gimbal lock (cos(pitch) below `GIMBAL_LOCK`) yaw is the reference's.
    Roll is taken after yaw, from the rotation with yaw undone: it makes up for whatever yaw
    the noise near gimbal lock has chosen, so the triple recomposes the rotation at any pitch.

    Parameters
    ----------
    rotation : Matrix3
    reference : Vector3
        (roll, pitch, yaw) in rad to stay close to.
    """
    (r00, r01, r02), (r10, r11, r12), (r20, _, _) = rotation
    cos_pitch = hypot(r00, r10)
    if cos_pitch <= GIMBAL_LOCK:
        yaw = reference[2]
    elif cos(atan2(-r20, cos_pitch) - reference[1]) >= cos(atan2(-r20, -cos_pitch) - reference[1]):
        yaw = atan2(r10 + 0.0, r00)
    else:
        yaw = atan2(-r10 + 0.0, -r00)
    c, s = cos_sin(yaw)
    roll = atan2(s * r02 - c * r12 + 0.0, c * r11 - s * r01)
    pitch = atan2(-r20 + 0.0, c * r00 + s * r10)
    return (roll, pitch, yaw)


def quaternion_from_rotation(rotation: Matrix3) -> tuple[float, float, float, float]:
    """Unit quaternion (w, x, y, z) of a rotation, w not negative.

    The largest component is taken from the diagonal, so that the others are divided by at least 1/2
    (Shepperd 1978).
    """
    (r00, r01, r02), (r10, r11, r12), (r20, r21, r22) = rotation
    squares = (1.0 + r00 + r11 + r22, 1.0 + r00 - r11 - r22, 1.0 - r00 + r11 - r22, 1.0 - r00 - r11 + r22)
    columns = (
        (squares[0], r21 - r12, r02 - r20, r10 - r01),
        (r21 - r12, squares[1], r10 + r01, r02 + r20),
        (r02 - r20, r10 + r01, squares[2], r21 + r12),
        (r10 - r01, r02 + r20, r21 + r12, squares[3]),
    )
    largest = squares.index(max(squares))
    length = sqrt(sum(value * value for value in columns[largest]))
    if columns[largest][0] < 0.0:
        length = -length
    w, x, y, z = (value / length + 0.0 for value in columns[largest])
    return (w, x, y, z)


def rotation_from_quaternion(quaternion: Sequence[float]) -> Matrix3:
    """Rotation of a quaternion (w, x, y, z) of any length but 0.

    Raises
    ------
    ZeroDivisionError
        If all components are 0.
    """
    length = sqrt(sum(value * value for value in quaternion))
    w, x, y, z = (value / length for value in quaternion)
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )


def angle_between_rotations(a: Matrix3, b: Matrix3) -> float:
    """Angle of the turn from a to b in rad, ``2 asin(|a - b|_F / (2 sqrt 2))``: exact for small angles."""
    square = sum((p - q) ** 2 for u, v in zip(a, b, strict=True) for p, q in zip(u, v, strict=True))
    return 2.0 * asin(min(1.0, sqrt(square / 8.0)))


@dataclass(frozen=True, slots=True)
class Transform:
    """Pose of a child frame in a parent frame, ``T_parent_child``.

    Parameters
    ----------
    rotation : Matrix3
    translation : Vector3
        m.
    """

    rotation: Matrix3 = NO_ROTATION
    translation: Vector3 = ORIGIN

    @classmethod
    def from_xyz_rpy(cls, xyz: Sequence[float], rpy: Sequence[float]) -> Transform:
        """Pose of a URDF origin: xyz in m, rpy in rad."""
        return cls(rotation_from_rpy(rpy), (float(xyz[0]), float(xyz[1]), float(xyz[2])))

    @classmethod
    def from_matrix(cls, rows: Sequence[Sequence[float]]) -> Transform:
        """Pose of a 4x4 (or 3x4) matrix given by rows; the rotation is taken as it is."""
        a, b, c = ([float(value) for value in row] for row in rows[:3])
        return cls(((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])), (a[3], b[3], c[3]))

    def __matmul__(self, other: Transform) -> Transform:
        return Transform(
            multiply(self.rotation, other.rotation),
            add(self.translation, rotate(self.rotation, other.translation)),
        )

    def apply(self, point: Vector3) -> Vector3:
        """Point of the child frame in parent coordinates, m."""
        return add(self.translation, rotate(self.rotation, point))

    def inverse(self) -> Transform:
        """Pose of the parent in the child frame."""
        back = transpose(self.rotation)
        return Transform(back, rotate(back, scale(-1.0, self.translation)))

    def matrix(self) -> tuple[tuple[float, float, float, float], ...]:
        """The 4x4 matrix by rows."""
        rows = zip(self.rotation, self.translation, strict=True)
        return (*((*row, shift) for row, shift in rows), (0.0, 0.0, 0.0, 1.0))


IDENTITY = Transform()
