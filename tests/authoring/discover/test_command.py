"""`kcp-agent discover` against servers on loopback, over TLS."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from kcp.authoring.discover.find import Discovery
from kcp.cli.commands import discover
from tests.authoring.discover.conftest import MANIFEST
from tests.network.conftest import NAME
from tests.network.servers import Server, ok, redirect

PAGE = b"<title>Quay</title><h1>Berths</h1><p>All of them.</p><a href='/tides'>t</a>"
HTML = "Content-Type: text/html"


@pytest.fixture
def site(
    serve: Callable, local: Callable, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Server, str]]:
    """Starts a site; the command's fetcher trusts it, and its crawl does not pause."""

    def start(answers: dict[str, object]) -> tuple[Server, str]:
        server = serve(answers)
        monkeypatch.setattr(discover, "fetcher_of", lambda _arguments: local())
        monkeypatch.setattr(
            discover, "Discovery", lambda *words, **named: Discovery(*words, delay=0, **named)
        )
        return server, f"https://{NAME}:{server.port}"

    return start


def test_manifest(run: Callable, site: Callable):
    _, url = site({"/knowledge.yaml": ok(MANIFEST)})
    found = f"{url}/knowledge.yaml"
    assert run("discover", url) == (0, f"Found manifest at {found}\n  quay v1.2 · 1 unit(s) · KCP 0.32\n", "")
    code, out, err = run("discover", url, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "found": True,
        "url": found,
        "manifest": {"project": "quay", "version": "1.2", "unitCount": 1, "kcpVersion": "0.32"},
    }
    assert list(json.loads(out)) == ["found", "url", "manifest"]


def test_manifest_behind_a_redirect(run: Callable, site: Callable):
    _, url = site({"/knowledge.yaml": redirect("/real.yaml"), "/real.yaml": ok(MANIFEST)})
    assert json.loads(run("discover", url, "--json").out)["url"] == f"{url}/real.yaml"


def test_discovery_document(run: Callable, site: Callable):
    document = b'{"kcp_version": "0.32", "manifest": "/m.yaml"}'
    _, url = site({"/.well-known/kcp.json": ok(document), "/m.yaml": ok(MANIFEST)})
    assert run("discover", f"{url}/some/page").out.startswith(f"Found manifest at {url}/m.yaml\n")


def test_llms_txt(run: Callable, site: Callable):
    _, url = site({"/llms.txt": ok(b"# Quay\n- [a](/a)\n", "Content-Type: text/plain")})
    code, out, err = run("discover", url)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"No manifest found, but {url}/llms.txt lists 1 link(s).",
        "To draft a manifest from it:",
        f"  kcp-agent init --from-llms-txt {url}/llms.txt",
    ]
    assert json.loads(run("discover", url, "--json").out) == {
        "found": False,
        "llmsTxt": {"url": f"{url}/llms.txt", "links": 1, "title": "Quay"},
    }


def test_draft(run: Callable, site: Callable):
    server, url = site({"/": ok(PAGE, HTML), "/tides": ok(b"<title>Tides</title>", HTML)})
    code, out, err = run("discover", url)
    assert code == 0
    assert out.startswith("# Drafted by kcp-agent discover")
    assert "page(s)" in err
    assert [visit.target for visit in server.visits] == [
        *("/.well-known/kcp.json", "/knowledge.yaml", "/.well-known/knowledge.yaml"),
        *("/.well-known/kcp/knowledge.yaml", "/llms.txt", "/robots.txt", "/", "/tides"),
    ]
    code, out, err = run("discover", url, "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert list(result) == ["crawl", "yaml"]
    assert list(result["crawl"]) == ["pages", "robotsDisallowed"]
    assert result["crawl"]["pages"][0] == {
        "url": f"{url}/",
        "title": "Quay",
        "headings": ["Berths"],
        "firstParagraph": "All of them.",
        "path": "index",
    }


def test_nothing_found(run: Callable, site: Callable):
    _, url = site({})
    code, out, err = run("discover", url)
    assert (code, err) == (1, "")
    assert out.startswith("No manifest found.\nAsked:\n")
    code, out, err = run("discover", url, "--json")
    assert (code, err) == (1, "")
    result = json.loads(out)
    assert (result["found"], result["reached"]) == (False, True)
    assert result["tried"][0] == {"url": f"{url}/.well-known/kcp.json", "reason": "404 Not Found"}


def test_nobody_answers(run: Callable, site: Callable):
    server, url = site({})
    server.__exit__(None, None, None)
    code, out, err = run("discover", url, "--json")
    assert (code, err) == (3, "")
    assert json.loads(out)["reached"] is False
    assert run("discover", url).out.startswith("Nothing could be reached.\n")


def test_guard_is_in_the_way(run: Callable):
    code, out, _ = run("discover", "https://127.0.0.1:1/", "--json")
    assert code == 3
    assert "refused private" in json.loads(out)["tried"][0]["reason"]
    assert run("discover", "https://quay.test/", "--offline").code == 3


def test_wrong_use(run: Callable):
    code, out, err = run("discover")
    assert (code, out) == (2, "")
    assert err.startswith("Missing URL.\n\nUsage: kcp-agent discover URL")
    assert run("discover", "quay.test").code == 2
    assert run("discover", "https://a.test", "https://b.test").code == 2


def test_hostile_answers_do_not_reach_the_terminal(run: Callable, site: Callable):
    _, url = site({"/knowledge.yaml": ok(b'project: "a\\e[31mb"\nversion: "\\u202e1"\nunits: []\n')})
    out = run("discover", url).out
    assert "\x1b" not in out
    assert "\u202e" not in out
