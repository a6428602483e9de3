"""What every game has from the core: events compared, what leaves no choice, positions in text, records replayed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from audit.core.auditor import asks_more
from audit.core.errors import PositionTextError, SetupError, UnknownRulesetError
from audit.core.event_rules import (
    UNEXPECTED,
    Citations,
    EventRules,
    Expectation,
    ExpectedEvent,
    Json,
    Obligation,
    Violation,
    Violations,
    mismatches,
    numbered,
    own_fields,
)
from audit.core.model import Event, Header, Player, Verdict, snake
from audit.core.names import BY_SEAT, Players
from audit.core.record_events import Amended, Checkpoint, Gap, PositionSet, TakenBack
from audit.core.ruleset import SceneMaker, Simulation, Wording, has_cards, may_have_rule, ruleset, rulesets
from audit.games.compile import RULESET
from audit.games.compile.events import Drew, Played
from tests.clock import WHY, AnyOf, Clock, Struck, Ticked, Told
from tests.replays.small_game import Laid, SmallDisclosure

# Expectations


def test_a_game_of_another_package_is_told_to_set_the_fields_of_an_expectation_in_init() -> None:
    """Machine code would take the defaults instead, without a word."""
    with pytest.raises(TypeError, match="InItsBody: set event, declines in __init__"):
        type("InItsBody", (Expectation,), {"__module__": "tall_trees.event_rules", "event": Drew, "declines": True})


# Events


PLAYED = Played(seq=3, player="A", card="fire-1", line=2, face="up", note="slowly")


def test_two_events_differ_in_the_fields_that_are_told() -> None:
    assert mismatches(PLAYED, numbered(PLAYED, 9), WHY) == ()
    other = Played(seq=3, player="B", card="fire-1", line=3, face="up")
    assert mismatches(other, PLAYED, WHY) == (
        Violation(WHY, "played.player", {"field": "player", "expected": "A"}),
        Violation(WHY, "played.line", {"field": "line", "expected": 2}),
    )
    count = Drew(seq=1, player="A", count=2)
    assert mismatches(Drew(seq=1, player="A"), count, WHY) == (), "how many is not told"
    assert [one.key for one in mismatches(count, Drew(seq=1, player="A"), WHY)] == ["drew.count"]


def test_an_event_without_fields_is_like_any_other_of_its_kind() -> None:
    assert own_fields(Struck) == ()
    assert mismatches(Struck(seq=1, note="loudly"), Struck(seq=2), WHY) == ()
    assert own_fields(Played)[:2] == ("player", "card")


def test_an_event_comes_to_another_place_of_the_log_unchanged() -> None:
    moved = numbered(PLAYED, 7)
    assert (moved.seq, moved.note, PLAYED.seq) == (7, "slowly", 3)
    assert moved == Played(seq=7, player="A", card="fire-1", line=2, face="up", note="slowly")


@pytest.mark.every(
    ("name", "told"),
    [("Drew", "drew"), ("PhaseBegan", "phase_began"), ("Row2Taken", "row2_taken"), ("ABTest", "abtest")],
)
def test_a_kind_of_event_is_written_in_small_letters(name: str, told: str) -> None:
    assert snake(name) == told


@pytest.mark.every(("hands", "one"), [((), None), ((1,), 1), ((1, 2), None), ((1, 2, 3), None)])
def test_there_is_no_choice_where_one_event_would_do(hands: tuple[int, ...], one: int | None) -> None:
    assert AnyOf(*hands).single_candidate(0) == (None if one is None else Ticked(seq=0, hand=one))


def test_an_expectation_is_an_obligation_that_keeps_no_order_unless_it_says_otherwise() -> None:
    plain = ExpectedEvent[int](Ticked(seq=0, hand=2), WHY)
    assert (plain.obligation, plain.any_order, plain.declines) == (Obligation.REQUIRED, False, False)
    assert (list(plain.candidates(0)), plain.single_candidate(0)) == ([Ticked(seq=0, hand=2)], Ticked(seq=0, hand=2))
    assert (plain.goes_first(0, Struck(seq=1)), plain.hides_choice(0, plain.one)) == (None, False)
    assert plain.rules == (WHY,)
    assert (AnyOf(1).any_order, AnyOf(1).declines) == (False, False)
    told = ExpectedEvent[int](Struck(seq=0), WHY, WHY, obligation=Obligation.EXPIRES, any_order=True)
    assert (told.rules, told.obligation, told.any_order) == ((WHY, WHY), Obligation.EXPIRES, True)
    assert told.wanted_fields == told.get_fields(Struck(seq=7))
    with pytest.raises(NotImplementedError):
        Expectation[int]().candidates(0)


class Plain(EventRules[int, Ticked]):
    """The rules of an event that says nothing of itself beyond what it has to."""

    event = Ticked

    def expected(self, state: int) -> Iterable[Expectation[int]]:
        return ()

    def violations(self, state: int, event: Ticked) -> Violations:
        return (Violation(WHY, "clock"),) if event.hand else ()

    def citations(self, state: int, event: Ticked) -> Citations:
        return (WHY,)

    def apply(self, state: int, event: Ticked) -> int:
        return state


def test_an_event_is_plain_unless_its_rules_say_otherwise() -> None:
    rules, event = Plain(), Ticked(seq=1)
    assert not any((rules.is_marker, rules.is_part, rules.names_cards, rules.hides_cards))
    assert not any((rules.may_be_ambiguous, rules.may_be_unchecked))
    assert not any((rules.is_ambiguous(0, event), rules.is_relevant(0, event), rules.depends_on_hidden(0, event)))
    assert not any((rules.hangs_on_due(0, event), rules.unchecked(0, event), rules.rejecting_switches(0, event)))
    assert (rules.missing(0, event), rules.joined(event, event)) == (None, None)


def test_an_event_is_accepted_with_its_rules_or_not_at_all() -> None:
    assert Plain().accept(0, Ticked(seq=1)) == (WHY,)
    assert Plain().accept(0, Ticked(seq=1, hand=1)) is None
    assert all(one.unavailable for one in UNEXPECTED)
    assert not any((Violation(WHY, "clock").not_intended, Violation(WHY, "clock").unavailable))


# What leaves no choice


@pytest.mark.every(
    ("expected", "forced"),
    [
        ((AnyOf(1),), True), ((AnyOf(1, obligation=Obligation.MARKER),), True),
        ((AnyOf(1, obligation=Obligation.OPTIONAL),), False), ((AnyOf(1, obligation=Obligation.EXPIRES),), False),
        ((AnyOf(1, 2),), False), ((AnyOf(),), False), ((AnyOf(1, hidden=True),), False), ((AnyOf(1), AnyOf(1)), False),
        ((), False),
    ],
    ids=[
        "one event", "a marker", "a permission", "a permission that ends", "a choice", "nothing would do",
        "a choice nobody sees", "two things at once", "the game is over",
    ],
)  # fmt: skip
def test_what_is_forced(expected: tuple[Expectation[int], ...], forced: bool) -> None:
    found = Told(*expected).forced(0)
    assert found == ((expected[0], Ticked(seq=0, hand=1)) if forced else None)


def test_the_game_goes_on_to_the_next_choice_and_no_farther_than_some_events() -> None:
    assert Told(AnyOf(1), until=5).advance_to_choice(0) == 5
    assert Told(AnyOf(1)).advance_to_choice(0) == 12
    assert Told(AnyOf(1, obligation=Obligation.MARKER)).advance_to_choice(0) == 0
    assert Told(AnyOf(1, 2)).advance_to_choice(0) == 0


def test_what_was_due_is_told_with_its_rules_up_to_twelve_events_each() -> None:
    rules = Told(AnyOf(*range(20)), AnyOf(1, obligation=Obligation.OPTIONAL), AnyOf(7))
    first, second = rules.skipped_obligations(0, Struck(seq=1))
    assert [event.hand for event in first.expected if isinstance(event, Ticked)] == list(range(12))
    assert second.expected == (Ticked(seq=0, hand=7),)
    assert first.rules == second.rules == (WHY,)


# Positions


def test_the_position_after_a_record_is_that_of_what_stands() -> None:
    def tick(seq: int) -> Event:
        return Ticked(seq=seq)

    rules = Told()
    assert rules.replay_to(0, [tick(1), tick(2), tick(3)]) == 3
    assert rules.replay_to(0, [tick(1), tick(2), TakenBack(seq=3, to=1), tick(4)]) == 2
    assert rules.replay_to(0, [tick(1), Amended(seq=2, from_=1), tick(3)]) == 1
    assert rules.replay_to(0, [tick(1), PositionSet(seq=2, position={"turn": 40}), tick(3), tick(4)]) == 42
    twice = [PositionSet(seq=1, position={"turn": 40}), tick(2), PositionSet(seq=3, position={"turn": 7}), tick(4)]
    assert rules.replay_to(0, twice) == 8
    assert rules.replay_to(5, [PositionSet(seq=1, position={"turn": "late"}), tick(2)]) == 6, "nobody can read it"


def test_a_faster_way_to_replay_is_asked_about_events_of_the_game_alone() -> None:
    class Counted(Told):
        """A game that knows where so many ticks lead."""

        def replay_moves(self, state: int, events: Sequence[Event]) -> int:
            assert all(isinstance(event, Ticked) for event in events)
            return state + len(events)

    ticks = [Ticked(seq=seq) for seq in range(1, 9)]
    assert Counted().replay_to(0, ticks) == 8
    put = PositionSet(seq=4, position={"turn": 40})
    assert Counted().replay_to(0, [*ticks[:3], put, *ticks[4:]]) == 44
    assert Counted().replay_to(0, [*ticks[:3], put, *ticks[4:7], TakenBack(seq=8, to=6)]) == 42


def test_an_event_about_the_record_changes_nothing_unless_it_sets_the_position() -> None:
    rules = Told()
    assert rules.evolve(5, Gap(seq=1)) == 5
    assert rules.evolve(5, PositionSet(seq=1, position={})) == 5
    assert rules.evolve(5, PositionSet(seq=1, position={"turn": 9})) == 9
    assert rules.rejecting_switches(5, Gap(seq=1)) == ()


def test_a_switch_that_rejects_an_event_is_named() -> None:
    class Switched(Plain):
        """An event that would not come up under some reading."""

        def rejecting_switches(self, state: int, event: Ticked) -> tuple[str, ...]:
            return ("slow-clock",)

    rules = Told()
    rules.event_rules = {Ticked: Switched()}
    assert rules.rejecting_switches(0, Ticked(seq=1)) == ("slow-clock",)
    assert rules.violations(0, Ticked(seq=1, hand=1)) == (Violation(WHY, "clock"),)


def test_a_game_that_cannot_write_its_positions_says_so() -> None:
    rules = Clock(strikes=1)
    for refuse in (lambda: rules.position({}, 0), lambda: rules.position_data(0)):
        with pytest.raises(SetupError) as refused:
            refuse()
        assert refused.value.field == "position"


def test_a_position_in_text_is_an_object() -> None:
    rules = Told()
    assert rules.read_position(rules.position_text({"turn": 9})) == {"turn": 9}
    for text, column in (("!(1)", 1), ("4", 1)):
        with pytest.raises(PositionTextError) as refused:
            rules.read_position(text)
        assert refused.value.column == column
    with pytest.raises(PositionTextError) as refused:
        rules.read_position("!(1,2,3,4,5,6,7,8)", 20)
    assert (refused.value.column, refused.value.expected, refused.value.found) == (21, "(", "!(1,2,3,4,5,")


# Defaults and roles


def test_a_game_that_is_not_installed_has_neither_rules_nor_cards() -> None:
    assert not may_have_rule("tall", "turn.one-action")
    assert not has_cards("tall")


def test_a_game_knows_nothing_of_hidden_cards_unless_it_says_otherwise() -> None:
    rules = Clock(strikes=1)
    assert not rules.has_unknown_cards(0)
    assert (rules.cards_meant("ace", {}), rules.holdings(0), rules.only_due(0)) == ((), None, None)
    assert list(rules.interleavings(0, Ticked(seq=1))) == []
    assert list(rules.reorderings(0)) == []
    assert list(rules.upcoming(0)) == list(rules.event_rules.values())
    assert rules.types["ticked"] is Ticked
    assert rules.types["gap"] is Gap
    assert rules.events[:2] == (Ticked, Struck)


def test_a_plain_event_has_nothing_more_to_be_asked() -> None:
    rules = Clock(strikes=1)
    ticked, struck = rules.event_rules[Ticked], rules.event_rules[Struck]
    assert rules.deciding[Ticked] == (ticked.accept, ticked.apply, rules.causes, None)
    may_be_other = (False, False, None, struck.is_ambiguous)
    assert rules.deciding[Struck] == (struck.accept, struck.apply, rules.causes, may_be_other)
    assert rules.deciding[Gap] is None


@pytest.mark.every("flag", ["hides_cards", "names_cards", "may_be_unchecked", "may_be_ambiguous"])
def test_an_event_of_which_more_is_asked_is_not_plain(flag: str) -> None:
    rules = Told()
    asked = Plain()
    setattr(asked, flag, True)
    rules.event_rules = {Ticked: asked}
    decides = rules.deciding[Ticked]
    assert decides is not None
    assert decides[:3] == (asked.accept, asked.apply, rules.causes)
    asking = decides[3]
    assert asking is not None
    asks = [asks_more(asking, 0, Ticked(seq=1), some_are_hidden=hidden) for hidden in (True, False)]
    assert asks == {"hides_cards": [True, True], "names_cards": [True, False]}.get(flag, [False, False])


def test_an_event_that_nothing_led_to_is_not_asked_for_its_causes() -> None:
    rules = Told()
    alone = Plain()
    alone.has_causes = False
    rules.event_rules = {Ticked: alone}
    assert rules.deciding[Ticked][2] is None


def test_a_table_touches_the_cards_of_an_event_unless_the_game_says_otherwise() -> None:
    scenes = SceneMaker()
    assert scenes.touched({"card": "king", "cards": ["ace", None, "ten"]}) == ("king", "ace", "ten")
    assert scenes.touched({"player": "ann"}) == ()
    assert (dict(scenes.signs), scenes.scene({"turn": 3}, "en").area.parts != ()) == ({}, True)


def test_a_simulated_player_has_no_taste_of_its_own() -> None:
    class Coin(Simulation[int]):
        """A game of which nothing is said."""

        def setup(self, random: object, pool: object = ()) -> dict[str, object]:
            return {}

    coin = Coin()
    assert coin.score(3) == 0.0
    assert list(coin.optional_events_before(3, Struck(seq=1))) == []


def test_words_of_a_finding_are_its_data_unless_the_game_has_names_for_them() -> None:
    class Words(Wording):
        """No words."""

        def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
            return {}

    assert Words().sentence_key(Struck(seq=1)) == "struck"
    assert Words().finding_words({"hand": 1}, "en") == {"hand": 1}


def test_a_game_is_found_by_its_name_and_is_the_same_each_time() -> None:
    assert ruleset("compile") is RULESET
    assert set(rulesets()) >= {"altered", "compile", "lotr-reveal"}
    with pytest.raises(UnknownRulesetError):
        ruleset("patience")


# What each viewer may know


class Hands(SmallDisclosure):
    """The oak is hidden from all but the judge, also in the events that speak of it."""

    def view(self, state: tuple[str, ...], viewer: str = "judge") -> Json:
        return {"hand": ["oak-1", "elm-2"] if viewer == "judge" else ["elm-2"]}

    def redact_event(self, state: tuple[str, ...], event: Event, viewer: str) -> Event:
        return replace(event, card="?1") if isinstance(event, Laid) and event.player != viewer else event


def laid(note: str | None, player: str = "ann", card: str = "oak-1") -> Laid:
    return Laid(seq=1, player=player, card=card, pile=2, note=note)


@pytest.mark.parametrize("kind", [PositionSet, Checkpoint])
def test_a_position_is_for_the_judge_alone(kind: type[PositionSet | Checkpoint]) -> None:
    told = kind(seq=1, position={"hand": ["oak-1"]}, note="as agreed")
    assert Hands().redact((), told, "judge") == told
    assert Hands().redact((), told, "ben") == kind(seq=1, position={}, note="as agreed")


def test_an_event_of_the_game_is_told_as_the_viewer_may_know_it_and_one_of_the_record_as_it_is() -> None:
    assert Hands().redact((), laid(None), "ben") == laid(None, card="?1")
    assert Hands().redact((), laid(None), "ann") == laid(None)
    assert Hands().redact((), Gap(seq=1, note="a break"), "ben") == Gap(seq=1, note="a break")
    assert list(Hands().recorder("ben")((), laid(None), ())) == [laid(None, card="?1")]
    assert Hands().recorder("ben").known_as((), "oak-1") == "?"


@pytest.mark.every(
    ("viewer", "note", "is_told"),
    [
        ("ben", "it was the oak 1", False), ("ben", "it was the elm 2", True), ("ben", "it was quick", True),
        ("judge", "it was the oak 1", True), ("ann", "it was the oak 1", True),
    ],
)  # fmt: skip
def test_a_note_that_names_a_hidden_card_is_left_out_unless_its_event_shows_the_card(
    viewer: str, note: str, is_told: bool
) -> None:
    assert Hands().redact((), laid(note), viewer).note == (note if is_told else None)


def test_of_two_texts_only_the_one_that_names_the_card_is_left_out() -> None:
    told = Amended(seq=4, from_=2, reason="it was oak 1", by="elm 2")
    assert Hands().redact((), told, "ben") == Amended(seq=4, from_=2, by="elm 2")
    assert Hands().redact((), told, "judge") == told


def test_a_game_has_its_signs_if_it_names_a_package() -> None:
    assert RULESET.scene_maker.signs


def test_the_seats_of_a_game_are_those_of_its_players() -> None:
    header = Header(log="audit/1", ruleset="small", players=(Player("left"), Player("right", "Ann")))
    disclosure = SmallDisclosure()
    assert disclosure.seats(header) == ("left", "right")
    assert disclosure.recorded_header(header, "left") is header
    assert disclosure.known_as((), "oak-1", "left") == "?"
    assert disclosure.known_position(("oak-1",), "left") is None
    assert disclosure.known_position(("oak-1",), "judge") == ("oak-1",)
    assert disclosure.position_seen({"turn": 1}, "left") == {"turn": 1}


@pytest.mark.every(
    ("verdict", "is_finding"),
    [
        (Verdict.LEGAL, False), (Verdict.INFERRED, False), (Verdict.ILLEGAL, True), (Verdict.IMPOSSIBLE, True),
        (Verdict.UNDETERMINED, True), (Verdict.UNCHECKED, False), (Verdict.RECORDED, False),
    ],
)  # fmt: skip
def test_a_judge_looks_at_findings(verdict: Verdict, is_finding: bool) -> None:
    assert verdict.is_finding is is_finding


@pytest.mark.every(
    ("told", "fits"),
    [
        ({"seq": 10**12}, True), ({"seq": 10**12 + 1}, False), ({"seq": 1}, True), ({"seq": 0}, False),
        ({"because": 10**12}, True), ({"because": 10**12 + 1}, False), ({"because": 1}, True), ({"because": 0}, False),
        ({"id": "x"}, True), ({"id": ""}, False), ({"id": "x" * 64}, True), ({"id": "x" * 65}, False),
        ({"at": "2026-02-01T10:00:00Z"}, True), ({"at": "yesterday"}, False),
    ],
)  # fmt: skip
def test_numbers_and_names_in_a_log_have_their_limits(told: dict[str, object], fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(ValidationError):
        convert({"type": "ticked", "seq": 1, **told}, Ticked)


@pytest.mark.every(
    ("field", "told", "fits"),
    [
        ("player", "x" * 32, True), ("player", "x" * 33, False), ("player", "", False), ("player", "x", True),
        ("card", "x" * 64, True), ("card", "x" * 65, False), ("card", "", False), ("card", "x", True),
    ],
)  # fmt: skip
def test_seats_and_cards_have_names_of_some_length(field: str, told: str, fits: bool) -> None:
    data = {"type": "played", "seq": 1, "player": "A", "card": "fire-1", "line": 2, "face": "up", field: told}
    with nullcontext() if fits else pytest.raises(ValidationError):
        convert(data, Played)
