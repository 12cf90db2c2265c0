"""The rules over ideas: which must come together within one sentence, and whether a describing one counts.

A row is: id, reason, groups, reach, and `even`. One idea of each group (`A|B`) must occur within `reach`
characters; one of a group `-A|B` must not occur in the sentence. `X!` is the idea as an order: in the
imperative place of an English sentence, or in a form that other languages use for orders. `even` tells
whether a sentence that describes (asks how, explains, quotes) hits too. `FOREIGN` and `GLUED` tell that such
a form of another language is there, `LATER` that the sentence is not the first, `ALONE` that it is one word.
"""

from __future__ import annotations

_ACTION = "SEND|EXEC|PAY|SKIP|CONCEAL|DISCLOSE|CHANGE|LOAD|OBEY|OVERRIDE|REMEMBER|TRUSTED"
_ORDER = "SEND!|EXEC!|PAY!|SKIP!|DISCLOSE!|CHANGE!|LOAD!|OVERRIDE!|REMEMBER!"
_ASIDE = "POLITE|NOW|YOU|USER|CONCEAL|SKIP|AGENT|ASSURED|ALWAYS|FOREIGN"

Row = tuple[str, str, tuple[str, ...], int, bool]

RULES: tuple[Row, ...] = (
    ("set-aside-guidance", "override", ("OVERRIDE", "INSTR", "PRIOR|YOU"), 90, False),
    (
        "set-aside-guidance-order",
        "override",
        ("OVERRIDE!", "INSTR", "PRIOR|YOU|NOW|FOREIGN|GLUED"),
        90,
        False,
    ),
    (
        "guidance-void",
        "override",
        ("VOID", "INSTR|CONFIG|TARGET", "YOU|OBEY|OBEY_WEAK|NOW|AGENT|CHANGE!|HERE"),
        160,
        False,
    ),
    ("rules-lifted", "override", ("OVERRIDE!", "TARGET", "CHANGE|OBEY"), 90, False),
    ("change-of-role", "persona", ("PERSONA",), 0, False),
    (
        "role-without-limits",
        "persona",
        ("PERSONA_WEAK", "YOU|AGENT|OBEY|OBEY_WEAK|OVERRIDE!|DISCLOSE!|SEND!|EXEC!"),
        120,
        False,
    ),
    ("obey-this", "override", ("OBEY",), 0, False),
    (
        "obey",
        "override",
        ("OBEY_WEAK", "YOU|AGENT|USER|INSTR|OVERRIDE!|VOID|ALONE|CHANGE!|LOAD!|SEND!"),
        120,
        False,
    ),
    ("foreign-frame", "fake_frame", ("FRAME",), 0, False),
    (
        "announced-frame",
        "fake_frame",
        (
            "FRAME_WEAK",
            "YOU|AGENT|INSTR|OBEY|OBEY_WEAK|TARGET|CHANGE!|OVERRIDE!|PAY!|SEND!|EXEC!|VOID|USER|SECRET",
        ),
        160,
        False,
    ),
    ("prompt-disclosure", "disclosure", ("DISCLOSE!|SEND!", "CONFIG"), 120, False),
    ("prompt-question", "disclosure", ("CONFIG", "YOU", "DISCLOSE|SEND|REPLY"), 120, False),
    (
        "secret-disclosure",
        "disclosure",
        ("DISCLOSE!|SEND!", "SECRET", "YOU|ME|USER|AGENT|REPLY|NOW|POLITE|FOREIGN|GLUED"),
        140,
        False,
    ),
    (
        "secret-change",
        "disclosure",
        ("CHANGE!|PAY!", "SECRET", "USER|AGENT|NOW|POLITE|OBEY|OBEY_WEAK|CONCEAL"),
        140,
        False,
    ),
    ("secret-to-address", "disclosure", ("SECRET", "ADDRESS", "SEND|DISCLOSE|FOREIGN"), 160, False),
    (
        "data-forwarding",
        "disclosure",
        ("SEND!|DISCLOSE!", "DATA", "USER|YOU|ME|ADDRESS|AGENT|NOW|POLITE|FOREIGN"),
        140,
        False,
    ),
    ("send-to-address", "sending", ("SEND!|EXEC!|FOLLOW!|DISCLOSE!", "ADDRESS"), 160, False),
    (
        "load-from-address",
        "sending",
        ("LOAD!|FOLLOW!", "ADDRESS", "NOW|YOU|OBEY|POLITE|AGENT|USER|FOREIGN"),
        160,
        False,
    ),
    (
        "command-order",
        "command",
        ("EXEC!", "COMMAND", "POLITE|NOW|YOU|USER|AGENT|DANGER|ALWAYS|ME"),
        120,
        False,
    ),
    ("command-given", "command", ("EXEC!", "COMMAND", "THIS|YOU|NOW|POLITE|LATER"), 120, False),
    ("command-in-order", "command", ("POLITE|NOW|AGENT", "DANGER", "EXEC|CHANGE|SEND"), 120, False),
    ("change-order", "command", ("CHANGE!", "TARGET"), 60, False),
    ("payment-order", "approval", ("PAY!", "PAYABLE", _ASIDE), 140, False),
    ("trust-elevation", "trust_claim", ("TRUSTED",), 0, False),
    ("trust-only", "trust_claim", ("TRUSTV", "ONLY"), 50, False),
    ("waved-through", "concealment", ("WAVE",), 0, False),
    (
        "trust-claim",
        "trust_claim",
        ("TRUSTED_WEAK", "YOU|AGENT|SKIP|OBEY|USER|PAY!|OVERRIDE!|CHANGE!|LOAD!|TRUSTED|INSTR"),
        140,
        False,
    ),
    (
        "polite-order-glued",
        "agent_addressed",
        ("GLUED", "POLITE", "SEND|EXEC|CHANGE|PAY|DISCLOSE|SKIP|LOAD|FOLLOW|TRUSTV|REMEMBER|OVERRIDE"),
        40,
        False,
    ),
    (
        "object-order",
        "command",
        ("CHANGE!|EXEC!|SEND!|FOLLOW!|DISCLOSE!", "OBJ", "FOREIGN|LATER|USER|NOW|HERE|AGENT|REMEMBER"),
        80,
        False,
    ),
    ("when-the-user", "agent_addressed", ("WHEN_USER",), 0, False),
    (
        "vendor-claim",
        "fake_frame",
        ("VENDOR", "YOU|AGENT|POLITE|SKIP|TRUSTED|FRAME_WEAK|CHECK|OBLIGE|SECRET|CHANGE!|VOID"),
        120,
        False,
    ),
    ("answer-only", "override", ("ANSWER", "ONLY|SECRET|SWAYED|NOW|YOU|CONFIG"), 80, False),
    ("load-me", "load_demand", ("LOAD!", "NOW|ALWAYS", "ME|HERE"), 60, False),
    ("payment-order-glued", "approval", ("PAY", "PAYABLE", "POLITE"), 40, False),
    (
        "skip-check",
        "concealment",
        ("SKIP", "CHECK", "SKIP!|YOU|USER|NOW|AGENT|POLITE|READ_THIS|FOREIGN|GLUED"),
        80,
        False,
    ),
    ("concealment", "concealment", ("CONCEAL",), 0, False),
    (
        "concealment-order",
        "concealment",
        ("CONCEAL_WEAK", "USER|YOU|AGENT|SEND!|PAY!|CHANGE!|EXEC!"),
        120,
        False,
    ),
    ("load-demand", "load_demand", ("LOAD", "ALWAYS"), 70, False),
    (
        "memory",
        "persistence",
        ("REMEMBER!", "YOU|USER|AGENT|ALWAYS|NOW|SKIP|TRUSTED|FOREIGN|GLUED"),
        120,
        False,
    ),
    ("reply-order", "override", ("REPLY", "YOU|USER|DISCLOSE!|NOW|HARM"), 100, False),
    ("pressure", "pressure", ("HARM", "YOU|OBEY|AGENT|OVERRIDE!|CHANGE!|DISCLOSE!|LOAD!"), 160, False),
    ("swaying", "trust_claim", ("SWAY", "SWAYED", "USER|YOU|SWAY"), 120, False),
    ("asked", "agent_addressed", ("ASK",), 0, False),
    ("later-order", "agent_addressed", ("LATER", "SEND!|EXEC!|PAY!|OVERRIDE!|REMEMBER!|SKIP!"), 400, False),
    (
        "later-agent",
        "agent_addressed",
        (
            "LATER",
            "AGENT",
            _ACTION + "|USER|SECRET|DATA|ACT|CONFIG|CHECK|ADDRESS|OBLIGE|READ_THIS|OBJ|ME|PAYABLE",
        ),
        400,
        False,
    ),
    (
        "every-agent",
        "agent_addressed",
        ("ALL_AGENTS", _ACTION + "|USER|SECRET|DATA|ACT|CONFIG|CHECK|ADDRESS|OBLIGE|DANGER|PAYABLE|ONLY"),
        200,
        False,
    ),
    (
        "agent-acts",
        "agent_addressed",
        ("AGENT", "ACT", "USER|SECRET|DATA|CONFIG|CHECK|ADDRESS|PAYABLE|ME|YOU|PUBLISHER", "-PROTECT"),
        160,
        False,
    ),
    (
        "descriptive-directive",
        "descriptive_directive",
        ("CLAIM", "DANGER|AGENT|HERE|LOAD|COMMAND"),
        160,
        False,
    ),
    (
        "agent-order",
        "agent_addressed",
        ("AGENT", "SEND!|EXEC!|PAY!|CHANGE!|SKIP!|DISCLOSE!|OVERRIDE!|REMEMBER!"),
        14,
        False,
    ),
    (
        "danger-order",
        "command",
        ("DANGER", "LOAD!|EXEC!|CHANGE!|SEND!|DISCLOSE!", "LATER|NOW|YOU|POLITE|REPLY|THIS|USER|STEP"),
        60,
        False,
    ),
    ("your-rules", "override", ("YOUR_RULES",), 0, False),
    ("other-sources", "trust_claim", ("OTHERS", "NEG"), 40, False),
    (
        "world-order",
        "agent_addressed",
        ("GENERIC!", "WORLD", "YOU|LATER|HERE|USER|ADDRESS|SECRET|ME"),
        120,
        False,
    ),
    ("full-imperative", "imperative", ("IMPERATIVE",), 0, False),
    ("reader-addressed", "agent_addressed", ("AGENT", "READ_THIS"), 60, True),
    (
        "agent-obliged",
        "agent_addressed",
        ("AGENT", "OBLIGE", _ACTION + "|SECRET|ADDRESS|DATA|ACT|CONFIG", "-PROTECT"),
        160,
        False,
    ),
    ("agent-polite", "agent_addressed", ("AGENT", "POLITE"), 120, False),
    (
        "agent-asked",
        "agent_addressed",
        ("AGENT", _ACTION, "SECRET|TARGET|DATA|USER|YOU|ADDRESS|ALWAYS|CONFIG"),
        160,
        False,
    ),
    (
        "user-order",
        "agent_addressed",
        ("USER", _ORDER, "YOU|SECRET|DATA|PAYABLE|CHECK|POLITE|ADDRESS"),
        120,
        False,
    ),
)

# Signs that weigh little each; a sentence with enough of them speaks to somebody who acts.
WEIGHTS = {
    **dict.fromkeys(("AGENT", "READ_THIS", "USER", "YOU", "SECRET", "CONFIG", "POLITE", "NOW", "OBLIGE"), 1),
    **dict.fromkeys(
        ("ADDRESS", "DANGER", "DATA", "TARGET", "ASSURED", "ALWAYS", "REPLY", "ME", "HARM", "CHECK"), 1
    ),
    **dict.fromkeys(
        ("SEND!", "EXEC!", "PAY!", "SKIP!", "DISCLOSE!", "CHANGE!", "LOAD!", "OVERRIDE!", "REMEMBER!"), 1
    ),
}
ENOUGH = 4
