"""`validate`: each location judged, the worst verdict as exit code."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.authoring.validate.lint import LintOptions
from kcp.cli.lint.runner import run_all
from kcp.cli.show.page import Page
from kcp.cli.show.report import add_result
from kcp.reading.sources import Sources

GOOD = 'project: p\nversion: "1"\nkcp_version: "0.32"\nunits:\n'
GOOD += "  - {id: a, path: a.md, intent: i, triggers: [t], audience: [agent]}\n"


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "a.md").write_text("x", encoding="utf-8")
    file = folder / "knowledge.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_clean_manifest(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", good) == (0, f"Validate: {good} (p)\n✓ valid — 0 warning(s)\n", "")


def test_warnings_do_not_fail(run: Callable, tmp_path: Path):
    file = write(tmp_path / "warned", GOOD.replace("version: ", "ver: ", 1))
    code, out, _ = run("validate", file)
    assert code == 0
    assert out.splitlines()[1:] == [
        "  ⚠ manifest: missing 'version'",
        f"      KCP102  {file}:1:1",
        "      1 │ project: p",
        "        │ ^",
        "✓ valid — 1 warning(s)",
    ]


def test_errors_fail(run: Callable, tmp_path: Path):
    file = write(tmp_path / "bad", GOOD.replace("a.md", "../a.md"))
    code, out, _ = run("validate", file.parent)
    assert code == 1
    assert out.splitlines()[1:] == [
        "  ✗ unit 'a': path must not traverse with '..'",
        f"      KCP110  {file}:5:19",
        "      5 │   - {id: a, path: ../a.md, intent: i, triggers: [t], audience: [agent]}",
        "        │                   ^^^^^^^",
        "✗ invalid — 1 error(s), 0 warning(s)",
    ]


def test_what_reading_dropped_is_shown_to_people_only(run: Callable, tmp_path: Path):
    file = write(tmp_path / "dropped", GOOD + "  - just text\n")
    code, out, _ = run("validate", file)
    assert code == 0
    remark = out.splitlines()[1]
    assert remark.startswith("  · ")
    assert remark.endswith(f"({file}:6:5)")
    assert json.loads(run("validate", file, "--json").out)["findings"] == []


def test_an_unreadable_manifest_has_one_finding(run: Callable, tmp_path: Path):
    code, out, err = run("validate", tmp_path / "nowhere", "--json")
    assert (code, err) == (3, "")
    report = json.loads(out)
    assert list(report) == ["source", "findings", "ok"]
    (finding,) = report["findings"]
    assert (finding["level"], finding["where"]) == ("error", "manifest")
    assert "manifest not found" in finding["message"]


def test_several_locations_are_judged_each(run: Callable, tmp_path: Path):
    good, bad = write(tmp_path / "good", GOOD), write(tmp_path / "bad", GOOD.replace("a.md", "/a.md"))
    nowhere, remote = tmp_path / "nowhere", "https://h.example/knowledge.yaml"
    assert run("validate", good, good).code == 0
    assert run("validate", good, bad).code == 1
    assert run("validate", remote, bad, good).code == 3
    code, out, _ = run("validate", nowhere, bad, good)
    assert code == 3
    assert [line for line in out.splitlines() if line.startswith("Validate: ")] == [
        f"Validate: {nowhere}",
        f"Validate: {bad} (p)",
        f"Validate: {good} (p)",
    ]
    reports = json.loads(run("validate", nowhere, bad, good, "--json").out)
    assert [report["ok"] for report in reports] == [False, False, True]


def test_the_manifest_flag_wins(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", tmp_path / "nowhere", "--manifest", good).code == 0


def test_max_bytes(run: Callable, tmp_path: Path):
    good = write(tmp_path / "good", GOOD)
    assert run("validate", good, "--max-bytes", "10").code == 3


WARNED = GOOD.replace("version: ", "ver: ", 1)


def test_an_unparsable_manifest_is_shown_with_its_line(run: Callable, tmp_path: Path):
    file = write(tmp_path / "bad", "project: p\nintent: x\n  content_hash: y\n")
    code, out, _ = run("validate", file)
    assert code == 3
    assert out.splitlines()[1:] == [
        "  ✗ manifest: does not parse: bad indentation of a mapping entry (3:15)",
        f"      KCP100  {file}:3:15",
        "      3 │   content_hash: y",
        "        │               ^",
        "      hint: 'intent' above has a text for its value already; indent this line as far as 'intent'",
        "✗ invalid — 1 error(s), 0 warning(s)",
    ]


def test_long_lines_are_cut_around_the_place(run: Callable, tmp_path: Path):
    file = write(tmp_path / "long", GOOD.replace("intent: i", "intent: " + "i " * 90 + ", access: odd"))
    frame, mark = run("validate", file).out.splitlines()[3:5]
    assert len(frame) < 120
    assert frame[mark.index("^") : mark.rindex("^") + 1] == "odd"


def test_what_is_unsafe_on_a_terminal_is_escaped(run: Callable, tmp_path: Path):
    file = write(tmp_path / "x", GOOD.replace("agent]}", 'agent], access: "\\e[31m\u202e"}'))
    out = run("validate", file).out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_levels_that_fail(run: Callable, tmp_path: Path):
    warned, bad = write(tmp_path / "w", WARNED), write(tmp_path / "b", GOOD.replace("a.md", "/a.md"))
    for output in ([], ["--json"], ["--format", "sarif"]):
        assert run("validate", warned, *output).code == 0
        assert run("validate", warned, "--fail-on", "warning", *output).code == 1
        assert run("validate", bad, "--fail-on", "never", *output).code == 0
        assert run("validate", tmp_path / "gone", "--fail-on", "never", *output).code == 3


def test_the_specification_s_rules(run: Callable, tmp_path: Path):
    file = write(tmp_path / "s", GOOD.replace("agent]}", "nobody], scope: team}"))
    assert run("validate", file).code == 0
    code, out, _ = run("validate", file, "--spec")
    assert code == 1
    assert "unit 'a': scope 'team' is not one of global, project, module" in out
    assert run("validate", file, "--rules", "all").out == out
    assert "by the specification" not in out
    twice = write(tmp_path / "t", GOOD + GOOD.splitlines()[-1])
    assert "  · by the specification's rules alone it is valid" in run("validate", twice, "--spec").out
    refused = write(tmp_path / "r", GOOD.replace("a.md", "../a.md"))
    assert run("validate", refused, "--spec").code == 1
    assert run("validate", refused, "--rules", "spec", "--no-disk").code == 3


def test_drafts_are_asked_for(run: Callable, tmp_path: Path):
    file = write(tmp_path / "d", GOOD.replace("agent]}", "agent], charter: {}}"))
    assert run("validate", file, "--spec").code == 0
    assert run("validate", file, "--spec", "--drafts").code == 1


def test_the_disk_can_be_left_alone(run: Callable, tmp_path: Path):
    file = write(tmp_path / "n", GOOD.replace("a.md", "gone.md"))
    for output in ([], ["--json"]):
        assert run("validate", file, *output).code == 1
        assert run("validate", file, "--no-disk", *output).code == 0


def test_rules_are_selected_and_ignored(run: Callable, tmp_path: Path):
    file = write(tmp_path / "f", WARNED.replace("triggers: [t], ", "").replace("a.md", "gone.md"))
    assert run("validate", file, "--select", "KCP102").code == 0
    code, out, _ = run("validate", file, "--ignore", "path-missing,KCP113", "--ignore", "kcp102")
    assert code == 0
    listed = "KCP102 by the settings, KCP111 by the settings, KCP113 by the settings"
    assert f"  · 3 finding(s) suppressed: {listed}" in out.splitlines()
    assert "✓ valid — 0 warning(s)" in out.splitlines()
    assert run("validate", file, "--ignore", "KCP1").code == 0
    assert run("validate", file, "--select", "KCP9") == (
        2,
        "",
        "kcp-agent: --select: no rule 'KCP9'\nkcp-agent rules lists them\n",
    )


def test_comments_in_the_manifest(run: Callable, tmp_path: Path):
    file = write(tmp_path / "c", "# kcp: ignore[KCP102]\n" + WARNED)
    assert "  · 1 finding(s) suppressed: KCP102 by a comment" in run("validate", file).out.splitlines()
    assert "suppressed" not in run("validate", file, "--no-inline-ignores").out
    assert len(json.loads(run("validate", file, "--json").out)["findings"]) == 1


@pytest.mark.parametrize("words", [["--spec"], ["--select", "KCP101"], ["--format", "json"], ["--fix"]])
def test_the_reference_s_report_takes_no_other_settings(run: Callable, tmp_path: Path, words: list[str]):
    code, out, err = run("validate", tmp_path, "--json", *words)
    assert (code, out) == (2, "")
    assert err == f"kcp-agent: {words[0]} does not go with --json\nuse --format json\n"


@pytest.mark.parametrize(("flag", "value"), [("--format", "xml"), ("--rules", "x"), ("--fail-on", "x")])
def test_values_outside_a_choice(run: Callable, tmp_path: Path, flag: str, value: str):
    code, _, err = run("validate", tmp_path, flag, value)
    assert code == 2
    assert err.startswith(f"kcp-agent: {flag} must be one of ")


def test_our_own_json(run: Callable, tmp_path: Path):
    file = write(tmp_path / "j", WARNED)
    report = json.loads(run("validate", file, "--format", "json", "--spec").out)
    assert report["findings"][0] == {
        "rule": "KCP102",
        "set": "agent",
        "level": "warning",
        "where": "manifest",
        "message": "missing 'version'",
        "line": 1,
        "column": 1,
    }
    assert (report["ok"], report["valid"]) == (True, True)


@pytest.mark.parametrize("name", ["sarif", "github", "gitlab", "junit", "json"])
def test_formats(run: Callable, tmp_path: Path, name: str):
    bad, nowhere = write(tmp_path / "b", GOOD.replace("a.md", "/a.md")), tmp_path / "nowhere"
    code, out, err = run("validate", bad, nowhere, "--format", name)
    assert (code, err) == (3, "")
    assert out.endswith("\n")
    assert "path must be relative" in out
    assert "manifest not found" in out


def test_folders_are_searched(run: Callable, tmp_path: Path):
    for name in ("b", "a", "a/inner", ".hidden", "node_modules", "c/.well-known"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "knowledge.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    sources = [each["source"] for each in json.loads(run("validate", tmp_path, "--json").out)]
    expected = ["a/knowledge.yaml", "a/inner/knowledge.yaml", "b/knowledge.yaml"]
    expected.append("c/.well-known/knowledge.yaml")
    assert sources == [f"{tmp_path}/{name}" for name in expected]
    code, out, _ = run("validate", tmp_path / ".hidden" / "..", tmp_path / "a", "--format", "json")
    assert (code, len(json.loads(out))) == (1, 6)


def test_a_folder_without_a_manifest(run: Callable, tmp_path: Path):
    assert "no knowledge.yaml found in" in run("validate", tmp_path).out
    assert run("validate", tmp_path).code == 3


def test_patterns(run: Callable, tmp_path: Path):
    for name in ("one.yaml", "two.yaml", "[x].yaml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "knowledge.yaml").write_text(GOOD, encoding="utf-8")

    def sources(pattern: str) -> list[str]:
        found = json.loads(run("validate", tmp_path / pattern, "--no-disk", "--json").out)
        reports = found if isinstance(found, list) else [found]
        return [str(Path(report["source"]).relative_to(tmp_path)) for report in reports]

    assert sources("*.yaml") == ["[x].yaml", "one.yaml", "two.yaml"]
    assert sources("[x].yaml") == ["[x].yaml"]
    assert sources("**/know*.yaml") == ["sub/knowledge.yaml"]
    assert sources("s*") == ["sub/knowledge.yaml"]
    assert run("validate", tmp_path / "no*.yml").code == 3


def test_standard_input(run: Callable, monkeypatch: pytest.MonkeyPatch):
    def feed(text: str, *words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return run("validate", "-", *words)[:2]

    assert feed(GOOD) == (0, "Validate: (standard input) (p)\n✓ valid — 0 warning(s)\n")
    assert feed("a: b: c")[0] == 3
    assert feed(GOOD, "--max-bytes", "10")[0] == 3
    for text, code in ((GOOD, 0), (GOOD.replace("a.md", "/a"), 1), ("a: b: c", 3)):
        found, out = feed(text, "--json")
        assert (found, json.loads(out)["source"]) == (code, "(standard input)")


def test_two_processes_give_what_one_gives(run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for number in range(24):
        text = GOOD if number % 3 else WARNED.replace("project: p", f"project: p{number}")
        write(tmp_path / f"{number:02}", text)
    (tmp_path / "05" / "knowledge.yaml").write_text("a: b: c", encoding="utf-8")
    alone = run("validate", tmp_path, "--spec")
    monkeypatch.setattr("kcp.cli.lint.runner.MANY_FILES", 2)
    assert run("validate", tmp_path, "--spec") == alone
    assert alone.code == 3


def test_rules_are_listed_and_explained(run: Callable):
    code, out, _ = run("rules")
    assert code == 0
    assert len(out.splitlines()) > 150
    code, out, _ = run("rules", "deny-empty")
    assert code == 0
    assert out.startswith("KCP123  deny-empty\nwarning · what an agent stumbles over · §4.3a")
    assert "Wrong, in the fields of a unit:\n  kind: skill\n" in out
    assert run("rules", "kcp123").out == out
    assert run("rules", "nothing") == (2, "", "kcp-agent: no rule 'nothing'\nkcp-agent rules lists them\n")


@pytest.mark.slow
def test_two_hundred_manifests_take_a_second(tmp_path: Path):
    """A loose bound on processor time, so that a busy machine does not fail it."""
    from scripts.lib.gen_manifest import manifest_text

    files = []
    for number in range(200):
        file = tmp_path / f"{number}.yaml"
        file.write_text(manifest_text(30, seed=number), encoding="utf-8")
        files.append(str(file))
    start = time.process_time()
    results = run_all(files, LintOptions("2026-07-06"), Sources(), workers=1)
    page = Page()
    for result in results:
        add_result(page, result)
    page.plain()
    assert time.process_time() - start < 2.4
    assert len(results) == 200
