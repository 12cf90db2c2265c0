"""What a release is made of: archives, sums, filled templates, the list of components."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kcp import __version__
from scripts.lib import fill_packaging, gather_release, pack_release, sbom
from scripts.lib.build_binary import EPOCH

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes of files")

HOME = "https://git.example/kcp/agent"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What build-binary leaves, in small."""
    folder = tmp_path / "binary"
    (folder / "kcp-agent").mkdir(parents=True)
    (folder / "single").mkdir()
    for path in (folder / "kcp-agent" / "kcp-agent", folder / "single" / "kcp-agent"):
        path.write_text("program")
        path.chmod(0o755)
    shutil.copy(folder / "single" / "kcp-agent", folder / "single" / "kcp-agent.exe")
    return folder


def whole(folder: Path, systems: tuple[str, ...]) -> Path:
    """A folder with all that the builds of these systems make."""
    folder.mkdir()
    names = gather_release.package_files(__version__)
    for system in systems:
        names |= gather_release.system_files(__version__, system)
    for name in names:
        (folder / name).write_text(name)
    return folder


def test_an_archive_has_the_manual_page_and_the_completions(built: Path, tmp_path: Path):
    wanted = {
        *("kcp-agent", "share/man/man1/kcp-agent.1", "share/completions/kcp-agent.bash"),
        *(
            "share/completions/_kcp-agent",
            "share/completions/kcp-agent.fish",
            "share/completions/kcp-agent.ps1",
        ),
    }
    packed, single = pack_release.pack(built, tmp_path, "kcp-agent-1-linux-x86_64")
    with tarfile.open(packed) as tar:
        assert {member.name for member in tar if member.isfile()} == {f"kcp-agent/{name}" for name in wanted}
        assert tar.getmember("kcp-agent/kcp-agent").mode == 0o755
        assert {(member.uid, member.uname, member.mtime) for member in tar} == {(0, "", EPOCH)}
    assert os.access(single, os.X_OK)
    zipped, program = pack_release.pack(built, tmp_path, "kcp-agent-1-windows-amd64")
    assert program.suffix == ".exe"
    with zipfile.ZipFile(zipped) as archive:
        assert set(archive.namelist()) == {f"kcp-agent/{name}" for name in wanted}


@pytest.mark.parametrize("system", ["linux-x86_64", "windows-amd64"])
def test_an_archive_is_the_same_every_time(built: Path, tmp_path: Path, system: str):
    packed = []
    for number in ("1", "2"):
        (tmp_path / number).mkdir()
        packed.append(pack_release.pack(built, tmp_path / number, f"kcp-agent-1-{system}")[0].read_bytes())
        for path in built.rglob("*"):
            os.utime(path, (1, 1))
    assert packed[0] == packed[1]


def test_a_release_of_all_systems(tmp_path: Path):
    folder = whole(tmp_path / "r", gather_release.SYSTEMS)
    built = {path.name for path in folder.iterdir()}
    assert gather_release.check(built, __version__, list(gather_release.SYSTEMS)) == []
    assert gather_release.complete(folder, HOME) == []
    present = {path.name for path in folder.iterdir()}
    assert present - built == {
        *("kcp-agent.1", "kcp-agent.bash", "_kcp-agent", "kcp-agent.fish", "kcp-agent.ps1", "SHA256SUMS"),
        *("install.sh", "install.ps1", "kcp-agent.rb", "kcp-agent.json"),
    }
    listed = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(listed) == present - {"SHA256SUMS"}
    for name in ("install.sh", "install.ps1"):
        assert f"'{HOME}/releases/download/v{__version__}'" in (folder / name).read_text()
    scoop = json.loads((folder / "kcp-agent.json").read_text())
    for machine, name in (("64bit", "windows-amd64.zip"), ("arm64", "windows-arm64.zip")):
        assert scoop["architecture"][machine]["hash"] == listed[f"kcp-agent-{__version__}-{name}"]
    formula = (folder / "kcp-agent.rb").read_text()
    found = re.findall(r'url "\S+/(\S+)"\n +sha256 "(\w+)"', formula)
    assert len(found) == 4
    assert all(listed[name] == digest for name, digest in found)
    assert not re.search(r"@[A-Z]", formula)


def test_a_release_may_lack_a_system_but_no_part_of_one(tmp_path: Path):
    folder = whole(tmp_path / "r", ("linux-x86_64",))
    present = {path.name for path in folder.iterdir()}
    assert gather_release.check(present, __version__, ["linux-x86_64"]) == []
    (missing, *_) = gather_release.check(present, __version__, ["linux-aarch64"])
    assert "linux-aarch64" in missing
    one = f"kcp-agent-{__version__}-darwin-arm64.tar.xz"
    assert len(gather_release.check(present | {one}, __version__, [])) == 2
    for name in sorted(present):
        assert gather_release.check(present - {name}, __version__, ["linux-x86_64"]) == [f"{name} is missing"]
    for strange in ("kcp_agent-0.0.1.tar.gz", "core", "SHA256SUMS"):
        assert gather_release.check(present | {strange}, __version__, []) == [
            f"{strange} is no part of a release"
        ]
    left_out = gather_release.complete(folder, HOME)
    assert [line.partition(" ")[0] for line in left_out] == ["kcp-agent.rb", "kcp-agent.json"]


@pytest.mark.parametrize("text", ["", "<html>", f"{'0' * 64}  kcp_agent-1.tar.gz\n", f"{'0' * 64} a b\n"])
def test_what_is_not_a_list_of_sums_is_refused(text: str):
    with pytest.raises(fill_packaging.FillError):
        fill_packaging.read_sums(text, HOME)


@pytest.mark.parametrize("homepage", ["http://git.example/a", "https://git.example/'; rm", ""])
def test_a_homepage_is_an_address(homepage: str):
    with pytest.raises(fill_packaging.FillError):
        fill_packaging.Release("1", homepage, {})


@pytest.mark.skipif(shutil.which("ruby") is None, reason="ruby is not installed")
def test_the_formula_is_ruby(repository: Path):
    formula = repository / "build" / "packaging" / "kcp-agent.rb"
    subprocess.run(["ruby", "-wc", formula], check=True, capture_output=True)


def test_the_image_is_pinned_and_runs_as_nobody(repository: Path):
    text = (repository / "build" / "packaging" / "Dockerfile").read_text()
    (image,) = re.findall(r"^FROM (.*)$", text, re.MULTILINE)
    assert re.fullmatch(r"gcr\.io/distroless/\S+:nonroot@sha256:[0-9a-f]{64}", image)
    assert "RUN " not in text


def test_the_list_of_components_is_that_of_the_program():
    read: dict[str, Any] = {
        "metadata": {"tools": {}},
        "components": [
            {"bom-ref": "urllib3==2", "name": "urllib3", "type": "library"},
            {"bom-ref": "kcp-agent==1", "name": "kcp-agent", "type": "library", "externalReferences": []},
        ],
        "dependencies": [{"ref": "kcp-agent==1", "dependsOn": ["urllib3==2"]}, {"ref": "urllib3==2"}],
    }
    bom = sbom.as_product(read, {"zlib": "1.3", "cpython": "3.13.1"})
    assert bom["metadata"]["component"] == {
        "bom-ref": "kcp-agent==1",
        "name": "kcp-agent",
        "type": "application",
    }
    assert [each["bom-ref"] for each in bom["components"]] == ["cpython", "urllib3==2", "zlib"]
    assert bom["dependencies"][0]["dependsOn"] == ["cpython", "urllib3==2", "zlib"]
    assert {"cpython", "openssl", "sqlite", "zlib"} <= set(sbom.interpreter_parts())
