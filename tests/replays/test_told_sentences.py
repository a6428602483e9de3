"""What the program tells of an event is read back as that event: in questions and on score sheets, in each language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Header, Player
from audit.core.record_events import RECORD_EVENTS
from audit.core.ruleset import Ruleset, ruleset, rulesets
from audit.core.steps import Step
from audit.games.altered.events import CardPlayed
from replays.generating.simulate import simulated
from replays.judging.annotate import Annotator
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError, fields_of, required_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried
from replays.scoresheet.sheet import read_sheet
from replays.table.question import UnreadEventError, header_at, question, read_at

SAMPLES = sorted((Path(__file__).parents[2] / "replays" / "samples").glob("*.jsonl"))
UNTOLD = {
    "altered": {
        "board_placed", "deck_registered", "effect_started", "expeditions_faced", "mana_placed.unseen",
        "reaction_activated", "team_formed",
    },
}  # fmt: skip
"""Sentences that leave out what their event cannot be without: what is laid out, what set a reaction off, the step."""
Log = tuple[Ruleset[object], Header, list[Event]]


def logs(name: str) -> Iterator[Log]:
    for sample in map(open_log, SAMPLES):
        if sample.header.ruleset == name:
            yield sample.ruleset, sample.header, list(sample)
    yield ruleset(name), *simulated(ruleset(name), 5)


def steps(log: Log, seen: dict[str, int]) -> Iterator[tuple[str, Step]]:
    """The first two steps of each kind of sentence, with its key and how many of the kind were `seen` before."""
    game, header, events = log
    for step in audit(game, header, events):
        if step.event is not None and step.seq and type(step.event) not in RECORD_EVENTS:
            key = game.wording.sentence_key(step.event)
            seen[key] = seen.get(key, -1) + 1
            if seen[key] < 2:
                yield key, step


def is_same(game: Ruleset[object], told: Event, read: Event) -> bool:
    """Whether both are told alike, and alike in what the event cannot be without."""
    if type(told) is not type(read):
        return False
    both = fields_of(told), fields_of(read)
    needed = all(both[0][name] == both[1][name] for name in required_of(type(told)))
    return needed and all(Annotator(game, one).tell(told) == Annotator(game, one).tell(read) for one in LANGUAGES)


@pytest.mark.parametrize("name", rulesets())
def test_each_kind_of_sentence_is_read_back_at_its_step(name: str) -> None:
    """Each kind in two languages: which ones, its name says."""
    unread, seen = [], dict[str, int]()
    for log in logs(name):
        game, header, _ = log
        writers = [Annotator(game, language, header=header) for language in LANGUAGES]
        for key, step in steps(log, seen):
            assert step.event is not None
            writer = writers[(len(key) + seen[key]) % len(LANGUAGES)]
            said = writer.tell(step.event, writer._places(step, step.event))
            try:
                if not is_same(game, step.event, read_at(game, header, step.before, said, 1)):
                    unread.append(key)
            except UnreadEventError:
                unread.append(key)
    assert set(unread) <= UNTOLD.get(name, set())


@pytest.mark.every("language", LANGUAGES)
def test_a_sheet_of_sentences_is_read(language: str) -> None:
    log = open_log(next(one for one in SAMPLES if one.stem == "dispute"))
    first = "game r3-t12   A Ada: fire life water   B Bo: death metal speed   first A"
    writer = Annotator(log.ruleset, language, header=log.header)
    told = [event for event in log if log.ruleset.wording.sentence_key(event).startswith("played")][:6]
    _, read = read_sheet(
        "\n".join([first, *(f"{writer.tell(event)}   # {event.seq}" for event in told)]), game="compile"
    )
    assert [fields_of(event) for event in read] == [fields_of(event) for event in told]
    assert [event.note for event in read] == [str(event.seq) for event in told]


@pytest.mark.every("language", LANGUAGES)
def test_a_sentence_names_the_player_or_the_seat(language: str) -> None:
    header = header_at(ruleset("compile").setting.example)
    played = question(header, ["A plague-1 1"]).events[0]
    said = Annotator(ruleset("compile"), language).tell(played)
    assert question(header, [said]).events == question(header, [said.rstrip(".")]).events == (played,)


def test_a_sentence_that_may_tell_of_several_events_is_not_guessed() -> None:
    game = ruleset("altered")
    sheet = Sheet(game, ("A", "B"), header_at(game.setting.example).setup)
    with pytest.raises(Exception, match="expected"):
        sheet.read("fox is discarded by Rest.", 1)


KELON = CardPlayed(
    seq=1, player="A", card="Kelon-Mason", from_="hand", to_zone="companion_expedition", to_owner="A", mana=2
)


@pytest.mark.every("language", LANGUAGES)
def test_a_sentence_may_name_a_card_that_nobody_named_before(language: str) -> None:
    game = ruleset("altered")
    said = Annotator(game, language).tell(KELON)
    for told in (said, said.replace("Kelon-Mason", "Kelon Mason")):
        assert Sheet(game, ("A", "B"), players=(Player(seat="A", name="Leo"),)).read(told, 1) == KELON
        assert question(header_at(game.setting.example), [told]).events == (KELON,)


def test_a_card_has_one_name_however_it_is_spelt() -> None:
    game = ruleset("altered")
    sheet = Sheet(game, ("A", "B"), carried=Carried([KELON]))
    for said in ('"Kelon Mason"', "Kelon Mason", "kelon mason", "Kelon-Mason"):
        assert sheet.read(f"A {said} c 2", 1) == KELON
    sheet = Sheet(game, ("A", "B"), carried=Carried([replace(KELON, card="Kelon Mason")]))
    assert fields_of(sheet.read("A plays Kelon-Mason from hand to Companion expedition (2 mana).", 1))["card"] == (
        "Kelon Mason"
    )


@pytest.mark.parametrize("said", ["A B c 2", "A Leo c 2", "Leo plays Leo from hand to Hero expedition (2 mana)."])
def test_a_player_is_no_card(said: str) -> None:
    with pytest.raises(MisfitError):
        Sheet(ruleset("altered"), ("A", "B"), players=(Player(seat="A", name="Leo"),)).read(said, 1)
