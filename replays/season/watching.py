"""Follows a folder or the store: each finding is told once, as soon as it is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct

from replays.judging.facts import Broken, Facts
from replays.judging.tally import Json
from replays.season.judging import Asked, Judged, judged
from replays.season.sources import Source


class News(Struct, frozen=True, kw_only=True):
    """A new finding: where it is, and what is said of it, to judges in `message` and to everybody in `told`."""

    log: str
    message: str
    rule: str
    verdict: str
    seq: int | None
    told: dict[str, object]


class Watch:
    """Remembers what was told. Every look judges what changed since the last one."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._stamps: dict[str, str] = {}
        self._told: dict[str, frozenset[tuple[object, object]]] = {}
        self._troubled: dict[str, tuple[str, ...]] = {}

    def look(self, sources: Iterable[Source]) -> Iterator[News | tuple[str, ...]]:
        """The findings that are new, and the trouble with logs that cannot be read, each once."""
        for source in sources:
            stamp = source.head or source.stamp()
            if stamp and self._stamps.get(source.name) == stamp:
                continue
            self._stamps[source.name] = stamp
            yield from self._news(judged(self._asked, source))

    def _news(self, found: Judged) -> Iterator[News | tuple[str, ...]]:
        if found.report is None or found.facts is None:
            if found.trouble != self._troubled.get(found.name):
                self._troubled[found.name] = found.trouble
                yield found.trouble
            return
        self._troubled.pop(found.name, None)
        before = self._told.get(found.name, frozenset())
        self._told[found.name] = frozenset(map(_mark, found.report.findings))
        broken = {one.seq: one for one in found.facts.broken}
        for finding in found.report.findings:
            if _mark(finding) not in before:
                yield _news(found, finding, broken.get(cast("int | None", finding["seq"])))


def _mark(finding: Json) -> tuple[object, object]:
    return finding["seq"], tuple(cast("list[str]", finding["rules"])[:1])


def _news(found: Judged, finding: Json, broken: Broken | None) -> News:
    assert found.facts is not None
    rules = cast("list[str]", finding["rules"])
    seq = cast("int | None", finding["seq"])
    told = public_news(found.facts, str(finding["verdict"]), seq, broken)
    return News(
        log=found.name, message=str(finding["message"]), rule=rules[0] if rules else "",
        verdict=str(finding["verdict"]), seq=seq, told=told,
    )  # fmt: skip


def public_news(facts: Facts, verdict: str, seq: int | None, broken: Broken | None) -> dict[str, object]:
    """What everybody may know of a finding: no card, and no rule where the finding is about a card nobody saw."""
    said: dict[str, object] = {
        "game": facts.game, "ruleset": facts.ruleset, "event": facts.event, "round": facts.round, "seq": seq,
        "verdict": verdict,
    }  # fmt: skip
    if broken is not None:
        said |= {"turn": broken.turn, "player": broken.player}
        said |= {"rule": broken.rule} if broken.card == broken.told else {}
    return {name: value for name, value in said.items() if value not in ("", None)}
