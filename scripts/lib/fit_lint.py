"""Learn the weights of the second lint set from the training corpora and write them as a table."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from binascii import b2a_base64
from math import log
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple
from zlib import compress

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from kcp.render.lints.kcpagent.normalise import plain, settled  # noqa: E402
from kcp.render.lints.kcpagent.sentences import sentences  # noqa: E402
from kcp.render.lints.kcpagent.words import SIZE, places  # noqa: E402
from scripts.lib.linear_fit import fit, weigh  # noqa: E402

CORPORA = ROOT / "tests" / "render" / "corpora"
TABLE = ROOT / "kcp" / "render" / "lints" / "kcpagent" / "table.py"
FOLDS = 6
MANY_LANGUAGES = 10
# How many of a thousand honest texts may be withheld whose author the weights have not seen.
SENTENCES_WITHHELD, WITHHELD = 4, 30
ENTRIES, BAR_UNIT = 120_000, 16
# Votes for a technique count where at least so many texts have the place, and it is so much likelier there.
VOTERS, LIKELIER = 3, 0.5
TECHNIQUES = {
    "override": "override",
    "persona": "persona hypothetical",
    "false-frame": "fake-system fake-turns fake-delimiter yaml-break",
    "disclosure": "system-prompt-leak secret-exfil",
    "sending": "forward-data fetch-url",
    "command": "run-command tool-call install modify-files",
    "approval": "approve-pay",
    "trust-claim": "trust-elevation authority social-proof",
    "concealment": "hide-from-user",
    "no-checks": "skip-verification disable-safety",
    "load-demand": "load-first",
    "persistence": "memory context-poison",
    "pressure": "urgency threat flattery emotional politeness",
}
# What decoding shows is weighed when a text is decoded; as they stand, such texts teach nothing.
ENCODED = frozenset("base64 hex rot13 reversed url-encoding binary morse".split())
KINDS = {kind: name for name, kinds in TECHNIQUES.items() for kind in kinds.split()}
NAMES = list(TECHNIQUES)


class Text(NamedTuple):
    """A text of a corpus: author, language, class and technique; its places, and those of each sentence."""

    author: str
    language: str
    hostile: bool
    kind: str
    whole: list[int]
    parts: list[list[int]]


def training_files() -> list[Path]:
    """The files that weights are learnt from; by authors who have written none of those that measure."""
    return sorted(CORPORA.glob("training/*.jsonl"))


def corpora_digest() -> str:
    """SHA-256 of those files and of their names."""
    digest = hashlib.sha256()
    for path in training_files():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def read_training() -> list[Text]:
    """Their texts."""
    texts = []
    for path in training_files():
        hostile = "hostile" in path.name
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            written = settled(row["text"])
            if row["kind"] in ENCODED and hostile:
                continue
            texts.append(
                Text(
                    path.name.replace("hostile", "").replace("honest", ""),
                    row["lang"],
                    hostile,
                    KINDS.get(row["kind"], "") if hostile else "",
                    sorted(places(plain(written), written)),
                    [sorted(places(plain(part), part)) for part in sentences(written)],
                )
            )
    return texts


class Bars(NamedTuple):
    """What a sentence, and a text as a whole, may weigh."""

    sentence: float
    whole: float


def held_out(texts: list[Text]) -> Bars:
    """Bars that withhold few enough honest texts of unseen authors; prints how hostile ones fare."""
    languages: dict[str, set[str]] = {}
    for text in texts:
        languages.setdefault(text.author, set()).add(text.language)
    # Without somebody who writes in few languages the others would be learnt from too little.
    authors = sorted([author for author, spoken in languages.items() if len(spoken) >= MANY_LANGUAGES])
    weighed: list[tuple[bool, float, float]] = []
    for fold in range(FOLDS):
        out = set(authors[fold::FOLDS])
        known = [text for text in texts if text.author not in out]
        weights, bias = fit([text.whole for text in known], [text.hostile for text in known], SIZE)
        for text in texts:
            if text.author in out:
                heaviest = max([weigh(part, weights, bias) for part in text.parts], default=-9.0)
                weighed.append((text.hostile, weigh(text.whole, weights, bias), heaviest))
    honest = [(whole, part) for hostile, whole, part in weighed if not hostile]
    by_part = sorted([part for _, part in honest], reverse=True)
    sentence = round(by_part[len(honest) * SENTENCES_WITHHELD // 1000], 3)
    rest = sorted([whole for whole, part in honest if part <= sentence], reverse=True)
    whole_bar = round(rest[len(honest) * (WITHHELD - SENTENCES_WITHHELD) // 1000], 3)
    bars = Bars(sentence, whole_bar)
    hits = [hostile for hostile, whole, part in weighed if whole > bars.whole or part > bars.sentence]
    hostile_in_all = len(weighed) - len(honest)
    false_alarms = len(hits) - sum(hits)
    print(
        f"held out: {sum(hits)} of {hostile_in_all} hostile, {false_alarms} of {len(honest)} honest; {bars}"
    )
    return bars


def vote_table(texts: list[Text]) -> bytes:
    """For each place the technique that it speaks for, times 16, plus how strongly (1 to 15); 0 for none."""
    counts = [[0] * SIZE for _ in NAMES]
    totals = [0] * len(NAMES)
    for text in texts:
        if text.kind:
            which = NAMES.index(text.kind)
            totals[which] += 1
            for place in text.whole:
                counts[which][place] += 1
    all_texts = sum(totals)
    table = bytearray(SIZE)
    for place in range(SIZE):
        here = [count[place] for count in counts]
        if sum(here) < VOTERS:
            continue
        average = (sum(here) + 0.2 * len(NAMES)) / (all_texts + 2 * len(NAMES))
        ratios = [log((n + 0.2) / (total + 2) / average) for n, total in zip(here, totals, strict=True)]
        best = max(ratios)
        if best > LIKELIER:
            table[place] = ratios.index(best) << 4 | min(15, round(best * 10))
    return bytes(table)


def table_page(texts: list[Text]) -> str:
    """The module with the table."""
    bars = held_out(texts)
    weights, bias = fit([text.whole for text in texts], [text.hostile for text in texts], SIZE)
    by_size = sorted(map(abs, weights), reverse=True)
    least = by_size[ENTRIES]
    kept = [weight if abs(weight) > least else 0.0 for weight in weights]
    unit = by_size[ENTRIES // 2000] / 127
    whole = [max(-127, min(127, round(weight / unit))) for weight in kept]
    if min(bars) <= bias:
        sys.exit("fit-lint: the bars are too low for whole numbers")
    names = "\n".join([f'    "{name}",' for name in NAMES])
    return f'''"""Weights of the words of orders and descriptions, generated by scripts/fit-lint."""

# SHA-256 of the corpora that they were learnt from.
CORPORA = "{corpora_digest()}"
# What a text may weigh, as a whole and in one sentence, in parts of a weight.
BAR_UNIT = {BAR_UNIT}
WHOLE_BAR = {round((bars.whole - bias) / unit * BAR_UNIT)}
SENTENCE_BAR = {round((bars.sentence - bias) / unit * BAR_UNIT)}
NAMES = (
{names}
)
WEIGHTS = b"""
{packed(bytes([128 + weight for weight in whole]))}
"""
TECHNIQUES = b"""
{packed(vote_table(texts))}
"""
'''


def packed(data: bytes) -> str:
    """Bytes as lines of text."""
    return "\n".join(wrap(b2a_base64(compress(data, 9), newline=False).decode(), 108))


def main() -> int:
    """Write the table, or say how it stands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the table is current")
    parser.add_argument("--held-out", action="store_true", help="only say how texts of unseen authors fare")
    options = parser.parse_args()
    texts = read_training()
    if options.held_out:
        held_out(texts)
        return 0
    page = table_page(texts)
    if not options.check:
        TABLE.write_text(page, encoding="utf-8")
        print(f"fit-lint: {len(texts)} texts, {len(page)} bytes written")
        return 0
    if TABLE.read_text(encoding="utf-8") == page:
        print("fit-lint: current")
        return 0
    print("fit-lint: the table is out of date; run scripts/fit-lint")
    return 1


if __name__ == "__main__":
    sys.exit(main())
