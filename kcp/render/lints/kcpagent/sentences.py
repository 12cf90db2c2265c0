"""A plain text as sentences, each with the ideas in it, orders marked, and whether it describes."""

from __future__ import annotations

import re

from kcp.records import Record
from kcp.render.lints.kcpagent import (
    phrases_actions,
    phrases_more,
    phrases_orders,
    phrases_people,
    phrases_secrets,
    phrases_signs,
    phrases_trust,
)
from kcp.render.lints.kcpagent.lexicon import Lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEXICON = Lexicon(
    phrases_people.IDEAS
    | phrases_orders.IDEAS
    | phrases_secrets.IDEAS
    | phrases_actions.IDEAS
    | phrases_trust.IDEAS
    | phrases_signs.IDEAS
    | phrases_more.IDEAS
)
VERBS = frozenset("DISCLOSE SEND EXEC CHANGE PAY SKIP LOAD OVERRIDE REMEMBER FOLLOW GENERIC".split())

_END = re.compile(r";(?=\s)|[.!?]{1,8}(?=[\s\"'»)\]]|\Z)|[\n\r\u2028\u2029。！？।؟…]{1,8}")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_CLAUSE = re.compile(r"[,;:—–(>\"`*•\-\]}]\s*\Z")
_ADDRESS = re.compile(
    r"https?://|www\.|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]|[a-z0-9-]\.(?:example|com|net|"
    r"org|io|test|invalid|dev|xyz|ru|cn)\b"
)
_HOST = re.compile(
    r"https?://\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+|(?<![\w.-])[\w.-]{1,120}\.(?:example|com|net|"
    r"org|io|test|invalid)\b"
)
_DANGER = re.compile(
    r"\bsudo\b|\brm\s+-|\bchmod\b|\|\s*(?:ba|z)?sh\b|\bcurl\b|\bwget\b|/etc/|/proc/|\bnpx\b|"
    r"\bdocker\s+run\b|base64\s+-d|\b(?:pip|npm)\s+install\b|\biex\b|\.sh\b|\beval\b|\.ps1\b"
)
_DANGER_SIGNS = (
    *("sudo", "rm", "chmod", "|", "curl", "wget", "/etc/", "/proc/", "npx", "docker", "base64", "pip", "npm"),
    *("iex", ".sh", "eval", ".ps1"),
)
# An English imperative stands at the start of a clause; these may come between.
_JOINING = frozenset(
    "please pls kindly and then now just also simply so instead only quietly silently you'll let's by".split()
)
_PASSING = frozenset("first go ahead next always or immediately sure remember lol start n".split())
_SUBJECTS = frozenset(
    "you agents agent assistant assistants model models ai llm llms bot bots chatbot".split()
)
_MODALS = frozenset("must should shall will would now please".split())
# People and things that are called agents or models, too.
_NO_AGENT = re.compile(
    r"\b(?:\w*estate|insurance|travel|free|fashion|cleaning|chemical|sales|call|support|service|"
    r"customer|booking|shipping|role|business"
    r"|secret|customs|letting|pathogenic|biological|nerve|transfer|literary|patent|press|photo|"
    r"data|climate|threat|security|pricing|cost)"
    r"[\s-]+(?:agent|model)s?\b|\bmodel\s+(?:train|railway|aircraft|contract|s|[0-9])\w*|"
    r"\bassistant\s+(?:professor|manager|director|coach|referee|nurse|editor)s?\b"
    r"|\bagente?s?\s+(?:de|da|di|immobili\w*)\b|\bagent\s+(?:smith|orange)|"
    r"\bmod[ae]ll?[oe]s?\s+(?:de\b|di\b|[0-9])|\bagents?'s?\b"
)
_FULL = 5
_PARTICULAR = frozenset(
    "the our this that these those any all it them us your every everything my its their".split()
)
_AFTER_NOUN = frozenset("of and for by is are was".split())
_HARMLESS = frozenset("use see read check start begin write don't make let be".split())
_PRONOUNS = frozenset(
    "what which who whose when where wat was wie quelle quel quale cual hva hvad vad co kto что кто por como"
    " as about reports".split()
)
_QUOTED = re.compile(r"[\"“„«「『‘《][^\"”“»」』’》]{1,200}[\"”“»」』’》]")


class Sentence(Record):
    """Ideas with their places, and whether the sentence describes a document."""

    ideas: tuple[tuple[int, str], ...]
    describes: bool


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a plain text in order."""
    if _QUOTED.search(text) is not None and any(
        idea == "MENTION" for _, idea in LEXICON.find(_without(_HOST, text))
    ):
        text = _QUOTED.sub(" ", text)
    start, first = 0, True
    for end in [match.end() for match in _END.finditer(text)] + [len(text)]:
        if text[start:end].strip():
            yield _sentence(text[start:end], first=first)
            first = first and text[end - 1] == ";"
        start = end


def _sentence(text: str, *, first: bool) -> Sentence:
    words = [(match.start(), match.group()) for match in _WORD.finditer(text)]
    leads = _leads(text, words)
    shown = _without(_HOST, text) if "." in text[:-1] or "@" in text else text
    if "agent" in shown or "mod" in shown or "assistant" in shown:
        shown = _without(_NO_AGENT, shown)
    found = LEXICON.find(shown)
    ideas = list(found)
    foreign = {(at, idea[:-1]) for at, idea in found if idea[-1] == "~"}
    for at, idea in found:
        if idea in VERBS and (at in leads or (at, idea) in foreign):
            ideas.append((at, idea + "!"))
    if foreign:
        ideas.append((-1, "FOREIGN" if min(text[at] for at, _ in foreign) < "\u2e80" else "GLUED"))
    if not first:
        ideas.append((-1, "LATER"))
    if _is_imperative(text, words, ideas):
        ideas.append((-1, "IMPERATIVE"))
    if len(words) == 1:
        ideas.append((-1, "ALONE"))
    if "." in text[:-1] or "://" in text:
        ideas += [(match.start(), "ADDRESS") for match in _ADDRESS.finditer(text)]
    if any(sign in text for sign in _DANGER_SIGNS):
        ideas += [(match.start(), "DANGER") for match in _DANGER.finditer(text)]
    ideas.sort()
    return Sentence(tuple(ideas), _describes(text, found, words, first=first))


def _is_imperative(text: str, words: list[tuple[int, str]], ideas: list[tuple[int, str]]) -> bool:
    """Whether a whole English sentence is an order about something in particular, not a title or a search."""
    if len(words) < _FULL or text.rstrip()[-1] not in ".!;" or words[0][1] in _HARMLESS:
        return False
    orders = {at for at, idea in ideas if idea[-1] == "!"}
    for index, (at, word) in enumerate(words[:4]):
        if at in orders:
            after = [each for _, each in words[index + 1 : index + 4]]
            return after[0] not in _AFTER_NOUN and not _PARTICULAR.isdisjoint(after)
        if word not in _JOINING and word not in _PASSING:
            return False
    return False


def _word_at(text: str, at: int) -> str:
    match = _WORD.match(text, at)
    return match.group() if match is not None else ""


def _without(pattern: re.Pattern[str], text: str) -> str:
    """The text with what matches crossed out, so that places stay the same."""
    return pattern.sub(lambda match: "x" * len(match.group()), text)


def _leads(text: str, words: list[tuple[int, str]]) -> set[int]:
    """Places of words where an English sentence has its imperative."""
    leads = set()
    lead, before = True, ""
    for at, word in words:
        lead = lead or _CLAUSE.search(text[max(0, at - 3) : at]) is not None
        if lead:
            leads.add(at)
        lead = word in _JOINING or (lead and word in _PASSING) or (before in _SUBJECTS and word in _MODALS)
        lead = lead or (word in _SUBJECTS and at in leads and word != "model")
        before = word
    return leads


def _describes(text: str, found: list[tuple[int, str]], words: list[tuple[int, str]], *, first: bool) -> bool:
    ideas = {idea for _, idea in found}
    if "MENTION" in ideas and ideas.isdisjoint(("YOU", "POLITE", "USER")):
        return True
    soon, later = [words[min(place, len(words) - 1)][0] if words else 0 for place in (1, 3)]
    early = words[min(4, len(words) - 1)][0] if words else 0
    opening = words[0][0] if words else 0
    for at, idea in found:
        if idea == "DESCRIBE" and (
            at <= opening
            or text[at] > "\u0600"
            or (first and (at <= soon or (at <= later and _word_at(text, at) not in _PRONOUNS)))
        ):
            return "YOU" not in ideas or text[at] > "\u0600"
        if idea == "DOCUMENT" and first and at <= early and "YOU" not in ideas:
            return True
    return False
