"""The protocol's lint, `imperative-lint-0.3`: exactly these rules, in this order (render contract §13)."""

from __future__ import annotations

import re

from kcp.render.lints import Hit, LintSet
from kcp.render.lints.patterns import Patterns

REASON = "imperative_mood"

# White space and line ends as in the language of the reference; letters and word ends are ASCII.
_S = "[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
_LINE_START = "(?:\\A|(?<=[\n\r\u2028\u2029]))"

_BEFORE_ANY_TASK = (
    r"\bbefore\s+(?:any|each|every|starting\s+a|your\s+first)\s+(?:task|request|action|work|session)"
    r"[^.]{0,120}\b(?:run|execute|do|invoke|source)\b"
)
_SENTENCE_INITIAL = (
    rf"(?:{_LINE_START}|[.!?]\s+)(?:run|execute|invoke|source|curl|fetch|download|install)\s+"
    r"(?:`|\./|/|~/|[a-z0-9_-]+\.(?:sh|py|js)\b|(?:mvn|npm|pip|bash|sh)\b)"
)
_COMMANDS = ("run", "execute", "invoke", "source", "curl", "fetch", "download", "install")
_RULES = tuple(
    (Hit(REASON, name), signs, pattern.replace(r"\s", _S))
    for name, signs, pattern in (
        (
            "always-never-run",
            ("always", "never"),
            r"\b(?:always|never)\s+(?:run|execute|invoke|call)\b",
        ),
        (
            "you-must",
            ("you",),
            r"\byou\s+(?:must|should|need\s+to|have\s+to)\s+(?:run|execute|invoke|call|install|download)\b",
        ),
        ("before-any-task", ("before",), _BEFORE_ANY_TASK),
        ("sentence-initial-imperative", _COMMANDS, _SENTENCE_INITIAL),
        # A pipe into a shell behind a backtick is a pipe into a shell.
        ("shell-chain", ("$(", "|", "&&"), r"\$\(|\|\s*(?:bash|sh|zsh)\b|&&\s*(?:curl|wget|bash|sh)\b"),
    )
)
_PATTERNS = Patterns(_RULES, re.IGNORECASE | re.ASCII)


def find(text: str, role: str) -> Hit | None:  # noqa: ARG001 - every text is looked at alike
    """The first rule that a text hits."""
    return _PATTERNS.first_hit(text)


LINT_SET = LintSet("imperative-lint-0.3", find)
