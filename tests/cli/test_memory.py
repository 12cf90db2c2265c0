"""`remember`, `recall`, `memory`, and `plan --memory`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcp.trust.keys import private_pem, public_pem
from tests.cli.test_modules import PROBE
from tests.evidence.episode_cases import answer, entry, names, plan, with_credentials
from tests.trust.support import pair

NO_EPISODE = "no prior episode for this task + manifest + options"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    """The files of a private and of its public key."""
    private, public = tmp_path / "me.key", tmp_path / "me.pub"
    private.write_text(private_pem(pair(1)), encoding="utf-8")
    public.write_text(public_pem(pair(1).public), encoding="utf-8")
    return private, public


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., Path]:
    """Writes an artifact to a file."""

    def write(artifact: object, name: str = "a.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(artifact), encoding="utf-8")
        return path

    return write


def quay_plan(run: Callable, harbour: Path, *words: str | Path) -> Any:
    return run("plan", "quay", "--manifest", harbour, *words)


def record(run: Callable, store: Path, saved: Callable, artifact: object, *words: str | Path) -> str:
    code, out, err = run("remember", saved(artifact), "--memory", store, "--json", *words)
    assert (code, err) == (0, "")
    made: str = json.loads(out)["id"]
    return made


# remember


def test_remember(run: Callable, store: Path, saved: Callable):
    code, out, err = run("remember", saved(plan()), "--memory", store)
    identifier = entry()["id"]
    assert (code, out, err) == (0, f"✓ remembered {identifier}  plan  where to berth\n", "")
    assert names(store) == [f"{identifier}.json"]


def test_remember_json(run: Callable, store: Path, saved: Callable):
    code, out, _ = run("remember", "--manifest", saved(answer()), "--memory", store, "--json")
    assert code == 0
    assert json.loads(out) == {
        "id": entry(answer())["id"],
        "kind": "grounded-answer",
        "task": "where to berth",
    }


def test_remember_with_a_key_prints_the_head(
    run: Callable, store: Path, saved: Callable, keys: tuple[Path, Path]
):
    _, out, _ = run("remember", saved(plan()), "--memory", store, "--json", "--sign-key", keys[0])
    head = json.loads(out)["head"]
    assert json.loads((store / names(store)[0]).read_bytes())["integrity"]["digest"] == head
    code, out, _ = run("remember", saved(plan("b")), "--memory", store, "--sign-key", keys[0])
    assert code == 0
    assert "\n  head " in out


@pytest.mark.parametrize(
    ("artifact", "code"),
    [
        ({}, 1),
        ([], 1),
        (None, 1),
        ({"status": "x", "answer": "a", "rounds": []}, 1),
        ({"task": "\ud800", "selected": []}, 1),
        ({**plan(), "schemaVersion": 2}, 1),
    ],
)
def test_what_memory_has_no_use_for(run: Callable, store: Path, saved: Callable, artifact: object, code: int):
    result = run("remember", saved(artifact), "--memory", store)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("kcp-agent: cannot remember this artifact: ")
    assert not store.exists()


def test_what_cannot_be_read(run: Callable, store: Path, tmp_path: Path):
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    for path in (broken, tmp_path / "missing.json", tmp_path):
        assert run("remember", path, "--memory", store).code == 3
    assert not store.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["remember", "--memory", "m"], "Missing artifact path.\n\nUsage: kcp-agent remember"),
        (["remember", "f"], "Missing --memory <dir>.\n\nUsage: kcp-agent remember"),
        (["recall", "--memory", "m"], "Missing task.\n\nUsage: kcp-agent recall"),
        (["recall", "t"], "Missing --memory <dir>.\n\nUsage: kcp-agent recall"),
        (["memory"], "Missing stats or prune.\n\nUsage: kcp-agent memory"),
        (["memory", "wipe", "m"], "Missing stats or prune.\n\nUsage: kcp-agent memory"),
        (["memory", "stats"], "Missing --memory <dir>.\n\nUsage: kcp-agent memory"),
        (["memory", "prune", "m"], "kcp-agent: memory prune needs --older-than"),
        (["memory", "prune", "m", "--older-than", "soon"], "kcp-agent: --older-than must be"),
        (["recall", "t", "--memory", ""], "kcp-agent: --memory must not be empty"),
        (["recall", "t", "--memory", "m", "--limit", "-1"], "kcp-agent: --limit must be a whole number"),
        (["recall", "t", "--memory", "m", "--limit", "few"], "kcp-agent: --limit must be a whole number"),
        (
            ["recall", "t", "--memory", "m", "--require-signed-episodes"],
            "kcp-agent: --require-signed-episodes needs --trusted-episode-key",
        ),
        (
            ["recall", "t", "--memory", "m", "--expect-head", "ab"],
            "kcp-agent: --expect-head needs --trusted-episode-key",
        ),
        (["plan", "t", "--manifest", "m", "--sign-key", "k"], "kcp-agent: --sign-key needs --memory"),
        (
            ["plan", "t", "--manifest", "m", "--trusted-episode-key", "k"],
            "kcp-agent: --trusted-episode-key needs --memory",
        ),
        (
            ["plan", "t", "--manifest", "m", "--require-signed-episodes"],
            "kcp-agent: --require-signed-episodes needs --memory",
        ),
        (
            ["plan", "t", "--manifest", "m", "--memory", "s", "--trace"],
            "kcp-agent: --memory records plans: it cannot go with --trace",
        ),
    ],
)
def test_wrong_calls(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list, message: str
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert list(tmp_path.iterdir()) == []


# recall


def test_recall_lists_what_shares_a_word(run: Callable, store: Path, saved: Callable):
    record(run, store, saved, plan())
    record(run, store, saved, plan("customs papers"))
    code, out, err = run("recall", "BERTH a ship", "--memory", store)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == f"· {entry()['id'][:12]}  plan (score 1)  where to berth"
    assert lines[1].startswith("    h/knowledge.yaml · 20")
    assert lines[1].endswith(" · unsigned")
    assert lines[2] == "    unverifiable: not replayed — recall carries no freshness claim"
    assert len(lines) == 3


def test_recall_json(run: Callable, store: Path, saved: Callable):
    record(run, store, saved, plan("berth one"))
    record(run, store, saved, plan("berth two two"))
    _, out, _ = run("recall", "berth two", "--memory", store, "--json")
    hits = json.loads(out)
    assert out == json.dumps(hits, indent=2, ensure_ascii=False) + "\n"
    assert [list(hit) for hit in hits] == [["entry", "score", "status", "detail", "integrity"]] * 2
    assert [(hit["entry"]["task"], hit["score"]) for hit in hits] == [("berth two two", 3), ("berth one", 1)]
    assert hits[1]["entry"]["id"] == entry(plan("berth one"))["id"]


def test_recall_finds_nothing(run: Callable, store: Path):
    store.mkdir()
    assert run("recall", "berth", "--memory", store) == (0, "No episode shares a word with the task.\n", "")
    assert run("recall", "berth", "--memory", store, "--json") == (0, "[]\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "berth", "--memory"],
        ["recall", "berth", "--json", "--replay", "--memory"],
        ["memory", "stats"],
        ["memory", "stats", "--json"],
        ["memory", "prune", "--older-than", "1d"],
        ["memory", "prune", "--older-than", "1d", "--dry-run"],
    ],
)
def test_only_who_records_makes_a_store(run: Callable, tmp_path: Path, words: list[str]):
    """Decision B21; the reference makes it even for recall."""
    store = tmp_path / "nowhere" / "store"
    assert run(*words, store) == (3, "", f"kcp-agent: no episode store at {store}\n")
    assert list(tmp_path.iterdir()) == []


def test_hits_that_are_not_listed_are_counted(run: Callable, store: Path, saved: Callable):
    record(run, store, saved, answer(with_credentials("vault")))
    recall = ["recall", "berth", "--memory", store]
    assert run(*recall).out == "1 episode shares a word with the task; it is not listed.\n"
    record(run, store, saved, plan())
    assert run(*recall, "--limit", "0") == (
        0,
        "2 episodes share a word with the task; none is listed.\n",
        "",
    )
    assert run(*recall, "--limit", "0", "--json").out == "[]\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
@pytest.mark.parametrize("name", [".writing", ".lock", ".removed"])
def test_pipes_in_a_store_are_not_waited_for(
    spawn: Callable, store: Path, saved: Callable, keys: tuple[Path, Path], name: str
):
    path, key = saved(plan()), keys[0]
    remember = ["remember", path, "--memory", store, "--sign-key", key]
    assert spawn(*remember).returncode == 0
    (store / name).unlink(missing_ok=True)
    os.mkfifo(store / name)
    # Recording it again replaces a signed episode, which is written down.
    done = spawn(*remember)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode() == (
        f"kcp-agent: cannot use the memory at {store}: {name} is not a regular file\n"
    )
    assert spawn("recall", "berth", "--memory", store).returncode == 0


def test_the_limit(run: Callable, store: Path, saved: Callable):
    for number in range(3):
        record(run, store, saved, plan(f"berth {number}"))
    for limit, count in (("0", 0), ("2", 2), ("9", 3)):
        assert (
            len(json.loads(run("recall", "berth", "--memory", store, "--json", "--limit", limit).out))
            == count
        )


def test_hostile_files_are_told_and_do_not_count(run: Callable, store: Path, saved: Callable):
    record(run, store, saved, plan())
    (store / "bad\x1b[31m.json").write_text("null", encoding="utf-8")
    code, out, err = run("recall", "berth", "--memory", store, "--json")
    assert (code, len(json.loads(out))) == (0, 1)
    assert err == "memory: passed over bad\\x1b[31m.json: not an object\n"


def test_answers_made_with_more_than_the_caller_has_are_withheld(run: Callable, store: Path, saved: Callable):
    record(run, store, saved, answer(with_credentials("vault")))
    code, out, err = run("recall", "berth", "--memory", store, "--json")
    assert (code, out, err) == (0, "[]\n", "memory: withheld an answer made with credential 'vault'\n")
    code, out, err = run("recall", "berth", "--memory", store, "--json", "--credentials", "vault,other")
    assert (code, len(json.loads(out)), err) == (0, 1, "")


@pytest.fixture
def remembered(run: Callable, harbour: Path, store: Path) -> Path:
    """A plan of the harbour, recorded while planning."""
    assert quay_plan(run, harbour, "--memory", store).code == 0
    return store


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_hit_that_holds_or_drifts_or_cannot_be_checked(
    run: Callable, harbour: Path, remembered: Path, words: list[str]
):
    """Row 16: the exit code is the same with --json."""
    again = ["recall", "quay", "--memory", remembered, "--replay", *words]
    held = run(*again)
    assert held.code == 0
    assert "plan re-verifies against the live manifest" in held.out
    manifest = harbour / "knowledge.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text + "# changed\n", encoding="utf-8")
    drifted = run(*again)
    assert drifted.code == 1
    assert "1 node(s) drifted since recorded" in drifted.out
    assert run(*again[:4], *words).code == 0
    manifest.unlink()
    gone = run(*again)
    assert gone.code == 3
    assert "could not replay: fetch failed: manifest not found" in gone.out


def test_a_remembered_answer_is_replayed_and_gated(
    run: Callable, harbour: Path, store: Path, saved: Callable
):
    from kcp.reading.source import sha256_hex

    made = json.loads(run("plan", "berth", "--manifest", harbour, "--json").out)
    sha = sha256_hex((harbour / "berthing.md").read_bytes())
    full = answer(made)
    full["synthesis"]["unitsLoaded"][0]["sha256"] = full["grounding"]["claims"][0]["sha256"] = sha
    record(run, store, saved, full)
    recall = ["recall", "berth", "--memory", store, "--replay"]
    code, out, _ = run(*recall)
    assert code == 0
    assert "valid: every cited unit holds its pinned bytes" in out
    (harbour / "berthing.md").write_text("other text\n", encoding="utf-8")
    code, out, _ = run(*recall)
    assert code == 1
    assert "drifted: 1 cited unit(s) drifted or gone" in out


# signed episodes


def test_signed_episodes(run: Callable, store: Path, saved: Callable, keys: tuple[Path, Path]):
    private, public = keys
    record(run, store, saved, plan("berth mine"), "--sign-key", private)
    record(run, store, saved, plan("berth nobody"))
    recall: list[str | Path] = ["recall", "berth", "--memory", store, "--json"]
    trusting = [*recall, "--trusted-episode-key", public]

    def states(*words: str | Path) -> dict[str, str]:
        return {hit["entry"]["task"]: hit["integrity"] for hit in json.loads(run(*words).out)}

    assert states(*recall) == {"berth mine": "unknown-key", "berth nobody": "unsigned"}
    assert states(*trusting) == {"berth mine": "verified", "berth nobody": "unsigned"}
    assert states(*trusting, "--require-signed-episodes") == {"berth mine": "verified"}
    assert run(*recall).err == ""
    code, _, err = run(*trusting)
    assert code == 0
    assert err.startswith("memory: chain intact: 1 signed episode(s), head ")


def test_tampering_shows(run: Callable, store: Path, saved: Callable, keys: tuple[Path, Path]):
    private, public = keys
    heads = []
    for number in range(3):
        out = run(
            "remember", saved(plan(f"berth {number}")), "--memory", store, "--json", "--sign-key", private
        )
        heads.append(json.loads(out.out)["head"])
    recall = ["recall", "berth", "--memory", store, "--json", "--trusted-episode-key", public]
    assert run(*recall, "--expect-head", heads[2]).code == 0
    assert run(*recall, "--expect-head", heads[0]).code == 0
    last = store / f"{entry(plan('berth 2'))['id']}.json"
    kept = last.read_text("utf-8")
    last.unlink()
    assert run(*recall).code == 0
    code, out, err = run(*recall, "--expect-head", heads[2])
    assert (code, len(json.loads(out))) == (1, 2)
    assert "its end was lost or rolled back" in err
    last.write_text(kept.replace('"recordedAt": "2', '"recordedAt": "3'), encoding="utf-8")
    code, _, err = run(*recall)
    assert code == 1
    assert "bad signature: its digest is not that of its members" in err
    last.write_text(kept, encoding="utf-8")
    (store / f"{entry(plan('berth 1'))['id']}.json").unlink()
    code, _, err = run(*recall)
    assert code == 1
    assert "memory: chain broken: episode" in err
    code, _, err = run("memory", "stats", store, "--trusted-episode-key", public)
    assert code == 1


def test_keys_that_cannot_be_used_end_it_first(
    run: Callable, harbour: Path, store: Path, keys: tuple[Path, Path]
):
    private, public = keys
    for flag, key in (
        ("--sign-key", public),
        ("--sign-key", harbour / "missing.key"),
        ("--trusted-episode-key", private),
        ("--trusted-episode-key", harbour / "missing.pub"),
        ("--trusted-episode-key", "00" * 32),
    ):
        code, out, err = quay_plan(run, harbour, "--memory", store, flag, key)
        assert (code, out) == (3, "")
        assert err.startswith(f"kcp-agent: cannot use {flag}")
        assert "PRIVATE" not in err
    assert not store.exists()


def test_a_head_is_a_digest(run: Callable, store: Path, keys: tuple[Path, Path]):
    words = ["recall", "t", "--memory", store, "--trusted-episode-key", keys[1], "--expect-head"]
    for head in ("ab", "AB" * 32, "zz" * 32):
        assert run(*words, head).code == 2


# plan --memory


def test_plan_compares_and_records(run: Callable, harbour: Path, store: Path):
    bare = quay_plan(run, harbour).out
    first = quay_plan(run, harbour, "--memory", store)
    (name,) = names(store)
    identifier = name.removesuffix(".json")
    assert (first.code, first.err) == (0, "")
    assert first.out == bare + f"Memory: · {NO_EPISODE}\nMemory: · recorded as {identifier}\n"
    made = json.loads((store / name).read_bytes())
    second = quay_plan(run, harbour, "--memory", store)
    sha, at = made["manifestSha"], made["recordedAt"]
    assert f"\nMemory: ✓ manifest@{sha[:12]}… unchanged (episode of {at})\n" in second.out
    with (harbour / "knowledge.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write("# changed\n")
    third = quay_plan(run, harbour, "--memory", store)
    assert f"\nMemory: ⚠ manifest drifted: episode {sha[:12]}… ≠ today " in third.out
    assert third.code == 0
    assert len(names(store)) == 2


def test_the_json_is_the_same_and_the_verdict_is_beside_it(run: Callable, harbour: Path, store: Path):
    """Row 17: the reference says nothing at all."""
    bare = quay_plan(run, harbour, "--json").out
    code, out, err = quay_plan(run, harbour, "--memory", store, "--json", "--correlation-id", "c")
    wire = json.loads(out)
    assert (code, wire.pop("correlationId")) == (0, "c")
    assert wire == json.loads(bare)
    identifier = names(store)[0].removesuffix(".json")
    assert err == f"memory: · {NO_EPISODE}\nmemory: · recorded as {identifier}\n"


def test_what_is_recorded(run: Callable, harbour: Path, store: Path):
    wire = json.loads(quay_plan(run, harbour, "--memory", store, "--json", "--as-of", "2026-07-01").out)
    made = json.loads((store / names(store)[0]).read_bytes())
    envelope = {wire.pop("schemaVersion"), wire.pop("kind")}
    assert envelope == {1, "plan"}
    assert made["artifact"] == wire
    assert list(made)[:6] == ["id", "kind", "task", "manifestSource", "manifestSha", "optionsKey"]
    assert made["kind"] == "plan"
    assert made["optionsKey"].startswith(
        '{"env":null,"asOf":"2026-07-01","maxUnits":null,"strict":false,"role":null'
    )


def test_every_flag_makes_an_episode_of_its_own(run: Callable, harbour: Path, store: Path):
    variants: list[list[str]] = [
        [],
        ["--max-units", "5"],
        ["--role", "agent"],
        ["--methods", "free"],
        ["--currency", "EUR"],
        ["--follow"],
        ["--follow", "--max-depth", "1"],
        ["--max-depth", "1"],
        ["--max-nodes", "9"],
        ["--no-verify"],
        ["--env", "prod"],
        ["--strict"],
        ["--credentials", "vault"],
        ["--attest", "acme"],
        ["--budget", "0.5"],
        ["--budget", "0.5", "--currency", "EUR"],
        ["--context-budget", "3000"],
        ["--grant-ceiling", "suggest"],
        ["--spend", "2"],
        ["--action-tool", "git"],
    ]
    for words in variants:
        first = quay_plan(run, harbour, "--memory", store, *words)
        if words != ["--max-depth", "1"]:  # the same as with --follow besides
            assert NO_EPISODE in first.out, words
    for words in variants:
        again = quay_plan(run, harbour, "--memory", store, *words)
        assert "unchanged (episode of" in again.out, words
        assert again.err == ""
    # A plan that bears no verdict on a signature may have lost it: only the operator says that it never had.
    code, out, err = run("recall", "quay", "--memory", store, "--replay", "--json", "--no-verify")
    assert (code, err) == (0, "")
    assert len(json.loads(out)) == len(variants) - 1


def test_a_followed_plan_records_its_root(run: Callable, harbour: Path, store: Path):
    tree = json.loads(quay_plan(run, harbour, "--memory", store, "--json", "--follow").out)
    made = json.loads((store / names(store)[0]).read_bytes())
    assert made["artifact"] == tree["plan"]
    assert '"follow":true' in made["optionsKey"]


def test_plan_signs_what_it_records(run: Callable, harbour: Path, store: Path, keys: tuple[Path, Path]):
    private, public = keys
    words: list[str | Path] = ["--memory", store, "--sign-key", private, "--trusted-episode-key", public]
    first = quay_plan(run, harbour, *words)
    digest = json.loads((store / names(store)[0]).read_bytes())["integrity"]["digest"]
    assert first.out.endswith(f"Memory: · head {digest}\n")
    assert "unchanged" in quay_plan(run, harbour, *words).out
    assert run("memory", "stats", store, "--trusted-episode-key", public).code == 0


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_memory_that_cannot_be_used_ends_it_before_any_plan(
    run: Callable, harbour: Path, tmp_path: Path, words: list[str]
):
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for location in (file, file / "below"):
        code, out, err = quay_plan(run, harbour, "--memory", location, *words)
        assert (code, out) == (3, "")
        assert err.startswith(f"kcp-agent: cannot use the memory at {location}: ")


@pytest.mark.skipif(os.name == "nt", reason="there is no /proc there")
def test_a_memory_that_may_only_be_read_ends_it_too(run: Callable, harbour: Path):
    if not Path("/proc/self").is_dir():
        pytest.skip("needs a folder in which nobody can write")
    # Said before anything else is looked at.
    for manifest in (harbour, harbour / "missing"):
        code, out, err = quay_plan(run, manifest, "--memory", "/proc/self")
        assert (code, out) == (3, "")
        assert err.startswith("kcp-agent: cannot use the memory at /proc/self: ")


def test_nothing_is_recorded_when_planning_fails(run: Callable, store: Path, tmp_path: Path):
    assert quay_plan(run, tmp_path / "missing", "--memory", store).code == 3
    assert names(store) == []


# memory


def test_stats(run: Callable, remembered: Path):
    code, out, err = run("memory", "stats", remembered)
    size = (remembered / names(remembered)[0]).stat().st_size
    assert (code, err) == (0, "")
    assert out.startswith(f"Memory: {remembered}\n  1 episode(s), {size:,} bytes\n  oldest 20")
    for line in ("Kinds:\n  plan: 1\n", "Ages:\n  day: 1\n", "Integrity:\n  unsigned: 1\n"):
        assert line in out
    code, out, _ = run("memory", "stats", "--memory", remembered, "--json")
    stats = json.loads(out)
    assert list(stats) == [
        *("episodes", "size", "kinds", "ages", "manifests", "integrity", "oldest", "newest"),
        *("passedOver", "passed"),
    ]
    assert (stats["episodes"], stats["size"], stats["kinds"]) == (1, size, {"plan": 1})


def test_stats_of_an_empty_store_and_of_none(run: Callable, store: Path):
    code, _, err = run("memory", "stats", store)
    assert code == 3
    assert err == f"kcp-agent: no episode store at {store}\n"
    assert not store.exists()
    store.mkdir()
    assert run("memory", "stats", store) == (0, f"Memory: {store}\n  0 episode(s), 0 bytes\n", "")


def test_prune(run: Callable, remembered: Path):
    (name,) = names(remembered)
    assert run("memory", "prune", remembered, "--older-than", "1d").out.startswith("pruned 0 episode(s)")
    made = json.loads((remembered / name).read_bytes())
    old = {**made, "recordedAt": "2020-01-01T00:00:00.000Z"}
    (remembered / name).write_text(json.dumps(old), encoding="utf-8")
    dry = run("memory", "prune", remembered, "--older-than", "90d", "--dry-run")
    assert dry.out.startswith(f"  - {name}\nwould prune 1 episode(s), ")
    assert names(remembered) == [name]
    code, out, _ = run("memory", "prune", "--memory", remembered, "--older-than", "90d", "--json")
    pruned = json.loads(out)
    assert (code, pruned["dryRun"], pruned["names"], pruned["left"]) == (0, False, [name], 0)
    assert names(remembered) == []


def test_prune_of_signed_episodes(run: Callable, store: Path, saved: Callable, keys: tuple[Path, Path]):
    private, public = keys
    record(run, store, saved, plan(), "--sign-key", private)
    prune = ["memory", "prune", store, "--older-than", "0h"]
    code, out, _ = run(*prune)
    assert (code, len(names(store))) == (0, 1)
    assert "1 old episode(s) are signed: prune them with --sign-key" in out
    assert run(*prune, "--sign-key", private).code == 0
    assert names(store) == []
    assert run("memory", "stats", store, "--trusted-episode-key", public).code == 0


@pytest.mark.parametrize("command", ["plan", "recall", "remember"])
def test_memory_without_keys_loads_little(
    run: Callable, harbour: Path, store: Path, saved: Callable, repository: Path, command: str
):
    quay_plan(run, harbour, "--memory", store)
    words: dict[str, list[str | Path]] = {
        "plan": ["plan", "quay", "--manifest", harbour],
        "recall": ["recall", "quay"],
        "remember": ["remember", saved(plan())],
    }
    line = [sys.executable, "-I", "-c", PROBE.format(root=str(repository)), *map(str, words[command])]
    done = subprocess.run(
        [*line, "--memory", str(store), "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    loaded = set(done.stderr.split("\n"))
    assert "kcp.evidence.store" in loaded
    assert not loaded & {"nacl", "rich", "urllib3", "pathlib", "dataclasses", "typing", "tempfile", "hashlib"}
    assert "kcp.network.guard" not in loaded
