"""Lines about loaded rulebooks, as the commands print them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from audit.core.typed_setup import count_noun
from commands.common import say

if TYPE_CHECKING:
    from audit.rulebooks.linking import Answer
    from audit.rulebooks.passages import Passage, Rulebook
    from replays.log.output import RulebookTold
    from replays.rulebooks.editions import StoredEdition
    from replays.rulebooks.loading import Added


_PACKED = frozenset({"docx", "odt", "pdf"})
"""Formats that are no text in an encoding."""


def unmeasured(language: str) -> str:
    return f"proposals were never measured in {language}: none is certain, so read each passage before you link it"


def given_line(id: str, to: str, by: str) -> str:
    """What was done with a finding or a task that was given to a person, or with `-` to nobody."""
    return f"{id}: nobody has it" if to.strip() == "-" else f"{id}: given to {to.strip()} by {by}"


def answered(answers: Iterable[Answer], book: Rulebook, rule: str | None) -> list[str]:
    """A line for each rule, the least certain first, and one for each passage that may say it."""
    said = []
    for one in answers:
        if rule in (None, one.rule):
            said.append(f"{one.rule}  {'said' if one.is_said else 'not said'}, certain to {one.certainty:.0%}")
            said += [f"  {chance:.2f}  {passage}  {book[passage].text[:70]}" for passage, chance in one.passages]
    return said


def said_of(added: Added) -> list[str]:
    from audit.rulebooks.linking import MEASURED

    said = [
        f"{added.document}: {count_noun(added.passages, 'passage')}, edition {added.edition}, {added.language}"
        + (" (already loaded)" if added.again else ""),
        f"read as {added.format.upper() if added.format in _PACKED else added.encoding}"
        + (" (assumed: nothing in the file says so)" if added.assumed else ""),
    ]
    if added.current:
        said.append(f"it is an earlier edition, and {added.current}, loaded later, stays the current one")
        gone = f"audit rulebook remove {added.document} --edition {added.current}"
        said.append(f"to go back to it, remove what was loaded after it: {gone}")
    if added.recognised:
        said.append(f"recognised by its sentences as an edition of {added.recognised}: its links hold")
        if added.recognised == added.document:
            said.append("if it is another document, remove this edition and load it with --as and another name")
    if added.game != added.had_game:
        said.append(f"it is a document of {added.game} now")
    elif not added.game:
        said.append(f"of no game yet; load it again with: --as {added.document} --game GAME")
    if added.corrections:
        see = f"audit rulebook show {added.document} --as-read"
        said.append(f"{count_noun(added.corrections, 'correction')} of the scan; see them with: {see}")
    if added.links:
        said.append(f"against the known edition: {counts(added.links)}")
    elif not added.linked:
        said.append(f"no rule is linked to it yet; see proposals with: audit rulebook link {added.document} --propose")
        if added.language not in MEASURED:
            said.append(unmeasured(added.language))
    if added.cuts or added.misfits:
        see = f"; see them with: audit rulebook cut {added.document}" if added.misfits else ""
        said.append(f"cuts of the edition before: {added.cuts} made again, {len(added.misfits)} do not fit{see}")
    if added.since:
        said.append(f"against the edition loaded before: {counts(added.since)}")
    return said


def counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {status}" for status, number in counts.items())


def edition_row(one: StoredEdition) -> RulebookTold:
    from audit.rulebooks.known import rank_of

    book = one.rulebook
    return {
        "document": book.document, "language": book.language, "edition": book.edition,
        "passages": len(book.passages), "source": one.source, "format": one.format,
        "encoding": one.encoding, "added": one.added[:19], "by": one.by,
        "rank": str(rank_of(book.rank)), "like": book.like,
    }  # fmt: skip


def print_passage(passage: Passage, as_read: bool) -> None:
    first, last = passage.lines
    say(click.style(f"{passage.id}  ({passage.section}, {first}-{last})", bold=True))
    say(*passage.text.splitlines())
    if as_read and passage.corrections:
        say(f"  as read: {passage.read}")
        for change in passage.corrections:
            say(f"  line {change.line}: {change.read!r} > {change.shown!r} ({change.by})")
    say("")
