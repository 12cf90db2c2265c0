"""The conversion beyond single files, and the command."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcp.authoring.llms_txt.convert import NothingToConvertError, convert
from kcp.authoring.llms_txt.lines import parse_llms_txt
from kcp.authoring.llms_txt.links import bare_link_at, link_at, plain
from kcp.authoring.llms_txt.read import read_llms_txt
from kcp.errors import KcpError
from kcp.network.fetcher import Fetched, OfflineFetcher

TODAY = "2026-07-06"
TEXT = "# Quay\n> All berths\n## Docs\n- [Start](start.md): Begin\n- [Off](https://off.test/x)\n- [Home](https://quay.test/)\n"


def test_layout():
    text = TEXT.replace("https://quay.test/", "https://quay.test/home") + "- [Two](https://quay.test/two)\n"
    draft = convert(parse_llms_txt(text), TODAY, publisher="Acme: Ports")
    assert draft.text == (
        "# Drafted by kcp-agent init from an llms.txt file; review it before you publish it.\n"
        'kcp_version: "0.32"\n'
        "project: Quay\n"
        'version: "1.0.0"\n'
        'publisher: "Acme: Ports"\n'
        "intent: All berths\n"
        "# TODO: signing: sign the manifest, so that agents can tell that it is yours.\n"
        "# TODO: valid_from / valid_until: say how long units hold, where they do not hold for good.\n"
        "# TODO: audience: say whom each unit serves; the lists below are a guess.\n"
        "units:\n"
        "  - id: start\n"
        "    path: start.md\n"
        "    intent: Begin\n"
        "    scope: global\n"
        "    audience: [agent, human]\n"
        "    triggers: [docs, start]\n"
        "  - id: home\n"
        "    path: home\n"
        "    intent: Home\n"
        "    scope: global\n"
        "    audience: [agent, human]\n"
        "    triggers: [docs, home]\n"
        "  - id: two\n"
        "    path: two\n"
        "    intent: Two\n"
        "    scope: global\n"
        "    audience: [agent, human]\n"
        "    triggers: [docs, two]\n"
        "# TODO: 1 link(s) point at other origins and are not units.\n"
        "# Where such a site has a manifest of its own, name it under manifests: (id, url).\n"
        "# - https://off.test/x\n"
    )


def test_links_elsewhere_are_listed_up_to_ten():
    text = "- [Here](https://a.test/1)\n- [Here](https://a.test/2)\n"
    text += "".join(f"- [There](https://b{number}.test/)\n" for number in range(13))
    draft = convert(parse_llms_txt(text), TODAY)
    assert "# TODO: 13 link(s) point at other origins and are not units.\n" in draft.text
    assert "# - https://b9.test/\n# - and 3 more\n" in draft.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Quay\n> Sum\n",
        "prose [link](/x)\n",
        "- no links\n- [broken](/x\n",
        "- [Mail](mailto:a@b.test)\n",
        "- [Here](#here)\n",
    ],
)
def test_nothing_to_convert(text: str):
    with pytest.raises(
        NothingToConvertError, match=r"llms\.txt contains no links — nothing to convert"
    ) as caught:
        convert(parse_llms_txt(text), TODAY)
    assert caught.value.exit_code == 1


def test_relative_links_start_at_the_file():
    llms = parse_llms_txt("- [Near](near.md)\n- [Root](/root.md)\n- [Up](../up.md)\n")
    draft = convert(llms, TODAY, location="https://quay.test/docs/v2/llms.txt")
    assert [unit.path for unit in draft.units] == ["docs/v2/near.md", "root.md", "docs/up.md"]


@pytest.mark.parametrize("target", ["wiki:Main", "/a//b", "%2e%2e/x", "..%2fx", "/%00", "\\\\host\\share"])
def test_targets_that_are_no_safe_path_do_not_become_one(target: str):
    draft = convert(parse_llms_txt(f"- [Safe](/safe)\n- [Target](<{target}>)\n"), TODAY)
    assert draft.report.ok
    for unit in draft.units:
        assert ".." not in unit.path.split("/")
        assert "\x00" not in unit.path


def test_more_links_than_anybody_reads():
    draft = convert(parse_llms_txt("- [t](/a)\n" * 6000), TODAY)
    assert len(draft.units) == 5000


HOSTILE = [
    "[" * 100_000,
    "- " + "[a](" * 20_000,
    "- [" + "(" * 50_000,
    "- [a](<" * 20_000,
    "- " + "x " * 50_000 + ":",
    "- " + "(" * 50_000,
    "**" * 50_000,
    "- [" + "*a" * 40_000 + "](/x)",
    "> " * 100_000,
    "\n".join(["- [a](/b)" + " - " * 2000] * 100),
    "\n".join(["```"] * 100_000),
    "\\" * 100_000,
    "- a" + " : " * 30_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_take_no_time(text: str):
    start = time.perf_counter()
    parse_llms_txt(text)
    assert time.perf_counter() - start < 5


PIECES = st.sampled_from(
    [
        *"[]()<>#*-+:!\\`_ \n>|/.",
        "- ",
        "## ",
        "# ",
        "](",
        "https://a.test/",
        "- [t](/u)",
        "text",
        "é",
        "&amp;",
        "\t",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=150)
def test_any_text_converts_to_a_sound_draft_or_has_no_links(text: str):
    try:
        draft = convert(parse_llms_txt(text), TODAY)
    except NothingToConvertError:
        return
    assert draft.units
    assert [finding for finding in draft.report.findings if finding.level == "error"] == []


def test_links():
    assert link_at("[a](b)", 0) is not None
    assert link_at("[a] (b)", 0) is None
    assert link_at("[a](b c)", 0) is None
    assert link_at('[a](b "c)', 0) is None
    assert bare_link_at("https://a.test/x).", 0).target == "https://a.test/x"  # type: ignore[union-attr]
    assert bare_link_at("<https://a.test/x", 0) is None
    assert plain("see [a [b]](c) and ![d](e)") == "see a [b] and d"


class Site:
    def __init__(self, data: bytes, content_type: str | None = None, url: str | None = None) -> None:
        self.answer = data, content_type
        self.url = url

    def fetch(self, url: str) -> Fetched:
        return Fetched(self.url or url, *self.answer)


def test_reading_a_url_a_file_and_a_folder(tmp_path: Path):
    read = read_llms_txt(
        "https://quay.test/llms.txt", Site(TEXT.encode(), url="https://www.quay.test/llms.txt")
    )
    assert (read.content.title, read.location) == ("Quay", "https://www.quay.test/llms.txt")
    (tmp_path / "llms.txt").write_text(TEXT, "utf-8")
    for place in (tmp_path, tmp_path / "llms.txt"):
        read = read_llms_txt(str(place), OfflineFetcher())
        assert (read.content.title, read.location) == ("Quay", None)


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (b"<!DOCTYPE html><html>", None),
        (b"\xef\xbb\xbf \n<HTML>", "text/plain"),
        (b"- [a](/b)", "text/html; charset=utf-8"),
        (b"- [a](/\xff)", None),
    ],
)
def test_what_is_no_such_file(data: bytes, content_type: str | None):
    with pytest.raises(KcpError):
        read_llms_txt("https://quay.test/llms.txt", Site(data, content_type))


def test_command(run: Callable, tmp_path: Path):
    source = tmp_path / "in.txt"
    source.write_text(TEXT, "utf-8")
    target = tmp_path / "knowledge.yaml"
    printed = run("init", tmp_path, "--from-llms-txt", source, "--dry-run")
    assert printed.code == 0
    assert not target.exists()
    assert run("init", tmp_path, "--from-llms-txt", source) == (
        0,
        f"knowledge.yaml written to {tmp_path}\n",
        "",
    )
    assert target.read_text("utf-8") == printed.out
    refused = f"{target} already exists — pass --force to replace it, or --dry-run to preview.\n"
    assert run("init", tmp_path, "--from-llms-txt", source) == (2, "", refused)
    assert run("init", tmp_path, "--from-llms-txt", source, "--dry-run").code == 0
    assert run("init", tmp_path, "--from-llms-txt", source, "--force").code == 0


def test_result_at_the_root_of_a_site_validates_clean(run: Callable, tmp_path: Path):
    (tmp_path / "llms.txt").write_text(TEXT.replace("https://quay.test/", "/home"), "utf-8")
    assert run("init", tmp_path, "--from-llms-txt", tmp_path).code == 0
    assert run("validate", tmp_path).code == 1
    for name in ("start.md", "home", "x"):
        (tmp_path / name).write_text("text", "utf-8")
    assert run("validate", tmp_path).code == 0


def test_command_failures(run: Callable, tmp_path: Path):
    (tmp_path / "empty.txt").write_text("# Nothing\n", "utf-8")
    said = "kcp-agent: llms.txt contains no links — nothing to convert\n"
    assert run("init", tmp_path, "--from-llms-txt", tmp_path / "empty.txt") == (1, "", said)
    assert run("init", tmp_path, "--from-llms-txt", tmp_path / "none.txt").code == 3
    offline = run("init", tmp_path, "--from-llms-txt", "https://quay.test/llms.txt", "--offline")
    assert (offline.code, offline.out) == (3, "")
    private = run("init", tmp_path, "--from-llms-txt", "https://127.0.0.1/llms.txt")
    assert private.code == 3
    assert "refused private" in private.err
