"""Ids and triggers from the names of files and folders (surfaces contract §6)."""

from __future__ import annotations

import re

from kcp.text.casing import lower

_SYNONYM_TABLE = """\
auth: auth, authentication, login
route routes router: api, endpoint, routes
config: configuration, settings
util utils helpers: utilities, helpers
database db: database, db, storage
middleware: middleware, interceptor
server: server, http, listen
client: client, http, request
model models: model, schema, types
types: types, interfaces, schema
test tests: test, testing, spec
deploy: deploy, deployment, ci
docker: docker, container, deployment
cli: cli, commands, flags
logger log: logging, log, debug
cache: cache, caching, memoize
error errors: error, errors, exception
validate validation: validate, validation, schema
"""
SYNONYMS = {
    name: tuple(synonyms.split(", "))
    for names, _, synonyms in (line.partition(": ") for line in _SYNONYM_TABLE.splitlines())
    for name in names.split()
}


def stem(name: str) -> str:
    """A name without its last extension."""
    return name.rpartition(".")[0] or name


def extension(name: str) -> str:
    """A name's last extension, without the dot; empty where it has none."""
    before, _, after = name.rpartition(".")
    return after if before else ""


def unit_id(name: str) -> str:
    """A stem as an id; empty where nothing of it can stay."""
    return lower(re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9_-]", "-", name)).strip("-"))


def file_triggers(name: str) -> tuple[str, ...]:
    """The stem as it is, then each of its parts with its synonyms."""
    found = {name: None}
    for part in re.split(r"[-_]", lower(name)):
        if part:
            found.update(dict.fromkeys((part, *SYNONYMS.get(part, ()))))
    return tuple(found)


def folder_triggers(name: str) -> tuple[str, ...]:
    """The name, then the synonyms of the whole of it."""
    return tuple(dict.fromkeys((name, *SYNONYMS.get(lower(name), ()))))
