"""What becomes of links and aligned sentences when a new edition of a document is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from hashlib import blake2b
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from audit.rulebooks.known import Edition, PassageMark
from audit.rulebooks.links import Matched, Status, compare
from audit.rulebooks.passages import Rulebook, fingerprint
from audit.rulebooks.segments import Placed, Sentences, placed

_MARK = 8
"""Letters of a fingerprint that are kept of a sentence."""


def found_by_marks(known: Edition, book: Rulebook) -> Sentences:
    """The sentences of a later edition under the addresses of a known one: passage by passage, then in order."""
    there: dict[str, list[Placed]] = {}
    for sentence in placed(book).values():
        there.setdefault(sentence.passage, []).append(sentence)
    found: dict[str, Placed] = {}
    for match in compare(known, book):
        if match.before and match.after:
            parts = [sentence for passage in match.all_after for sentence in there.get(passage.id, [])]
            found.update(_paired(match.before, parts))
    sentences = [one for parts in there.values() for one in parts]
    found |= _elsewhere(known, sentences, found)
    found |= _in_gaps(list(known.homes), sentences, found)
    return {address: replace(one, known_until=known.homes[address].lines[1]) for address, one in found.items()}


def _elsewhere(known: Edition, sentences: Sequence[Placed], found: Sentences) -> dict[str, Placed]:
    """The sentences that stand word for word in a passage that is none of the known ones."""
    taken = {one.order for one in found.values()}
    free = {fingerprint(one.text)[:_MARK]: one for one in reversed(sentences) if one.order not in taken}
    lost = (one for mark in known.marks for one in mark.sentences if one.address not in found)
    return {one.address: free.pop(one.fingerprint) for one in lost if one.fingerprint in free}


def _in_gaps(addresses: Sequence[str], sentences: Sequence[Placed], found: Sentences) -> dict[str, Placed]:
    """What stands where a sentence was that is not found, between the nearest two that are.

    As many sentences as there were are those in their order. Where there are more or fewer, it was worded anew.
    """
    taken = {one.order for one in found.values()}
    more: dict[str, Placed] = {}
    before, lost = -1, list[str]()
    for address in (*addresses, None):
        if address is not None and address not in found:
            lost.append(address)
            continue
        after = found[address].order if address is not None else len(sentences)
        free = [one for one in sentences[before + 1 : max(after, 0)] if one.order not in taken]
        if len(free) == len(lost):
            more.update(zip(lost, free, strict=True))
        elif free:
            more.update({one: replace(free[0], address=one, worded_anew=True) for one in lost})
        before, lost = after, []
    return more


def _paired(mark: PassageMark, sentences: list[Placed]) -> Iterator[tuple[str, Placed]]:
    pairs = paired(mark, [fingerprint(sentence.text) for sentence in sentences])
    yield from ((address, sentences[number]) for address, number in pairs.items())


def paired(mark: PassageMark, prints: Sequence[str]) -> dict[str, int]:
    """Which sentence of a passage found again has each address: its number, by the marks of the sentences there.

    Sentences with the same words are the same. Of the others, those in one gap between two that are the same pair in
    their order, where there are as many; else those of the whole passage, where there are as many.
    """
    before = [one.fingerprint for one in mark.sentences]
    after = [print_[: len(before[0])] for print_ in prints] if before else []
    same = _in_both(before, after)
    found = dict(same)
    for (left, there), (right, here) in pairwise([(-1, -1), *same, (len(before), len(after))]):
        lost, free = range(left + 1, right), range(there + 1, here)
        if len(lost) == len(free):
            found.update(zip(lost, free, strict=True))
    lost_ = [number for number in range(len(before)) if number not in found]
    free_ = [number for number in range(len(after)) if number not in set(found.values())]
    moved = {number: free_.pop(at) for number in lost_ if (at := _place(before[number], free_, after)) is not None}
    lost_ = [number for number in lost_ if number not in moved]
    rest = dict(zip(lost_, free_, strict=True)) if len(lost_) == len(free_) else {}
    return {mark.sentences[number].address: at for number, at in sorted((found | moved | rest).items())}


def _in_both(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The sentences that kept their words and their order."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [(a + n, b + n) for a, b, size in matcher.get_matching_blocks() for n in range(size)]


def _place(wanted: str, free: Sequence[int], after: Sequence[str]) -> int | None:
    return next((at for at, number in enumerate(free) if after[number] == wanted), None)


KEPT = frozenset({Status.UNCHANGED, Status.MOVED})
"""What became of a passage whose links stand as they are."""

CALM = ""
"""A link that asks for nothing."""


class MovedLink(Struct, frozen=True):
    """Where a link of the earlier edition points now; `look` is empty, or edited, split, joined or gone."""

    passages: tuple[str, ...]
    look: str = CALM


def moved_link(passages: Iterable[str], matches: Mapping[str, Matched]) -> MovedLink:
    """A link in the later edition; `matches` are the matches by the id of the earlier passage."""
    found = [matches[id] for id in passages if id in matches]
    there = tuple(dict.fromkeys(passage.id for match in found for passage in match.all_after))
    looks = [match.status for match in found if match.status not in KEPT]
    worst = Status.GONE if Status.GONE in looks else next(iter(looks), None)
    return MovedLink(there, str(worst) if worst else CALM)


def carried(earlier: Sequence[Matched], matches: Sequence[Matched]) -> list[Matched]:
    """What an edition and the one before it leave to do together.

    A passage about which `earlier` asks something is held against the words it had when it was last read, not against
    those that nobody has looked at; one that has those words again asks for nothing.
    """
    waiting: dict[str, list[Matched]] = {}
    for match in earlier:
        for passage in match.all_after if match.status not in KEPT else ():
            waiting.setdefault(passage.id, []).append(match)
    found = [match for match in matches if match.before is None or match.before.id not in waiting]
    now = {match.before.id: match for match in matches if match.before}
    for first in dict.fromkeys(match for matched in waiting.values() for match in matched):
        found += _carried(first, [now[passage.id] for passage in first.all_after if passage.id in now])
    lost = (match for match in earlier if match.status is Status.GONE)
    there = {match.after.fingerprint for match in matches if match.after}
    return [*found, *(match for match in lost if match.before and match.before.fingerprint not in there)]


def _carried(first: Matched, later: Sequence[Matched]) -> Iterator[Matched]:
    """A change that nobody has looked at, with what became of its passages since."""
    parts = tuple(dict.fromkeys(passage for match in later for passage in match.all_after))
    changed = next((match.status for match in later if match.status not in KEPT), first.status)
    if first.before is None:
        yield from (Matched(Status.NEW, None, passage, 0.0) for passage in parts)
    elif [passage.fingerprint for passage in parts] == [first.before.fingerprint]:
        yield Matched(Status.UNCHANGED, first.before, parts[0])
    else:
        yield Matched(changed if parts else Status.GONE, first.before, parts[0] if parts else None, parts=parts)


class TaskKind(StrEnum):
    """What a new edition leaves to do."""

    LOOK = "look"
    """Words that a rule is linked to were edited, split or joined: read whether they still say it."""
    RELINK = "relink"
    """A rule has lost its passage."""
    LINK = "link"
    """A passage is new: say which rules it says, if any."""
    DISMISSAL = "dismissal"
    """A finding that was set aside is open again: its words have changed."""
    UNFOUND = "unfound"
    """A finding that was dismissed is not found any more in words that have changed since."""
    ASSIGNMENT = "assignment"
    """A finding was given to a person, and its words have changed since."""
    RULING = "ruling"
    """An official ruling bears on a rule whose words have changed."""
    CUT = "cut"
    """A cut that a person made does not fit the latest edition."""
    PUBLISHED = "published"
    """A published file quotes words that the latest edition no longer has."""


class Task(Struct, frozen=True):
    """One thing to do: on which rules and passages, what happened, and the change word by word where it is known.

    `words` are the fingerprints of its passages, before and after; `finding` is the finding that it is about, if it
    is about one; `assigned` is the person who sees to it.
    """

    kind: TaskKind
    document: str
    rules: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    why: str = ""
    change: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    assigned: str = ""
    finding: str = ""

    @property
    def id(self) -> str:
        """The same as long as the same thing is to be done on the same words."""
        parts = (str(self.kind), self.document, *self.passages, self.why, *self.words)
        rules = () if self.words else self.rules
        about = (self.finding,) if self.finding else ()
        return blake2b("\0".join((*parts, *rules, *about)).encode(), digest_size=6).hexdigest()


def edition_tasks(
    document: str, matches: Sequence[Matched], rules_of: Mapping[str, Sequence[str]], before: Mapping[str, str]
) -> Iterator[Task]:
    """What the passages of a new edition leave to do, in the order of the earlier one, the new ones last.

    `rules_of` maps the fingerprints of passages, of any edition, to the rules linked to them; `before` maps those of
    earlier passages to their words, where their edition is loaded.
    """
    for match in matches:
        old, passages = match.before, tuple(passage.id for passage in match.all_after)
        marks = (*([old.fingerprint] if old else []), *(passage.fingerprint for passage in match.all_after))
        rules = tuple(dict.fromkeys(rule for mark in marks for rule in rules_of.get(mark, ())))
        if match.status is Status.NEW:
            yield Task(TaskKind.LINK, document, rules, passages, str(match.status), (), marks)
        elif match.status not in KEPT and old and (rules or passages):
            kind = TaskKind.RELINK if match.status is Status.GONE else TaskKind.LOOK
            was, now = before.get(old.fingerprint, ""), " ".join(passage.text for passage in match.all_after)
            change = tuple(word_changes(was, now)) if was and now else ()
            yield Task(kind, document, rules, passages or (old.id,), str(match.status), change, marks)


def word_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The words of both texts in runs: `same`, `gone` and `new`."""
    old, new = before.split(), after.split()
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield "same", " ".join(old[a:b])
            continue
        yield from ((kind, " ".join(run)) for kind, run in (("gone", old[a:b]), ("new", new[c:d])) if run)
