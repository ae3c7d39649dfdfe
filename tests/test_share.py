"""Where the macros and the catalogue of robots are found, in a checkout and as installers leave them."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, PackagePath
from pathlib import Path
from types import SimpleNamespace

import pytest

from mdh2urdf import share
from mdh2urdf.errors import Mdh2UrdfError

CHECKOUT = Path(__file__).parent.parent
MACRO = "macros/dh_to_origin.xacro"


def put(file: Path, text: str = "<robot/>") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def install(monkeypatch: pytest.MonkeyPatch, package: Path, recorded: list[Path] | None) -> None:
    """Import the package from a folder, with the files that an installer recorded (None: no installer)."""

    def distribution(name: str) -> SimpleNamespace:
        assert name == "mdh2urdf"
        if recorded is None:
            raise PackageNotFoundError(name)
        files = [PackagePath(file) for file in recorded]
        for file in files:
            file.dist = SimpleNamespace(locate_file=Path)
        return SimpleNamespace(files=files or None)

    monkeypatch.setattr(share, "_PACKAGE", package)
    monkeypatch.setattr(share, "distribution", distribution)


def test_a_checkout_is_its_own_share_directory():
    assert share.share_directory() == CHECKOUT
    assert share.macro_text() == (CHECKOUT / MACRO).read_text(encoding="utf-8")
    robots = share.catalogue()
    assert list(robots) == sorted(robots)
    assert robots["puma560"] == CHECKOUT / "robots" / "puma560.yaml"


def test_an_installed_package_has_the_share_directory_that_was_recorded(monkeypatch, tmp_path):
    package = tmp_path / "lib" / "python3" / "site-packages" / "mdh2urdf"
    file = put(tmp_path / "share" / "mdh2urdf" / MACRO, "<robot>installed</robot>")
    put(package / MACRO, "<robot>packaged</robot>")
    install(monkeypatch, package, [package / "cli.py", package / MACRO, file])
    assert share.share_directory() == tmp_path / "share" / "mdh2urdf"
    assert share.macro_text() == "<robot>installed</robot>"


@pytest.mark.parametrize("recorded", [None, [], ["lib/mdh2urdf/cli.py"], ["share/mdh2urdf/macros/dh_to_origin.xacro"]])
def test_without_share_directory_the_copy_inside_the_package_serves(recorded, monkeypatch, tmp_path):
    package = tmp_path / "target" / "mdh2urdf"
    put(package / MACRO)
    robot = put(package / "robots" / "arm.yaml")
    install(monkeypatch, package, None if recorded is None else [tmp_path / file for file in recorded])
    assert share.share_directory() == package
    assert share.catalogue() == {"arm": robot}


def test_a_folder_above_the_package_is_no_checkout_by_chance(monkeypatch, tmp_path):
    put(tmp_path / MACRO)
    put(tmp_path / "robots" / "other.yaml")
    package = tmp_path / "src" / "mdh2urdf"
    put(package / MACRO)
    install(monkeypatch, package, None)
    assert share.share_directory() == package
    assert share.catalogue() == {}


def test_a_broken_installation_is_one_clear_line(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path / "mdh2urdf", None)
    with pytest.raises(Mdh2UrdfError) as caught:
        share.share_directory()
    assert str(caught.value) == f"{MACRO} is missing beside {tmp_path / 'mdh2urdf'}; install mdh2urdf again"
