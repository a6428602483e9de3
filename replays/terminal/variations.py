"""Variations and going back, in a terminal.

The options at a step by their numbers, taken one after another, and the way back; a plan for going back, in lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.core.disclosure import PUBLIC
from audit.core.model import Event, Header
from audit.core.names import Players
from audit.core.sentences import listed
from audit.core.typography import heading, labelled
from replays.judging.replay import replay
from replays.judging.sentences import Json
from replays.table.variations import Variation, Varied, decision_line, varied, with_lines
from replays.terminal.replay_screen import Screen, option_lines, word

LISTED = 99
"""At most so many candidates of a decision are listed."""


class Variations:
    """The record of a game, the variation that is shown beside it, and what was offered last."""

    def __init__(self, record: Screen, header: Header) -> None:
        """`header` is that of the whole log, which a viewer's replay does not show."""
        self.header = header
        self.record = self.screen = record
        self.fork = 0
        self.offered: list[Variation] = []
        self._varied: Varied | None = None

    def banner(self) -> list[str]:
        """What is done otherwise; nothing where the record is shown."""
        if self._varied is None:
            return []
        said = self._varied.variation
        steps, of_seq = self.screen.replay.steps, self.screen.replay.steps.of_seq
        told = " › ".join(str(steps[of_seq[seq]]["sentence"]) for seq in self._varied.ends)
        return [self.screen.paint("inferred", word(self.screen.language, "variation", seq=said.after, told=told))]

    def options(self, index: int) -> list[str]:
        """What can be decided after a step, grouped by who decides, each with a number by which it is taken."""
        at = self._at(index)
        _, screen = (self._varied, self.screen) if self._varied else self._made(at)
        index = index if self._varied else screen.last
        found = screen.replay.decisions_after(index, LISTED)
        options = with_lines(screen.game, screen.replay.header, found)
        self.offered = [at.going_on(line) for one in options for line in cast(Sequence[str], one["lines"])]
        return _numbered(options, self.screen.language, self.screen.players)

    def expected(self, index: int) -> list[str]:
        """What should have happened at a step, each with a number by which it is taken instead."""
        step, language = self.screen.replay.steps[index], self.screen.language
        events = cast(Sequence[Mapping[str, object]], step.get("expected") or ())
        before = self._at(index - 1) if index else Variation(0)
        game, header = self.screen.game, self.screen.replay.header
        self.offered = [before.going_on(decision_line(game, header, event)) for event in events]
        texts = cast(Sequence[str], step.get("expected_text") or ())
        return [f"{number:>3} {text}" for number, text in enumerate(texts, 1)] or [word(language, "nothing_expected")]

    def take(self, number: int) -> int | None:
        """Go on with what was offered by that number: the step it leads to, None where there was none.

        Raises `VariationError` where it is not possible.
        """
        if not 1 <= number <= len(self.offered):
            return None
        if self._varied is None:
            self.fork = self._step_of(self.offered[number - 1].after)
        return self._show(self.offered[number - 1])

    def take_back(self) -> int | None:
        """Without the last decision: the step to look at, None where there is no variation."""
        if self._varied is None:
            return None
        kept = len(self._varied.ends) - 1
        return self._show(self._varied.variation.up_to(kept)) if kept else self.back()

    def back(self) -> int | None:
        """Back to the record, where the variation left it; None where there is no variation."""
        if self._varied is None:
            return None
        self.screen, self._varied, self.offered = self.record, None, []
        return self.fork

    def _show(self, variation: Variation) -> int:
        self._varied, self.screen = self._made(variation)
        self.offered = []
        return self.screen.replay.steps.of_seq[self._varied.ends[-1]]

    def _made(self, variation: Variation) -> tuple[Varied, Screen]:
        told, record = self.record.replay, self.record
        events = [cast(Event, step.event) for step in told.steps.steps if step.seq]
        found = varied(self.header, events, variation, told.viewer)
        played = replay((found.header, found.events), viewer=told.viewer, language=told.language)
        return found, Screen(record.game, played, record.paint, record.quotes, record.width)

    def _at(self, index: int) -> Variation:
        steps = self.screen.replay.steps.steps[: index + 1]
        seq = max((step.seq or 0 for step in steps), default=0)
        return self._varied.at(seq) if self._varied else Variation(seq)

    def _step_of(self, seq: int) -> int:
        return self.record.replay.steps.of_seq.get(seq, 0)


def _numbered(options: Sequence[Json], language: str, players: Players) -> list[str]:
    lines, number, player = [heading(language, word(language, "options"))], 0, ""
    for option in options:
        if option["sentences"] and option["player"] != player:
            player = str(option["player"])
            lines.append(heading(language, players.get(player, player)))
        for text in cast(Sequence[str], option["sentences"]):
            number += 1
            lines.append(f"{number:>3} {text}")
        if option.get("more"):
            lines.append(f"    {word(language, 'more', n=option['more'])}")
    return lines if number else [word(language, "over")]


def plan_lines(said: Json, language: str) -> Iterator[str]:
    """What is advised and why, what to undo, how the table stands afterwards, and the first decision then."""
    yield word(language, f"backup_{said['advice']}".replace("-", "_"), to=said["to"])
    yield from _steps(said, "by_chance", word(language, "backup_chance"))
    yield from _steps(said, "unseen", word(language, "backup_unseen"))
    players = cast(Mapping[str, str], said["players"])
    for viewer, cards in cast(Mapping[str, Sequence[str]], said["learned"]).items():
        if cards:
            who = word(language, "backup_public") if viewer == PUBLIC else players.get(viewer, viewer)
            yield word(language, "backup_learned", viewer=who, cards=listed(cards, language))
    yield from _steps(said, "undo", word(language, "backup_undo", n=len(cast("Sequence[Json]", said["undo"]))))
    moves = cast("Sequence[Json]", said["moves"])
    yield from (word(language, "backup_moves"),) if moves else ()
    for move in moves:
        told = word(language, "backup_then", now=move["now"], then=move["then"])
        yield f"  {labelled(language, str(move['place']), told)}"
    yield ""
    yield from option_lines(cast("Sequence[Json]", said["decisions"]), language)
    yield f"{word(language, 'ask_after')} {said['position']}"


def _steps(said: Json, key: str, title: str) -> Iterator[str]:
    steps = cast("Sequence[Json]", said[key])
    if not steps:
        return
    yield title
    for step in steps:
        yield f"  {step['seq'] or '·':>5}  {step['sentence']}"
