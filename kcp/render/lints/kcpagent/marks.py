"""What the raw text shows before any word is read: hidden characters, mixed scripts, markup."""

from __future__ import annotations

import re

from kcp.render.lints import Hit
from kcp.render.lints.kcpagent.letters import CYRILLIC, GREEK, LOOK_ALIKE_BLOCKS, OTHER
from kcp.render.lints.patterns import Patterns
from kcp.text.casing import lower

_CONTROLS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufff9-\ufffb\u202a-\u202e\u2060-\u2064\ufeff\u206a-\u206f\u3164\uffa0\u115f\u1160]"
)
_TAGS = re.compile(r"[\U000e0001-\U000e007f]")
_FLAG = re.compile(r"\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_ISOLATES = re.compile(r"[\u2066-\u2069\u200e\u200f\u061c]")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINED_LATIN = re.compile(r"[A-Za-z0-9][\u200c\u200d]|[\u200c\u200d][A-Za-z0-9]")
_ZERO_SPACE = re.compile(r"(?<![\u0e00-\u109f\u1780-\u17ff])\u200b")
_MANY_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}")
# Without any of these nothing is hidden.
_ODD = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_WORD = re.compile(r"[^\W\d_]+")
_HIDDEN = Hit("hidden_characters", "hidden-characters")
_MIXED = Hit("mixed_script", "mixed-script")
_LOOKS = frozenset(CYRILLIC) | frozenset(GREEK) | frozenset(OTHER)

_MARKUP = tuple(
    (Hit(reason, rule), signs, pattern)
    for rule, reason, signs, pattern in (
        (
            "chat-tag",
            "fake_frame",
            ("<|", "[", "<<", "<｜", "im_"),
            (
                r"<\|[a-z_]{2,30}\|?>?|\[/?(?:inst|sys|system|assistant|user)\]|<</?sys>>|<｜|"
                r"\bim_(?:start|end)\b"
            ),
        ),
        (
            "prompt-tag",
            "fake_frame",
            ("<",),
            (
                r"(?:</|(?<!the )(?<!and )(?<!as )(?<!or )(?<!, )(?<!an )(?<!a )<)(?:system|assistant|"
                r"user|human|instructions?|prompt|policy|tool_call|tool|function_calls?|invoke|antml|"
                r"kcp|context|document|data|untrusted|trusted|unit|manifest|admin|developer|thinking|"
                r"important|secret|override|command|role|message|result|function_results)\b[^<>]{0,80}>"
            ),
        ),
        (
            "active-markup",
            "markup",
            ("<", "=", "script:", "data:"),
            (
                r"<(?:script|iframe|img|svg|object|embed|form|link|meta|style|body|base|video|"
                r"audio)\s+[a-z-]+\s*=|<script>[^<]{1,200}(?:</script|[;(=])|"
                r"\bon(?:error|load|click|mouseover)\s*=|javascript:|data:text/|"
                r"style\s*=[^>]{0,80}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
                r"color\s*:\s*(?:white|transparent|#fff))|<!--(?![\w ]{0,24}-->)|"
                r"<[a-z]{1,10}\b[^<>]{0,80}\bhidden\s*>|aria-hidden\s*=\s*.true"
            ),
        ),
        ("remote-image", "markup", ("![",), r"!\[[^\]]{0,80}\]\(\s*(?:https?:)?//"),
        (
            "query-placeholder",
            "markup",
            ("?", "&"),
            r"https?://[^\s)]{1,120}[?&][^\s)=]{0,20}=(?:\{|<|\$|%7b|\[|[A-Z]+_[A-Z]+\b)",
        ),
        (
            "tool-object",
            "fake_frame",
            ('"', "'"),
            (
                r"[{,]\s*.?[\"'](?:tool|tool_name|function|function_call|tool_calls?|cmd|command|role|"
                r"instructions?|system|system_prompt|action|recipient_name|arguments|trusted)[\"']\s*:"
            ),
        ),
        (
            "turn-label",
            "fake_frame",
            (":", "：", "tool_call", "function_call"),
            (
                r"(?:\A|[\n\r.>!?|#*\]]\s{0,9})(?:\*\*)?(?:(?-i:SYSTEM|system|ASSISTANT|Assistant|"
                r"assistant|HUMAN|Human|human|USER|user|DEVELOPER|developer|AI|Système|SYSTÈME|SISTEMA|"
                r"sistema)|système|système|assistant ia|assistente ia|системa|система|ассистент|系统|助手|"
                r"システム|アシスタント|시스템|어시스턴트|النظام|المساعد|सिस्टम|सहायक)(?:\*\*)?\s?[:：](?!\s*//)|(?:\A|"
                r"\n)\s{0,9}#{1,6}\s{0,9}(?:system|assistant|user)\s*:|\btool_call\b|\bfunction_call\b"
            ),
        ),
        (
            "role-setting",
            "fake_frame",
            ("=", ":"),
            (
                r"\b(?:priority|role|trust|trust_level|privilege)\s?[=:]\s?(?:system|root|developer|"
                r"god|trusted|full|unrestricted|highest|max)\b|\A\s*(?:mode|role|"
                r"access)\s?[=:]\s?(?:admin|god|developer|unrestricted|root)\s*\Z"
            ),
        ),
        (
            "delimiter",
            "fake_frame",
            (
                *"-=#*>_~]",
                "end of",
                "begin of",
                "```",
                '"',
                "'",
                "}",
            ),
            (
                r"(?<![-=#*>_~])[-=#*>_~]{3,}\s{0,9}(?:end|begin|start|stop|close|ende|fin|fim|fine|"
                r"slutt|slut|einde|koniec|конец|結束|结束|終わり|끝|نهاية|new|system|trusted|context|admin|"
                r"ignore)\b(?=\s*(?:(?:of|der|des|du|de|av|af|van)\s+)?(?:the\s+)?(?:user|system|data|untrusted|"
                r"trusted|manifest|input|context|prompt|document|instructions?|message|daten|texte?s?|dokuments?|"
                r"donnees|datos|dados|tekst))|(?:end|"
                r"begin) of (?:untrusted|trusted|system|user|data|manifest|input|context|prompt|"
                r"document)|(?<![\"'}\]])[\"'}\]]{2,}\s{0,5},?\s{0,5}[\"'{\[]|\A\s*[\"'}\]]{2,}|\]\]>|```"
            ),
        ),
        (
            "template",
            "markup",
            ("{{", "${", "<%="),
            (
                r"\{\{\s*(?:config|self|request|user|system|secret|env|[a-z_]+\.[a-z_]*(?:key|secret|"
                r"token))|\$\{[a-z_.:]*(?:env|key|secret|token|jndi|pass)|<%="
            ),
        ),
        ("credential-url", "markup", ("://",), r"https?://[^/\s@:]+:[^/\s@]+@"),
        (
            "slash-command",
            "command",
            ("/", "!"),
            (
                r"(?:\A|\s)[!/](?:run|exec|system|admin|sudo|shell|approve|allow|trust|ignore|override|"
                r"load|jailbreak|reset|tool|eval)\b(?!/)"
            ),
        ),
        (
            "tool-call",
            "command",
            ("(", "rm", "base64", "invoke-expression", "nc", "/dev/tcp", "cat"),
            (
                r"\b(?:os\.system|subprocess|child_process|shell_exec|exec_?sync|runtime\.exec|eval|"
                r"system)\s?\(\s*[\"'`]|\brm\s+-rf\s+[/~]|\b(?:base64\s+(?:-d|--decode)\s*[|)]|iex\s*\(|"
                r"invoke-expression|nc\s+-e|/dev/tcp/)|\bcat\s+(?:/etc/|~/\.|\.env)"
            ),
        ),
    )
)
_PATTERNS = Patterns(_MARKUP, re.IGNORECASE)
# What IGNORECASE takes for an ASCII letter, and `lower` does not.
_FOLDED = {0x17F: "s", 0x130: "i", 0x131: "i", 0x212A: "k"}


def find_mark(text: str) -> Hit | None:
    """The first hit of the raw text."""
    text = text.translate(_FOLDED)
    if _ODD.search(text) is not None and _hides(text):
        return _HIDDEN
    if LOOK_ALIKE_BLOCKS.search(text) is not None and any(
        _mixes(word) for word in _WORD.findall(lower(text))
    ):
        return _MIXED
    return _PATTERNS.first_hit(text)


def _hides(text: str) -> bool:
    if _CONTROLS.search(text) is not None or _TAGS.search(_FLAG.sub("", text)) is not None:
        return True
    if _JOINED_LATIN.search(text) is not None or _ZERO_SPACE.search(text) is not None:
        return True
    if _MANY_SELECTORS.search(text) is not None:
        return True
    return _ISOLATES.search(text) is not None and _RIGHT_TO_LEFT.search(text) is None


def _mixes(word: str) -> bool:
    """Whether a word has Latin letters and look-alikes, and no other letter of the other script."""
    others = [char for char in word if "\u0370" <= char <= "\u058f" or "\u13a0" <= char <= "\u13ff"]
    latin = [char for char in word if "a" <= char <= "z"]
    return len(others) > 0 and len(latin) > 0 and len(word) > 1 and _LOOKS.issuperset(others)
