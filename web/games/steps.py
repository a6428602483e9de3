"""The steps of a game as its pages need them: scenes, marks, causes, turns, and what stands no longer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TypeVar, cast, overload

from flask_babel import gettext as _
from flask_babel import ngettext
from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.errors import AuditError
from audit.core.model import Header
from audit.core.names import player_names
from audit.core.ruleset import ruleset
from audit.core.scene import Chapter, Scene
from audit.core.scene_changes import GRAINS, Changes, changes, grain_of
from replays.log.writer import BRANCH
from replays.table.variations import Variation, Varied, decision_line
from web.games.library import Replay
from web.scenes import scene_maker_of
from web.site.labels import fidelity_words, record_words, verdict_words

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """So many items. Each is made when it or one of its stretch is first read, and kept."""

    def __init__(self, length: int, make: Callable[[range], Sequence[T]], stretch: int = 1) -> None:
        """`make` makes the items of a stretch of so many."""
        self._length = length
        self._make = make
        self._stretch = stretch
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self._length))]
        at = range(self._length)[index]
        if at not in self._made:
            start = at - at % self._stretch
            items = range(start, min(start + self._stretch, self._length))
            self._made.update(zip(items, self._make(items), strict=True))
        return self._made[at]


RECORD_ICONS = {
    "amended": "amend",
    "taken_back": "return",
    "position_set": "set-up",
    "gap": "gap",
    "flagged": "end",
    "checkpoint": "resolve",
}
"""The icons of the events about the record, the same in every game."""
MAX_SHOWN_DEPTH = 9
STRETCH = 50
"""What changed is found for so many steps at once."""

Json = Mapping[str, object]


class Band(Struct, frozen=True):
    """A stretch of steps: a turn, with the player whose it is. `end` is the step after its last."""

    start: int
    end: int
    chapter: Chapter


class Aside(Struct, frozen=True):
    """Steps that stand no longer: the first and the last of them, and the step that set them aside."""

    first: int
    last: int
    by: int


class GameSteps:
    """What is known of the steps of one game, for one viewer and language; of each step when it is asked for."""

    def __init__(self, replay: Replay, varied: Varied | None = None) -> None:
        """`varied` is the log of a variation, where the game is one."""
        self.replay = replay
        self.varied = varied
        self.steps = replay.steps
        self.outlines = replay.outlines
        self.last = len(self.outlines) - 1
        self.players = player_names(replay.header)
        self._maker = scene_maker_of(replay.ruleset)
        self._icons = {**self._maker.icons, **RECORD_ICONS}
        total = len(self.outlines)
        self.scenes = OnDemand(total, self._scenes)
        self.marks = OnDemand(total, self._marks)
        self._touched = OnDemand(total, self._touching)
        self.changes = OnDemand(total, self._changes, STRETCH)
        self.grains = OnDemand(total, self._grains)
        """By step the coarsest grain that stops there, as a digit."""
        self.depths = [min(MAX_SHOWN_DEPTH, len(step.because)) for step in self.outlines]
        self.verdicts = [step.verdict for step in self.outlines]
        self.findings = [number for number, step in enumerate(self.outlines) if step.is_finding]
        self.chapters = [
            self._maker.chapter(step.chapter_view, replay.language, self.players) for step in self.outlines
        ]
        self.bands = bands(self.chapters)
        self.steps_of_seq: dict[object, int] = {
            step.seq: number for number, step in enumerate(self.outlines) if step.seq
        }
        self.asides = _asides(self)
        self.catalogue = catalogue_of(replay.ruleset)
        self.seats = seats_of(replay)

    def _scenes(self, steps: range) -> list[Scene]:
        return [
            self._maker.scene(
                cast(Json, step["state"]), self.replay.language, cast("Sequence[Json]", step.get("pending") or ()),
                self.players,
            )
            for step in map(self.steps.__getitem__, steps)
        ]  # fmt: skip

    def _marks(self, steps: range) -> list[str]:
        events = [_event_of(self.steps[step]) for step in steps]
        return [self._icons.get(str(event["type"]), "event") if event else "event" for event in events]

    def _touching(self, steps: range) -> list[tuple[str, ...]]:
        events = [_event_of(self.steps[step]) for step in steps]
        return [self._maker.touched(event) if event else () for event in events]

    def _changes(self, steps: range) -> list[Changes]:
        found = changes(self.scenes, self._touched, self.marks, steps)
        return [
            self._argued(number, each) if self.outlines[number].is_finding else each
            for number, each in zip(steps, found, strict=True)
        ]

    def _grains(self, steps: range) -> list[str]:
        pairs = ((self.scenes[step - 1] if step else None, self.scenes[step]) for step in steps)
        return [
            str(grain_of(self.steps[step], self._maker, before, after))
            for step, (before, after) in zip(steps, pairs, strict=True)
        ]

    def step_of_event(self, id: str) -> int | None:
        """The step of the event with that id."""
        return next((number for number, step in enumerate(self.steps) if _field(step, "id") == id), None)

    def nearest(self, step: int) -> int:
        """The step itself, or the nearest there is."""
        return min(max(0, step), self.last)

    def heading(self, step: int) -> str:
        """The chapter of a step with who acts in it. Where a turn passes inside a chapter, the event says who."""
        chapter = self.chapters[step]
        if self.band(step).start in self._shared:
            seat = _field(self.steps[step], "player")
            chapter = replace(chapter, player=self.players.get(seat, seat))
        return str(chapter)

    @cached_property
    def _shared(self) -> frozenset[int]:
        """The first steps of the stretches in which the turn passes from player to player."""
        return frozenset(
            band.start
            for band in self.bands
            if len({self.chapters[step].player for step in range(band.start, band.end)} - {""}) > 1
        )

    def causes(self, step: int) -> list[int]:
        """The steps that led to a step, nearest first."""
        return [self.steps_of_seq[seq] for seq in self.outlines[step].because if seq in self.steps_of_seq]

    def variation_at(self, step: int) -> Variation:
        """What has been done otherwise up to a step: nothing yet where the record has that step too."""
        seq = max((each.seq for each in self.outlines[: step + 1] if each.seq), default=0)
        return self.varied.at(seq) if self.varied else Variation(seq)

    @cached_property
    def fork(self) -> int:
        """The last step that the record has too."""
        return self.last if self.left_after is None else self.steps_of_seq.get(self.left_after, 0)

    @property
    def left_after(self) -> int | None:
        """After which event a variation, or a branch that is kept, left its game; None for a game that is neither."""
        if self.varied:
            return self.varied.after
        said = self.replay.header.meta.get(BRANCH)
        after = said.get("after") if isinstance(said, Mapping) else None
        return after if isinstance(after, int) else None

    @cached_property
    def decided(self) -> list[int]:
        """The steps of the decisions of a variation."""
        return [self.steps_of_seq[seq] for seq in self.varied.ends] if self.varied else []

    def instead(self, step: int) -> list[str]:
        """The variations in which something that was expected happens instead of a mistake."""
        if self.catalogue is None or not (expected := self.steps[step].get("expected")):
            return []
        game, header, before = ruleset(self.replay.ruleset), self.replay.header, self.variation_at(step - 1)
        return [str(before.going_on(decision_line(game, header, event))) for event in cast("Sequence[Json]", expected)]

    def _argued(self, number: int, changed: Changes) -> Changes:
        """What a finding's step touched, what it could have touched, and the way from its causes."""
        scene, step = self.scenes[number], self.steps[number]
        here = {key for key, _ in scene.parts} | {card.key for card in scene.cards}
        touched = [key for key in self._touched[number] if key in here]
        cards = {card.key for card in scene.cards}
        struck = [key for key in touched if key in cards] or touched
        wanted = (self._maker.touched(event) for event in cast("Sequence[Json]", step.get("expected") or ()))
        could = dict.fromkeys(key for keys in wanted for key in keys if key in here and key not in struck)
        going_on = {item.key for item in self.scenes[max(0, number - 1)].pending}
        led = [self._touched[at] for at in reversed(self.causes(number))]
        causes = (next((key for key in keys if key in cards), "") for keys in led if going_on.intersection(keys))
        path = dict.fromkeys(key for key in (*causes, *struck[:1]) if key)
        return replace(
            changed, verdict=self.verdicts[number], struck=tuple(struck), could=tuple(could),
            path=tuple(path) if len(path) > 1 else (),
        )  # fmt: skip

    def aside(self, step: int) -> Aside | None:
        """The steps set aside of which this is one; None if it stands."""
        return next((aside for aside in self.asides if aside.first <= step <= aside.last), None)

    def set_aside(self, step: int) -> Aside | None:
        """The steps that this one set aside."""
        return next((aside for aside in self.asides if aside.by == step), None)

    def grain(self, step: int) -> str:
        """The coarsest grain that stops at a step, as a digit; the first and the last step belong to all."""
        return "0" if step in (0, self.last) else self.grains[step]

    def beside(self, step: int, by: int, grain: str = "raw") -> int:
        """The next step of a grain forwards (1) or backwards (-1). From a step that stands to the next that stands."""
        finest, found = str(GRAINS.index(grain)), step + by
        while 0 < found < self.last:
            aside = self.aside(found) if self.aside(step) is None else None
            if aside is not None:
                found = aside.last + 1 if by > 0 else aside.first - 1
            elif self.grain(found) > finest:
                found += by
            else:
                break
        return self.nearest(found)

    @cached_property
    def noted(self) -> list[int]:
        """The steps with a note of the recorder, and those that somebody flagged."""
        maybe = [number for number, step in enumerate(self.outlines) if step.may_be_noted]
        return [number for number in maybe if note_of(self.steps[number]) or _type(self.steps[number]) == "flagged"]

    @cached_property
    def settled(self) -> int:
        """The last step of which later events can change nothing."""
        found = (number for number, step in enumerate(self.outlines) if step.provisional)
        return next(found, self.last + 1) - 1

    def band(self, step: int) -> Band:
        """The stretch a step belongs to."""
        return next(band for band in self.bands if band.start <= step < band.end)

    @cached_property
    def parts(self) -> list[list[int]]:
        """Where a part of a chapter begins: the step, and which of the parts it is."""
        found: list[list[int]] = []
        names = self.scenes[0].chapter_parts
        for number, chapter in enumerate(self.chapters):
            at = names.index(chapter.part) if chapter.part in names else -1
            if not found or found[-1][1] != at or chapter.title != self.chapters[number - 1].title:
                found.append([number, at])
        return [each for each in found if each[1] >= 0]


def bands(chapters: Sequence[Chapter]) -> list[Band]:
    """The stretches of a game, from the chapter of each step."""
    found, start = [], 0
    for _title, members in groupby(chapters, lambda one: one.title):
        chapter, *others = members
        end = start + 1 + len(others)
        found.append(Band(start, end, replace(chapter, part="")))
        start = end
    return found


def seats_of(replay: Replay) -> tuple[str, ...]:
    """The seats of a game, in order."""
    return seats_at(replay.header)


def seats_at(header: Header) -> tuple[str, ...]:
    """The seats of the game of a header, in order; its players where the game is not known here."""
    try:
        return ruleset(header.ruleset).disclosure.seats(header)
    except AuditError:
        return tuple(player.seat for player in header.players)


def catalogue_of(name: str) -> Catalogue | None:
    """The catalogue of a ruleset that is installed here."""
    try:
        return ruleset(name).catalogue
    except AuditError:
        return None


def note_of(step: Json) -> str:
    return _field(step, "note")


def _type(step: Json) -> str:
    event = step.get("event")
    return str(event["type"]) if isinstance(event, Mapping) else ""


def _field(step: Json, name: str) -> str:
    event = step.get("event")
    return str(event.get(name) or "") if isinstance(event, Mapping) else ""


# In words


def trust_words(game: GameSteps) -> str:
    """How far a game can be trusted, and how many findings it has, in a line."""
    fidelity, since = game.replay.fidelity, game.replay.diverged_from
    grade = fidelity_words().get(fidelity, fidelity).split(":")[0]
    if since is not None:
        grade += " " + _("from step %(step)s", step=game.steps_of_seq.get(since, since))
    findings = ngettext("%(num)s finding", "%(num)s findings", len(game.findings))
    return findings if fidelity == "exact" else f"{grade} · {findings}"


def standing_words(game: GameSteps, step: int) -> list[str]:
    """Who set a step aside and why, whether it was recorded late, and whether it is provisional, in sentences."""
    record, aside = game.steps[step], game.aside(step)
    said = record_words(game.steps[aside.by] if aside else record)
    if record.get("late"):
        late = game.steps_of_seq.get(record["late"], step)
        words = _("Recorded late: it had happened before.")
        said.append(words if record.get("seq") else _("Recorded late, in step {step}.").format(step=late))
    if record.get("provisional"):
        said.append(_("Provisional: what is still to be written may explain this step otherwise."))
    return said


def step_sentence(game: GameSteps, step: int) -> str:
    """A step in words, for a screen reader and for a title."""
    record = game.steps[step]
    rules = record.get("rules")
    first = rules[0] if isinstance(rules, (list, tuple)) and rules else ""
    parts = [_("Step %(step)s of %(last)s.", step=step, last=game.last)]
    if game.verdicts[step] != "legal":
        parts.append(verdict_words().get(game.verdicts[step], game.verdicts[step]).capitalize() + ".")
    if record.get("superseded_by"):
        parts.append(_("Stands no longer."))
    parts.append(str(record.get("sentence") or (_("The start.") if step == 0 else "")))
    if first:
        parts.append(_("Rule %(rule)s.", rule=first))
    return " ".join(filter(None, parts))


def _asides(game: GameSteps) -> list[Aside]:
    found, start = [], 0
    for seq, members in groupby(step.superseded_by for step in game.outlines):
        end = start + sum(1 for _ in members)
        if seq in game.steps_of_seq:
            found.append(Aside(start, end - 1, game.steps_of_seq[seq]))
        start = end
    return found


def _event_of(step: Json) -> Json | None:
    return cast("Json | None", step.get("event"))
