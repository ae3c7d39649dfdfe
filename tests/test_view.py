import json
import math
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import oracles
import readers
from arms import FOLDERS, arm
from command_line import run
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Joint, Link, Mesh, Robot, Shape
from mdh2urdf.se3 import Transform

SOURCES = Path(__file__).resolve().parent.parent / "src"


@pytest.fixture(scope="module", autouse=True)
def _viser():
    readers.require_module("viser")
    readers.require_module("yourdfpy")


def shown(model, folder="."):
    from mdh2urdf.view.server import shown

    return shown(model, folder)


@pytest.fixture
def page_of():
    """The page of one or two models on a server of its own."""
    import viser

    from mdh2urdf.view.server import Page

    servers = []

    def make(first, second=None):
        servers.append(viser.ViserServer(host="127.0.0.1", port=0, verbose=False))
        return Page(servers[-1], shown(first), None if second is None else shown(second))

    yield make
    for server in servers:
        server.stop()


def cells_of(html):
    return dict(re.findall(r'id="([^"]+)">([^<]*)<', html))


def test_a_moved_slider_changes_table_and_pose(page_of):
    page = page_of(arm("scara"))
    before = cells_of(page.pose.content)
    page.joints["shoulder"].value = 90.0
    after = cells_of(page.pose.content)
    assert (before["pose-x"], before["pose-y"]) == ("600", "0")
    assert (after["pose-x"], after["pose-y"], after["pose-yaw"]) == ("0", "600", "90")
    assert "<b>90</b>" in page.table.content


def test_all_joints_go_back_to_the_start(page_of):
    page = page_of(arm("panda"))
    start = page.pose.content
    page.joints["joint2"].value = 30.0
    page.joints["joint4"].value = -90.0
    assert page.pose.content != start
    page.restart()
    assert page.joints["joint4"].value == -4.0
    assert page.pose.content == start


def test_nodes_follow_the_joints(page_of):
    page = page_of(arm("stanford"))
    page.joints["boom"].value = 10.0
    table = arm("stanford")
    q = [0.254 if joint.name == "boom" else 0.0 for joint in table.moving_joints]
    wanted = oracles.table_poses(table, q)
    moved = {node.name: node for node in page.frames.values()}
    assert moved["/frames/6"].position == pytest.approx(wanted["link6"][:3, 3], abs=1e-6)
    assert page.links["link6"].position == pytest.approx(wanted["link6"][:3, 3], abs=1e-6)


def test_switches_show_and_hide(page_of):
    page = page_of(arm("scara"), robot_from_table(arm("scara")).robot)
    assert list(page.switches) == [
        "links and meshes",
        "common normals",
        "ways along axes",
        "joint axes",
        "frames",
        "against: scara",
    ]
    page.switches["frames"].value = False
    assert not any(frame.visible for frame in page.frames.values())
    assert all(link.visible for link in page.links.values())
    page.switches["frames"].value = True
    assert all(frame.visible for frame in page.frames.values())


def test_the_pose_of_another_link_can_be_asked_for(page_of):
    page = page_of(arm("scara"))
    page.link.value = "base_link"
    assert cells_of(page.pose.content)["pose-x"] == "0"
    assert "base_link in base_link" in page.pose.content


def test_a_second_model_moves_along_and_its_gap_is_told(page_of):
    robot = robot_from_table(arm("scara")).robot
    page = page_of(arm("scara"), robot)
    page.joints["elbow"].value = 45.0
    cells = cells_of(page.other_pose.content)
    assert cells["gap-length"] == "0"
    assert cells["gap-angle"] == "0"
    # A description has lengths in m; beside a table they are shown in the table's unit.
    assert cells["against-x"] == cells_of(page.pose.content)["pose-x"]
    page.other_link.value = "link1"
    assert cells_of(page.other_pose.content)["gap-length"] != "0"


def test_the_camera_has_a_second_model_that_stands_elsewhere_in_view(page_of):
    first = robot_from_table(arm("scara")).robot
    away = Transform.from_xyz_rpy((3.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    links = (Link(name="world"), *first.links)
    stand = Joint(name="stand", type="fixed", parent="world", child=first.root, origin=away)
    alone = page_of(first)._server.initial_camera
    both = page_of(first, Robot(name="far", links=links, joints=(stand, *first.joints)))._server.initial_camera
    assert both.look_at[0] > alone.look_at[0] + 0.3
    distances = [np.linalg.norm(np.subtract(one.position, one.look_at)) for one in (alone, both)]
    assert distances[0] < 3.0 < distances[1]


def test_a_robot_without_moving_joints_can_be_looked_at(page_of):
    up = Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    fixed = Joint(name="weld", type="fixed", parent="foot", child="head", origin=up)
    page = page_of(Robot(name="post", links=(Link(name="foot"), Link(name="head")), joints=(fixed,)))
    assert page.joints == {}
    assert "No table" in page.table.content


def test_what_could_not_be_shown_is_told(tmp_path):
    mesh = Shape(geometry=Mesh(filename="package://robot/a.stl"))
    robot = Robot(name="robot", links=(Link(name="base", visuals=(mesh,)),), joints=())
    assert [finding.rule for finding in shown(robot, tmp_path).findings] == ["mesh-not-shown"]


def test_the_page_is_served_on_the_loopback_address_and_then_no_more(capfd):
    from mdh2urdf.view.server import serving

    with serving(shown(arm("scara")), port=0) as address:
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert answer.status == 200
        listening = _listening(int(address.rpartition(":")[2]))
    assert listening == ["0100007F"]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=1)
    assert capfd.readouterr().out == ""


def test_a_request_that_is_none_for_the_page_is_passed_over_in_silence(caplog):
    from mdh2urdf.view.server import serving

    with (
        serving(shown(arm("scara")), port=0) as address,
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=10) as client,
    ):
        client.sendall(b"HEAD / HTTP/1.1\r\n\r\n")
        while client.recv(1000):
            pass
    assert caplog.text == ""


def test_ctrl_c_as_soon_as_the_address_is_told_ends_the_page():
    from mdh2urdf.view.server import serve

    def told(address):
        raise KeyboardInterrupt

    assert serve(shown(arm("scara")), port=0, ready=told) is None


def _listening(port):
    """Local addresses (hexadecimal, as the kernel has them) that listen on a port."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [
        line[1].partition(":")[0] for line in lines if line[3] == "0A" and int(line[1].partition(":")[2], 16) == port
    ]


def test_an_ipv6_address_is_written_in_brackets():
    from mdh2urdf.view.listening import page_address

    assert page_address("::1", 8080) == "http://[::1]:8080"
    assert page_address("localhost", 8081) == "http://localhost:8081"


def test_a_page_opens_no_tunnel_to_the_public():
    from mdh2urdf.view.listening import local_server

    server = local_server("127.0.0.1", 0, "arm")
    try:
        assert server.request_share_url() is None
    finally:
        server.stop()


def test_ctrl_c_ends_it():
    from mdh2urdf.view.server import serve

    main = threading.main_thread().ident
    addresses = []

    def interrupt_soon(address):
        addresses.append(address)
        threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()

    serve(shown(arm("scara")), port=0, ready=interrupt_soon)
    assert len(addresses) == 1


def test_an_address_that_is_taken_is_one_line():
    from mdh2urdf.view.server import serving

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Mdh2UrdfError) as caught, serving(shown(arm("scara")), port=port):
            pass
    assert str(caught.value) == f"cannot listen on 127.0.0.1, port {port}: Address already in use"


def test_an_unknown_host_is_one_line():
    from mdh2urdf.view.server import serving

    model = shown(arm("scara"))
    with pytest.raises(Mdh2UrdfError) as caught, serving(model, host="no.such.host.invalid"):
        pass
    assert str(caught.value).startswith("cannot listen on no.such.host.invalid: ")


def test_missing_libraries_are_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(Mdh2UrdfError) as caught:
        shown(arm("scara"))
    assert str(caught.value) == "view needs viser and yourdfpy: pip install 'mdh2urdf[view]'"


@pytest.fixture
def served(tmp_path):
    """`mdh2urdf view` in a process of its own: its address; it must end by Ctrl-C with status 0."""
    path = next(folder / "panda.yaml" for folder in FOLDERS if (folder / "panda.yaml").exists())
    urdf = tmp_path / "panda.urdf"
    assert run(path, "-o", urdf).status == 0
    program = "from mdh2urdf.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "view", str(path), "--against", str(urdf), "--port", "0", "--quiet"],
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out, err) == (0, "", "")


def test_a_slider_moved_in_the_browser_moves_the_tool(served, tmp_path):
    chromium = readers.require_program("chromium")
    program = readers.node_program("page.mjs", "playwright-core")
    done = readers.run(*program, chromium, served, "1", tmp_path / "profile", timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["errors"] == []
    assert told["before"]["sliders"] == ["0", "0", "0", "-4", "0", "0", "0"]
    assert told["after"]["sliders"] == ["0", "101", "0", "-4", "0", "0", "0"]
    assert told["after"]["table"][2] == ["2", "joint2", "0", "-90", "0", "101"]
    for state in ("before", "after"):
        q = [math.radians(float(value)) for value in told[state]["sliders"]]
        pose = oracles.table_poses(arm("panda"), q)["tool"]
        cells = told[state]["cells"]
        assert [float(cells[f"pose-{axis}"]) for axis in "xyz"] == pytest.approx(pose[:3, 3], abs=1e-4)
        assert (cells["gap-length"], cells["gap-angle"]) == ("0", "0")
    assert told["hidesLinks"]
