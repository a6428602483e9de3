"""The answer to a judge's question, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from audit.core.catalogue import Catalogue
from audit.core.player_names import player_names
from audit.core.sentences import edition_words
from audit.core.typography import heading, labelled
from replays.judging.sentences import Json
from replays.table.answer import Answer
from replays.terminal.replay_screen import MARKS, count_lines, word
from replays.terminal.rule_titles import rule_heading
from replays.terminal.scene_lines import Paint, plain, scene_lines

MAX_CHOICES = 6
"""So many choices of one kind are listed."""


def answer_lines(answer: Answer, said: Json, languages: Sequence[str], paint: Paint, width: int) -> Iterator[str]:
    """The table, the verdict with its rule, what would be right, what follows, and who chooses then.

    `said` is the answer in its published shape, in these languages.
    """
    game, state = answer.question.game, answer.steps[0].state
    view, pending = game.disclosure.view(state, "judge"), game.disclosure.pending(state)
    players = player_names(answer.question.header)
    yield from scene_lines(game.scene_maker.scene(view, languages[0], pending, players), paint, width)
    yield ""
    lines = _Lines(game.catalogue, languages, paint)
    for step in _objects(said, "steps"):
        yield from lines.step(step)
    yield from lines.doubts(_objects(said, "doubts"))
    yield from lines.standing(_objects(said, "steps"))
    yield from lines.follows(_objects(said, "follows"))
    yield from lines.decisions(_objects(said, "decisions"))
    own = [str(one["sentence"]) for one in _objects(said, "follows")]
    yield from lines.otherwise(_objects(said, "otherwise"), own)
    yield from lines.rulings(_objects(said, "rulings"))
    yield f"{lines.word('ask_after')} {said['after']}"


class _Lines:
    def __init__(self, catalogue: Catalogue, languages: Sequence[str], paint: Paint) -> None:
        self.catalogue, self.languages, self.paint = catalogue, languages, paint

    def word(self, key: str, **data: object) -> str:
        return word(self.languages[0], key, **data)

    def step(self, step: Json) -> Iterator[str]:
        verdict = str(step["verdict"])
        said = f"{self._reply(step)} {step.get('message') or step['sentence']}".strip()
        rules = _objects(step, "rules")[:1]
        if verdict == "inferred":
            yield f"{MARKS[verdict]} {said}  {self.quietly(str(rule['id']) for rule in rules)}".rstrip()
            return
        yield self.paint(verdict, f"{MARKS[verdict]} {said}")
        for rule in rules:
            yield from self.rule(rule)
        yield from (f"  {line}" for line in count_lines(step))
        for text in _texts(step, "expected_text")[:MAX_CHOICES]:
            yield f"  {labelled(self.languages[0], self.word('ask_instead'), text)}"
        yield ""

    def _reply(self, step: Json) -> str:
        """Yes, no, or that it cannot be said; nothing of what was inferred before the question."""
        verdict = str(step["verdict"])
        replies = {"legal": "ask_yes", "inferred": "", "illegal": "ask_no", "impossible": "ask_no"}
        key = replies.get(verdict, "ask_unsure")
        return self.word(key) if key else ""

    def called(self, id: str, paint: Paint = plain) -> str:
        return rule_heading(self.catalogue, self.catalogue[id], self.languages[0], paint)

    def quietly(self, ids: Iterable[str]) -> str:
        return self.paint("quiet", ", ".join(map(self.called, ids)))

    def rule(self, rule: Json) -> Iterator[str]:
        """A rule: its statement in each language, and the printed words."""
        yield f"  {self.called(str(rule['id']), self.paint)}"
        for language, text in cast(Mapping[str, str], rule["statements"]).items():
            mark = f"[{language}] " if len(self.languages) > 1 else ""
            yield f"    {mark}{text}"
        for quoted in _objects(rule, "quotations"):
            yield f"    [{quoted['language']}] {quoted['document']}, {quoted['place']}"
            yield f"         {quoted['text']}"

    def doubts(self, doubts: Sequence[Json]) -> Iterator[str]:
        """What would have had to happen before."""
        for one in doubts:
            yield f"{MARKS['undetermined']} {one['sentence']}  {self.quietly(_texts(one, 'rules'))}"
        yield from ("",) if doubts else ()

    def standing(self, steps: Sequence[Json]) -> Iterator[str]:
        """After a mistake: that what comes next holds only if the play is not taken back."""
        if any(step["verdict"] in ("illegal", "impossible") for step in steps):
            yield self.word("ask_standing")

    def follows(self, follows: Sequence[Json]) -> Iterator[str]:
        if not follows:
            return
        yield self.word("ask_follows")
        for number, one in enumerate(follows, 1):
            yield f"  {number:>2}  {one['sentence']}  {self.quietly(_texts(one, 'rules')[:1])}".rstrip()
        yield ""

    def decisions(self, decisions: Sequence[Json]) -> Iterator[str]:
        """What can be chosen, each choice as it would be typed."""
        if not decisions:
            yield from (self.word("over"), "")
            return
        yield heading(self.languages[0], self.word("options"))
        for option in decisions:
            typed, told = _texts(option, "lines"), _texts(option, "sentences")
            widest = max((len(line) for line in typed[:MAX_CHOICES]), default=0)
            for line, sentence in list(zip(typed, told, strict=True))[:MAX_CHOICES]:
                yield f"  ⋔ {line:<{widest}}  {self.paint('quiet', sentence)}"
            more = len(typed) - MAX_CHOICES + cast(int, option.get("more", 0))
            yield from (f"    {self.word('more', n=more)}",) if more > 0 else ()
        yield ""

    def otherwise(self, others: Sequence[Json], own: Sequence[str]) -> Iterator[str]:
        """Who would answer otherwise. `own` is what follows by the answer itself, which is not said again."""
        for other in others:
            changed = "edition" if "edition" in other else "reading"
            marks = " ".join(MARKS[verdict] for verdict in _texts(other, "verdicts"))
            follows = _texts(other, "follows")
            said = str(other["message"]) or ("" if list(follows) == list(own) else " ".join(follows))
            name = edition_words(str(other[changed]), self.languages[0]) if changed == "edition" else other[changed]
            yield f"{self.word(f'by_{changed}_otherwise', name=name)} {marks} {said}".rstrip()
            for switch in _objects(other, "switches"):
                yield f"  {switch['said']}"
        yield from ("",) if others else ()

    def rulings(self, rulings: Sequence[Json]) -> Iterator[str]:
        if rulings:
            yield self.word("ask_rulings")
        for ruling in rulings:
            yield from self.rule(ruling)
        yield from ("",) if rulings else ()


def _objects(data: Json, key: str) -> Sequence[Json]:
    return cast("Sequence[Json]", data.get(key) or ())


def _texts(data: Json, key: str) -> Sequence[str]:
    return cast("Sequence[str]", data.get(key) or ())
