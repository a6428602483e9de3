"""What a record says of itself tells nobody a card that they may not know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from audit.event_rules import numbered
from audit.model import Event, Header
from audit.record_events import Amended, Checkpoint, Flagged, Gap, PositionSet, TakenBack, names_any
from audit.ruleset import ruleset
from replays.annotating.annotate import replay
from replays.generating.simulate import simulated
from replays.generating.viewer_log import viewer_log
from tests.test_trust_other_games import hidden, renamed

GAME = ruleset("compile")
LENGTH = 90


def kept(header: Header, events: list[Event], names: Mapping[str, str], secret: str) -> list[Event]:
    """A record with a slip, a take-back, a gap, positions that name every card, and texts that name a hidden one."""
    told = names.get(secret, secret)
    title = told.replace("-", " ").title()
    start = GAME.rules.start(header)
    state = GAME.rules.replay_to(start, events[:60])
    position = renamed(GAME.rules.position_data(state), names)
    assert isinstance(position, dict)
    wrong = json.loads(json.dumps(position).replace(f'"{told}"', '"?9"', 1).replace('"turn": ', '"turn": 1'))
    log: list[Event] = [
        *events[:40],
        Flagged(seq=0, by="B", note=f"I hold {title}."),
        *events[40:50],
        Amended(seq=0, from_=45, reason=f"It was {told}, not another.", by="Cleo"),
        *events[43:60],
        TakenBack(seq=0, to=56, by="A", agreed=True, ordered_by="Dana", note=f"{told} was seen."),
        *events[54:60],
        Checkpoint(seq=0, position=position, note="as they lie"),
        Checkpoint(seq=0, position=wrong, note=f"{title} is missing."),
        Gap(seq=0, note="a sip of water"),
        PositionSet(seq=0, position=position, by="Dana", why=f"The deck begins with {title}."),
        *events[60:LENGTH],
    ]
    return [numbered(event, seq) for seq, event in enumerate(log, 1)]


def dealt_otherwise(header: Header, events: list[Event], viewer: str) -> dict[str, str]:
    """Other names for the cards of each deck that this viewer never sees."""
    unseen = set(hidden(header, events, viewer))
    names: dict[str, str] = {}
    decks = header.setup["decks"]
    assert isinstance(decks, dict)
    for deck in decks.values():
        cards = [card for card in deck if card in unseen]
        names.update(zip(cards, cards[1:] + cards[:1], strict=True))
    return names


def pairs(viewer: str) -> Iterator[tuple[tuple[Header, list[Event]], tuple[Header, list[Event]], str]]:
    """Two records of games that differ only in what that viewer never sees, and a card that is hidden from them."""
    for seed in range(4):
        header, events = simulated(GAME, seed, most=LENGTH)
        names = dealt_otherwise(header, events, viewer)
        other = replace(header, setup={**header.setup, "decks": renamed(header.setup["decks"], names)})
        secret = next(iter(names))
        yield (header, kept(header, events, {}, secret)), (other, kept(header, events, names, secret)), secret


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_two_records_that_differ_only_in_hidden_cards_look_alike(viewer: str) -> None:
    for one, two, _ in pairs(viewer):
        first, second = replay(one, viewer=viewer), replay(two, viewer=viewer)
        assert list(first.steps) == list(second.steps)
        assert first.findings == second.findings


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_a_text_that_names_a_hidden_card_is_left_out_and_others_are_kept(viewer: str) -> None:
    for (header, events), _, secret in pairs(viewer):
        steps = list(replay((header, events), viewer=viewer).steps)
        said = json.dumps([(step["event"], step.get("message"), step["because"]) for step in steps])
        assert secret not in said
        assert secret.replace("-", " ").title() not in said
        for kept_text in ("a sip of water", "as they lie", "Dana", "Cleo"):
            assert kept_text in said


def test_a_judge_is_told_all_of_it() -> None:
    (header, events), _, secret = next(pairs("public"))
    steps = list(replay((header, events)).steps)
    told = [step for step in steps if step["seq"] and step["verdict"] == "recorded"]
    assert f"It was {secret}, not another." in json.dumps(told)
    missed = next(step for step in steps if step["verdict"] == "impossible")
    assert "stands otherwise" in str(missed["message"])


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_what_one_viewer_writes_down_of_such_a_game_names_no_hidden_card(viewer: str) -> None:
    for (header, events), _, secret in pairs(viewer):
        _, written = viewer_log(GAME, header, events, viewer)
        assert secret not in " ".join(map(str, written))
        assert not [event for event in written if isinstance(event, PositionSet)]
        assert len(written) >= LENGTH - 10


def test_a_text_may_name_what_its_own_event_shows() -> None:
    header, events = simulated(GAME, 1, most=LENGTH)
    played = next(event for event in events if "face='up'" in str(event) and type(event).__name__ == "Played")
    card = str(getattr(played, "card"))  # noqa: B009
    noted = replace(played, note=f"{card} at last")
    state = GAME.rules.replay_to(GAME.rules.start(header), events[: played.seq - 1])
    assert GAME.disclosure.redact(state, noted, "public").note == f"{card} at last"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fire 1 it was", True), ("fire-1.", True), ("(FIRE1)", True), ("fire 10", False), ("a fire, one of 1", False),
        ("bonfire 1", False), ("?3 lay there", False), ("page 3", False), ("", False),
    ],
)  # fmt: skip
def test_a_card_is_named_however_it_is_spelt(text: str, names: bool) -> None:
    assert names_any(text, {"fire-1", "?3", "?"}) is names
