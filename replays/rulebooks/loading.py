"""How a document is taken in: what it is recognised as, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.errors import OtherDocumentError
from audit.rulebooks.known import FEWEST_SENTENCES as FEWEST
from audit.rulebooks.known import SHORTEST, known_edition, rank_of, recognised
from audit.rulebooks.languages import Detected, settle_language
from audit.rulebooks.links import Matched, Status, compare
from audit.rulebooks.passages import Rulebook, fingerprint, slug, words
from audit.rulebooks.reading import Read, read
from replays.rulebooks.editions import StoredEdition

MOSTLY = 0.5
"""Of its longer sentences so many are in the edition before, or it is another document."""


class Loading(Struct, frozen=True):
    """How to take a document in: its id, and what cannot be seen from the file.

    Without an id the document takes that of the known document it is an edition of, else one from the name of its
    file. `rank` says what it is to its game. `language` and `encoding` are detected when empty; `although_unlinked`
    takes a file in that has nothing in common with the known document of that id.
    """

    document: str = ""
    language: str = ""
    encoding: str = ""
    game: str = ""
    although_unlinked: bool = False
    rank: str = ""

    @property
    def known_language(self) -> str:
        """The language of a document known by that id, empty otherwise."""
        known = known_documents().get(self.document)
        return known.language if known else ""


class Added(Struct, frozen=True, kw_only=True):
    """What came of loading a document.

    `links` counts the passages by status against the edition the catalogue knows, empty for a document it
    does not know; `since` does so against the edition loaded before. `assumed`: the encoding was guessed.
    `recognised` is the document it is an edition of, where its id is another or was found by its words. `cuts` counts
    the cuts taken over from the edition before, `misfits` tells those that do not fit. `again`: these words were loaded
    before; `current` is then the edition that is current, where another one was loaded later. Nothing was changed then,
    unless it is of another game now: `game` is its game, `had_game` the one that it had. `linked` counts the rules that
    people linked to it.
    """

    document: str
    language: str
    edition: str
    passages: int
    rules: int
    corrections: int
    format: str
    encoding: str
    assumed: bool
    detected: Detected | None
    links: Mapping[str, int]
    since: Mapping[str, int]
    again: bool = False
    recognised: str = ""
    cuts: int = 0
    misfits: tuple[str, ...] = ()
    current: str = ""
    game: str = ""
    had_game: str = ""
    linked: int = 0


def added(
    made: StoredEdition,
    text: Read,
    detected: Detected | None,
    links: Mapping[str, int],
    since: Mapping[str, int],
    *,
    again: bool = False,
    current: str = "",
) -> Added:
    """What came of loading this edition from that text; `again` says that it was there before."""
    book = made.rulebook
    return Added(
        document=book.document, language=book.language, edition=book.edition, passages=len(book.passages),
        rules=len(book.rules), corrections=sum(len(one.corrections) for one in book.passages),
        format=text.format, encoding=text.encoding, assumed=text.assumed, detected=detected,
        links=links, since=since, again=again, recognised=book.like, cuts=len(made.cuts) - len(made.misfits),
        misfits=tuple(f"{cut.kind} {cut.passage}: {why.said}" for cut, why in made.misfits), current=current,
        game=book.game, had_game=book.game,
    )  # fmt: skip


def recognised_book(data: bytes, name: str, loading: Loading) -> tuple[Read, Detected | None, Rulebook]:
    """The text, its language where that was detected, and the document, cut as the known one whose sentences it has.

    Raises a `RulebookError` where it cannot be read, or is another document than it is said to be.
    """
    said = loading.language or loading.known_language
    text = read(data, name, loading.encoding, said)
    language, detected = settle_language(text.text, said, name)
    like = "" if loading.although_unlinked else recognised(text.text, language)
    document = loading.document or like or slug(Path(name).stem).replace(".", "-") or "document"
    if like and document != like and document in known_documents():
        raise OtherDocumentError(name, document, like)
    return text, detected, cut(text.text, document, language, like)


def with_game(book: Rulebook, loading: Loading, earlier: Iterable[Rulebook]) -> Rulebook:
    """The document with its game and rank: as they are said, else as in the first of these editions that has one."""
    games, ranks = [loading.game], [loading.rank]
    for one in (*earlier, book):
        games.append(one.game)
        ranks.append(one.rank)
    return replace(book, game=next(filter(None, games), ""), rank=str(rank_of(next(filter(None, ranks), ""))))


def document_by_words(book: Rulebook, latest: Iterable[Rulebook]) -> str:
    """The loaded document of which most longer sentences of this one are; empty where it is of none."""
    mine = _longer_sentences(book)
    same = {one.document: len(mine & _longer_sentences(one)) for one in latest if one.language == book.language}
    best = max(same, key=lambda name: same[name], default="")
    return best if best and same[best] >= max(FEWEST, MOSTLY * len(mine)) else ""


def _longer_sentences(book: Rulebook) -> set[str]:
    texts = (one.text for passage in book.passages for one in passage.sentences)
    return {fingerprint(text) for text in texts if len(words(text)) >= SHORTEST}


def against_known(book: Rulebook) -> dict[str, int]:
    """How many passages have which status against the edition that is known; none where no edition is."""
    edition = known_edition(book.known_as)
    return statuses(compare(edition, book)) if edition else {}


def fitting(book: Rulebook) -> tuple[int, int]:
    """How many passages are those of the known edition, and how few are not."""
    counts = against_known(book)
    same = counts.get(Status.UNCHANGED.value, 0)
    return same, same - sum(counts.values())


def statuses(matches: Iterable[Matched]) -> dict[str, int]:
    """How many passages have which status."""
    counts = Counter(match.status.value for match in matches)
    return {status.value: counts[status.value] for status in Status if counts[status.value]}
