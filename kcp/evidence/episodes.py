"""Entries of the episodic memory: their shape, and whether one is what it says (evidence contract §4)."""

from __future__ import annotations

from kcp.errors import ArtifactError
from kcp.evidence.options_key import disagreement
from kcp.evidence.saved import check_envelope, is_entry, is_loop, is_plan, is_tree, read_tree, text_at
from kcp.records import Record
from kcp.wire.canonical import canonical, ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Entry = dict[str, Any]

GROUNDED, PLAN = "grounded-answer", "plan"
MAX_ENTRY_BYTES = 16 * 2**20
_WRAPPERS = 3  # a loop's result may hold answers, which hold trees, which hold plans
_DIGITS = str.maketrans("123456789", "000000000")
_KEPT = ("id", "path", "sha256")
_KEPT_OF_TREE = ("id", "path", "manifest", "sha256")

_digest: list[Any] = []


class UnusableArtifactError(ArtifactError):
    """An artifact that memory has no use for: it was read, and it will not do (row 12)."""

    exit_code = 1


class Facts(Record):
    """What an entry says about its artifact."""

    kind: str
    task: str
    manifest_source: str | None = None
    manifest_sha: str | None = None


def digest_of(text: str) -> str:
    """The lowercase hexadecimal SHA-256 of a text in UTF-8."""
    if not _digest:
        _digest.append(_load_digest())
    return str(_digest[0](text.encode()).hexdigest())


def _load_digest() -> Any:
    # The interpreter's own modules load in a moment; hashlib brings OpenSSL along.
    for name in ("_sha2", "_sha256"):
        try:
            return __import__(name).sha256
        except (ImportError, AttributeError):
            continue
    from hashlib import sha256

    return sha256


def make_entry(artifact: object, recorded_at: str, options_key: str | None = None) -> Entry:
    """The entry for an artifact, which is copied without unit content; UnusableArtifactError."""
    facts = facts_of(artifact)
    assert isinstance(artifact, dict)
    stripped = ordered(strip_content(artifact))
    members = {
        "id": digest_of(canonical(stripped)),
        "kind": facts.kind,
        "task": facts.task,
        "manifestSource": facts.manifest_source,
        "manifestSha": facts.manifest_sha,
        "optionsKey": options_key,
        "recordedAt": recorded_at,
        "artifact": stripped,
    }
    return {key: value for key, value in members.items() if value is not None}


def require_replayable(artifact: object) -> None:
    """UnusableArtifactError where no replay could tell whether the artifact still holds.

    Entries of other writers are read all the same; recall says of them that they cannot be verified.
    """
    facts_of(artifact)
    assert isinstance(artifact, dict)
    try:
        check_envelope(artifact)
        roots = [read_tree(each) for each in (artifact["finalPlans"] if is_loop(artifact) else [artifact])]
    except ArtifactError as error:
        raise UnusableArtifactError(f"cannot remember this artifact: {error.message}") from None
    for root in roots:
        if not text_at(root.plan, "manifest", "source"):
            raise UnusableArtifactError("cannot remember this artifact: its plan has no manifest.source")
        if root.plan is None or not isinstance(root.plan.get("options"), dict):
            raise UnusableArtifactError("cannot remember this artifact: its plan echoes no options")


def facts_of(artifact: object) -> Facts:
    """What an artifact is about; UnusableArtifactError where it holds no plan with a task.

    The reference looks at the top level, or at an answer's `plan`; where no task is there, the root plan
    tells (row 12).
    """
    if not isinstance(artifact, dict) or is_entry(artifact):
        what = "a memory entry" if is_entry(artifact) else "not an object"
        raise UnusableArtifactError(f"cannot remember this artifact: it is {what}")
    root = root_plan(artifact)
    if root is None:
        raise UnusableArtifactError("cannot remember this artifact: it holds no plan with a task")
    kind = GROUNDED if "grounding" in artifact and artifact.get("plan") else PLAN
    holder = artifact["plan"] if kind == GROUNDED else artifact
    if text_at(holder, "task") is None:
        holder = root
    return Facts(
        kind,
        text_at(holder, "task") or "",
        text_at(holder, "manifest", "source"),
        text_at(holder, "manifest", "sha256"),
    )


def root_plan(artifact: object) -> dict[str, Any] | None:
    """The plan of the root manifest in an artifact, or None where there is none."""
    for _ in range(_WRAPPERS + 1):
        if is_plan(artifact):
            assert isinstance(artifact, dict)
            return artifact
        if not isinstance(artifact, dict):
            return None
        if is_loop(artifact):
            plans = artifact["finalPlans"]
            artifact = plans[0] if plans else None
        else:
            artifact = artifact.get("plan")
    return None


def has_answer(artifact: object) -> bool:
    """Whether an artifact tells what units say, and not only which there are."""
    return isinstance(artifact, dict) and ("synthesis" in artifact or "answer" in artifact)


def strip_content(artifact: Entry) -> Any:
    """A copy without the text of units; UnusableArtifactError where its loaded units are none."""
    copied = _without_content(artifact)
    synthesis = copied.get("synthesis")
    loaded = synthesis.get("unitsLoaded") if isinstance(synthesis, dict) else None
    if loaded is not None:
        if not isinstance(loaded, list) or not all(isinstance(unit, dict) for unit in loaded):
            raise UnusableArtifactError(
                "cannot remember this artifact: synthesis.unitsLoaded is no list of units"
            )
        # Units of a followed plan are found by the manifest they came from (row 7).
        kept = _KEPT_OF_TREE if is_tree(artifact.get("plan")) else _KEPT
        synthesis["unitsLoaded"] = [{key: unit[key] for key in kept if key in unit} for unit in loaded]
    return copied


def _without_content(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_content(item) for key, item in value.items() if key != "content"}
    if isinstance(value, list | tuple):
        return [_without_content(item) for item in value]
    return value


def file_names(identifier: str, options_key: str) -> tuple[str, str]:
    """Where an entry may lie: under its id alone, or with its options key where another has that name."""
    return f"{identifier}.json", f"{identifier}-{digest_of(options_key)[:12]}.json"


def fault_of(entry: object) -> str | None:
    """Why a JSON value is no entry to be trusted with what it says of itself, or None (rows 9, 13)."""
    if not isinstance(entry, dict):
        return "not an object"
    if not isinstance(entry.get("artifact"), dict):
        return "holds no artifact"
    identifier, recorded_at = entry.get("id"), entry.get("recordedAt")
    if not isinstance(identifier, str) or identifier != digest_of(canonical(entry["artifact"])):
        return "its id is not the digest of its artifact"
    if not isinstance(recorded_at, str) or not is_timestamp(recorded_at):
        return "recordedAt is not a time"
    try:
        facts = facts_of(entry["artifact"])
    except UnusableArtifactError:
        return "its artifact holds no plan with a task"
    said = (entry.get("kind"), entry.get("task"), entry.get("manifestSource"), entry.get("manifestSha"))
    for name, here, true in zip(
        ("kind", "task", "manifestSource", "manifestSha"), said, facts.values(), strict=True
    ):
        if here != true:
            return f"{name} is not that of its artifact"
    key = entry.get("optionsKey")
    if key is None:
        return None
    return (
        disagreement(key, root_plan(entry["artifact"]) or {})
        if isinstance(key, str)
        else "optionsKey is not text"
    )


def is_timestamp(text: str) -> bool:
    """Whether a text is a time as entries hold it: UTC, ISO 8601, with milliseconds and `Z`."""
    return text.isascii() and text.translate(_DIGITS) == "0000-00-00T00:00:00.000Z"


def timestamp(nanoseconds: int) -> str:
    """A time since 1970 as entries hold it."""
    import time

    seconds, rest = divmod(nanoseconds, 10**9)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 10**6:03d}Z"
