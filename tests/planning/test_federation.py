"""Which references would be followed (planner contract §8)."""

from __future__ import annotations

import pytest

from kcp.planning.results import FederationEntry
from tests.support import manifest, plan


def entry(ref: str, **changes) -> FederationEntry:
    (only,) = plan(manifest(manifests=f"[{{id: r, url: x, {ref}}}]"), **changes).federation
    return only


@pytest.mark.parametrize(
    ("context", "env", "reason"),
    [
        (None, None, "eligible"),
        (None, "prod", "eligible"),
        ("null", None, "eligible"),
        ("[prod, dev]", "dev", "eligible"),
        ("prod", "prod", "eligible"),
        ("[prod]", "dev", "context [\"prod\"] excludes env 'dev'"),
        ("[prod]", "Prod", "context [\"prod\"] excludes env 'Prod'"),
        ("[]", "prod", "context [] excludes env 'prod'"),
        ("[prod]", None, 'context ["prod"] requires a declared env; none given (fail-closed)'),
        ("[]", None, "context [] requires a declared env; none given (fail-closed)"),
        ("['']", "", 'context [""] requires a declared env; none given (fail-closed)'),
        ("{prod: 1}", "prod", "context [] excludes env 'prod'"),
    ],
)
def test_context(context, env, reason):
    made = entry("" if context is None else f"context: {context}", env=env)
    assert made == FederationEntry("r", "x", reason == "eligible", reason)


@pytest.mark.parametrize(
    ("identity", "needed"),
    [
        ("{required: true, credential_hint: key}", "key"),
        ("{required: yes, credential_hint: key}", "key"),
        ("{required: true, credential_hint: held}", None),
        ("{required: false, credential_hint: key}", None),
        ("{credential_hint: key}", None),
        ("{required: true, credential_hint: ''}", None),
        ("{required: true}", None),
    ],
)
def test_credentials(identity, needed):
    made = entry(f"agent_identity: {identity}", credentials=("held",))
    assert made.selected
    assert made.credential_needed == needed
    assert made.reason == (f"needs {needed} before fetch" if needed else "eligible")


def test_a_needed_credential_is_reported_of_what_is_not_selected_too():
    made = entry("context: [prod], agent_identity: {required: true, credential_hint: key}", env="dev")
    assert made == FederationEntry("r", "x", False, "context [\"prod\"] excludes env 'dev'", "key")


def test_documentation_and_mirror_are_echoed():
    made = entry("local_mirror: '', agent_identity: {docs_url: 'https://d.example'}")
    assert (made.docs_url, made.local_mirror) == ("https://d.example", "")
    assert entry("label: x").local_mirror is None


def test_references_keep_their_order_repeats_included():
    refs = plan(manifest(manifests="[{id: b, url: '1'}, {id: a, url: '2'}, {id: b, url: '3'}]")).federation
    assert [(each.id, each.url) for each in refs] == [("b", "1"), ("a", "2"), ("b", "3")]
