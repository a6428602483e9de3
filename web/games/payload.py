"""The data of a game page: every step in short form, scenes as patches, each rule, card and face once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import cast

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue, Rule
from audit.core.errors import AuditError
from audit.core.player_names import player_names
from audit.core.ruleset import SceneMaker, ruleset
from audit.core.scene import Chapter
from audit.core.scene_changes import Changes, changes
from audit.core.scene_grains import GRAINS, grain_of
from replays.judging.editions import told_by_editions
from replays.judging.tally import is_finding
from replays.table.backing_up import BRANCH
from replays.table.variations import Variation, Varied, decision_line
from web.games.library import Replay, strings
from web.scenes import scene_maker_of
from web.scenes.wire import Wire, patch
from web.site.labels import record_words

CHUNK = 400
"""Steps sent at once; a longer game is fetched in several pieces."""

VERDICTS = {
    "legal": "l",
    "inferred": "n",
    "illegal": "x",
    "impossible": "o",
    "undetermined": "u",
    "unchecked": "c",
    "recorded": "r",
}
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


class Prepared:
    """What the pages of one game need, computed once for one viewer and language."""

    def __init__(self, replay: Replay, varied: Varied | None = None) -> None:
        """`varied` is the log of a variation, where the game is one."""
        self.replay = replay
        self.varied = varied
        self.steps = replay.steps
        self.last = len(replay.steps) - 1
        self.players = player_names(replay.header)
        maker = scene_maker_of(replay.ruleset)
        self.scenes = [
            maker.scene(
                cast(Json, step["state"]), replay.language, cast("Sequence[Json]", step.get("pending") or ()),
                self.players,
            )
            for step in self.steps
        ]  # fmt: skip
        events = [cast("Json | None", step.get("event")) for step in self.steps]
        icons = {**maker.icons, **RECORD_ICONS}
        self.marks = [icons.get(str(event["type"]), "event") if event else "event" for event in events]
        self._touched = [maker.touched(event) if event else () for event in events]
        self.changes = changes(self.scenes, self._touched, self.marks)
        self.depths = [min(MAX_SHOWN_DEPTH, cast(int, step.get("depth") or 0)) for step in self.steps]
        self.verdicts = [str(step["verdict"]) for step in self.steps]
        self.findings = [number for number, step in enumerate(self.steps) if is_finding(step)]
        self.bands = bands([scene.chapter for scene in self.scenes])
        self.grains = self._grains(maker)
        self.steps_of_seq = {step["seq"]: number for number, step in enumerate(self.steps) if step.get("seq")}
        for number in self.findings:
            self.changes[number] = self._argued(number, maker)
        self.asides = self._asides()
        self._catalogue = catalogue_of(replay.ruleset)
        self.seats = seats_of(replay)
        self._chunks: dict[int, list[dict[str, object]]] = {}

    @cached_property
    def wire(self) -> Wire:
        """The cards and faces of the whole game, numbered in the order of its steps."""
        return self._travelling[0]

    @property
    def _plain(self) -> list[dict[str, object]]:
        return self._travelling[1]

    @property
    def _sizes(self) -> list[tuple[int, int]]:
        return self._travelling[2]

    @cached_property
    def _travelling(self) -> tuple[Wire, list[dict[str, object]], list[tuple[int, int]]]:
        wire, scenes, sizes = Wire(), [], []
        for scene, changed in zip(self.scenes, self.changes, strict=True):
            scenes.append(wire.scene(scene))
            wire.changes(changed)
            sizes.append(wire.size())
        return wire, scenes, sizes

    def step_of_event(self, id: str) -> int | None:
        """The step of the event with that id."""
        found = (number for number, step in enumerate(self.steps) if _field(step, "id") == id)
        return next(found, None)

    def nearest(self, step: int) -> int:
        """The step itself, or the nearest there is."""
        return min(max(0, step), self.last)

    def causes(self, step: int) -> list[int]:
        """The steps that led to a step, nearest first."""
        because = cast(Sequence[int], self.steps[step].get("because") or ())
        return [self.steps_of_seq[seq] for seq in because if seq in self.steps_of_seq]

    def variation_at(self, step: int) -> Variation:
        """What has been done otherwise up to a step: nothing yet where the record has that step too."""
        seq = max((cast(int, each["seq"]) for each in self.steps[: step + 1] if each.get("seq")), default=0)
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
        if self._catalogue is None or not (expected := self.steps[step].get("expected")):
            return []
        game, header, before = ruleset(self.replay.ruleset), self.replay.header, self.variation_at(step - 1)
        return [str(before.going_on(decision_line(game, header, event))) for event in cast("Sequence[Json]", expected)]

    def _argued(self, number: int, maker: SceneMaker) -> Changes:
        """What a finding's step touched, what it could have touched, and the way from its causes."""
        scene, step = self.scenes[number], self.steps[number]
        here = {key for key, _ in scene.parts} | {card.key for card in scene.cards}
        touched = [key for key in self._touched[number] if key in here]
        cards = {card.key for card in scene.cards}
        struck = [key for key in touched if key in cards] or touched
        wanted = (maker.touched(event) for event in cast("Sequence[Json]", step.get("expected") or ()))
        could = dict.fromkeys(key for keys in wanted for key in keys if key in here and key not in struck)
        causes = (next((key for key in self._touched[at] if key in cards), "") for at in reversed(self.causes(number)))
        path = dict.fromkeys(key for key in (*causes, *struck[:1]) if key)
        return replace(
            self.changes[number], verdict=self.verdicts[number], struck=tuple(struck), could=tuple(could),
            path=tuple(path) if len(path) > 1 else (),
        )  # fmt: skip

    def _asides(self) -> list[Aside]:
        found, start = [], 0
        for seq, members in groupby(step.get("superseded_by") for step in self.steps):
            end = start + sum(1 for _ in members)
            if seq in self.steps_of_seq:
                found.append(Aside(start, end - 1, self.steps_of_seq[seq]))
            start = end
        return found

    def aside(self, step: int) -> Aside | None:
        """The steps set aside of which this is one; None if it stands."""
        return next((aside for aside in self.asides if aside.first <= step <= aside.last), None)

    def set_aside(self, step: int) -> Aside | None:
        """The steps that this one set aside."""
        return next((aside for aside in self.asides if aside.by == step), None)

    def _grains(self, maker: SceneMaker) -> str:
        """By step the coarsest grain that stops there, as a digit; the first and the last step belong to all."""
        pairs = zip(self.steps, [None, *self.scenes], self.scenes, strict=False)
        found = "".join(str(grain_of(step, maker, before, after)) for step, before, after in pairs)
        return f"{found[:-1]}0"

    def beside(self, step: int, by: int, grain: str = "raw") -> int:
        """The next step of a grain forwards (1) or backwards (-1). From a step that stands to the next that stands."""
        finest, found = str(GRAINS.index(grain)), step + by
        while 0 < found < self.last:
            aside = self.aside(found) if self.aside(step) is None else None
            if aside is not None:
                found = aside.last + 1 if by > 0 else aside.first - 1
            elif self.grains[found] > finest:
                found += by
            else:
                break
        return self.nearest(found)

    @cached_property
    def noted(self) -> list[int]:
        """The steps with a note of the recorder, and those that somebody flagged."""
        return [number for number, step in enumerate(self.steps) if _note(step) or _type(step) == "flagged"]

    @cached_property
    def settled(self) -> int:
        """The last step of which later events can change nothing."""
        found = (number for number, step in enumerate(self.steps) if step.get("provisional"))
        return next(found, self.last + 1) - 1

    def band(self, step: int) -> Band:
        """The stretch a step belongs to."""
        return next(band for band in self.bands if band.start <= step < band.end)

    @cached_property
    def cited(self) -> dict[str, int]:
        """Every rule the game cites, with the number under which its steps name it."""
        ids = dict.fromkeys(rule for step in self.steps for rule in strings(step.get("rules")))
        return {id: number for number, id in enumerate(ids)}

    @cached_property
    def rules(self) -> dict[str, dict[str, object]]:
        """The cited rules: their words in each language and what is to be said of them."""
        return {id: self._titled(id) for id in self.cited}

    def _titled(self, id: str) -> dict[str, object]:
        words = rule_words(self._catalogue, id)
        if self._catalogue is None or not words["says"]:
            return words
        return {**words, "title": self._catalogue.title(self._catalogue[id], self.replay.language)}

    def overview(self) -> dict[str, object]:
        """What the strip shows and the keys need, of all steps: a letter for each verdict, a digit for each depth."""
        return {
            "verdicts": "".join(VERDICTS.get(verdict, "u") for verdict in self.verdicts),
            "depths": "".join(map(str, self.depths)),
            "recorded": "".join("1" if step.get("seq") else "0" for step in self.steps),
            "bands": [[band.start, str(band.chapter)] for band in self.bands],
            "grains": self.grains, "noted": self.noted, "parts": self.parts,
            **self._aside(),
        }  # fmt: skip

    @cached_property
    def parts(self) -> list[list[int]]:
        """Where a part of a chapter begins: the step, and which of the parts it is."""
        found: list[list[int]] = []
        for number, scene in enumerate(self.scenes):
            chapter, names = scene.chapter, scene.chapter_parts
            at = names.index(chapter.part) if chapter.part in names else -1
            if not found or found[-1][1] != at or chapter.title != self.scenes[number - 1].chapter.title:
                found.append([number, at])
        return [each for each in found if each[1] >= 0]

    def _aside(self) -> dict[str, object]:
        """The steps that stand no longer, with who says so and why; and the last step that is settled."""
        said = {aside.by: record_words(self.steps[aside.by]) for aside in self.asides}
        return {
            "asides": [[aside.first, aside.last, aside.by, said[aside.by]] for aside in self.asides],
            "settled": self.settled,
        }

    def news(self, known: int) -> dict[str, object]:
        """What a page that ends with a known step lacks: the rest of the overview, of the steps, rules and cards."""
        after, overview = known + 1, self.overview()
        cited = {rule for step in self.steps[:after] for rule in strings(step.get("rules"))}
        return {
            **{name: cast(str, overview[name])[after:] for name in ("verdicts", "depths", "recorded")},
            **{name: overview[name] for name in ("grains", "noted", "parts")},
            "bands": [[each.start, str(each.chapter)] for each in self.bands if each.start > known],
            "rules": {id: words for id, words in self.rules.items() if id not in cited},
            "steps": [self._small(step, whole=False) for step in range(after, self.last + 1)],
            "table": self.wire.since(self._sizes[known]),
            "had": [*self._sizes[known], len(cited)],
            **self._aside(),
        }

    def chunk(self, number: int) -> list[dict[str, object]]:
        """One piece of the steps; its first position is whole, the others are patches."""
        if number not in self._chunks:
            start = number * CHUNK
            steps = range(start, min(start + CHUNK, self.last + 1))
            self._chunks[number] = [self._small(step, whole=step == start) for step in steps]
        return self._chunks[number]

    def _small(self, number: int, *, whole: bool) -> dict[str, object]:
        step, scene = self.steps[number], self._plain[number]
        before = {} if whole else self._plain[number - 1]
        small: dict[str, object] = {
            "q": step.get("seq"),
            "s": step.get("sentence"),
            "r": [self.cited[rule] for rule in strings(step.get("rules"))],
            "b": self.causes(number),
            "k": self.marks[number] if self.marks[number] != "event" else None,
            "x": list(strings(step.get("expected_text"))),
            "y": self.instead(number),
            "v": step.get("expected_perhaps"),
            "m": step.get("message"),
            "g": step.get("guessed"),
            "d": [str(one["sentence"]) for one in cast("Sequence[Json]", step.get("deduced") or ())],
            "o": _readings(step),
            "e": editions_of(step),
            "n": _note(step),
            "l": self.steps_of_seq.get(step.get("late")),
            "p": step.get("provisional"),
            "w": record_words(step),
            "c": self.wire.changes(self.changes[number]),
            "t": patch(before, scene),
        }
        return {key: value for key, value in small.items() if value}


def _readings(step: Json) -> list[list[str]]:
    """The readings under which the step would not have come up, each with its words."""
    return [list(pair) for pair in zip(strings(step.get("readings")), strings(step.get("readings_text")), strict=False)]


def editions_of(step: Json) -> list[list[str]]:
    """The editions that judge the step otherwise, each time with their verdict and what makes the difference."""
    return [[", ".join(names), verdict, ", ".join(rules)] for names, verdict, rules in told_by_editions(step)]


def bands(chapters: Sequence[Chapter]) -> list[Band]:
    """The stretches of a game, from the chapter of each step."""
    found, start = [], 0
    for _, members in groupby(chapters, lambda one: one.title):
        chapter, *others = members
        end = start + 1 + len(others)
        found.append(Band(start, end, replace(chapter, part="")))
        start = end
    return found


def seats_of(replay: Replay) -> tuple[str, ...]:
    """The seats of a game, in order."""
    try:
        return ruleset(replay.ruleset).disclosure.seats(replay.header)
    except AuditError:
        return tuple(player.seat for player in replay.header.players)


def known_setup(replay: Replay) -> dict[str, object]:
    """Of the setup in the header what the viewer may know; nothing where the game is not installed."""
    try:
        disclosure = ruleset(replay.ruleset).disclosure
    except AuditError:
        return {}
    return dict(disclosure.recorded_header(replay.header, replay.viewer).setup)


def catalogue_of(name: str) -> Catalogue | None:
    """The catalogue of a ruleset that is installed here."""
    try:
        return ruleset(name).catalogue
    except AuditError:
        return None


def rule_words(catalogue: Catalogue | None, id: str) -> dict[str, object]:
    """A rule for a reader: its statement by language; a language that lacks it is left out."""
    try:
        rule = catalogue[id] if catalogue else None
    except AuditError:
        rule = None
    if catalogue is None or rule is None:
        return {"says": {}}
    flags = [name for name in ("unofficial", "contested") if getattr(rule, name)]
    return {"says": statements(catalogue, rule), **({"flags": flags} if flags else {})}


def statements(catalogue: Catalogue, rule: Rule) -> dict[str, str]:
    """The statement of a rule in every language it has been written in."""
    return {language: words for language in LANGUAGES if (words := _statement(catalogue, rule, language))}


def _statement(catalogue: Catalogue, rule: Rule, language: str) -> str:
    try:
        return catalogue.statement(rule, language)
    except (KeyError, FileNotFoundError):
        return ""


def _type(step: Json) -> str:
    event = step.get("event")
    return str(event["type"]) if isinstance(event, Mapping) else ""


def _note(step: Json) -> str:
    return _field(step, "note")


def _field(step: Json, name: str) -> str:
    event = step.get("event")
    return str(event.get(name) or "") if isinstance(event, Mapping) else ""


def script_json(value: object) -> Markup:
    """JSON that can stand in a script element whatever it contains."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE))


_UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}
