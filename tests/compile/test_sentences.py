"""What Compile says of its events and findings: a whole sentence for each, in four languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from babel import Locale
from msgspec.structs import replace

import audit.games.compile
from audit.core.catalogue import LANGUAGES, words
from audit.core.event_rules import Violation, own_fields
from audit.core.model import Event, type_name
from audit.core.sentences import PLURAL_RULES, Sentence, sentence, tell, violation_sentence
from audit.games.compile import RULESET
from audit.games.compile import events as e
from audit.games.compile.rules import CATALOGUE
from audit.games.compile.state import Side, State
from audit.games.compile.texts import PARTS_OF_TURN, WAITING
from replays.scoresheet.line import Sheet

PACKAGE = "audit.games.compile"
GAME = RULESET
RULE = next(iter(CATALOGUE))
FOLDER = Path(audit.games.compile.__file__).parent
SOURCES = {str(path.relative_to(FOLDER)): path.read_text("utf-8") for path in FOLDER.rglob("*.py")}
CARD, OTHER, HANDLE, UNSEEN = "fire-2", "water-1", "?1", "?"
PROTOCOLS = ("fire", "water", "life")

SAMPLES: dict[str, Event] = {
    "drafted": e.Drafted(seq=1, player="A", protocol="fire"),
    "turn_began": e.TurnBegan(seq=1, player="A", turn=3),
    "phase_began": e.PhaseBegan(seq=1, phase="cache"),
    "played.up.hand": e.Played(seq=1, player="A", card=CARD, line=2, face="up"),
    "played.up.hand.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=2, face="up"),
    "played.down.hand": e.Played(seq=1, player="A", card=HANDLE, line=2, face="down"),
    "played.down.hand.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=2, face="down"),
    "played.up.deck": e.Played(seq=1, player="A", card=CARD, line=2, face="up", from_="deck"),
    "played.down.deck": e.Played(seq=1, player="A", card=CARD, line=2, face="down", from_="deck"),
    "played.down.deck.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=2, face="down", from_="deck"),
    "committed": e.Committed(seq=1, card=CARD),
    "committed.line": e.Committed(seq=1, card=CARD, from_="hand", to=2),
    "committed.line.unseen": e.Committed(seq=1, card=UNSEEN, from_="hand", to=2),
    "committed.hand": e.Committed(seq=1, card=CARD, from_=2, to="hand"),
    "committed.deck": e.Committed(seq=1, card=CARD, to="deck"),
    "committed.trash": e.Committed(seq=1, card=CARD, from_=2, to="trash"),
    "covered": e.Covered(seq=1, card=CARD, by=OTHER),
    "covered.unseen": e.Covered(seq=1, card=CARD, by=UNSEEN),
    "covered.unsaid": e.Covered(seq=1, card=CARD),
    "uncovered": e.Uncovered(seq=1, card=CARD),
    "landed": e.Landed(seq=1, card=CARD, line=3),
    "landed.unseen": e.Landed(seq=1, card=UNSEEN, line=3),
    "landed.arrived": e.Landed(seq=1, card=CARD),
    "landed.arrived.unseen": e.Landed(seq=1, card=UNSEEN),
    "triggered.top": e.Triggered(seq=1, card=CARD, command="top", on="start"),
    "triggered.middle": e.Triggered(seq=1, card=CARD, command="middle"),
    "triggered.bottom": e.Triggered(seq=1, card=CARD, command="bottom"),
    "resolved.done": e.Resolved(seq=1, card=CARD, command="middle", outcome="done"),
    "resolved.unused": e.Resolved(seq=1, card=CARD, command="middle", outcome="declined"),
    "resolved.impossible": e.Resolved(seq=1, card=CARD, command="middle", outcome="impossible"),
    "resolved.stopped": e.Resolved(seq=1, card=CARD, command="middle", outcome="stopped"),
    "chose": e.Chose(seq=1, player="A", what="line"),
    "chose.settled.order": e.Chose(seq=1, player="A", what="order", order=(CARD, OTHER)),
    "chose.settled.line": e.Chose(seq=1, player="A", what="line", line=2),
    "chose.settled.card": e.Chose(seq=1, player="A", what="card", card=CARD),
    "chose.settled.option": e.Chose(seq=1, player="A", what="option", option=1),
    "chose.settled.yes": e.Chose(seq=1, player="A", what="permission", accept=True),
    "chose.settled.no": e.Chose(seq=1, player="A", what="permission", accept=False),
    "chose.rearrange": e.Chose(seq=1, player="A", what="rearrange", accept=False),
    "chose.rearranges": e.Chose(seq=1, player="A", what="rearrange", accept=True),
    "drew": e.Drew(seq=1, player="A", cards=(CARD, OTHER)),
    "drew.count": e.Drew(seq=1, player="A", count=5),
    "drew.other": e.Drew(seq=1, player="A", cards=(CARD,), deck="B"),
    "drew.other.count": e.Drew(seq=1, player="A", count=1, deck="B"),
    "discarded.unseen": e.Discarded(seq=1, player="A", cards=("?",)),
    "discarded": e.Discarded(seq=1, player="A", cards=(CARD,)),
    "played.up.trash": e.Played(seq=1, player="A", card=CARD, line=1, face="up", from_="trash"),
    "played.down.trash": e.Played(seq=1, player="A", card=CARD, line=1, face="down", from_="trash"),
    "played.down.trash.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=1, face="down", from_="trash"),
    "played.up.across": e.Played(seq=1, player="A", card=CARD, line=1, face="up", side="B"),
    "played.down.across": e.Played(seq=1, player="A", card=CARD, line=1, face="down", side="B"),
    "played.down.across.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=1, face="down", side="B"),
    "played.up.other": e.Played(seq=1, player="A", card=CARD, line=1, face="up", from_="deck", deck="B"),
    "played.down.other": e.Played(seq=1, player="A", card=CARD, line=1, face="down", from_="deck", deck="B"),
    "played.down.other.unseen": e.Played(seq=1, player="A", card=UNSEEN, line=1, face="down", from_="deck", deck="B"),
    "discarded.deck.other": e.Discarded(seq=1, player="A", cards=(CARD,), from_="deck", deck="B"),
    "discarded.other": e.Discarded(seq=1, player="A", cards=(CARD,), trash="B"),
    "chose.settled.number": e.Chose(seq=1, player="A", what="number", number=3),
    "chose.settled.protocol": e.Chose(seq=1, player="A", what="protocol", protocol="fire"),
    "shuffled": e.Shuffled(seq=1, player="A"),
    "put_on_deck": e.PutOnDeck(seq=1, cards=(CARD,), deck="B"),
    "copied": e.Copied(seq=1, card=CARD, by=OTHER),
    "copied.unsaid": e.Copied(seq=1, card=CARD),
    "stacks_swapped": e.StacksSwapped(seq=1, side="A", lines=(1, 2)),
    "protocol_turned": e.ProtocolTurned(seq=1, player="A", protocol="fire"),
    "discarded.deck": e.Discarded(seq=1, player="A", cards=(CARD, OTHER), from_="deck"),
    "flipped.up": e.Flipped(seq=1, card=CARD, face="up"),
    "flipped.down": e.Flipped(seq=1, card=CARD, face="down"),
    "flipped.over": e.Flipped(seq=1, card=CARD),
    "flipped.over.is": e.Flipped(seq=1, card=HANDLE, is_=CARD),
    "flipped.up.is": e.Flipped(seq=1, card=HANDLE, face="up", is_=CARD),
    "flipped.down.is": e.Flipped(seq=1, card=HANDLE, face="down", is_=CARD),
    "shifted": e.Shifted(seq=1, card=CARD, to=3),
    "shifted.away": e.Shifted(seq=1, card=CARD, from_=1, to=3),
    "deleted": e.Deleted(seq=1, cards=(CARD,)),
    "returned": e.Returned(seq=1, cards=(CARD, OTHER)),
    "returned.whose": e.Returned(seq=1, card=CARD, to="B"),
    "revealed": e.Revealed(seq=1, player="A"),
    "revealed.cards": e.Revealed(seq=1, player="A", cards=(CARD,)),
    "revealed.named": e.Revealed(seq=1, player="A", cards=(HANDLE,), is_=(CARD,)),
    "revealed.hand": e.Revealed(seq=1, player="A", zone="hand"),
    "revealed.hand.cards": e.Revealed(seq=1, player="A", zone="hand", cards=(CARD, OTHER)),
    "revealed.deck": e.Revealed(seq=1, player="A", zone="deck"),
    "revealed.deck.cards": e.Revealed(seq=1, player="A", zone="deck", cards=(CARD,)),
    "revealed.trash": e.Revealed(seq=1, player="A", zone="trash"),
    "revealed.trash.cards": e.Revealed(seq=1, player="A", zone="trash", cards=(CARD,)),
    "looked": e.Looked(seq=1, player="A", zone="elsewhere"),
    "looked.cards": e.Looked(seq=1, player="A", cards=(HANDLE,)),
    "looked.hand": e.Looked(seq=1, player="A", zone="hand"),
    "looked.deck": e.Looked(seq=1, player="A", zone="deck"),
    "looked.trash": e.Looked(seq=1, player="A", zone="trash"),
    "identified": e.Identified(seq=1, card=HANDLE, is_=CARD),
    "identified.unseen": e.Identified(seq=1, card=HANDLE, is_=UNSEEN),
    "owner_changed.gave": e.OwnerChanged(seq=1, card=CARD, from_="A", to="B", why="gave"),
    "owner_changed.gave.unseen": e.OwnerChanged(seq=1, card=UNSEEN, from_="A", to="B", why="gave"),
    "owner_changed.took": e.OwnerChanged(seq=1, card=CARD, from_="A", to="B", why="took"),
    "owner_changed.took.unseen": e.OwnerChanged(seq=1, card=UNSEEN, from_="A", to="B", why="took"),
    "owner_changed.claimed": e.OwnerChanged(seq=1, card=CARD, from_="A", to="B", why="claimed"),
    "owner_changed.claimed.unseen": e.OwnerChanged(seq=1, card=UNSEEN, from_="A", to="B", why="claimed"),
    "owner_changed.recompile": e.OwnerChanged(seq=1, card=CARD, from_="A", to="B", why="recompile"),
    "rearranged": e.Rearranged(seq=1, side="A", protocols=PROTOCOLS),
    "rearranged.by": e.Rearranged(seq=1, side="A", protocols=PROTOCOLS, by="B"),
    "refreshed": e.Refreshed(seq=1, player="A"),
    "reshuffled": e.Reshuffled(seq=1, player="A", deck=(CARD,)),
    "cache_cleared": e.CacheCleared(seq=1, player="A"),
    "control_taken": e.ControlTaken(seq=1, player="A"),
    "control_reset": e.ControlReset(seq=1, player="A"),
    "compiled": e.Compiled(seq=1, player="A", line=1),
    "recompiled": e.Recompiled(seq=1, player="A", line=1),
    "passed": e.Passed(seq=1, player="A"),
    "game_won": e.GameWon(seq=1, player="A"),
    "game_ended.conceded": e.GameEnded(seq=1, reason="conceded"),
    "game_ended.conceded.by": e.GameEnded(seq=1, reason="conceded", player="A"),
    "game_ended.time": e.GameEnded(seq=1, reason="time"),
    "game_ended.judge": e.GameEnded(seq=1, reason="judge"),
}

in_each_language = pytest.mark.every("language", LANGUAGES)
of_each_event = pytest.mark.every(("key", "event"), SAMPLES.items(), ids=SAMPLES)


def table(language: str) -> Mapping[str, Sentence]:
    """The sentences of a language."""
    return words(PACKAGE, language, "sentences")


def broken_keys() -> set[str]:
    """The keys of all criteria in the sources; of those put together, every one they can come to."""
    text = "\n".join(SOURCES.values())
    keys = set(re.findall(r'(?:Violation|Skipped)\([^"]*?,\s*"([a-z_.]+)"', text))
    return keys | set(_put_together()) | {f"{type_name(kind)}.{name}" for kind, name in _exact_fields()}


def _put_together() -> Iterator[str]:
    yield from (f"uncalled.{moment}" for moment in WAITING if moment not in PARTS_OF_TURN)
    yield from (f"took_away.{zone}" for zone in ("deck", "trash", "field", "all"))
    yield from (f"place.{rule}" for rule in ("no_play", "no_face_down_play", "face_down_play_only"))


def _exact_fields() -> Iterator[tuple[type[Event], str]]:
    """What can differ in an option that stands for one event."""
    occasions = "".join(text for name, text in SOURCES.items() if name.startswith("event_rules/"))
    made = re.findall(r"(?:OneEvent\(|MovementStep\(|= )([A-Z]\w+)\(seq=0, ([^)]*)\)", occasions)
    kinds = {kind.__name__: kind for kind in e.EVENTS}
    for name, given in made:
        kind = kinds[name]
        yield from ((kind, field) for field in own_fields(kind) if f"{field}=" in given)
    steps = re.findall(r"return (\w+), \([^)]*\), _[A-Z]", SOURCES["event_rules/moving.py"])
    yield from ((kinds[name], field) for name in steps for field in own_fields(kinds[name]))


def told(event: Event, language: str) -> str:
    """The sentence of an event."""
    return tell(GAME, event, language)


def objected(key: str, language: str, **data: object) -> str:
    """The sentence of a criterion."""
    return violation_sentence(GAME, Violation(RULE, key, data), language)


def test_every_kind_of_event_has_a_sample() -> None:
    assert {type_name(type(event)) for event in SAMPLES.values()} == {type_name(kind) for kind in e.EVENTS}


@of_each_event
def test_an_event_has_a_sentence_of_its_own(key: str, event: Event) -> None:
    assert GAME.wording.sentence_key(event) == key
    assert key in table("en")


@in_each_language
@of_each_event
def test_an_event_is_told_in_full(key: str, event: Event, language: str) -> None:
    said = told(event, language)
    assert said != key
    assert not re.search(r"[…{}–]", said)


AT_A_PLACE = set(GAME.wording.every_key(SAMPLES["landed.arrived"])) | set(
    GAME.wording.every_key(SAMPLES["landed.arrived.unseen"])
)
"""The keys of a sentence that needs the position to say where a card went."""


def test_no_sentence_is_left_over() -> None:
    spoken = {
        *SAMPLES,
        *broken_keys(),
        "overdue",
        "unexpected",
        "echo",
        "resolved",
        "lies",
        "drew.to_five",
        *AT_A_PLACE,
    }
    assert [key for key in table("en") if key not in spoken] == []


@in_each_language
@pytest.mark.every(
    ("to", "words_"),
    [
        (2, {"en": "line 2", "fr": "ligne 2", "it": "colonna 2", "pl": "linii 2"}),
        ("hand", {"en": "to hand", "fr": "la main", "it": "la mano", "pl": "na rękę"}),
        ("trash", {"en": "the trash", "fr": "la défausse", "it": "gli scarti", "pl": "do kosza"}),
    ],
)
def test_a_card_on_its_way_goes_to_a_line_or_to_a_zone(to: int | str, words_: dict[str, str], language: str) -> None:
    assert told(e.Committed(seq=1, card=CARD, to=to), language).endswith(f"{words_[language]}.")


@pytest.mark.parametrize("event", [e.Committed(seq=1, card=CARD, to="by"), e.Looked(seq=1, player="A", zone="theirs")])
def test_a_zone_nobody_knows_is_left_unsaid(event: Event) -> None:
    assert GAME.wording.sentence_key(event) == type_name(type(event))


@pytest.mark.every(
    ("n", "polish"),
    [
        (0, "0 kart."), (1, "1 kartę."), (2, "2 karty."), (5, "5 kart."), (12, "12 kart."), (22, "22 karty."),
        (25, "25 kart."),
    ],
)  # fmt: skip
def test_polish_counts_its_cards_right(n: int, polish: str) -> None:
    assert told(e.Drew(seq=1, player="A", count=n), "pl").endswith(polish)


@pytest.mark.every(
    ("language", "none", "one", "two"),
    [
        ("en", "0 cards.", "1 card.", "2 cards."),
        ("fr", "0 carte.", "1 carte.", "2 cartes."),
        ("it", "0 carte.", "1 carta.", "2 carte."),
    ],
)
def test_other_languages_have_one_and_many(language: str, none: str, one: str, two: str) -> None:
    said = [told(e.Drew(seq=1, player="A", count=n), language) for n in range(3)]
    assert [text[-len(wanted) :] for text, wanted in zip(said, (none, one, two), strict=True)] == [none, one, two]


@pytest.mark.every(
    ("language", "said"),
    [
        ("en", "Fire 2 is deleted."),
        ("fr", "La carte Feu 2 est supprimée."),
        ("it", "La carta Fuoco 2 viene cancellata."),
        ("pl", "Karta Ogień 2 zostaje usunięta."),
    ],
)
def test_a_single_card_is_not_counted(language: str, said: str) -> None:
    assert told(e.Deleted(seq=1, cards=(CARD,)), language) == said


@in_each_language
def test_every_criterion_has_a_sentence(language: str) -> None:
    dumb = [key for key in broken_keys() if objected(key, language) == sentence(PACKAGE, language, "unexpected", {})]
    assert not dumb, f"audit/games/compile/text/{language}/sentences.toml wants {', '.join(dumb)}"


def test_the_criteria_are_found_in_the_sources() -> None:
    found = broken_keys()
    assert len(found) > 90
    assert {"pick.covered", "echo.identified", "place.no_play", "landed.line", "turn_began.player"} <= found


def test_no_criterion_speaks_with_the_sentence_of_an_event() -> None:
    assert broken_keys() & SAMPLES.keys() == set()


@in_each_language
@pytest.mark.every(
    ("key", "data"),
    [
        ("pick.covered", {"card": CARD}),
        ("compile.tie", {"line": 1, "n": 10, "found": 12}),
        ("play.from", {"zone": "hand"}),
        ("play.face", {"face": "down"}),
        ("play.top", {}),
        ("wrong.player", {"player": "A", "expected": "B"}),
        ("place.no_play", {"source": CARD}),
        ("all.missing", {"cards": [CARD, OTHER]}),
        ("draw.number", {"n": 2, "found": 1}),
        ("phase.order", {"phase": "start"}),
        ("phase_began.phase", {"field": "phase", "expected": "control"}),
        ("resolved.command", {"field": "command", "expected": "top"}),
        ("resolved.outcome", {"field": "outcome", "expected": "done"}),
        ("resolved.declined", {"card": CARD}),
        ("committed.to", {"field": "to", "expected": 2}),
        ("committed.from_", {"field": "from_", "expected": "hand"}),
        ("turn_began.turn", {"field": "turn", "expected": 3}),
        ("landed.card", {"field": "card", "expected": CARD}),
        ("draft.taken", {"protocol": "fire"}),
    ],
)
def test_a_finding_is_told_in_full(key: str, data: dict[str, object], language: str) -> None:
    said = objected(key, language, **data)
    assert not re.search(r"[…{}–]", said)
    assert not (language != "en" and re.search(r"\b(hand|down|start|control|top|fire)\b", said))


@pytest.mark.every(
    ("language", "phase", "box"),
    [
        ("en", "Check Control", "top command"),
        ("fr", "Contrôle", "commande primaire"),
        ("it", "Convalida Controllo", "comando superiore"),
        ("pl", "Sprawdzenie kontroli", "górna komenda"),
    ],
)
def test_what_was_expected_is_worded_like_the_field_it_stands_in(language: str, phase: str, box: str) -> None:
    assert phase in objected("phase_began.phase", language, field="phase", expected="control")
    assert box in objected("resolved.command", language, field="command", expected="top")


@in_each_language
def test_a_criterion_without_words_says_that_nothing_asks_for_it(language: str) -> None:
    assert objected("committed.nothing", language) == table(language)["unexpected"]


@pytest.mark.every("language", sorted(PLURAL_RULES))
def test_the_plural_forms_written_down_are_those_of_the_locale(language: str) -> None:
    written, whole = PLURAL_RULES[language], Locale.parse(language).plural_form
    for n in (*range(200), 1_000_000, 1_000_001, 2_000_000):
        assert written(n) == whole(n), n


@pytest.mark.every("zone", ("hand", "deck", "trash"))
def test_a_card_that_left_the_field_is_said_to_have_arrived_somewhere(zone: str) -> None:
    """The event tells no place; the table before it does."""
    before = replace(State(a=Side((), **{zone: ("fire-5",)}), b=Side(())), just_left=("fire-5",))
    arrived = e.Landed(seq=1, card="fire-5")
    for card, unseen in (("fire-5", ""), ("?", ".unseen")):
        key = GAME.wording.key_at(before, replace(arrived, card=card), is_written=True)
        assert key == f"landed.arrived.{zone}{unseen}"
        assert key in GAME.wording.every_key(replace(arrived, card=card))
        assert len({str(table(language)[key]) for language in LANGUAGES}) == len(LANGUAGES)


def test_of_cards_that_went_to_several_places_an_unseen_one_is_told_without_a_place() -> None:
    before = replace(State(a=Side((), hand=("fire-5",)), b=Side((), trash=("life-1",))), just_left=("fire-5", "life-1"))
    assert GAME.wording.key_at(before, e.Landed(seq=1, card="?"), is_written=True) == "landed.arrived.unseen"
    assert GAME.wording.key_at(before, e.Landed(seq=1, card="life-1"), is_written=True) == "landed.arrived.trash"


@in_each_language
def test_the_place_where_a_card_arrived_is_read_back(language: str) -> None:
    sheet = Sheet(GAME, ("A", "B"), {"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}})
    said = tell(GAME, e.Landed(seq=1, card="fire-5"), language, key="landed.arrived.trash")
    assert sheet.read(said, 1) == e.Landed(seq=1, card="fire-5")
