"""Many games judged again under another reading, edition or ruling, or because passages of documents changed.

Each game by itself, as plain values for other processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Catalogue, words
from audit.core.errors import AuditError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.sentences import sentence
from audit.core.steps import Step
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.quoting import Quotation, Quoter, QuoteStatus
from replays.errors import LogError
from replays.judging.annotate import Annotator
from replays.judging.replay import with_reading
from replays.judging.tally import superseded_steps
from replays.rulebooks.store import RulebookStore, RulebookStoreError
from replays.season.judging import lost
from replays.season.readings import ReadingChange, logged_changes
from replays.season.sources import Source


class RulebookSet(Struct, frozen=True):
    """The rulebooks loaded at one time, with the links that people confirmed."""

    kept: tuple[Rulebook, ...]
    linked: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}

    def books(self) -> Sequence[Rulebook]:
        """All editions, the older ones of a document first."""
        return self.kept

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        """The passages a person linked to each rule."""
        return self.linked.get((document, edition), {})


def editions_around(rulebook_store: RulebookStore, document: str) -> tuple[RulebookSet, RulebookSet]:
    """The rulebooks before and after the newest edition of a document; raises `UnknownRulebookError`, or `ShelfError`
    where only one edition of it is loaded."""
    newest = rulebook_store.show(document).rulebook
    now = tuple(rulebook_store.books())
    before = tuple(book for book in now if (book.document, book.edition) != (document, newest.edition))
    if not any(book.document == document for book in before):
        raise RulebookStoreError(document, "only one edition is loaded, there is none to compare it with")
    linked = {(book.document, book.edition): rulebook_store.links(book.document, book.edition) for book in now}
    return RulebookSet(before, linked), RulebookSet(now, linked)


class PassageChange(Struct, frozen=True):
    """A rule whose passage changed in one language: the quotation before, and the one now."""

    rule: str
    language: str
    before: Quotation
    after: Quotation


def changed_passages(catalogue: Catalogue, before: RulebookSet, after: RulebookSet) -> list[PassageChange]:
    """The rules whose passages changed, by the latest edition of each document."""
    languages = tuple(catalogue.documents)
    old, new = Quoter(catalogue, before, languages), Quoter(catalogue, after, languages)
    found = []
    for rule in catalogue:
        were, are = _latest(old.of(rule)), _latest(new.of(rule))
        for key in dict.fromkeys([*were, *are]):
            was, now = were.get(key) or _absent(*key), are.get(key) or _absent(*key)
            if (was.text or now.text) and (was.text, was.standing) != (now.text, now.standing):
                found.append(PassageChange(rule.id, key[0], was, now))
    return found


def _latest(quotations: Iterable[Quotation]) -> dict[tuple[str, str], Quotation]:
    """By language and document; the editions of a document come with the latest last."""
    return {(quotation.language, quotation.document): quotation for quotation in quotations}


def _absent(language: str, document: str) -> Quotation:
    return Quotation(language=language, document=document, standing=QuoteStatus.NOT_LOADED)


class Judgement(Struct, frozen=True):
    """What is said of an event: the verdict, the rules, and for a finding the message."""

    verdict: str
    rules: tuple[str, ...]
    message: str = ""


class VerdictChange(Struct, frozen=True):
    """An event of which something else is said now."""

    seq: int
    before: Judgement
    after: Judgement


class Reaudited(Struct, frozen=True, kw_only=True):
    """One game: the verdicts that change, and for each changed passage the events that cite its rule.

    `trouble` says why the game cannot be judged by one of the readings, where it cannot.
    """

    id: str
    game: str
    ruleset: str
    readings: tuple[str, str]
    findings: tuple[int, int] = (0, 0)
    verdicts: tuple[VerdictChange, ...] = ()
    passages: Mapping[str, tuple[int, ...]] = {}
    trouble: str = ""

    @property
    def is_touched(self) -> bool:
        """Something about this game changes."""
        return bool(self.verdicts or self.passages or self.trouble)


class ReauditTold(TypedDict):
    """The passages that changed, and every game that is touched, with old and new."""

    passages: Sequence[PassageChange]
    games: Sequence[Reaudited]


class StoredGame(Struct, frozen=True):
    """A game to go over again."""

    id: str
    header: Header
    ruleset: Ruleset[object]
    events: tuple[Event, ...]


def reaudited_game(
    game: StoredGame, *, after: str | None = None, rules: Collection[str] = (), language: str = "en"
) -> Reaudited:
    """One game judged by its own reading and by `after`, if that is another, and its events that cite these rules."""
    readings = (game.header.reading, after or game.header.reading)
    untold = Reaudited(id=game.id, game=game.header.game, ruleset=game.ruleset.name, readings=readings)
    try:
        old = _judged(game, None, language)
        new = old if readings[0] == readings[1] else _judged(game, after, language)
    except AuditError as error:
        return replace(untold, trouble=str(error))
    verdicts = tuple(VerdictChange(seq, old[seq], new[seq]) for seq in old if old[seq] != new[seq])
    return replace(
        untold, findings=(_findings(old), _findings(new)), verdicts=verdicts,
        passages={rule: seqs for rule in sorted(rules) if (seqs := _citing(new, rule))},
    )  # fmt: skip


def reaudit_lines(
    found: Iterable[Reaudited], passages: Sequence[PassageChange] = (), language: str = "en"
) -> Iterator[str]:
    """For a terminal: the passages, then each game that is touched, old beside new; then the sums."""
    for change in passages:
        were, are = (_edition(said, language) for said in (change.before, change.after))
        yield f"{change.rule}  [{change.language}]  {were} > {are}"
        yield from (f"  {mark} {q.text}" for mark, q in (("-", change.before), ("+", change.after)) if q.text)
    counts: Counter[str] = Counter()
    for one in found:
        counts.update(["games", *(["touched"] if one.is_touched else []), *(["verdicts"] if one.verdicts else [])])
        if one.is_touched:
            yield from _in_lines(one, language)
    sums = {**{key: counts[key] for key in ("games", "touched", "verdicts")}, "passages": len(passages)}
    yield ", ".join(_say(language, key, n=number) for key, number in sums.items())


def reaudit_json(found: Iterable[Reaudited], passages: Sequence[PassageChange] = ()) -> ReauditTold:
    """For programs: the passages with both quotations, and every game that is touched with old and new."""
    games = [msgspec.to_builtins(one) for one in found if one.is_touched]
    return {"passages": msgspec.to_builtins(tuple(passages)), "games": games}


def _judged(game: StoredGame, reading: str | None, language: str) -> dict[int, Judgement]:
    """What is said of each event that was written down and stands."""
    annotator = Annotator(game.ruleset, language, header=game.header)
    steps = list(audit(game.ruleset, with_reading(game.header, reading), game.events))
    aside = superseded_steps(steps)
    return {step.seq: _said(step, annotator) for step in steps if step.seq is not None and step.index not in aside}


def _said(step: Step, annotator: Annotator) -> Judgement:
    message = annotator.message(step) if step.verdict.is_finding else ""
    return Judgement(step.verdict.value, tuple(rule.id for rule in step.rules), message)


def _findings(said: Mapping[int, Judgement]) -> int:
    return sum(1 for one in said.values() if one.message)


def _citing(said: Mapping[int, Judgement], rule: str) -> tuple[int, ...]:
    return tuple(seq for seq, one in said.items() if rule in one.rules)


def _say(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "reaudit")


def _edition(said: Quotation, language: str) -> str:
    standing = words("replays", language, "quotes")[said.standing]
    return f"{said.edition[:8]} {said.place} ({standing})" if said.edition else standing


def _in_lines(one: Reaudited, language: str) -> Iterator[str]:
    verdicts = words("audit.core", language, "record")
    yield f"{one.id}  {one.game}  {' > '.join(one.readings)}".rstrip()
    if one.trouble:
        yield f"  {one.trouble}"
    for rule, seqs in one.passages.items():
        some = f"{', '.join(map(str, seqs[:8]))}{' …' if len(seqs) > 8 else ''}"
        yield f"  {_say(language, 'quoted', rule=rule, seqs=some)}"
    for change in one.verdicts:
        for mark, said in (("-", change.before), ("+", change.after)):
            verdict = verdicts[f"verdict.{said.verdict}"]
            yield f"  seq {change.seq:<5} {mark} {verdict:12} {', '.join(said.rules)}  {said.message}".rstrip()
    if one.verdicts:
        yield f"  {_say(language, 'findings', before=one.findings[0], after=one.findings[1])}"


class Changed(Struct, frozen=True, omit_defaults=True):
    """What each switch alone changes in a game: the event from which it does. Or the trouble with it, line by line."""

    name: str
    ruleset: str = ""
    title: str = ""
    since: Mapping[str, int] = {}
    trouble: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[ReadingChange, ...]:
        """The switches that change this game."""
        title = self.title or self.name
        return tuple(ReadingChange(switch, self.name, title, seq) for switch, seq in self.since.items())


class Switching(Struct, frozen=True, tag="switches"):
    """The question what each switch alone changes in a game."""

    @property
    def kind(self) -> type[Changed]:
        """The switches, each with an event."""
        return Changed

    def answer(self, source: Source) -> Changed:
        """The game judged once for each switch."""
        try:
            log = source.open()
            log.start()
            since = {change.switch: change.seq for change in logged_changes(log)}
            return Changed(source.name, log.header.ruleset, log.header.game, since)
        except LogError as error:
            return Changed(source.name, trouble=tuple(error.lines()))
        except (AuditError, OSError) as error:
            return Changed(source.name, trouble=(str(error),))

    def to_keep(self, answer: Changed) -> Changed | None:
        """The switches without the file. What could not be judged is tried again."""
        return None if answer.trouble else replace(answer, name="")

    def named(self, answer: Changed, source: Source) -> Changed:
        """The switches that change the game in this file."""
        return replace(answer, name=source.name)

    def lost(self, source: Source) -> Changed:
        """Nothing but the trouble."""
        return Changed(source.name, trouble=(lost(source),))


class Reauditing(Struct, frozen=True, tag="reaudit"):
    """The question what another reading says of a stored game, and which of its events cite these rules."""

    after: str | None
    rules: tuple[str, ...]
    language: str

    @property
    def kind(self) -> type[Reaudited]:
        """The verdicts that change."""
        return Reaudited

    def answer(self, source: Source) -> Reaudited:
        """The game judged by its own reading, and by the other one."""
        return reaudited_game(game_of(source), after=self.after, rules=self.rules, language=self.language)

    def to_keep(self, answer: Reaudited) -> Reaudited | None:
        """What changes, without the id of the game. What could not be judged is tried again."""
        return None if answer.trouble else replace(answer, id="")

    def named(self, answer: Reaudited, source: Source) -> Reaudited:
        """What changes in this game."""
        return replace(answer, id=source.game)

    def lost(self, source: Source) -> Reaudited:
        """Nothing but the trouble."""
        readings = ("", self.after or "")
        return Reaudited(id=source.game, game=source.name, ruleset="", readings=readings, trouble=lost(source))


def game_of(source: Source) -> StoredGame:
    """A stored game with all its events; raises `LogError` and `StoreError`."""
    log = source.open()
    return StoredGame(source.game, log.header, log.ruleset, tuple(log))


def reauditing(after: str | None, passages: Iterable[PassageChange], language: str) -> Reauditing:
    """The question by the reading after, and the rules whose passages changed."""
    return Reauditing(after, tuple(sorted({change.rule for change in passages})), language)
