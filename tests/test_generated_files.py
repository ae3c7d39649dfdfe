import json
import os

import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.ros2 import generated_files
from mdh2urdf.ros2.generated_files import MANIFEST, Generated, write_generated


def outcome(written=(), unchanged=(), kept=(), stale=(), removed=()):
    return Generated(written=written, unchanged=unchanged, kept=kept, stale=stale, removed=removed)


def test_a_folder_is_made_and_filled_and_the_same_again_changes_nothing(tmp_path):
    folder = tmp_path / "new" / "package"
    files = {"a.txt": b"A", "sub/b.txt": b"B"}
    assert write_generated(folder, files) == outcome(written=("a.txt", "sub/b.txt"))
    assert (folder / "sub" / "b.txt").read_bytes() == b"B"
    manifest = (folder / MANIFEST).read_bytes()
    assert write_generated(folder, files) == outcome(unchanged=("a.txt", "sub/b.txt"))
    assert (folder / MANIFEST).read_bytes() == manifest


def test_what_nobody_changed_is_replaced(tmp_path):
    write_generated(tmp_path, {"a.txt": b"old"})
    assert write_generated(tmp_path, {"a.txt": b"new"}) == outcome(written=("a.txt",))
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_file_that_its_user_changed_stays_until_it_is_as_it_was(tmp_path):
    write_generated(tmp_path, {"a.txt": b"old", "b.txt": b"B"})
    (tmp_path / "a.txt").write_bytes(b"mine")
    for text in (b"new", b"newer"):
        done = write_generated(tmp_path, {"a.txt": text, "b.txt": b"B"})
        assert done == outcome(kept=("a.txt",), unchanged=("b.txt",))
        assert (tmp_path / "a.txt").read_bytes() == b"mine"
    (finding,) = done.findings(tmp_path)
    assert str(finding) == (
        f"{tmp_path}/a.txt: was changed by hand and is left as it is; delete it to have it written anew"
    )
    (tmp_path / "a.txt").write_bytes(b"old")
    assert write_generated(tmp_path, {"a.txt": b"new"}) == outcome(written=("a.txt",), removed=("b.txt",))


def test_a_file_that_was_there_before_is_its_users(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"mine")
    assert write_generated(tmp_path, {"a.txt": b"new"}) == outcome(kept=("a.txt",))
    assert (tmp_path / "a.txt").read_bytes() == b"mine"
    assert json.loads((tmp_path / MANIFEST).read_text())["files"] == {}


def test_a_deleted_file_is_written_again(tmp_path):
    write_generated(tmp_path, {"a.txt": b"A"})
    (tmp_path / "a.txt").unlink()
    assert write_generated(tmp_path, {"a.txt": b"A"}) == outcome(written=("a.txt",))


def test_what_is_not_wanted_any_more_goes_with_its_empty_folder_unless_it_was_changed(tmp_path):
    write_generated(tmp_path, {"one/a": b"A", "two/b": b"B", "two/c": b"C", "d": b"D", "gone": b"G"})
    (tmp_path / "two" / "c").write_bytes(b"mine")
    (tmp_path / "gone").unlink()
    done = write_generated(tmp_path, {})
    assert done == outcome(removed=("d", "one/a", "two/b"), stale=("two/c",))
    assert [str(finding) for finding in done.findings(tmp_path)] == [
        f"{tmp_path}/two/c: was changed by hand and is left as it is; it is not needed any more"
    ]
    assert sorted(os.listdir(tmp_path)) == [MANIFEST, "two"]
    assert os.listdir(tmp_path / "two") == ["c"]
    # What was kept is still known for what it was.
    (tmp_path / "two" / "c").write_bytes(b"C")
    assert write_generated(tmp_path, {}) == outcome(removed=("two/c",))


def test_a_run_that_broke_off_makes_no_file_look_changed(tmp_path, monkeypatch):
    write_generated(tmp_path, {"a": b"1", "b": b"1"})

    def full(path, data):
        if path.name == "b":
            raise Mdh2UrdfError("no space")
        path.write_bytes(data)

    with monkeypatch.context() as patch:
        patch.setattr(generated_files, "write_bytes", full)
        with pytest.raises(Mdh2UrdfError, match="no space"):
            write_generated(tmp_path, {"a": b"2", "b": b"2"})
    assert write_generated(tmp_path, {"a": b"3", "b": b"3"}) == outcome(written=("a", "b"))


HASH = "0" * 64


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "other", "files": {}}',
        '{"format": "mdh2urdf-generated", "files": 1}',
        '{"format": "mdh2urdf-generated", "files": [1]}',
        f'{{"format": "mdh2urdf-generated", "files": {{"../a": ["{HASH}"]}}}}',
        f'{{"format": "mdh2urdf-generated", "files": {{"/a": ["{HASH}"]}}}}',
        f'{{"format": "mdh2urdf-generated", "files": {{"": ["{HASH}"]}}}}',
        f'{{"format": "mdh2urdf-generated", "files": {{"x\\\\a": ["{HASH}"]}}}}',
        '{"format": "mdh2urdf-generated", "files": {"a": ["0"]}}',
        '{"format": "mdh2urdf-generated", "files": {"a": "0"}}',
        "[" * 100_000,
    ],
)
def test_a_broken_manifest_is_refused_and_nothing_is_touched(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(Mdh2UrdfError) as caught:
        write_generated(tmp_path, {"a": b"A"})
    assert str(caught.value) == (
        f"{tmp_path}/{MANIFEST}: is no manifest of generated files; without it every file that differs "
        "counts as changed by hand"
    )
    assert os.listdir(tmp_path) == [MANIFEST]


def test_what_cannot_be_read_made_or_removed_is_told(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    with pytest.raises(Mdh2UrdfError, match="/a: cannot be read: Is a directory"):
        write_generated(tmp_path, {"a": b"A"})
    (tmp_path / "file").write_text("")
    with pytest.raises(Mdh2UrdfError, match="/file: cannot be made: File exists"):
        write_generated(tmp_path / "file", {})
    write_generated(tmp_path, {"b": b"B"})

    def refused(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.unlink", refused)
    with pytest.raises(Mdh2UrdfError, match="/b: cannot be removed: Permission denied"):
        write_generated(tmp_path, {})
