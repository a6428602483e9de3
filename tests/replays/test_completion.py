"""A scorekeeper types a few letters, and the line completes itself: nothing is written that was not shown."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from statistics import median

import pytest
from msgspec.structs import replace

from audit.core.model import Event, Player
from audit.core.ruleset import ruleset
from audit.games.altered.events import CardPlayed, CharacterRested
from audit.games.lotr_reveal.events import (
    EnterPlayEffect,
    KeywordResolved,
    PassiveApplied,
    ResponsePlayed,
    RevealStarted,
    SurgeArmed,
)
from bench.table_decisions import keys, keys_of_log
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried
from replays.table.completion import guesses
from replays.table.question import header_at
from replays.table.record import Record, header_of_line

SAMPLES = Path(__file__).parents[2] / "replays" / "samples"
DECK = {"costs": {"owl": {"hand": 2}, "otter": {"hand": 1}}, "hands": {"ann": ["fox", "fox-2", "?1"]}}
PLAYERS = (
    "game final   A Ada: plague fire water   B Bo: gravity spirit hate   first A\n"
    'header {"setup":{"hands":{"A":["plague-5","fire-4"],"B":5}}}'
)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "game.jsonl", header_of_line(PLAYERS, "compile"))


def test_the_letters_of_each_word_are_enough(record: Record) -> None:
    assert record.completer().completions("A p 1")[0] == "A plague-5 1"
    assert record.completer().completions("a f 2")[0] == "A fire-4 2"


def test_a_card_may_be_cut_short(record: Record) -> None:
    assert record.completer().completions("a f4 2")[0] == "A fire-4 2"
    assert "A fire-4 2" not in record.completer().completions("a f3 2")


def test_a_number_stands_for_the_decision_listed_there(record: Record) -> None:
    third = record.choices()[2]
    assert record.completer().completions("3") == [third]
    record.enter("3")
    assert record.completer().sheet.write(record.events[0]) == third


def test_a_number_that_is_not_listed_is_no_decision(record: Record) -> None:
    for number in ("0", "999", "9" * 5000, "\u00b2", "\u0663"):
        with pytest.raises(MisfitError):
            record.enter(number)
    assert record.events == []


def test_a_line_that_is_not_listed_is_completed_word_by_word(record: Record) -> None:
    record.enter("A p5 1")
    completions = record.completer().completions
    assert "B discard " in completions("B di")
    assert "B compile " in completions("B c")
    assert "flipped card=" in completions("flipped c")
    assert "flipped card=fire-1 face=up " in completions("flipped card=fire-1 face=u")
    assert completions("B sings ") == []


def test_an_empty_line_offers_who_and_what(record: Record) -> None:
    assert {"A ", "B ", "flip "} <= set(record.completer().completions(""))


def test_a_reason_that_was_used_before_is_offered_again(tmp_path: Path) -> None:
    log = open_log(SAMPLES / "lotr-journey.jsonl")
    with Record(tmp_path / "game.jsonl", log.header) as record:
        for event in log:
            record.enter(record.completer().sheet.write(event))
        completions = record.completer().completions("f30 10 forced watch-fire ea")
    assert completions == ['f30 10 forced watch-fire "each engaged enemy gets ready" ']


def test_every_line_that_is_offered_whole_can_be_entered(record: Record) -> None:
    sheet = record.completer().sheet
    assert [sheet.write(sheet.read(line, 1)) for line in record.choices()] == list(record.choices())


def test_keys_are_counted_with_tab_and_enter(record: Record) -> None:
    completer = record.completer()
    first, *_, beyond = completer.choices
    assert keys(completer, first) == 2
    assert keys(completer, beyond) <= len(beyond) + 1
    assert keys(completer, "A sings") == len("\tsings\n")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sample", ["altered-duel", "altered-alice-bob-camille", "lotr-crows", "lotr-journey"])
def test_a_decision_takes_at_most_fourteen_keys(sample: str) -> None:
    taken = list(islice(keys_of_log(SAMPLES / f"{sample}.jsonl"), 30))
    assert median(completed for _, _, completed in taken) <= 14
    assert median(by_hand for _, by_hand, _ in taken) <= 14


@pytest.mark.every(
    ("line", "event"),
    [
        ("ann owl h 2", CardPlayed("ann", "owl", "hand", "hero_expedition", "ann", 2, seq=1)),
        ("ann owl c 0 reserve", CardPlayed("ann", "owl", "reserve", "companion_expedition", "ann", 0, seq=1)),
        ("ann owl h 2 ben", CardPlayed("ann", "owl", "hand", "hero_expedition", "ben", 2, seq=1)),
        ("ann inn landmark_zone 3", CardPlayed("ann", "inn", "hand", "landmark_zone", "ann", 3, seq=1)),
        ("ann rest owl", CharacterRested("ann", "owl", "reserve", seq=1)),
        ("ann rest owl none", CharacterRested("ann", "owl", "reserve", (), seq=1)),
        ("ann rest owl stays loses asleep", CharacterRested("ann", "owl", "stays", ("asleep",), seq=1)),
    ],
)  # fmt: skip
def test_what_is_usual_in_altered_need_not_be_said(line: str, event: Event) -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"))
    assert sheet.read(line, 1) == event
    assert sheet.write(sheet.read(line, 1)) == line


@pytest.mark.every(
    ("line", "same"),
    [
        ("ann owl hero 2", "ann owl h 2"),
        ("ann owl comp 0 reserve", "ann owl c 0 reserve"),
        ("ann rest owl reserve", "ann rest owl"),
        ("a ow h 2", "ann owl h 2"),
        ("Be FO c 1", "ben fox c 1"),
        ("b fox-2 c 1", "ben fox-2 c 1"),
    ],
)
def test_what_is_written_in_full_or_cut_short_is_read_as_the_same_in_altered(line: str, same: str) -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), DECK)
    assert sheet.write(sheet.read(line, 1)) == same


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [("a o h 2", 3, "owl or otter"), ("an fox h", 10, "a whole number")],
)
def test_a_name_cut_short_that_may_mean_two_is_asked(line: str, column: int, expected: str) -> None:
    with pytest.raises(MisfitError) as misfit:
        Sheet(ruleset("altered"), ("ann", "ben"), DECK).read(line, 1)
    assert misfit.value.column == column
    assert expected in misfit.value.expected


def test_a_card_that_the_setup_does_not_name_is_taken_as_it_stands() -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), DECK)
    assert sheet.read("ann yak h 2", 1) == CardPlayed("ann", "yak", "hand", "hero_expedition", "ann", 2, seq=1)
    assert sheet.write(CardPlayed("ann", "ow", "hand", "hero_expedition", "ann", 2, seq=1)).startswith("card_played ")


FOLLOWED = (
    ("warg p1", RevealStarted("f1", "warg", "staging", "p1", seq=1)),
    ("bow hit 2", PassiveApplied("f1", "4", "bow", "damage", "warg", 2, seq=2)),
    ("key doomed 1", KeywordResolved("f1", "5.1", "warg", "doomed", 1, seq=3)),
    ("surge", SurgeArmed("f1", "5.1", "warg", "printed", seq=4)),
    ("enter ambush", EnterPlayEffect("f1", "9", "warg", "warg", "ambush", seq=5)),
    ("troll p1 surge", RevealStarted("f2", "troll", "surge", "p1", "f1", seq=6)),
    ("p2 hearing cancel", ResponsePlayed("f2", "3", "p2", "hearing", "cancel_card", "troll", seq=7)),
    ("orc p1 instead", RevealStarted("f3", "orc", "replacement", "p1", "f2", seq=8)),
)


def test_a_line_of_the_reveal_need_not_say_what_the_lines_before_say() -> None:
    carried = Carried()
    sheet = Sheet(ruleset("lotr-reveal"), ("p1", "p2"), carried=carried)
    for line, event in FOLLOWED:
        assert sheet.read(line, event.seq) == event
        carried.add(event)


def test_a_line_that_needs_the_lines_before_is_not_read_without_them() -> None:
    sheet = Sheet(ruleset("lotr-reveal"), ("p1", "p2"))
    with pytest.raises(MisfitError):
        sheet.read("key doomed 1", 1)
    with pytest.raises(MisfitError):
        Sheet(ruleset("lotr-reveal"), ("p1", "p2"), carried=Carried()).read("key doomed 1", 1)


def test_what_is_told_of_another_reveal_names_it() -> None:
    events = [event for _, event in FOLLOWED]
    back = PassiveApplied("f1", "4", "bow", "damage", "warg", 1, seq=7)
    sheet = Sheet(ruleset("lotr-reveal"), ("p1", "p2"), carried=Carried(events[:6]))
    assert sheet.write(back) == "f1 bow damage warg 1"
    assert sheet.read("f1 bow damage warg 1", 7) == back


@pytest.mark.every(
    ("line", "event"),
    [
        ("f1 warg p1", RevealStarted("f1", "warg", "staging", "p1", seq=1)),
        ("f2 warg p1 surge of f1", RevealStarted("f2", "warg", "surge", "p1", "f1", seq=1)),
        ("f3 bow damage warg 2", PassiveApplied("f3", "4", "bow", "damage", "warg", 2, seq=1)),
        (
            "f3 bolg grants warg surge",
            PassiveApplied("f3", "4", "bolg", "grant_keyword", "warg", keyword="surge", seq=1),
        ),
        ("f3 enters warg ambush", EnterPlayEffect("f3", "9", "warg", "warg", "ambush", seq=1)),
    ],
)
def test_what_is_usual_in_the_reveal_need_not_be_said(line: str, event: Event) -> None:
    sheet = Sheet(ruleset("lotr-reveal"), ("p1", "p2"))
    assert sheet.read(line, 1) == event
    assert sheet.write(sheet.read(line, 1)) == line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Leo paly Kelon Mason hero 2", "A plays Kelon-Mason from hand to Hero expedition (2 mana)."),
        ('B "Kelon Mason" hand companion 2', "B plays Kelon Mason from hand to Companion expedition (2 mana)."),
    ],
)
def test_a_line_with_a_word_too_much_is_put_right_and_makes_no_card_of_a_player(line: str, meant: str) -> None:
    header = replace(header_at(ruleset("altered").setting.example), players=(Player(seat="A", name="Leo"),))
    told = guesses(header, [line], 1, "en")
    assert told[0]["sentence"] == meant.replace("A plays", "Leo plays")
    assert not any("plays Leo" in str(one["sentence"]) or "plays B " in str(one["sentence"]) for one in told)


def test_a_line_that_lacks_its_last_word_is_offered_with_each_that_fits() -> None:
    told = guesses(header_at(ruleset("altered").setting.example), ["A advance hero"], 1, "en")
    by = [str(one["sentence"]).rstrip(".").split()[-1] for one in told[:3]]
    assert by == ["forest", "mountain", "water"]
