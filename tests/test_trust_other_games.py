"""What is told of findings, and what views show, whatever the hidden cards are; and the games other than Compile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Header
from audit.core.ruleset import ruleset
from bench.mistakes import at_random, kinds_of
from bench.mistakes import planted as mistakes_in
from replays.generating.simulate import simulated
from replays.judging.annotate import Annotator
from replays.judging.replay import replay

SEED = 3
GAMES = ("altered", "lotr-reveal")


@pytest.mark.parametrize("name", ["compile", *GAMES])
def test_every_finding_can_be_told_to_everybody_in_every_language(name: str) -> None:
    game = ruleset(name)
    header, events = next(at_random(name, 1, SEED))
    told = 0
    for _, mutant in mistakes_in(game, header, events, kinds_of(name), Random(SEED)):
        finding = next((step for step in audit(game, header, mutant.events) if step.verdict.is_finding), None)
        if finding is None:
            continue  # no rule of this mode is broken
        for viewer, language in zip(
            ("judge", game.disclosure.seats(header)[0], "public", "judge"), LANGUAGES, strict=True
        ):
            annotator = Annotator(game, language, viewer)
            assert annotator.finding(finding)["message"]
            assert annotator.step(finding)["sentence"]
            told += 1
    assert told > 30


def test_simulated_games_of_altered_have_every_mode_reactions_and_tumult() -> None:
    games = list(at_random("altered", 24, SEED))
    assert {header.setup["mode"] for header, _ in games} == {"duel", "ffa", "2v2"}
    seen = {type(event).__name__ for _, events in games for event in events}
    assert seen >= {"ReactionActivated", "ReactionPlayed", "TumultRevealed", "TumultEffectResolved", "WinnerDeclared"}


def test_a_card_comes_in_place_of_the_one_that_was_cancelled_and_of_no_other() -> None:
    """In this game an exchange waits for one card, while another one was cancelled and is replaced at once."""
    header, events = list(at_random("lotr-reveal", 15, 3))[14]
    assert [step for step in audit(ruleset("lotr-reveal"), header, events) if step.verdict.is_finding] == []


@pytest.mark.parametrize("mistakes", [2, pytest.param(12, marks=pytest.mark.prove)])
@pytest.mark.parametrize("name", ["compile", *GAMES])
def test_what_is_told_of_a_mistake_is_the_same_whatever_the_hidden_cards_are(name: str, mistakes: int) -> None:
    game = ruleset(name)
    header, events = simulated(game, SEED, most=120)
    seat, compared = game.disclosure.seats(header)[0], 0
    for _, mutant in islice(mistakes_in(game, header, events, kinds_of(name), Random(SEED)), mistakes):
        other = with_other_hidden_cards(header, mutant.events, seat)
        for viewer in (seat, "public") if other != header else ():
            one, two = (findings_told(each, mutant.events, viewer) for each in (header, other))
            compared += len(one.keys() & two.keys())
            assert all(one[seq] == two[seq] for seq in one.keys() & two.keys())
    assert compared


def findings_told(header: Header, events: list[Event], viewer: str) -> dict[object, list[object]]:
    """What a viewer is told of each finding, by its seq, without the verdict."""
    keys = ("message", "expected", "expected_text", "expected_perhaps", "places")
    steps = replay((header, events), viewer=viewer).steps
    return {step["seq"]: [step.get(key) for key in keys] for step in steps if "expected" in step}


def hidden(header: Header, events: list[Event], viewer: str) -> list[str]:
    """The cards that this viewer never sees: those in the decks and hands of others that no event names."""
    told = " ".join(map(str, events))
    found = [card for seat, cards in secret_zones(header) if seat != viewer for card in cards]
    return [card for card in dict.fromkeys(found) if card not in told]


def secret_zones(header: Header) -> Iterator[tuple[str, list[str]]]:
    """The decks and hands of a set-up, and whose they are."""
    for key in ("decks", "hands"):
        zones = header.setup.get(key)
        if isinstance(zones, Mapping):
            yield from zones.items()
    if isinstance(deck := header.setup.get("encounter_deck", header.setup.get("deck")), list):
        yield "", deck


def with_other_hidden_cards(header: Header, events: list[Event], viewer: str) -> Header:
    """The same game with the cards that viewer never sees dealt otherwise among their places."""
    cards = hidden(header, events, viewer)
    names = dict(zip(cards, cards[1:] + cards[:1], strict=True))
    setup = dict(header.setup)
    for key in ("decks", "hands", "encounter_deck", "deck"):
        if key in setup:
            setup[key] = renamed(setup[key], names)
    return replace(header, setup=setup)


def renamed(value: object, names: Mapping[str, str]) -> object:
    """The same value with other names of cards in it."""
    if isinstance(value, dict):
        return {key: renamed(entry, names) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(entry, names) for entry in value]
    return names.get(value, value) if isinstance(value, str) else value
