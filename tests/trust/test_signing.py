"""Signing a manifest and reading the result back (render contract §18)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from pathlib import Path

import pytest

from kcp.errors import KcpError, ManifestError, UsageError
from kcp.files import write_atomically
from kcp.model import Signing
from kcp.reading.load import load_manifest
from kcp.trust.ed25519 import verifies
from kcp.trust.edits import EditError
from kcp.trust.keys import private_pem, public_pem, spki_text
from kcp.trust.signing import Prepared, SigningRequest, prepare, write_signed
from tests.trust.support import b64, pair, spki_b64, verify

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")

TEXT = """\
project: harbour  # a comment
version: 1.0.0
units:
  - {{id: tides, path: tides.md, intent: tide tables, content_hash: {{algorithm: sha256, value: {tides}}}}}
  - id: docs
    path: docs
    intent: all documents
    content_hash:
      algorithm: sha512
      value: "{docs}"   # of the folder
  - id: plain
    path: plain.md
    intent: no hash
"""


class Folder:
    """A manifest with its content and a key, and ways to sign it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.key = path.parent / "ops-1.key"
        self.key.write_text(private_pem(pair(1)))
        self.key.chmod(0o600)
        (path / "docs").mkdir(parents=True)
        (path / "tides.md").write_text("tides\n")
        (path / "docs" / "a.md").write_text("a\n")
        self.write(TEXT.format(**self.hashes()))

    @property
    def manifest(self) -> Path:
        return self.path / "knowledge.yaml"

    @property
    def signature(self) -> Path:
        return self.path / "knowledge.yaml.sig"

    def hashes(self) -> dict[str, str]:
        listing = (
            b"a.md\0%s\n" % hashlib.sha512((self.path / "docs" / "a.md").read_bytes()).hexdigest().encode()
        )
        return {
            "tides": hashlib.sha256((self.path / "tides.md").read_bytes()).hexdigest(),
            "docs": hashlib.sha512(listing).hexdigest(),
        }

    def write(self, text: str | bytes) -> None:
        self.manifest.write_bytes(text if isinstance(text, bytes) else text.encode())

    def prepare(self, **changes: object) -> Prepared:
        return prepare(SigningRequest(str(self.manifest), str(self.key)).replace(**changes))

    def sign(self, **changes: object) -> Prepared:
        prepared = self.prepare(**changes)
        write_signed(prepared)
        return prepared

    def files(self) -> set[str]:
        return set(os.listdir(self.path))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "harbour").mkdir()
    return Folder(tmp_path / "harbour")


def test_the_envelope_is_over_the_exact_bytes(folder: Folder):
    before = folder.manifest.read_bytes()
    prepared = folder.sign()
    assert folder.manifest.read_bytes() == before
    assert prepared.warnings == prepared.problems == prepared.refreshed == ()
    text = folder.signature.read_text()
    members = json.loads(text)
    assert text == json.dumps(members, indent=2) + "\n"
    assert list(members) == ["key_id", "algorithm", "public_key", "signature"]
    assert members["key_id"] == "ops-1"
    assert members["algorithm"] == "EdDSA"
    assert members["public_key"] == spki_b64(1)
    assert verifies(pair(1).public, before, base64.b64decode(members["signature"], validate=True))
    assert folder.files() == {"knowledge.yaml", "knowledge.yaml.sig", "tides.md", "docs"}


def test_signing_is_deterministic_and_replaces_what_was_there(folder: Folder):
    folder.signature.write_text("old")
    folder.sign()
    first = folder.signature.read_bytes()
    folder.sign()
    assert folder.signature.read_bytes() == first


def test_a_bare_signature(folder: Folder):
    folder.sign(bare=True)
    text = folder.signature.read_text()
    assert text.endswith("\n")
    signature = base64.b64decode(text.strip(), validate=True)
    assert verifies(pair(1).public, folder.manifest.read_bytes(), signature)


def test_a_folder_and_another_output(folder: Folder, tmp_path: Path):
    out = tmp_path / "elsewhere.sig"
    assert folder.sign(manifest=str(folder.path), out=str(out), key_id="other").key_id == "other"
    assert json.loads(out.read_text())["key_id"] == "other"
    assert not folder.signature.exists()


@pytest.mark.parametrize("out", ["knowledge.yaml", "./knowledge.yaml", "../ops-1.key"])
def test_the_output_is_no_input(folder: Folder, out: str):
    before = folder.manifest.read_bytes(), folder.key.read_bytes()
    with pytest.raises(UsageError, match="--out names the manifest or the key"):
        folder.prepare(out=str(folder.path / out))
    assert (folder.manifest.read_bytes(), folder.key.read_bytes()) == before


# --- the key ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key_id", ["", "a b", "a/b", "x" * 129, "é"])
def test_bad_key_ids(folder: Folder, key_id: str):
    with pytest.raises(UsageError, match="--key-id must be"):
        folder.prepare(key_id=key_id)


def test_a_file_name_that_makes_no_key_id(folder: Folder):
    odd = folder.key.rename(folder.key.with_name("my key.pem"))
    with pytest.raises(UsageError, match="give --key-id"):
        folder.prepare(key=str(odd))
    assert folder.prepare(key=str(odd), key_id="k").key_id == "k"


@pytest.mark.parametrize("content", [None, "nonsense", "", public_pem(pair(1).public)])
def test_unusable_keys(folder: Folder, content: str | None):
    folder.key.unlink()
    if content is not None:
        folder.key.write_text(content)
    with pytest.raises(KcpError) as caught:
        folder.prepare()
    assert caught.value.exit_code == 3
    assert str(folder.key) in caught.value.message


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_key_that_others_reach_is_warned_of(folder: Folder, mode: int):
    folder.key.chmod(mode)
    (warning,) = folder.prepare().warnings
    assert warning == f"others can read or change the private key {folder.key}; chmod 600 it"


def test_remote_places(folder: Folder):
    with pytest.raises(UsageError, match="sign takes a local manifest"):
        folder.prepare(manifest="https://a.example/k.yaml")
    with pytest.raises(UsageError, match="--key takes a local file"):
        folder.prepare(key="https://a.example/ops.key", key_id="k")


def test_nothing_private_in_any_text(folder: Folder):
    prepared = folder.prepare()
    shown = repr(prepared) + str(prepared)
    assert pair(1).seed.hex() not in shown
    assert repr(pair(1).seed) not in shown


@pytest.mark.parametrize("text", ["a: [", "- a\n", "\xff", ""])
def test_what_is_no_manifest(folder: Folder, text: str):
    folder.write(text.encode("latin-1"))
    with pytest.raises(ManifestError):
        folder.prepare()


# --- hashes -------------------------------------------------------------------------------------------------


def test_stale_hashes_are_refused_by_unit(folder: Folder):
    (folder.path / "tides.md").write_text("changed\n")
    (folder.path / "docs" / "a.md").write_text("changed\n")
    prepared = folder.prepare()
    assert prepared.problems == tuple(
        f"unit '{unit}': content_hash does not match {path}; --update-hashes refreshes it"
        for unit, path in (("tides", "tides.md"), ("docs", "docs"))
    )
    with pytest.raises(KcpError, match="not signed"):
        write_signed(prepared)
    assert not folder.signature.exists()


def test_update_hashes_rewrites_only_what_changed(folder: Folder):
    before = folder.manifest.read_text()
    old = folder.hashes()
    (folder.path / "docs" / "a.md").write_text("changed\n")
    assert folder.sign(update_hashes=True).refreshed == ("docs",)
    after = folder.manifest.read_text()
    assert after == before.replace(old["docs"], folder.hashes()["docs"])
    assert verifies(
        pair(1).public,
        after.encode(),
        base64.b64decode(json.loads(folder.signature.read_text())["signature"]),
    )
    assert folder.sign(update_hashes=True).refreshed == ()
    assert folder.sign().problems == ()


def test_placeholders_are_filled(folder: Folder):
    folder.write(TEXT.format(tides="todo", docs=""))
    assert folder.sign(update_hashes=True).refreshed == ("tides", "docs")
    assert folder.manifest.read_text() == TEXT.format(**folder.hashes())


def test_hashes_in_upper_case_are_current(folder: Folder):
    folder.write(TEXT.format(**{name: value.upper() for name, value in folder.hashes().items()}))
    before = folder.manifest.read_bytes()
    assert folder.sign(update_hashes=True).refreshed == ()
    assert folder.manifest.read_bytes() == before


def test_an_unchanged_manifest_is_not_rewritten(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    written: list[str] = []

    def write(path: str, data: bytes) -> None:
        written.append(path)
        write_atomically(path, data)

    monkeypatch.setattr("kcp.trust.signing.write_atomically", write)
    folder.sign(update_hashes=True)
    assert written == [str(folder.signature)]


def unit(members: str) -> str:
    return f"project: p\nversion: '1'\nunits:\n- {{id: u, path: tides.md, intent: x, {members}}}\n"


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ("content_hash: abc", "content_hash must be a mapping of algorithm and value"),
        ("content_hash: []", "content_hash must be a mapping of algorithm and value"),
        ("content_hash: {}", "content_hash.algorithm must be one of sha256, sha384, sha512"),
        ("content_hash: {algorithm: md5, value: x}", "content_hash.algorithm must be one of"),
        ("content_hash: {algorithm: [sha256], value: x}", "content_hash.algorithm must be one of"),
        ("content_hash: {algorithm: sha256}", "content_hash.value must be text"),
        ("content_hash: {algorithm: sha256, value: 12}", "content_hash.value must be text"),
        ("content_hash: {algorithm: sha256, value: {}}", "content_hash.value must be text"),
    ],
)
def test_malformed_blocks(folder: Folder, members: str, problem: str, update: bool):
    folder.write(unit(members))
    (found,) = folder.prepare(update_hashes=update).problems
    assert found.startswith(f"unit 'u': {problem}")


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("path", ["../ops-1.key", "/etc/hostname", "docs/../../x", "up/ops-1.key"])
def test_paths_outside_the_folder_are_refused(folder: Folder, path: str, declared: bool, update: bool):
    if os.name == "posix":
        (folder.path / "up").symlink_to("..")
    elif path.startswith("up"):
        pytest.skip("POSIX only")
    block = ", content_hash: {algorithm: sha256, value: x}" if declared else ""
    folder.write(f"project: p\nunits:\n- {{id: u, path: {path}, intent: x{block}}}\n")
    assert folder.prepare(update_hashes=update).problems == (
        f"unit 'u': {path} is outside the manifest's folder",
    )


@pytest.mark.parametrize("path", ["knowledge.yaml", "knowledge.yaml.sig", ".", "docs/.."])
def test_no_hash_covers_the_manifest_or_its_signature(folder: Folder, path: str):
    folder.write(
        f"project: p\nunits:\n- {{id: u, path: {path}, content_hash: {{algorithm: sha256, value: x}}}}\n"
    )
    (problem,) = folder.prepare(update_hashes=True).problems
    assert problem == f"unit 'u': content_hash of {path} would cover the manifest or its signature"


@pytest.mark.parametrize("path", ["nowhere.md", '"a\\0b"', '""', "null", "7"])
def test_content_that_is_not_there(folder: Folder, path: str):
    folder.write(
        f"project: p\nunits:\n- {{id: u, path: {path}, content_hash: {{algorithm: sha256, value: x}}}}\n"
    )
    (problem,) = folder.prepare(update_hashes=True).problems
    assert problem.startswith("unit 'u': ")
    assert "\n" not in problem


@pytest.mark.parametrize("units", ["", "null", "{}", "[x, 7, null, [], {}]", "[{content_hash: null}]"])
def test_units_without_anything_to_check(folder: Folder, units: str):
    folder.write(f"project: p\nunits: {units}\n")
    assert folder.prepare(update_hashes=True).problems == ()


def test_a_unit_without_an_id_is_named_by_its_place(folder: Folder):
    folder.write("project: p\nunits: [x, {content_hash: 7}]\n")
    assert folder.prepare().problems[0].startswith("unit '#2': ")


# --- the block ----------------------------------------------------------------------------------------------


def test_add_block(folder: Folder):
    before = folder.manifest.read_text()
    prepared = folder.sign(add_block=True)
    assert prepared.warnings == ()
    assert folder.manifest.read_text() == before + (
        f'signing:\n  scheme: ed25519\n  key_id: ops-1\n  public_key: "{spki_text(pair(1).public)}"\n'
        "  signature: knowledge.yaml.sig\n"
    )
    loaded = load_manifest(str(folder.manifest))
    assert loaded.signing == Signing("ed25519", None, spki_b64(1), "knowledge.yaml.sig", "ops-1")
    files = {"knowledge.yaml.sig": folder.signature.read_text()}
    result = verify(loaded.signing, files, data=folder.manifest.read_bytes())
    assert result.detail == "ed25519 signature verified (declared key)"
    folder.sign()


def test_add_block_and_update_hashes_and_windows_lines(folder: Folder):
    text = TEXT.format(tides="todo", docs="todo").replace("\n", "\r\n").rstrip()
    folder.write(b"\xef\xbb\xbf" + text.encode())
    folder.sign(add_block=True, update_hashes=True)
    after = folder.manifest.read_bytes()
    assert after.startswith(b"\xef\xbb\xbfproject")
    assert after.count(b"\n") == after.count(b"\r\n")
    assert after.replace(b"\r\n", b"\n")[3:].startswith(TEXT.format(**folder.hashes()).encode())


def test_a_second_block_is_refused(folder: Folder):
    folder.sign(add_block=True)
    before = folder.manifest.read_bytes()
    with pytest.raises(EditError, match="already"):
        folder.sign(add_block=True)
    legacy = "trust: {content_integrity: {signing: {key_id: k}, signature_file: k.sig}}\n"
    folder.write(TEXT.format(**folder.hashes()) + legacy)
    with pytest.raises(EditError, match="already"):
        folder.sign(add_block=True)
    assert before != folder.manifest.read_bytes()


def test_a_block_names_only_a_file_that_consumers_find(folder: Folder, tmp_path: Path):
    with pytest.raises(EditError, match="outside the manifest's folder"):
        folder.prepare(add_block=True, out=str(tmp_path / "x.sig"))
    with pytest.raises(EditError, match="cannot name the file"):
        folder.prepare(add_block=True, out=str(folder.path / ("a" * 43)))
    (folder.path / "sigs").mkdir()
    folder.sign(add_block=True, out=str(folder.path / "sigs" / "k.sig"))
    loaded = load_manifest(str(folder.manifest))
    assert loaded.signing is not None
    assert loaded.signing.signature == "sigs/k.sig"


def with_block(folder: Folder, **members: str) -> None:
    lines = [f"  {name}: {value}\n" for name, value in members.items()]
    folder.write(TEXT.format(**folder.hashes()) + "signing:\n" + "".join(lines))


def test_a_block_with_another_key_is_refused(folder: Folder):
    with_block(folder, public_key=spki_b64(2), signature="knowledge.yaml.sig")
    assert folder.prepare().problems == (
        "the signing block declares another public key than the one that signs",
    )


@pytest.mark.parametrize(
    ("members", "warning"),
    [
        ({"signature": "other.sig"}, "the signing block does not lead to {}"),
        ({"signature": b64(bytes(64))}, "the signing block does not lead to {}"),
        ({"signature": "https://a.example/k.sig"}, "the signing block does not lead to {}"),
        ({"scheme": "ed25519"}, "the signing block does not lead to {}"),
        (
            {"signature": "knowledge.yaml.sig", "key_id": "old"},
            "the signing block says key_id 'old', the signature 'ops-1'",
        ),
        (
            {"signature": "knowledge.yaml.sig", "public_key": "k.pub"},
            "the signing block cannot be checked: cannot load public key: file not found: ",
        ),
        (
            {"signature": "knowledge.yaml.sig", "public_key": spki_b64(1), "scheme": "rsa"},
            "the signing block cannot be checked: unsupported signing scheme 'rsa'",
        ),
    ],
)
def test_a_block_that_misleads_is_warned_of(folder: Folder, members: dict[str, str], warning: str):
    with_block(folder, **members)
    prepared = folder.prepare()
    assert prepared.problems == ()
    assert len(prepared.warnings) == 1
    assert prepared.warnings[0].startswith(warning.format(folder.signature))


@pytest.mark.parametrize("number", [1, 2])
def test_a_block_with_a_key_file(folder: Folder, number: int):
    (folder.path / "k.pub").write_text(public_pem(pair(number).public))
    with_block(folder, public_key="k.pub", signature="knowledge.yaml.sig")
    prepared = folder.prepare()
    assert prepared.warnings == ()
    assert len(prepared.problems) == number - 1


# --- writing ------------------------------------------------------------------------------------------------


def test_the_result_is_read_back(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    prepared = folder.prepare()
    folder.write(b"project: other\n")
    with pytest.raises(KcpError, match="does not verify after writing"):
        write_signed(prepared)
    folder.write(prepared.data + b"\n")
    with pytest.raises(KcpError, match="does not verify after writing"):
        write_signed(prepared)
    folder.write(prepared.data)
    monkeypatch.setattr("kcp.trust.signing.sign", lambda _data, _pair: bytes(64))
    with pytest.raises(KcpError, match="does not verify after writing"):
        write_signed(prepared)


@posix
def test_the_manifest_keeps_its_permissions(folder: Folder):
    folder.manifest.chmod(0o664)
    folder.sign(add_block=True)
    assert stat.S_IMODE(folder.manifest.stat().st_mode) == 0o664
    assert not [name for name in folder.files() if name.endswith(".tmp")]


def test_an_output_that_cannot_be_written(folder: Folder):
    with pytest.raises(KcpError, match="cannot write"):
        folder.sign(out=str(folder.path / "nowhere" / "k.sig"))
