"""What is kept of a judged game for statistics: how long it was, which rules it used and broke, and by whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from audit.core.disclosure import PUBLIC
from audit.core.event_rules import Citations
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset
from audit.core.steps import LEGAL, Step
from replays.judging.seen import public_meta
from replays.log.schemas import card_fields

MAX_BROKEN = 500
"""At most so many broken rules of one game are kept one by one."""
MAX_KEPT = 2_000
MAX_SIDE = 12
"""At most so many names of what a player brought."""


class Broken(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule that was broken: by which player at which event, and with which card. The public saw the card `told`."""

    rule: str
    verdict: str
    seq: int | None = None
    turn: str = ""
    player: str = ""
    card: str = ""
    told: str = ""


class Facts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One game. `players` are names by seat; `brought` is what the seats play: protocols, heroes.

    `used` are the rules it cites, rulings aside; `questioned` are the switches of readings under which a step of it
    would not have come up. `seconds` is the time between the first and the last event that say when they happened.
    `judged_by` is the fingerprint of what judged it (`replays.judging.versions.judge`); empty: this program, now.
    """

    game: str = ""
    ruleset: str = ""
    edition: str = ""
    reading: str = ""
    language: str = ""
    event: str = ""
    round: str = ""
    players: Mapping[str, str] = {}
    brought: Mapping[str, tuple[str, ...]] = {}
    events: int = 0
    turns: int = 0
    actions: int = 0
    seconds: int | None = None
    verdicts: Mapping[str, int] = {}
    broken: tuple[Broken, ...] = ()
    used: tuple[str, ...] = ()
    questioned: tuple[str, ...] = ()
    judged_by: str = ""

    @property
    def findings(self) -> int:
        """How many steps a judge has to look at."""
        return sum(count for verdict, count in self.verdicts.items() if Verdict(verdict).is_finding)


class FactsTaker:
    """Takes the steps of an audit one by one and tells at the end what is to be kept of them, in constant memory."""

    def __init__(self, game: Ruleset[object], header: Header) -> None:
        self._game, self._header = game, header
        actions = game.scene_maker.actions
        self._starts = {kind: actions[name] for name, kind in game.rules.types.items() if name in actions}
        self._used: set[str] = set()
        self._cited: set[Citations] = set()
        self._asked = game.rules.questioned
        self._questioned: set[str] = set()
        self._broken: list[Broken] = []
        self._actions = 0
        self._first_time = self._last_time = ""
        self._last: Step | None = None

    def take(self, step: Step) -> None:
        """One more step."""
        event = step.event
        if event is None:
            return
        self._last = step
        if step.rules not in self._cited:  # the same few lists come again and again
            self._use(step.rules)
        kind, at = type(event), event.at
        if kind in self._starts and len(step.because) <= self._starts[kind]:
            self._actions += 1
        if at is not None:
            if self._first_time:
                self._last_time = at
            else:
                self._first_time = at
        if kind in self._asked:
            self._questioned.update(self._game.rules.rejecting_switches(step.before, event))
        if step.verdict is not LEGAL and step.verdict.is_finding and len(self._broken) < MAX_BROKEN:
            self._broken.append(self._broken_by(step, event))

    def _use(self, rules: Citations) -> None:
        self._used.update([rule.id for rule in rules])
        if len(self._cited) > MAX_KEPT:
            self._cited.clear()
        self._cited.add(rules)

    def _broken_by(self, step: Step, event: Event) -> Broken:
        clock = self._game.rules.clock(step.before)
        told = self._game.disclosure.redact(step.before, event, PUBLIC)
        return Broken(
            rule=step.rules[0].id if step.rules else "", verdict=step.verdict.value, seq=step.seq,
            turn=str(clock.get("turn") or ""), player=str(clock.get("player") or ""),
            card=_card(event), told=_card(told),
        )  # fmt: skip

    def facts(self, verdicts: Mapping[str, int], standing: Collection[object]) -> Facts:
        """What is kept of the game: with the counts of the steps that stand, and the seqs of the findings that do."""
        header, said = self._header, public_meta(self._header)
        return Facts(
            game=header.game, ruleset=header.ruleset, reading=header.reading,
            edition=self._game.catalogue.edition(header.edition), language=_text(header.meta.get("language")),
            event=_text(said.get("event")), round=_text(said.get("round")),
            players={player.seat: player.name for player in header.players}, brought=brought(header),
            events=(self._last.seq or 0) if self._last else 0, turns=self._turns(), actions=self._actions,
            seconds=_seconds(self._first_time, self._last_time),
            verdicts={verdict: count for verdict, count in verdicts.items() if count},
            broken=tuple(broken for broken in self._broken if broken.seq in standing),
            used=tuple(sorted(self._used)), questioned=tuple(sorted(self._questioned)),
        )  # fmt: skip

    def _turns(self) -> int:
        turn = self._game.rules.clock(self._last.state).get("turn") if self._last else 0
        return turn if isinstance(turn, int) else 0


def brought(header: Header) -> dict[str, tuple[str, ...]]:
    """What each seat plays, by the setup: its protocols, its hero or its faction."""
    found: dict[str, tuple[str, ...]] = {}
    for name in ("protocols", "heroes", "factions", "scenario"):
        said = header.setup.get(name)
        if isinstance(said, str):
            found[""] = (said,)
        elif isinstance(said, Mapping):
            found |= {str(seat): _names(value) for seat, value in said.items()}
    return {seat: names for seat, names in found.items() if names}


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping):
        return _names(value.get("name") or value.get("id"))
    many = value if isinstance(value, Sequence) else ()
    return tuple(name for each in many[:MAX_SIDE] for name in _names(each))


def _card(event: Event) -> str:
    one, many = card_fields(type(event))
    found = [getattr(event, name) for name in one]
    found += [card for name in many for card in getattr(event, name) or ()]
    return next((card for card in found if card and not card.startswith("?")), "")


def _text(value: object) -> str:
    return str(value)[:100] if isinstance(value, str | int) else ""


def _seconds(first: str, last: str) -> int | None:
    """The time between two moments; None where one of them is not told."""
    try:
        passed = datetime.fromisoformat(last) - datetime.fromisoformat(first)
        return max(0, int(passed.total_seconds()))
    except (ValueError, TypeError):
        return None
