"""What becomes of links when a new edition of a document is loaded, and what it leaves to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from hashlib import blake2b

from msgspec import Struct

from audit.rulebooks.links import Matched, Status

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
