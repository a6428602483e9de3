"""An edition of a document as it is kept, and what persons said of its passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from audit.rulebooks.cutting.patches import Cut, Misfit, patched
from audit.rulebooks.errors import UnknownPassageError
from audit.rulebooks.links import Matched
from audit.rulebooks.moving import moved_link
from audit.rulebooks.passages import Passage, Rulebook


class EditionChange(Struct, frozen=True):
    """A sentence that a translator changed: the unit of the file, the passage, and the words before and after."""

    unit: str
    passage: str
    before: str
    after: str


class StoredEdition(Struct, frozen=True):
    """One edition as it is kept: the passages, and how they came here.

    Of an edition that a translator sent back, `by` is who changed it and `changes` lists what. `cuts` are those a
    person made on the passages `uncut`, in order, and `misfits` those of them that do not fit; `inherited` are cuts
    that the words already had when they came.
    """

    rulebook: Rulebook
    source: str
    format: str
    encoding: str
    added: str
    by: str = ""
    changes: tuple[EditionChange, ...] = ()
    cuts: tuple[Cut, ...] = ()
    uncut: tuple[Passage, ...] = ()
    misfits: tuple[tuple[Cut, Misfit], ...] = ()
    inherited: tuple[Cut, ...] = ()

    @property
    def document(self) -> str:
        """The id of its document."""
        return self.rulebook.document

    def passage(self, id: str) -> Passage:
        """A passage by its id, with or without the document's name before it; raises `UnknownPassageError`."""
        for wanted in (id, f"{self.document}/{id}"):
            for one in self.rulebook.passages:
                if one.id == wanted:
                    return one
        raise UnknownPassageError(self.document, id)

    def cut_by(self, cuts: Sequence[Cut]) -> StoredEdition:
        """The same edition with these cuts and no others."""
        base = self.uncut or self.rulebook.passages
        made = patched(replace(self.rulebook, passages=base), cuts)
        return replace(self, rulebook=made.book, cuts=tuple(cuts), uncut=base if cuts else (), misfits=made.misfits)


class ConfirmedLink(Struct, frozen=True):
    """What a person said: these passages say this rule, or no passage does.

    `look` tells what became of the passages in this edition, where the person said so of an earlier one and they are
    not word for word the same: edited, split, joined or gone. `words` are those of the passages it was said of, where
    a cut has put them with others or apart since: a cut that is taken back brings the link back to them.
    """

    passages: tuple[str, ...]
    by: str
    at: str
    look: str = ""
    words: tuple[str, ...] = ()


def moved(link: ConfirmedLink, matches: Mapping[str, Matched]) -> ConfirmedLink:
    """The same said of a later edition, to which these passages of the earlier one were matched by id."""
    if not link.passages:
        return link
    there = moved_link(link.passages, matches)
    return ConfirmedLink(there.passages, link.by, link.at, there.look or link.look, link.words)


def now() -> str:
    """The time as it is kept with an edition."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
