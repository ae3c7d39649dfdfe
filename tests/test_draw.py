import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import readers
from arms import KINDS, arm
from mdh2urdf.draw.camera import Camera, best_camera
from mdh2urdf.draw.label_places import overlap
from mdh2urdf.draw.sketch import sketch
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.pose_text import read_pose
from mdh2urdf.robot import Joint, Link, Robot
from mdh2urdf.se3 import Transform
from mdh2urdf.table import ModifiedRow, Table, TableJoint

GOLDEN = Path(__file__).parent / "golden" / "draw"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", autouse=True)
def _matplotlib():
    readers.require_module("matplotlib")


def svg_of(model, q=None, **options):
    from mdh2urdf.draw.drawing import draw, render

    return ElementTree.fromstring(render(draw(model, q, **options)[0], "svg"))


@cache
def figure_of(name):
    """The picture of an arm at q = 0, drawn once for all tests."""
    from mdh2urdf.draw.drawing import draw

    return draw(arm(name))[0]


@cache
def svg_of_arm(name):
    from mdh2urdf.draw.drawing import render

    return ElementTree.fromstring(render(figure_of(name), "svg"))


def structure(root):
    """Ids of the elements in the order of painting, with the text of those that have one."""
    lines = []
    for group in root.iter(f"{SVG}g"):
        name = group.get("id", "")
        if name.startswith(
            ("a-", "d-", "b-", "link-", "joint-", "axis-", "frame-", "base", "label-", "title", "subtitle")
        ):
            text = "".join(group.itertext()).strip()
            lines.append(f"{name}  {text}".rstrip())
    legend = root.find(f".//{SVG}g[@id='legend']")
    lines += [f"legend  {text.text}" for text in legend.iter(f"{SVG}text") if text.text]
    return lines


def points_of(root, name):
    """The points of the first path below an id, in the SVG's coordinates with y up."""
    path = root.find(f".//{SVG}g[@id='{name}']//{SVG}path").get("d")
    numbers = [float(part) for part in path.split() if part.lstrip("-")[0].isdigit()]
    return np.array(numbers).reshape(-1, 2) * [1, -1]


@pytest.mark.parametrize("name", KINDS)
def test_a_picture_has_an_element_for_every_part_and_a_label_for_every_length(name):
    found = structure(svg_of_arm(name))
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("MDH2URDF_WRITE_GOLDEN") == "1":
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
    assert found == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", KINDS)
def test_lengths_on_paper_are_a_parallel_projection_at_one_scale(name):
    table = arm(name)
    root, drawn = svg_of_arm(name), sketch(table, {})
    space, paper = [], []
    for segment in drawn.segments:
        start, end = points_of(root, f"{segment.kind}-{segment.row}")[[0, -1]]
        space += [np.subtract(segment.end, segment.start)]
        paper += [end - start]
    solution, *_ = np.linalg.lstsq(np.array(space), np.array(paper), rcond=None)
    assert np.allclose(np.array(space) @ solution, paper, atol=1e-3)
    right, up = solution.T
    # A flat arm does not show all of the projection.
    if np.linalg.matrix_rank(np.array(space)) == 3:
        assert np.linalg.norm(right) == pytest.approx(np.linalg.norm(up), rel=1e-4)
        assert right @ up == pytest.approx(0, abs=1e-3 * np.linalg.norm(right) ** 2)


@pytest.mark.parametrize("name", KINDS)
def test_labels_cover_neither_each_other_nor_the_edge_of_the_paper(name):
    figure = figure_of(name)
    figure.draw_without_rendering()
    labels = [text for text in figure.axes[0].texts if text.get_gid()]
    boxes = [text.get_window_extent().extents for text in labels]
    for index, box in enumerate(boxes):
        assert all(overlap(box, other) == 0 for other in boxes[:index]), labels[index].get_text()
        assert figure.bbox.contains(*box[:2])
        assert figure.bbox.contains(*box[2:])


def zigzag(count):
    """A chain of many joints that turns at every one."""
    rows = [ModifiedRow(a_prev=0.05, alpha_prev=np.pi / 2, d=0.1, theta=0.3 * number) for number in range(count)]
    links = ["base_link", *(f"link{number}" for number in range(1, count + 1))]
    joints = [
        TableJoint(name=f"joint{number}", link=links[number], parent=links[number - 1], type="continuous", row=row)
        for number, row in enumerate(rows, 1)
    ]
    return Table(name="zigzag", joints=tuple(joints))


def crowd(count):
    """Joints that all turn about one point."""
    table = zigzag(count)
    rows = [ModifiedRow(a_prev=0.0, alpha_prev=0.1, d=0.0, theta=0.3) for _ in range(count)]
    joints = [replace(joint, row=row) for joint, row in zip(table.joints, rows, strict=True)]
    return replace(table, joints=tuple(joints))


def labels_and_boxes(figure):
    figure.draw_without_rendering()
    labels = [text for text in figure.axes[0].texts if text.get_gid().startswith("label-")]
    return labels, [text.get_window_extent().extents for text in labels]


def test_the_frames_of_a_long_chain_have_no_labels_and_that_is_told():
    from mdh2urdf.draw.drawing import draw

    figure, told = draw(zigzag(50))
    labels, boxes = labels_and_boxes(figure)
    assert str(told[0]) == "51 frames: their x and z have no labels"
    names = {label.get_gid() for label in labels}
    assert {f"label-axis-{number}" for number in range(1, 51)} <= names
    assert not any(name.startswith(("label-x", "label-z")) for name in names)
    assert all(overlap(box, other) == 0 for index, box in enumerate(boxes) for other in boxes[:index])


def test_labels_that_find_no_room_are_left_out_and_counted():
    from mdh2urdf.draw.drawing import draw

    figure, (told,) = draw(crowd(29))
    labels, boxes = labels_and_boxes(figure)
    left_out = int(str(told).split()[0])
    assert str(told) == (
        f"{left_out} of {len(labels) + left_out} labels are left out for want of room; another --view may have more"
    )
    assert all(overlap(box, other) == 0 for index, box in enumerate(boxes) for other in boxes[:index])


@pytest.mark.parametrize("name", KINDS)
def test_a_usual_arm_has_all_its_labels(name):
    from mdh2urdf.draw.drawing import draw

    assert draw(arm(name))[1] == ()


def test_the_same_arm_gives_the_same_bytes_in_another_process():
    program = (
        "import sys; from arms import arm; from mdh2urdf.draw.drawing import draw, render\n"
        "figure, _ = draw(arm('scara'))\n"
        "for form in ('svg', 'png', 'pdf'): sys.stdout.buffer.write(render(figure, form))"
    )
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here.parent / "src")])}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert b"CreationDate" not in runs[0]
    assert b"<dc:date>" not in runs[0]


def test_the_pose_is_drawn_and_told():
    root = svg_of(arm("scara"), {"shoulder": 1.0, "quill": 0.05})
    lines = structure(root)
    assert "subtitle  standard Denavit-Hartenberg · lengths in mm · q = (57.3°, 0°, 50 mm, 0°)" in lines
    assert "label-d-3  d₃ = 130" in lines


def test_a_view_may_be_chosen():
    from mdh2urdf.draw.drawing import draw, render

    chosen = Camera(-30.0, 40.0)
    assert chosen != best_camera(sketch(arm("scara"), {}))
    assert render(draw(arm("scara"), camera=chosen)[0], "svg") != render(figure_of("scara"), "svg")


def test_frames_whose_arrows_coincide_share_a_label():
    lines = structure(svg_of_arm("stanford"))
    assert "label-x-3-4-5  x₃ x₄ x₅" in lines


def test_a_length_that_rounds_to_nothing_has_a_line_and_no_label():
    tiny = ModifiedRow(a_prev=2e-5, alpha_prev=0.0, d=0.3, theta=0.0)
    joint = TableJoint(name="joint1", link="link1", parent="base_link", type="continuous", row=tiny)
    lines = structure(svg_of(Table(name="arm", joints=(joint,))))
    assert "a-1" in lines
    assert not any(line.startswith("label-a-1") for line in lines)


def test_a_description_without_a_table_is_drawn_with_the_names_of_its_links():
    up = Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    fixed = Joint(name="weld", type="fixed", parent="foot", child="head", origin=up)
    lines = structure(svg_of(Robot(name="post", links=(Link(name="foot"), Link(name="head")), joints=(fixed,))))
    assert "subtitle  joint origins · q = 0" in lines
    assert "label-frame-foot  foot" in lines
    assert "legend  from origin to origin" in lines


def test_an_arm_seen_along_its_only_length_is_drawn():
    assert "label-d-1  d₁ = 410" in structure(svg_of(arm("scara"), camera=Camera(0.0, 90.0)))


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_picture_is_written_in_the_format_of_its_name(tmp_path, suffix, start):
    from mdh2urdf.draw.drawing import save

    path = tmp_path / f"arm.{suffix}"
    save(figure_of("scara"), path)
    assert path.read_bytes().startswith(start)


def test_an_unknown_format_names_the_known_ones():
    from mdh2urdf.draw.drawing import picture_format

    with pytest.raises(Mdh2UrdfError) as caught:
        picture_format("arm.jpg")
    assert str(caught.value) == "arm.jpg: a picture's name ends with one of .svg, .png, .pdf"


def test_a_missing_matplotlib_is_one_line(monkeypatch):
    from mdh2urdf.draw.drawing import draw

    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Mdh2UrdfError) as caught:
        draw(arm("scara"))
    assert str(caught.value) == "draw needs matplotlib: pip install 'mdh2urdf[draw]'"


def test_the_picture_in_the_readme_is_what_draw_makes():
    root = Path(__file__).resolve().parents[1]
    command = next(line for line in (root / "README.md").read_text().splitlines() if line.startswith("mdh2urdf draw"))
    pose = read_pose(command.split("--q ")[1].split()[0], arm("panda"))
    shown = ElementTree.fromstring((root / "docs" / "figures" / "panda.svg").read_text(encoding="utf-8"))
    assert structure(shown) == structure(svg_of(arm("panda"), pose))
