"""A page in the browser with an arm to move: sliders, frames, axes, common normals, and the table beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mdh2urdf.draw.camera import best_camera
from mdh2urdf.draw.captions import symbol
from mdh2urdf.draw.sketch import Segment, Sketch, sketch
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.frames import reach
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import Transform, Vector3, add, scale
from mdh2urdf.table import Table
from mdh2urdf.view.arm_page import (
    Arm,
    Slider,
    arm_of,
    counterpart,
    gap_html,
    pose_for_second,
    pose_html,
    pose_of_sliders,
    sliders,
    table_html,
)
from mdh2urdf.view.arm_shapes import LinkMesh, shapes_of
from mdh2urdf.view.listening import LOOPBACK, PORT, check_address, local_server, page_address

if TYPE_CHECKING:
    import viser

COLOURS = {"a": (31, 95, 168), "d": (179, 84, 30), "b": (122, 81, 149), "link": (138, 138, 138), "axis": (46, 46, 46)}
"""Red, green, blue of lines, as in the picture that draw makes."""

GHOST = (90, 160, 220)
GHOST_OPACITY = 0.35

LINE, ARROW, FRAME = 0.008, 0.12, 0.08
"""Thickness of lines, half length of joint axes, length of frame axes, as shares of the arm's size."""

FAR = 1.6
"""Arm's sizes from which the camera looks at most: the reach of a tree with many branches is far more."""

PANEL_WIDTH = 350.0
"""CSS pixels of the panels at both sides."""

STYLE = """<style>
.mdh2urdf { padding: 0 12px; font-size: 13px }
.mdh2urdf table { border-collapse: collapse; font-variant-numeric: tabular-nums }
.mdh2urdf .dh td:nth-child(2) { min-width: 6.5em; max-width: 9em; overflow-wrap: anywhere }
.mdh2urdf td, .mdh2urdf th { padding: 2px 7px; text-align: right; border-bottom: 1px solid #ddd }
</style>"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A model on the page: its arm, the meshes of its links, and what could not be shown."""

    arm: Arm
    meshes: Sequence[LinkMesh]
    findings: tuple[Finding, ...] = ()


def shown(model: Table | Robot, folder: str | Path = ".") -> Shown:
    """A model with its meshes, which are named from its file's folder.

    Raises
    ------
    Mdh2UrdfError
        If viser or yourdfpy is not installed.
    """
    try:
        import viser  # noqa: F401 (only whether it is there)
        import yourdfpy  # noqa: F401
    except ImportError as error:
        raise Mdh2UrdfError("view needs viser and yourdfpy: pip install 'mdh2urdf[view]'") from error
    arm = arm_of(model)
    meshes, findings = shapes_of(arm.robot, Path(folder))
    return Shown(arm=arm, meshes=meshes, findings=findings)


def serve(
    first: Shown,
    second: Shown | None = None,
    *,
    host: str = LOOPBACK,
    port: int | None = None,
    ready: Callable[[str], None],
) -> None:
    """Serve the page until the user interrupts (Ctrl-C).

    Parameters
    ----------
    first : Shown
    second : Shown, optional
        Another model, drawn as a ghost at the same joint values.
    host : str
        Address to listen on; the default is reached from this computer only.
    port : int, optional
        Default: 8080 or the next that is free.
    ready : callable
        Called with the page's address when it can be opened.

    Raises
    ------
    Mdh2UrdfError
        If nothing can listen on that address.
    """
    with serving(first, second, host=host, port=port) as address:
        try:
            ready(address)
            threading.Event().wait()
        except KeyboardInterrupt:
            return


@contextmanager
def serving(
    first: Shown, second: Shown | None = None, *, host: str = LOOPBACK, port: int | None = None
) -> Iterator[str]:
    """The page's address while it is served."""
    check_address(host, port)
    # The library greets and takes its leave on stdout, which is for results.
    with redirect_stdout(StringIO()):
        server = local_server(host, PORT if port is None else port, first.arm.model.name)
    try:
        Page(server, first, second)
        yield page_address(host, server.get_port())
    finally:
        with redirect_stdout(StringIO()):
            server.stop()


class Page:
    """The elements of the page and how they follow its inputs.

    Attributes
    ----------
    joints, switches : dict
        Slider by joint, and checkbox by what it shows.
    links, frames : dict
        Node in the scene by link, and by the frame's place in the sketch.
    link, other_link : handle
        Whose pose is told; ``other_link`` and ``other_pose`` are there with a second model only.
    table, pose, other_pose : handle
        Texts.
    """

    def __init__(self, server: viser.ViserServer, first: Shown, second: Shown | None = None) -> None:
        self._server = server
        self._arm = first.arm
        self._second = None if second is None else second.arm
        self._sliders = sliders(self._arm)
        # Inputs call from threads of their own; one pose is shown at a time.
        self._lock = threading.Lock()
        start = pose_of_sliders(self._arm, self._sliders, [slider.start for slider in self._sliders])
        drawn = sketch(self._arm.rows, start)
        self.links = _add_links(server, "/arm", first)
        self._ghosts = {} if second is None else _add_links(server, "/against", second, ghost=True)
        self._normals = _add_lines(server, "/common_normals", drawn.size)
        self._ways = _add_lines(server, "/along_axes", drawn.size)
        self._axes = _add_arrows(server, "/joint_axes", drawn.size)
        self.frames = _add_frames(server, drawn)
        _set_stage(server, drawn, reach(self._arm.robot), _ghost_points(self._arm, self._second, start))
        self._add_texts()
        self._add_inputs()
        self.update()
        # Only now may a browser that is there already call.
        for handle in (*self.joints.values(), self.link, *([self.other_link] if self._second else [])):
            handle.on_update(lambda _: self.update())

    def update(self) -> None:
        """Show the pose that the sliders have."""
        with self._lock, self._server.atomic():
            values = [float(self.joints[slider.joint].value) for slider in self._sliders]
            q = pose_of_sliders(self._arm, self._sliders, values)
            drawn = sketch(self._arm.rows, q)
            poses = self._arm.robot.link_poses(q)
            _place(self.links, poses)
            _place(self.frames, {str(index): mark.pose for index, mark in enumerate(drawn.frames)})
            normals = [segment for segment in drawn.segments if segment.kind == "a"]
            self._normals.points, self._normals.colors = _lines(normals)
            self._ways.points, self._ways.colors = _lines([one for one in drawn.segments if one.kind != "a"])
            self._axes.points = _axis_points(drawn)
            self.table.content = _styled(table_html(self._arm, q))
            self.pose.content = _styled(pose_html(self._arm, self.link.value, q, self._arm.units))
            if self._second is not None:
                self._update_second(self._second, q, poses[self.link.value])

    def _update_second(self, second: Arm, q: Mapping[str, float], pose: Transform) -> None:
        q = pose_for_second(self._arm, second, q)
        poses = second.robot.link_poses(q)
        _place(self._ghosts, poses)
        link = self.other_link.value
        text = pose_html(second, link, q, self._arm.units, name="against") + gap_html(
            pose, poses[link], self._arm.units
        )
        self.other_pose.content = _styled(text)

    def restart(self) -> None:
        """Move every joint to where it was first."""
        for slider in self._sliders:
            self.joints[slider.joint].value = slider.start

    def _add_texts(self) -> None:
        panel = self._server.gui.add_panel()
        with panel.add_tab("Table and pose"):
            self.table = self._server.gui.add_html("")
            self.link = self._add_choice("pose of", self._arm.robot, self._arm.tip)
            self.pose = self._server.gui.add_html("")
            if self._second is not None:
                link = counterpart(self._arm.tip, self._second)
                self.other_link = self._add_choice("against: pose of", self._second.robot, link)
                self.other_pose = self._server.gui.add_html("")
        panel.dock_left()
        panel.set_width(PANEL_WIDTH)

    def _add_choice(self, label: str, robot: Robot, link: str) -> viser.GuiDropdownHandle[str]:
        return self._server.gui.add_dropdown(label, [link.name for link in robot.links], initial_value=link)

    def _add_inputs(self) -> None:
        gui = self._server.gui
        gui.main_panel.dock_right()
        gui.main_panel.set_width(PANEL_WIDTH)
        with gui.add_folder("Joints"):
            self.joints: dict[str, Any] = {slider.joint: self._add_slider(slider) for slider in self._sliders}
            gui.add_button("All joints to the start").on_click(lambda _: self.restart())
        with gui.add_folder("Show"):
            self.switches = {label: self._add_switch(label, nodes) for label, nodes in self._groups().items()}

    def _add_slider(self, slider: Slider) -> viser.GuiSliderHandle[float]:
        return self._server.gui.add_slider(
            f"{slider.joint} [{slider.unit}]",
            min=slider.lower,
            max=slider.upper,
            step=slider.step,
            initial_value=slider.start,
            hint=None if slider.limited else "the model has no limit here",
        )

    def _add_switch(self, label: str, nodes: Sequence[viser.SceneNodeHandle]) -> viser.GuiCheckboxHandle:
        """A checkbox that shows and hides nodes."""

        def set_visible(event: viser.GuiEvent[viser.GuiCheckboxHandle]) -> None:
            for node in nodes:
                node.visible = event.target.value

        handle = self._server.gui.add_checkbox(label, True)
        handle.on_update(set_visible)
        return handle

    def _groups(self) -> dict[str, Sequence[viser.SceneNodeHandle]]:
        """What can be shown and hidden, by its label."""
        groups: dict[str, Sequence[viser.SceneNodeHandle]] = {
            "links and meshes": tuple(self.links.values()),
            "common normals": (self._normals,),
            "ways along axes": (self._ways,),
            "joint axes": (self._axes,),
            "frames": tuple(self.frames.values()),
        }
        if self._second is not None:
            groups[f"against: {self._second.model.name}"] = tuple(self._ghosts.values())
        return groups


def _styled(html: str) -> str:
    return f'{STYLE}<div class="mdh2urdf">{html}</div>'


def _add_links(
    server: viser.ViserServer, root: str, model: Shown, *, ghost: bool = False
) -> dict[str, viser.FrameHandle]:
    """A frame for each link with the link's meshes below it."""
    frames = {}
    for index, link in enumerate(model.arm.robot.links):
        frames[link.name] = server.scene.add_frame(f"{root}/{index}", show_axes=False)
    places = {name: frame.name for name, frame in frames.items()}
    for number, part in enumerate(model.meshes):
        name = f"{places[part.link]}/{number}"
        if ghost:
            vertices, faces = part.mesh.vertices, part.mesh.faces
            server.scene.add_mesh_simple(name, vertices, faces, color=GHOST, opacity=GHOST_OPACITY, cast_shadow=False)
        else:
            server.scene.add_mesh_trimesh(name, part.mesh)
    return frames


def _add_lines(server: viser.ViserServer, name: str, size: float) -> viser.LineSegmentsHandle:
    points, colours = _lines([])
    return server.scene.add_line_segments(name, points, colours, thickness=LINE * size)


def _add_arrows(server: viser.ViserServer, name: str, size: float) -> viser.ArrowsHandle:
    nothing = np.zeros((1, 2, 3))
    return server.scene.add_arrows(
        name,
        nothing,
        COLOURS["axis"],
        shaft_radius=0.3 * LINE * size,
        head_radius=1.2 * LINE * size,
        head_length=4 * LINE * size,
    )


def _add_frames(server: viser.ViserServer, drawn: Sketch) -> dict[str, viser.FrameHandle]:
    """The frames of the sketch by their place in it."""
    frames = {}
    for index, mark in enumerate(drawn.frames):
        name = f"/frames/{index}"
        frames[str(index)] = server.scene.add_frame(
            name, axes_length=FRAME * drawn.size, axes_radius=0.05 * FRAME * drawn.size
        )
        text = symbol("z", mark.label) if mark.label.isdigit() else mark.label
        server.scene.add_label(f"{name}/label", text, position=(0.0, 0.0, FRAME * drawn.size))
    return frames


def _ghost_points(first: Arm, second: Arm | None, q: Mapping[str, float]) -> list[Vector3]:
    """Where the links of a second model are at the first one's pose."""
    if second is None:
        return []
    return [pose.translation for pose in second.robot.link_poses(pose_for_second(first, second, q)).values()]


def _set_stage(server: viser.ViserServer, drawn: Sketch, far: float, ghost: Sequence[Vector3]) -> None:
    """The floor, and where the camera is at first: on draw's best side, and so that a moved arm stays in view.

    A ghost that stands elsewhere is in view as well.
    """
    size = drawn.size
    server.scene.add_grid("/floor", width=4 * size, height=4 * size, cell_size=size / 5, section_size=size)
    # Halfway between the base and the middle of the arm at its start.
    points = np.array([*drawn.points, *ghost])
    target = points.mean(axis=0) / 2
    size = max(size, float(np.linalg.norm(np.ptp(points, axis=0))))
    distance = min(max(size, far), FAR * size)
    server.initial_camera.position = target + distance * np.array(best_camera(drawn).towards_viewer)
    server.initial_camera.look_at = target


def _place(nodes: Mapping[str, viser.FrameHandle], poses: Mapping[str, Transform]) -> None:
    from viser.transforms import SO3

    for name, node in nodes.items():
        node.wxyz = SO3.from_matrix(np.array(poses[name].rotation)).wxyz
        node.position = poses[name].translation


def _lines(segments: Sequence[Segment]) -> tuple[np.ndarray, np.ndarray]:
    """End points and colours of segments; one without length if there are none, for the page wants some."""
    if not segments:
        return np.zeros((1, 2, 3)), np.zeros((1, 2, 3), dtype=np.uint8)
    points = np.array([(segment.start, segment.end) for segment in segments])
    colours = np.array([[COLOURS[segment.kind]] * 2 for segment in segments], dtype=np.uint8)
    return points, colours


def _axis_points(drawn: Sketch) -> np.ndarray:
    half = ARROW * drawn.size
    ends = [
        (add(axis.symbol, scale(-half, axis.direction)), add(axis.symbol, scale(half, axis.direction)))
        for axis in drawn.axes
    ]
    return np.array(ends) if ends else np.zeros((1, 2, 3))
