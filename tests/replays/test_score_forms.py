"""Every form that `audit score forms` lists is read back, whichever language its words are in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import inspect
from msgspec.inspect import type_info

from audit.core.catalogue import LANGUAGES
from audit.core.model import Event
from audit.core.ruleset import ruleset, rulesets
from audit.games.lotr_reveal.events import RevealStarted
from replays.scoresheet.forms import Form, MisfitError, Part, fields_of, forms_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import Carried

SEATS = {"compile": ("A", "B"), "altered": ("ann", "ben"), "lotr-reveal": ("ann", "bob")}
CARDS = {"compile": "fire-3", "altered": "fox", "lotr-reveal": "crows"}
SETUP = {
    "compile": {"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}},
    "altered": {"costs": {"fox": {"hand": 2, "reserve": 1}}},
    "lotr-reveal": {"cards": {"crows": {"type": "enemy"}}},
}
POSITIONS = {"compile": "compile/3A.action.-/fire.life.water:;;:5:13:/death.metal.speed:;;:5:13:"}


TOLD_BEFORE: dict[str, list[Event]] = {
    "lotr-reveal": [RevealStarted(seq=1, card="crows", player="ann", cause="staging", frame="f1")]
}


def a_word(name: str, part: Part) -> str:
    """A word that may stand for that part."""
    if part.is_seat:
        return SEATS[name][0]
    if part.field == "position":
        return POSITIONS.get(name, f"{name}/()")
    if part.is_card:
        return CARDS[name] + part.sign
    if part.field == "protocols":
        return "life,fire,water"
    return a_value(type_info(part.kind)) + part.sign


def a_value(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            return a_value(kind.type)
        case inspect.UnionType():
            return a_value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
        case inspect.LiteralType():
            return str(kind.values[0])
        case inspect.IntType():
            return str(max(1, kind.ge or 1))
        case inspect.VarTupleType():
            return ",".join([a_value(kind.item_type)] * (kind.min_length or 1))
        case inspect.TupleType():
            return ",".join(str(number) for number, _ in enumerate(kind.item_types, 1))
        case _:
            return "x1"


def lines_of(name: str, sheet: Sheet, form: Form, language: str) -> Iterator[str]:
    """The line of a form with all of its parts, and in English with those only that have to be told."""
    needed = [part for part in form.parts if part.usual is None]
    for parts in (form.parts, needed) if language == "en" else (form.parts,):
        told = [part for part in parts if not part.is_carried]
        yield " ".join(sheet.writer.word_in(part, part.word or a_word(name, part), language) for part in told)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_is_listed_can_be_read(name: str, language: str) -> None:
    game = ruleset(name)
    sheet = Sheet(game, SEATS[name], SETUP[name], carried=Carried(TOLD_BEFORE.get(name, ())))
    for form in forms_of(game):
        for line in lines_of(name, sheet, form, language):
            assert type(sheet.read(line, 1)) is form.event, line


COSTS = {"owl": {"hand": 2, "reserve": 1}}
PLAYED = {"player": "ann", "card": "owl", "from": "hand", "to_zone": "hero_expedition", "to_owner": "ann", "mana": 2}


@pytest.mark.every(
    "line",
    [
        "ann play owl from hand to hero_expedition for 2",
        "ann play owl from hand to hero_expedition",
        "ann play owl from hand to hero_expedition of ann for 2",
        "ann joue owl depuis main vers expédition_du_héros pour 2",
        "ann gioca owl da mano verso spedizione_dell_eroe per 2",
        "ann zagrywa owl z ręka do wyprawa_bohatera za 2",
    ],
)
def test_a_card_is_played_to_its_player_and_at_its_cost_where_a_line_does_not_say_otherwise(line: str) -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), {"costs": COSTS})
    assert fields_of(sheet.read(line, 1)) == PLAYED


def test_who_leaves_out_a_cost_that_nobody_has_told_is_asked_for_it() -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), {})
    with pytest.raises(MisfitError, match="column 43: expected of or for or a whole number"):
        sheet.read("ann play owl from hand to hero_expedition", 1)


def test_an_error_names_what_to_write_and_no_field_that_is_missing() -> None:
    sheet = Sheet(ruleset("altered"), ("ann", "ben"), {"costs": COSTS})
    with pytest.raises(MisfitError, match="column 67: expected to_owner=…, found"):
        sheet.read("card_played player=ann card=owl from=hand to_zone=hero_expedition", 1)


def test_a_sentence_that_begins_like_an_event_is_told_where_it_ends() -> None:
    sheet = Sheet(ruleset("compile"), ("A", "B"))
    with pytest.raises(MisfitError) as error:
        sheet.read("A compiled line 1 with 10 against 10, may she?", 1)
    assert (error.value.expected, error.value.found) == ("the end of the line", "with")
