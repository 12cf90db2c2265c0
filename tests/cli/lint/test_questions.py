"""`validate --task` and `--tasks`: what is read as a question, what is shown, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.authoring.validate.questions import Question
from kcp.cli.lint import questions
from kcp.cli.lint.questions import BRINGING, read_questions
from kcp.cli.main import main
from kcp.errors import KcpError

MANIFEST = """\
project: p
version: "1"
kcp_version: "0.32"
units:
  - {id: tides, path: a.md, intent: Tide tables, triggers: [tide], audience: [agent]}
  - {id: pilots, path: a.md, intent: Pilot rota, triggers: [pilot], audience: [human]}
  - id: rates
    path: a.md
    intent: Rates
    triggers: [rate]
    audience: [agent]
    temporal: {valid_from: "2030-01-01"}
"""
SAID = "unit 'pilots': not selected for \"pilot?\": audience: audience [\"human\"] excludes role 'agent'; "
SAID += "plan with --role human"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "knowledge.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], folder: Path) -> Callable[..., tuple[int, str, str]]:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(["validate", ".", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_a_file_of_questions(tmp_path: Path):
    file = tmp_path / "q.txt"
    text = "\ufeff# heading\r\n\r\n  when is the tide? =>  tides  \n\tany? \n"
    text += " a => b => c # why\n#5? => x\nis #5 it?\n"
    file.write_bytes(text.encode())
    assert read_questions(str(file)) == [
        Question("when is the tide?", "tides", f"{file}:3"),
        Question("any?", None, f"{file}:4"),
        Question("a => b", "c", f"{file}:5"),
        Question("is #5 it?", None, f"{file}:7"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\n => b\n", "q.txt:2: no question before =>, in '=> b'"),
        (b"a =>\n", "q.txt:1: no unit after =>, in 'a =>'"),
        (b"a => # b\n", "q.txt:1: no unit after =>, in 'a => # b'"),
        (b"a\xff\n", "q.txt: not UTF-8 (byte 1)"),
        (b"# nothing\n\n", "q.txt: no questions in it"),
    ],
)
def test_a_file_that_is_not_what_it_should_be(folder: Path, run: Callable, data: bytes, said: str):
    (folder / "q.txt").write_bytes(data)
    with pytest.raises(KcpError) as caught:
        read_questions("q.txt")
    assert caught.value.message == said
    assert run("--tasks", "q.txt") == (3, "", f"kcp-agent: {said}\n")


def test_a_file_that_cannot_be_read(run: Callable):
    assert run("--tasks", "gone.txt") == (3, "", "kcp-agent: file of questions not found: gone.txt\n")
    assert run("--tasks", ".") == (3, "", "kcp-agent: . is a directory, not a file of questions\n")


def test_what_people_see(run: Callable):
    code, out, err = run("--task", "the tide => tides", "--task", "pilot? => pilots", "--task", "any tide?")
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == [
        f"  ⚠ {SAID}",
        "      KCP152  knowledge.yaml:6:5",
        "      6 │   - {id: pilots, path: a.md, intent: Pilot rota, triggers: [pilot], audience: [human]}",
        "        │     ^" + "^" * 81,
        '  ✓ "the tide" => tides  selects tides',
        '  ✗ "pilot?" => pilots  selects nothing',
        '  ✓ "any tide?"  selects tides',
        "✓ valid — 1 warning(s)",
    ]


def test_levels_that_fail(run: Callable):
    question = ("--task", "pilot? => pilots")
    assert run(*question)[0] == 0
    assert run(*question, "--fail-on", "warning")[0] == 1
    assert run("--task", "tide? => tides", "--fail-on", "warning")[0] == 0
    assert run("--task", "tide? => tide")[0] == 1
    assert run("--task", "tide? => tide", "--fail-on", "never")[0] == 0
    assert run(*question, "--fail-on", "warning", "--ignore", "question-misses-unit")[0] == 0


def test_what_the_agent_brings_counts(run: Callable):
    question = ("--task", "pilot? => pilots", "--fail-on", "warning")
    assert run(*question, "--role", "human")[0] == 0
    later = ("--task", "rate? => rates", "--fail-on", "warning")
    assert run(*later, "--as-of", "2029-12-31")[0] == 1
    assert run(*later, "--as-of", "2030-01-01")[0] == 0
    assert run(*later, "--as-of", "2030-01-01", "--max-units", "0")[0] == 1


def test_questions_of_files_and_of_the_command_line_are_asked_in_turn(run: Callable, folder: Path):
    (folder / "a.txt").write_text("tide\n", encoding="utf-8")
    (folder / "b.txt").write_text("pilot => pilots\n", encoding="utf-8")
    words = ("--tasks", "a.txt", "--task", "rate", "--tasks", "b.txt", "--format", "json")
    report = json.loads(run(*words)[1])
    assert report["questions"] == [
        {"question": "rate", "found": False, "selected": []},
        {"question": "tide", "found": True, "selected": [{"id": "tides", "loadEligible": True}]},
        {"question": "pilot", "expected": "pilots", "found": False, "selected": []},
    ]


@pytest.mark.parametrize("name", ["text", "json", "sarif", "github", "gitlab", "junit"])
def test_every_format(run: Callable, name: str):
    code, out, err = run("--task", "pilot? => pilots", "--task", "tide", "--format", name)
    assert (code, err) == (0, "")
    assert "KCP152" in out
    assert ("tide" in out.replace("tides", "")) == (name in ("text", "json", "junit"))
    if name == "github":
        assert f"KCP152::{SAID}" in out
    if name == "junit":
        assert '<testcase name="question: tide" classname="knowledge.yaml"/>' in out


@pytest.mark.parametrize("flag", BRINGING)
def test_what_an_agent_brings_needs_a_question(run: Callable, flag: str):
    code, out, err = run(flag, "1")
    assert (code, out) == (2, "")
    assert err == f"kcp-agent: {flag} needs a question\nask with --task or --tasks\n"


@pytest.mark.parametrize("words", [("--task", "tide"), ("--tasks", "q.txt"), ("--role", "human")])
def test_the_reference_s_report_has_no_questions(run: Callable, words: tuple[str, ...]):
    assert run("--json", *words)[:2] == (2, "")


def test_the_date_counts_for_the_rules_too(run: Callable, folder: Path):
    text = MANIFEST.replace('valid_from: "2030-01-01"', 'valid_until: "2030-01-01"')
    (folder / "knowledge.yaml").write_text(text, encoding="utf-8")
    for words in (["--format", "json"], ["--json"]):
        assert json.loads(run("--as-of", "2030-01-01", *words)[1])["findings"] == []
        (finding,) = json.loads(run("--as-of", "2030-01-02", *words)[1])["findings"]
        assert "2030-01-01" in finding["message"]


def test_questions_are_for_one_manifest(run: Callable, folder: Path):
    (folder / "b").mkdir()
    (folder / "b" / "knowledge.yaml").write_text(MANIFEST, encoding="utf-8")
    said = "kcp-agent: questions are asked of one manifest, and 2 are named\n"
    assert run("--task", "tide") == (2, "", said)


def test_mistakes_on_the_command_line(run: Callable, monkeypatch: pytest.MonkeyPatch):
    said = "kcp-agent: --task: no unit after =>, in 'tide =>'\n"
    assert run("--task", "tide =>") == (2, "", said)
    monkeypatch.setattr(questions, "MAX_QUESTIONS", 1)
    code, _, err = run("--task", "a", "--task", "b")
    assert (code, err) == (2, "kcp-agent: 2 questions are too many; ask at most 1 at once\n")


def test_what_cannot_be_read_is_not_asked(run: Callable, folder: Path):
    (folder / "knowledge.yaml").write_text("a: b: c", encoding="utf-8")
    code, out, _ = run("--task", "tide")
    assert code == 3
    assert "selects" not in out
