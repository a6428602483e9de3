"""Games made up for the viewer's tests: small positions in the published shape, moved on by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from msgspec.structs import replace

from audit.core.model import LOG_VERSION, Header, Player
from replays.judging.annotate import StepOutline
from web.games.library import Filters, Glance, Page, Use, glance_of, paged
from web.site.headers import UnknownGameError

Json = dict[str, object]
PROTOCOLS = {"A": ("fire", "life", "water"), "B": ("death", "metal", "speed")}
SECRET = "water-5"
"""A card of A's hand that nobody else ever sees."""


@dataclass
class MadeReplay:
    """A replay as the annotator hands it over."""

    header: Header
    steps: list[Json]
    viewer: str = "judge"
    language: str = "en"
    fidelity: str = "partial"
    diverged_from: int | None = None
    findings: list[Json] = field(default_factory=list)

    @property
    def ruleset(self) -> str:
        return self.header.ruleset

    @property
    def outlines(self) -> list[StepOutline]:
        return list(map(outlined, self.steps))

    @property
    def counts(self) -> Mapping[str, int]:
        names = ("legal", "inferred", "illegal", "impossible", "undetermined")
        return {name: sum(step["verdict"] == name for step in self.steps[1:]) for name in names}

    def log(self) -> list[Json]:
        return [cast(Json, step["event"]) for step in self.steps if step["seq"]]

    def options_after(self, index: int) -> list[Json]:
        return [{"need": "must", "rules": ["turn.one-action"], "sentences": [f"what may follow {index}"]}]

    def decisions_after(self, index: int, listed: int = 12) -> list[Json]:
        return [{"player": "A", "events": [], **option} for option in self.options_after(index)]


def outlined(step: Json) -> StepOutline:
    """A step in short."""
    rules, because = (tuple(cast("Sequence[object]", step[name])) for name in ("rules", "because"))
    seq, by = (cast("int | None", step.get(name)) for name in ("seq", "superseded_by"))
    return StepOutline(
        seq, str(step["verdict"]), cast("tuple[str, ...]", rules), cast("tuple[int, ...]", because), by,
        bool(step.get("provisional")), True, cast(Json, step["state"]),
    )  # fmt: skip


def header(game: str = "r3-t12", ruleset: str = "compile", **meta: object) -> Header:
    """A header with names, protocols and the secret deck of A."""
    return Header(
        log=LOG_VERSION, ruleset=ruleset, game=game, players=(Player("A", "Ada"), Player("B", "Bo")), first="A",
        setup={"protocols": {k: list(v) for k, v in PROTOCOLS.items()}, "decks": {"A": [SECRET]}}, meta=dict(meta),
    )  # fmt: skip


def header_seen_by(head: Header, viewer: str) -> Header:
    """The header without the deck, unless for a judge."""
    setup = {key: value for key, value in head.setup.items() if key != "decks"}
    return head if viewer == "judge" else replace(head, setup=setup)


def start() -> Json:
    """The position before the first event."""
    return {
        "turn": 1, "player": "A", "phase": "action", "control": None, "committed": [],
        "sides": {
            "A": _side("A", ["fire-2", "life-1", SECRET]),
            "B": _side("B", ["death-5", "metal-0", "speed-3"]),
        },
    }  # fmt: skip


def _side(seat: str, hand: list[str]) -> Json:
    protocols = [{"name": name, "compiled": False} for name in PROTOCOLS[seat]]
    return {"protocols": protocols, "lines": [[], [], []], "totals": [0, 0, 0], "hand": hand, "deck": 13, "trash": []}


class Hand:
    """Writes the steps of a game."""

    def __init__(self) -> None:
        self.state = start()
        self.steps: list[Json] = [self._step(None, "legal", [], "", 0)]

    def side(self, seat: str) -> Json:
        return cast(Json, cast(Json, self.state["sides"])[seat])

    def stack(self, seat: str, line: int) -> list[Json]:
        return cast(list[list[Json]], self.side(seat)["lines"])[line - 1]

    def _step(self, event: Json | None, verdict: str, rules: list[str], sentence: str, depth: int) -> Json:
        because = list(range(1, depth + 1))[::-1]
        return {
            "step": len(getattr(self, "steps", [])), "seq": event.get("seq") if event else None, "event": event,
            "verdict": verdict, "rules": rules, "because": because, "depth": depth, "pending": [],
            "sentence": sentence, "state": deepcopy(self.state),
        }  # fmt: skip

    def add(
        self, event: Json, sentence: str, verdict: str = "legal", *rules: str, depth: int = 0, **more: object
    ) -> None:
        recorded = verdict != "inferred"
        seq = 1 + sum(1 for step in self.steps if step["seq"])
        numbered = {"seq": seq, **event} if recorded else event
        self.steps.append({**self._step(numbered, verdict, list(rules), sentence, depth), **more})


def dispute() -> list[Json]:
    """A short game with one of everything: a play, a card in flight, a flip, a deletion, a compile, two findings."""
    hand = Hand()
    a, b = hand.side("A"), hand.side("B")
    a["hand"] = ["life-1", SECRET]
    hand.state["committed"] = [{"card": "fire-2", "face": "up", "to": {"side": "A", "line": 1}}]
    played = {"type": "played", "player": "A", "card": "fire-2", "line": 1, "face": "up"}
    hand.add(played, "A plays Fire 2 face up in line 1.", "legal", "play.face-up-needs-protocol", "turn.one-action")
    hand.state["committed"] = []
    hand.stack("A", 1).append({"card": "fire-2", "face": "up"})
    a["totals"] = [2, 0, 0]
    landed: Json = {"type": "landed", "card": "fire-2", "line": 1}
    hand.add(landed, "Fire 2 lands in line 1.", "inferred", "committed.leaves-first", depth=1)
    hand.state.update(turn=2, player="B")
    b["hand"] = ["metal-0", "speed-3"]
    hand.stack("B", 3).append({"card": "death-5", "face": "up"})
    b["totals"] = [0, 0, 5]
    wrong: Json = {"type": "played", "player": "B", "card": "death-5", "line": 3, "face": "up"}
    wrong["note"] = "<b>asked</b> & shown"
    expected = ["B plays Death 5 face up in line 1.", "B plays Death 5 face down in line 3."]
    hand.add(
        wrong, "B plays Death 5 face up in line 3.", "illegal", "play.face-up-needs-protocol",
        message="Death 5 may not lie face up in line 3.", expected=[], expected_text=expected,
    )  # fmt: skip
    hand.state.update(turn=3, player="A")
    hand.stack("A", 1).append({"card": "life-1", "face": "down"})
    a["hand"], a["totals"] = [SECRET], [4, 0, 0]
    hand.add(
        {"type": "played", "player": "A", "card": "life-1", "line": 1, "face": "down"},
        "A plays a card face down in line 1.", "legal", "play.face-down-any-line",
        pending=[
            {"card": "fire-2", "command": "middle", "rest": 1}, {"card": "life-1", "command": "bottom", "waits": "end"},
        ],
    )  # fmt: skip
    hand.stack("A", 1)[-1]["face"] = "up"
    a["totals"] = [3, 0, 0]
    hand.add(
        {"type": "flipped", "card": "life-1", "face": "up"},
        "Life 1 is turned face up.",
        "legal",
        "flip.other-face",
        depth=2,
    )
    hand.stack("B", 3).clear()
    b["trash"], b["totals"] = ["death-5"], [0, 0, 0]
    hand.add(
        {"type": "deleted", "cards": ["death-5"]},
        "Death 5 is deleted.",
        "undetermined",
        "delete.to-owner-trash",
        depth=1,
    )
    cast(list[Json], a["protocols"])[0]["compiled"] = True
    hand.state["control"] = "A"
    hand.add({"type": "compiled", "player": "A", "line": 1}, "A compiles line 1.", "legal", "compile.mandatory")
    return hand.steps


def long(count: int) -> list[Json]:
    """A game of that many steps after the start: cards come and go, turn after turn."""
    hand = Hand()
    for number in range(count):
        seat = "AB"[number // 6 % 2]
        hand.state.update(turn=1 + number // 6, player=seat)
        line = number % 3 + 1
        stack = hand.stack(seat, line)
        if len(stack) > 3:
            stack.pop()
        else:
            stack.append(
                {"card": f"{PROTOCOLS[seat][number % 3]}-{number % 6}", "face": "down" if number % 4 else "up"}
            )
        verdict = "illegal" if number % 97 == 50 else ("legal" if number % 2 else "inferred")
        event: Json = {"type": "landed", "card": f"fire-{number % 6}", "line": line}
        rules = ("committed.leaves-first", "play.face-down-any-line", "play.own-hand")[: 1 + number % 3]
        hand.add(event, f"Step {number + 1}: a card lands in line {line}.", verdict, *rules, depth=number % 4)
    return hand.steps


def seen_by(steps: Sequence[Json], viewer: str) -> list[Json]:
    """The steps as a viewer may know them: hands that are not theirs as counts, face-down cards as handles."""
    if viewer == "judge":
        return list(steps)
    found = deepcopy(list(steps))
    for step in found:
        for seat, side in cast(dict[str, Json], cast(Json, step["state"])["sides"]).items():
            if seat != viewer:
                side["hand"] = len(cast(list[str], side["hand"]))
                for line, stack in enumerate(cast(list[list[Json]], side["lines"]), 1):
                    for index, lain in enumerate(stack, 1):
                        if lain["face"] == "down":
                            lain["card"] = f"?{seat}{line}.{index}"
        event = cast("Json | None", step["event"])
        if event and event.get("face") == "down" and event.get("player") != viewer:
            event["card"] = "?"
    return found


class MadeLibrary:
    """Made-up games by id."""

    def __init__(self, games: Mapping[str, tuple[Header, list[Json]]]) -> None:
        self._games = dict(games)
        self._seen: dict[tuple[str, str], list[Json]] = {}
        self.replay_to = 0
        self.edition = 1

    def games(self, query: str, filters: Filters, page: int) -> Page:
        return paged([self._glance(id) for id in sorted(self._games)], query, filters, page)

    def _glance(self, id: str) -> Glance:
        return glance_of(id, self.game(id, viewer="public", language="en", reading=None))

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> MadeReplay:
        head, steps = self._of(id)
        self.replay_to += 1
        if (id, viewer) not in self._seen:
            self._seen[id, viewer] = seen_by(steps, viewer)
        return MadeReplay(header_seen_by(head, viewer), self._seen[id, viewer], viewer, language)

    def log(self, id: str) -> bytes:
        self._of(id)
        return f"the log of {id}, with {SECRET}\n".encode()

    def seal(self, id: str) -> None:
        self._of(id)

    def version(self, id: str) -> str:
        self._of(id)
        return str(self.edition)

    def state(self) -> str:
        return str(self.edition)

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        found = [
            Use(id, head.game, cast(int, step["step"]), str(step["verdict"]), str(step["sentence"]))
            for id, (head, steps) in self._games.items()
            for step in steps
            if rule in cast(list[str], step["rules"])
        ]
        return list(islice(found, 500))

    def _of(self, id: str) -> tuple[Header, list[Json]]:
        if id not in self._games:
            raise UnknownGameError(id)
        return self._games[id]
