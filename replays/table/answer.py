"""The answer to a question: verdicts, what follows by itself, who chooses then, and who would answer otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Rule, Ruling, each_once
from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.model import Event, Header, Verdict
from audit.core.record import words_in
from audit.core.ruleset import Ruleset
from audit.core.sentences import switch_sentence, violation_sentence
from audit.core.steps import Step, unchecked_step
from replays.judging.annotate import Annotator
from replays.judging.positions import Following, line_at, without_choice
from replays.judging.sentences import Json, event_json
from replays.scoresheet.line import Sheet
from replays.table.question import Question

WRONG_PLAYER = "wrong.player"
"""The key of a violation that says that somebody else is to act."""
Quoted = Callable[[Rule], Sequence[Json]]
"""The printed words of a rule: each with its language, document, place and text."""


def unquoted(rule: Rule) -> Sequence[Json]:
    """No rulebook is loaded."""
    return ()


class Otherwise(Struct, frozen=True):
    """A reading or an edition by which the answer is another one.

    `switches` are the points of the reading that make the difference alone.
    """

    header: Header
    steps: tuple[Step, ...]
    follows: tuple[Following, ...]
    switches: tuple[str, ...] = ()


class Answer(Struct, frozen=True):
    """What there is to say: the steps of the events asked about, what follows, and those who answer otherwise."""

    question: Question
    steps: tuple[Step, ...]
    follows: tuple[Following, ...]
    otherwise: tuple[Otherwise, ...]

    @property
    def state(self) -> object:
        """The position at the next decision."""
        return _last_position(self.steps, self.follows)

    @property
    def asked(self) -> tuple[Step, ...]:
        """The steps of the events asked about, without what was inferred before them."""
        return tuple(step for step in self.steps if step.seq)

    @property
    def is_legal(self) -> bool:
        """Whether nothing that was asked about is a mistake."""
        return not any(step.verdict.is_finding for step in self.steps)


def answered(question: Question) -> Answer:
    """The answer to a question, by its own reading and edition first."""
    steps, follows = _judged(question.header, question)
    others = _otherwise(question, steps, follows) if question.events else ()
    return Answer(question, steps, follows, tuple(others))


def _judged(header: Header, question: Question) -> tuple[tuple[Step, ...], tuple[Following, ...]]:
    steps = tuple(_steps(question.game, header, question.events))
    return steps, tuple(without_choice(question.game, steps[-1].state))


def _steps(
    game: Ruleset[object], header: Header, events: Sequence[Event], start: object | None = None
) -> Iterator[Step]:
    """The steps of the events. One that cannot have happened leaves the position as it was, unlike in a log."""
    for step in audit(game, header, events, start):
        told = _missing_first(game, step) if step.verdict.is_finding else _if_decided(game, step)
        if told.verdict is not Verdict.IMPOSSIBLE or type(told.event) not in game.rules.event_rules:
            yield told
            continue
        yield replace(told, state=told.before)
        rest = [event for event in events if event.seq > (told.seq or 0)]
        yield from islice(_steps(game, header, rest, told.before), 1, None)
        return


def _if_decided(game: Ruleset[object], step: Step) -> Step:
    """The step of what is not wrong: not judged where nobody has told what decides it. A record would be believed."""
    if step.event is None or step.seq is None or step.verdict is not Verdict.LEGAL:
        return step
    why = game.setting.undecided(step.before, step.event)
    return unchecked_step(step, why) if why else step


def _missing_first(game: Ruleset[object], step: Step) -> Step:
    """The step of a finding; if what the event needs is not there, it says that before anything else is wrong."""
    rules = game.rules.event_rules.get(type(step.event)) if step.event else None
    why = rules.missing(step.before, step.event) if rules else None
    if why is None:
        return step
    cited = each_once((why.rule, *step.rules))
    return replace(step, verdict=Verdict.IMPOSSIBLE, violations=(why, *step.violations), rules=cited)


def _otherwise(question: Question, steps: tuple[Step, ...], follows: tuple[Following, ...]) -> Iterator[Otherwise]:
    """Editions and readings, then single points that make no difference in any of these."""
    said = _said(question, steps, follows)
    seen = [question.game.rules.switches_of(question.header)]
    named: set[str] = set()
    for header, point in _others(question):
        switches = question.game.rules.switches_of(header)
        if switches in seen or point in named:
            continue
        seen.append(switches)
        found = _judged(header, question)
        if _said(question, *found) != said:
            alone = tuple(_switches_that_change(question, header, said))
            named.update(alone)
            yield Otherwise(header, *found, alone)


def _others(question: Question) -> Iterator[tuple[Header, str]]:
    """The header under every other edition and reading, then under each single point, with its name."""
    header, rules = question.header, question.game.rules
    for edition in rules.catalogue.editions if rules.catalogue.rulings else ():
        yield replace(header, edition=edition), ""
    for reading in rules.readings:
        yield replace(header, reading=reading), ""
    for switch in rules.switches:
        yield replace(header, reading=f"{header.reading}+{switch.name}"), switch.name


def _switches_that_change(question: Question, other: Header, said: object) -> Iterator[str]:
    """The points on which that reading differs, of which one alone changes the answer."""
    header, rules = question.header, question.game.rules
    for name in sorted(rules.reading(other.reading) - rules.reading(header.reading)):
        alone = replace(header, reading=f"{header.reading}+{name}")
        if _said(question, *_judged(alone, question)) != said:
            yield name


def _said(question: Question, steps: Sequence[Step], follows: Sequence[Following]) -> object:
    """All that has to be the same for two answers to be one."""
    verdicts = tuple(step.verdict.is_finding for step in steps if step.seq)
    return verdicts, question.game.disclosure.view(_last_position(steps, follows), JUDGE)


def _last_position(steps: Sequence[Step], follows: Sequence[Following]) -> object:
    return follows[-1].after if follows else steps[-1].state


def _is_told_later(step: Step) -> bool:
    """Whether an event of the question tells this inferred step: it is said there."""
    return step.seq is None and step.late is not None


def told_to_everybody(answer: Answer, language: str) -> str:
    """What was asked about last, in a sentence without the cards that not everybody has seen."""
    game, header, step = answer.question.game, answer.question.header, answer.asked[-1]
    assert step.event is not None
    seen = game.disclosure.redact(step.before, step.event, PUBLIC)
    return Annotator(game, language, header=header).tell(seen)


class AnswerWriter:
    """Writes answers in the shape of the API and of `audit ask --json`, in one language or several."""

    def __init__(self, answer: Answer, languages: Sequence[str], quoted: Quoted = unquoted) -> None:
        """Sentences are in the first language, the statements of rules in each. `quoted` finds the printed words."""
        self.answer = answer
        self.languages = languages
        self.language = languages[0]
        self.quoted = quoted
        self.game = answer.question.game
        self.header = answer.question.header
        self.annotator = Annotator(self.game, self.language, header=self.header)

    def json(self) -> Json:
        """The whole answer. Another reading or edition is named where a reader sees something else by it."""
        own = self._shown(self.answer)
        return {
            "ruleset": self.game.name,
            "reading": self.header.reading,
            "edition": self.game.catalogue.edition(self.header.edition),
            "position": line_at(self.header, self.answer.steps[0].state),
            "steps": [self._step(step) for step in self.answer.steps if step.index and not _is_told_later(step)],
            "doubts": self.annotator.doubts(self.answer.steps[0].state),
            "follows": [self._following(one) for one in self.answer.follows],
            "after": line_at(self.header, self.answer.state),
            "decisions": self._decisions(),
            "otherwise": [self._other(one) for one in self.answer.otherwise if self._shown(one) != own],
            "rulings": [self._ruling(one) for one in self._rulings()],
        }

    def _step(self, step: Step) -> Json:
        told = self.annotator.step(step)
        kept = ("seq", "event", "verdict", "sentence", "message", "expected", "expected_text", "counts", "guessed")
        found = {key: told[key] for key in kept if key in told}
        if more := [*filter(None, (self._whereabouts(step), self._not_theirs(step)))]:
            found["message"] = " ".join([str(told["message"]), *more])
        return {**found, "rules": [self._rule(rule.id) for rule in self.annotator.rules(step)]}

    def _not_theirs(self, step: Step) -> str:
        """That somebody else is to act, where another thing that is wrong is told first."""
        wrong = [one for one in step.violations[1:] if one.key == WRONG_PLAYER]
        return violation_sentence(self.game, wrong[0], self.language, {}, self.annotator.players) if wrong else ""

    def _whereabouts(self, step: Step) -> str:
        """Where the card lies that is not where the event takes it from; empty where the game does not say."""
        card = step.violations[0].data.get("card") if step.violations else None
        if step.verdict is not Verdict.IMPOSSIBLE or not isinstance(card, str):
            return ""
        return self.game.wording.whereabouts(step.before, card, self.language)

    def _rule(self, id: str) -> Json:
        catalogue = self.game.catalogue
        rule = catalogue[id]
        title = catalogue.title(rule, self.language)
        statements = {each: catalogue.statement(rule, each) for each in self.languages}
        said: Json = {"id": id, **({"title": title} if title else {}), "statements": statements}
        quoted = self.quoted(rule)
        return {**said, **({"quotations": list(quoted)} if quoted else {})}

    def _following(self, following: Following) -> Json:
        return {
            "event": event_json(following.event),
            "sentence": self.annotator.tell_following(following),
            "rules": [rule.id for rule in following.rules],
        }

    def _decisions(self) -> list[Json]:
        """Who chooses next, and between what, each as it would be typed."""
        sheet = Sheet(self.game, self.game.disclosure.seats(self.header), self.header.setup)
        return [
            {**option, "lines": list(map(sheet.write_published, cast("Sequence[Json]", option["events"])))}
            for option in self.annotator.decisions(self.answer.state)
        ]

    def _shown(self, answer: Answer | Otherwise) -> object:
        """What a reader sees of an answer. What would come of a mistake is no part of it."""
        verdicts = [(step.verdict, self._mistake(step)) for step in answer.steps if step.seq]
        if any(mistake for _, mistake in verdicts):
            return verdicts, (), ()
        follows = list(map(self.annotator.tell_following, answer.follows))
        return verdicts, follows, self.annotator.decisions(_last_position(answer.steps, answer.follows))

    def _mistake(self, step: Step) -> str:
        return self.annotator.message(step) if step.verdict.is_finding else ""

    def _other(self, other: Otherwise) -> Json:
        """What another reading or edition says: of the mistakes, those that the answer does not tell too."""
        own = [self._mistake(step) for step in self.answer.asked]
        changed = "edition" if other.header.edition != self.header.edition else "reading"
        asked = [step for step in other.steps if step.seq]
        follows = list(map(self.annotator.tell_following, other.follows))
        return {
            changed: getattr(other.header, changed),
            "verdicts": [step.verdict.value for step in asked],
            "message": " ".join(said for said in map(self._mistake, asked) if said and said not in own),
            "switches": [
                {"name": name, "said": switch_sentence(self.game, name, self.language)} for name in other.switches
            ],
            "follows": follows,
        }

    def _rulings(self) -> list[Ruling]:
        """The rulings in force on the cards that are touched, or that act."""
        catalogue = self.game.catalogue
        edition = catalogue.edition(self.header.edition) if catalogue.rulings else ""
        cards = self._cards()
        held = (one for one in catalogue.rulings.values() if catalogue.holds(one, edition))
        return [one for one in held if cards & set(one.cards)]

    def _cards(self) -> frozenset[str]:
        pending = [self.game.disclosure.pending(state) for state in (self.answer.steps[0].state, self.answer.state)]
        return words_in(pending, [to_builtins(event) for event in self.answer.question.events])

    def _ruling(self, ruling: Ruling) -> Json:
        return {**self._rule(ruling.id), "kind": ruling.kind, "date": ruling.date, "cards": list(ruling.cards)}
