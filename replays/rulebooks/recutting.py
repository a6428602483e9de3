"""Cuts a loaded document otherwise, by hand: each change can be taken back, and is made again in the next edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from audit.core.typed_setup import count_noun
from audit.rulebooks.cutting.patches import CutError, CutKind, Misfit, new_cut
from audit.rulebooks.links import Status
from audit.rulebooks.passages import Passage
from replays.rulebooks.editions import ConfirmedLink, StoredEdition
from replays.rulebooks.store import RulebookStore

LONGEST = 80
"""Letters of a passage that a line of a terminal shows."""


def cut_passage(
    rulebook_store: RulebookStore, stored: StoredEdition, kind: CutKind, passage: str, more: str = "", by: str = ""
) -> StoredEdition:
    """Cut one passage otherwise and keep that; raises `CutError` or `UnknownPassageError`.

    `more` is the new title, or the words with which the second part begins.
    """
    with rulebook_store.alone(stored.document):
        now_kept = rulebook_store.show(stored.document, stored.rulebook.edition)
        return _cut(rulebook_store, now_kept, kind, passage, more, by)


def _cut(
    rulebook_store: RulebookStore, stored: StoredEdition, kind: CutKind, passage: str, more: str, by: str
) -> StoredEdition:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    target = stored.passage(passage)
    _refuse_linked(rulebook_store, stored, kind, target)
    cut = new_cut(stored.rulebook, kind, target, more, by, now)
    made = stored.cut_by((*stored.cuts, cut))
    for misfit, why in made.misfits:
        if misfit is cut:
            raise CutError(cut.passage, why)
    return _kept(rulebook_store, stored, made)


def take_back(rulebook_store: RulebookStore, stored: StoredEdition, number: int = 0) -> StoredEdition:
    """Take a cut back, the last one or that of this number; raises `CutError` where there is none."""
    with rulebook_store.alone(stored.document):
        stored = rulebook_store.show(stored.document, stored.rulebook.edition)
        number = number or len(stored.cuts)
        if not 0 < number <= len(stored.cuts):
            raise CutError(stored.document, Misfit.NO_CUT)
        return _kept(rulebook_store, stored, stored.cut_by((*stored.cuts[: number - 1], *stored.cuts[number:])))


def cut_lines(stored: StoredEdition) -> Iterator[str]:
    """For a terminal: every cut with its number, and why it does not fit if it does not."""
    why = dict(stored.misfits)
    yield f"{stored.document} {stored.rulebook.edition[:8]}: {count_noun(len(stored.cuts), 'cut')}"
    for number, cut in enumerate(stored.cuts, 1):
        by = f", by {cut.by}" if cut.by else ""
        more = f" › {cut.more[:LONGEST]}" if cut.more else ""
        yield f"{number:>3}  {cut.kind:7}  {cut.passage}{more}{by}"
        if cut in why:
            yield f"     does not fit: {why[cut].said}"


def _kept(rulebook_store: RulebookStore, before: StoredEdition, made: StoredEdition) -> StoredEdition:
    links = rulebook_store.made_links(before.document, before.rulebook.edition)
    there = {rule: _moved(link, before, made) for rule, link in links.items()}
    rulebook_store.put(made, there if there else None)
    return made


def _refuse_linked(rulebook_store: RulebookStore, stored: StoredEdition, kind: CutKind, passage: Passage) -> None:
    """A passage that a person linked to a rule is not dropped: the link would be lost, also where that is undone."""
    if kind not in (CutKind.DROP, CutKind.TITLE):
        return
    made = rulebook_store.made_links(stored.document, stored.rulebook.edition)
    if any(passage.id in link.passages for link in made.values()):
        raise CutError(passage.id, Misfit.LINKED)


def _moved(link: ConfirmedLink, before: StoredEdition, made: StoredEdition) -> ConfirmedLink:
    """A link to the passages that have the words now of which it was said; one in two parts asks for a look."""
    linked = [passage for passage in before.rulebook.passages if passage.id in link.passages]
    near = [one for one in made.rulebook.passages if any(one.overlaps(*passage.lines) for passage in linked)]
    texts = tuple(passage.text for passage in linked)
    words = link.words if any(True for said in link.words for _ in _homes(said, near)) else texts
    there = tuple(dict.fromkeys(id for said in words for id in _homes(said, near)))
    if not linked:
        return link
    kept = link.look if link.look != Status.SPLIT else ""
    look = str(Status.SPLIT) if len(there) > len(words) else kept
    is_as_said = tuple(made.passage(id).text for id in there) == words
    return replace(link, passages=there, look=look, words=() if is_as_said else words)


def _homes(words: str, passages: Sequence[Passage]) -> Iterator[str]:
    for one in passages:
        if one.text in words or words in one.text:
            yield one.id
