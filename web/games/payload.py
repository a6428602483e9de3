"""The data of a game page: every step in short form, scenes as patches, each rule, card and face once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import cast

import msgspec
from markupsafe import Markup

from audit.core.catalogue import LANGUAGES, Catalogue, Rule
from audit.core.errors import AuditError
from audit.core.scene import Scene
from audit.core.scene_changes import Changes
from audit.core.sentences import edition_words
from replays.judging.editions import told_by_editions
from replays.table.variations import Varied
from web.games.library import Replay, strings
from web.games.steps import GameSteps, OnDemand, note_of
from web.scenes.wire import Wire, patch
from web.site.labels import record_words

PIECE = 100
"""Steps sent at once; a longer game is fetched in several pieces."""
MAX_CARDS = 1000
"""No step has more cards that no step before it had; so each piece numbers its own."""

VERDICTS = {
    "legal": "l",
    "inferred": "n",
    "illegal": "x",
    "impossible": "o",
    "undetermined": "u",
    "unchecked": "c",
    "recorded": "r",
}
Json = Mapping[str, object]


class Piece:
    """The scenes and changes of some steps as they travel, with the cards and faces that no piece before them has."""

    def __init__(self, wire: Wire, tables: Iterable[tuple[Scene, Changes]]) -> None:
        self.wire = wire
        self.scenes: list[Json] = []
        self.changes: list[Json] = []
        self._sizes = [wire.size()]
        for scene, changed in tables:
            self.scenes.append(wire.scene(scene))
            self.changes.append(wire.changes(changed))
            self._sizes.append(wire.size())

    def cards(self, after: int = 0) -> dict[str, object]:
        """The cards and faces that the piece has after so many of its steps."""
        return self.wire.between(self._sizes[after], self._sizes[-1])


class Prepared(GameSteps):
    """The steps of a game with all that its pages send to their scripts, made when it is asked for."""

    def __init__(self, replay: Replay, varied: Varied | None = None, piece: int = PIECE) -> None:
        """`varied` is the log of a variation, where the game is one; of so many steps is each `piece`."""
        super().__init__(replay, varied)
        self.piece = piece
        self.pieces = OnDemand(self.last // piece + 1, lambda numbers: [self._piece(each) for each in numbers])
        self._chunks = OnDemand(len(self.pieces), lambda numbers: [self._chunk(each) for each in numbers])

    def _piece(self, number: int) -> Piece:
        steps = self._steps_in(number)
        return Piece(Wire(steps.start * MAX_CARDS), ((self.scenes[step], self.changes[step]) for step in steps))

    def _steps_in(self, number: int) -> range:
        return range(number * self.piece, min((number + 1) * self.piece, self.last + 1))

    def _place(self, step: int) -> tuple[Piece, int]:
        """The piece of a step, and which of its steps that is."""
        return self.pieces[step // self.piece], step % self.piece

    @cached_property
    def cited(self) -> dict[str, int]:
        """Every rule the game cites, with the number under which its steps name it."""
        ids = dict.fromkeys(rule for step in self.outlines for rule in step.rules)
        return {id: number for number, id in enumerate(ids)}

    @cached_property
    def rules(self) -> dict[str, dict[str, object]]:
        """The cited rules: their words in each language and what is to be said of them."""
        return {id: self._titled(id) for id in self.cited}

    def _titled(self, id: str) -> dict[str, object]:
        words = rule_words(self.catalogue, id)
        if self.catalogue is None or not words["says"]:
            return words
        return {**words, "title": self.catalogue.title(self.catalogue[id], self.replay.language)}

    def overview(self) -> dict[str, object]:
        """What the strip shows and the keys need, of all steps: a letter for each verdict, a digit for each depth."""
        return {
            "verdicts": "".join(VERDICTS.get(verdict, "u") for verdict in self.verdicts),
            "depths": "".join(map(str, self.depths)),
            "recorded": "".join("1" if step.seq else "0" for step in self.outlines),
            "bands": [[band.start, str(band.chapter)] for band in self.bands],
            "noted": self.noted, "parts": self.parts, **self._aside(),
        }  # fmt: skip

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
        cited = {rule for step in self.outlines[:after] for rule in step.rules}
        return {
            **{name: cast(str, overview[name])[after:] for name in ("verdicts", "depths", "recorded")},
            **{name: overview[name] for name in ("noted", "parts")},
            "bands": [[each.start, str(each.chapter)] for each in self.bands if each.start > known],
            "rules": {id: words for id, words in self.rules.items() if id not in cited},
            "steps": [self._small(step, whole=False) for step in range(after, self.last + 1)],
            "tables": self._cards_after(known),
            "had": len(cited),
            **self._aside(),
        }

    def _heading(self, step: int) -> str | None:
        """The heading of a step where it is not the chapter of its scene."""
        heading = self.heading(step)
        return None if heading == str(self.chapters[step]) else heading

    def _scene(self, step: int) -> Json:
        piece, at = self._place(step)
        return piece.scenes[at]

    def _cards_after(self, step: int) -> list[dict[str, object]]:
        first, *others = self.pieces[step // self.piece :]
        return [first.cards(step % self.piece + 1), *(piece.cards() for piece in others)]

    def chunk(self, number: int) -> dict[str, object]:
        """One piece of the steps with its cards and faces; its first position is whole, the others are patches."""
        return self._chunks[number]

    def _chunk(self, number: int) -> dict[str, object]:
        steps = self._steps_in(number)
        small = [self._small(step, whole=step == steps.start) for step in steps]
        return {**self.pieces[number].cards(), "steps": small}

    def _small(self, number: int, *, whole: bool) -> dict[str, object]:
        step, (piece, at) = self.steps[number], self._place(number)
        before = {} if whole else self._scene(number - 1)
        small: dict[str, object] = {
            "q": step.get("seq"),
            "s": step.get("sentence"),
            "r": [self.cited[rule] for rule in strings(step.get("rules"))],
            "b": self.causes(number),
            "k": self.marks[number] if self.marks[number] != "event" else None,
            "x": list(strings(step.get("expected_text"))),
            "y": self.instead(number),
            "v": step.get("expected_perhaps"),
            "h": self._heading(number),
            "f": step.get("counts"),
            "m": step.get("message"),
            "g": step.get("guessed"),
            "d": [str(one["sentence"]) for one in cast("Sequence[Json]", step.get("deduced") or ())],
            "o": _readings(step),
            "e": editions_of(step, self.replay.language),
            "n": note_of(step),
            "l": self.steps_of_seq.get(step.get("late")),
            "p": step.get("provisional"),
            "w": record_words(step),
            "z": int(self.grains[number]),
            "c": piece.changes[at],
            "t": patch(before, piece.scenes[at]),
        }
        return {key: value for key, value in small.items() if value}


def _readings(step: Json) -> list[list[str]]:
    """The readings under which the step would not have come up, each with its words."""
    return [list(pair) for pair in zip(strings(step.get("readings")), strings(step.get("readings_text")), strict=False)]


def editions_of(step: Json, language: str) -> list[list[str]]:
    """The editions that judge the step otherwise, each time with their verdict and what makes the difference."""
    return [
        [", ".join(edition_words(name, language) for name in names), verdict, ", ".join(rules)]
        for names, verdict, rules in told_by_editions(step)
    ]


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


def script_json(value: object) -> Markup:
    """JSON that can stand in a script element whatever it contains."""
    text = msgspec.json.encode(value).decode()
    for unsafe, said in _UNSAFE.items():
        text = text.replace(unsafe, said)
    return Markup(text)


_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
