"""Translation QA over the loaded rulebooks: findings, dismissals, and exports for translators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.ruleset import ruleset
from audit.rulebooks.against import untold, without_questions
from audit.rulebooks.answers import answered_otherwise, questions_of, without_repeated
from audit.rulebooks.causes import by_cause
from audit.rulebooks.checks.references import astray
from audit.rulebooks.clauses.known_sentences import known_sentences
from audit.rulebooks.consequences import Authorities, authorities, with_consequences
from audit.rulebooks.decisions import (
    Assignment,
    DecisionError,
    DecisionFile,
    Dismissal,
    Triage,
    assigned,
    dismissed,
    reworded,
    triage,
)
from audit.rulebooks.errors import NoStatementsError, NothingLoadedError, NothingToCompareError
from audit.rulebooks.exports import entries
from audit.rulebooks.exports.csv import write_csv
from audit.rulebooks.exports.po import write_statements
from audit.rulebooks.exports.tbx import write_tbx
from audit.rulebooks.exports.tmx import write_tmx
from audit.rulebooks.exports.xliff import write_xliff
from audit.rulebooks.exports.xliff_1_2 import write_xliff_1_2
from audit.rulebooks.findings import Finding, Kind, Quote, Weight, quote, with_weights, with_words_gone
from audit.rulebooks.linked import (
    LinkedDocument,
    linked_findings,
    linked_sayings,
    linked_units,
    named,
    with_linked,
)
from audit.rulebooks.matrix import Compared, Matrix, Pair, by_place, matrix, pairs_compared
from audit.rulebooks.new_faults import told_once
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import (
    STEP_KINDS,
    absent,
    checked,
    names_of,
    said_twice,
    sentences_of,
    since,
    since_earlier,
    units_of,
    worded_anew,
)
from audit.rulebooks.segments import Unit
from audit.rulebooks.source import Coverage, against_source, left_out
from audit.rulebooks.statements import Saying, sayings
from audit.rulebooks.terms import TermBase
from audit.rulebooks.witness import against_statements
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.loaded import earlier_edition, earlier_editions, further_editions, latest_editions, linked_books
from replays.rulebooks.own_words import own_statements, own_terms

Weights = Mapping[str, Weight]
CARDS = "cards"
"""The topic of notes on single cards: a document without any lacks them together."""


class TranslationQA:
    """Translation QA of one game: the loaded rulebooks and the findings in them."""

    def __init__(
        self,
        game: str,
        catalogue: Catalogue,
        languages: Sequence[str] = (),
        weights: Weights | None = None,
        books: Mapping[str, Rulebook] | None = None,
        *,
        compare_only: bool = False,
        source: str = "",
    ) -> None:
        """Raises `NothingToCompareError` for a language in which the game has no document.

        `books` are the documents by language; by default those that are loaded, the latest editions. With
        `compare_only` nothing is told that only the record of a known edition shows. `source` names the document, by
        its language or its id, that the others are translations of.
        """
        self.compare_only = compare_only
        self.game = game
        self.catalogue = catalogue
        self.languages = list(languages)
        self.weights = dict(weights or {})
        self.books = latest_editions(catalogue) if books is None else dict(books)
        self.linked = named(self.books, linked_books(game, catalogue, self.books))
        offered = {
            *catalogue.documents,
            *chain.from_iterable(one.called for one in self.linked),
        }
        asked = [*languages, *([source] if source else [])]
        if wanted := [language for language in asked if language not in offered]:
            raise NothingToCompareError(game, [*catalogue.documents, *(one.name for one in self.linked)], wanted)
        self.source = _called(self, source)
        self.units = units_of(catalogue.package, self.books, self.languages) if self.is_translated else []
        self.sentences = {code: sentences_of(catalogue.package, code, book) for code, book in self.books.items()}
        self.units += by_place(catalogue, self.sentences, _not_aligned(self))
        self.dismissals = DecisionFile(rulebooks_folder() / f"{game}.dismissals.jsonl", Dismissal)
        self.assignments = DecisionFile(rulebooks_folder() / f"{game}.assignments.jsonl", Assignment)

    @property
    def names(self) -> list[str]:
        """The documents that take part, each by its language, or by its id where a language has two."""
        return [*self.books, *(one.name for one in self.linked)]

    @property
    def is_translated(self) -> bool:
        """The game has several documents, published ones or such as people linked."""
        return len(self.catalogue.documents) + len(self.linked) > 1

    @property
    def not_loaded(self) -> dict[str, str]:
        """The documents that were asked for and are not loaded, by language."""
        wanted = self.languages or list(self.catalogue.documents)
        documents = self.catalogue.documents
        return {code: documents[code] for code in wanted if code in documents and code not in self.books}

    @property
    def not_compared(self) -> list[StoredEdition]:
        """The latest editions of further documents of the game of which nobody has linked a passage to a rule."""
        linked = {one.book.known_as for one in self.linked}
        return [one for one in further_editions(self.game, self.books) if one.rulebook.known_as not in linked]

    @cached_property
    def linked_asked(self) -> list[LinkedDocument]:
        """The further documents that are compared: those that are asked for."""
        return [one for one in self.linked if not self.languages or {*one.called} & {*self.languages}]

    def asked(self) -> list[str]:
        """The names of the loaded documents that are asked for."""
        known = [code for code in self.books if not self.languages or code in self.languages]
        return [*known, *(one.name for one in self.linked_asked)]

    def exchanged(self) -> list[Unit]:
        """What translators get: the aligned sentences, and the passages that people linked, rule by rule."""
        return [*self.units, *linked_units(self.linked_asked, self.units, self.catalogue)]

    def findings(self) -> list[Finding]:
        """Every divergence, the heaviest first; with a source also what the source says and another leaves out.

        Raises `NothingToCompareError` for a game of one document of which no earlier edition is loaded.
        """
        return self._ranked(self._told())

    def gaps(self) -> list[Finding]:
        """The rules that only some of the documents say, each rule or topic once: what the matrix shows at a glance.

        None with a source: what it says and another leaves out is a finding then.
        """
        return self._ranked(self._gaps)

    def _told(self) -> list[Finding]:
        earlier = [*self._since_earlier()] if not self.compare_only else []
        if not self.is_translated and self._earlier:
            return earlier
        self.needs_translations()
        return [*self._between_documents(), *earlier]

    def _since_earlier(self) -> Iterator[Finding]:
        """What documents of which no record is kept say otherwise than an edition of them that was loaded before."""
        for language, before in self._earlier.items():
            if not self.languages or language in self.languages:
                yield from since_earlier(self.catalogue, language, before, self.books[language], self.base)

    @cached_property
    def _earlier(self) -> Mapping[str, Rulebook]:
        """The edition with which the latest one is compared, by language, of documents without a record."""
        documents = self.catalogue.documents
        unrecorded = {code: book for code, book in self.books.items() if not known_sentences(documents[code])}
        found = {code: earlier_edition(book) for code, book in unrecorded.items()}
        return {code: before for code, before in found.items() if before}

    def _between_documents(self) -> list[Finding]:
        steps = {rule.id for rule in self.catalogue if rule.kind in STEP_KINDS}
        base = self.base
        found = [*checked(self.units, base, steps), *names_of(self.units, self.catalogue.package)]
        found += by_cause(astray(self.units, self.books, base))
        found += said_twice(self.units, self.books)
        found += linked_findings(self.linked, self.units, self.catalogue, self.sentences, base, self.languages)
        said = self.all_sayings()
        answered = list(answered_otherwise(questions_of(self.catalogue.package), said, base))
        found = [*without_repeated(found, answered), *answered]
        found += untold(against_statements(said, self.catalogue, base), found)
        if not self.compare_only:
            found = without_questions(found, worded_anew(self.catalogue.package, self.books, self.languages))
            newer = since(self.catalogue.package, self.books, self.languages)
            found = told_once(found, newer, self.sentences, base)
        found = [with_words_gone(one, _words_gone(self, one)) for one in found]
        return [*against_source(found, self.source), *_left_out(self)] if self.source else found

    @cached_property
    def _gaps(self) -> list[Finding]:
        if self.source:
            return []
        known = self._authorities
        apart = {rule for _, about, _ in known.switches for rule in about} | known.rulings.keys()
        apart -= {rule.id for rule in self.catalogue if rule.topic == CARDS}
        books = {**self.books, **{one.name: one.book for one in self.linked_asked}}
        return absent(self.matrix(), books, self.weights or None, apart)

    def _ranked(self, found: Sequence[Finding]) -> list[Finding]:
        return with_consequences(with_weights(found, self.weights), self._authorities)

    @cached_property
    def _authorities(self) -> Authorities:
        return authorities(self.catalogue, ruleset(self.game).rules.switches)

    def all_sayings(self) -> list[Saying]:
        """What the documents that are compared say of each rule, place by place."""
        wanted = {code: there for code, there in self.sentences.items() if not self.languages or code in self.languages}
        return [*sayings(self.units, self.catalogue, wanted), *linked_sayings(self.linked_asked)]

    def compared(self) -> Compared:
        """How many pairs of languages that both say a rule were compared, and which were not."""
        return pairs_compared(self._published(self.catalogue.documents), self.units)

    def matrix(self) -> Matrix:
        """Which rule which document says: said, implied, missing, extra, and passages without a rule.

        Beside documents that people linked, a published one has a column where it is loaded.
        """
        documents = self.catalogue.documents
        if not self.linked_asked:
            return self._published(documents)
        loaded = {code: document for code, document in documents.items() if code in self.books}
        return with_linked(self._published(loaded), self.catalogue, self.linked_asked)

    def _published(self, documents: Mapping[str, str]) -> Matrix:
        return matrix(self.catalogue, documents, self.books, self.languages, self.units)

    def triage(self, *, gaps: bool = False) -> Triage:
        """What is open and who sees to it, what was dismissed, what lapsed because a text has changed since.

        With `gaps` the rules that only some documents say are among what is open.
        """
        pairs = self.compared()
        listed = self._ranked([*self._told(), *self._gaps])
        kept = self.dismissals.load()
        unfound = {id: one for id, one in kept.items() if id not in {each.id for each in listed}}
        lost = reworded(unfound.values(), _marks(self) if unfound else {})
        found = triage(listed, kept, self.assignments.load(), lost)
        found = replace(found, compared=len(pairs.done), left_out=pairs.left_out)
        if gaps:
            return found
        unlisted = {one.id for one in self._gaps}
        listed_here = tuple(one for one in found.open if one.id not in unlisted)
        return replace(found, open=listed_here, gaps=sum(len(one.rules) for one in self._gaps))

    def needs(self, documents: int) -> None:
        """Raises `NothingLoadedError` where fewer documents are loaded of those that are asked for."""
        if len(self.asked()) < documents:
            raise NothingLoadedError(self.game, self.not_loaded)

    def needs_translations(self) -> None:
        """Raises `NothingToCompareError` where the game is published in one language."""
        if not self.is_translated:
            raise NothingToCompareError(self.game, list(self.catalogue.documents))

    @cached_property
    def base(self) -> TermBase:
        """The terms, as they were edited last."""
        return own_terms(self.game, self.catalogue.package)


def set_aside(qa: TranslationQA, finding: str, reason: str, author: str) -> None:
    """Set a finding aside; raises `DecisionError` where there is none of that id."""
    qa.dismissals.add(dismissed(_finding_of(qa, finding), reason, author))


def give(qa: TranslationQA, finding: str, to: str, by: str) -> None:
    """Give a finding to a person, or with `-` to nobody; raises `DecisionError` where there is none of that id."""
    if to.strip() == "-":
        qa.assignments.withdraw(finding)
    else:
        qa.assignments.add(assigned(_finding_of(qa, finding), to, by))


def decisions_on(qa: TranslationQA, finding: str) -> tuple[Dismissal | None, Assignment | None]:
    """What was decided about a finding: its dismissal, and the person it was given to."""
    return qa.dismissals.load().get(finding), qa.assignments.load().get(finding)


def exchange_file(qa: TranslationQA, form: str, words: str) -> bytes:
    """The linked passages, the terms or our own statements, in a format of the trade.

    Raises `NothingLoadedError` where passages are asked for and no document is loaded.
    """
    if form == "po":
        source = (*qa.languages, "fr")[0]
        if source not in LANGUAGES:
            raise NoStatementsError(source)
        ours, theirs = (own_statements(qa.game, qa.catalogue, language) for language in ("en", source))
        return write_statements(ours, theirs, source, qa.game)
    qa.needs_translations()
    if form == "tbx":
        return write_tbx(qa.base, qa.game)
    qa.needs(1)
    listed = entries(qa.exchanged(), qa.triage().open, words)
    codes = {one.name for one in qa.linked_asked if one.name == one.book.language}.union(qa.books)
    if form == "tmx":
        return write_tmx(listed, [name for name in qa.asked() if name in codes])
    if form.startswith("xliff"):
        wanted = dict.fromkeys([*qa.languages, *qa.asked(), *qa.catalogue.documents])
        source, target = [name for name in wanted if name in codes or name in qa.catalogue.documents][:2]
        return (write_xliff if form == "xliff" else write_xliff_1_2)(listed, source, target, qa.game)
    return write_csv(listed, qa.asked())


def _finding_of(qa: TranslationQA, id: str) -> Finding:
    one = next((found for found in (*qa.findings(), *qa.gaps()) if found.id == id), None)
    if one is None:
        raise DecisionError(f"there is no finding {id}")
    return one


def _not_aligned(qa: TranslationQA) -> list[Pair]:
    """The pairs of languages without linked sentences; but a sentence that is gone is told as missing."""
    sides = [(unit, side) for unit in qa.units for side in unit.sides.values() if side.gone]
    gone = {(rule, side.language) for unit, side in sides for rule in unit.segment.rules}
    return [pair for pair in qa.compared().left_out if gone.isdisjoint((pair[0], code) for code in pair[1:])]


def _called(qa: TranslationQA, source: str) -> str:
    """The name under which the source is compared; it is compared whatever languages were asked for.

    Raises `NothingLoadedError` where it is none of the documents that are loaded.
    """
    if not source:
        return ""
    linked = [one.name for one in qa.linked if source in one.called]
    name = source if source in qa.books else next(iter(linked), "")
    if not name:
        raise NothingLoadedError(qa.game, {source: qa.catalogue.documents[source]})
    if qa.languages and name not in qa.languages:
        qa.languages.append(name)
    return name


def _left_out(qa: TranslationQA) -> Iterator[Finding]:
    """What the source says and another document that is compared leaves out."""
    spoken = {code: {rule.topic for rule in qa.catalogue if code in rule.places} for code in qa.books}
    said: dict[str, dict[str, Quote]] = {name: {} for name in qa.names}
    for one in qa.all_sayings():
        for rule in (*one.rules, *one.beside):
            said[one.document].setdefault(rule, replace(quote(one.side), language=one.document))
    unsaid = {one.name: one.unsaid for one in qa.linked}
    for code, topics in spoken.items():
        lacking = (rule for rule in qa.catalogue if rule.topic in topics and code not in rule.places)
        unsaid[code] = frozenset(rule.id for rule in lacking)
    every = {name: Coverage(name, said[name], unsaid[name]) for name in qa.names if said[name]}
    if source := every.pop(qa.source, None):
        yield from left_out(source, list(every.values()), qa.catalogue)


def _words_gone(qa: TranslationQA, one: Finding) -> list[str]:
    """The words of a sentence that is gone, where an earlier edition that has them is loaded."""
    language, addresses = one.languages[0], dict(one.data).get("addresses", "").split()
    if one.kind is not Kind.MISSING or not addresses or language not in qa.books:
        return []
    found: dict[str, str] = {}
    for before in earlier_editions(qa.books[language]):
        there = sentences_of(qa.catalogue.package, language, before)
        found |= {address: there[address].text for address in addresses if address in there}
    return [found[address] for address in addresses if address in found]


def _marks(qa: TranslationQA) -> Mapping[str, set[str]]:
    """The marks of the words that are compared, by document: of sentences side by side and of whole passages."""
    books = {**qa.books, **{one.name: one.book for one in qa.linked_asked}}
    found = {name: {passage.fingerprint for passage in books[name].passages} for name in qa.asked()}
    sides = [(code, side) for unit in qa.units for code, side in unit.sides.items()]
    for code, side in (*sides, *((one.document, one.side) for one in qa.all_sayings())):
        if code in found:
            found[code].add(side.fingerprint)
    return found
