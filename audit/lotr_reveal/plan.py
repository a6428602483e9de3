"""What the procedure of a card has to see, worked out once: from the card and from what is in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.lotr_reveal.cards import ENTER_KEYWORDS, REVEAL_KEYWORDS, SURGE, UNDESCRIBED, Card, Source
from audit.lotr_reveal.rules import step_0, step_2, step_9, step_11
from audit.lotr_reveal.state import Note, Plan, State, Task
from audit.lotr_reveal.steps import INDEX, S4, S5_1, S7, S8, S9, S10, S11

Sources = Iterable[tuple[str, Source]]


def plan_of(state: State, card: str, placed: bool) -> Plan:
    """The plan of a card about to be revealed, or placed, among the cards in play."""
    table = state.table
    sources = [*table.sources.items()]
    sources += [(other, source) for other in state.active if other != card and (source := table.card(other).source)]
    data = table.card(card)
    if data is UNDESCRIBED:
        return Plan((Task("move", S8, card),))
    if placed:
        return Plan((*_from_8(card, data, sources, "placed"),), (*_notes_placed(data, sources),))
    return Plan((*_to_7(card, data, sources), *_from_8(card, data, sources, "")), (*_notes(data, sources),))


def is_shut_out(card: Card, source: Source) -> bool:
    """Whether the card is immune to that source, or nobody can tell."""
    return source.owner is not None and card.immune is not False


def _to_7(card: str, data: Card, sources: Sources) -> Iterator[Task]:
    for name, source in sources:
        passive = source.on_reveal
        if passive and source.committed and data.is_a(passive.to) and not is_shut_out(data, source):
            yield Task("passive", S4, name, passive.effect, passive.amount, passive.keyword or "")
    for keyword, value in data.keywords.items():
        yield from keyword_tasks(card, keyword, value, S5_1, "printed")
    if data.has_when_revealed:
        yield Task("revealed", S7, card)


def keyword_tasks(card: str, keyword: str, value: int | str | bool, step: int, origin: str) -> Iterator[Task]:
    """What a keyword that works on being revealed asks for at that step."""
    number = value if isinstance(value, int) and not isinstance(value, bool) else 1
    if keyword == SURGE:
        yield from (Task("surge", step, card, origin),) * number
    elif keyword in REVEAL_KEYWORDS:
        yield Task("keyword", step, card, keyword, number if value is not True else 0, origin)


def _from_8(card: str, data: Card, sources: Sources, detail: str) -> Iterator[Task]:
    to = data.enters or ("staging_area" if data.enters_play else "encounter_discard")
    yield Task("move", S8, card, to, detail=detail)
    if data.enters_play:
        yield from _entering(card, data, sources)
        yield from _forced(card, data, sources, S10)
    if not detail:
        yield from _forced(card, data, sources, S11)


def _entering(card: str, data: Card, sources: Sources) -> Iterator[Task]:
    for keyword, value in data.keywords.items():
        if keyword in ENTER_KEYWORDS and value is not False:
            yield Task("enter", S9, card, keyword, detail=value if isinstance(value, str) else "")
    for name, source in sources:
        enters = source.enters_with
        if enters and data.is_a(enters.to) and not is_shut_out(data, source):
            yield Task("enter", S9, name, enters.effect)


def _forced(card: str, data: Card, sources: Sources, step: int) -> Iterator[Task]:
    own: Sources = ((card, data.source),) if data.source else ()
    for name, source in (*own, *sources):
        forced = source.forced
        if forced and INDEX[forced.step] == step and data.is_a(forced.to) and not is_shut_out(data, source):
            yield Task("forced", step, name, forced.effect)


def _notes(data: Card, sources: Sources) -> Iterator[Note]:
    immune = step_2.IMMUNE_CONDITIONAL if data.conditional else step_2.IMMUNE
    if _shuts_out(data, sources, "on_reveal"):
        yield Note(S4, immune.id)
    if _shuts_out(data, sources, "enters_with"):
        yield Note(S9, step_2.IMMUNE_ALL_LATER_STEPS.id)
    if not data.enters_play:
        yield Note(S10, step_9.TREACHERY_HAS_NONE.id)


def _notes_placed(data: Card, sources: Sources) -> Iterator[Note]:
    yield Note(S7, step_0.PLACED_SKIPS_1_TO_7.id)
    if _shuts_out(data, sources, "enters_with"):
        yield Note(S9, step_2.IMMUNE_ALL_LATER_STEPS.id)
    yield Note(S11, step_11.NOT_FOR_PLACED.id)


def _shuts_out(data: Card, sources: Sources, what: str) -> bool:
    return data.immune is not False and any(
        (effect := getattr(source, what)) is not None and data.is_a(effect.to) and is_shut_out(data, source)
        for _, source in sources
    )
