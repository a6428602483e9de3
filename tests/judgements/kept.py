"""What the auditor says of kept logs and cases, step by step, to be compared with what was kept.

A change of what is said is not always a mistake. It has to be looked at, and then renewed: see `__main__`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.cases import cases_of, events_of, header_of
from audit.core.event_rules import MAX_LISTED, Expectation, Violation, own_fields
from audit.core.model import Event, Header, type_name
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step

FOLDER = Path(__file__).parent
NEAR = FAR = 3
"""So many other words are tried in each field, and so many events of other moments."""
WALK, EVERY = 5, 4
"""So many events nobody asked for are applied one after the other, from every fourth step."""
MAX_CANDIDATES = 8
"""So many events are noted of each thing expected."""


class KeptLog(msgspec.Struct, frozen=True):
    """A log as it was written down, and from which event on every word of its audit is noted."""

    name: str
    header: Header
    events: tuple[dict[str, Any], ...]
    since: int = 1


def logs(name: str) -> list[KeptLog]:
    """The kept logs of a game."""
    lines = gzip.decompress((FOLDER / f"{name}.logs.jsonl.gz").read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=KeptLog) for line in lines]


def cases(name: str) -> list[KeptLog]:
    """The cases of a game as logs."""
    game = ruleset(name)
    return [
        KeptLog(case.id, header_of(game, case), tuple({**event, "seq": n} for n, event in enumerate(case.log, 1)))
        for case in cases_of(f"audit.games.{name.replace('-', '_')}")
        if events_of(game, case)
    ]


def audited(log: KeptLog) -> list[Step]:
    """The steps of a kept log."""
    game = ruleset(log.header.ruleset)
    told = [msgspec.convert(event, game.rules.types[str(event["type"])]) for event in log.events]
    return list(islice(audit(game, log.header, told), 1, None))


def is_noted(log: KeptLog, step: Step) -> bool:
    """Whether every word of the step is noted."""
    return step.seq is None or step.seq >= log.since


# Every word of a step


def told(game: Ruleset[Any], step: Step, asked: Iterable[Event] = ()) -> Mapping[str, object]:
    """All that is said of a step and of other events in its place, and what then lies on the table for each viewer."""
    viewers = ("judge", "public")
    return {
        "event": _event(step.event),
        "said": (step.verdict, [rule.id for rule in step.rules], step.because, step.guessed),
        "violations": [_violation(item) for item in step.violations],
        "instead": [_event(event) for event in (*step.expected[:MAX_LISTED], *step.candidates)],
        "expected": sorted(_expectation(step.before, item) for item in game.rules.expected(step.before)),
        "clock": game.rules.clock(step.state),
        "others": [_answers(game, step.before, event) for event in asked],
        "table": [(game.disclosure.view(step.state, v), game.disclosure.pending(step.state, v)) for v in viewers],
    }


def _event(event: Event | None) -> str:
    return msgspec.json.encode(event).decode()


def _answers(game: Ruleset[Any], state: object, event: Event) -> tuple[object, ...]:
    """What the rules of its type say of an event, and what the table would be like after it."""
    rules = game.rules.event_rules[type(event)]
    failed, missing = rules.violations(state, event), rules.missing(state, event)
    return (
        _event(event),
        [_violation(item) for item in failed],
        None if failed else [rule.id for rule in rules.citations(state, event)],
        _violation(missing) if missing else None,
        rules.is_relevant(state, event),
        rules.depends_on_hidden(state, event),
        game.rules.causes(state, event),
        game.disclosure.view(game.rules.evolve(state, event), "judge"),
    )


def _violation(item: Violation) -> tuple[object, ...]:
    return item.rule.id, item.key, item.data, item.not_intended, item.unavailable


def _expectation(state: object, item: Expectation[object]) -> str:
    some = ", ".join(map(_event, islice(item.candidates(state), MAX_CANDIDATES)))
    return f"{type_name(item.event)} {item.obligation} {item.any_order} {[rule.id for rule in item.rules]} {some}"


# Other events in the place of one


class Others:
    """Events that might be written by mistake: one with another word in one field, or one of another moment."""

    def __init__(self, game: Ruleset[Any], log: KeptLog, events: Sequence[Event]) -> None:
        self.game, self.events, self.random = game, events, Random(log.name)
        self.words: dict[str, list[object]] = defaultdict(list)
        for event in events:
            for field in own_fields(type(event)):
                if (word := getattr(event, field)) not in self.words[field]:
                    self.words[field].append(word)

    def of(self, event: Event) -> list[Event]:
        """The neighbours of an event, and two events of other moments."""
        own = [(field, word) for field in own_fields(type(event)) for word in self._others(event, field)]
        near = (self._with(event, field, word) for field, word in own)
        far = self.random.sample(self.events, min(FAR, len(self.events)))
        return [other for other in (*near, *far) if other is not None]

    def anything(self) -> Event:
        """An event of the log, or a neighbour of one."""
        event = self.random.choice(self.events)
        return self.random.choice([event, *self.of(event)])

    def _others(self, event: Event, field: str) -> list[object]:
        word = getattr(event, field)
        if isinstance(word, bool):
            return [not word]
        if isinstance(word, int):
            return [word + 1, word - 1]
        known = [other for other in self.words[field] if other != word]
        fewer = [word[1:], word[:-1]] if isinstance(word, tuple) and word else []
        return [*fewer, *self.random.sample(known, min(NEAR, len(known)))]

    def _with(self, event: Event, field: str, word: object) -> Event | None:
        """The event with another word in a field, if a log can say so."""
        try:
            data = msgspec.to_builtins(replace(event, **{field: word}))
            return msgspec.convert(data, type(event))
        except msgspec.ValidationError:
            return None


def digest(words: Mapping[str, object]) -> str:
    """Four letters for all that is said of a step."""
    return hashlib.blake2s(msgspec.json.encode(words, order="sorted")).hexdigest()[:4]


def digests(log: KeptLog) -> list[str]:
    """For each step what is said of it."""
    return [digest(words) for words in said(log)]


def said(log: KeptLog) -> list[Mapping[str, object]]:
    """All that is said of each step that is noted."""
    game, steps = ruleset(log.header.ruleset), audited(log)
    others = Others(game, log, [step.event for step in steps if step.event])
    here = [step for step in steps if step.event and is_noted(log, step)]
    walked = [walk(game, step, others) for step in here[::EVERY]]
    return [*(told(game, step, others.of(step.event)) for step in here if step.event), *walked]


def walk(game: Ruleset[Any], step: Step, others: Others) -> Mapping[str, object]:
    """A few events nobody asked for, one after the other: each is applied as written, whatever it breaks."""
    state, found = step.before, []
    for _ in range(WALK):
        event = others.anything()
        answers = _answers(game, state, event)
        state = game.rules.evolve(state, event)
        found.append((answers, sorted(_expectation(state, item) for item in game.rules.expected(state))))
    return {"walk": found, "pending": game.disclosure.pending(state, "judge")}


# How often each judgement is given


def judgements(steps: Iterable[Step]) -> Counter[str]:
    """The verdicts with event, rules and what is wrong, and how often each is given."""
    return Counter(_judgement(step) for step in steps)


def _judgement(step: Step) -> str:
    rules = " ".join(rule.id for rule in step.rules)
    wrong = " ".join(f"{item.rule.id}:{item.key}" for item in step.violations)
    return "\t".join((step.verdict, type_name(type(step.event)) if step.event else "", rules, wrong))


# What was kept


def kept_digests(name: str) -> dict[str, list[str]]:
    """What was said of each step before, by the name of the log."""
    rows = (FOLDER / f"{name}.steps.tsv").read_text("utf-8").splitlines()
    return {log: words.split() for log, _, words in (row.partition("\t") for row in rows)}


def kept_judgements(name: str) -> dict[str, int]:
    """How often each judgement was given before."""
    rows = (FOLDER / f"{name}.judgements.tsv").read_text("utf-8").splitlines()
    return {judgement: int(number) for number, _, judgement in (row.partition("\t") for row in rows)}
