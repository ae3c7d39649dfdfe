import os
import re
import stat

import pytest

from mdh2urdf import files
from mdh2urdf.errors import Mdh2UrdfError


def message(function, *arguments, **options):
    with pytest.raises(Mdh2UrdfError) as caught:
        function(*arguments, **options)
    assert caught.value.exit_status == 2
    return str(caught.value)


def test_a_byte_order_mark_is_dropped(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: x")
    assert files.read_text(path) == "name: x"


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    assert (
        message(files.read_text, tmp_path / "no.yaml")
        == f"{tmp_path}/no.yaml: cannot be read: No such file or directory"
    )
    assert message(files.read_text, tmp_path) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_name_that_no_file_can_have_is_one_line():
    assert message(files.read_text, "a\0b").endswith("cannot be read: embedded null byte")
    # Python 3.13 has other words for it
    assert re.fullmatch(r"a\\x00b: cannot be written: .*embedded null .*", message(files.write_text, "a\0b", ""))


def test_binary_files_are_told_with_the_line():
    assert message(files.decode, b"a\nb\xff", "t.yaml") == "t.yaml:2: is not UTF-8 text"
    assert message(files.decode, b"a\n\nb\0", "t.yaml") == "t.yaml:3: is not text: it holds a zero byte"


def test_a_file_beyond_the_limit_is_refused_without_reading_it_whole(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(b"x" * (3 * 1024 * 1024))
    assert message(files.read_text, path, limit=2 * 1024 * 1024) == f"{path}: is larger than 2 MB"


def test_a_written_file_has_the_permissions_of_the_umask_and_keeps_those_it_had(tmp_path):
    path = tmp_path / "out.urdf"
    old = os.umask(0o027)
    try:
        files.write_text(path, "one")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        files.write_text(path, "two\n")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert path.read_bytes() == b"two\n"
    assert os.listdir(tmp_path) == ["out.urdf"]


def test_a_link_to_a_file_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    files.write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_folder_that_does_not_exist_is_one_line(tmp_path):
    path = tmp_path / "no" / "out.urdf"
    assert message(files.write_text, path, "x") == f"{path}: cannot be written: No such file or directory"


def test_a_folder_in_place_of_a_file_is_one_line(tmp_path):
    assert message(files.write_text, tmp_path, "x") == f"{tmp_path}: cannot be written: Is a directory"


def test_a_device_is_written_directly():
    files.write_text("/dev/null", "x")
    assert message(files.write_text, "/dev/full", "x") == "/dev/full: cannot be written: No space left on device"


def test_a_failure_half_way_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "out.urdf"
    path.write_text("old")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    assert message(files.write_text, path, "new") == f"{path}: cannot be written: No space left on device"
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.urdf"]


def test_half_a_character_is_told_and_nothing_is_written(tmp_path):
    path = tmp_path / "out.urdf"
    path.write_text("old")
    told = message(files.write_text, path, "a \udcff b")
    assert told == f"{path}: cannot be written: the text would hold '\\udcff', which is no character"
    assert path.read_text() == "old"
