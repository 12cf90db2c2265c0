"""`--task` and `--tasks` of validate become questions: `QUESTION` or `QUESTION => UNIT`."""

from __future__ import annotations

from kcp.authoring.validate.questions import Asking, Question
from kcp.cli.planning_options import plan_options
from kcp.errors import KcpError, UsageError
from kcp.reading.source import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments

ARROW = "=>"
MAX_FILE_BYTES = 1024 * 1024
MAX_QUESTIONS = 1_000
# What the agent that asks brings; without a question these flags would have no effect.
BRINGING = ("--role", "--env", "--methods", "--credentials", "--attest", "--max-units")


def asking_of(arguments: Arguments, locations: list[str], today: str) -> Asking | None:
    """What is to be asked; None where nothing is. UsageError for what cannot be, KcpError for a bad file."""
    if "--task" not in arguments.given and "--tasks" not in arguments.given:
        for flag in BRINGING:
            if flag in arguments.given:
                raise UsageError(f"{flag} needs a question", hint="ask with --task or --tasks")
        return None
    if len(locations) != 1:
        raise UsageError(f"questions are asked of one manifest, and {len(locations)} are named")
    questions = [_question(text, "--task", None) for text in arguments.every("--task")]
    for path in arguments.every("--tasks"):
        questions += read_questions(path)
    if len(questions) > MAX_QUESTIONS:
        raise UsageError(f"{len(questions):,} questions are too many; ask at most {MAX_QUESTIONS:,} at once")
    return Asking(tuple(questions), plan_options(arguments, today))


def read_questions(path: str) -> list[Question]:
    """The questions of a file, one a line; blank lines and those that start with `#` do not count."""
    data = read_bytes(path, MAX_FILE_BYTES, "file of questions")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KcpError(f"{path}: not UTF-8 (byte {error.start})") from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [
        _question(line, f"{path}:{number}", path)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not found:
        raise KcpError(f"{path}: no questions in it")
    return found


def _question(text: str, origin: str, path: str | None) -> Question:
    """One question; the last arrow counts, and behind the unit's id a comment may follow."""
    asked, arrow, expected = text.rpartition(ARROW)
    if not arrow:
        asked, expected = text, ""
    expected = expected.partition(" #")[0].strip()
    if not asked.strip() or (arrow and not expected):
        missing = "question before" if not asked.strip() else "unit after"
        message = f"{origin}: no {missing} {ARROW}, in '{text.strip()}'"
        raise UsageError(message) if path is None else KcpError(message)
    return Question(asked.strip(), expected or None, origin)
