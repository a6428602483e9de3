"""The words in which a case is told, in the players' languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownRuleError
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import sentence
from audit.core.typography import labelled
from audit.rulebooks.titles import rule_words
from replays.cases.case import Case
from replays.cases.events import (
    AnyEvent,
    Appealed,
    CaseEvent,
    Claimed,
    Evidence,
    Judged,
    Noted,
    Opened,
    Opined,
    QuestionChanged,
    Remedied,
    Reworded,
    Ruled,
    Shared,
    Superseded,
    own_fields,
)
from replays.cases.infractions import person
from replays.cases.precedents import Stale


def case_word(language: str, key: str, **data: object) -> str:
    """A word or sentence about cases."""
    return sentence("replays", language if language in LANGUAGES else "en", key, data, "cases")


def signed_by(language: str, event: CaseEvent) -> str:
    """By whom, in which role, and when."""
    return case_word(
        language, "by", by=event.by, role=case_word(language, f"role.{event.role}"), at=moment_words(event.at)
    )


def moment_words(at: str) -> str:
    """A time to the minute, with its zone: `2026-01-02 10:00 UTC`, `2026-01-02 10:00 +01:00`."""
    zone = "UTC" if at.endswith(("Z", "z", "+00:00")) else at[-6:]
    return f"{at[:16].replace('T', ' ')} {zone}"


def entry_words(language: str, event: CaseEvent) -> str:
    """A line of the history of a case: what happened, and who wrote it down."""
    kind, signed = str(event.__struct_config__.tag), signed_by(language, event)
    if case_word(language, f"entry.{kind}") != f"entry.{kind}":
        return case_word(language, f"entry.{kind}", signed=signed)
    return case_word(language, "entry.other", event=case_word(language, f"event.{kind}"), signed=signed)


def entry_lines(case: Case, event: AnyEvent, language: str, marks: Mapping[str, str] = {}) -> Iterator[str]:
    """What an entry says, in lines, wherever it is told; `marks` are the signs of verdicts."""
    match event:
        case Opened():
            yield from event.question.split("\n")
            if event.seq is not None:
                yield case_word(language, "step", game=event.game, seq=event.seq)
            yield labelled(language, case_word(language, "position"), event.position)
        case Claimed():
            said = case_word(language, "player.says", player=person(case, event.player))
            yield labelled(language, said, event.said)
            yield from _judged(event.judged, marks)
        case Evidence():
            if event.sha256:
                yield case_word(language, "file", name=event.name, size=event.size, sha256=event.sha256)
            yield from filter(None, (event.text, event.source))
        case Opined():
            yield from _judged((*event.judged, *event.doubts), marks)
            yield from (case_word(language, "otherwise", who=who) for who in event.otherwise)
            yield case_word(language, "fixed", engine=event.engine, catalogue=event.catalogue[:12])
        case Ruled():
            yield from _ruling_lines(case, event, language)
        case Remedied():
            yield case_word(language, "remedy.branch", to=event.to, game=event.game)
        case Appealed():
            yield case_word(language, "appeal.by", player=person(case, event.player))
            yield from filter(None, (event.reason,))
        case Reworded():
            yield from (f"{code}: {text}" for code, text in event.reasons.items())
        case QuestionChanged():
            yield from (f"{code}: {text}" for code, text in event.questions.items())
        case Superseded():
            yield case_word(language, "superseded.by", case=event.case)
            yield event.reason
        case Shared():
            yield case_word(language, f"shared.{event.audience}")
        case _:
            yield from _own_words(case, event, language)


def _own_words(case: Case, event: CaseEvent, language: str) -> Iterator[str]:
    """Every field of an entry that is words alone, behind the player whom it is about."""
    said = {name: str(value) for name in own_fields(type(event)) if (value := getattr(event, name))}
    seat = said.pop("player", "")
    lines = [line for text in said.values() for line in text.split("\n")]
    if seat:
        lines[:1] = [labelled(language, person(case, seat), " ".join(lines[:1]))]
    yield from lines


def history_lines(case: Case, event: AnyEvent, language: str) -> list[str]:
    """What an entry says that a page of the case tells nowhere but in its history."""
    if isinstance(event, Opened) and event.question != case.opened.question:
        return event.question.split("\n")
    if isinstance(event, Opened | Opined | Evidence | Noted):
        return []
    if isinstance(event, Claimed):
        return [person(case, event.player)]
    if event is case.ruling:
        return [case_word(language, f"decision.{event.decision}")]
    return list(entry_lines(case, event, language))


def _ruling_lines(case: Case, event: Ruled, language: str) -> Iterator[str]:
    """A ruling: the decision, its reasons and rules in the players' languages, remedy and penalty."""
    yield case_word(language, f"decision.{event.decision}")
    yield from (f"{code}: {text}" for code, text in event.reasons.items())
    said = statements(case.opened.ruleset, event.rules, tuple(dict.fromkeys((language, *case.opened.languages))))
    for rule, words in said.items():
        yield rule
        yield from (f"  {code}: {text}" for code, text in words.items())
    if event.remedy:
        yield case_word(language, f"remedy.{event.remedy}")
    if event.penalty:
        level = case_word(language, f"level.{event.penalty.level}")
        who = person(case, event.penalty.player)
        yield case_word(language, "penalty.words", player=who, infraction=event.penalty.infraction, level=level)


def _judged(judged: Sequence[Judged], marks: Mapping[str, str]) -> Iterator[str]:
    for each in judged:
        yield f"{marks.get(each.verdict, '·')} {each.said}  {' '.join(each.rules[:1])}"


def statements(name: str, rules: Sequence[str], languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """What each rule says in each of the languages; a rule that is gone says nothing."""
    catalogue = ruleset(name).catalogue
    found: dict[str, dict[str, str]] = {}
    for id in rules:
        try:
            found[id] = {code: catalogue.statement(catalogue[id], code) for code in languages if code in LANGUAGES}
        except UnknownRuleError:
            found[id] = {}
    return found


def own_reasons(reasons: Mapping[str, str], said: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The reasons of a ruling; none where each is what a rule says that stands below them."""
    words = {(code, text) for each in said for code, text in each.items()}
    return dict(reasons) if any(told not in words for told in reasons.items()) else {}


def stale_words(language: str, found: Sequence[Stale]) -> list[str]:
    """What a ruling cites that reads otherwise today."""
    return [case_word(language, f"stale.{each.how}", id=each.id) for each in found]


def why_words(language: str, why: Sequence[tuple[str, str]]) -> list[str]:
    """Why two situations are thought alike; rules and cards as people call them, each once."""
    said = (case_word(language, f"why.{kind}", what=_called(kind, what, language)) for kind, what in why)
    return list(dict.fromkeys(said))


def _called(kind: str, what: str, language: str) -> str:
    if kind == "rule":
        return rule_words(what, language)
    if kind != "card":
        return what
    said = (ruleset(name).wording.finding_words({"card": what}, language).get("card") for name in rulesets())
    return next((str(one) for one in said if one and one != what), what)


def tongues(case: Case, first: str) -> tuple[str, ...]:
    """The languages of a case that have words here, the given one first."""
    return tuple(dict.fromkeys(code for code in (first, *case.opened.languages) if code in LANGUAGES))
