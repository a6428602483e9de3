"""How much code one event goes through while it is judged: calls, modules, and changes of module.

python -m bench.hops replays/samples/dispute.jsonl 24 25
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

import click

from audit.core.auditor import Auditor
from audit.core.model import Event
from audit.core.rules import Rules
from replays.log.reader import open_log

PACKAGE = str(Path(__file__).resolve().parent.parent / "audit")


@contextmanager
def traced(calls: list[str]) -> Iterator[None]:
    """Collects the module of every call of a function of the rules, in their order."""

    def note(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            calls.append(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def hops(auditor: Auditor[object], event: Event) -> tuple[int, int, int]:
    """The calls, the modules and the changes of module that judging the event takes."""
    calls: list[str] = []
    with traced(calls):
        deque(auditor.steps((event,)), maxlen=0)
    return len(calls), len(set(calls)), sum(one != other for one, other in pairwise(calls))


class Mean:
    """The means of what events of one kind go through."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int, int]] = []

    def __str__(self) -> str:
        count = len(self.found)
        means = [sum(column) / count for column in zip(*self.found, strict=True)] if count else [0.0] * 3
        return f"{count} events: {means[0]:.1f} calls through {means[1]:.1f} modules, {means[2]:.1f} changes of module"


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.argument("seqs", type=int, nargs=-1)
def main(path: str, seqs: tuple[int, ...]) -> None:
    """Count what the events of these SEQS, or all, go through in the log PATH."""
    log = open_log(path)
    rules: Rules[object] = log.ruleset.rules
    auditor = Auditor(rules, log.header)
    means = {True: Mean(), False: Mean()}
    for event in log:
        before = auditor.bookmark()
        found = auditor.judge(event)[-1].verdict.is_finding
        after = auditor.bookmark()
        auditor.return_to(before)
        counted = hops(auditor, event)
        auditor.return_to(after)
        means[found].found.append(counted)
        if event.seq in seqs:
            calls, modules, changes = counted
            kind = type(event).__name__
            click.echo(f"{event.seq} {kind}: {calls} calls through {modules} modules with {changes} changes of module")
    if not seqs:
        click.echo(f"legal: {means[False]}")
        click.echo(f"findings: {means[True]}")


if __name__ == "__main__":
    main()
