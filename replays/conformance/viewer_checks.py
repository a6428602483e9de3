"""What holds for what each viewer is shown and told, and for the words and pictures that people read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from itertools import islice

import msgspec

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES, words
from audit.core.event_rules import Violation
from audit.core.model import Event, Header, type_name
from audit.core.ruleset import Ruleset
from audit.core.sentences import tell, violation_sentence
from replays.conformance.sample import Sample, wrong_steps
from replays.generating.telling import viewer_log
from replays.judging.sentences import event_json
from replays.terminal.scene_lines import scene_lines


def finds_no_viewer_wrong(sample: Sample) -> Iterator[str]:
    """What a seat or the public writes down of a clean game is never called illegal."""
    game, (header, events) = sample.game, sample.log
    for viewer in (sample.viewers[0], "public"):
        yield from (f"as {viewer}: {wrong}" for wrong in wrong_steps(game, *viewer_log(game, header, events, viewer)))


def shows_a_viewer_only_what_they_saw(sample: Sample) -> Iterator[str]:
    """Two games that differ only in what is hidden look alike: the real one, and the one the viewer wrote down."""
    game, (header, events) = sample.game, sample.log
    for viewer in sample.viewers:
        state, seen = game.rules.start(header), game.rules.start(viewer_log(game, header, events, viewer)[0])
        recorder = game.disclosure.recorder(viewer)
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            for told in recorder(before, event, state):
                seen = game.rules.evolve(seen, told)
            if not same(game.disclosure.view(seen, viewer), game.disclosure.view(state, viewer)):
                yield f"as {viewer}: after {event} the view is not that of what {viewer} wrote down"
            if len(game.disclosure.pending(seen, viewer)) != len(game.disclosure.pending(state, viewer)):
                yield f"as {viewer}: after {event} more or less is pending than in what {viewer} wrote down"


def names_no_card_that_was_not_shown(sample: Sample) -> Iterator[str]:
    """A viewer's record names a card of a deck or a hand only after the viewer was shown it."""
    game, (header, events) = sample.game, sample.log
    secret = hidden_at_the_start(header)
    known = cards_in(game.disclosure.view(game.rules.start(header), "public"))
    told = hidden_at_the_start(game.disclosure.recorded_header(header, "public"))
    if early := secret & told - known:
        yield f"the header that the public could have written names {', '.join(sorted(early))}"
    for viewer in sample.viewers:
        state, recorder = game.rules.start(header), game.disclosure.recorder(viewer)
        shown = secret & cards_in(game.disclosure.view(state, viewer))
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            shown |= secret & cards_in(_shown_by(game, before, event, state, viewer))
            for written in recorder(before, event, state):
                if early := secret & cards_in(written) - shown:
                    yield f"as {viewer}: {written} names {', '.join(sorted(early))}, which {viewer} was not shown"
        written_header, _ = viewer_log(game, header, events[:300], viewer)
        alike = {card.partition("#")[0] for card in shown}  # what a header tells of a card is true of all its copies
        if early := secret & cards_in(written_header.setup) - shown - alike - _own_deck(header, viewer):
            yield f"as {viewer}: the header tells of {', '.join(sorted(early))}, which {viewer} was not shown"


def _own_deck(header: Header, viewer: str) -> Set[str]:
    """The cards of the deck that this viewer has brought."""
    lists = header.setup.get("deck_lists")
    return _leaves(lists.get(viewer)) if isinstance(lists, Mapping) else frozenset()


def tells_no_card_that_stays_hidden(sample: Sample) -> Iterator[str]:
    """An event, as a viewer may know it, names no card that they have not seen and do not see after it either.

    `Disclosure.shows` names the events that show a viewer what their view hides. What was seen is forgotten with an
    event of which `EventRules.hides_cards` says so, such as a shuffle.
    """
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    known = {viewer: _seen(game, state, viewer) for viewer in sample.viewers}
    for event in events[:300]:
        before, state = state, game.rules.evolve(state, event)
        there = _leaves(game.disclosure.view(state))
        for viewer, before_it in known.items():
            written = game.disclosure.redact(before, event, viewer)
            told, seen = there & cards_in(written), _seen(game, state, viewer)
            if not game.rules.event_rules[type(event)].hides_cards:
                seen |= before_it
            if game.disclosure.shows(event, viewer):
                seen |= told
            if hidden := told - seen:
                yield f"as {viewer}: {written} names {', '.join(sorted(hidden))}, which {viewer} has not seen"
            known[viewer] = seen


def _seen(game: Ruleset[object], state: object, viewer: str) -> set[str]:
    """The cards that a viewer sees in a position, and all the other words of it."""
    return cards_in((game.disclosure.view(state, viewer), game.disclosure.pending(state, viewer)))


def _shown_by(game: Ruleset[object], before: object, event: Event, after: object, viewer: str) -> list[object]:
    """What the viewer sees when the event has happened; a hand may be shown to everybody."""
    disclosure = game.disclosure
    shown: list[object] = [disclosure.view(after, viewer), disclosure.redact(before, event, viewer)]
    player = getattr(event, "player", None)
    if getattr(event, "zone", None) == "hand" and player is not None:
        shown.append(disclosure.view(before, player))
    return shown


CARD = r"[\w#?.-]+"


def cards_in(value: object) -> set[str]:
    """Every word anywhere in plain data or an event."""
    return set(re.findall(CARD, str(value)))


def hidden_at_the_start(header: Header) -> set[str]:
    """Every card of a deck or a hand."""
    zones = (header.setup.get(key, ()) for key in ("deck", "decks", "hands", "encounter_deck"))
    return set().union(*map(_leaves, zones))


@lru_cache
def _words(text: str) -> Set[str]:
    return cards_in(text)


def _leaves(value: object) -> Set[str]:
    """The strings in plain data, keys left out."""
    if isinstance(value, str):
        return _words(value)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return set().union(*map(_leaves, inner))


# What people read


def says_every_step_in_words(sample: Sample) -> Iterator[str]:
    """Each event and each violation has a sentence in four languages, with every place in it filled."""
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, 200):
        assert step.event
        for language in LANGUAGES:
            told = tell(game, step.event, language)
            if told == game.wording.sentence_key(step.event) or "…" in told:
                yield f"{language}: {type_name(type(step.event))} is told as {told!r}"
            yield from (said for violation in step.violations for said in _unsaid(game, violation, language))


def _unsaid(game: Ruleset[object], violation: Violation, language: str) -> Iterator[str]:
    table = {*words("audit.core", language, "record"), *words(game.catalogue.package, language, "sentences")}
    parts = violation.key.split(".")
    if not any(".".join(parts[:n]) in table for n in range(1, len(parts) + 1)):
        yield f'text/{language}/sentences.toml lacks "{violation.key}", the key of a violation'
    elif "…" in (said := violation_sentence(game, violation, language)):
        yield f"{language}: the violation {violation.key} is told as {said!r}"


def shows_every_position(sample: Sample) -> Iterator[str]:
    """A position is plain JSON with `turn` and `player` in its clock; each viewer's can be drawn, with its chapter."""
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    for event in events[:60]:
        state = game.rules.evolve(state, event)
        if missing := {"turn", "player"} - set(game.rules.clock(state)):
            yield f"after {event} the clock has no {' and no '.join(sorted(missing))}"
        for viewer in (*sample.viewers, "judge"):
            view = game.disclosure.view(state, viewer)
            json.dumps([view, game.disclosure.pending(state, viewer)])
            scene = game.scene_maker.scene(view, "en", game.disclosure.pending(state, viewer))
            if not scene_lines(scene):
                yield f"as {viewer}: nothing is drawn after {event}"
            if game.scene_maker.chapter(game.disclosure.chapter_view(state, viewer), "en") != scene.chapter:
                yield f"as {viewer}: after {event} `chapter_view` tells another chapter than the scene"


def shows_every_card_of_a_view_and_no_other(sample: Sample) -> Iterator[str]:
    """Each card that a view names is in its scene, and the scene names no card that the view does not."""
    game, (header, events) = sample.game, sample.log
    secret = hidden_at_the_start(header)
    for viewer in ("judge", *sample.viewers):
        state = game.rules.start(header)
        for event in events[:200:3]:
            state = game.rules.evolve(state, event)
            view, pending = game.disclosure.view(state, viewer), game.disclosure.pending(state, viewer)
            scene = game.scene_maker.scene(view, "en", pending)
            named, told = cards_in(view), cards_in(msgspec.to_builtins(scene))
            if missing := (secret & named) - told:
                yield f"as {viewer}: after {event} the scene lacks {', '.join(sorted(missing))}"
            if more := ({card.key for card in scene.cards} - named) | (secret & told) - named - cards_in(pending):
                yield f"as {viewer}: after {event} the scene names {', '.join(sorted(more))}, the view does not"


def has_a_key_for_every_thing(sample: Sample) -> Iterator[str]:
    """No two things on a table share a key, and `SceneMaker.touched` names the card that an event speaks of."""
    game, (header, events) = sample.game, sample.log
    state, before = game.rules.start(header), set[str]()
    for event in events[:100]:
        state = game.rules.evolve(state, event)
        scene = game.scene_maker.scene(game.disclosure.view(state), "en")
        keys = Counter(key for key, _ in scene.parts)
        yield from (f"after {event} {count} things have the key {key!r}" for key, count in keys.items() if count > 1)
        cards = {card.key for card in scene.cards}
        card = getattr(event, "card", None)
        if card in before | cards and card not in game.scene_maker.touched(event_json(event)):
            yield f"SceneMaker.touched does not name {card}, the card of {event}"
        before = cards


def same(one: object, other: object) -> bool:
    """Whether two views are equal, though a hand has no order."""
    return _unordered(one) == _unordered(other)


def _unordered(view: object) -> object:
    if isinstance(view, Mapping):
        return {
            key: sorted(value) if key == "hand" and isinstance(value, list) else _unordered(value)
            for key, value in view.items()
        }
    return view
