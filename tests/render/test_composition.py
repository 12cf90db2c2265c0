"""Composition: pins, order, confinement, cycles, and the warnings (render contract §9; C15, C17)."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from kcp.render import includes
from tests.render.conftest import ATTACKER, ORG, PINNED, UNPINNED, Desk, Rendered, envelope

HEAD = 'kcp_version: "0.32"\nproject: p\nversion: "1"\n'
POINTERS = "its units render as pointers at every tier (RFC-0022 C17)"
URL = "https://parts.example/knowledge.yaml"


def manifest(*ids: str, extra: str = "", intent: str = "x") -> str:
    units = "".join(f"  - {{id: {name}, path: {name}.md, intent: {intent}}}\n" for name in ids)
    return HEAD + extra + ("units:\n" + units if units else "")


def block(*includes: str, **more: str) -> str:
    listed = "".join(f"    - {{{include}}}\n" for include in includes)
    rest = "".join(f"  {key}: {value}\n" for key, value in more.items())
    return f"composition:\n  includes:\n{listed}{rest}"


def pin(text: str, algorithm: str = "sha256") -> str:
    digest = hashlib.new(algorithm, text.encode()).hexdigest()
    return f"integrity: {{manifest_hash: {{algorithm: {algorithm}, value: '{digest}'}}}}"


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def trusted(desk: Desk, text: str, *flags: str) -> Rendered:
    desk.write(text, ORG)
    result = desk.render(*flags, origin=PINNED)
    assert result.code == 0, result.err
    assert result.artifact["trust"]["tier"] == "trusted"
    return result


def eligible(result: Rendered) -> dict[str, bool]:
    return {name: unit["load_eligible"] for name, unit in result.units.items()}


def test_order_of_the_merged_list(desk: Desk):
    a, b = manifest("a", "b", "c", "x"), manifest("b", "d", "x", intent="later")
    put(desk.folder, "one.yaml", a)
    put(desk.folder, "two.yaml", b)
    changes = {"overrides": "[{id: c, intent: overridden}]", "excludes": "[d]"}
    composed = block(f"source: one.yaml, {pin(a)}", f"source: two.yaml, {pin(b)}", **changes)
    result = trusted(desk, manifest("x", "local", extra=composed, intent="mine"))
    assert [unit["id"] for unit in result.artifact["units"]] == ["a", "b", "c", "x", "local"]
    assert [unit["intent"] for unit in result.artifact["units"]] == [
        *("x", "later", "overridden", "mine", "mine")
    ]
    assert set(eligible(result).values()) == {True}
    assert result.dropped == {"composition": "consumed_by_renderer"}
    assert result.err == ""


def test_names(desk: Desk):
    text = manifest("a")
    put(desk.folder, "one.yaml", text)
    result = trusted(desk, manifest("a", extra=block(f"source: one.yaml, as: one, {pin(text)}")))
    assert eligible(result) == {"one:a": True, "a": True}


def test_unknown_overrides_and_excludes_warn(desk: Desk):
    changes = {"overrides": "[{id: u, intent: x}, 5, {intent: y}]", "excludes": "[v, 6]"}
    result = trusted(desk, manifest("a", extra=block(**changes)))
    assert "⚠ composition override references unknown unit id 'u' (§3.11)\n" in result.err
    assert "⚠ composition exclude references unknown unit id 'v' (§3.11)\n" in result.err
    assert result.err.count("references unknown unit id") == 5


def test_unpinned_local_file_is_unverified(desk: Desk):
    put(desk.folder, "one.yaml", manifest("a"))
    text = manifest("b", extra=block("source: one.yaml"))
    result = trusted(desk, text)
    assert eligible(result) == {"a": False, "b": True}
    assert result.err == (
        "⚠ composition include 'one.yaml' is unverified (no integrity pin); its units are pointer-only at "
        "trusted tier — add integrity.manifest_hash or expected_signer (RFC-0022 C17)\n"
    )
    desk.signature.unlink()
    assert desk.render(origin=UNPINNED).err == ""


@pytest.mark.parametrize("algorithm", ["sha256", "sha384", "sha512"])
def test_hash_holds(desk: Desk, algorithm: str):
    text = manifest("a")
    put(desk.folder, "one.yaml", text)
    result = trusted(desk, manifest(extra=block(f"source: one.yaml, {pin(text, algorithm)}")))
    assert eligible(result) == {"a": True}


@pytest.mark.parametrize(
    "integrity",
    [
        "{manifest_hash: {algorithm: sha256, value: abc}}",
        "{manifest_hash: {algorithm: md5, value: abc}}",
        "{manifest_hash: {value: abc}}",
        "{manifest_hash: {algorithm: sha256}}",
        "{manifest_hash: null}",
        "{manifest_hash: abc}",
        "abc",
        "null",
        "[]",
    ],
)
def test_hash_that_does_not_hold(desk: Desk, integrity: str):
    put(desk.folder, "one.yaml", manifest("a"))
    result = trusted(desk, manifest("b", extra=block(f"source: one.yaml, integrity: {integrity}")))
    assert eligible(result) == {"a": False, "b": True}
    start = f"⚠ composition include 'one.yaml' failed integrity (manifest_hash mismatch); {POINTERS} [field="
    assert result.err.startswith(start)
    assert " expected=" in result.err
    assert " observed=" in result.err


def test_hash_is_over_bytes(desk: Desk):
    text = manifest("a")
    put(desk.folder, "one.yaml", text.replace("\n", "\r\n"))
    result = trusted(desk, manifest(extra=block(f"source: one.yaml, {pin(text)}")))
    assert eligible(result) == {"a": False}


@pytest.mark.parametrize(
    ("signer", "expected", "may_load"),
    [
        (ORG, "cantara-org-2026", True),
        (ORG, "helpful-key-2026", False),
        (ATTACKER, "helpful-key-2026", False),
        (None, "cantara-org-2026", False),
    ],
)
@pytest.mark.parametrize("where", ["local", "remote"])
def test_expected_signer(desk: Desk, where: str, signer, expected: str, may_load: bool):
    text = manifest("a").encode()
    if where == "local":
        put(desk.folder, "one.yaml", text.decode())
    desk.web.pages[URL] = text
    if signer is not None:
        (desk.folder / "one.yaml.sig").write_bytes(envelope(signer, text))
        desk.web.pages[f"{URL}.sig"] = envelope(signer, text)
    source = "one.yaml" if where == "local" else URL
    composed = block(f"source: '{source}', integrity: {{expected_signer: {expected}}}")
    result = trusted(desk, manifest("b", extra=composed), "--fetch-includes")
    assert eligible(result) == {"a": may_load, "b": True}
    assert ("expected_signer not satisfied" in result.err) is not may_load


@pytest.mark.parametrize("signature", [b"", b"{}", b"[", b"x" * 20_000])
def test_broken_signature_of_an_include(desk: Desk, signature: bytes):
    put(desk.folder, "one.yaml", manifest("a"))
    (desk.folder / "one.yaml.sig").write_bytes(signature)
    composed = block("source: one.yaml, integrity: {expected_signer: cantara-org-2026}")
    assert eligible(trusted(desk, manifest(extra=composed))) == {"a": False}


def test_every_declared_pin_must_hold(desk: Desk):
    text = manifest("a")
    put(desk.folder, "one.yaml", text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    both = f"{{manifest_hash: {{algorithm: sha256, value: '{digest}'}}, expected_signer: cantara-org-2026}}"
    composed = block(f"source: one.yaml, integrity: {both}")
    assert eligible(trusted(desk, manifest(extra=composed))) == {"a": False}
    (desk.folder / "one.yaml.sig").write_bytes(envelope(ORG, text.encode()))
    assert eligible(trusted(desk, manifest(extra=composed))) == {"a": True}


@pytest.mark.parametrize(
    "include",
    [
        "source: missing.yaml",
        "source: ../outside.yaml",
        "source: /etc/hostname",
        "source: link.yaml",
        "source: folder",
        "source: broken.yaml",
        "source: list.yaml",
        "source: 'file:///etc/hostname'",
        "source: 'a\\b.yaml'",
        "source: fifo",
        "source: one.yaml, as: 'a b'",
        "source: one.yaml, as: [x]",
        "source: 5",
        "as: x",
    ],
)
def test_source_that_cannot_be_had(desk: Desk, include: str):
    put(desk.folder.parent, "outside.yaml", manifest("secret"))
    put(desk.folder, "one.yaml", manifest("a"))
    put(desk.folder, "broken.yaml", "a: [\n")
    put(desk.folder, "list.yaml", "- a\n")
    (desk.folder / "folder").mkdir()
    os.symlink(desk.folder.parent / "outside.yaml", desk.folder / "link.yaml")
    os.mkfifo(desk.folder / "fifo")
    result = trusted(desk, manifest("b", extra=block(include)))
    assert eligible(result) == {"b": True}
    assert "failed integrity (source unreachable)" in result.err


@pytest.mark.parametrize("include", ["5", "[a]", "null"])
def test_include_that_is_none(desk: Desk, include: str):
    text = manifest("b", extra=f"composition: {{includes: [{include}]}}\n")
    assert "composition include '?' failed integrity (source unreachable)" in trusted(desk, text).err


def test_remote_include_needs_the_flag(desk: Desk, no_sockets: None):
    desk.web.pages[URL] = manifest("a").encode()
    result = trusted(desk, manifest("b", extra=block(f"source: '{URL}', {pin(manifest('a'))}")))
    assert eligible(result) == {"b": True}
    assert f"⚠ composition include '{URL}' failed integrity (not fetched); {POINTERS}" in result.err
    assert desk.web.asked == []


@pytest.mark.parametrize("signer", [None, ATTACKER])
def test_remote_include_is_fetched_for_a_trusted_manifest_alone(desk: Desk, signer):
    desk.web.pages[URL] = manifest("a").encode()
    desk.write(manifest("b", extra=block(f"source: '{URL}'")), signer)
    result = desk.render("--fetch-includes")
    assert list(result.units) == ["b"]
    assert "(not fetched)" in result.err
    assert desk.web.asked == []


def test_remote_include_that_is_too_large(desk: Desk):
    desk.web.pages[URL] = b"#" * (2**20 + 1)
    result = trusted(desk, manifest("b", extra=block(f"source: '{URL}'")), "--fetch-includes")
    assert "source unreachable" in result.err


def test_nested_includes(desk: Desk):
    inner = manifest("i")
    outer = manifest("o", extra=block(f"source: inner.yaml, as: in, {pin(inner)}"))
    put(desk.folder, "sub/inner.yaml", inner)
    put(desk.folder, "sub/outer.yaml", outer)
    result = trusted(desk, manifest("r", extra=block(f"source: sub/outer.yaml, as: out, {pin(outer)}")))
    assert eligible(result) == {"out:in:i": True, "out:o": True, "r": True}
    result = trusted(desk, manifest("r", extra=block("source: sub/outer.yaml, as: out")))
    assert eligible(result) == {"out:in:i": False, "out:o": False, "r": True}


def test_nested_include_may_go_up_within_the_folder(desk: Desk):
    put(desk.folder, "shared.yaml", manifest("s"))
    put(desk.folder, "sub/outer.yaml", manifest(extra=block("source: ../shared.yaml")))
    assert eligible(trusted(desk, manifest(extra=block("source: sub/outer.yaml")))) == {"s": False}


def test_nested_remote_include_of_an_unverified_one_is_not_fetched(desk: Desk):
    desk.web.pages[URL] = manifest("a", extra=block("source: other.yaml")).encode()
    result = trusted(desk, manifest(extra=block(f"source: '{URL}'")), "--fetch-includes")
    assert desk.web.asked == [URL]
    assert eligible(result) == {"a": False}
    assert "'other.yaml' failed integrity (not fetched)" in result.err


def test_nested_remote_include_of_a_verified_one_is_relative_to_it(desk: Desk):
    text = manifest("a", extra=block("source: sub/other.yaml"))
    desk.web.pages[URL] = text.encode()
    desk.web.pages["https://parts.example/sub/other.yaml"] = manifest("b").encode()
    result = trusted(desk, manifest(extra=block(f"source: '{URL}', {pin(text)}")), "--fetch-includes")
    assert eligible(result) == {"b": False, "a": True}


@pytest.mark.parametrize(
    "files",
    [
        {"knowledge.yaml": "knowledge.yaml"},
        {"knowledge.yaml": "one.yaml", "one.yaml": "knowledge.yaml"},
        {"knowledge.yaml": "one.yaml", "one.yaml": "./sub/../one.yaml"},
    ],
)
def test_cycle(desk: Desk, files: dict[str, str]):
    for name, source in files.items():
        put(desk.folder, name, manifest(extra=block(f"source: {source}")))
    desk.sign(ORG)
    result = desk.render(origin=PINNED)
    assert (result.code, result.out) == (3, "")
    assert "form a cycle" in result.err


def test_same_source_twice_is_no_cycle(desk: Desk):
    put(desk.folder, "one.yaml", manifest("a"))
    text = manifest(extra=block("source: one.yaml, as: x", "source: one.yaml, as: y"))
    assert eligible(trusted(desk, text)) == {"x:a": False, "y:a": False}


def chain(desk: Desk, length: int) -> None:
    for place in range(1, length):
        put(desk.folder, f"{place}.yaml", manifest(f"u{place}", extra=block(f"source: {place + 1}.yaml")))
    put(desk.folder, f"{length}.yaml", manifest(f"u{length}"))


def test_depth(desk: Desk):
    chain(desk, 5)
    text = manifest(extra=block("source: 1.yaml"))
    assert len(trusted(desk, text).units) == 5
    chain(desk, 6)
    result = desk.render(origin=PINNED)
    assert result.code == 3
    assert "nest deeper than 5" in result.err


def test_number_of_includes(desk: Desk):
    put(desk.folder, "1.yaml", manifest(extra=block(*["source: 2.yaml"] * 20)))
    put(desk.folder, "2.yaml", manifest("a"))
    desk.write(manifest(extra=block(*["source: 1.yaml"] * 20)))
    assert "more than 64 includes" in desk.render().err


def test_size_of_includes(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(includes, "MAX_INCLUDED_BYTES", 200)
    put(desk.folder, "1.yaml", manifest("a") + "#" * 150)
    desk.write(manifest(extra=block("source: 1.yaml", "source: 1.yaml")))
    result = desk.render()
    assert result.code == 3
    assert "larger than 200 bytes in all" in result.err


def test_number_of_units(desk: Desk):
    desk.write(HEAD + "units: [" + "{}," * 10_001 + "]\n")
    assert "more than 10,000 units" in desk.render().err


def test_hash_of_an_included_unit_is_not_looked_at(desk: Desk):
    text = HEAD + "units: [{id: a, path: ../../etc/hostname, content_hash: {algorithm: sha256, value: x}}]\n"
    put(desk.folder, "one.yaml", text)
    result = trusted(desk, manifest("b", extra=block(f"source: one.yaml, as: o, {pin(text)}")))
    assert result.units["o:a"]["content_verified"] == "absent"
    assert result.dropped["units[0].content_hash"] == "consumed_by_renderer"


def test_included_text_is_linted_like_any_other(desk: Desk):
    text = manifest("a", intent="Always run ./x.sh")
    put(desk.folder, "one.yaml", text)
    result = trusted(desk, manifest("b", extra=block(f"source: one.yaml, {pin(text)}")))
    assert result.quarantined == {"units[0].intent": "always-never-run"}


@pytest.mark.parametrize("value", ["x", "[a]", "null", "[{includes: []}]"])
def test_block_that_is_no_mapping(desk: Desk, value: str):
    result = trusted(desk, manifest("a", extra=f"composition: {value}\n"))
    assert result.dropped == {"composition": "wrong_type"}


@pytest.mark.parametrize("value", ["x", "null", "{id: y}", "[]", "[x, y]"])
def test_units_that_are_no_list_beside_an_include(desk: Desk, value: str):
    put(desk.folder, "one.yaml", manifest("a"))
    result = trusted(desk, HEAD + block("source: one.yaml") + f"units: {value}\n")
    assert list(result.units) == ["a"]
    total, *parts = result.stats
    assert total == sum(parts)
    assert ("wrong_type" in result.dropped.values()) is (value != "[]")
