"""Cases and notes in a terminal: a list, one case, precedents, the notes of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

import msgspec

from audit.core.typed_setup import span_text
from audit.core.typography import labelled
from replays.cases.case import Case, CaseState
from replays.cases.consequences import Consequence
from replays.cases.events import AnyEvent
from replays.cases.note import Note, PlacedNote, Standing
from replays.cases.precedents import Contradiction, Likeness, Stale, stale
from replays.cases.words import case_word, entry_lines, signed_by, stale_words, why_words
from replays.terminal.replay_screen import MARKS, word

SIGNS = {"open": "○", "appealed": "▲", "ruled": "◐", "final": "●", "superseded": "→", "withdrawn": "×"}
"""The states of a case; shape first, then words."""
_WHY = {Standing.MOVED: "note_moved", Standing.CHANGED: "note_changed", Standing.GONE: "note_gone"}


class CaseTold(TypedDict):
    """A case: its state, what its ruling cites that reads otherwise today, and its events as they are kept."""

    id: str
    state: CaseState
    version: int
    public: bool
    stale: Sequence[Stale]
    events: Sequence[AnyEvent]


def case_json(case: Case) -> CaseTold:
    """A case for a program."""
    return {
        "id": case.id, "state": case.state, "version": case.version, "public": case.is_public,
        "stale": msgspec.to_builtins(stale(case)), "events": msgspec.to_builtins(case.events),
    }  # fmt: skip


def summary_line(case: Case, language: str) -> str:
    """A case in one line."""
    opened = case.opened
    where = f"{opened.game} {opened.seq}" if opened.seq is not None else opened.ruleset
    state = case_word(language, f"state.{case.state}")
    question = " ".join(opened.question.split())
    return f"{SIGNS[case.state]} {case.id}  {state:12} {where:20} {question[:80]}"


def case_lines(case: Case, language: str) -> Iterator[str]:
    """A case whole: its state, and all that happened."""
    state = case_word(language, f"state.{case.state}")
    yield f"{SIGNS[case.state]} {case.id}  {state}  ({case_word(language, 'version', n=case.version)})"
    yield case_word(language, f"next.{case.state}")
    yield from (f"! {words}" for words in stale_words(language, stale(case)))
    for event in case.events:
        yield ""
        yield f"{case_word(language, f'event.{event.__struct_config__.tag}')} · {signed_by(language, event)}"
        yield from (f"  {line}" for line in entry_lines(case, event, language, MARKS))


def likeness_lines(found: Sequence[Likeness], language: str) -> Iterator[str]:
    """Precedents, each with why it is thought alike."""
    if not found:
        yield case_word(language, "no_precedent")
    for each in found:
        mark = "!" if each.is_stale else " "
        yield f"{mark} {case_word(language, f'kind.{each.kind}')} {each.id}"
        yield f"    {'; '.join(why_words(language, each.why))}"


def contradiction_line(found: Contradiction, language: str) -> str:
    """Two rulings that contradict each other."""
    rules = ", ".join((*found.rules, *found.cards))
    return f"! {case_word(language, 'contradicts', one=found.one, other=found.other, rules=rules)}"


def consequence_lines(found: Consequence | None, language: str) -> Iterator[str]:
    """A stored game that a ruling judges otherwise, and how far it stands."""
    if found is None:
        yield case_word(language, "reaudit.none")
        return
    yield f"{found.id}  {found.game}"
    for each in found.events:
        yield f"  {each.seq:>5}  {MARKS[each.before]} → {MARKS[each.after]}  {each.sentence}"
    key = "reaudit.same" if found.stands == found.last else "reaudit.stands"
    yield f"  {case_word(language, key, seq=found.stands, last=found.last)}"
    yield f"  {found.position}"


def text_lines(note: Note, language: str) -> list[str]:
    """A note as it stands under its step."""
    first, *more = note.text.split("\n")
    place = f"{span_text(note.seq, note.to)}  " if note.to is not None else ""
    layer = f" · {note.layer}" if note.layer else ""
    kind = case_word(language, f"note.{note.kind.value}") if note.kind.value.isalpha() else note.kind.value
    head = f"✎ {place}{kind}  {note.author}{layer}"
    return [labelled(language, head, first), *(f"  {line}" for line in more)]


def note_lines(placed: PlacedNote, language: str) -> list[str]:
    """A note in a list: where it stands, by whom and when; of one that no longer fits, why."""
    note = placed.note
    why = [f"  {word(language, _WHY[placed.standing])}"] if placed.standing in _WHY else []
    first, *more = text_lines(note, language)
    seen_by = case_word(language, f"audience.{note.audience}")
    return [f"{note.id}  {note.seq:>5}  {first}  ({note.at}, {note.lang}, {seen_by})", *more, *why]


def notes_at(notes: Sequence[Note], language: str) -> list[str]:
    """The notes on one step, for the screen of a replay."""
    return [f"  {line}" for note in notes for line in text_lines(note, language)]
