"""A replay in a terminal: one step as a screen, and the keys that walk through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, cast

from audit.core.catalogue import Rule, words
from audit.core.names import BY_SEAT, Players, player_names
from audit.core.record_events import is_about_the_record
from audit.core.ruleset import Ruleset
from audit.core.scene import Scene, pending_words
from audit.core.scene_changes import GRAINS, grain_of
from audit.core.sentences import edition_words, sentence
from audit.core.typography import heading, labelled
from replays.judging.editions import told_by_editions
from replays.judging.replay import Replay
from replays.judging.sentences import Json
from replays.judging.tally import is_finding
from replays.terminal.scene_lines import WIDTH, Paint, plain, rule_heading, scene_lines

if TYPE_CHECKING:
    from replays.rulebooks.quotes import RulebookQuotes

PACKAGE = "replays"

MARKS = {
    "legal": "✓",
    "inferred": "↺",
    "illegal": "✗",
    "impossible": "⊘",
    "undetermined": "?",
    "unchecked": "~",
    "recorded": "·",
}
"""Shape first, then colour."""


def word(language: str, key: str, **data: object) -> str:
    """A word or sentence of the terminal."""
    return sentence(PACKAGE, language, key, data, "terminal")


class Screen:
    """Draws the steps of one replay."""

    def __init__(
        self,
        game: Ruleset[object],
        replay: Replay,
        paint: Paint = plain,
        quotes: RulebookQuotes | None = None,
        width: int = WIDTH,
        notes: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        """`notes` are the lines of the notes on each event, by its seq; 0 is the start."""
        self.notes = notes or {}
        self.game = game
        self.quotes = quotes
        self.replay, self.players = replay, player_names(replay.header)
        self.paint = paint
        self.width = width
        self.language = replay.language

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.replay.steps) - 1

    def step(self, index: int) -> list[str]:
        """One step whole: where we are, the field, what is pending, what happened, the rule."""
        step, scene = self.replay.steps[index], self.scene(index)
        return [
            self.heading(step),
            *scene_lines(scene, self.paint, self.width),
            self.pending(scene),
            *(self.paint("quiet", str(one["sentence"])) for one in cast(Sequence[Json], step.get("deduced", ()))),
            "",
            *self.said(step),
            *(self.paint("quiet", line) for line in self.notes.get(cast(int, step["seq"] or 0), ()) if noted(step)),
            "",
        ]

    def scene(self, index: int) -> Scene:
        """The table at a step."""
        step = self.replay.steps[index]
        pending = cast(Sequence[Json], step["pending"])
        return self.game.scene_maker.scene(cast(Json, step["state"]), self.language, pending, self.players)

    def heading(self, step: Json) -> str:
        """Where in the game this is."""
        state = cast(Mapping[str, object], step["state"])
        fields = {key: state.get(key) for key in ("player", "phase")}
        named = self.game.wording.finding_words(fields, self.language, self.players)
        where = word(self.language, "step", step=step["step"], last=self.last)
        now = [str(named[key]) for key in ("player", "phase") if state.get(key) is not None]
        turn = word(self.language, "turn", turn=state["turn"]) if state.get("turn") else ""
        return self.paint("quiet", " · ".join(filter(None, (where, turn, *now))))

    def pending(self, scene: Scene) -> str:
        """What is under way, newest first."""
        items = " ▸ ".join(pending_words(item, scene.captions) for item in scene.pending)
        return labelled(self.language, word(self.language, "pending"), items or word(self.language, "nothing_pending"))

    def said(self, step: Json) -> list[str]:
        """The verdict, the sentence, the rule with its statement; for a finding what was expected."""
        if step["event"] is None:
            edition = step.get("edition")
            name = edition_words(str(edition), self.language) if edition else ""
            judged = [word(self.language, "edition", name=name)] if name else []
            return [word(self.language, "start"), *judged]
        verdict = str(step["verdict"])
        said = self.paint(verdict, f"{MARKS[verdict]} {step.get('message') or step['sentence']}")
        lines = [self.paint("struck", said) if step.get("superseded_by") else said, *self.standing(step)]
        names, texts = (cast(Sequence[str], step.get(key, ())) for key in ("readings", "readings_text"))
        for name, text in zip(names, texts, strict=True):
            lines.append(f"  {word(self.language, 'by_reading', name=name)} {text}")
        lines += [f"  {line}" for line in edition_lines(step, self.language)]
        if step.get("guessed"):
            lines.append(f"  {word(self.language, 'guessed')}")
        lines += self.rules(step)[:1] + self.quoted(step)
        lines += [f"  {line}" for line in count_lines(step)]
        for text in cast(Sequence[str], step.get("expected_text", ()))[:6]:
            lines.append(f"  {labelled(self.language, word(self.language, 'expected'), text)}")
        if because := cast(Sequence[int], step["because"]):
            causes = " ← ".join(map(str, because))
            lines.append(f"  {labelled(self.language, word(self.language, 'because'), causes)}")
        return lines

    def standing(self, step: Json) -> list[str]:
        """Whether a step stands, what it sets aside, who said so and why; and whether it was recorded late."""
        lines = standing_lines(self.replay.steps, step, self.language)
        if aside := self.set_aside(cast("int | None", step["seq"])):
            lines.append(word(self.language, "stands_aside", first=aside[0], last=aside[-1]))
        return [f"  {line}" for line in lines]

    def set_aside(self, seq: int | None) -> list[int]:
        """The steps that stand no longer since the event of that seq."""
        return [index for index, by in self.replay.steps.superseded.items() if by == seq]

    def beside(self, index: int, by: int, grain: str = "raw") -> int:
        """The next step of a grain forwards (1) or backwards (-1). From a step that stands to the next that stands."""
        aside = self.replay.steps.superseded
        found = index + by
        while (index not in aside and found in aside) or not self.stops_at(found, grain):
            found += by
        return min(max(found, 0), self.last)

    def notable(self, index: int, by: int, *, findings: bool = False) -> int:
        """The next step with something to say in that direction, or the next finding; this one if there is none."""
        found = range(index + by, self.last + 1 if by > 0 else -1, by)
        return next((step for step in found if self._is_notable(step, findings)), index)

    def _is_notable(self, index: int, findings: bool) -> bool:
        step = self.replay.steps[index]
        if findings or step.get("superseded_by"):
            return is_finding(step)
        event = cast(Json, step["event"] or {})
        return step["verdict"] != "legal" or bool(event.get("note")) or event.get("type") == "flagged"

    def chapter(self, index: int, by: int) -> int:
        """Where the next turn begins; backwards, where this one began, else the one before."""
        titles = (self.scene(step).chapter.title for step in range(self.last + 1))
        starts = [step for step, (before, now) in enumerate(pairwise([None, *titles])) if now != before]
        if by > 0:
            return next((start for start in starts if start > index), self.last)
        return next((start for start in reversed(starts) if start < index), 0)

    def stops_at(self, index: int, grain: str) -> bool:
        """Whether a reader of that grain stops at a step; all of them stop at the ends."""
        if grain == "raw" or not 0 < index < self.last:
            return True
        before, after = self.scene(index - 1), self.scene(index)
        return grain_of(self.replay.steps[index], self.game.scene_maker, before, after) <= GRAINS.index(grain)

    def stops(self, grain: str) -> list[int]:
        """Every step at which a reader of that grain stops."""
        return [index for index in range(self.last + 1) if self.stops_at(index, grain)]

    def rules(self, step: Json) -> list[str]:
        """Every rule of a step with its statement."""
        catalogue = self.game.catalogue
        cited = [catalogue[id] for id in cast(Sequence[str], step["rules"])]
        return [
            f"  {rule_heading(catalogue, rule, self.language, self.paint)}{self._standing(rule)}"
            f"  {catalogue.statement(rule, self.language)}"
            for rule in cited
        ]

    def _standing(self, rule: Rule) -> str:
        """A word about a rule that not everybody accepts."""
        if not (rule.unofficial or rule.contested):
            return ""
        return f" ({word(self.language, 'unofficial' if rule.unofficial else 'contested')})"

    def quoted(self, step: Json) -> list[str]:
        """The printed words for the first rule of a step, in each language of the documents."""
        ids = cast(Sequence[str], step["rules"])
        if self.quotes is None or not ids:
            return []
        from replays.rulebooks.quotes import quotation_lines

        return list(quotation_lines(self.quotes.of(self.game.catalogue[ids[0]]), self.language))

    def links(self, index: int) -> list[Json]:
        """A step and what led to it, nearest first."""
        steps = self.replay.steps
        step = steps[index]
        causes = dict.fromkeys(cast(Sequence[int], step["because"]))
        return [step, *(steps[steps.of_seq[seq]] for seq in causes if seq in steps.of_seq)]

    def why(self, index: int) -> list[str]:
        """The chain of causes of a step, nearest first, each with its rule and its statement."""
        lines = []
        for depth, link in enumerate(self.links(index)):
            indent = "  " * depth
            lines.append(f"{indent}{link['seq'] or '·'}  {MARKS[str(link['verdict'])]} {link['sentence']}")
            lines.extend(indent + line for line in self.rules(link)[:1])
        return lines

    def options(self, index: int) -> list[str]:
        """What may come after a step."""
        return option_lines(self.replay.options_after(index), self.language, self.players)


def noted(step: Json) -> bool:
    """Whether notes stand at a step: at the start, and at what the log says; not at what was inferred."""
    return bool(step["seq"]) or step["event"] is None


def summary(replay: Replay) -> list[str]:
    """How a replay ends: events, findings, and how far it can be trusted."""
    events = len(replay.steps.of_seq)
    return summary_lines(
        replay.language, events, replay.counts["inferred"], len(replay.findings), replay.fidelity,
        replay.diverged_from, replay.is_whole,
    )  # fmt: skip


def summary_lines(
    language: str,
    events: int,
    inferred: int,
    findings: int,
    fidelity: str,
    diverged_from: int | None,
    is_whole: bool = True,
) -> list[str]:
    """The closing lines of a report. A log that is not judged as a whole is never simply without findings."""
    none = word(language, "no_findings" if is_whole else "no_findings_in_part")
    found = f", {word(language, 'findings', n=findings)}" if findings else f". {none}"
    lines = [f"{word(language, 'events', n=events)}{found}"]
    if is_whole or fidelity != "exact":
        lines.append(word(language, f"fidelity_{fidelity}", seq=diverged_from))
    if inferred:
        lines.append(word(language, "inferred_note", n=inferred))
    return lines


def edition_lines(step: Json, language: str) -> list[str]:
    """Which editions judge a step otherwise, how, and by which ruling or erratum."""
    verdicts = words("audit.core", language, "record")
    return [
        word(
            language, "by_edition", name=", ".join(edition_words(name, language) for name in names),
            verdict=verdicts[f"verdict.{verdict}"], rule=", ".join(by),
        )
        for names, verdict, by in told_by_editions(step)
    ]  # fmt: skip


def option_lines(options: Sequence[Json], language: str, players: Players = BY_SEAT) -> list[str]:
    """What may come next, for a reader."""
    if not options:
        return [word(language, "over")]
    lines = [heading(language, word(language, "options"))]
    for player, group in groupby(options, lambda option: option.get("player")):
        lines.extend([heading(language, players.get(str(player), str(player)))] if player else [])
        for option in group:
            lines.extend(f"  · {text}" for text in cast(Sequence[str], option["sentences"]))
            lines.extend([f"  · {word(language, 'more', n=option['more'])}"] if option.get("more") else [])
            lines.append(f"    {', '.join(cast(Sequence[str], option['rules']))}")
    return lines


# Whether a step stands, who set it aside and why, and whether it was recorded late


def standing_lines(steps: Sequence[Mapping[str, object]], step: Mapping[str, object], language: str) -> list[str]:
    """What is to be said of a step besides its verdict; `steps` are those of the whole game."""
    lines = []
    if by := step.get("superseded_by"):
        lines += [_word(language, "superseded_by", seq=by), *who(_of_seq(steps, by), language)]
    else:
        lines += who(step, language)
    if late := step.get("late"):
        lines.append(_word(language, "late_record" if step["seq"] else "late_inferred", seq=late))
    return [*lines, _word(language, "provisional")] if step.get("provisional") else lines


def who(step: Mapping[str, object], language: str) -> list[str]:
    """Who wrote an event about the record, and why; nothing for an event of the game."""
    event = cast("Json | None", step.get("event"))
    if event is None or not is_about_the_record(event):
        return []
    lines = [_word(language, key, by=event[key]) for key in ("by", "ordered_by") if event.get(key)]
    lines += [_word(language, "agreed")] if event.get("agreed") else []
    if why := event.get("reason") or event.get("why"):
        lines.append(_word(language, "why", why=why))
    return [*lines, _word(language, "note", note=event["note"])] if event.get("note") else lines


def _of_seq(steps: Sequence[Mapping[str, object]], seq: object) -> Mapping[str, object]:
    return next((step for step in steps if step["seq"] == seq), {})


def _word(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "terminal")


def count_lines(said: Json) -> list[str]:
    """The numbers that a finding rests on, as a table in columns."""
    rows = cast("Sequence[Sequence[str]]", said.get("counts") or ())
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
