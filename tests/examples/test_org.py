"""The example organisation: what is followed in which circumstances, and that its signature guards it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcp.cli.main import main

QUESTION = "how do we ship the billing service?"
MEMBERS = ("hub", "platform", "dev-mirror", "compliance")
Tree = dict[str, Any]


@pytest.fixture
def follow(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Tree]:
    """Plans the question over the example, offline, and gives the tree."""
    monkeypatch.chdir(repository)

    def call(*words: str, hub: str = "examples/org/hub") -> Tree:
        line = ["plan", QUESTION, "--manifest", hub, "--as-of", "2026-06-01", "--follow", "--offline"]
        assert main([*line, *words, "--json"]) == 0
        tree: Tree = json.loads(capsys.readouterr().out)
        return tree

    return call


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    """A copy of the example that a test may change."""
    return Path(shutil.copytree(repository / "examples" / "org", tmp_path / "org"))


def followed(tree: Tree) -> dict[str, str]:
    """The units that each followed manifest adds, by reference: the first of each plan."""
    return {child["refId"]: child["plan"]["selected"][0]["id"] for child in tree["children"]}


def refused(tree: Tree) -> dict[str, str]:
    return {refusal["id"]: refusal["reason"] for refusal in tree["notFollowed"]}


def test_production_needs_a_credential_before_fetch(follow: Callable[..., Tree]) -> None:
    tree = follow("--env", "prod")
    assert refused(tree) == {
        "platform": "needs workload_identity before fetch",
        "dev-platform": "context [\"dev\"] excludes env 'prod'",
    }
    assert followed(tree) == {"compliance": "money-changes"}


def test_production_with_the_credential_follows_the_platform(follow: Callable[..., Tree]) -> None:
    tree = follow("--env", "prod", "--credentials", "workload_identity")
    assert refused(tree) == {"dev-platform": "context [\"dev\"] excludes env 'prod'"}
    assert followed(tree) == {"platform": "promote", "compliance": "money-changes"}
    platform = tree["children"][0]
    assert platform["location"] == "examples/org/platform/knowledge.yaml"
    assert set(refused(platform).values()) == {"beyond max depth 1"}


def test_dev_flips_to_the_dev_mirror(follow: Callable[..., Tree]) -> None:
    tree = follow("--env", "dev")
    assert refused(tree) == {"platform": "context [\"prod\"] excludes env 'dev'"}
    assert followed(tree) == {"dev-platform": "ship-to-dev", "compliance": "money-changes"}
    assert tree["children"][0]["location"] == "examples/org/dev-mirror/knowledge.yaml"


def test_two_hops_visit_each_manifest_once(follow: Callable[..., Tree]) -> None:
    tree = follow("--env", "prod", "--credentials", "workload_identity", "--max-depth", "2")
    platform = tree["children"][0]
    assert followed(platform) == {"compliance": "money-changes"}
    assert refused(platform) == {"hub": "already visited (cycle)"}
    assert refused(tree)["compliance"] == "already visited (cycle)"


def test_signed_member_is_verified(follow: Callable[..., Tree]) -> None:
    (compliance,) = follow("--env", "prod")["children"]
    assert compliance["signature"] == {
        "status": "verified",
        "detail": "ed25519 signature verified (declared key)",
        "keyId": "quillmere-compliance-2026",
    }


def test_one_changed_byte_keeps_a_member_out(follow: Callable[..., Tree], copy: Path) -> None:
    change_one_byte(copy / "compliance" / "knowledge.yaml")
    (compliance,) = follow("--env", "prod", hub=str(copy / "hub"))["children"]
    assert compliance["error"] == "signature invalid: ed25519 signature does not match manifest bytes"
    assert "plan" not in compliance


def test_one_changed_byte_of_the_root_exits_3(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = copy / "compliance" / "knowledge.yaml"
    change_one_byte(manifest)
    code = main(["plan", QUESTION, "--manifest", str(manifest), "--offline"])
    printed = capsys.readouterr()
    assert (code, printed.out) == (3, "")
    assert printed.err == (
        f"kcp-agent: {manifest}: signature invalid: ed25519 signature does not match manifest bytes\n"
    )


def change_one_byte(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"may ship", b"can ship", 1)[: len(data)])
    assert path.read_bytes() != data


@pytest.mark.parametrize("member", MEMBERS)
def test_every_manifest_is_clean(member: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(repository / "examples" / "org" / member), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["findings"] == []


def test_no_private_key_is_among_the_examples(repository: Path) -> None:
    for path in (repository / "examples").rglob("*"):
        if path.is_file():
            assert b"PRIVATE KEY" not in path.read_bytes(), path
            assert path.suffix != ".key"
