"""Commands for the rulebooks you have loaded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.core.catalogue import LANGUAGES
from audit.core.typed_setup import count_noun
from commands.common import CLEAN, FINDINGS, Group, emit, example, json_option, say
from commands.rulebook_lines import answered, edition_row, given_line, print_passage, said_of, unmeasured

if TYPE_CHECKING:
    from audit.core.catalogue import Catalogue
    from audit.rulebooks.linking import Answer
    from replays.rulebooks.store import RulebookStore


RANKS = ("rules", "faq", "ruling", "errata")
CUTS = ("join", "split", "retitle", "title", "untitle", "drop")


@click.group(cls=Group)
def rulebook() -> None:
    """Manage the rulebooks you have loaded. They are kept in your data folder, editions side by side."""


@rulebook.command("add")
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--as", "document", default="", help="The document's id. Default: by its words, else its file's name.")
@click.option("--lang", "language", default="", help="Its language (fr, it, pl, en, …). Default: detected.")
@click.option("--encoding", default="", help="Its encoding. Default: detected.")
@click.option("--game", default="", help="Its game, if the id is not a known document.")
@click.option("--rank", type=click.Choice(RANKS), help="What it is to its game. Default: that of the known document.")
@click.option("--force", is_flag=True, help="Load it although none of its passages is known.")
@json_option
@example("audit rulebook add regles.txt --as compile-faq-fr --lang fr")
def rulebook_add(
    file: Path, document: str, language: str, encoding: str, game: str, rank: str | None, force: bool, as_json: bool
) -> None:
    """Load a rulebook: plain text, Markdown, HTML, DOCX, ODT or a PDF with a text layer."""
    import msgspec

    from audit.core.ruleset import ruleset
    from audit.rulebooks.reading import MAX_BYTES
    from replays.rulebooks.loading import Loading
    from replays.rulebooks.store import RulebookStore

    if game:
        ruleset(game)
    loading = Loading(document, language, encoding, game, force, rank or "")
    if str(file) == "-":
        added = RulebookStore().add_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input", loading)
    else:
        added = RulebookStore().add(file, loading)
    if as_json:
        emit(msgspec.to_builtins(added))
    else:
        say(*said_of(added))


@rulebook.command("list")
@json_option
@example("audit rulebook list")
def rulebook_list(as_json: bool) -> None:
    """List the loaded rulebooks, one edition a line."""
    from replays.rulebooks.store import RulebookStore

    kept = RulebookStore().editions()
    for one in kept:
        row = edition_row(one)
        if as_json:
            emit(row)
        else:
            passages = count_noun(row["passages"], "passage")
            say("{document:24} {language}  {edition}  {0:>13}  {rank:6}  {added}".format(passages, **row))
    if not kept and not as_json:
        say("no rulebook is loaded; load one with: audit rulebook add FILE --as ID --lang LANG")


@rulebook.command("show")
@click.argument("document")
@click.option("--edition", default="", help="The edition, or its first digits. Default: the latest.")
@click.option("--line", "lines", type=(int, int), default=None, help="Only these lines: --line 11 13.")
@click.option("--as-read", is_flag=True, help="Also show the text as it is in the file, before corrections.")
@click.option("--changes", is_flag=True, help="Show only what a translator changed in this edition, and who.")
@example("audit rulebook show compile-rules-pl --line 56 58 --as-read")
def rulebook_show(
    document: str, edition: str, lines: tuple[int, int] | None, as_read: bool, changes: bool
) -> None:  # fmt: skip
    """Show the passages of a rulebook with their places, or what a translator changed in it."""
    from replays.rulebooks.returning import edition_lines
    from replays.rulebooks.store import RulebookStore

    stored = RulebookStore().show(document, edition)
    book = stored.rulebook
    if changes:
        say(
            f"{stored.document} {book.edition}: by {stored.by or 'nobody'}, from {stored.source}",
            *edition_lines(stored),
        )
        return
    for passage in book.at(*lines) if lines else book.passages:
        print_passage(passage, as_read)


@rulebook.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--game", default="compile", show_default=True, help="The game whose rules are meant.")
@click.option("--lang", "language", default="", help="The language of a PO file that does not name its own.")
@click.option("--by", default="", help="Keep what it changes as a new edition of each document, by this person.")
@click.option("--words", type=click.Choice(LANGUAGES), default="en", help="Language of the lines.")
@json_option
@example("audit rulebook import translated.tmx", "audit rulebook import translated.xlf --by Ada")
def rulebook_import(file: Path, game: str, language: str, by: str, words: str, as_json: bool) -> None:
    """Compare a translator's file (TBX, TMX, XLIFF, PO or CSV) with the rulebooks you have loaded.

    Exit code 1 if anything differs. Nothing is stored, unless --by says who changed it: then the changed words become
    a new edition of each document, with its change list. PO and TBX change our own statements and terms, which are kept
    as documents too (compile-terms-it): the next export has them, and the checks go by the terms.
    """
    from audit.core.ruleset import ruleset
    from replays.rulebooks.exchange import ChangeStatus, compared_file, exchange_json, exchange_lines
    from replays.rulebooks.returning import returned_lines, take_over
    from replays.rulebooks.translation_qa import TranslationQA

    qa = TranslationQA(game, ruleset(game).catalogue)
    found = compared_file(file, qa, language)
    if by:
        say(*returned_lines(take_over(found, qa, by), words))
    elif as_json:
        emit(exchange_json(found))
    else:
        say(*exchange_lines(found, words))
    raise click.exceptions.Exit(CLEAN if set(found.counts()) <= {ChangeStatus.SAME} else FINDINGS)


@rulebook.command("tasks")
@click.argument("published", nargs=-1, type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--game", default="compile", show_default=True, help="The game whose documents are meant.")
@click.option(
    "--answer", "answered", nargs=2, metavar="ID SAID", help="Answer a task: still, other or gone, a rule or a passage."
)
@click.option(
    "--except", "otherwise", nargs=2, multiple=True, metavar="RULE SAID", help="Answer one rule of the task otherwise."
)
@click.option("--assign", metavar="ID", help="Give a task to a person; needs --to and --by.")
@click.option("--to", default="", help="The person the task is given to; - for nobody.")
@click.option("--by", default="", help="Your name, kept with the answer or the assignment.")
@click.option("--of", "person", default="", help="Only what this person has; - for what nobody has.")
@click.option("--words", type=click.Choice(LANGUAGES), default="en", help="Language of the list.")
@json_option
@example(
    "audit rulebook tasks replay.html", "audit rulebook tasks --answer ID still --by Ada",
    "audit rulebook tasks --assign ID --to Bruno --by Ada",
)  # fmt: skip
def rulebook_tasks(
    published: tuple[Path, ...], game: str, answered: tuple[str, str] | None, otherwise: tuple[tuple[str, str], ...],
    assign: str | None, to: str, by: str, person: str, words: str, as_json: bool,
) -> None:  # fmt: skip
    """List what the latest editions leave to do: edited words to look at, lost and new passages, and what is stale.

    Stale are official rulings, dismissed findings and the PUBLISHED files that hang on words that have changed. Exit
    code 1 if anything is to be done. An assignment holds as long as the words of its task stand. Below each task stands
    the command that answers it: the words still say the rule, say something else (or another rule, by its id), or no
    longer say it; of a lost passage, which one says the rule now.
    """
    from audit.core.ruleset import ruleset
    from replays.rulebooks.tasks import answer_task, assign_task, task_json, task_lines, tasks, tasks_of

    catalogue = ruleset(game).catalogue
    if answered:
        made = answer_task(game, catalogue, *answered, by, dict(otherwise), published)
        say(*(" ".join(filter(None, (made.finding, rule, said))) for rule, said in made.says.items()))
        return
    if assign:
        assign_task(game, catalogue, assign, to, by, published)
        say(given_line(assign, to, by))
        return
    found = tasks(game, catalogue, published)
    found = tasks_of(found, person) if person else found
    if as_json:
        for task in found:
            emit(task_json(task))
    else:
        say(*task_lines(found, game, catalogue, words))
    raise click.exceptions.Exit(FINDINGS if found else CLEAN)


@rulebook.command("remove")
@click.argument("document")
@click.option("--edition", default="", help="Remove only this edition.")
@example("audit rulebook remove compile-faq-fr")
def rulebook_remove(document: str, edition: str) -> None:
    """Remove a loaded rulebook, with the links you made."""
    from replays.rulebooks.store import RulebookStore

    for gone in RulebookStore().remove(document, edition):
        say(f"removed {document}, edition {gone}")


@rulebook.command("cut")
@click.argument("document")
@click.argument("action", required=False, type=click.Choice([*CUTS, "undo"]))
@click.argument("passage", required=False)
@click.argument("words", nargs=-1)
@click.option("--edition", default="", help="The edition, or its first digits. Default: the latest.")
@click.option("--by", default="", help="Your name, kept with the cut.")
@example(
    "audit rulebook cut my-compile-it join vittoria/1", "audit rulebook cut my-compile-it split vittoria/1 'Chi ha'",
    "audit rulebook cut my-compile-it retitle vittoria/1 'Fine della partita'", "audit rulebook cut my-compile-it undo",
)  # fmt: skip
def rulebook_cut(
    document: str, action: str | None, passage: str | None, words: tuple[str, ...], edition: str, by: str
) -> None:
    """Mend how a rulebook is cut: join a passage with the next one, split it, put it under another title, drop it.

    To split a passage, give the words with which its second part begins. With title a passage becomes the title of
    those that follow, with untitle the title above it becomes its beginning. Each cut is made again in the next edition
    of the document; undo takes the last one back, or that of a number. Without an action: list the cuts, and those
    that do not fit this edition. Exit code 1 if one does not fit.
    """
    from audit.rulebooks.cutting.patches import CutKind
    from replays.rulebooks.recutting import cut_lines, cut_passage, take_back
    from replays.rulebooks.store import RulebookStore

    rulebook_store = RulebookStore()
    stored = rulebook_store.show(document, edition)
    if action == "undo":
        stored = take_back(rulebook_store, stored, _number(passage))
    elif action:
        if not passage:
            raise click.UsageError("name the passage; audit rulebook show lists them")
        stored = cut_passage(rulebook_store, stored, CutKind(action), passage, " ".join(words), by)
    say(*cut_lines(stored))
    raise click.exceptions.Exit(FINDINGS if stored.misfits else CLEAN)


def _number(text: str | None) -> int:
    """The number of a cut; 0 stands for the last one."""
    if text is None:
        return 0
    if not text.isdecimal() or text == "0":
        raise click.UsageError("say which cut by its number; without an action they are listed")
    return int(text)


@rulebook.command("link")
@click.argument("document")
@click.argument("rule", required=False)
@click.argument("passages", nargs=-1)
@click.option("--game", default="compile", help="The game whose rules are meant.")
@click.option("--by", default="", help="Your name, kept with the link.")
@click.option("--remove", "take_away", is_flag=True, help="Remove the link.")
@click.option("--not-said", is_flag=True, help="Keep that the document does not say the rule.")
@click.option("--propose", is_flag=True, help="Only show passages that may state the rule, or any rule without a link.")
@click.option(
    "--accept",
    type=click.FloatRange(0, 1),
    metavar="CERTAINTY",
    help="Keep every proposal at least so certain, from 0 to 1, such as 0.9; with --propose only show them.",
)
@example(
    "audit rulebook link my-compile-it victory.three-compiled vittoria/1",
    "audit rulebook link my-compile-it --accept 0.9 --by Ada",
)
def rulebook_link(
    document: str, rule: str | None, passages: tuple[str, ...], game: str, by: str, take_away: bool, not_said: bool,
    propose: bool, accept: float | None,
) -> None:  # fmt: skip
    """Link a rule to passages of a rulebook. Without passages: show proposals."""
    from audit.core.ruleset import ruleset
    from replays.rulebooks.store import RulebookStore
    from replays.terminal.rules import find_rule

    rulebook_store, catalogue = RulebookStore(), ruleset(game).catalogue
    if rule:
        rule = find_rule(rule, game)[1].id
    if rule and not_said:
        rulebook_store.answer(document, {rule: ()}, by)
        say(f"{rule}: not said")
        return
    if rule and (passages or take_away) and not propose:
        rulebook_store.link(document, rule, () if take_away else passages, by)
        say(f"{rule}: {'link removed' if take_away else 'linked to ' + ', '.join(passages)}")
        return
    book = rulebook_store.show(document).rulebook
    answers = _proposed_by_meaning(rulebook_store, document, catalogue)
    if accept is not None:
        _accept(rulebook_store, document, answers, accept, by, keep=not propose)
        return
    if answers is not None:
        say(*answered(answers, book, rule))
        if answers and not answers[0].is_measured:
            say(unmeasured(book.language), err=True)
        return
    for found in rulebook_store.proposals(document, catalogue, [rule] if rule else ()):
        say(f"{found.score:.2f}  {found.rule}  {found.passage}  {book[found.passage].text[:70]}")
    say("the score ignores numbers and negations: read the passage before you link it", err=True)


def _proposed_by_meaning(rulebook_store: RulebookStore, document: str, catalogue: Catalogue) -> list[Answer] | None:
    from replays.rulebooks.linking import learned_answers, link_answers
    from replays.rulebooks.meaning import can_learn

    found = link_answers(rulebook_store, document, catalogue)
    if found is None and can_learn():
        say("learning what the rules mean: half a minute, once", err=True)
        found = learned_answers(rulebook_store, document, catalogue)
    return found


def _accept(
    rulebook_store: RulebookStore, document: str, answers: list[Answer] | None, least: float, by: str, *, keep: bool
) -> None:
    """Keep the answers that are certain enough, or only show them."""
    from replays.rulebooks.linking import sure_answers

    if answers is None:
        say("nothing is kept: the sentence encoder is not installed, so no proposal is certain")
        return
    sure = sure_answers(answers, least)
    if keep:
        rulebook_store.answer(document, sure, by)
    else:
        say(*(f"{rule}  {', '.join(passages) or 'not said'}" for rule, passages in sure.items()))
    said = sum(map(bool, sure.values()))
    done = "kept" if keep else "would be kept"
    say(
        f"{done}: {said} linked, {len(sure) - said} not said; left to a person: {len(answers) - len(sure)}",
        f"see what is left with: audit rulebook link {document} --propose",
    )
    if answers and not answers[0].is_measured:
        say(unmeasured(rulebook_store.show(document).rulebook.language), err=True)
