"""A score sheet becomes a log and a log a score sheet, and nothing that was recorded is lost between them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from audit.core.model import Event, Header, Player
from audit.core.record_events import Amended, Checkpoint, Flagged, Gap, PositionSet, TakenBack
from audit.core.ruleset import Ruleset, ruleset, rulesets
from audit.core.written_forms import RECORD_FORMS
from audit.games.altered.events import WinnerDeclared
from audit.games.compile.events import Compiled, Played, Refreshed
from audit.games.lotr_reveal.events import KeywordResolved, PassiveApplied, RevealStarted, SurgeArmed
from replays.error_words import error_words
from replays.errors import LogError
from replays.generating.simulate import simulated
from replays.generating.telling import viewer_log
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError, value_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import decisions, read_any_sheet, read_sheet, write_sheet
from tests.command_line import run

SAMPLES = Path(__file__).parents[2] / "replays" / "samples"
GAME = "game r3-t12   A Ada: fire life water   B Bo: death metal speed   first A\n"
POSITION = "compile/9A.action.B/fire.life!.water:f3,l2*;;w0*:l1,?h1:9:f1,w5/death.metal.speed:;m2;:4:8:"
Log = tuple[Ruleset[object], Header, list[Event]]


def events(*lines: str) -> list[Event]:
    """What the lines of a sheet are, at a table of Compile."""
    return read_sheet(GAME + "\n".join(lines), game="compile")[1]


def refused(*lines: str) -> list[tuple[int, str, str]]:
    """Line, column and what would fit, for each line that cannot be read; the first is line 2."""
    with pytest.raises(LogError) as error:
        events(*lines)
    return [(problem.line, problem.field, problem.expected) for problem in error.value.problems]


def comes_back(log: Log) -> bool:
    game, header, recorded = log
    sheet = write_sheet(game, header, recorded)
    return read_sheet(sheet, game=game.name) == (header, decisions(game, header, recorded))


@cache
def played(name: str, seed: int) -> Log:
    game = ruleset(name)
    return game, *simulated(game, seed)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sample", sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
def test_the_decisions_of_a_sample_come_back_from_its_sheet(sample: str) -> None:
    log = open_log(SAMPLES / f"{sample}.jsonl")
    assert comes_back((log.ruleset, log.header, list(log)))


def test_what_one_player_wrote_down_comes_back_with_its_handles() -> None:
    game, header, recorded = played("compile", 1)
    assert comes_back((game, *viewer_log(game, header, recorded, "B")))


def test_a_decision_of_compile_is_short() -> None:
    lines = [line for seed in (1, 2) for line in write_sheet(*played("compile", seed)).splitlines()]
    decisions_told = [len(line) for line in lines if not line.startswith(("game", "header"))]
    assert len(decisions_told) > 200
    assert median(decisions_told) <= 14


def test_no_decision_of_compile_needs_its_fields_spelt_out() -> None:
    game, header, recorded = played("compile", 1)
    assert [line for line in write_sheet(game, header, recorded).splitlines()[2:] if "=" in line] == []


def test_the_sheet_of_the_documentation_is_read() -> None:
    said = events(
        "A fire-3 1          # face up in line 1", "B speed-5 2 down", "A refresh", "", "# a line that says nothing",
        "B compile 2", "? A flipped a card of line 3   # not sure which",
    )  # fmt: skip
    assert said == [
        Played(seq=1, player="A", card="fire-3", line=1, face="up", note="face up in line 1"),
        Played(seq=2, player="B", card="speed-5", line=2, face="down"),
        Refreshed(seq=3, player="A"),
        Compiled(seq=4, player="B", line=2),
        Flagged(seq=5, note="A flipped a card of line 3   # not sure which"),
    ]


def test_the_sheet_of_a_reveal_in_the_documentation_is_read(root: Path) -> None:
    text = (root / "docs" / "scorekeeper.md").read_text("utf-8")
    (sheet,) = re.findall(r"```text\n(game crows .+?)```", text, re.DOTALL)
    header, said = read_any_sheet(sheet)
    assert header.ruleset == "lotr-reveal"
    assert said == [
        RevealStarted("f1", "cold-rain", "staging", "p1", seq=1, note=said[0].note),
        KeywordResolved("f1", "5.1", "cold-rain", "doomed", 1, seq=2),
        RevealStarted("f2", "eastern-crows", "staging", "p2", seq=3, note="the next one, f2"),
        PassiveApplied("f2", "4", "thalin", "damage", "eastern-crows", 1, seq=4),
        SurgeArmed("f2", "5.1", "eastern-crows", "printed", seq=5),
        RevealStarted("f3", "old-ford", "surge", "p2", "f2", seq=6, note="revealed by that surge"),
    ]


@pytest.mark.every(
    ("sheet", "line", "expected"),
    [
        ("game c   p1 Ada   p2 Bo\ncold-rain p1\nkey doomed 1\nrats p9 zz\nthalin hit 1\nkey doomed 2", 4, "p1 or p2"),
        ("game c   A Ada: fire lif water   B Bo: death metal speed\nA f3 1", 1, "the nearest is life"),
        ("game c   A Ada   B Bo\nA f3 1\nB pass", 1, "an object"),
        ("game c   A Ada: fire life water   B Bo: death metal speed\nA f9 1", 2, "a card of this game"),
    ],
)
def test_a_sheet_that_no_game_reads_is_answered_by_the_likeliest(sheet: str, line: int, expected: str) -> None:
    with pytest.raises(LogError) as told:
        read_any_sheet(sheet)
    assert told.value.problems[0].line == line
    assert expected in told.value.problems[0].expected


def test_the_first_line_says_who_plays() -> None:
    header, _ = read_sheet(GAME, game="compile")
    assert [(player.seat, player.name) for player in header.players] == [("A", "Ada"), ("B", "Bo")]
    assert (header.game, header.first) == ("r3-t12", "A")
    assert header.setup == {"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}}


def test_seats_in_small_letters_and_protocols_in_any_language_are_those_of_the_game() -> None:
    plain = read_sheet(
        "game x   A Ann: fire life water   B Bo: death metal speed   first A\nA fire-3 1\n", game="compile"
    )
    small = "game x   a Ann: Fire LIFE water   b Bo: death metal speed   first a\na fire 3 line 1\n"
    french = "game x   A Ann: feu vie eau   B Bo: mort metal vitesse   first A\nA feu-3 l1\n"
    polish = "game x   A Ann: ogień życie woda   B Bo: śmierć metal szybkość   first A\nA Ogień 3 1\n"
    assert [read_sheet(text, game="compile") for text in (small, french, polish)] == [plain] * 3


def test_what_is_said_of_the_record_has_words_too() -> None:
    amended, back, gap, put, check = events(
        'amend 2 "the wrong line" by Ada', "B back 3 agreed", "gap   # fetched water", f"position {POSITION} by judge",
        f"check {POSITION}",
    )  # fmt: skip
    assert amended == Amended(seq=1, from_=2, reason="the wrong line", by="Ada")
    assert back == TakenBack(seq=2, to=3, by="B", agreed=True)
    assert gap == Gap(seq=3, note="fetched water")
    assert isinstance(put, PositionSet)
    assert isinstance(check, Checkpoint)
    assert put.position == check.position
    assert put.position["turn"] == 9


@pytest.mark.every(
    ("line", "column", "fits"),
    [
        ("A fyre-3 1", 3, "a card of this game"),
        ("A fyre 1", 3, "a card of this game or play or refresh"),
        ("A discrad fire-3", 3, 'did you mean "discard"?'),
        ("B speed-5 4", 11, "a whole number from 1 to 3"),
        ("flip fire-2 sideways", 13, '"down" or "up"'),
        ("A compile", 11, "a whole number from 1 to 3"),
        ("A refresh now", 11, "the end of the line"),
        ("played player=A card=fire-2 lien=1", 29, "a field of played: player, card, line, face, from"),
        ("played player=A card=fire-2 line=7", 34, "a whole number from 1 to 3"),
        ("check compile/9A.action.B/fire.life.water:q2;;:::/death.metal.speed:;;:::", 43, "a card of fire or life"),
        ('A refresh   {"when": 3}', 13, "id, at, because, note"),
    ],
)
def test_an_error_names_line_and_column_and_what_would_fit(line: str, column: int, fits: str) -> None:
    ((number, where, expected),) = refused("A refresh", line)
    assert (number, where) == (3, f"column {column}")
    assert fits in expected


def test_all_errors_of_a_sheet_are_named_at_once() -> None:
    assert [number for number, _, _ in refused("A fyre-3 1", "A refresh", "B compile 9")] == [2, 4]


@pytest.mark.every(
    ("sheet", "expected"),
    [
        ("", "game, then the players"),
        ("A refresh\n", "game, then the players"),
        ('game x\nheader {"ruleset": "chess"}\n', "a ruleset, one of altered, compile"),
        ("game x\nheader {\n", "an object"),
        ('game x\nheader {"colour": "red"}\n', "what the header of a log may hold"),
    ],
)
def test_a_sheet_without_a_good_beginning_is_refused(sheet: str, expected: str) -> None:
    with pytest.raises(LogError) as error:
        read_sheet(sheet, game="compile")
    assert expected in error.value.problems[0].expected


ODD: tuple[Event, ...] = (
    Refreshed(seq=1, player="A", note=" blanks "),
    Refreshed(seq=1, player="A", note="two\nlines"),
    Refreshed(seq=1, player="A", note="{} # braces", id="e 5", at="2026-01-05T10:00:00Z", because=1),
    Flagged(seq=1),
    Flagged(seq=1, by="the judge", note="look here"),
    Flagged(seq=1, note="again", id="f1"),
    Gap(seq=1),
    Amended(seq=1, from_=4, reason="by"),
    TakenBack(seq=1, to=0, agreed=False),
    Checkpoint(seq=1, position={"control": "A"}),
    PositionSet(seq=1, position={"sides": {"A": {"hand": 3}}}, why="all of it", by="the judge"),
    Played(seq=1, player="A", card="?a b", line=1, face="down", from_="deck"),
    Played(seq=1, player="somebody else", card="fire-1", line=1, face="up"),
)


@pytest.mark.every("event", ODD)
def test_whatever_an_event_holds_its_line_is_read_as_the_same_event(event: Event) -> None:
    sheet = Sheet(ruleset("compile"), ("A", "B"))
    line = sheet.write(event)
    assert len(line.splitlines()) == 1
    assert sheet.read(line, 1) == event


def test_whatever_a_header_holds_comes_back() -> None:
    header = Header(
        log="audit/1", ruleset="compile", game="a  b", reading="fr", edition="2025", complete=True, first="A",
        players=(Player("A", "Ada: the first"), Player("B")), meta={"event": "Open: day 2", "table": 12},
        setup={"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}, "x-table": 4},
    )  # fmt: skip
    assert read_sheet(write_sheet(ruleset("compile"), header, ()))[0] == header


def test_what_speaks_of_another_event_speaks_of_it_in_the_sheet_too() -> None:
    log = open_log(SAMPLES / "clean.jsonl")
    recorded = list(log)
    back = TakenBack(seq=len(recorded) + 1, to=len(recorded))
    *others, last = decisions(log.ruleset, log.header, [*recorded, back])
    assert last == TakenBack(seq=len(others) + 1, to=len(others))
    amended = Amended(seq=len(recorded) + 1, from_=1)
    assert decisions(log.ruleset, log.header, [*recorded, amended])[-1] == Amended(seq=len(others) + 1, from_=1)
    first = next(event for event in recorded if isinstance(event, Played))
    for seq, because in ((first.seq, 2), (first.seq + 1, None)):  # its place among the decisions; what has none there
        asked = Flagged(seq=len(recorded) + 1, because=seq)
        assert decisions(log.ruleset, log.header, [*recorded, asked])[-1].because == because


@pytest.mark.every("name", rulesets())
def test_every_form_is_listed_with_what_it_tells_besides(name: str) -> None:
    listed = run("score", "forms", name).stdout.decode().splitlines()
    forms = (*ruleset(name).rules.score_forms, *RECORD_FORMS)
    lines = [line.strip().partition("    ") for line in listed if line.startswith("    ")]
    assert [line[0] for line in lines] == [form.template for form in forms]
    assert all(str(value) in line[2] for line, form in zip(lines, forms, strict=True) for value in form.fixed.values())
    assert {line for line in listed if not line.startswith("    ")} == {form.event for form in forms}


WRITTEN_OUT = {
    "A fire-3 1": [
        "A: fire-3 1", "P1 plays fire-3 in line 1", "Ada fire-3 1", "player1 plays fire-3 to line 1",
        "Ada: plays fire-3 face up, line 1", "Ada joue Feu 3 face visible ligne 1.",
        "Ada gioca Fuoco 3 a faccia in su nella colonna 1.",
    ],
    "A fire-3 down 2": [
        "A plays fire-3 face down in line 2", "A fire-3 face-down line 2", "Ada joue feu-3 face cachée sur la ligne 2",
        "Ada gioca fuoco-3 coperta nella linea 2", "Ada zagrywa ogień-3 zakrytą w linii 2",
        "ada plays fire 3 face down in line two", "Ada joue feu-3 face cachée dans la deuxième ligne",
        "Ada gioca fuoco-3 coperta nella seconda linea", "Ada zagrywa ogień-3 zakrytą w drugiej linii",
        "Ada zagrywa Ogień 3 jako zakryty w linii 2", "Ada joue Feu 3 inactive ligne 2.",
    ],
    "A ? down 2": ["A plays a card face down in line 2"],
    "A discard ?": ["A discards a card", "Ada défausse une carte", "A scarta una carta", "A odrzuca jedna karta"],
    "A discard ?,?": ["A discards two cards", "A discard 2 cards"],
    "B draw 2": [
        "Bo draws two cards", "Bo drew only two cards", "Bo pioche seulement deux cartes", "P2: draws 2 cards",
        "Bo pioche deux cartes",
    ],
    "flip metal-1 down": ["flip metal-1 face down", "Bo flips metal-1 face down"],
    "A control": ["A takes control", "control A", "Ada prend controle"],
    "A turn 5": ["turn 5 A", "turn A 5"],
    "A rearrange B life,metal,death": ["A rearranges B life metal death", "A rearranges B vie metal mort"],
    "A rearrange water,life,fire": [
        "A réorganise ses protocoles : eau vie feu", "A ridispone: acqua vita fuoco",
        "A zmienia kolejność swoich protokołów: woda życie ogień",
    ],
    "A fire-3 down 3": ["A plays fire 3 face down into Protocol Speed", "Ada fire-3* in Water", "A fire-3* water"],
    "A compile 1": ["A compiles Fire", "A compiles protocol Metal", "Ada compila protocollo fuoco"],
    "shift fire-5 2": [
        "A shifts fire-5 to line 2", "shift fire-5 to line 2", "A shifts fire-5 to Life",
        "shift fire-5 into protocol Death",
    ],
    "A line 2": ["A chooses line 2", "A chooses line two", "Ada sceglie linea 2"],
    "A no": ["A says no", "A chooses no", "A declines", "A does not use it"],
    "A yes": ["A choose yes", "Ada accepts"],
    "A draft fire": ["draft A fire", "Ada drafts fire"],
    "A refresh\nA draw 3": [
        "A refresh +3", "Ada refreshes, draws 3 cards", "A refreshes and draws 3", "A refreshes (draws 3)",
    ],
    "A fire-3 1\nB back 0": ["A fire-3 1\nB undo", "A fire-3 1\nBo undoes"],
    "A refresh\nback 0\nB refresh\nback 2": ["A refresh\nundo\nB refresh\nundo"],
    "A arrange B speed,metal,death\nB speed-5 1": ["A arranges B speed metal death\nB speed-5 into Speed"],
    "A arrange B speed,metal,death\nundo\nB speed-5 3": ["A arrange B speed metal death\nundo\nB speed-5 in Speed"],
    "position compile/8A.action.-/life.fire.water:;;:f5:5:/death.metal.speed:;;:4:9:\nA fire-5 2": [
        "position compile/8A.action.-/life.fire.water:;;:f5:5:/death.metal.speed:;;:4:9:\nA plays fire-5 into Fire"
    ],
    "A clear": [
        "A clears cache", "Ada clears the cache", "A vide la mémoire cache", "A pulisce la cache",
        "A czyści pamięć podręczną",
    ],
    "A discard fire-1": ["A clears cache: fire-1"],
    "A fire-3 down 2 deck": [
        "A plays fire-3 face down in line 2 from the deck", "A joue feu-3 face cachée ligne 2 depuis la pioche",
        "Ada gioca fuoco-3 dal mazzo coperta in linea 2", "A zagrywa ogień-3 z talii zakrytą w linii 2",
    ],
    "A ?a1* 3 deck of A": [
        "A ?a1* 3 from deck of A", "A ?a1* 3 of A", "Ada gioca ?a1 coperta in linea 3 dal mazzo di A",
    ],
    "A ?a1* 3 deck of B": [
        "A plays ?a1 face down in line 3 from B's deck", "A joue ?a1 cachée ligne 3 de la pioche de B",
        "A zagrywa ?a1 zakrytą w linii 3 z talii B",
    ],
    "A draw 2": ["A draws 2 cards from the deck"],
    "A draw 2 from B": ["A draws 2 cards from deck of B"],
    "return metal-3": ["A bounces metal-3", "A riprende in mano metal-3"],
    "A control back": [
        "A puts control back", "Ada resets the control component", "A remet le contrôle au centre",
        "A restituisce il controllo", "A oddaje znacznik kontroli",
    ],
    "B control": ["Bo takes the control component", "B prend le composant contrôle", "B zdobywa znacznik kontroli"],
    "A keep": ["A keeps the order", "A does not rearrange", "A ne réorganise pas", "Ada nie przestawia"],
    "A no fire-3": ["A says no fire-3", "A declines fire-3"],
    "B yes": ["B oui", "Bo tak"],
    "B turn 6": ["Turn 6: B", "turn 6 (B)", "B's turn 6", "--- turn 6: B ---"],
    "A discard fire-5,life-2": ["A discards fire-5 and life-2", "A scarta fuoco-5 e vita-2"],
    "delete metal-1,death-2": ["A deletes metal-1 and death-2", "Bo supprime métal-1 et mort-2"],
    "return metal-1": ["A returns metal-1 to hand", "Ada zwraca metal-1"],
    "A refresh": ["A refreshes hand", "Ada uzupełnia karty na ręce"],
    "A fire-3 up 1": ["A joue feu-3 face active visible ligne 1", "A gioca fuoco-3 a faccia in su nella colonna 1"],
    "A fire-3 down 1": [
        "A joue feu-3 face inactive visible ligne 1", "A gioca fuoco-3 a faccia in giù nella colonna 1"
    ],
}  # fmt: skip


SPOKEN = {
    "lotr-reveal": {
        "road ann": ["Ann: road ann", "ann road ann", "P1: road P1", "ANN: road Ann", "2. P1 road ann"],
        "key doomed 1": ["Ann: key doomed 1", "P1 key doomed 1", "Bob: key doomed 1"],
        "bob test-of-will counter": [
            "Bob: test-of-will counter",
            "P2 test-of-will counter",
            "Ann: bob test-of-will counter",
        ],
        "thalin hit 1": ["Ann: thalin hit 1", "P1 thalin hit 1", "b thalin hit 1"],
        "orc bob surge": ["Bob: orc P2 surge", "orc Bob surge"],
        "f1 7 revealed storm": ["P2 f1 7 revealed storm", "Bo: f1 7 revealed storm"],
        "phase_started phase=quest": ["Ann: phase_started phase=quest", "P1 phase_started phase=quest"],
        "threat_moved player=bob delta=2": ["Bob: threat_moved delta=2", "Ann: threat_moved player=bob delta=2"],
        'flagged by=bob   {"note":"was it mine"}': ["Bob: ? was it mine", "P2 ? was it mine"],
        "gap": ["Bob: gap", "ann gap"],
    },
    "altered": {
        "ann owl h 2": ["Ann: owl h 2", "P1 owl h 2", "ANN: owl hero 2"],
        "ann advance hero forest": ["Ann: ann advance hero forest", "Bob: ann advance hero forest"],
        "phase_started phase=noon": ["Bob: phase_started phase=noon", "P1: phase_started phase=noon"],
    },
}
"""Lines with a speaker before them, by the line that they are."""


@pytest.mark.every(("name", "plain"), [(name, plain) for name, lines in SPOKEN.items() for plain in lines])
def test_a_player_may_stand_before_any_line(name: str, plain: str) -> None:
    head = f'game x   ann Ann   bob Bob   first ann\nheader {{"ruleset":"{name}"}}\n'
    before = "storm ann\n" if name == "lotr-reveal" else ""
    (expected,) = read_sheet(head + before + plain)[1][bool(before) :]
    for line in SPOKEN[name][plain]:
        assert read_sheet(head + before + line)[1][bool(before) :] == [expected], line


def test_a_card_that_was_taken_back_calls_for_no_other() -> None:
    head = 'game x   ann Ann   bob Bob   first ann\nheader {"ruleset":"lotr-reveal"}\n'
    lines = ["storm ann", "surge", "ford ann surge", "undo", "lane ann surge"]
    _, _, ford, _, lane = read_sheet(head + "\n".join(lines))[1]
    assert isinstance(ford, RevealStarted)
    assert isinstance(lane, RevealStarted)
    assert (ford.parent, lane.parent) == ("f1", "f1")
    assert (ford.frame, lane.frame) == ("f2", "f3")


@pytest.mark.every("line", ["ann wins", "Ann wins", "P1 wins"])
def test_who_has_won_may_be_a_player_by_any_name(line: str) -> None:
    head = 'game x   ann Ann   bob Bob   first ann\nheader {"ruleset":"altered"}\n'
    assert [event.side for event in read_sheet(head + line)[1] if isinstance(event, WinnerDeclared)] == ["ann"]


@pytest.mark.every("short", WRITTEN_OUT)
def test_what_people_write_out_is_read_as_its_short_form(short: str) -> None:
    head = "game g   A Ada: fire life water   B Bo: metal death speed   first A\n"
    for line in WRITTEN_OUT[short]:
        assert read_sheet(head + line, game="compile")[1] == read_sheet(head + short, game="compile")[1], line


@pytest.mark.every(
    "line",
    [
        "C plays fire-3 1", "P3 fire-3 1", "A plays fire-3 into Light", "undo", "1. A refresh +3",
        "A plays fire-3 in line", "Ada Bo fire-3 1",
    ],
)  # fmt: skip
def test_what_no_short_form_says_is_refused_by_the_line_as_it_stands(line: str) -> None:
    head = "game g   A Ada: fire life water   B Bo: metal death speed   first A\n"
    with pytest.raises(LogError):
        read_sheet(head + line, game="compile")


@pytest.mark.every(
    ("line", "expected"),
    [
        ("turn B", "B turn {turn}"),
        ("refresh", "{player} refresh"),
        ("pioche 2", "{player} draw {count} or {player} draw {cards} or {player} draw {count} from {deck}"),
    ],
)
def test_a_line_without_its_player_is_refused_with_the_form_it_should_have(line: str, expected: str) -> None:
    with pytest.raises(LogError) as refused:
        read_sheet("game g   A Ada: fire life water   B Bo: metal death speed   first A\n" + line, game="compile")
    assert [problem.expected for problem in refused.value.problems] == [expected]


@pytest.mark.every(
    ("text", "words"),
    [
        ("fox,ox", ("fox", "ox")),
        ('"kim companion"', ("kim companion",)),
        ('"kim companion","leo hero"', ("kim companion", "leo hero")),
        ('"a,b",c', ("a,b", "c")),
        ('a"b,c', ('a"b', "c")),
        ('["kim companion"]', ("kim companion",)),
    ],
)
def test_a_word_with_blanks_stands_in_quotation_marks_also_in_a_list(text: str, words: tuple[str, ...]) -> None:
    assert value_of(text, tuple[str, ...]) == words


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ann mana Grey Heron", "ann mana grey-heron"),
        ("ann Old Łowca h 1", 'ann "Old Łowca" h 1'),
        ("ann old lowca h 1", 'ann "Old Łowca" h 1'),
        ("ann keep reserve Grey Heron, fox, Old Łowca", 'ann keep reserve grey-heron,fox,"Old Łowca"'),
    ],
)
def test_the_name_of_several_words_of_a_card_is_read_as_it_is_said(line: str, said: str) -> None:
    cost = {"hand": 1, "reserve": 1}
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), {"costs": {"grey-heron": cost, "fox": cost, "Old Łowca": cost}})
    assert sheet.read(line, 1) == sheet.read(said, 1)


@pytest.mark.every(
    ("line", "cards"),
    [
        ("Bo discards Metal 0, Speed 2", ("metal-0", "speed-2")),
        ("Bo discards Metal 0, Speed 2, and Death 5", ("metal-0", "speed-2", "death-5")),
        ("Bo défausse Métal 0, Vitesse 2 et Mort 5", ("metal-0", "speed-2", "death-5")),
        ("Bo scarta Metallo 0, Velocità 2 e Morte 5", ("metal-0", "speed-2", "death-5")),
        ("Bo odrzuca Metal 0, Szybkość 2 i Śmierć 5", ("metal-0", "speed-2", "death-5")),
        ("B discard metal 0,speed 2", ("metal-0", "speed-2")),
        ("return Metal 0 and Speed 2", ("metal-0", "speed-2")),
    ],
)
def test_a_list_of_cards_has_commas_with_blanks_and_a_word_before_the_last(line: str, cards: tuple[str, ...]) -> None:
    _, (event,) = read_sheet(
        f"game list   A Ada: fire life water   B Bo: death metal speed   first A\n{line}", game="compile"
    )
    assert getattr(event, "cards", None) == cards


@pytest.mark.parametrize(
    "line", ["Bo takes control and plays speed 4 face up in line 3", "B puts control back and refreshes"]
)
def test_what_stands_beside_control_is_not_lost(line: str) -> None:
    with pytest.raises(LogError):
        read_sheet(f"game list   A Ada: fire life water   B Bo: death metal speed   first A\n{line}", game="compile")


def test_words_that_could_not_be_read_are_flagged_as_such_and_written_so() -> None:
    first = "game q   A Ada: fire life water   B Bo: death metal speed   first A"
    header, (event,) = read_sheet(f"{first}\n?? Ada did something", game="compile")
    assert (type(event).__name__, event.note, getattr(event, "unread", None)) == ("Flagged", "Ada did something", True)
    assert write_sheet(ruleset("compile"), header, [event]).splitlines()[-1] == "?? Ada did something"


@pytest.mark.parametrize(
    ("language", "verbs"), [("fr", "joue, rafraîchit, compile"), ("pl", "zagrywa, odświeża, kompiluje")]
)
def test_a_line_that_cannot_be_read_is_told_the_verbs_of_the_readers_language(language: str, verbs: str) -> None:
    first = "game r3   A Ada: fire life water   B Bo: death metal speed   first A"
    with pytest.raises(LogError) as error:
        read_sheet(f"{first}\nAda fait quelque chose\n", game="compile")
    assert verbs in error_words(error.value, language)


def test_a_line_of_thousands_of_words_is_refused_at_the_first_that_is_too_many() -> None:
    game = ruleset("compile")
    with pytest.raises(MisfitError) as misfit:
        Sheet(game, ("A", "B")).read("A refresh " + "again " * 50_000, 1)
    assert (misfit.value.column, misfit.value.expected) == (
        len("A refresh " + "again " * 998) + 1,
        "the end of the line",
    )
