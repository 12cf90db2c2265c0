"""What `render --events FILE` puts on record."""

from __future__ import annotations

import os
import time

from kcp.errors import KcpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments
    from kcp.render.events import EventLog
    from kcp.render.pipeline import Gathered
    from kcp.render.request import RenderRefusedError, RenderRequest


def utc_now() -> str:
    """The time in UTC to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def open_log(arguments: Arguments) -> EventLog | None:
    """The log that a command line names, opened before anything is rendered; None where it names none."""
    path = arguments.text("--events")
    if path is None:
        return None
    from kcp.render.events import EventLog

    return EventLog(path)


def record_render(log: EventLog, gathered: Gathered) -> None:
    """A render that was made."""
    from kcp.render.events import RenderEvent

    artifact, frame = gathered.artifact(), gathered.frame
    account = artifact["sanitization"]
    log.record_render(
        RenderEvent(
            timestamp=utc_now(),
            source_path=os.path.abspath(gathered.source),
            source_sha256=frame.source_sha256,
            origin=artifact["trust"]["origin"],
            tier=frame.tier,
            pinned=artifact["trust"]["pinned"],
            renderer_version=frame.renderer,
            lint_rules=gathered.lint.id,
            quarantined=tuple(account["quarantined"]),
            **account["stats"],
        )
    )


def record_refusal(log: EventLog, request: RenderRequest, error: RenderRefusedError) -> None:
    """A render that was refused at tier `failed`."""
    from kcp.reading.locate import locate
    from kcp.render.events import RenderEvent
    from kcp.render.lints import lint_for
    from kcp.render.pipeline import RENDERER
    from kcp.render.tier import FAILED

    try:
        source = locate(request.location)
    except KcpError:
        source = request.location
    log.record_render(
        RenderEvent(
            timestamp=utc_now(),
            source_path=os.path.abspath(source),
            source_sha256=error.source_sha256,
            origin=error.origin,
            tier=FAILED,
            pinned=error.pinned,
            renderer_version=RENDERER,
            lint_rules=lint_for(request.lint).id,
        )
    )
