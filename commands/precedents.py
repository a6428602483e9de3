"""The command for precedents: what was decided before in a like case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.case_options import book_in, folder_option, place_told
from commands.common import emit, example, is_a_file, json_option, lang_option, say

if TYPE_CHECKING:
    from replays.cases.book import CaseBook
    from replays.cases.precedents import Likeness


@click.command()
@click.argument("place", metavar="LOG|POSITION|CASE|RULE")
@click.option("--at", type=int, help="Of a log: the seq of the event.")
@click.option("--asked", multiple=True, help="Of a position: an event as on a score sheet.")
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="Of a rule: the game.")
@lang_option
@json_option
@folder_option
@example("audit precedents replays/samples/dispute.jsonl --at 25", "audit precedents play.face-up-needs-protocol")
def precedents(
    place: str, at: int | None, asked: tuple[str, ...], ruleset_name: str, language: str, as_json: bool,
    folder: Path | None,
) -> None:  # fmt: skip
    """Find what was decided before: cases and official rulings that are like a step, a position, a case or a rule.

    Each says why it is thought alike; `!` marks a ruling that cites what reads otherwise today.
    """
    import msgspec

    from replays.terminal.cases import likeness_lines

    with book_in(folder) as book:
        found = _found(book, place, at, asked, ruleset_name)
    for each in found if as_json else ():
        emit(msgspec.to_builtins(each))
    if not as_json:
        say(*likeness_lines(found, language))


def _found(book: CaseBook, place: str, at: int | None, asked: tuple[str, ...], name: str) -> list[Likeness]:
    from audit.core.ruleset import rulesets
    from replays.cases.book import UnknownCaseError
    from replays.cases.writing import precedents_of_case, precedents_of_place, precedents_of_rule
    from replays.terminal.rules import find_rule

    if at is not None or place == "-" or is_a_file(place) or place.partition("/")[0] in rulesets():
        return precedents_of_place(book, place_told(place, at, asked)[0])
    try:
        return precedents_of_case(book, book.case(place))
    except UnknownCaseError:
        return precedents_of_rule(book, name, find_rule(place, name)[1].id)
