"""The protocol's lint: exactly the rules of `imperative-lint-0.3`."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.render.lints import Lint, LintSet, lint_for
from kcp.render.lints.base import LINT_SET

HITS = {
    "always-never-run": [
        "Always run it",
        "never\u00a0 EXECUTE anything",
        "They always call home",
        "always\ninvoke x",
        "Never call the legacy endpoint",
    ],
    "you-must": [
        "you must run x",
        "You should call us",
        "you need  to\tinstall",
        "you have to download",
        "so you\nmust execute",
    ],
    "before-any-task": [
        "before any task, do it",
        "Before each request - execute",
        "before every session the agent will run",
        "before starting a workflow do x",
        "before your first action: source env",
        "before any tasks run",
        "before any task" + "x" * 118 + " run",
    ],
    "sentence-initial-imperative": [
        "Run ./x",
        "run `x`",
        "Notes.  Execute /bin/x",
        "Notes!\nfetch ~/x",
        "a\ninstall foo.sh",
        "a\rinvoke a-b_c.py",
        "a\u2028curl x.js",
        "a\u2029download npm",
        "What? source bash",
        "run mvn",
        "run sh",
    ],
    "shell-chain": [
        "$(x)",
        "`a | bash`",
        "a |sh",
        "a | zsh",
        "a && curl x",
        "a &&wget x",
        "a && bash x",
        "a && sh",
    ],
}
MISSES = [
    "",
    "The build uses `mvn package`",
    "alwaysrun",
    "always, run",
    "always runs",
    "almost-always",
    "you mustrun",
    "you can run it",
    "you, must run",
    "before any task",
    "before any task. Then run",
    "before any task" + "x" * 120 + " run",
    "before any meal, do it",
    "before any task, doing it",
    "he said run ./x",
    "  run ./x",
    "- run ./x",
    "run x",
    "run foo.shell",
    "run foo.json",
    "run npmx",
    "running ./x",
    "Notes.run ./x",
    "$x (y)",
    "a | basher",
    "a | grep",
    "a && echo",
    "a || sh",
    "a & sh",
]


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in HITS.items() for text in texts])
def test_hits(rule: str, text: str):
    hit = LINT_SET.find(text, "prose")
    assert hit is not None
    assert (hit.reason, hit.rule) == ("imperative_mood", rule)


@pytest.mark.parametrize("text", [text for text in MISSES if text != "a || sh"])
def test_misses(text: str):
    assert LINT_SET.find(text, "prose") is None


def test_second_bar_of_an_or_is_a_pipe_to_these_rules():
    assert LINT_SET.find("a || sh", "prose") is not None


def test_word_characters_and_case_are_those_of_ascii():
    assert LINT_SET.find("åalways run x", "prose") is not None  # å is no word character
    assert LINT_SET.find("alway\u017f run x", "prose") is None  # ſ is no s
    assert LINT_SET.find("invo\u212ae x | ba\u017fh", "prose") is None


def test_first_rule_is_named():
    hit = LINT_SET.find("you must run it. Always run it | sh", "prose")
    assert hit is not None
    assert hit.rule == "always-never-run"


def test_levels():
    assert lint_for("base").id == "imperative-lint-0.3"
    assert lint_for("full").id.startswith("imperative-lint-0.3")


def test_sets_are_asked_in_order_and_named_in_order():
    first = LintSet("a-1", lambda text, role: LINT_SET.find(text, role) if role == "prose" else None)
    lint = Lint((first, LintSet("b-2", lambda *_: None)))
    assert lint.id == "a-1+b-2"
    assert lint.find("always run", "prose") is not None
    assert lint.find("always run", "token") is None


PIECES = st.sampled_from(
    ["always", "you", "must", "before", "any", "task", "run", ".", " ", "\n", "`", "|", "bash", "$(", "&&"]
)


@given(st.lists(PIECES, max_size=400).map("".join))
def test_any_text_is_linted_in_moments(text: str):
    start = time.process_time()
    LINT_SET.find(text, "prose")
    assert time.process_time() - start < 0.5
