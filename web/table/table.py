"""A table as the page draws it, how it may be changed by hand, and what can be chosen next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from flask_babel import gettext as _
from msgspec import convert, to_builtins
from msgspec.structs import replace

from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import SetupError
from audit.core.model import Event, Header, Player
from audit.core.names import BY_SEAT, Players, player_names
from audit.core.record import words_in
from audit.core.ruleset import Ruleset, ruleset
from audit.core.scene import Area, Card, Face, Scene, Zone, card_name
from audit.core.scene_changes import Changes, changes
from audit.core.setting import PRINTED
from replays.judging.annotate import Annotator
from replays.judging.positions import SETUP, header_of, hides_cards, line_at, position_line, read_position_line
from replays.judging.sentences import Json, event_json
from replays.scoresheet.line import Sheet
from replays.table.question import line_in, lines_said, open_choices
from web.scenes import scene_maker_of
from web.scenes.cards import How
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree

View = Mapping[str, object]
"""How the reader looks at the table: `column`, `bottom`."""
UNKNOWN = "?"
MOST_READ_OUT = 100
"""So many things may be read out of cards at once."""


def drawn(
    game: Ruleset[object],
    state: object,
    language: str,
    view: View,
    players: Players = BY_SEAT,
    before: object | None = None,
) -> Json:
    """The scene of a position as a tree, and what is said above it.

    Where there is little room, the column is wide that the reader has chosen; else the one in which a card acts, or in
    which something happened since the position `before`.
    """
    scene = _scene(game, state, language, players)
    column = view.get("column")
    if isinstance(column, int) and 1 <= column <= max(1, len(columns(scene))):
        shown = column
    else:
        shown = focused(scene, _acting(scene) or _changed(game, before, scene, language))
    bottom = view.get("bottom")
    how: How = {"column": shown, "places": True, "players": players}
    if isinstance(bottom, str) and bottom:
        how["bottom"] = bottom
    tree = scene_tree(scene, Changes(), how)
    across = bool(columns(scene))
    owners = {key: players.get(owner, owner) for key, owner in _owners(scene.area)}
    return {
        "tree": tree,
        "names": {zone.key: " · ".join(filter(None, (owners.get(zone.key), zone.title))) for zone in scene.zones},
        "across": across,
        "chapter": str(scene.chapter),
        "pending": [pending.title for pending in scene.pending],
        "places": [zone.key for zone in scene.zones],
    }


def _scene(game: Ruleset[object], state: object, language: str, players: Players) -> Scene:
    seen, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
    return scene_maker_of(game.name).scene(seen, language, pending, players)


def _acting(scene: Scene) -> str:
    """The place of the card that acts or is on its way; empty where none does."""
    acting = scene.pending[0].key if scene.pending else ""
    found = (zone.key for zone in scene.zones if acting in {card.key for card in (*zone.cards, *zone.coming)})
    return next(found, "") if acting else ""


def _changed(game: Ruleset[object], before: object | None, scene: Scene, language: str) -> str:
    """The place in which something happened since that position; empty where nothing is known of one."""
    if before is None:
        return ""
    return changes([_scene(game, before, language, BY_SEAT), scene], [(), ()], ["", ""])[1].focus


def _owners(area: Area, owner: str = "") -> Iterator[tuple[str, str]]:
    """The key of every zone with the seat whose it is."""
    owner = area.owner or owner
    for part in area.parts:
        if isinstance(part, Area):
            yield from _owners(part, owner)
        elif isinstance(part, Zone):
            yield part.key, owner


def fresh(name: str, words: list[str]) -> str:
    """The line of a table on which nothing lies; raises `SetupError`."""
    game = ruleset(name)
    if not game.setting.is_settable or len(words) != game.setting.words_needed() or len(set(words)) != len(words):
        raise SetupError("words", f"{game.setting.words_needed()} different words of what can be set by hand")
    return position_line(game, game.setting.fresh(words))


def changed(line: str, change: Json) -> str:
    """The line of a position after a change by hand."""
    game, data = read_position_line(line_in(line))
    return position_line(game, game.setting.changed(data, change)) if game.setting.is_settable else line


def printed_on(header: Header, card: str, language: str) -> Json:
    """What may be said of what is printed on a card of that game."""
    game = ruleset(header.ruleset)
    about = game.setting.printed(_data_of(header), card, language)
    return {"about": cast(Json, to_builtins(about)), "names_cards": game.setting.names_cards}


def with_printed(header: Header, changes: Sequence[object]) -> Header:
    """The header with what somebody read out of cards; whatever else a change may say is left out."""
    game, data = ruleset(header.ruleset), _data_of(header)
    told = [one for one in changes if isinstance(one, Mapping) and str(one.get("name")).startswith(PRINTED)]
    if not told:
        return header
    for one in told[:MOST_READ_OUT]:
        data = game.setting.changed(data, cast(Json, one))
    setup = dict(cast(Json, data.pop(SETUP, {})))
    found = replace(header, setup={**setup, "position": data} if "position" in header.setup else setup)
    game.rules.start(found)
    return found


def with_numbers(header: Header, entries: Sequence[object]) -> list[object]:
    """The entries with the numbers that have been read out of cards since."""
    setting, data = ruleset(header.ruleset).setting, _data_of(header)
    return [setting.filled(data, cast(Json, one)) if isinstance(one, Mapping) else one for one in entries]


def _data_of(header: Header) -> dict[str, object]:
    """A header's setup in the shape of a position that is set by hand."""
    setup = {key: value for key, value in header.setup.items() if key != "position"}
    position = header.setup.get("position")
    return {SETUP: setup, **(position if isinstance(position, Mapping) else {})}


def settings_at(line: str, language: str) -> Json:
    """What may be set by hand in a position: fields, cards that lie nowhere, texts that may be half done."""
    game, data = read_position_line(line)
    setting = game.setting
    if not setting.is_settable:
        return {"settable": False}
    found = {
        "fields": setting.fields(data, language), "left": setting.left(data, language),
        "texts": setting.texts(data, language), "others": setting.places(data, language),
        "about": setting.about(data, language),
    }  # fmt: skip
    return {"settable": True, "names_cards": setting.names_cards, **cast(Json, to_builtins(found))}


def board(header: Header, line: str, language: str, view: View) -> Json:
    """All that the page shows of a position that is set; `public` is its line without hidden cards, if it has any."""
    game = ruleset(header.ruleset)
    state = game.rules.start(header)
    whole = line_at(header, state)
    said, names = dict(settings_at(line, language)), player_names(header)
    if said["settable"]:
        said["fields"] = [_called(field, names) for field in cast("Sequence[Json]", said["fields"])]
    seen = drawn(game, state, language, view, names)
    takes = [key for key in cast("list[str]", seen["places"]) if game.setting.takes_card(key)]
    public = line_at(header, state, PUBLIC) if hides_cards(game, state) else ""
    seats = game.disclosure.seats(header)
    return {"position": line, "public": public, "whole": whole, "seats": seats, **seen, "takes": takes, **said}


def _called(field: Json, players: Players) -> Json:
    """The same field, in which a seat, alone or at the head of a title, has the name of its player."""
    told = [(choice, str(choice["title"])) for choice in cast("Sequence[Json]", field["choices"])]
    seats = [title.partition(":")[0].rstrip() for _, title in told]
    named = [
        {**choice, "title": players.get(seat, seat) + title[len(seat) :]}
        for (choice, title), seat in zip(told, seats, strict=True)
    ]
    return {**field, "choices": named}


def start_of(line: str) -> Header:
    """The header of a game that begins with that position, checked; raises what `header_at` raises."""
    game, data = read_position_line(line)
    header = header_of(game, data)
    game.rules.start(header)
    return header


# What can be chosen


def choices_at(game: Ruleset[object], header: Header, state: object, language: str) -> list[Json]:
    """Every choice up to the next position in which somebody has one: event, line, sentence, what it touches.

    Of a choice of an unknown card that all will see, `may_be` are the cards that it may be, and `ways` how it may have
    been played besides. A `number` that nobody has told is the name of a field of its event. A choice that passes if
    the table goes on by itself is `passing`: it belongs to a position before.
    """
    annotator = Annotator(game, language, header=header)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    return [
        _choice(annotator, one.at, one.event)
        | lines_said(sheet, one.event, language)
        | {"player": one.player}
        | ({"passing": True} if one.is_passing else {})
        for one in open_choices(annotator, state)
    ]


def askable(game: Ruleset[object], header: Header, state: object, key: str, language: str) -> list[Json]:
    """What may be asked of one thing on the table, as choices are told, whether it is allowed or not."""
    annotator = Annotator(game, language, header=header)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    return [
        _choice(annotator, state, event) | lines_said(sheet, event, language)
        for event in game.setting.askable(state, key)
    ]


def card_says(game: Ruleset[object], state: object, key: str, language: str) -> list[str]:
    """The texts of the card with that key as it lies, from top to bottom; none of a card that nobody knows."""
    zones = _scene(game, state, language, BY_SEAT).zones
    faces = (card.face for zone in zones for card in (*zone.cards, *zone.coming) if card.key == key and card.face)
    return [words for face in faces for _, words in face.texts]


def _choice(annotator: Annotator, state: object, event: Event) -> Json:
    game, plain = annotator.game, event_json(event)
    found: Json = {
        "event": plain,
        "sentence": annotator.tell(event),
        "touched": list(dict.fromkeys(_touched(game, plain))),
    }
    is_unlikely = game.setting.is_unlikely(state, event)
    if remark := _("against what is told") if is_unlikely else game.setting.remark(plain, annotator.language):
        found["remark"] = remark
    if number := game.setting.number_asked(plain, annotator.language):
        found["number"] = to_builtins(number)
    if game.setting.reads_card(plain):
        found["reads"] = True
    if game.setting.asks_for_card(plain):
        found["is_named"] = game.setting.names_cards
        found["may_be"] = cards_told(game, _possible(game, state, event), annotator.language)
        found["ways"] = [
            {"event": one, "sentence": annotator.tell(convert({**one, "seq": 1}, type(event)))}
            for one in game.setting.other_ways(plain)
        ]
    return found


def _touched(game: Ruleset[object], event: Json) -> Sequence[str]:
    """The keys that an event speaks of; an unknown card is its hand, for nothing tells it from the others there."""
    there = game.setting.unknown_at(event) or UNKNOWN
    return [there if key == UNKNOWN else key for key in game.scene_maker.touched(event)]


def before_played(line: str, key: str, language: str, players: tuple[Player, ...]) -> Json | None:
    """The question whether the card of that key was allowed to be played where it lies, and the position before it.

    The `players` are called so.
    """
    game, data = read_position_line(line)
    found = game.setting.before_played(data, key)
    if found is None:
        return None
    header = replace(start_of(position_line(game, found[0])), players=players)
    kind = game.rules.types[str(found[1]["type"])]
    event = convert({**found[1], "seq": 1}, kind)
    annotator = Annotator(game, language, header=header)
    return {"event": found[1], "sentence": annotator.tell(event), "position": position_line(game, found[0])}


def _possible(game: Ruleset[object], state: object, event: Event) -> Sequence[str]:
    """The cards that the unknown ones of an event may be: those in the hand of its player, or the one of that name."""
    held = game.rules.holdings(state)
    if held is None:
        return ()
    words, player = words_in(event_json(event)), getattr(event, "player", None)
    named = [one for one in held.cards if one.may_be is not None and one.card in words - {UNKNOWN}]
    meant = named or [one for one in held.cards if one.may_be is not None and one.player in (player, "")]
    taken = held.located()
    return sorted({card for one in meant for card in one.may_be or () if card not in taken})


def cards_told(game: Ruleset[object], cards: Sequence[str], language: str) -> list[Json]:
    """Cards as the page shows them to be picked from."""
    faces = {card: game.scene_maker.face(card, language) for card in cards}
    return [
        {"card": card, "title": card_name(Card(card, face), {"unknown": card}), **_signed(face)}
        for card, face in faces.items()
    ]


def _signed(face: Face | None) -> Json:
    return {"sign": face.sign, "value": face.value} if face else {}
