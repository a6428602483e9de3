"""One declaration, three readers: the fast decoder, the careful schemas and the published schema agree."""

from __future__ import annotations

import io
import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from marshmallow import ValidationError
from msgspec import Meta, Struct
from small_game import HEADER, SMALL, Drew, Laid, Named, PileTaken, resolve

from audit.core.model import Card, Event, Header
from replays.errors import LogError
from replays.log.reader import open_log
from replays.log.schemas import card_fields, json_schema
from replays.log.strict_schemas import problems, schema

PUBLISHED = Draft202012Validator(json_schema(SMALL))


def test_the_published_schema_is_one() -> None:
    Draft202012Validator.check_schema(json_schema(SMALL))
    assert json.loads(json.dumps(json_schema(SMALL))) == json_schema(SMALL)


def test_the_published_schema_takes_headers_and_events_and_nothing_else() -> None:
    PUBLISHED.validate({"log": "audit/1", "ruleset": "small", "x-room": 4})
    PUBLISHED.validate({"seq": 1, "type": "pile_taken", "pile": 2, "x-clock": [1]})
    for bad in (
        {"log": "audit/2", "ruleset": "small"},
        {"log": "audit/1", "ruleset": "tall"},
        {"seq": 0, "type": "pile_taken", "pile": 2},
        {"seq": 1, "type": "pile_taken", "pile": 2, "clock": [1]},
    ):
        assert not PUBLISHED.is_valid(bad), bad


def test_every_event_says_in_the_published_schema_what_it_tells() -> None:
    parts = json_schema(SMALL)["$defs"]
    assert isinstance(parts, dict)
    assert parts["PileTaken"]["description"] == PileTaken.__doc__
    assert parts["PileTaken"]["properties"]["type"] == {"enum": ["pile_taken"]}


values = (
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "A", "oak-1", "?1", "up", "hand", "x" * 65])
    | st.lists(st.sampled_from(["oak-1", "", 3, None]), max_size=5)
    | st.dictionaries(st.just("a"), st.integers(), max_size=1)
)  # fmt: skip
likely = {
    "player": st.just("A"), "card": st.just("oak-1"), "pile": st.integers(0, 4), "face": st.just("up"),
    "from": st.just("deck"), "cards": st.lists(st.just("elm-2"), max_size=5), "count": st.integers(-1, 2),
    "place": st.just(2) | st.just("hand"), "sure": st.booleans(), "x-a": values, "note": st.just(""),
    "because": st.integers(0, 2), "other": values,
}  # fmt: skip
objects = st.fixed_dictionaries(
    {"seq": st.just(1), "type": st.sampled_from(["laid", "drew", "named", "pile_taken"])},
    optional={name: kind | values for name, kind in likely.items()},
)


@given(objects)
def test_the_three_readers_agree(data: dict[str, object]) -> None:
    declared = SMALL.rules.types[str(data["type"])]
    careful = not problems(declared, data)
    assert careful == PUBLISHED.is_valid(data)
    try:
        list(open_log(io.BytesIO(HEADER + json.dumps(data).encode()), resolve=resolve))
        read = True
    except LogError as error:
        read = all("card of this game" in problem.expected for problem in error.problems)
    assert read == careful


@pytest.mark.every("event", [Laid, Drew, Named, PileTaken])
def test_a_schema_loads_by_attribute_names_as_a_form_wants_it(event: type[Event]) -> None:
    made = schema(event)()
    assert made.__doc__ == event.__doc__
    assert {field.data_key or name for name, field in made.fields.items()} == {*event.__struct_encode_fields__, "type"}


def test_a_schema_of_the_edge_drops_free_keys_and_refuses_unknown_ones() -> None:
    made = schema(PileTaken)()
    assert made.load({"seq": 1, "type": "pile_taken", "pile": 2, "x-a": 1}) == {
        "seq": 1,
        "type": "pile_taken",
        "pile": 2,
    }
    with pytest.raises(ValidationError) as caught:
        made.load({"seq": 1, "type": "pile_taken", "pile": 2, "a": 1})
    assert caught.value.messages == {"a": ["Unknown field."]}


class Inner(Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(pattern="^[a-z]+$")]


class Rich(Struct, forbid_unknown_fields=True):
    inner: Inner
    table: dict[str, int]
    share: Annotated[float, Meta(ge=0, le=1)] = 0.5
    many: list[Inner] = []


def test_every_kind_of_declaration_is_understood() -> None:
    good = {"inner": {"code": "abc"}, "table": {"a": 1}, "share": 1, "many": [{"code": "x"}]}
    assert problems(Rich, good) == []
    bad = {"inner": {"code": "A", "z": 1}, "table": {"a": "b"}, "share": 1.5, "many": [{}]}
    assert [path for path, _ in problems(Rich, bad)] == [
        ("inner", "code"),
        ("inner", "z"),
        ("many", 0, "code"),
        ("share",),
        ("table", "a", "value"),
    ]


def test_the_fields_that_hold_cards_are_known_from_the_declaration() -> None:
    assert card_fields(Laid) == (("card",), ())
    assert card_fields(Drew) == ((), ("cards",))
    assert card_fields(PileTaken) == ((), ())


def test_a_header_is_checked_in_all_its_parts() -> None:
    wrong = problems(Header, {"log": 1, "ruleset": "small", "players": [{"name": "Ada"}], "meta": []})
    assert [path for path, _ in wrong] == [("log",), ("meta",), ("players", 0, "seat")]


class Said(Event, frozen=True):
    word: Annotated[str, Meta(min_length=1, max_length=64)]
    shown: Card | None = None


def test_a_card_is_told_from_a_text_by_its_declaration() -> None:
    assert card_fields(Said) == (("shown",), ())
