"""Origins and what scopes cover (render contract §3, §4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcp.trust.origins import UNKNOWN, covers, normalise_origin, origin_of


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://user:tok@github.com/Org/repo.git", "github.com/Org/repo"),
        ("git@github.com:Cantara/lib-pcb.git", "github.com/Cantara/lib-pcb"),
        ("ssh://git@GITLAB.example.com/grp/proj.git/", "gitlab.example.com/grp/proj"),
        ("GitHub.com/Acme", "github.com/Acme"),
        ("github.com/Acme/", "github.com/Acme"),
        ("github.com/Acme///", "github.com/Acme"),
        ("  github.com/Acme\n", "github.com/Acme"),
        ("github.com/Acme/Lib.GIT", "github.com/Acme/Lib"),
        ("github.com/a.git.git", "github.com/a.git"),
        ("github.com/Org/.git", "github.com/Org"),
        ("github.com", "github.com"),
        ("HTTPS://GitHub.com", "github.com"),
        ("github.com:Acme", "github.com/Acme"),
        ("git@h:/abs/r.git", "h/abs/r"),
        ("git@h:22/x", "h/22/x"),
        ("user@h/x", "h/x"),
        ("https://h:443/x", "h/x"),
        ("http://h:80/x", "h/x"),
        ("ssh://git@h:22/x", "h/x"),
        ("h:443/x", "h/x"),
        ("https://h:8443/x", "h:8443/x"),
        ("https://h:80/x", "h:80/x"),
        ("localhost:8443", "localhost:8443"),
        ("localhost:8443/x", "localhost:8443/x"),
        ("[::1]:8443/x", "[::1]:8443/x"),
        ("https://[::1]/a", "[::1]/a"),
        ("unknown", "unknown"),
    ],
)
def test_normalising(text: str, origin: str):
    assert normalise_origin(text) == origin
    assert origin.endswith(".git") or normalise_origin(origin) == origin


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "/", "/srv/x", "https://", "https:///x", "file:///srv/x", "@", "user@", ":x", "git@:x"),
        *("h/x y", "h/x\ty", "h/x\x1b", "h/\u202e", "blåbær.no/x", "h/é"),
        *("h/..", "../h", "..", ".", "h/a/../b", "h/./b", "h//b", "h/a//b"),
        *("h/a%2Fb", "h/a%2f..", "h/a%5Cb", "h\\x", "h/a\\b", "h/x?y", "h/x#y", 'h/"x'),
    ],
)
def test_what_is_no_origin(text: str):
    assert normalise_origin(text) is None


@given(st.text(alphabet="aA./:@%2f\\ []0git-~", max_size=20))
def test_normalising_settles(text: str):
    once = normalise_origin(text)
    if once is not None:
        assert not {"", ".", ".."} & set(once.split("/"))
        assert once.partition("/")[0] == once.partition("/")[0].lower()
        assert "@" not in once.partition("/")[0]


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        ("https://github.com/Acme/knowledge.yaml", "github.com/Acme"),
        ("https://GITHUB.com:443/Acme/knowledge.yaml?x=/y#z", "github.com/Acme"),
        ("https://u:p@h/a/b/k.yaml", "h/a/b"),
        ("https://h/k.yaml", "h"),
        ("https://h", "h"),
        ("https://h/a/../b/k.yaml", "h/b"),
        ("https://h/a/%2e%2e/b/k.yaml", "h/b"),
        ("http://127.0.0.1:8080/a/k.yaml", "127.0.0.1:8080/a"),
        ("https://h//a/k.yaml", UNKNOWN),
        ("https://h/a%2f../k.yaml", UNKNOWN),
        ("https://", UNKNOWN),
        ("knowledge.yaml", UNKNOWN),
        ("/srv/github.com/Acme/knowledge.yaml", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_origin_of_a_source(source: str, origin: str):
    assert origin_of(source) == origin


@pytest.mark.parametrize(
    "path", ["HTTP:/github.com/Acme/k.yaml", "HTTPS://github.com/Acme/k.yaml", "https:/h/k"]
)
def test_a_path_that_looks_like_a_url_has_no_origin(path: str):
    """Such a folder can lie in any checkout."""
    assert origin_of(path) == UNKNOWN


@pytest.mark.parametrize(
    ("scope", "origin", "covered"),
    [
        ("github.com/Acme", "github.com/Acme", True),
        ("github.com/Acme", "github.com/Acme/lib", True),
        ("github.com/Acme", "github.com/Acme/lib/deep", True),
        ("github.com/Acme", "github.com/AcmeEvil", False),
        ("github.com/Acme", "github.com/acme", False),
        ("github.com/Acme", "github.com", False),
        ("github.com", "github.com/Acme", True),
        ("github.com", "github.com.evil.example/Acme", False),
        ("github.com", "github.com:8443/Acme", False),
        (UNKNOWN, UNKNOWN, False),
        (UNKNOWN, "unknown/x", True),
    ],
)
def test_scopes_cover_whole_segments(scope: str, origin: str, covered: bool):
    assert covers(scope, origin) is covered
