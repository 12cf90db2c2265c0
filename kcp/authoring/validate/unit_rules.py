"""What the rules about a unit's own declaration are; `units` and `procedures` apply them."""

from __future__ import annotations

from kcp.authoring.validate.rule import Rule

SKILL = "kind: skill\naction_scope: {tools: [git]}"

NO_ID = Rule(
    "KCP105", "no-unit-id", "error", "§4.2", "A unit without an id cannot be named by anything else.",
    bad='id: ""', good="id: guide",
)  # fmt: skip
ID_REPEATED = Rule(
    "KCP106", "unit-id-repeated", "error", "§4.2",
    "Two units share an id; which one is meant is anyone's guess.",
    bad="units: [{id: a, path: a.md, intent: A, triggers: [a], audience: [agent]}, {id: a, path: b.md, "
    "intent: B, triggers: [b], audience: [agent]}]",
    good="units: [{id: a, path: a.md, intent: A, triggers: [a], audience: [agent]}, {id: b, path: b.md, "
    "intent: B, triggers: [b], audience: [agent]}]",
    part="root", protected=True,
)  # fmt: skip
NO_PATH = Rule(
    "KCP107", "no-path", "error", "§4.3", "A unit without a path has no content.", bad='path: ""',
    good="path: guide.md", protected=True,
)  # fmt: skip
PATH_IS_URL = Rule(
    "KCP108", "path-is-url", "error", "§4.3", "A unit's content lies beside the manifest, never at a URL.",
    bad="path: https://a.example/guide.md", good="path: guide.md", protected=True,
)  # fmt: skip
PATH_ABSOLUTE = Rule(
    "KCP109", "path-absolute", "error", "§4.3", "A path is relative to the manifest's folder.",
    bad="path: /etc/passwd", good="path: guide.md", protected=True,
)  # fmt: skip
PATH_TRAVERSES = Rule(
    "KCP110", "path-traverses", "error", "§4.3", "A path must not climb out of the manifest's folder.",
    bad="path: ../guide.md", good="path: guide.md", protected=True,
)  # fmt: skip
PATH_MISSING = Rule(
    "KCP111", "path-missing", "error", "§4.3", "There is nothing at the unit's path.", bad="path: gone.md",
    good="path: guide.md", protected=True,
)  # fmt: skip
NO_INTENT = Rule(
    "KCP112", "no-intent", "error", "§4.4", "The intent is what a task is matched against first of all.",
    bad='intent: ""', good="intent: How do I deploy the service?",
)  # fmt: skip
NO_TRIGGERS = Rule(
    "KCP113", "no-triggers", "warning", "§4.9",
    "Without triggers only the words of the intent find the unit.", bad="triggers: []",
    good="triggers: [rollout, release]",
)  # fmt: skip
NO_AUDIENCE = Rule(
    "KCP114", "no-audience", "warning", "§4.6", "The unit does not say whom it serves.", bad="audience: []",
    good="audience: [agent, human]",
)  # fmt: skip
UNKNOWN_ACCESS = Rule(
    "KCP115", "unknown-access", "warning", "§4.11", "An access value outside the list is read as restricted.",
    bad="access: members", good="access: authenticated",
)  # fmt: skip
UNKNOWN_KIND = Rule(
    "KCP116", "unknown-kind", "warning", "§4.3a",
    "A kind outside the list is ignored; nothing it was meant to govern applies.", bad="kind: runbook",
    good="kind: policy",
)  # fmt: skip
NOT_A_DATE = Rule(
    "KCP117", "not-a-date", "error", "§4.22",
    "A date that does not start with YYYY-MM-DD compares as arbitrary text.",
    bad='temporal: {valid_from: "July 2026"}', good='temporal: {valid_from: "2026-07-01"}',
)  # fmt: skip
WINDOW_EMPTY = Rule(
    "KCP118", "window-empty", "error", "§4.22", "The unit ends before it starts, so it is never valid.",
    bad='temporal: {valid_from: "2099-07-01", valid_until: "2099-06-01"}',
    good='temporal: {valid_from: "2026-06-01", valid_until: "2099-07-01"}',
)  # fmt: skip
DEAD_END = Rule(
    "KCP119", "dead-end", "warning", "§4.22", "The unit has expired and names no successor.",
    bad='temporal: {valid_until: "2020-12-31"}', good='temporal: {valid_until: "2099-12-31"}',
)  # fmt: skip
NOT_FOR_ITSELF = Rule(
    "KCP120", "not-for-itself", "warning", "§4.20",
    "An entry of not_for shuts out the very questions the unit answers.",
    bad="intent: How do I deploy?\nnot_for: [deploy to staging]",
    good="intent: How do I deploy?\nnot_for: [billing]",
)  # fmt: skip
PAYMENT_WITHOUT_TYPE = Rule(
    "KCP126", "payment-without-type", "error", "§4.14", "A payment method without a type cannot be used.",
    bad="payment: {methods: [{currency: USDC}]}", good="payment: {methods: [{type: free}]}",
)  # fmt: skip
X402_INCOMPLETE = Rule(
    "KCP127", "x402-incomplete", "warning", "§4.14", "An x402 method does not say what a request costs.",
    bad='payment: {methods: [{type: x402, price_per_request: "0.05"}]}',
    good='payment: {methods: [{type: x402, price_per_request: "0.05", currency: USDC}]}',
)  # fmt: skip
UNKNOWN_SUCCESSOR = Rule(
    "KCP128", "unknown-successor", "error", "§4.22", "The successor is no unit of the manifest.",
    bad="temporal: {superseded_by: nobody}", good='temporal: {valid_until: "2099-12-31"}',
)  # fmt: skip

GRANT_WITHOUT_SCOPE = Rule(
    "KCP121", "grant-without-scope", "error", "§4.3c",
    "A skill is granted without a limit to what it may touch.", bad="kind: skill\nload_eligible: true",
    good=f"{SKILL}\nload_eligible: true", protected=True,
)  # fmt: skip
SKILL_WITHOUT_SCOPE = Rule(
    "KCP122", "skill-without-scope", "warning", "§4.3a",
    "A skill that may touch nothing can never be invoked.", bad="kind: skill", good=SKILL,
)  # fmt: skip
DENY_EMPTY = Rule(
    "KCP123", "deny-empty", "warning", "§4.3a", "A deny block without entries prohibits nothing.",
    bad="kind: skill\naction_scope: {tools: [git], deny: {}}",
    good="kind: skill\naction_scope: {tools: [git], deny: {tools: [rm]}}", protected=True,
)  # fmt: skip
DENY_NEUTRALISES = Rule(
    "KCP124", "deny-neutralises", "warning", "§4.3a",
    "The same entry is allowed and denied; it stays denied.",
    bad="kind: skill\naction_scope: {tools: [git, rm], deny: {tools: [rm]}}",
    good="kind: skill\naction_scope: {tools: [git], deny: {tools: [rm]}}", protected=True,
)  # fmt: skip
STEP_NULLIFIED = Rule(
    "KCP125", "step-nullified", "warning", "§4.3b",
    "All that a step's skill allows in one dimension is denied.",
    bad="units: [{id: s, path: s.md, intent: S, triggers: [s], audience: [agent], kind: skill, "
    "action_scope: {tools: [git]}}, {id: p, path: p.md, intent: P, triggers: [p], audience: [agent], kind: "
    "playbook, steps: [{id: a, uses: s}], action_scope: {deny: {tools: [git]}}}]",
    good="units: [{id: s, path: s.md, intent: S, triggers: [s], audience: [agent], kind: skill, "
    "action_scope: {tools: [git]}}, {id: p, path: p.md, intent: P, triggers: [p], audience: [agent], kind: "
    "playbook, steps: [{id: a, uses: s}], action_scope: {deny: {tools: [rm]}}}]",
    part="root", protected=True,
)  # fmt: skip

DATE_UNQUOTED = Rule(
    "KCP141", "date-unquoted", "warning", "§4.1.1",
    "Other readers turn an unquoted date into something else than text.",
    bad="temporal: {valid_until: 2099-12-31}", good='temporal: {valid_until: "2099-12-31"}',
)  # fmt: skip
GRANT_NOT_BOOLEAN = Rule(
    "KCP142", "grant-not-boolean", "error", "§4.3c", "Only true grants; anything else is read as no grant.",
    bad="load_eligible: yes", good="load_eligible: false", protected=True,
)  # fmt: skip
NOT_A_LIST = Rule(
    "KCP143", "not-a-list", "error", "§2",
    "A single value stands where a list belongs; it is read as a list of one.", bad="audience: agent",
    good="audience: [agent]", protected=True,
)  # fmt: skip
MALFORMED_BLOCK = Rule(
    "KCP144", "malformed-block", "error", "§4.3a",
    "A block that limits the unit cannot be read, so the unit stays closed.",
    bad="kind: skill\naction_scope: {tools: [git], deny: everything}",
    good="kind: skill\naction_scope: {tools: [git], deny: {tools: [rm]}}", protected=True,
)  # fmt: skip
PRICE_NOT_NUMBER = Rule(
    "KCP145", "price-not-number", "error", "§4.14",
    "A price that is no number of zero or more cannot be settled.",
    bad="payment: {methods: [{type: x402, price_per_request: cheap, currency: USDC}]}",
    good='payment: {methods: [{type: x402, price_per_request: "0.05", currency: USDC}]}',
)  # fmt: skip

BY_DECISION = {
    "B1": DATE_UNQUOTED,
    "B2": GRANT_NOT_BOOLEAN,
    "B3": NOT_A_LIST,
    "B4": MALFORMED_BLOCK,
    "B5": PRICE_NOT_NUMBER,
}
RULES = (
    NO_ID, ID_REPEATED, NO_PATH, PATH_IS_URL, PATH_ABSOLUTE, PATH_TRAVERSES, PATH_MISSING, NO_INTENT,
    NO_TRIGGERS, NO_AUDIENCE, UNKNOWN_ACCESS, UNKNOWN_KIND, NOT_A_DATE, WINDOW_EMPTY, DEAD_END,
    NOT_FOR_ITSELF, GRANT_WITHOUT_SCOPE, SKILL_WITHOUT_SCOPE, DENY_EMPTY, DENY_NEUTRALISES, STEP_NULLIFIED,
    PAYMENT_WITHOUT_TYPE, X402_INCOMPLETE, UNKNOWN_SUCCESSOR, *BY_DECISION.values(),
)  # fmt: skip
