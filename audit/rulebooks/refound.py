"""Finds the aligned sentences again in a changed edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from msgspec.structs import replace

from audit.rulebooks.known import Edition, PassageMark
from audit.rulebooks.links import compare
from audit.rulebooks.passages import Rulebook, fingerprint
from audit.rulebooks.segments import Placed, Sentences, placed

_ALIKE = 0.6
_FEWEST = 3
_MARK = 8
"""Letters of a fingerprint that are kept of a sentence."""


def found_again(known: Sentences, changed: Sentences) -> Sentences:
    """The sentences of a changed edition under the addresses of a known one.

    The same words in the same order are the same sentence; then the same words anywhere; of the rest, the most alike
    is taken if it is alike enough, or the only one that stands in the same gap. What is not found has no entry.
    """
    old, new = list(known.values()), list(changed.values())
    pairs = _in_order(old, new)
    for step in (_moved, _alike, _in_the_gap):
        taken = set(pairs.values())
        free = [number for number in range(len(new)) if number not in taken]
        pairs |= step(old, new, [number for number in range(len(old)) if number not in pairs], free, pairs)
    return {old[number].address: new[pairs[number]] for number in sorted(pairs)}


Pairs = dict[int, int]
_Sequence = list[Placed]


def _in_order(old: _Sequence, new: _Sequence) -> Pairs:
    matcher = SequenceMatcher(None, _prints(old), _prints(new), autojunk=False)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


def _moved(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], _: Pairs) -> Pairs:
    where = {fingerprint(new[number].text): number for number in reversed(free)}
    found = {}
    for number in lost:
        if (there := where.pop(fingerprint(old[number].text), None)) is not None:
            found[number] = there
    return found


def _alike(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], _: Pairs) -> Pairs:
    rest, found = set(free), {}
    for number in lost:
        scored = [(_likeness(old[number].text, new[there].text), -abs(number - there), there) for there in rest]
        best = max(scored, default=(0.0, 0, 0))
        if best[0] >= _ALIKE:
            found[number] = best[2]
            rest.discard(best[2])
    return found


def _in_the_gap(old: _Sequence, new: _Sequence, lost: list[int], free: list[int], pairs: Pairs) -> Pairs:
    found = {}
    for number in lost:
        before, after = pairs.get(number - 1, -2), pairs.get(number + 1, -2)
        if after == before + 2 and before + 1 in free:
            found[number] = before + 1
    return found


def _prints(sentences: _Sequence) -> list[str]:
    return [fingerprint(sentence.text) for sentence in sentences]


def _likeness(one: str, other: str) -> float:
    """The share of words in common and in order; a sentence broken off is alike to the whole of it."""
    mine, theirs = one.casefold().split(), other.casefold().split()
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    return common / max(1, min(len(mine), len(theirs))) if common >= _FEWEST else 0.0


def found_by_marks(known: Edition, book: Rulebook) -> Sentences:
    """The same where the earlier edition is not at hand but only its marks: passage by passage, then in order."""
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
