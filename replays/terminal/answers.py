"""The answer to a judge's question, and what a recorder reads after each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from audit.core.catalogue import Catalogue
from audit.core.disclosure import JUDGE
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.names import player_names
from audit.core.sentences import edition_words
from audit.core.steps import Step
from audit.core.typography import heading, labelled
from replays.judging.annotate import Annotator
from replays.judging.sentences import Json
from replays.rulebooks.meaning import rule_search
from replays.table.answer import Answer
from replays.table.completion import guesses
from replays.table.question import UnreadEventError
from replays.table.question_words import has_question_mark
from replays.table.record import Entered, Record
from replays.terminal.replay_screen import MARKS, count_lines, word
from replays.terminal.scene_lines import Paint, plain, rule_heading, rule_line, scene_lines

MOST_CHOICES, MOST_RULES = 8, 3
MOST_REPEATED = 72
"""So many letters of a question that is not read are said again."""


class RecordScreen:
    """Shows a record in one language."""

    def __init__(self, record: Record, language: str, paint: Paint, width: int) -> None:
        self.record, self.language, self.paint, self.width = record, language, paint, width
        self.annotator = Annotator(record.game, language, header=record.header)
        self._foretold: list[Event] = []
        """What was said to follow by itself: not said again where it is inferred before the next event."""

    def table(self) -> list[str]:
        """The table at the next decision."""
        game, state = self.record.game, self.record.state
        view, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
        scene = game.scene_maker.scene(view, self.language, pending, self.annotator.players)
        return scene_lines(scene, self.paint, self.width)

    def entered(self, entered: Entered) -> Iterator[str]:
        """What came of a line: a finding is marked, and explained where somebody asks."""
        for step in entered.steps:
            if step.event is not None and step.seq is None and numbered(step.event, 0) not in self._foretold:
                yield self._line("inferred", self.annotator.tell_step(step, step.event))
        yield self._step(entered.step)
        self._foretold = [numbered(one.event, 0) for one in entered.follows]
        for one in entered.follows:
            yield self.paint("quiet", f"  {self.annotator.tell_following(one)}")

    def why(self) -> Iterator[str]:
        """The last event once more, with its rules and, for a mistake, what was expected."""
        step = self.record.steps[-1]
        if step.event is None:
            return
        yield self._step(step)
        for rule in self.annotator.rules(step):
            yield f"  {rule_line(self.record.game.catalogue, rule, self.language, self.paint)}"
        for event in self.annotator.told_instead(step)[:MOST_CHOICES]:
            yield f"  {labelled(self.language, word(self.language, 'ask_instead'), self.annotator.tell(event))}"

    def choices(self) -> Iterator[str]:
        """What can be chosen next, as it is typed, with the number that stands for it."""
        lines = list(self.record.choices_told(self.language))
        shown = lines[:MOST_CHOICES]
        yield from (f"  ⋔ {number}  {line}" for number, line in enumerate(shown, 1))
        if len(lines) > len(shown):
            yield f"    {word(self.language, 'more', n=len(lines) - len(shown))}"

    def _step(self, step: Step) -> str:
        said = self.annotator.message(step) if step.verdict.is_finding else ""
        event = self.annotator.tell_step(step, step.event) if step.event else ""
        return self._line(step.verdict.value, said or event)

    def _line(self, verdict: str, text: str) -> str:
        return self.paint(verdict, f"{MARKS[verdict]} {text}")


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


def unread_lines(error: UnreadEventError, header: Header, events: Sequence[str], language: str) -> Iterator[str]:
    """For a question that is read as no event: what may have been meant, and the rules that answer it.

    No line at all where there is neither, and what is not read is no question.
    """
    number, game = error.problems[0].line, error.game
    meant = guesses(header, events, number, language)
    search = rule_search(game.catalogue).find
    rules = (search(events[number - 1]) or search(error.plain))[:MOST_RULES]
    if meant or rules or has_question_mark(events[number - 1]):
        yield word(language, "ask_unread", line=_begun(events[number - 1]))
    if meant:
        yield word(language, "ask_meant")
        yield from (f"  {one['line']}  {one['sentence']}" for one in meant)
    if rules:
        yield word(language, "ask_rules")
        for one in rules:
            yield f"  {rule_heading(game.catalogue, one.rule, language)}"
            yield f"    {game.catalogue.statement(one.rule, language)}"


def _begun(line: str) -> str:
    """A line, or the words with which it begins where it is long."""
    return line if len(line) <= MOST_REPEATED else f"{line[:MOST_REPEATED].rsplit(' ', 1)[0]} …"


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
        """What can be chosen, each choice as it would be typed; in a sentence alone what has no short form."""
        if not decisions:
            yield from (self.word("over"), "")
            return
        yield heading(self.languages[0], self.word("options"))
        for option in decisions:
            told = _texts(option, "sentences")
            typed = ["" if line.startswith(f"{option['type']} ") else line for line in _texts(option, "lines")]
            widest = max((len(line) for line in typed[:MAX_CHOICES]), default=0)
            for line, sentence in list(zip(typed, told, strict=True))[:MAX_CHOICES]:
                said = self.paint("quiet", sentence) if line else sentence
                yield f"  ⋔ {line:<{widest}}  {said}" if widest else f"  ⋔ {said}"
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
