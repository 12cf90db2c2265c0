"""All rules of the specification set (specification §7)."""

from __future__ import annotations

from kcp.authoring.validate.spec import (
    access,
    ceilings,
    charter,
    composition,
    content,
    diagnostics,
    discovery,
    federation,
    fields,
    grants,
    identity,
    payment,
    references,
    steps,
    temporal,
    trust,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kcp.authoring.validate.findings import Finding
    from kcp.authoring.validate.spec.node import Spec, Unit

# In the order of their findings: each unit, then what crosses units, then the root's blocks.
UNIT_CHECKS: tuple[Callable[[Spec, Unit], Iterator[Finding]], ...] = (
    identity.check_unit,
    fields.check_unit,
    diagnostics.check_unit,
    access.check_unit,
    content.check_unit,
    payment.check_unit,
    references.check_unit,
    federation.check_unit,
    charter.check_unit,
)
ROOT_CHECKS: tuple[Callable[[Spec], Iterator[Finding]], ...] = (
    identity.check_dates,
    references.check_all,
    temporal.check_all,
    discovery.check_all,
    steps.check_all,
    grants.check_all,
    fields.check_root,
    diagnostics.check_root,
    access.check_root,
    trust.check_root,
    federation.check_root,
    composition.check_root,
    payment.check_root,
    ceilings.check_all,
)
TOPICS = (
    identity, fields, references, access, trust, federation, discovery, content, temporal, composition,
    payment, ceilings, steps, grants, diagnostics, charter,
)  # fmt: skip


def check_spec(spec: Spec) -> Iterator[Finding]:
    """The specification's findings on a manifest that it does not refuse."""
    yield from identity.check_root(spec)
    for unit in spec.units:
        for check in UNIT_CHECKS:
            yield from check(spec, unit)
    for check_root in ROOT_CHECKS:
        yield from check_root(spec)
