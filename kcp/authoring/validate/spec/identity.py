"""What every manifest needs: it is one, names itself, and its units have ids, safe paths and intents."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule
from kcp.authoring.validate.spec.known import ROOT_KEYS
from kcp.authoring.validate.spec.node import shown
from kcp.planning.calendar import is_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Node, Spec, Unit

# 0.15 never existed.
VERSIONS = tuple([f"0.{number}" for number in range(1, 33) if number != 15])
SCOPES = ("global", "project", "module")
AUDIENCES = ("human", "agent", "developer", "architect", "operator", "devops")
_ID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")
# What people write where `project` belongs.
_INSTEAD = ("name", "title", "id")

NOT_A_MANIFEST = Rule(
    "KCP200", "not-a-manifest", "error", "§3", "The file has none of the fields of a manifest.",
    bad="services: {web: {image: nginx}}", good="project: guide", part="file",
)  # fmt: skip
YAML = Rule(
    "KCP201", "yaml", "error", "§2",
    "The file is not one document of plain YAML 1.2 with a mapping at its root.",
    bad="project: guide\nproject: handbook", good="project: guide", part="file", protected=True,
)  # fmt: skip
UTF8 = Rule(
    "KCP202", "utf8", "error", "§2",
    "The file is not UTF-8 without a byte order mark. A mark alone is a warning.", bad="\ufeffproject: guide",
    good="project: guide", part="file", protected=True,
)  # fmt: skip
PATH_ABSOLUTE = Rule(
    "KCP203", "spec-path-absolute", "error", "§4.3", "An absolute path makes the manifest unreadable.",
    bad="path: /etc/passwd", good="path: docs/guide.md", protected=True,
)  # fmt: skip
PATH_ESCAPE = Rule(
    "KCP204", "spec-path-escape", "error", "§4.3",
    "A path that leaves the manifest's folder, or leads to it, makes the manifest unreadable.",
    bad="path: docs\\..\\..\\guide.md", good="path: docs/../guide.md", protected=True,
)  # fmt: skip
PROJECT = Rule(
    "KCP205", "project", "error", "§3.1", "The manifest needs a project.", bad="project: null\nname: guide",
    good="project: guide", part="root",
)  # fmt: skip
UNITS = Rule(
    "KCP206", "units", "error", "§3.1", "The manifest needs a list of units, each a mapping.",
    bad="units: [guide.md]",
    good="units: [{id: guide, path: guide.md, intent: Start here, audience: [agent]}]", part="root",
)  # fmt: skip
UNIT_ID = Rule(
    "KCP207", "unit-id", "error", "§4.2", "A unit needs an id.", bad="id: null", good="id: guide",
)  # fmt: skip
UNIT_FIELDS = Rule(
    "KCP208", "unit-path-intent", "error", "§4.1", "A unit needs a path and an intent, whatever its kind.",
    bad="intent: null", good="intent: How do I start?",
)  # fmt: skip
SCOPE = Rule(
    "KCP209", "unit-scope", "error", "§4.5",
    "A scope is global, project or module; only an absent one means global.", bad="scope: team",
    good="scope: module",
)  # fmt: skip
AUDIENCE = Rule(
    "KCP210", "unit-audience", "warning", "§4.6", "A unit should say whom it serves.", bad="audience: []",
    good="audience: [agent]",
)  # fmt: skip
AUDIENCE_VALUE = Rule(
    "KCP211", "audience-value", "warning", "§4.6", "An audience outside the list means nothing to an agent.",
    bad="audience: [everyone]", good="audience: [human, agent]",
)  # fmt: skip
ID_PATTERN = Rule(
    "KCP212", "id-pattern", "warning", "§4.2", "An id is made of a–z, 0–9, dots and hyphens.",
    bad="id: My_Guide", good="id: my-guide",
)  # fmt: skip
ID_DUPLICATE = Rule(
    "KCP213", "id-duplicate", "warning", "§4.2", "Two units share an id; the first counts.",
    bad="units: [{id: a, path: a.md, intent: A, audience: [agent]}, {id: a, path: b.md, intent: B, "
    "audience: [agent]}]",
    good="units: [{id: a, path: a.md, intent: A, audience: [agent]}, {id: b, path: b.md, intent: B, "
    "audience: [agent]}]",
    part="root", protected=True,
)  # fmt: skip
KCP_VERSION = Rule(
    "KCP214", "kcp-version", "warning", "§3.1",
    "The manifest should name a revision of the specification that exists.", bad='kcp_version: "0.15"',
    good='kcp_version: "0.32"', part="root",
)  # fmt: skip
VERSION = Rule(
    "KCP215", "version", "warning", "§3.1", "The manifest should have a version.", bad="version: null",
    good="version: 1.2.0", part="root", since="0.8",
)  # fmt: skip
DATES = Rule(
    "KCP216", "dates", "warning", "§4.1.1", "A date is a day of the calendar, YYYY-MM-DD.",
    bad='validated: "2026-02-30"', good='validated: "2026-02-28"', since="0.2",
)  # fmt: skip
RULES = (
    NOT_A_MANIFEST, YAML, UTF8, PATH_ABSOLUTE, PATH_ESCAPE, PROJECT, UNITS, UNIT_ID, UNIT_FIELDS, SCOPE,
    AUDIENCE, AUDIENCE_VALUE, ID_PATTERN, ID_DUPLICATE, KCP_VERSION, VERSION, DATES,
)  # fmt: skip


def unsafe_paths(spec: Spec) -> Iterator[Finding]:
    """The paths that make the manifest unreadable (rows 3 and 4)."""
    for unit in spec.units:
        path = unit.text("path") or ""
        if is_absolute(path):
            yield unit.find(PATH_ABSOLUTE, "path", f"'{shown(path)}' is absolute")
        elif path and escapes(path):
            yield unit.find(PATH_ESCAPE, "path", f"'{shown(path)}' leaves the manifest's folder")


def is_absolute(path: str) -> bool:
    """Whether a path starts at a root."""
    return path.startswith(("/", "\\"))


def escapes(path: str) -> bool:
    """Whether a path leaves the folder it starts from, or leads nowhere but to it."""
    depth = 0
    for step in path.replace("\\", "/").split("/"):
        if step == "..":
            depth -= 1
            if depth < 0:
                return True
        elif step not in ("", "."):
            depth += 1
    return depth == 0


def check_root(spec: Spec) -> Iterator[Finding]:
    """The manifest's own identity, and that it has units."""
    root = spec.root
    if not ROOT_KEYS.intersection(root.raw):
        yield root.say(NOT_A_MANIFEST, "this does not look like a KCP manifest: it has none of its fields")
        return
    if not root.text("project"):
        instead = next((key for key in _INSTEAD if root.text(key)), None)
        hint = f"; '{instead}' is no field of a manifest, write 'project'" if instead else ""
        yield root.find(PROJECT, "project", f"is missing or empty{hint}")
    version = root.text("kcp_version")
    if not version:
        yield root.find(KCP_VERSION, "kcp_version", "is missing")
    elif version not in VERSIONS:
        yield root.find(KCP_VERSION, "kcp_version", f"'{shown(version)}' is no revision of the specification")
    if not root.text("version"):
        yield root.find(VERSION, "version", "is missing")
    yield from _check_units(spec)


def _check_units(spec: Spec) -> Iterator[Finding]:
    root, units = spec.root, spec.root.get("units")
    if units is None or units == []:
        yield root.find(UNITS, "units", "is missing or empty")
    elif type(units) is not list:
        yield root.find(UNITS, "units", "is not a list")
    else:
        for index, item in enumerate(units):
            if type(item) is not dict:
                yield root.find(UNITS, "units", f"#{index + 1} is not a mapping", index)


def check_unit(spec: Spec, unit: Unit) -> Iterator[Finding]:
    """A unit's id, path, intent, scope and audience."""
    if not unit.id:
        yield unit.find(UNIT_ID, "id", "is missing")
    else:
        if not _ID.issuperset(unit.id):
            yield unit.find(ID_PATTERN, "id", f"'{shown(unit.id)}' has other than a–z, 0–9, dot and hyphen")
        if spec.by_id[unit.id] is not unit:
            yield unit.find(ID_DUPLICATE, "id", f"'{shown(unit.id)}' is used before; the first counts")
    for key in ("path", "intent"):
        if not unit.text(key):
            yield unit.find(UNIT_FIELDS, key, "is missing or empty")
    yield from unit.outside(SCOPE, "scope", SCOPES)
    audience = unit.some("audience")
    if not audience:
        yield unit.find(AUDIENCE, "audience", "is missing or empty")
    for index, value in enumerate(audience):
        if value not in AUDIENCES:
            message = f"value '{shown(value)}' is not one of {', '.join(AUDIENCES)}"
            yield unit.find(AUDIENCE_VALUE, "audience", message, index)


def check_dates(spec: Spec) -> Iterator[Finding]:
    """Dates of the root and of units, those of temporal blocks included."""
    yield from _check_date(spec.root, "updated")
    for unit in spec.units:
        yield from _check_date(unit, "validated")
    for block in spec.blocks("temporal"):
        for key in ("valid_from", "valid_until", "recorded_at"):
            yield from _check_date(block, key, timed=True)


def _check_date(node: Node, key: str, *, timed: bool = False) -> Iterator[Finding]:
    value = node.get(key)
    if value is None:
        return
    if not isinstance(value, str) or not is_date(value[:10] if timed else value):
        yield node.find(DATES, key, f"'{shown(value)}' is not a date like 2026-07-01")
