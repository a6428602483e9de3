"""Translation QA: all checks over the aligned segments of a ruleset, as findings.

Checks look at two sides of a segment, at one side alone, or at the order of segments in two documents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from audit.core.catalogue import Catalogue
from audit.rulebooks.causes import by_cause
from audit.rulebooks.checks import concepts, shape
from audit.rulebooks.checks.references import astray
from audit.rulebooks.clauses.compare import differences
from audit.rulebooks.clauses.frames import facts
from audit.rulebooks.clauses.known_sentences import KnownSentence, known_sentences, stated_by
from audit.rulebooks.clauses.since import reworded, since_known
from audit.rulebooks.cutting import known_documents
from audit.rulebooks.findings import (
    Difference,
    Finding,
    Kind,
    Quote,
    Severity,
    Span,
    Weight,
    between,
    quote,
    with_weights,
    within,
)
from audit.rulebooks.known import known_edition
from audit.rulebooks.matrix import Matrix, Row, State
from audit.rulebooks.moving import found_by_marks
from audit.rulebooks.passages import Rulebook, words
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit, aligned, editions, placed, segments
from audit.rulebooks.terms import TermBase, term_base

STEP_KINDS = frozenset({"procedure", "timing", "obligation"})


def findings(
    package: str,
    books: Mapping[str, Rulebook],
    languages: Sequence[str] = (),
    steps: Collection[str] = (),
    weights: Mapping[str, Weight] | None = None,
) -> list[Finding]:
    """All findings on the loaded documents of a ruleset, gravest and most cited first.

    `package` is the ruleset's (`audit.games.compile`), `books` the documents by language, `languages` narrows them,
    `weights` says how many stored games and steps cite each rule.
    """
    units, base = units_of(package, books, languages), term_base(package)
    found = [*checked(units, base, steps), *since(package, books, languages), *by_cause(astray(units, books, base))]
    return with_weights(found, weights or {})


def since(package: str, books: Mapping[str, Rulebook], languages: Sequence[str] = ()) -> Iterator[Finding]:
    """What a loaded edition of a known document states otherwise than the edition that the project knows."""
    for language, known, sentences in _later_editions(package, books, languages):
        yield from since_known(known, language, sentences, term_base(package))


def worded_anew(
    package: str, books: Mapping[str, Rulebook], languages: Sequence[str] = ()
) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The sentences of later editions that were worded anew, by language, each with the rules that it said."""
    return {
        language: reworded(known, language, sentences, term_base(package))
        for language, known, sentences in _later_editions(package, books, languages)
    }


def _later_editions(
    package: str, books: Mapping[str, Rulebook], languages: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, KnownSentence], Sentences]]:
    """The documents of which the project knows another edition: language, known sentences, those of today."""
    for language, book in books.items():
        known = known_edition(book.known_as)
        if known and known.edition != book.edition and (not languages or language in languages):
            yield language, known_sentences(book.known_as), sentences_of(package, language, book)


def units_of(package: str, books: Mapping[str, Rulebook], languages: Sequence[str] = ()) -> list[Unit]:
    """The aligned segments with the words of the loaded documents, a changed edition found again."""
    documents = {
        language: sentences_of(package, language, book)
        for language, book in books.items()
        if not languages or language in languages
    }
    return aligned(segments(package), documents)


def sentences_of(package: str, language: str, book: Rulebook) -> Sentences:
    """The sentences of a document by the addresses of the edition for which the alignment holds.

    A blank line more leaves an edition the same and moves its addresses: then its sentences are found by their words.
    """
    known, there = known_edition(book.known_as), placed(book)
    is_aligned = editions(package).get(language) == book.edition
    if known is None or (is_aligned and there.keys() == known.homes.keys()):
        return there
    return found_by_marks(known, book)


def checked(units: Sequence[Unit], base: TermBase, steps: Collection[str] = ()) -> list[Finding]:
    """All findings on these units, in the order of the segments.

    `steps` are the rules that tell a step of a procedure; the order of other rules in a document means nothing.
    """
    found: list[Finding] = []
    beside = _Beside(units, base)
    for unit in units:
        found.extend(one for one in compared(unit, base) if not beside.says(one))
        for side in unit.sides.values():
            found.extend(_alone(unit.segment, side, base))
    found.extend(one_word(units, base))
    found.extend(reordered([unit for unit in units if not steps or set(unit.segment.rules) & set(steps)]))
    return by_cause(_once(found))


class _Beside:
    """What the passages say around the sentences that are compared: a text may say a thing one sentence further on."""

    def __init__(self, units: Iterable[Unit], base: TermBase) -> None:
        self._base = base
        self._sentences: dict[str, dict[str, Placed]] = {}
        for unit in units:
            for side in unit.sides.values():
                for one in side.sentences:
                    self._sentences.setdefault(one.passage, {})[one.address] = one

    def says(self, found: Finding) -> bool:
        """Whether the passage of the side that does not say a number says it elsewhere."""
        if found.kind is not Kind.NUMBER or found.code not in ("left-only", "right-only"):
            return False
        silent = found.quotes[1 if found.code == "left-only" else 0]
        (_, value), *_rest = found.data
        around = self._sentences.get(silent.passage, {}).values()
        return any(
            value in (fact.value, fact.said)
            for one in around for fact in facts(one.text, silent.language, self._base)
        )  # fmt: skip


def absent(
    table: Matrix,
    books: Mapping[str, Rulebook],
    weights: Mapping[str, Weight] | None = None,
    apart: Collection[str] = (),
) -> list[Finding]:
    """Rules that another language says and this one does not, where the document speaks of the topic.

    A rule that a document of the same kind says, or that is named in `apart`, gives a finding of its own. What only
    documents of another kind say, as the rules of a rule book that a list of questions leaves out, is told by topic.
    A rule that stored games cite misleads whoever reads that language alone.
    """
    found: list[Finding] = []
    topics: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Row]] = {}
    for row in table.rows:
        saying = tuple(code for code, cell in row.cells.items() if cell.lines and code in books)
        lacking = tuple(code for code, cell in row.cells.items() if cell.state is State.MISSING and code in books)
        if saying and lacking:
            alone = row.rule in apart or _same_kind(saying, lacking, books)
            topics.setdefault((row.rule if alone else row.topic, saying, lacking), []).append(row)
    for (_, saying, lacking), rows in topics.items():
        cited = any(row.rule in (weights or {}) for row in rows)
        found.append(_absent(rows, saying, lacking, books, Severity.MISLEADS if cited else Severity.COSMETIC))
    return with_weights(found, weights or {})


def _same_kind(saying: Iterable[str], lacking: Iterable[str], books: Mapping[str, Rulebook]) -> bool:
    known = known_documents()
    kinds = {language: known[book.known_as].kind for language, book in books.items() if book.known_as in known}
    mine = {kinds.get(language, "") for language in saying}
    return any(kinds.get(language, "") in mine for language in lacking)


def _absent(
    rows: Sequence[Row], saying: tuple[str, ...], lacking: tuple[str, ...], books: Mapping[str, Rulebook],
    grave: Severity,
) -> Finding:  # fmt: skip
    rules = tuple(row.rule for row in rows)
    data = (("of", " ".join(saying)), ("topic", rows[0].topic), ("count", str(len(rows))))
    return Finding(
        kind=Kind.MISSING, code="rule" if len(rows) == 1 else "rules", severity=grave, segment=rules[0], rule=rules[0],
        rules=rules, languages=(*saying, *lacking), data=data[: 1 if len(rows) == 1 else 3],
        quotes=tuple(_first_passage(rows[0], language, books[language]) for language in saying),
    )  # fmt: skip


def _first_passage(row: Row, language: str, book: Rulebook) -> Quote:
    lines = row.cells[language].lines[0]
    passage = next(iter(book.at(*lines)), None)
    text, name, mark = (passage.text, passage.id, passage.fingerprint) if passage else ("", "", "")
    return Quote(language, name, lines, text, (), mark)


def compared(unit: Unit, base: TermBase) -> Iterator[Finding]:
    """What any two languages of a unit say differently, and what one of them has lost.

    Where a unit stands for whole places and not for linked sentences, what one side alone says may belong to another
    rule; there only a word on one side that contradicts a word on the other is told. Of a place that was worded anew
    it is not known where the rest of it stands, and nothing is told.
    """
    whole = not unit.segment.addresses and any(len(side.sentences) > 1 for side in unit.sides.values())
    read = [side for side in unit.sides.values() if not any(one.worded_anew for one in side.sentences)]
    for one, other in combinations(read, 2):
        if one.sentences and other.sentences:
            for found in _differences(one, other, base):
                if whole and (found.code != "exchange" or _is_said_by_both(found, one, other, base)):
                    continue
                yield between(unit.id, unit.segment.rules, one, other, found)
    for side in unit.sides.values():
        if side.gone:
            yield _gone(unit, side)


def _is_said_by_both(found: Difference, one: Side, other: Side, base: TermBase) -> bool:
    """Whether a place of several sentences has the may or the must of the other side too, with another sentence."""
    values = dict(found.data)
    names = [{fact.name for fact in facts(side.text, side.language, base)} for side in (one, other)]
    return found.kind is Kind.MODALITY and (
        f"modality:{values['right']}" in names[0] or f"modality:{values['left']}" in names[1]
    )


def reordered(units: Sequence[Unit]) -> Iterator[Finding]:
    """Steps that stand in another order in another language."""
    languages = sorted({language for unit in units for language in unit.sides})
    for one, other in combinations(languages, 2):
        for first, second in shape.swapped(units, one, other):
            yield Finding(
                kind=Kind.ORDER, code="steps", severity=Severity.CHANGES, segment=first.id, rule=first.segment.rule,
                rules=(*first.segment.rules, *second.segment.rules), languages=(one, other),
                data=(("left", first.id), ("right", second.id)),
                quotes=tuple(quote(each.sides[code]) for code in (one, other) for each in (first, second)),
            )  # fmt: skip


def _differences(one: Side, other: Side, base: TermBase) -> Iterator[Difference]:
    yield from differences(one, other, base)
    yield from concepts.terms(one, other, base)
    yield from shape.untranslated(one, other)


def _alone(segment: Segment, side: Side, base: TermBase) -> Iterator[Finding]:
    for found in (
        *form_of(side),
        *concepts.definitions(side, base),
        *concepts.forbidden(side, base),
    ):
        yield within(segment.id, segment.rules, side, found)


def said_twice(units: Iterable[Unit], books: Mapping[str, Rulebook]) -> Iterator[Finding]:
    """A sentence of a rule that stands twice in a row in its passage."""
    rules = {
        (language, sentence.passage, sentence.text): unit
        for unit in units for language, side in unit.sides.items() for sentence in side.sentences
    }  # fmt: skip
    for language, book in books.items():
        for one, again in pairwise(placed(book).values()):
            unit = rules.get((language, one.passage, one.text))
            is_again = one.passage == again.passage and one.text.casefold() == again.text.casefold()
            if unit and is_again and len(words(one.text)) >= shape.FEWEST_UNTRANSLATED:
                side = Side(language, (one, again))
                spans = ((len(one.text) + 1, len(one.text) + 1 + len(again.text)),)
                found = Difference(Kind.CUT, "twice", Severity.MISLEADS, (), spans)
                yield within(unit.id, unit.segment.rules, side, found)


def form_of(side: Side) -> Iterator[Difference]:
    """What is wrong with the form of one side, whatever it says."""
    yield from shape.cut_off(side)
    yield from shape.doubled(side)
    yield from shape.unclosed(side)


def names_of(units: Iterable[Unit], package: str) -> Iterator[Finding]:
    """Names of cards that are misspelt or stand in another language."""
    for unit in units:
        for side in unit.sides.values():
            for found in concepts.misnamed(side, package):
                yield within(unit.id, unit.segment.rules, side, found)


def _gone(unit: Unit, side: Side) -> Finding:
    others = next((other for other in unit.sides.values() if other.sentences), side)
    code = "part" if side.sentences else "passage"
    severity = Severity.MISLEADS if side.sentences else Severity.CHANGES
    return Finding(
        kind=Kind.MISSING, code=code, severity=severity, segment=unit.id, rule=unit.segment.rule,
        rules=unit.segment.rules, languages=(side.language,), data=(("addresses", " ".join(side.gone)),),
        quotes=(quote(side), quote(others)),
    )  # fmt: skip


def one_word(units: Sequence[Unit], base: TermBase) -> Iterator[Finding]:
    """One family of words for two concepts that the rules keep apart: lying face up and being uncovered."""
    first: dict[tuple[str, str, str], tuple[Unit, Side, Span]] = {}
    for unit in units:
        for side in unit.sides.values():
            for mark in base.marks(side.text, side.language):
                key = (side.language, concepts.stem(mark.words), mark.marker)
                first.setdefault(key, (unit, side, (mark.start, mark.end)))
    for one, other in combinations(sorted(first), 2):
        if one[:2] == other[:2] and concepts.confusable(base, one[2], other[2]):
            yield _one_word(one[2], other[2], base, first[one], first[other])


def _one_word(
    one: str, other: str, base: TermBase, first: tuple[Unit, Side, Span], second: tuple[Unit, Side, Span]
) -> Finding:
    (unit, side, span), (_, beside, there) = first, second
    data = (("left", base[one].en), ("right", base[other].en), ("word", side.text[slice(*span)].casefold()))
    return Finding(
        kind=Kind.TERM, code="one-word", severity=Severity.MISLEADS, segment=unit.id, rule=unit.segment.rule,
        rules=unit.segment.rules, languages=(side.language,), data=data,
        quotes=(quote(side, (span,)), quote(beside, (there,))),
    )  # fmt: skip


def _once(found: Iterable[Finding]) -> list[Finding]:
    """Each finding once: what is wrong inside a sentence that two segments share is told for the first of them."""
    kept: dict[object, Finding] = {}
    for finding in found:
        inside = (finding.kind, finding.code, finding.languages, finding.data, finding.quotes[0].words)
        key = (*inside, finding.quotes[0].lines[1]) if len(finding.languages) == 1 else finding.id
        kept.setdefault(key, finding)
    return list(kept.values())


def since_earlier(
    catalogue: Catalogue, language: str, earlier: Rulebook, book: Rulebook, base: TermBase
) -> Iterator[Finding]:
    """What a document states otherwise than an earlier edition of it, sentence by sentence, where a rule is said."""
    before, now = (sentences_of(catalogue.package, language, one) for one in (earlier, book))
    said = stated_by(before, language, _rules_said(catalogue, language), base)
    yield from since_known(said, language, now, base)


def _rules_said(catalogue: Catalogue, language: str) -> Mapping[str, tuple[str, ...]]:
    """The rules that each sentence of the known edition says, by its address: those whose place is its line."""
    document = known_edition(catalogue.documents[language])
    found: dict[str, tuple[str, ...]] = {}
    for address, mark in document.homes.items() if document else ():
        line = int(address.partition(".")[0])
        near = _rules_on(catalogue, language, (line, line)) or _rules_on(catalogue, language, mark.lines)
        if near:
            found[address] = near
    return found


def _rules_on(catalogue: Catalogue, language: str, lines: tuple[int, int]) -> tuple[str, ...]:
    return tuple(
        rule.id
        for rule in catalogue
        if (place := rule.places.get(language))
        and any(first <= lines[1] and lines[0] <= last for first, last in (place.lines, *place.also_at))
    )
