"""A rule's examples as whole manifests in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from kcp.authoring.validate.lint import LintOptions, LintResult, lint
from kcp.authoring.validate.questions import Asking, Question
from kcp.authoring.validate.rule import Rule
from kcp.options import PlanOptions
from kcp.reading.sources import ManifestBytes
from kcp.reading.yaml12 import read_yaml

TODAY = "2026-07-06"
ROOT = {"project": "base", "version": "1.0.0", "kcp_version": '"0.32"'}
UNIT = {
    "id": "guide",
    "path": "guide.md",
    "intent": "How do I start?",
    "scope": "global",
    "audience": "[agent]",
    "triggers": "[start]",
}


def text_of(rule: Rule, example: str) -> str:
    """The manifest that an example stands for: its fields in place of those of a sound one."""
    if rule.part == "file":
        return example + "\n"
    fields = read_yaml(example.encode()).root
    in_root = rule.part == "root" or "units" in fields
    root = {key: value for key, value in ROOT.items() if not (in_root and key in fields)}
    lines = [f"{key}: {value}" for key, value in root.items()]
    if in_root:
        lines += example.split("\n")
    if not in_root or "units" not in fields:
        unit = {key: value for key, value in UNIT.items() if in_root or key not in fields}
        members = [f"{key}: {value}" for key, value in unit.items()]
        members += [] if in_root else example.split("\n")
        lines += ["units:", "- " + "\n  ".join(members)]
    return "\n".join(lines) + "\n"


def check(text: str, folder: Path, *, asked: str = "", **options: object) -> LintResult:
    """What the rules find in a manifest that lies in a folder with a guide, a link out of it, and another.

    `asked` is a question for it, as the command line has it.
    """
    if asked:
        question, _, expected = asked.partition(" => ")
        options["asking"] = Asking((Question(question, expected or None),), PlanOptions(TODAY))
    (folder / "guide.md").write_text("Start.\n", encoding="utf-8")
    (folder / "other.yaml").write_text("project: other\n", encoding="utf-8")
    link = folder / "link.md"
    if not link.is_symlink():
        link.symlink_to(Path(__file__))
    source = folder / "knowledge.yaml"
    data = text.encode()
    source.write_bytes(data)
    return lint(ManifestBytes(str(source), data), LintOptions(TODAY, **options))  # type: ignore[arg-type]
