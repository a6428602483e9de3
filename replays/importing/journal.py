"""Journals of another implementation of Compile: decisions, and the whole field after every step.

The importer plays the decisions on a table of its own and writes down what a scorekeeper would: choices, and what
only chance can tell (new decks). Wherever the recorder waits for a decision the field is compared with its
snapshot. What the source does otherwise than the rules is known here (`HABITS`), found by its traces in the
journal, and written into the log as it happened; judging it is the auditor's part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.compile import RULESET
from audit.compile.events import (
    Chose,
    Compiled,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Returned,
    Revealed,
    Shifted,
    Triggered,
    TurnBegan,
)
from audit.compile.state import SEATS, State, spot
from audit.compile.totals import totals
from audit.model import LOG_VERSION, Event, Header, Player
from audit.ruleset import Need, numbered

Json = Mapping[str, object]
MOST_OFFERS = 5000
MOST_SILENT = 400


class Difference(Struct, frozen=True):
    """Where our field and a snapshot part: the journal's line (the header is 0), the zone, ours, theirs."""

    line: int
    zone: str
    ours: object
    theirs: object


class Imported(Struct, frozen=True):
    """A game as a log, and what could not be explained.

    `compared` counts the snapshots taken while the recorder waited for a decision; `lines` gives for each event
    the line of the journal it comes from.
    """

    game: int
    header: Header
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    compared: int
    differences: tuple[Difference, ...]


def games(lines: Iterable[bytes]) -> Iterator[list[Json]]:
    """The games of a journal, each a run of lines of the same number."""
    game: list[Json] = []
    for line in lines:
        entry = cast(Json, msgspec.json.decode(line))
        if game and entry["g"] != game[0]["g"]:
            yield game
            game = []
        game.append(entry)
    if game:
        yield game


def imported(game: Sequence[Json]) -> Imported:
    """One game of a journal as a log."""
    table = _Table(game)
    for number, entry in enumerate(game):
        table.take(number, entry)
    return Imported(
        cast(int, game[0]["g"]), table.header, tuple(table.log), tuple(table.lines), table.compared,
        tuple(table.differences),
    )  # fmt: skip


def card_id(name: str) -> str:
    """`Fire-2*` of a journal is our fire-2."""
    return name.rstrip("*").lower()


def _header(game: Sequence[Json]) -> Header:
    head, deal = game[0], cast(Mapping[str, Mapping[str, list[str]]], game[1]["z"])
    return Header(
        log=LOG_VERSION,
        ruleset="compile",
        game=f"journal-{head['g']}",
        players=tuple(Player(seat) for seat in SEATS),
        first=cast(str, head["first"]),
        setup={
            "protocols": {seat: [name.lower() for name in cast(list[str], head[seat])] for seat in SEATS},
            "decks": {seat: [card_id(c) for c in (*deal[seat]["hd"], *deal[seat]["dk"])] for seat in SEATS},
        },
        meta={"source": "journal", "pool": head.get("pool", "")},
    )


class _Table:
    """Our table beside the journal's: decisions come in, events go out."""

    def __init__(self, game: Sequence[Json]) -> None:
        self.game = game
        self.header = _header(game)
        self.state: State = RULESET.start(self.header)
        self.log: list[Event] = []
        self.lines: list[int] = []
        self.line = 0
        self.picked: str | None = None
        self.compared = 0
        self.differences: list[Difference] = []

    # The journal's lines

    def take(self, number: int, entry: Json) -> None:
        """One line of the journal."""
        self.line = number
        if "dec" in entry:
            self._decide(cast(Json, entry["dec"]), cast(Json, entry.get("prompt") or {}), cast(str, entry["by"]))
        if entry["k"] in ("action", "choice", "auto"):
            self._catch_up(entry)
            self._compare(entry)

    def _catch_up(self, entry: Json) -> None:
        """Go on silently as far as the journal has come."""
        after = cast(Json, entry["after"])
        for _ in range(MOST_SILENT):
            if self._waits(after) or not self._one_more():
                return

    def _waits(self, after: Json) -> bool:
        """Whether the journal has stopped before what would come next here."""
        if self.state.stack or self.state.phase == "setup":
            return False
        if after.get("pend"):
            return False
        reached = (self.state.player, _PHASES.get(str(after["ph"]), after["ph"]))
        if self.state.player != after["turn"]:
            return False
        return self.state.phase == reached[1] and not self._due_now()

    def _due_now(self) -> bool:
        return any(option.need is Need.MUST and option.event in _SILENT for option in RULESET.options(self.state))

    def _one_more(self) -> bool:
        """One thing that needs no decision of the journal: what is forced, in the source's fixed order."""
        options = [option for option in RULESET.options(self.state) if option.need is not Need.ECHO]
        if not options:
            return False
        event = options[0].only(self.state) if len(options) == 1 or all(o.ordering for o in options) else None
        if event is None and options[0].event is Played and self._into_several_lines():
            event = next(options[0].offers(self.state))
        if event is None:
            return False
        chosen = len(options) > 1 or isinstance(event, Played)
        if isinstance(event, Reshuffled):
            self.writes(self._new_deck(event))
        elif chosen and not isinstance(event, Drew):
            self.writes(event)
        else:
            self.state = RULESET.evolve(self.state, event)
        return True

    def _into_several_lines(self) -> bool:
        frame = self.state.stack[-1] if self.state.stack else None
        return getattr(frame, "todo", None) is not None

    def _new_deck(self, event: Reshuffled) -> Reshuffled:
        """The order of a new deck, as the next snapshot shows it."""
        side = self.state.side(event.player)
        theirs = self._snapshot(event.player)
        rest = [card_id(name) for name in theirs["dk"]]
        drawn = [card for card in side.trash if card not in rest]
        kept = [card for card in rest if card in side.trash]
        return replace(event, deck=(*side.deck, *drawn, *kept))

    def _snapshot(self, seat: str) -> Mapping[str, list[str]]:
        return cast(Mapping[str, Mapping[str, list[str]]], self.game[self.line]["z"])[seat]

    # Decisions

    def writes(self, event: Event) -> None:
        """The event goes into the log and takes effect."""
        event = numbered(event, len(self.log) + 1)
        self.log.append(event)
        self.lines.append(self.line)
        self.state = RULESET.evolve(self.state, event)

    def _decide(self, decision: Json, prompt: Json, by: str) -> None:
        wanted = _WANTED[str(decision["do"])](self, decision, prompt, by)
        if wanted is None:
            return
        for _ in range(MOST_SILENT):
            if self._is_up(wanted) or not self._one_more():
                break
        self.writes(wanted)

    def _is_up(self, event: Event) -> bool:
        return any(
            option.event is type(event) and not option.refusals(self.state, event)
            for option in RULESET.options(self.state)
            if option.need is not Need.ECHO
        )

    def asks_on(self, prompt: Json) -> bool:
        """Whether the journal's next line is another question of the same card."""
        following = self.game[self.line + 1] if self.line + 1 < len(self.game) else {}
        question = cast(Json, following.get("prompt") or {})
        return bool(question) and question.get("src") == prompt.get("src")

    def offers(self) -> list[Event]:
        """What is up for choice, once what is forced has happened."""
        for _ in range(MOST_SILENT):
            if len(found := self._offers()) > 1 or not self._one_more():
                return found
        return self._offers()

    def _offers(self) -> list[Event]:
        live = [option for option in RULESET.options(self.state) if option.need is not Need.ECHO]
        return [event for option in live for event in islice(option.offers(self.state), MOST_OFFERS)]

    # Comparing

    def _compare(self, entry: Json) -> None:
        self.compared += 1
        theirs = cast(Mapping[str, Mapping[str, list[str]]], entry["z"])
        for seat in SEATS:
            ours = _shown(self.state, seat)
            for zone, found in ours.items():
                there = _normal(zone, theirs[seat][zone])
                if there != found:
                    self.differences.append(Difference(self.line, f"{seat}.{zone}", found, there))
        if cast(Json, entry["z"])["ctl"] != self.state.control:
            self.differences.append(Difference(self.line, "control", self.state.control, cast(Json, entry["z"])["ctl"]))


_PHASES = {"hand_limit": "cache"}
_SILENT = (TurnBegan, Triggered)


def _shown(state: State, seat: str) -> dict[str, object]:
    side = state.side(seat)
    return {
        "pr": list(side.protocols),
        "co": [int(name in side.compiled) for name in side.protocols],
        "ln": [[lain.card + ("" if lain.up else "*") for lain in stack] for stack in side.lines],
        "hd": sorted(side.hand),
        "dk": list(side.deck),
        "di": sorted(side.trash),
        "tv": list(totals(state, seat)),
    }


def _normal(zone: str, value: Sequence[object]) -> list[object]:
    if zone in ("hd", "di"):
        return sorted(str(name).lower() for name in value)
    if zone == "ln":
        return [[str(name).lower() for name in cast(list[str], stack)] for stack in value]
    return [name.lower() if isinstance(name, str) else name for name in value]


def _named(decision: Json) -> str:
    return card_id(cast(Mapping[str, str], decision["card"])["c"])


def _play(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    return Played(
        seq=0, player=by, card=_named(decision), line=cast(int, decision["line"]) + 1,
        face="up" if decision["up"] else "down",
    )  # fmt: skip


def _refresh(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    return Refreshed(seq=0, player=by)


def _compile(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    line = cast(int, decision["line"]) + 1
    side = table.state.side(by)
    again = side.protocols[line - 1] in side.compiled
    return (Recompiled if again else Compiled)(seq=0, player=by, line=line)


def _discard(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    cards = tuple(card_id(name) for name in cast(list[str], decision["cards"]))
    return Discarded(seq=0, player=by, cards=cards)


def _flip(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    place = spot(table.state, _named(decision))
    return Flipped(seq=0, card=_named(decision), face="down" if place and place.up else "up")


def _shift(table: _Table, decision: Json, prompt: Json, by: str) -> None:
    table.picked = _named(decision)


def _delete(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    return Deleted(seq=0, cards=(_named(decision),))


def _return(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    return Returned(seq=0, card=_named(decision))


def _reveal(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    return Revealed(seq=0, player=by, cards=(_named(decision),))


def _line(table: _Table, decision: Json, prompt: Json, by: str) -> Event | None:
    """A line is named: for a card picked before, or for all cards of a line."""
    line = cast(int, decision["line"]) + 1
    found = table.offers()
    if prompt["type"] == "select_lane_for_shift_all":
        _shift_all(table, line)
        return None
    for event in found:
        if isinstance(event, Shifted) and event.to == line and table.picked in (None, event.card):
            table.picked = None
            return event
        cards = event.cards if isinstance(event, Deleted | Returned) and event.cards else ()
        single = (event.card,) if isinstance(event, Returned) and event.card else ()
        if any((place := spot(table.state, card)) and place.line == line for card in (*cards, *single)):
            return event
    return None


def _shift_all(table: _Table, line: int) -> None:
    while next_one := next((e for e in table._offers() if isinstance(e, Shifted) and e.to == line), None):
        table.writes(next_one)


def _rearrange(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    side = str(prompt.get("target") or by)
    order = tuple(name.lower() for name in cast(list[str], decision["order"]))
    if prompt.get("src") == "control" and order == table.state.side(side).protocols:
        return Chose(seq=0, player=by, what="rearrange", accept=False)
    return Rearranged(seq=0, side=side, protocols=order, by=by)


def _use_control(table: _Table, decision: Json, prompt: Json, by: str) -> Event | None:
    if decision["choice"] in SEATS:
        return None
    return Chose(seq=0, player=by, what="rearrange", accept=False)


def _swap(table: _Table, decision: Json, prompt: Json, by: str) -> Event:
    side = str(prompt.get("target") or by)
    order = list(table.state.side(side).protocols)
    one, other = cast(list[int], decision["swap"])
    order[one], order[other] = order[other], order[one]
    return Rearranged(seq=0, side=side, protocols=tuple(order), by=by)


def _permission(table: _Table, decision: Json, prompt: Json, by: str) -> Event | None:
    """A "may": declined it is said so; used it shows in what follows, unless nothing is left to decide."""
    found = table.offers()
    declined = next((e for e in found if isinstance(e, Resolved) and e.outcome == "declined"), None)
    if not decision["accept"]:
        return declined
    used = [event for event in found if event is not declined]
    return used[0] if len(used) == 1 and not table.asks_on(prompt) else None


def _option(table: _Table, decision: Json, prompt: Json, by: str) -> Event | None:
    """One of several branches: what has no decision of its own happens at once."""
    found = [e for e in table.offers() if isinstance(e, Flipped)]
    return found[0] if decision["option"] == 1 and found and not table.asks_on(prompt) else None


_WANTED = {
    "playCard": _play,
    "fillHand": _refresh,
    "compile": _compile,
    "discardCards": _discard,
    "flipCard": _flip,
    "shiftCard": _shift,
    "deleteCard": _delete,
    "returnCard": _return,
    "revealCard": _reveal,
    "selectLane": _line,
    "rearrangeProtocols": _rearrange,
    "resolveControlMechanicPrompt": _use_control,
    "resolveSwapProtocols": _swap,
    "resolveOptionalEffectPrompt": _permission,
    "resolveCustomChoice": _option,
}
