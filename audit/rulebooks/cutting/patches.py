"""What a person changed in how a document is cut: passages joined, split, under another title, or left out.

A cut is kept with the words it was made on and not with a place, so that it is made again in the next edition. Where
the words are not there any more, it does not fit, and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.rulebooks.links import ALIKE_IN_WORDS, alike
from audit.rulebooks.passages import Kind, Passage, Rulebook, fingerprint, words

START = 6
"""Words by which the beginning of the second part is found again."""


class CutKind(StrEnum):
    """What is done with a passage."""

    JOIN = "join"
    """It is one passage with the next one."""
    SPLIT = "split"
    """Its end is a passage of its own."""
    RETITLE = "retitle"
    """It, and what follows under the same title, stands under another title."""
    TITLE = "title"
    """It is no passage but the title of those that follow."""
    UNTITLE = "untitle"
    """The title above it is no title but its beginning."""
    DROP = "drop"
    """It is left out: it is no text of the document."""


class Cut(Struct, frozen=True):
    """One change: on which words, by whom and when.

    `words` are those of the passage, `more` are those of the next passage (join), of the second part (split), the new
    title (retitle), or the title that is none (untitle).
    """

    kind: CutKind
    passage: str
    words: str
    more: str = ""
    by: str = ""
    at: str = ""


class Misfit(StrEnum):
    """Why a cut cannot be made."""

    GONE = "gone"
    LAST = "last"
    OTHER_NEXT = "other-next"
    NO_WORDS = "no-words"
    NOT_ONCE = "not-once"
    NO_TITLE = "no-title"
    OTHER_TITLE = "other-title"
    NOT_FIRST = "not-first"
    NOTHING_UNDER = "nothing-under"
    ONLY_ONE = "only-one"
    LINKED = "linked"
    NO_CUT = "no-cut"

    @property
    def said(self) -> str:
        """The same in a sentence."""
        return _SAID[self]


_SAID: Mapping[Misfit, str] = {
    Misfit.GONE: "its words are not there any more",
    Misfit.LAST: "it is the last passage, there is nothing to join it with",
    Misfit.OTHER_NEXT: "another passage follows it now",
    Misfit.NO_WORDS: "the words with which the second part begins are not there",
    Misfit.NOT_ONCE: "the second part has to begin with words that stand in it once, and not first",
    Misfit.NO_TITLE: "a title has words",
    Misfit.OTHER_TITLE: "there is no such title above it",
    Misfit.NOT_FIRST: "it is not the first passage under its title",
    Misfit.NOTHING_UNDER: "nothing follows it that it could be the title of",
    Misfit.ONLY_ONE: "it is the only passage of the document",
    Misfit.LINKED: "a rule is linked to it; take the link away first",
    Misfit.NO_CUT: "there is no such cut to take back",
}


class CutError(AuditError):
    """A passage cannot be cut like this: why."""

    def __init__(self, passage: str, why: Misfit) -> None:
        super().__init__(f"{passage}: {why.said}")
        self.passage = passage
        self.why = why


class Patched(Struct, frozen=True):
    """A document with its cuts made, and those that do not fit, each with the reason."""

    book: Rulebook
    misfits: tuple[tuple[Cut, Misfit], ...] = ()


def new_cut(book: Rulebook, kind: CutKind, passage: Passage, more: str = "", by: str = "", at: str = "") -> Cut:
    """A cut of a passage as it stands; raises `CutError`.

    `more` is the new title, or words of the passage with which the second part begins.
    """
    at_end = book.passages.index(passage) + 1
    if kind is CutKind.JOIN:
        if at_end == len(book.passages):
            raise CutError(passage.id, Misfit.LAST)
        more = book.passages[at_end].text
    elif kind is CutKind.SPLIT:
        more = passage.text[_where(passage, more) :]
    elif kind is CutKind.UNTITLE:
        more = passage.heading[-1] if passage.heading else ""
    elif kind is CutKind.RETITLE and not more.strip():
        raise CutError(passage.id, Misfit.NO_TITLE)
    return Cut(kind, passage.id, passage.text, more.strip(), by, at)


def patched(book: Rulebook, cuts: Iterable[Cut]) -> Patched:
    """The document with the cuts made one after the other."""
    misfits: list[tuple[Cut, Misfit]] = []
    for cut in cuts:
        try:
            book = replace(book, passages=tuple(_MADE[cut.kind](book.passages, _found(book, cut), cut)))
        except CutError as error:
            misfits.append((cut, error.why))
    return Patched(book, tuple(misfits))


def _found(book: Rulebook, cut: Cut) -> int:
    """The number of the passage that a cut was made on: the same words, else the most alike."""
    mark = fingerprint(cut.words)
    same = [number for number, one in enumerate(book.passages) if one.fingerprint == mark]
    if same:
        return next((number for number in same if book.passages[number].id == cut.passage), same[0])
    scores = [(alike(cut.words, one.text), -number) for number, one in enumerate(book.passages)]
    score, number = max(scores, default=(0.0, 0))
    if score < ALIKE_IN_WORDS or cut.kind in (CutKind.DROP, CutKind.TITLE):
        raise CutError(cut.passage, Misfit.GONE)
    return -number


def _joined(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    if number + 1 == len(passages) or alike(cut.more, passages[number + 1].text) < ALIKE_IN_WORDS:
        raise CutError(cut.passage, Misfit.OTHER_NEXT)
    one, other = passages[number], passages[number + 1]
    kind = Kind.QUESTION if Kind.QUESTION in (one.kind, other.kind) else one.kind
    whole = replace(
        one, kind=kind, text=f"{one.text} {other.text}", read=f"{one.read}\n{other.read}",
        lines=(one.lines[0], max(one.lines[1], other.lines[1])), corrections=one.corrections + other.corrections,
        breaks=(*one.breaks, *((offset + len(one.text) + 1, line) for offset, line in other.breaks)),
        apart=one.apart and other.apart,
    )  # fmt: skip
    after = [_under(passage, (one.text, other.text), whole.text) for passage in passages[number + 2 :]]
    return [*passages[:number], whole, *after]


def _under(passage: Passage, titles: tuple[str, str], title: str) -> Passage:
    """An answer under a question that was in two parts stands under the whole question."""
    path = passage.heading
    return replace(passage, heading=(*path[:-1], title)) if path and path[-1] in titles else passage


def _split(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    passage = passages[number]
    at = _where(passage, cut.more)
    text, line = passage.text, _line_at(passage, at)
    ids = {one.id for one in passages}
    count = next(n for n in range(2, len(ids) + 3) if f"{passage.id}-{n}" not in ids)
    lines = passage.read.split("\n")
    first = replace(
        passage, text=text[:at].rstrip(), lines=(passage.lines[0], _line_at(passage, at - 1)),
        breaks=tuple(one for one in passage.breaks if one[0] < at),
        read="\n".join(lines[: _line_at(passage, at - 1) - passage.lines[0] + 1]),
        corrections=tuple(one for one in passage.corrections if one.line < line),
    )  # fmt: skip
    second = replace(
        passage, id=f"{passage.id}-{count}", key="", text=text[at:], lines=(line, passage.lines[1]),
        breaks=((0, line), *((offset - at, number) for offset, number in passage.breaks if offset > at)),
        read="\n".join(lines[line - passage.lines[0] :]),
        corrections=tuple(one for one in passage.corrections if one.line >= line),
    )  # fmt: skip
    return [*passages[:number], first, second, *passages[number + 1 :]]


def _where(passage: Passage, second: str) -> int:
    """Where in a passage the second part begins; raises `CutError` where its words do not stand in it once."""
    wanted = " ".join(second.split())
    for start in (wanted, " ".join(wanted.split()[:START])):
        count = passage.text.count(start) if start else 0
        at = passage.text.find(start)
        if count == 1 and at > 0 and words(passage.text[:at]):
            return at
    if wanted and wanted in passage.text:
        raise CutError(passage.id, Misfit.NOT_ONCE)
    raise CutError(passage.id, Misfit.NO_WORDS)


def _line_at(passage: Passage, offset: int) -> int:
    return max((line for start, line in passage.breaks if start <= offset), default=passage.lines[0])


def _retitled(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    was = passages[number].heading
    return _headed(passages, number, _end(passages, number) if was else number + 1, was, (*was[:-1], cut.more))


def _titled(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    title, was = passages[number].text, passages[number].heading
    end = next((n for n in range(number, len(passages)) if passages[n].heading != was), len(passages))
    if end == number + 1:
        raise CutError(cut.passage, Misfit.NOTHING_UNDER)
    return _dropped(_headed(passages, number, end, was, (*was, title)), number, cut)


def _untitled(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    one = passages[number]
    if not one.heading or alike(cut.more, one.heading[-1]) < ALIKE_IN_WORDS:
        raise CutError(cut.passage, Misfit.OTHER_TITLE)
    if number and passages[number - 1].heading[: len(one.heading)] == one.heading:
        raise CutError(cut.passage, Misfit.NOT_FIRST)
    title, first = one.heading[-1], one.lines[0]
    breaks = ((0, first), *((offset + len(title) + 1, line) for offset, line in one.breaks if offset))
    whole = replace(one, text=f"{title} {one.text}", breaks=breaks)
    rest = _headed(passages, number, _end(passages, number), one.heading, one.heading[:-1])
    return [*rest[:number], replace(whole, heading=rest[number].heading), *rest[number + 1 :]]


def _end(passages: Sequence[Passage], number: int) -> int:
    """The first passage after this one that does not stand under its title."""
    was = passages[number].heading
    return next((n for n in range(number, len(passages)) if passages[n].heading[: len(was)] != was), len(passages))


def _headed(
    passages: Sequence[Passage], first: int, end: int, was: tuple[str, ...], now: tuple[str, ...]
) -> list[Passage]:
    """The passages from the first up to the end with one path of titles in the place of another."""
    return [
        replace(one, heading=(*now, *one.heading[len(was) :])) if first <= n < end else one
        for n, one in enumerate(passages)
    ]


def _dropped(passages: Sequence[Passage], number: int, cut: Cut) -> list[Passage]:
    if len(passages) == 1:
        raise CutError(cut.passage, Misfit.ONLY_ONE)
    return [*passages[:number], *passages[number + 1 :]]


_MADE: Mapping[CutKind, Callable[[Sequence[Passage], int, Cut], list[Passage]]] = {
    CutKind.JOIN: _joined, CutKind.SPLIT: _split, CutKind.RETITLE: _retitled, CutKind.TITLE: _titled,
    CutKind.UNTITLE: _untitled, CutKind.DROP: _dropped,
}  # fmt: skip
