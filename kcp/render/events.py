"""The event log: one row a render, one a quarantined field, one a prohibited attempt, in an SQLite file.

The log is the operator's own and says what was decided, never what a manifest said: a quarantined text is
there as its digest. Several processes may write to one log; each event is written whole or not at all.
"""

from __future__ import annotations

import os

from kcp.errors import KcpError
from kcp.reading.locate import shown
from kcp.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection
    from typing import Any, Self, TypeVar

    _T = TypeVar("_T")

WAIT_SECONDS = 30.0
LOG_VERSION = 1
MARK = 0x4B435045  # SQLite's application_id: which program a file belongs to
MOST_NAMED = 20
_TABLES = """
CREATE TABLE IF NOT EXISTS render_events (
  id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL, source_path TEXT NOT NULL, source_sha256 TEXT NOT NULL,
  origin TEXT NOT NULL, tier TEXT NOT NULL, pinned INTEGER NOT NULL, renderer_version TEXT NOT NULL,
  lint_rules TEXT NOT NULL, fields_in INTEGER, fields_rendered INTEGER, fields_dropped INTEGER,
  fields_quarantined INTEGER);
CREATE TABLE IF NOT EXISTS quarantine_events (
  id INTEGER PRIMARY KEY, render_event_id INTEGER NOT NULL REFERENCES render_events (id),
  field_path TEXT NOT NULL, reason TEXT NOT NULL, original_sha256 TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS prohibited_attempt_events (
  id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL, unit_id TEXT NOT NULL, playbook_id TEXT, step_id TEXT,
  dimension TEXT NOT NULL, token TEXT NOT NULL, matched_pattern TEXT, binding_source TEXT NOT NULL,
  acknowledged_by TEXT, correlation_id TEXT);
"""
_COUNTS = ("fields_in", "fields_rendered", "fields_dropped", "fields_quarantined")
_PROHIBITED = "prohibited_attempt"


class RenderEvent(Record):
    """One render. At tier `failed` nothing was looked at, so the counts of fields are None.

    `quarantined` are the artifact's entries of that name.
    """

    timestamp: str
    source_path: str
    source_sha256: str
    origin: str
    tier: str
    pinned: bool
    renderer_version: str
    lint_rules: str
    fields_in: int | None = None
    fields_rendered: int | None = None
    fields_dropped: int | None = None
    fields_quarantined: int | None = None
    quarantined: tuple[dict[str, Any], ...] = ()


class ProhibitedAttemptEvent(Record):
    """An action that a deny scope refused, as runtimes report it.

    `binding_source` is skill, playbook or both. What does not apply is None, and null on the wire: no member
    is ever left out.
    """

    timestamp: str
    unit_id: str
    playbook_id: str | None
    step_id: str | None
    dimension: str
    token: str
    matched_pattern: str | None
    binding_source: str
    acknowledged_by: str | None
    correlation_id: str | None

    def to_wire(self) -> dict[str, str | None]:
        """The event as JSON members."""
        return {"kind": _PROHIBITED} | dict(zip(self.__fields__, self.values(), strict=True))


_NULLABLE = frozenset({"playbook_id", "step_id", "matched_pattern", "acknowledged_by", "correlation_id"})


def read_attempt(wire: object) -> ProhibitedAttemptEvent:
    """The event that JSON members spell; KcpError where a member is missing, unknown or of another type."""
    fields = ProhibitedAttemptEvent.__fields__
    if not isinstance(wire, dict) or wire.get("kind") != _PROHIBITED:
        raise KcpError(f"not an event of kind {_PROHIBITED}")
    if set(wire) != {"kind", *fields}:
        odd = sorted(map(str, set(wire) ^ {"kind", *fields}))
        raise KcpError(f"{_PROHIBITED} event: member '{shown(odd[0])}' is missing or unknown")
    for name in fields:
        if not isinstance(wire[name], str) and not (wire[name] is None and name in _NULLABLE):
            raise KcpError(f"{_PROHIBITED} event: {name} must be text{' or null' * (name in _NULLABLE)}")
    return ProhibitedAttemptEvent(*[wire[name] for name in fields])


class EventLog:
    """An open log; close it, or use it in a `with`. KcpError for a file that is none or cannot be used."""

    def __init__(self, path: str, *, create: bool = True) -> None:
        self.path = path
        self._connection = self._try(lambda: self._open(create))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def record_render(self, event: RenderEvent) -> None:
        """Add a render with its quarantined fields."""

        def write(connection: Connection) -> None:
            values = [int(value) if value is True or value is False else value for value in event.values()]
            event_id = _insert(connection, "render_events", event.__fields__[:-1], values[:-1])
            for entry in event.quarantined:
                row = (event_id, entry["path"], entry["reason"], entry["original_sha256"])
                names = ("render_event_id", "field_path", "reason", "original_sha256")
                _insert(connection, "quarantine_events", names, row)

        self._write(write)

    def record_attempt(self, event: ProhibitedAttemptEvent) -> None:
        """Add a prohibited attempt."""
        self._write(lambda db: _insert(db, "prohibited_attempt_events", event.__fields__, event.values()))

    def attempts(self) -> list[ProhibitedAttemptEvent]:
        """The prohibited attempts in the order they were recorded."""
        names = ", ".join(ProhibitedAttemptEvent.__fields__)
        rows = self._ask(f"SELECT {names} FROM prohibited_attempt_events ORDER BY id")
        return [ProhibitedAttemptEvent(*row) for row in rows]

    def stats(self) -> dict[str, Any]:
        """Counts over the whole log, as JSON members; at most `MOST_NAMED` origins and paths are named."""
        return self._try(self._stats)

    def _stats(self) -> dict[str, Any]:
        first, last, *sums = self._ask(
            "SELECT min(timestamp), max(timestamp), count(*), "
            + ", ".join([f"coalesce(sum({name}), 0)" for name in _COUNTS])
            + " FROM render_events"
        )[0]
        wire: dict[str, Any] = {"renders": sums[0]}
        if first is not None:
            wire |= {"first": str(first), "last": str(last)}
        return wire | {
            "byTier": self._tally("render_events", "tier"),
            "byOrigin": self._tally("render_events", "origin"),
            "fields": dict(
                zip(("in", "rendered", "dropped", "quarantined"), map(int, sums[1:]), strict=True)
            ),
            "quarantinesByReason": self._tally("quarantine_events", "reason"),
            "quarantinesByPath": self._tally("quarantine_events", "field_path"),
            "prohibitedAttemptsByDimension": self._tally("prohibited_attempt_events", "dimension"),
        }

    def _tally(self, table: str, column: str) -> dict[str, int]:
        rows = self._ask(
            f"SELECT {column}, count(*) FROM {table} GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT {MOST_NAMED}"
        )
        return {str(name): int(count) for name, count in rows}

    def _ask(self, query: str) -> list[tuple[Any, ...]]:
        return self._try(lambda: self._connection.execute(query).fetchall())

    def _write(self, write: Callable[[Connection], object]) -> None:
        def transaction() -> None:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                write(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

        self._try(transaction)

    def _open(self, create: bool) -> Connection:
        import sqlite3

        # An absolute path is never one of the names that SQLite takes for something else, such as :memory:.
        path = os.path.abspath(self.path)
        if os.path.lexists(path) and not os.path.isfile(path):
            raise KcpError(f"cannot use the event log {shown(self.path)}: not a regular file")
        if not os.path.lexists(path):
            if not create:
                raise KcpError(f"event log not found: {shown(self.path)}")
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                pass  # another process was first
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            self._prepare(connection, create)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: Connection, create: bool) -> None:
        """See that the file is a log of this version; make one of an empty file."""
        connection.execute("BEGIN IMMEDIATE" if create else "BEGIN")
        mark, version = [
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        ]
        is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if create and is_empty and mark in (0, MARK):
            for statement in _TABLES.strip().split(";")[:-1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {MARK}")
            connection.execute(f"PRAGMA user_version = {LOG_VERSION}")
        elif mark != MARK:
            raise KcpError(f"cannot use the event log {shown(self.path)}: it is no event log")
        elif version != LOG_VERSION:
            raise KcpError(f"cannot use the event log {shown(self.path)}: made by another version")
        connection.execute("COMMIT")

    def _try(self, work: Callable[[], _T]) -> _T:
        import sqlite3

        try:
            return work()
        except sqlite3.Error as error:
            reason = str(error).replace("\n", " ")[:200] or "database error"
        except (OSError, ValueError, OverflowError) as error:
            reason = (getattr(error, "strerror", None) or "not a path").lower()
        raise KcpError(f"cannot use the event log {shown(self.path)}: {reason}") from None


def _insert(connection: Connection, table: str, names: tuple[str, ...], values: Any) -> int:
    marks = ", ".join("?" * len(names))
    texts = [_storable(value) for value in values]
    cursor = connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", texts)
    return cursor.lastrowid or 0


def _storable(value: Any) -> Any:
    """A text without halves of surrogate pairs, which names of files can hold and SQLite cannot."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
