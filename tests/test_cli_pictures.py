from xml.etree import ElementTree

import pytest

import readers
from arms import FOLDERS
from command_line import ROBOTS, run
from test_vendor import CONF

SCARA = FOLDERS[0] / "scara.yaml"
PANDA = ROBOTS / "panda.yaml"


@pytest.fixture(autouse=True)
def _matplotlib():
    readers.require_module("matplotlib")


def texts(svg):
    return [
        "".join(element.itertext()) for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_draw_writes_the_picture_that_is_named(tmp_path):
    done = run("draw", SCARA, "-o", tmp_path / "arm.svg")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert "a₁ = 325" in texts((tmp_path / "arm.svg").read_text())
    assert run("draw", SCARA, "-o", tmp_path / "arm.png").status == 0
    assert (tmp_path / "arm.png").read_bytes().startswith(b"\x89PNG")


def test_draw_without_a_file_writes_svg_to_stdout(tmp_path):
    run("draw", SCARA, "-o", tmp_path / "arm.svg")
    assert run("draw", SCARA).out == (tmp_path / "arm.svg").read_text()


def test_draw_takes_a_pose_and_a_view(tmp_path):
    words = texts(run("draw", PANDA, "--q", "0,-45,0,-135,0,90,45", "--deg", "--view", "-40,20").out)
    assert any(word.endswith("q = (0°, −45°, 0°, −135°, 0°, 90°, 45°)") for word in words)
    assert run("draw", PANDA, "--view", "-40,20").out != run("draw", PANDA).out


def test_draw_takes_a_description(tmp_path):
    run(SCARA, "-o", tmp_path / "scara.urdf")
    assert "a₁ = 0.325" in texts(run("draw", tmp_path / "scara.urdf", "--q", "quill=0.05").out)


def test_draw_refuses_a_format_before_it_reads(tmp_path):
    done = run("draw", tmp_path / "no.yaml", "-o", "arm.jpg")
    assert (done.status, done.err) == (2, "arm.jpg: a picture's name ends with one of .svg, .png, .pdf\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--q", "1"), "--q: wants 4 values, one for each of shoulder, elbow, quill, hand; got 1"),
        (("--view", "1"), "--view wants two numbers with a comma between, got '1'"),
        (("--view", "nan,1"), "--view wants two finite numbers, got 'nan,1'"),
    ],
)
def test_draw_tells_what_is_wrong_with_its_options(options, message):
    done = run("draw", SCARA, *options)
    assert (done.status, done.out, done.err) == (2, "", message + "\n")


@pytest.fixture
def calls(monkeypatch):
    """What `serve` was called with; it is ready at once and ends."""
    readers.require_module("viser")
    readers.require_module("yourdfpy")
    found = []

    def serve(*models, host, port, ready):
        found.append(([model.arm.model.name for model in models], host, port))
        ready(f"http://{host}:{port}")

    monkeypatch.setattr("mdh2urdf.view.server.serve", serve)
    return found


def test_view_prints_the_address_of_the_page(calls):
    done = run("view", SCARA, "--port", 8123)
    assert (done.status, done.out, done.err) == (0, "http://127.0.0.1:8123\n", "")
    assert calls == [(["scara"], "127.0.0.1", 8123)]


def test_view_shows_a_second_model(calls, tmp_path):
    run(SCARA, "-o", tmp_path / "other.urdf", "--name", "other")
    run("view", SCARA, "--against", tmp_path / "other.urdf")
    assert calls == [(["scara", "other"], "127.0.0.1", None)]


def test_view_takes_convention_and_units_for_text_tables_of_either_model(calls, tmp_path):
    text = tmp_path / "two.csv"
    text.write_text("a,alpha,d,theta\n0,0,100,0\n300,90,0,0\n")
    said = ("--convention", "modified", "--angle", "deg", "--length", "mm")
    assert run("view", SCARA, "--against", text, *said).status == 0
    assert run("view", text, "--against", SCARA, *said).status == 0
    assert [models for models, _, _ in calls] == [["scara", "two"], ["two", "scara"]]


@pytest.fixture
def calibration(tmp_path):
    path = tmp_path / "calibration.conf"
    path.write_text(CONF)
    return path


def test_draw_adds_a_calibration_to_the_arm_as_designed(calibration):
    done = run("draw", calibration, "--nominal", "ur5")
    assert done.status == 0
    # A nearly parallel axis is drawn by beta: no length of 278 m is on the paper.
    assert "a₂ = −0.4251" in texts(done.out)
    assert run("draw", calibration).err.endswith("give its table with --nominal TABLE\n")


def test_view_adds_a_calibration_to_the_arm_as_designed(calls, calibration):
    assert run("view", calibration, "--nominal", "ur5").status == 0
    assert run("view", calibration, "--against", "ur5", "--nominal", "ur5").status == 0
    assert run("view", "ur5", "--against", calibration, "--nominal", "ur5").status == 0
    assert [len(models) for models, _, _ in calls] == [1, 2, 2]
    done = run("view", "ur5", "--against", "ur5", "--nominal", "ur5")
    assert (done.status, done.err) == (2, "--nominal goes with a vendor file; neither SOURCE nor --against is one\n")


@pytest.mark.parametrize("host", ["::1", "localhost", "127.0.0.2"])
def test_view_says_nothing_of_this_computers_own_addresses(calls, host):
    assert run("view", SCARA, "--host", host).err == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "robot.example"])
def test_view_warns_of_addresses_that_others_can_reach(calls, host):
    assert run("view", SCARA, "--host", host).err == (
        f"listens on {host}: everybody who can reach this computer there can open the page\n"
    )
    assert run("view", SCARA, "--host", host, "--quiet").err == ""


def test_view_tells_of_meshes_that_are_not_there(calls, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        '<robot name="r"><link name="base"><visual><geometry><mesh filename="a.stl"/></geometry></visual>'
        "</link></robot>"
    )
    assert "mesh files not found, sticks are shown: a.stl\n" in run("view", path).err
