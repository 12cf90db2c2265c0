"""The plan for people: what a plan without frills does not show."""

from __future__ import annotations

import pytest

from kcp.cli.show.page import Page
from kcp.cli.show.plan import add_plan
from kcp.options import PlanOptions
from kcp.planning.results import (
    BudgetReport,
    ContextReport,
    ManifestInfo,
    Plan,
    ServingBinding,
    SignatureResult,
    TrustReport,
)

EMPTY = Plan(
    task="t",
    manifest=ManifestInfo("p", "1"),
    trust=TrustReport(False, True, "no requirement"),
    environment=None,
    as_of="2026-07-01",
    options=PlanOptions("2026-07-01"),
    selected=(),
    skipped=(),
    federation=(),
    budget=BudgetReport("default", None, (), None, None, None, None, None, ""),
    context=ContextReport(None, None, None, False, 0, ""),
    warnings=(),
)


def shown(plan: Plan) -> str:
    page = Page()
    add_plan(page, plan)
    return page.plain()


def test_an_empty_plan():
    assert shown(EMPTY) == (
        'Plan for: "t"\n  p v1 · as of 2026-07-01\n\nTrust: · no requirement\n\n'
        "Load plan (0 units):\n\nBudget: tier default\n"
    )


@pytest.mark.parametrize(
    ("status", "mark"), [("verified", "✓"), ("invalid", "✗"), ("unverifiable", "⚠"), ("unsigned", "·")]
)
def test_signature(status: str, mark: str):
    with_key = EMPTY.replace(signature=SignatureResult(status, "the detail", "k1"))
    assert f"\nSignature: {mark} the detail · key k1\n" in shown(with_key)
    without = EMPTY.replace(signature=SignatureResult(status, "the detail"))
    assert f"\nSignature: {mark} the detail\n" in shown(without)


@pytest.mark.parametrize(
    ("status", "mark"), [("bound", "✓"), ("unbound", "⚠"), ("local", "·"), ("no-binding", "·")]
)
def test_serving(status: str, mark: str):
    assert f"\nServing: {mark} the detail\n" in shown(
        EMPTY.replace(serving=ServingBinding(status, "the detail"))
    )


def test_trust_marks():
    assert "Trust: ✓ n\n" in shown(EMPTY.replace(trust=TrustReport(True, True, "n")))
    assert "Trust: ✗ n\n" in shown(EMPTY.replace(trust=TrustReport(True, False, "n")))


def test_budgets():
    budget = BudgetReport("premium", "unlimited", (), 2, "EURC", 0.5, 1.25, 0.25, "")
    context = ContextReport(3000, 2900.5, 99.5, True, 2, "")
    text = shown(EMPTY.replace(budget=budget, context=context, warnings=("careful",)))
    assert (
        "Budget: tier premium · unlimited req/min · 1.25/2 EURC (0.25 remaining, 0.5 committed upstream)\n"
        in text
    )
    assert "Context: 2,901/3,000 tokens (100 remaining) · some sizes estimated · 2 unmeasured\n" in text
    assert text.endswith("⚠ careful\n")
