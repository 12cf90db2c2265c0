"""`kcpagent-1`: texts that speak to the agent which reads them, in twenty languages and several disguises."""

from __future__ import annotations

from kcp.render.lints import LintSet
from kcp.render.lints.kcpagent.find import find
from kcp.render.lints.kcpagent.weighing import work_done

LINT_SET = LintSet("kcpagent-1", find, work_done)
