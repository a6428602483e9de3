"""Documents that people linked to the rules, beside those that the project knows: each is compared with every other.

The passages that a person linked to a rule are held against what each other document says of that rule. A passage may
say more than the rule, and its language may have no terms here: only a word that contradicts another is told.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Catalogue, Rule
from audit.rulebooks.causes import by_cause, with_quotes
from audit.rulebooks.clauses.compare import Facts, opposites
from audit.rulebooks.clauses.frames import CLAUSE_END, NEAR, facts
from audit.rulebooks.clauses.same_meaning import in_another_order
from audit.rulebooks.clauses.together import BEGINS, OPPONENT
from audit.rulebooks.findings import Difference, Finding, Kind, Span, between
from audit.rulebooks.matrix import Cell, Matrix, Row, State, at_place
from audit.rulebooks.passages import Passage, Rulebook
from audit.rulebooks.qa import compared
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit, placed
from audit.rulebooks.statements import Saying, is_of_another_rule, says_so
from audit.rulebooks.terms import TermBase

LINKED = "@linked"
"""How the id of a unit of linked documents ends."""
_OPPOSITE_TIMES = ({"before", "after"}, {"together", "in-turn"})
"""Words of time that contradict each other whatever else the two texts speak of."""
_OWN = frozenset({"whose:own", "actor:owner", "side:own-side"})
_BRIEF = 4
"""Words of a clause that has no verb."""


class LinkedDocument(Struct, frozen=True):
    """A loaded document and the passages that people linked to each rule.

    `name` is its language, or what the document is called where another one of that language is compared. `unsaid` has
    the rules of which a person answered that the document does not say them.
    """

    name: str
    book: Rulebook
    passages: Mapping[str, tuple[str, ...]]
    unsaid: frozenset[str] = frozenset()

    @property
    def called(self) -> tuple[str, str, str]:
        """Under which names it can be asked for."""
        return self.name, self.book.language, self.book.document

    def side(self, rule: str) -> Side:
        """What it says of a rule."""
        wanted = set(self.passages.get(rule, ()))
        there = (one for one in placed(self.book).values() if one.passage in wanted)
        return Side(self.book.language, tuple(there))

    def cell(self, rule: str) -> Cell:
        """What it does with a rule, as people answered, and on which lines."""
        if rule in self.unsaid:
            return Cell(State.MISSING)
        spans = tuple(self.book[passage].lines for passage in self.passages.get(rule, ()))
        return Cell(State.SAID, spans) if spans else Cell(State.UNANSWERED)

    def unlinked(self) -> tuple[Passage, ...]:
        """The passages that nobody linked to a rule."""
        linked = {passage for places in self.passages.values() for passage in places}
        return tuple(one for one in self.book.rules if one.id not in linked)

    def beside(self, rule: str) -> frozenset[str]:
        """The other rules that people linked to a passage of this one."""
        there = frozenset(self.passages.get(rule, ()))
        return frozenset(each for each, places in self.passages.items() if each != rule and there & {*places})


def named(
    books: Mapping[str, Rulebook], linked: Iterable[tuple[Rulebook, Mapping[str, tuple[str, ...]]]]
) -> list[LinkedDocument]:
    """The linked documents, each called by its language where no other document has it.

    Of each document `linked` has the answers by rule: the passages that say it, or none where it does not say it.
    """
    found: list[LinkedDocument] = []
    taken = set(books)
    for book, answers in linked:
        name = book.language if book.language not in taken else book.document
        taken.add(name)
        passages = {rule: link for rule, link in answers.items() if link}
        found.append(LinkedDocument(name, book, passages, frozenset(answers.keys() - passages.keys())))
    return found


def with_linked(table: Matrix, rules: Iterable[Rule], documents: Sequence[LinkedDocument]) -> Matrix:
    """The matrix with a column for each of these documents, and a row for each further rule that one of them says."""
    there = {row.rule: row for row in table.rows}
    said = {rule for one in documents for rule in one.passages}
    rows = []
    for rule in rules:
        if rule.id in there or rule.id in said:
            cells = there[rule.id].cells if rule.id in there else dict.fromkeys(table.languages, Cell(State.OUTSIDE))
            if rule.id in said:
                cells = {code: _said_elsewhere_too(cell) for code, cell in cells.items()}
            rows.append(Row(rule.id, rule.topic, {**cells, **{one.name: one.cell(rule.id) for one in documents}}))
    unlinked = {**table.unlinked, **{one.name: one.unlinked() for one in documents}}
    return Matrix((*table.languages, *(one.name for one in documents)), tuple(rows), unlinked)


def _said_elsewhere_too(cell: Cell) -> Cell:
    return Cell(State.SAID, cell.lines) if cell.state is State.EXTRA else cell


def linked_units(documents: Sequence[LinkedDocument], known: Sequence[Unit], rules: Iterable[Rule]) -> list[Unit]:
    """The passages of these documents rule by rule, with the sentences of known documents that say it: for translators.

    Rules that the same passages say are one unit.
    """
    found: dict[Hashable, Unit] = {}
    for rule in (rule.id for rule in rules if any(one.passages.get(rule.id) for one in documents)):
        sides = {**_aligned(rule, known), **{one.name: one.side(rule) for one in documents}}
        sides = {name: side for name, side in sides.items() if side.sentences}
        places = tuple((name, side.text) for name, side in sides.items())
        mine = found[places].segment.rules if places in found else ()
        found[places] = Unit(Segment(f"{(*mine, rule)[0]}{LINKED}", (*mine, rule), {}), sides)
    return [one for one in found.values() if not any(_holds(other, one) for other in found.values())]


def _aligned(rule: str, units: Iterable[Unit]) -> dict[str, Side]:
    """The aligned sentences of known documents that say a rule."""
    found: dict[str, dict[str, Placed]] = {}
    for unit in units:
        if rule in unit.segment.rules:
            for language, side in unit.sides.items():
                found.setdefault(language, {}).update({one.address: one for one in side.sentences})
    return {language: Side(language, tuple(there.values())) for language, there in found.items()}


def _holds(larger: Unit, one: Unit) -> bool:
    """Whether all sides of a unit stand in another one that has more."""
    texts = {name: side.text for name, side in larger.sides.items()}
    return len(texts) > len(one.sides) and all(texts.get(name) == side.text for name, side in one.sides.items())


def linked_findings(
    documents: Sequence[LinkedDocument],
    units: Sequence[Unit],
    catalogue: Catalogue,
    known: Mapping[str, Sentences],
    base: TermBase,
    languages: Collection[str] = (),
) -> list[Finding]:
    """What the linked documents say otherwise than the known ones and than each other, one finding a cause.

    `known` has the sentences of the known documents by language, `languages` narrows what is compared.
    """
    wanted = [one for one in documents if not languages or {*one.called} & {*languages}]
    others = [code for code in known if not languages or code in languages]
    found = by_sides(
        found
        for rule in dict.fromkeys(rule for one in wanted for rule in one.passages if rule in catalogue.rules)
        for found in _of_rule(rule, wanted, _said(rule, units, catalogue, known, others), base, catalogue)
    )
    return each_once(_one_of_each_word(by_cause(found)))


def _one_of_each_word(found: Iterable[Finding]) -> list[Finding]:
    """One finding for the same words of a linked document: "at least 4" against "fewer than 5" and "5 or more"."""
    kept: dict[Hashable, Finding] = {}
    for one in sorted(found, key=lambda one: -len(one.languages)):
        said = one.quotes[-1]
        words = (one.segment, one.kind, said.language, said.lines, said.marks)
        kept[words] = with_quotes(kept[words], one) if words in kept else one
    return list(kept.values())


def _of_rule(
    rule: str, documents: Sequence[LinkedDocument], known: Mapping[str, Side], base: TermBase, catalogue: Catalogue
) -> Iterator[Finding]:
    linked = {one.name: side for one in documents if (side := one.side(rule)).sentences}
    beside = {one.name: one.beside(rule) for one in documents}
    for one, other in combinations([*known, *linked], 2):
        if other in linked:
            sides = {one: known[one] if one in known else linked[one], other: linked[other]}
            for found in _contradictions(Unit(Segment(f"{rule}{LINKED}", (rule,), {}), sides), base):
                others = [beside.get(name, frozenset()) for name in sides]
                if says_so(catalogue, rule, found, base) or is_of_another_rule(catalogue, rule, found, others, base):
                    continue
                quotes = tuple(replace(quote, language=name) for quote, name in zip(found.quotes, sides, strict=True))
                yield replace(found, languages=tuple(sides), quotes=quotes)


def _contradictions(unit: Unit, base: TermBase) -> Iterator[Finding]:
    """A word on one side that contradicts a word on the other; what one side alone says tells nothing here."""
    found = [one for one in compared(unit, base) if one.code == "exchange" and one.kind is not Kind.TERM]
    one, other = unit.sides.values()
    mine, theirs = (facts(side.text, side.language, base) for side in (one, other))
    if len(one.sentences) <= 2 and len(other.sentences) == 1:
        kinds = {each.kind for each in found}
        more = (each for each in opposites(mine, theirs) if each.kind not in kinds)
        found += [between(unit.id, unit.segment.rules, one, other, each) for each in more]
    found += [between(unit.id, unit.segment.rules, one, other, each) for each in _in_another_order(one, other, base)]
    denies = any(_denies_the_rest(side.text, said) for side, said in ((one, mine), (other, theirs)))
    return (
        each for each in found
        if not _fit_together(each, mine, theirs) and not (denies and {"may", "cannot"} == {*dict(each.data).values()})
    )  # fmt: skip


def _in_another_order(one: Side, other: Side, base: TermBase) -> list[Difference]:
    """What a sentence of one side tells in another order than one of the other side."""
    found = []
    for mine, theirs in product(one.sentences, other.sentences):
        left, right = facts(mine.text, one.language, base), facts(theirs.text, other.language, base)
        found += [
            replace(each, left=_moved(each.left, one, mine), right=_moved(each.right, other, theirs))
            for each in in_another_order(left, right, base)
        ]
    return found[:1]


def _moved(spans: Iterable[Span], side: Side, sentence: Placed) -> tuple[Span, ...]:
    """Places in a sentence as places in all the words of its side."""
    before = side.sentences[: side.sentences.index(sentence)]
    at = sum(len(each.text) + 1 for each in before)
    return tuple((start + at, end + at) for start, end in spans)


def _denies_the_rest(text: str, found: Facts) -> bool:
    """Whether a text allows one thing and denies another in a clause without a verb: "the place, never the side"."""
    allowed = [fact.end for fact in found if fact.name == "modality:may"]
    for fact in found:
        if fact.name == "negation:not" and any(end < fact.start for end in allowed):
            begins = max((match.end() for match in CLAUSE_END.finditer(text, 0, fact.start)), default=0)
            clause = CLAUSE_END.split(text[begins:], maxsplit=1)[0]
            if begins > allowed[0] and len(clause.split()) <= _BRIEF:
                return True
    return False


def _fit_together(found: Finding, mine: Facts, theirs: Facts) -> bool:
    """Whether both can be true, although one word is the opposite of the other."""
    said = dict(found.data)
    names = {fact.name for side in (mine, theirs) for fact in side}
    if found.kind is Kind.QUANTITY:
        return {said["left"], said["right"]} == {"all", "each"}
    if found.kind is Kind.PLACE:
        return "term:reveal" in names
    if found.kind is Kind.TIME:
        every = [*mine, *theirs]
        first = {fact.name for fact in every if fact.slot == "time" and fact.start < BEGINS}
        fronted = "time:after" in first and "time:before" not in first
        return fronted or "time:first" in names or {said["left"], said["right"]} not in _OPPOSITE_TIMES
    if found.kind is Kind.MODALITY:
        return any(_is_conditional(side) for side in (mine, theirs)) or _of_others(mine, theirs)
    return found.kind is Kind.ACTOR and _of_others(mine, theirs)


def _is_conditional(side: Facts) -> bool:
    """Whether a modal word has a limit, a condition or an aim: "may only", "cannot unless", "even if one cannot"."""
    names = {fact.name for fact in side}
    if {"modality:may", "condition:so-that"} <= names:
        return True
    if {"modality:may", "quantity:only"} <= names or {"modality:cannot", "exception:except"} <= names:
        return True
    conditions = [fact for fact in side if fact.slot == "condition"]
    modal = [fact for fact in side if fact.slot == "modality"]
    return any(0 <= one.start - condition.end <= NEAR for one in modal for condition in conditions)


def _of_others(mine: Facts, theirs: Facts) -> bool:
    """Whether one side allows for one's own what the other forbids for the opponent's."""
    for one, other in ((mine, theirs), (theirs, mine)):
        allows, forbids = {fact.name for fact in one}, {fact.name for fact in other}
        if "modality:may" in allows and allows & _OWN and "modality:cannot" in forbids and forbids & OPPONENT:
            return not forbids & _OWN
    return False


def _said(
    rule: str, units: Iterable[Unit], catalogue: Catalogue, known: Mapping[str, Sentences], languages: Iterable[str]
) -> dict[str, Side]:
    """What each known document says of a rule: its aligned sentences, or those where the catalogue has the rule."""
    found = _aligned(rule, units)
    places = catalogue[rule].places
    sides = {}
    for language in languages:
        if language in found and found[language].sentences:
            sides[language] = found[language]
        elif language in places and not places[language].implied:
            sides[language] = at_place(places[language], language, known[language])
    return {language: side for language, side in sides.items() if side.sentences}


def linked_sayings(documents: Iterable[LinkedDocument]) -> list[Saying]:
    """The linked passages with the rules that people linked them to."""
    found: list[Saying] = []
    for one in documents:
        rules: dict[str, list[str]] = {}
        for rule, passages in one.passages.items():
            for passage in passages:
                rules.setdefault(passage, []).append(rule)
        sentences: dict[str, list[Placed]] = {}
        for sentence in placed(one.book).values():
            sentences.setdefault(sentence.passage, []).append(sentence)
        found += [
            Saying(one.name, tuple(rules[name]), Side(one.book.language, tuple(there)), known=False)
            for name, there in sentences.items() if name in rules
        ]  # fmt: skip
    return found


__all__ = ["LinkedDocument", "linked_findings", "linked_sayings", "linked_units", "named", "with_linked"]


TURNED = "turned"


def by_sides(found: Iterable[Finding]) -> list[Finding]:
    """The findings with those on the order of two steps of a rule joined: who has one first, and who the other."""
    groups: dict[Hashable, list[Finding]] = {}
    for number, one in enumerate(found):
        groups.setdefault(one.segment if one.code == TURNED else number, []).append(one)
    return [one for group in groups.values() for one in _two_sides(group)]


def _two_sides(group: Sequence[Finding]) -> list[Finding]:
    """The group as one finding, where each of its documents stands on one of two sides."""
    first = group[0]
    if first.code != TURNED:
        return [*group]
    side = dict(zip(first.languages, (True, False), strict=True))
    for one in group[1:]:
        left, right = one.languages
        is_first = side.get(left, not side[right] if right in side else True)
        if side.setdefault(left, is_first) == side.setdefault(right, not is_first):
            return [*group]
    quotes = {quote.language: quote for one in reversed(group) for quote in one.quotes}
    mine = [name for name in side if side[name]]
    languages = (*mine, *(name for name in side if not side[name]))
    data = (*first.data, ("of", " ".join(mine)))
    return [replace(first, languages=languages, data=data, quotes=tuple(quotes[name] for name in languages))]


def each_once(found: Sequence[Finding]) -> list[Finding]:
    """The findings of which something is not told by one that more documents take part in.

    What six cards in one text are to the five of most is told; what they are to the four of a third one is not.
    """
    kept: list[Finding] = []
    for one in sorted(found, key=lambda each: -len(each.languages)):
        mine = _places(one)
        told = [number for number, other in enumerate(kept) if mine & _places(other)]
        if mine <= frozenset[Hashable]().union(*(_places(kept[number]) for number in told)):
            first = kept[told[0]]
            kept[told[0]] = replace(with_quotes(first, one), rules=tuple(dict.fromkeys([*first.rules, *one.rules])))
        else:
            kept.append(one)
    return sorted(kept, key=lambda one: [each.segment for each in found].index(one.segment))


def _places(found: Finding) -> frozenset[Hashable]:
    """The words that a finding is about; of the order of steps the texts, whichever of their words tell it."""
    return frozenset(
        (found.kind, quote.language, quote.lines, () if found.kind is Kind.ORDER else quote.marks)
        for quote in found.quotes
    )
