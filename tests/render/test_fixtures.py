"""The protocol's render fixtures, case by case, through the command line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from kcp.trust.keys import key_pair
from tests.render.conftest import (
    ATTACKER,
    KEY_IDS,
    ORG,
    PINNED,
    REMOTE,
    TYPOSQUAT,
    Desk,
    Rendered,
    envelope,
)

FILE_HASH = "65f8dae6a44511af0a821a484fa5503843a7975bc3d7e696500151283edabed2"
FOLDER_HASH = "edfff5ade62c07e94c763458b19bbe5dcb9696a80ff6080ed94f5299b4b131b5"
TREE_HASH = "961c2f0f745c484299db0feb87b097bb079b5fe37af0caeba450973d426d4c5c"
RAW = "https://raw.githubusercontent.com/Cantara/lib-pcb/HEAD/knowledge.yaml"


@pytest.fixture
def fixtures(shared_data: Path) -> Path:
    return shared_data / "render-fixtures"


class Case:
    """A desk that knows the fixtures."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk = desk
        self.folder = folder

    def put(self, name: str, signer=None, **replaced: str) -> None:
        text = (self.folder / f"{name}.yaml").read_text("utf-8")
        for placeholder, value in replaced.items():
            text = text.replace(placeholder, value)
        self.desk.write(text, signer)

    def hashed(self, signer=ORG) -> None:
        """Set-up H."""
        self.file("docs/setup.md", "# Setup\nJDK 21 and Maven are described here.\n")
        self.file("docs/notes.md", "anything\n")
        self.file("src/gerber/Gerber.java", "class Gerber {}\n")
        self.file("src/gerber/nested/Drill.java", "class Drill {}\n")
        self.put("legit-hashed", signer, PLACEHOLDER_FILE_HASH=FILE_HASH, PLACEHOLDER_DIR_HASH=FOLDER_HASH)

    def swap(self) -> None:
        """Set-up S."""
        self.file("docs/setup.md", "other\n")
        self.file("src/gerber/Gerber.java", "other\n")

    def file(self, path: str, text: str) -> None:
        target = self.desk.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")


@pytest.fixture
def case(desk: Desk, fixtures: Path) -> Case:
    return Case(desk, fixtures)


def sound(result: Rendered, tier: str) -> Rendered:
    """An artifact of the tier; what holds for every row of the table."""
    assert result.code == 0, result.err
    assert result.artifact["trust"]["tier"] == tier
    assert "rendered_at" not in result.artifact["render"]
    total, *parts = result.stats
    assert total == sum(parts)
    return result


def refused(result: Rendered) -> None:
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("✗ render refused: tier=failed (")


def eligible(result: Rendered) -> dict[str, bool]:
    return {name: unit["load_eligible"] for name, unit in result.units.items()}


def verified(result: Rendered) -> dict[str, object]:
    return {name: unit["content_verified"] for name, unit in result.units.items()}


def test_a1_minimal_unsigned(case: Case):
    case.put("legit-minimal")
    result = sound(case.desk.render(), "unsigned")
    assert result.artifact["trust"]["pinned"] is False
    assert result.dropped == {}
    assert result.quarantined == {}
    assert set(eligible(result).values()) == {False}


def test_a2_provenance_trusted(case: Case):
    case.put("legit-provenance", ORG)
    result = sound(case.desk.render(origin=PINNED), "trusted")
    trust = result.artifact["trust"]
    assert trust["pinned"] is True
    assert trust["provenance"]["publisher"] == "Cantara"
    assert eligible(result)["gerber-output"] is True
    assert result.dropped == {"trust.content_integrity": "consumed_by_renderer"}
    assert result.quarantined == {}
    assert result.artifact["relationships"][0]["type"] == "documents"


@pytest.mark.parametrize("lint", ["base", "full"])
def test_a3_describing_commands(case: Case, lint: str):
    case.put("legit-describes-commands")
    assert sound(case.desk.render("--lint", lint), "unsigned").quarantined == {}


def test_a4_executable(case: Case):
    case.put("legit-executable")
    result = sound(case.desk.render(), "unsigned")
    assert result.units["build-tooling"]["load_eligible"] is False
    assert result.units["build-tooling"]["invocation"] == "explicit"
    assert result.dropped == result.quarantined == {}


def test_a6_unknown_key(case: Case):
    case.put("legit-minimal", ATTACKER)
    result = sound(case.desk.render(), "known")
    assert result.artifact["trust"]["signature"]["status"] == "unknown-key"
    assert result.artifact["discovery"]["confidence"] == 0.6
    assert set(eligible(result).values()) == {False}


def test_a7_federation_is_never_fetched(case: Case, no_sockets: None):
    case.put("legit-federation", ORG)
    result = sound(case.desk.render("--fetch-includes", "--corroborate", origin=PINNED), "trusted")
    assert [entry["target_tier"] for entry in result.artifact["federation"]] == ["unrendered", "unrendered"]
    assert case.desk.web.asked == []


def test_a8_byte_identical(case: Case):
    case.put("legit-provenance", ORG)
    first = case.desk.render("--no-cache", origin=PINNED).out
    assert case.desk.render("--no-cache", origin=PINNED).out == first
    assert case.desk.render(origin=PINNED).out == first
    assert case.desk.render(origin=PINNED).out == first


def test_a9_content_structure(case: Case):
    case.put("legit-content-structure")
    result = sound(case.desk.render(), "unsigned")
    assert result.units["compliance-matrix"]["content_structure"] == {
        "primary": "table",
        "contains": ["table", "prose"],
        "density": "dense",
    }
    assert result.dropped == {"units[0].content_structure.exfil": "not_in_schema"}
    assert "leak.sh" not in result.out


def test_a10_hashed(case: Case):
    case.hashed()
    result = sound(case.desk.render(origin=PINNED), "trusted")
    assert result.artifact["trust"]["origin_evidence"] == "asserted"
    assert verified(result) == {"setup-docs": True, "gerber-src": True, "notes": "absent"}
    assert set(eligible(result).values()) == {True}


def test_a11_hashed_directory(case: Case):
    for path, text in {
        "README.md": "docs\n",
        ".hidden": "dotfiles count too\n",
        "nested/empty.txt": "",
        "nested/deeper/å-utf8.md": "unicode name\n",
    }.items():
        case.file(f"tree/{path}", text)
    case.put("legit-hashed-dir", PLACEHOLDER_DIR_HASH=TREE_HASH)
    assert verified(sound(case.desk.render(), "unsigned")) == {"tree-docs": True}


def test_a12_corroborated(case: Case):
    case.hashed()
    case.desk.git()
    case.desk.web.pages[RAW] = case.desk.path.read_bytes()
    result = sound(case.desk.render("--corroborate", origin=None), "trusted")
    assert result.artifact["trust"]["origin_evidence"] == "fetched"
    assert result.artifact["trust"]["corroboration"] == {"url": RAW, "result": "matched"}
    assert eligible(result) == {"setup-docs": True, "gerber-src": True, "notes": False}
    assert "trusted tier rests on corroboration" in result.err


@pytest.mark.parametrize("signer", [None, ATTACKER], ids=["b1", "b6"])
@pytest.mark.parametrize("lint", ["base", "full"])
def test_b1_b6_imperatives(case: Case, signer, lint: str):
    case.put("hostile-imperative", signer)
    result = sound(case.desk.render("--lint", lint), "unsigned" if signer is None else "known")
    assert result.quarantined == {
        "units[0].intent": "always-never-run",
        "units[1].intent": "you-must",
        "units[2].intent": "before-any-task",
    }
    for payload in ("refresh-deps.sh", "evil.example", "scripts/refresh.sh"):
        assert payload not in result.out
    first = result.artifact["sanitization"]["quarantined"][0]
    assert first["original_sha256"] == "b76869eb28a13789e80ab60d82945f2dde1b77d76aa10539837ebba769ed29af"


def test_b3_laundered_executable(case: Case):
    case.put("hostile-launder", ORG)
    assert eligible(sound(case.desk.render(origin=PINNED), "trusted")) == {
        "helpful-runner": False,
        "docs": True,
    }


def test_b4_smuggled_fields(case: Case):
    case.put("hostile-smuggle")
    result = sound(case.desk.render(), "unsigned")
    assert set(result.dropped) == {"agent_bootstrap", "units[0].setup_hint", "units[0].agent_instructions"}
    for payload in ("Ignore previous", "init.sh", "refresh-deps.sh", "exfil.sh"):
        assert payload not in result.out


def test_b5_unknown_kind(case: Case):
    case.put("hostile-unknown-kind")
    result = sound(case.desk.render(), "unsigned")
    (unit,) = result.artifact["units"]
    assert result.dropped == {"units[0].kind": "unknown_kind"}
    assert "kind" not in unit
    assert unit["load_eligible"] is False
    assert unit["invocation"] == "explicit"


def test_b7_unsigned_from_a_pinned_origin_and_its_control_b8(case: Case):
    case.put("legit-minimal")
    refused(case.desk.render(origin="github.com/Cantara/lib-x"))
    sound(case.desk.render(), "unsigned")


def test_b9_changed_after_signing(case: Case):
    case.put("legit-provenance", ORG)
    case.desk.path.write_bytes(case.desk.path.read_bytes() + b"# more\n")
    refused(case.desk.render(origin=PINNED))


def test_b10_forged_artifact(case: Case):
    case.put("legit-minimal")
    genuine = case.desk.render().out
    file = case.desk.folder / "kcp-rendered.yaml"
    file.write_text(genuine, encoding="utf-8")
    assert case.desk.render("--verify", str(file)).code == 0
    digest = hashlib.sha256(case.desk.path.read_bytes()).hexdigest()
    assert digest in genuine
    forged = genuine.replace("tier: unsigned", "tier: trusted")
    for text in (forged, forged.replace(digest, "0" * 64)):
        file.write_text(text, encoding="utf-8")
        result = case.desk.render("--verify", str(file))
        assert result.code == 1
        assert "is not what" in result.err


def test_b11_typosquat(case: Case):
    case.put("legit-minimal", ORG)
    result = sound(case.desk.render(origin=TYPOSQUAT), "known")
    assert result.artifact["trust"]["pinned"] is False


def test_b12_descriptive_bypass_is_the_base_sets_known_gap(case: Case):
    case.put("hostile-descriptive-bypass")
    assert sound(case.desk.render("--lint", "base"), "unsigned").quarantined == {}


def test_b13_signature_replaced(case: Case):
    case.put("legit-minimal", ATTACKER)
    refused(case.desk.render(origin=PINNED))


def test_b15_trigger_injection(case: Case):
    case.put("hostile-trigger-injection")
    result = sound(case.desk.render("--lint", "base"), "unsigned")
    assert result.quarantined == {"units[0].triggers": "always-never-run", "units[0].not_for": "you-must"}
    digest = result.artifact["sanitization"]["quarantined"][0]["original_sha256"]
    assert digest == "855b8ba828b89b4080fe0f04f7e93628f37b4c5d0538d34e88932121609eecfe"
    assert "refresh-deps" not in result.out
    assert "evil.example" not in result.out


def test_b16_multiline(case: Case):
    case.put("hostile-multiline-intent")
    result = sound(case.desk.render("--lint", "base"), "unsigned")
    assert result.quarantined == {"units[0].intent": "sentence-initial-imperative"}


def test_b17_relocated(case: Case):
    case.hashed()
    case.swap()
    case.desk.git(REMOTE)
    result = sound(case.desk.render(origin=None), "known")
    trust = result.artifact["trust"]
    assert trust["pinned"] is True
    assert trust["origin_evidence"] == "derived"
    assert trust["reason"] == "origin_evidence_derived"
    assert verified(result) == {"setup-docs": "mismatch", "gerber-src": "mismatch", "notes": "absent"}
    assert set(eligible(result).values()) == {False}
    assert result.dropped == {
        "units[0].content_hash": "content_hash_mismatch",
        "units[1].content_hash": "content_hash_mismatch",
    }
    assert "trusted tier withheld" in result.err


def test_b17b_relocated_with_the_opt_in(case: Case):
    case.hashed()
    case.swap()
    case.desk.git()
    result = sound(case.desk.render("--allow-derived-origin", origin=None), "trusted")
    assert result.artifact["trust"]["origin_evidence"] == "derived"
    assert eligible(result) == {"setup-docs": False, "gerber-src": False, "notes": True}


def test_b18_edited_content(case: Case):
    case.hashed()
    case.file("docs/setup.md", "edited\n")
    result = sound(case.desk.render(origin=PINNED), "trusted")
    assert verified(result) == {"setup-docs": "mismatch", "gerber-src": True, "notes": "absent"}
    assert eligible(result)["setup-docs"] is False
    assert eligible(result)["gerber-src"] is True


def test_b19_corroboration_mismatch(case: Case):
    case.hashed()
    case.desk.git()
    case.desk.web.pages[RAW] = b"project: another\n"
    result = sound(case.desk.render("--corroborate", origin=None), "known")
    trust = result.artifact["trust"]
    assert trust["origin_evidence"] == "derived"
    assert trust["corroboration"]["result"] == "mismatch"
    assert trust["reason"] == "origin_evidence_derived"


def test_b20_corroborated_but_swapped(case: Case):
    case.hashed()
    case.swap()
    case.desk.git()
    case.desk.web.pages[RAW] = case.desk.path.read_bytes()
    result = sound(case.desk.render("--corroborate", origin=None), "trusted")
    assert result.artifact["trust"]["origin_evidence"] == "fetched"
    assert verified(result) == {"setup-docs": "mismatch", "gerber-src": "mismatch", "notes": "absent"}
    assert set(eligible(result).values()) == {False}


PLATFORM = b"""\
project: platform
units:
  - id: submit-expense
    path: docs/expense.md
    intent: How an expense is submitted
"""
SOURCE = "https://raw.githubusercontent.com/attacker-controlled/platform/main/knowledge.yaml"


@pytest.mark.parametrize("where", ["remote", "local"])
@pytest.mark.parametrize(
    ("pin", "may_load", "warning"),
    [
        (None, False, "unverified"),
        (hashlib.sha256(PLATFORM).hexdigest(), True, None),
        ("0" * 64, False, "failed integrity"),
    ],
    ids=["b21", "b22", "b23"],
)
def test_b21_b22_b23_includes(case: Case, where: str, pin: str | None, may_load: bool, warning: str | None):
    text = (case.folder / "composition-unverified-include.yaml").read_text("utf-8")
    assert SOURCE in text
    if where == "local":
        text = text.replace(SOURCE, "platform/knowledge.yaml")
        case.file("platform/knowledge.yaml", PLATFORM.decode())
    else:
        case.desk.web.pages[SOURCE] = PLATFORM
    if pin is not None:
        text = text.replace(
            "      as: platform\n",
            "      as: platform\n      integrity: {manifest_hash: {algorithm: sha256, value: '"
            + pin
            + "'}}\n",
        )
    case.desk.write(text, ORG)
    flags = ["--fetch-includes"] if where == "remote" else []
    result = sound(case.desk.render(*flags, origin=PINNED), "trusted")
    assert eligible(result) == {"platform:submit-expense": may_load, "local-overview": True}
    if warning is None:
        assert "include" not in result.err
    else:
        assert warning in result.err


STATISTICS = {
    "composition-unverified-include": (8, 6, 2, 0),
    "hostile-descriptive-bypass": (9, 9, 0, 0),
    "hostile-imperative": (23, 20, 0, 3),
    "hostile-launder": (16, 16, 0, 0),
    "hostile-multiline-intent": (9, 8, 0, 1),
    "hostile-smuggle": (13, 9, 4, 0),
    "hostile-trigger-injection": (10, 8, 0, 2),
    "hostile-unknown-kind": (9, 8, 1, 0),
    "legit-content-structure": (13, 12, 1, 0),
    "legit-describes-commands": (23, 23, 0, 0),
    "legit-executable": (16, 16, 0, 0),
    "legit-federation": (15, 15, 0, 0),
    "legit-hashed": (20, 16, 4, 0),
    "legit-hashed-dir": (7, 5, 2, 0),
    "legit-minimal": (16, 16, 0, 0),
    "legit-provenance": (17, 14, 3, 0),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_leaf_statistics(case: Case, name: str):
    case.put(name)
    assert sound(case.desk.render("--lint", "base"), "unsigned").stats == STATISTICS[name]


def test_every_fixture_has_statistics(fixtures: Path):
    assert {path.stem for path in fixtures.glob("*.yaml")} == set(STATISTICS)


def test_signature_vector(fixtures: Path):
    pair = key_pair(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    data = (fixtures / "legit-minimal.yaml").read_bytes()
    made = json.loads(envelope(pair, data))
    assert pair.public not in KEY_IDS
    assert made["public_key"] == "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    assert made["signature"] == (
        "+/CSnhnJGhL100Wl104gQBACS0jy93M/2Ap5Y/mUuqmTdVSXyG+OWNrTd9c9aqznhVibwPLbW8SkpWnR5Bl+Ag=="
    )
