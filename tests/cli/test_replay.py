"""`replay` on the command line (surfaces contract §1.2, §1.3, §3)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.trust.support import signature_b64, spki_b64

REPORT = "2 selected, 1 skipped — plan reproduced byte-identically, manifest sha256 matches"


@pytest.fixture
def work(harbour: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds `harbour`, as working directory."""
    monkeypatch.chdir(harbour.parent)
    return harbour.parent


@pytest.fixture
def save(run: Callable, work: Path) -> Callable[..., Path]:
    """Saves what `plan --json` prints, with a member changed where one is named."""

    def call(name: str, *words: str, **changes: Any) -> Path:
        printed = run("plan", "quay", "--manifest", "harbour", "--json", *words)
        assert printed.code == 0, printed.err
        artifact = json.loads(printed.out) | changes
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(artifact), encoding="utf-8")
        return path

    return call


def test_a_plan_that_holds(run: Callable, save: Callable):
    save("p.json")
    assert run("replay", "p.json") == (
        0,
        f"Replay: p.json\n  ✓ harbour (harbour/knowledge.yaml): identical — {REPORT}\n✓ holds\n",
        "",
    )
    assert json.loads(run("replay", "p.json", "--json").out) == {
        "artifact": "p.json",
        "checks": [
            {
                "source": "harbour/knowledge.yaml",
                "project": "harbour",
                "status": "identical",
                "detail": REPORT,
            }
        ],
        "ok": True,
    }
    assert run("replay", "--manifest", "p.json").code == 0


def test_standard_input(run: Callable, work: Path, monkeypatch: pytest.MonkeyPatch):
    printed = run("plan", "quay", "--manifest", "harbour", "--json", "--max-units", "1")

    def pipe(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    pipe(printed.out.encode())
    assert json.loads(run("replay", "-", "--json").out)["ok"] is True
    pipe(b"nonsense")
    assert run("replay", "-").code == 3
    monkeypatch.setattr("sys.stdin", None)
    assert run("replay", "-") == (3, "", "kcp-agent: cannot read the artifact: standard input is closed\n")


@pytest.mark.parametrize(
    "words", [["--follow"], ["--trace"], ["--context-budget", "100"], ["--correlation-id", "c"]]
)
def test_whatever_plan_prints_replays(run: Callable, save: Callable, words: list[str]):
    assert run("replay", save("p.json", *words)).code == 0


def test_what_moved_is_shown(run: Callable, save: Callable, harbour: Path):
    artifact = json.loads(save("p.json").read_text())
    selected = artifact["selected"]
    path = save(
        "p.json",
        trust={**artifact["trust"], "note": "n" * 300},
        skipped=[*artifact["skipped"], {"id": "tide-tables", "reason": "gone"}],
        selected=[{**selected[0], "score": 1, "path": "x"}],
        warnings=["w"],
        extra=1,
    )
    code, out, err = run("replay", path)
    assert (code, err) == (1, "")
    fields = ["extra", "selected", "skipped", "trust", "warnings"]
    assert out.splitlines() == [
        f"Replay: {path}",
        f"  ✗ harbour (harbour/knowledge.yaml): drifted — plan differs in: {', '.join(fields)}",
        "      Moved (1):",
        f"        · tide-tables: skipped (gone) → selected (score {selected[1]['score']})",
        "      Scores (1):",
        f"        · berthing: 1 → {selected[0]['score']} (+{selected[0]['score'] - 1})",
        "      Warnings (1):",
        "        - w",
        f'      trust.note: "{"n" * 158}… → "{artifact["trust"]["note"]}"',
        f'      selected[berthing].path: "x" → "{selected[0]["path"]}"',
        "      extra: 1 → (absent)",
        "✗ does not hold",
    ]
    wire = json.loads(run("replay", path, "--json").out)
    assert list(wire["checks"][0]) == ["source", "project", "status", "detail", "fields"]


def test_what_cannot_be_compared_is_still_listed(run: Callable, save: Callable):
    code, out, _ = run("replay", save("p.json", skipped=5, selected=[]))
    assert code == 1
    assert "      skipped: 5 → [{" in out
    many = [{"id": f"u{place}", "url": "x"} for place in range(50)]
    out = run("replay", save("p.json", federation=many)).out
    assert "      … and more\n" in out
    assert out.count("federation[") == 20
    swapped = json.loads(save("q.json").read_text())["selected"][::-1]
    assert '      selected (order): ["' in run("replay", save("p.json", selected=swapped)).out


def test_a_lost_signature_says_what_to_do(run: Callable, save: Callable):
    path = save("p.json", "--no-verify")
    code, out, _ = run("replay", path)
    assert code == 1
    assert "      made with --no-verify? then replay it with --no-verify too\n" in out
    assert run("replay", path, "--no-verify").code == 0


def test_several_artifacts_and_folders(run: Callable, save: Callable, work: Path):
    save("saved/b/one.json")
    save("saved/a.json", trust={})
    (work / "saved" / "z.json").write_text("{}")
    (work / "saved" / "notes.txt").write_text("no artifact")
    code, out, _ = run("replay", "saved", "saved/b/one.json")
    assert code == 3
    assert [line for line in out.splitlines() if line.startswith("Replay: ")] == [
        "Replay: saved/a.json",
        "Replay: saved/b/one.json",
        "Replay: saved/z.json",
        "Replay: saved/b/one.json",
    ]
    assert "  ⚠ saved/z.json: unrecognized artifact" in out
    assert out.endswith("\n⚠ 4 artifacts: 2 hold, 1 do not, 1 could not be checked\n")
    reports = json.loads(run("replay", "saved", "--json").out)
    assert [report["ok"] for report in reports] == [False, True, False]
    assert list(reports[2]) == ["artifact", "error", "checks", "ok"]
    (work / "saved" / "z.json").unlink()
    assert run("replay", "saved").code == 1
    assert run("replay", "saved/b", "saved/b").out.endswith(
        "✓ 2 artifacts: 2 hold, 0 do not, 0 could not be checked\n"
    )
    assert isinstance(json.loads(run("replay", "saved/b", "--json").out), dict)


def test_folders_without_artifacts(run: Callable, work: Path):
    assert run("replay", "harbour") == (3, "", "kcp-agent: no artifacts (*.json) found in harbour\n")
    assert run("replay", "nope.json") == (3, "", "kcp-agent: artifact not found: nope.json\n")


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "5", "{", '"x"', '{"a": 1, "a": 2}', "\ufeff{}", "[" * 300]
)
def test_what_is_no_artifact(run: Callable, work: Path, text: str):
    (work / "p.json").write_text(text, encoding="utf-8")
    code, out, err = run("replay", "p.json")
    assert (code, out) == (3, "")
    assert err.startswith("kcp-agent: p.json: ")
    assert run("replay", "p.json", "--json").out == ""


def test_missing_arguments(run: Callable):
    for words in ([], [""], ["--json"], ["--manifest", ""]):
        code, out, err = run("replay", *words)
        assert (code, out) == (2, "")
        assert err.startswith("Missing artifact path.\n\nUsage: kcp-agent replay ")


def test_the_manifest_moved(run: Callable, save: Callable, harbour: Path):
    path = save("p.json")
    with (harbour / "knowledge.yaml").open("a") as file:
        file.write("\n")
    code, out, _ = run("replay", path)
    assert code == 1
    assert "drifted — manifest bytes changed: sha256 " in out
    (harbour / "knowledge.yaml").unlink()
    code, out, _ = run("replay", path)
    assert code == 3
    assert "⚠ harbour (harbour/knowledge.yaml): error — fetch failed: manifest not found" in out
    assert out.endswith("⚠ could not be checked\n")


def test_where_relative_sources_start(
    run: Callable, save: Callable, work: Path, monkeypatch: pytest.MonkeyPatch
):
    path = save("p.json")
    (work / "elsewhere").mkdir()
    monkeypatch.chdir(work / "elsewhere")
    assert run("replay", path).code == 0  # beside the artifact
    assert run("replay", path, "--base", ".").code == 3
    moved = work / "elsewhere" / "q.json"
    path.rename(moved)
    assert run("replay", moved).code == 3
    report = run("replay", moved, "--base", "..", "--json")
    assert report.code == 0
    assert json.loads(report.out)["checks"][0]["source"] == "harbour/knowledge.yaml"
    assert run("replay", moved, "--base", "nope") == (
        3,
        "",
        "kcp-agent: cannot use --base nope: not a directory\n",
    )
    assert run("replay", moved, "--base", "..", "--root", "..").code == 0
    assert run("replay", moved, "--base", "..", "--root", ".").code == 3


def test_the_working_directory_comes_first(run: Callable, save: Callable, work: Path):
    path = save("sub/p.json")
    other = work / "sub" / "harbour" / "knowledge.yaml"
    other.parent.mkdir()
    other.write_text("project: other\n")
    assert run("replay", path).code == 0
    assert run("replay", path, "--base", "sub").code == 1


def test_pinned_keys(run: Callable, work: Path):
    text = "project: p\nversion: '1'\nunits: [{id: u, path: u, intent: quay}]\nsigning: {signature: k.sig}\n"
    (work / "k.yaml").write_text(text)
    (work / "k.sig").write_text(signature_b64(1, text.encode()))
    (work / "1.pub").write_text(spki_b64(1))
    (work / "2.pub").write_text(spki_b64(2))
    printed = run("plan", "quay", "--manifest", "k.yaml", "--json", "--trust-key", "1.pub")
    (work / "p.json").write_text(printed.out)
    code, out, _ = run("replay", "p.json")
    assert code == 3
    assert "pass --trust-key or --keyring to verify it again" in out
    assert run("replay", "p.json", "--trust-key", "1.pub").code == 0
    assert run("replay", "p.json", "--trust-key", "2.pub", "--trust-key", "1.pub").code == 0
    assert run("replay", "p.json", "--trust-key", "2.pub").code == 3
    assert run("replay", "p.json", "--trust-key", "nope.pub").code == 3
    assert run("replay", "p.json", "--no-verify").code == 0


def test_the_network_is_refused_offline(run: Callable, save: Callable):
    artifact = json.loads(save("p.json").read_text())
    path = save("p.json", manifest={**artifact["manifest"], "source": "https://h.example/k.yaml"})
    code, out, _ = run("replay", path, "--offline")
    assert code == 3
    assert "fetch failed: offline: refused to fetch https://h.example/k.yaml" in out


def test_answers(run: Callable, save: Callable, harbour: Path, work: Path):
    plan = json.loads(save("p.json").read_text())
    digest = "0" * 64
    answer = {
        "plan": plan,
        "synthesis": {
            "answer": "A.",
            "unitsLoaded": [{"id": "berthing", "path": "berthing.md", "manifest": "harbour"}],
        },
        "grounding": {
            "claims": [{"claim": "A.", "grounded": True, "unitId": "berthing", "sha256": digest}],
            "gaps": [{"claim": "B."}],
        },
    }
    (work / "a.json").write_text(json.dumps(answer))
    code, out, _ = run("replay", "a.json")
    assert code == 1
    assert "  ✗ berthing: drifted — unit bytes changed: sha " in out
    assert "\n      A.\n  ⚠ gap-persists — not re-checked" in out
    assert list(json.loads(run("replay", "a.json", "--json").out)) == ["artifact", "claims", "gaps", "ok"]


def test_hostile_text_is_escaped(run: Callable, save: Callable):
    out = run("replay", save("p.json", manifest={"project": "\x1b[31m", "source": "harbour"})).out
    assert "\x1b" not in out
