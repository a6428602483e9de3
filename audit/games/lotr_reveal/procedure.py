"""What a card has to go through, worked out once when it is taken: from the card and from what is in play."""

from __future__ import annotations

from collections.abc import Iterable

from audit.games.lotr_reveal.cards import (
    ENTER_KEYWORDS,
    ITSELF,
    KEYWORDS,
    REVEAL_KEYWORDS,
    SURGE,
    UNDESCRIBED,
    Card,
    Source,
)
from audit.games.lotr_reveal.lookup import card_of, encounter_sources
from audit.games.lotr_reveal.rules import step_0, step_2, step_9, step_11
from audit.games.lotr_reveal.state import ActingSources, NamedSources, Procedure, State, StepNote, Task
from audit.games.lotr_reveal.steps import INDEX, S4, S5_1, S7, S8, S9, S10, S11


def acting_sources(sources: Iterable[tuple[str, Source]]) -> ActingSources:
    """Which of these cards in play act by themselves on a card on its way, by what they do."""
    found = tuple(sources)
    return ActingSources(
        on_reveal=tuple([one for one in found if one[1].on_reveal]),
        enters_with=tuple([one for one in found if one[1].enters_with]),
        forced=tuple([one for one in found if one[1].forced]),
    )


def procedure_of(state: State, card: str, placed: bool) -> Procedure:
    """What a card about to be revealed, or placed, has to go through among the cards in play."""
    data = card_of(state, card)
    if data is UNDESCRIBED:
        return Procedure(possible=(Task("move", S8, card),))
    sources = encounter_sources(state)
    others = _others(state, card, sources) if sources else state.acting
    if placed:
        tasks = _from_step_8(card, data, others, "placed")
        possible = (*_by_its_type(card, data, others, "placed"), *_unknown_keywords(card, data, S9))
        return Procedure(tuple(tasks), (*_PLACED, *_notes_entering(data, others), *_NOT_REVEALED), possible)
    return Procedure(
        (*_until_step_7(card, data, others), *_from_step_8(card, data, others, "")), _notes(data, others),
        (*_passives(data, others, None), *_by_its_type(card, data, others, ""), *_unknown_keywords(card, data, S5_1)),
    )  # fmt: skip


def _others(state: State, card: str, sources: list[str]) -> ActingSources:
    found = [(other, source) for other in sources if other != card and (source := card_of(state, other).source)]
    return acting_sources([*state.sources.items(), *found])


def is_immune_to(card: Card, source: Source) -> bool:
    """Whether the card is immune to that source, or nobody can tell."""
    return source.owner is not None and card.immune is not False


def _is_affected(data: Card, source: Source, to: str | None) -> bool:
    """Whether an effect on cards of that kind reaches this card."""
    return data.is_a(to) and not is_immune_to(data, source)


def _until_step_7(card: str, data: Card, others: ActingSources) -> list[Task]:
    tasks = _passives(data, others, True)
    for keyword, value in data.keywords.items():
        tasks += keyword_tasks(card, keyword, value, S5_1, "printed")
    if data.has_when_revealed:
        tasks.append(Task("revealed", S7, card))
    return tasks


def _passives(data: Card, others: ActingSources, committed: bool | None) -> list[Task]:
    """The passive effects on the card of the sources that are committed, or of which nobody has told."""
    return [
        Task("passive", S4, name, passive.effect, passive.amount, passive.keyword or "")
        for name, source in others.on_reveal
        if (passive := source.on_reveal) and source.committed is committed and _is_affected(data, source, passive.to)
    ]


def _by_its_type(card: str, data: Card, others: ActingSources, detail: str) -> list[Task]:
    """What may have to happen to a card whose type nobody has said, or of which the document says nothing."""
    found = [] if data.destination else [Task("move", S8, card, detail=detail)]
    if data.is_ruled:
        return found
    if not detail:
        found += [
            Task("passive", S4, name, passive.effect, passive.amount, passive.keyword or "")
            for name, source in others.on_reveal
            if (passive := source.on_reveal) and source.committed is not False and _may_reach(data, source, passive.to)
        ]
    found += [
        Task("enter", S9, name, enters.effect)
        for name, source in others.enters_with
        if (enters := source.enters_with) and not source.is_bound and _may_reach(data, source, enters.to)
    ]
    return found + [
        Task("forced", INDEX[forced.step], name, forced.effect)
        for name, source in others.forced
        if (forced := source.forced) and _may_reach(data, source, forced.to) and not (detail and forced.step == "11")
    ]


def _may_reach(data: Card, source: Source, to: str | None) -> bool:
    """Whether an effect on cards of that kind may reach a card of a type the document does not mention."""
    return to is not None and not data.is_a(to) and data.may_be_a(to) and not is_immune_to(data, source)


def _unknown_keywords(card: str, data: Card, step: int) -> tuple[Task, ...]:
    """Keywords of which the document says nothing, so that they may do something or not."""
    return tuple([Task("unknown", step, card, keyword) for keyword in data.unknown_keywords])


def keyword_tasks(card: str, keyword: str, value: int | str | bool, step: int, origin: str) -> tuple[Task, ...]:
    """What a keyword that works on being revealed asks for at that step."""
    if keyword not in REVEAL_KEYWORDS:
        return ()
    number = value if isinstance(value, int) and not isinstance(value, bool) else 1
    if keyword == SURGE:
        return (Task("surge", step, card, origin),) * number
    return (Task("keyword", step, card, keyword, number if value is not True else 0, origin),)


def unknown_keyword(card: str, keyword: str, step: int) -> tuple[Task, ...]:
    """What a keyword may do that a card gains and of which the document says nothing."""
    return () if keyword in KEYWORDS else (Task("unknown", step, card, keyword),)


def _from_step_8(card: str, data: Card, others: ActingSources, detail: str) -> list[Task]:
    stays, to = data.enters_play, data.destination
    tasks = [Task("move", S8, card, to, detail=detail)] if to else []
    if stays:
        tasks += _entering(card, data, others.enters_with)
    if forced := ((card, data.source), *others.forced) if data.source else others.forced:
        tasks += _forced(card, data, forced, S10) if stays else ()
        tasks += () if detail else _forced(card, data, forced, S11)
    return tasks


def _entering(card: str, data: Card, sources: NamedSources) -> list[Task]:
    tasks = [
        Task("enter", S9, card, keyword, detail=value if isinstance(value, str) else "")
        for keyword, value in data.keywords.items()
        if keyword in ENTER_KEYWORDS and value is not False
    ]
    for name, source in sources:
        if (enters := source.enters_with) and not source.is_bound and _is_affected(data, source, enters.to):
            tasks.append(Task("enter", S9, name, enters.effect))
    return tasks


def _forced(card: str, data: Card, sources: NamedSources, step: int) -> list[Task]:
    return [
        Task("forced", step, name, forced.effect)
        for name, source in sources
        if (forced := source.forced) and INDEX[forced.step] == step
        if (forced.to == ITSELF and name == card) or _is_affected(data, source, forced.to)
    ]


_IMMUNE_LATER = (StepNote(S9, step_2.IMMUNE_ALL_LATER_STEPS.id),)
_NEVER_IN_PLAY = (StepNote(S10, step_9.TREACHERY_HAS_NONE.id),)
_PLACED = (StepNote(S7, step_0.PLACED_SKIPS_1_TO_7.id),)
_NOT_REVEALED = (StepNote(S11, step_11.NOT_FOR_PLACED.id),)


def _notes(data: Card, others: ActingSources) -> tuple[StepNote, ...]:
    immune = _notes_immune(data, others) if data.immune is not False else ()
    return immune if data.enters_play else (*immune, *_NEVER_IN_PLAY)


def _notes_immune(data: Card, others: ActingSources) -> tuple[StepNote, ...]:
    rule = step_2.IMMUNE_CONDITIONAL if data.conditional else step_2.IMMUNE
    passives = [(effect.to, source) for _, source in others.on_reveal if (effect := source.on_reveal)]
    at_4 = (StepNote(S4, rule.id),) if _is_immune_to_any(data, passives) else ()
    return (*at_4, *_notes_entering(data, others))


def _notes_entering(data: Card, others: ActingSources) -> tuple[StepNote, ...]:
    entering = [(effect.to, source) for _, source in others.enters_with if (effect := source.enters_with)]
    return _IMMUNE_LATER if _is_immune_to_any(data, entering) else ()


def _is_immune_to_any(data: Card, effects: Iterable[tuple[str | None, Source]]) -> bool:
    return any(data.is_a(to) and is_immune_to(data, source) for to, source in effects)
