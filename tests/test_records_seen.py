"""What a record says of itself tells nobody a card that they may not know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.record_events import Amended, Checkpoint, Flagged, Gap, PositionSet, TakenBack, standing, words_named
from audit.core.ruleset import Ruleset, ruleset
from audit.games.compile.events import Identified
from audit.games.compile.game import cards_of_deck
from replays.generating.simulate import simulated
from replays.generating.telling import viewer_log
from replays.judging.annotate import Annotator
from replays.judging.positions import header_of, line_at, position_for, with_setup
from replays.judging.replay import Replay, replay
from replays.judging.seen import seen_events, seen_header
from replays.log.reader import open_log
from tests.test_trust_other_games import hidden, renamed, secret_zones

GAME = ruleset("compile")
LENGTH = 90
FIRST_SETS = ("main-1", "aux-1")
SAMPLES = sorted((Path(__file__).resolve().parents[1] / "replays" / "samples").glob("*.jsonl"))
GAMES = ("altered", "compile", "lotr-reveal")
Record = tuple[Header, list[Event]]
every_game = pytest.mark.parametrize("name", GAMES)


def kept(game: Ruleset[object], header: Header, events: list[Event], names: Mapping[str, str], secret: str) -> Record:
    """A record with a slip, a take-back, a gap, positions that name every card, and texts that name a hidden one."""
    told = names.get(secret, secret)
    title = told.replace("-", " ").title()
    start = game.rules.start(header)
    state = game.rules.replay_to(start, events[:60])
    position = game.rules.position_data(state)
    wrong = json.loads(json.dumps(position, default=list).replace(f'"{told}"', '"?9"', 1))
    wrong["first_player" if "first_player" in wrong else "player"] = header.players[-1].seat
    log: list[Event] = [
        *events[:40],
        Flagged(seq=0, by="B", note=f"I hold {title}."),
        *events[40:50],
        Amended(seq=0, from_=45, reason=f"It was {told}, not another.", by="Cleo"),
        *events[43:60],
        TakenBack(seq=0, to=63, by="A", agreed=True, ordered_by="Dana", note=f"{told} was seen."),
        *events[54:60],
        Checkpoint(
            seq=0, position=json.loads(json.dumps(position, default=list)), note="as they lie", note_for="public"
        ),
        Checkpoint(seq=0, position=wrong, note=f"{title} is missing."),
        Gap(seq=0, note="a sip of water", note_for="public"),
        PositionSet(
            seq=0, position=json.loads(json.dumps(position, default=list)), by="Dana",
            why=f"The deck begins with {title}.",
        ),
        *events[60:LENGTH],
    ]  # fmt: skip
    return header, [numbered(event, seq) for seq, event in enumerate(log, 1)]


def dealt_otherwise(header: Header, unseen: list[str]) -> dict[str, str]:
    """Other names for these cards, each of the same player's."""
    names: dict[str, str] = {}
    for seat in dict.fromkeys(seat for seat, _ in secret_zones(header)):
        cards = [card for owner, zone in secret_zones(header) if owner == seat for card in zone if card in unseen]
        names.update(zip(cards, cards[1:] + cards[:1], strict=True))
    return names


def renamed_zones(header: Header, names: Mapping[str, str]) -> dict[str, object]:
    zones = ("decks", "hands", "encounter_deck", "deck")
    return {key: renamed(header.setup[key], names) for key in zones if key in header.setup}


@cache
def pairs(name: str) -> tuple[tuple[str, Record, Record, str], ...]:
    """For a seat and the public two records of games that differ only in what they never see, and a card of that."""
    game, found = ruleset(name), []
    header, events = simulated(game, 0, pool=FIRST_SETS if game is GAME else (), most=LENGTH)
    for viewer in (game.disclosure.seats(header)[0], "public"):
        if not (unseen := hidden(header, events, viewer)):
            continue
        names = dealt_otherwise(header, unseen)
        other = replace(header, setup={**header.setup, **renamed_zones(header, names)})
        secret = unseen[0]
        one, two = kept(game, header, events, {}, secret), kept(game, other, events, names, secret)
        found.append((viewer, one, two, secret))
    return tuple(found)


@cache
def seen_by(name: str, at: int) -> Replay:
    """The first record of that pair as its viewer sees it."""
    viewer, record, *_ = pairs(name)[at]
    return replay(record, viewer=viewer)


@every_game
def test_two_records_that_differ_only_in_hidden_cards_look_alike(name: str) -> None:
    assert pairs(name)
    for at, (viewer, _, two, _) in enumerate(pairs(name)):
        first, second = seen_by(name, at), replay(two, viewer=viewer)
        assert list(first.steps) == list(second.steps)
        assert first.findings == second.findings
        assert list(first.log()) == list(second.log())


@every_game
def test_a_text_that_names_a_hidden_card_is_left_out_and_others_are_kept(name: str) -> None:
    for at, (_, _, _, secret) in enumerate(pairs(name)):
        seen = seen_by(name, at)
        said = json.dumps([(step["event"], step.get("message"), step["because"]) for step in seen.steps])
        for told in (said, json.dumps(list(seen.log()))):
            assert not words_named([told], [secret])
            for kept_text in ("a sip of water", "as they lie", "Dana", "Cleo"):
                assert kept_text in told


@every_game
def test_everybody_is_told_of_a_position_what_they_may_know(name: str) -> None:
    for at, (viewer, record, _, _) in enumerate(pairs(name)):
        [told] = [step for step in seen_by(name, at).steps if step_type(step) == "position_set"]
        event = told["event"]
        assert isinstance(event, dict)
        assert event["position"]
        game, (header, events) = ruleset(name), record
        before = game.rules.replay_to(game.rules.start(header), events[: int(str(told["seq"])) - 1])
        read = game.rules.position(event["position"], before)
        state = game.rules.replay_to(game.rules.start(header), events[: int(str(told["seq"]))])
        assert plain(position_for(game, read, viewer)) == plain(position_for(game, state, viewer))


def plain(value: object) -> object:
    return json.loads(json.dumps(value, default=list))


def step_type(step: Mapping[str, object]) -> str:
    event = step["event"]
    return str(event["type"]) if isinstance(event, Mapping) else ""


# The log as somebody saw it, judged again


def new_findings(record: Record, viewer: str) -> list[str]:
    """What is found in the log as this viewer saw it, at events at which nothing is found in the whole log."""
    game = ruleset(record[0].ruleset)
    whole = replay(record)
    known = {finding["seq"] for finding in whole.findings}
    seen = list(seen_events(game, whole.steps.steps, viewer))
    again = replay((seen_header(game, record[0], whole.steps.steps, viewer), [event for event, _ in seen]))
    return [str(found) for found in again.findings if seen[int(str(found["seq"])) - 1][1] not in known]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_as_somebody_saw_it_is_judged_like_the_whole(path: Path) -> None:
    log = open_log(path)
    record = (log.header, list(log))
    for viewer in (*log.ruleset.disclosure.seats(log.header), "public"):
        assert new_findings(record, viewer) == []


@every_game
def test_a_record_with_amendments_as_somebody_saw_it_is_judged_like_the_whole(name: str) -> None:
    for viewer, record, _, _ in pairs(name):
        assert new_findings(record, viewer) == []


# What a header says of cards


def told_in_setup(record: Record, viewer: str) -> str:
    return json.dumps(replay(record, viewer=viewer).header.setup)


def sample(name: str) -> Record:
    log = open_log(SAMPLES[0].parent / f"{name}.jsonl")
    return log.header, list(log)


@pytest.mark.every(("viewer", "secret"), [("public", ("toad", "wren")), ("ann", ("toad",)), ("ben", ("wren",))])
def test_a_setup_tells_of_no_card_of_altered_that_was_not_shown(viewer: str, secret: tuple[str, ...]) -> None:
    told = told_in_setup(sample("altered-duel"), viewer)
    assert not [card for card in (*secret, "otter") if card in told and not (card == "otter" and viewer == "ben")]
    assert '"fox"' in told
    assert json.loads(told)["paths"]["ann"] == {"hero": [["forest"], ["forest"]], "companion": [["water"]]}


def test_a_setup_tells_of_no_encounter_card_before_it_was_revealed() -> None:
    header, events = sample("lotr-journey")
    assert "snaga" not in told_in_setup((header, events[:8]), "public")
    assert "snaga" in told_in_setup((header, events), "public")


def test_the_text_of_a_position_names_no_card_that_lies_face_down() -> None:
    (duel, events), (journey, reveals) = sample("altered-duel"), sample("lotr-journey")
    for viewer, secret in (("public", ("otter", "bear", "toad")), ("ann", ("otter", "toad"))):
        line = line_at(duel, replay((duel, events[:60])).steps.steps[-1].state, viewer)
        assert not [card for card in secret if card in line]
    assert "encounter_deck:!(?1,?2," in line_at(
        journey, replay((journey, reveals[:12])).steps.steps[-1].state, "public"
    )


@every_game
def test_a_position_in_a_setup_names_no_card_that_was_not_shown(name: str) -> None:
    """A record that begins in the middle of a game: its setup holds the whole table."""
    game = ruleset(name)
    for viewer, (header, events), (_, others), secret in pairs(name):
        state = game.rules.replay_to(game.rules.start(header), standing(events)[:40])
        begun = header_of(game, with_setup(game, header, position_for(game, state)))
        told = told_in_setup((begun, []), viewer)
        assert not words_named([told], [secret])
        assert others
        assert game.disclosure.view(game.rules.start(begun), viewer)


# What follows of unknown cards


def one_card_left(unknown: str, other: str) -> Record:
    """B has one card left that lies open nowhere. It lies face down; `other` and six more cards are A's hand."""
    protocols = {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}
    deck = {seat: sorted(cards_of_deck(tuple(names))) for seat, names in protocols.items()}
    held = [other, *(card for card in deck["A"] if card != other)][:7]
    sides = {
        "A": {"protocols": protocols["A"], "lines": [[], [], []], "hand": held, "deck": 11, "trash": []},
        "B": {
            "protocols": protocols["B"], "lines": [[f"{unknown}*"], [], []], "hand": [], "deck": [],
            "trash": [card for card in deck["B"] if card != "death-1"],
        },
    }  # fmt: skip
    position = {"turn": 9, "phase": "action", "player": "A", "control": None, "sides": sides}
    return Header(log="audit/1", ruleset="compile", setup={"position": position}), []


def deduced(record: Record, viewer: str) -> list[str]:
    seen = replay(record, viewer=viewer)
    return [str(one["sentence"]) for one in Annotator(GAME, "en", viewer).deduced(seen.steps.steps[0].state)]


@pytest.mark.every(("viewer", "name"), [("judge", "?3"), ("B", "?3"), ("A", "?B1.1"), ("public", "?B1.1")])
def test_everybody_is_told_what_a_card_has_to_be_when_all_others_lie_open(viewer: str, name: str) -> None:
    record = one_card_left("?3", "fire-1")
    assert deduced(record, viewer) == [THEIRS]
    assert replay(record, viewer=viewer).steps[0]["deduced"] == [{"card": name, "is": "death-1", "sentence": THEIRS}]


MINE, THEIRS = "Card 1 of A (line 1) can only be Fire 0.", "Card 1 of B (line 1) can only be Death 1."


def hand_against_field(viewer: str, exchanged: bool) -> list[str]:
    """A's only card that lies open nowhere lies face down, if one sees A's hand."""
    header, _ = one_card_left("?3", "fire-1")
    position = plain(header.setup["position"])
    assert isinstance(position, dict)
    deck = sorted(cards_of_deck(("fire", "life", "water")))
    position["sides"]["A"] |= {
        "lines": [["?4*"], [], []], "hand": deck[:2] if exchanged else deck[1:3], "deck": [], "trash": deck[3:],
    }  # fmt: skip
    return deduced((replace(header, setup={"position": position}), []), viewer)


def test_what_follows_from_a_hand_is_told_to_nobody_who_does_not_see_it() -> None:
    assert hand_against_field("judge", False) == [MINE, THEIRS]
    assert hand_against_field("A", False) == [MINE, THEIRS]
    for viewer in ("B", "public"):
        assert hand_against_field(viewer, False) == hand_against_field(viewer, True) == [THEIRS]


def test_what_is_deduced_of_simulated_games_is_true() -> None:
    told = 0
    for seed, viewer in ((23, "A"), (23, "public"), (5, "B")):
        header, log = viewer_log(GAME, *simulated(GAME, seed, pool=FIRST_SETS), viewer)
        names = {event.card: event.is_ for event in log if isinstance(event, Identified)}
        for step in audit(GAME, header, log):
            for one in Annotator(GAME).deduced(step.state):
                told += 1
                assert names.get(str(one["card"]), one["is"]) == one["is"]
    assert told


def test_a_judge_is_told_all_of_it() -> None:
    _, record, _, secret = pairs("compile")[0]
    steps = list(replay(record).steps)
    told = [step for step in steps if step["seq"] and step["verdict"] == "recorded"]
    assert f"It was {secret}, not another." in json.dumps(told)
    missed = next(step for step in steps if step["verdict"] == "impossible")
    assert "stands otherwise" in str(missed["message"])


@every_game
def test_what_one_viewer_writes_down_of_such_a_game_names_no_hidden_card(name: str) -> None:
    for viewer, (header, events), _, secret in pairs(name):
        _, written = viewer_log(ruleset(name), header, events, viewer)
        assert secret not in " ".join(map(str, written))
        assert not [event for event in written if isinstance(event, PositionSet)]


def test_a_text_may_name_what_its_own_event_shows() -> None:
    header, events = simulated(GAME, 1, pool=FIRST_SETS, most=LENGTH)
    played = next(event for event in events if "face='up'" in str(event) and type(event).__name__ == "Played")
    card = str(getattr(played, "card"))  # noqa: B009
    noted = replace(played, note=f"{card} at last")
    state = GAME.rules.replay_to(GAME.rules.start(header), events[: played.seq - 1])
    assert GAME.disclosure.redact(state, noted, "public").note == f"{card} at last"


@pytest.mark.every(
    ("text", "names"),
    [
        ("Fire 1 it was", True), ("fire-1.", True), ("(FIRE1)", True), ("fire 10", False), ("a fire, one of 1", False),
        ("bonfire 1", False), ("?3 lay there", False), ("page 3", False), ("", False),
    ],
)  # fmt: skip
def test_a_card_is_named_however_it_is_spelt(text: str, names: bool) -> None:
    assert bool(words_named([text], {"fire-1", "?3", "?"})) is names
