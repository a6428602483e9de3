"""Commands for rules and decks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import click

from commands.common import CLEAN, FINDINGS, emit, example, json_option, lang_option, put, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.core.catalogue import Rule
    from audit.core.rule_search import Found
    from audit.core.ruleset import Ruleset
    from replays.terminal.card_entries import CardEntry

USUAL_GAME = "compile"
"""The game whose rules are listed where nobody names one."""
USUAL = 1.3
"""A question is so many times likelier about that game: it is first in 146 of 150 questions about it, else in 141."""
_RULE_ID, _CARD_ID = re.compile(r"[\w-]+\.[\w.-]+"), re.compile(r"[^\W\d_]+-\d+")
"""What is meant as the id of a rule or ruling, or of a card."""


@click.command()
@click.argument("words", nargs=-1, metavar="[ID | CARD | QUESTION]...")
@click.option(
    "--ruleset", "ruleset_name", help="The game. Default: the one that has the rule or card; for a question, all."
)
@click.option(
    "--coverage", is_flag=True, help="List each rule with the code that enforces it and the cases that prove it."
)
@click.option(
    "--learn", "learns", is_flag=True, help="Learn the meaning of all entries for later searches; needs the encoder."
)
@lang_option
@json_option
@example(
    "audit rule play.face-up-needs-protocol",
    "audit rule gravity-0 --lang pl",
    'audit rule "can a covered card be flipped"',
    "audit rule --coverage",
)
def rule(
    words: tuple[str, ...], ruleset_name: str | None, coverage: bool, learns: bool, language: str, as_json: bool
) -> None:
    """Show a rule, or a card with what it does and the rules it rests on; or find the rules that answer a question.

    Of a rule: its statement in four languages, its places in the documents, and what people linked to it. Without an
    ID, a card or a question: all rules of the game.
    """
    from audit.core.ruleset import ruleset

    text = " ".join(words)
    game_name = ruleset_name or USUAL_GAME
    if learns:
        from replays.rulebooks.meaning import learn

        say(str(learn(ruleset(game_name).catalogue) or "the sentence encoder is not installed"), err=True)
    if coverage:
        _coverage(ruleset(game_name), text, language, as_json=as_json)
    elif not text.strip():
        _all(ruleset(game_name), language, as_json=as_json)
    elif not _is_entry(text, ruleset_name, language, as_json=as_json):
        _found([ruleset(ruleset_name)] if ruleset_name else _likeliest(text), text, language, as_json=as_json)


def _is_entry(text: str, ruleset_name: str | None, language: str, *, as_json: bool) -> bool:
    """Print the entry of the rule or card of that name, if it is one.

    Raises `UnknownRuleError` where it looks like an id and nothing has it.
    """
    from audit.core.errors import UnknownRuleError
    from replays.terminal.card_entries import card_called, card_ids, card_json, card_lines
    from replays.terminal.rules import find_rule

    card = card_called(text, ruleset_name)
    if card and as_json:
        emit(card_json(card, language))
    elif card:
        say(*card_lines(card, language))
    if card:
        return True
    if " " in text.strip():
        return False
    try:
        game, found = find_rule(text.strip(), ruleset_name)
    except UnknownRuleError:
        if _CARD_ID.fullmatch(text):
            raise UnknownRuleError(text, card_ids(ruleset_name)) from None
        if _RULE_ID.fullmatch(text):
            raise
        return False
    _entry(game, found, language, as_json=as_json)
    return True


def _entry(game: Ruleset[object], found: Rule, language: str, *, as_json: bool) -> None:
    from replays.rulebooks.personal import link_json, link_lines, personal_links
    from replays.terminal.rules import rule_json, rule_lines

    links = personal_links(game.name, game.catalogue, found.id)
    if as_json:
        emit({**rule_json(game, found, language), **link_json(links)})
    else:
        say(*rule_lines(game, found, language), *([""] if links else ()), *link_lines(links, language))


def _coverage(game: Ruleset[object], question: str, language: str, *, as_json: bool) -> None:
    from replays.terminal.rules import coverage_lines, coverage_of

    table = coverage_of(game)
    chosen = [table[rule.id] for rule in game.catalogue.search(question, language)]
    told = (json.dumps(entry, ensure_ascii=False) for entry in chosen) if as_json else coverage_lines(chosen)
    for line in told:
        (put if as_json else say)(line)
    _texts_of_cards(game, question, as_json=as_json)


def _all(game: Ruleset[object], language: str, *, as_json: bool) -> None:
    """Print all rules of a game."""
    from replays.terminal.rules import all_rules_json
    from replays.terminal.scene_lines import rule_heading

    if as_json:
        for told in all_rules_json(game, language):
            emit(told)
        return
    for rule in game.catalogue.entries:
        say(rule_heading(game.catalogue, rule, language), f"    {game.catalogue.statement(rule, language)}")


def _likeliest(question: str) -> list[Ruleset[object]]:
    """All games, that first of whose rules the question speaks most."""
    from replays.rulebooks.meaning import likelihoods

    likely = {game: found * (USUAL if game.name == USUAL_GAME else 1) for game, found in likelihoods(question).items()}
    return sorted(likely, key=lambda game: (-likely[game], game.name != USUAL_GAME))


def _found(games: Sequence[Ruleset[object]], question: str, language: str, *, as_json: bool) -> None:
    """Print what games say to a question, the likeliest at length, and of each its cards and the best rules first."""
    from audit.core.question_concepts import is_in_another_language
    from replays.rulebooks.meaning import ANSWERS, rule_search
    from replays.terminal.card_entries import cards_named
    from replays.terminal.replay_screen import word

    is_answered = False
    for game in games:
        found = rule_search(game.catalogue).find(question)[: ANSWERS if is_answered else None]
        cards = cards_named(game, question)
        if not found and not cards:
            continue
        if len(games) > 1 and not as_json:
            say(*([""] if is_answered else ()), f"{game.name}:")
        _tell(game, cards, found, language, as_json=as_json)
        is_answered = True
    if is_in_another_language(question):
        say(word(language, "other_language"), err=True)
    elif not is_answered:
        say(word(language, "no_answer"), err=True)


def _tell(
    game: Ruleset[object], cards: Sequence[CardEntry], found: Sequence[Found], language: str, *, as_json: bool
) -> None:
    from audit.core.rule_search import found_json, why_words
    from replays.terminal.card_entries import card_json, card_summary
    from replays.terminal.rules import rule_json
    from replays.terminal.scene_lines import rule_heading

    for card in cards:
        if as_json:
            emit(card_json(card, language))
        else:
            say(card.id, *card_summary(card, language))
    for one in found:
        if as_json:
            emit({**rule_json(game, one.rule, language), **found_json(one)})
        else:
            statement = game.catalogue.statement(one.rule, language)
            called = rule_heading(game.catalogue, one.rule, language)
            say(called, f"    {statement}", *([f"    {reasons}"] if (reasons := why_words(one)) else ()))


def _texts_of_cards(game: Ruleset[object], question: str, *, as_json: bool) -> None:
    """Print how often the texts of cards are shown carried out and broken: those that have all the words."""
    from replays.terminal.rules import text_coverage, text_lines

    wanted = question.casefold().split()
    found = [one for one in text_coverage(game) if all(word in f"{one['card']} {one['text']}" for word in wanted)]
    if as_json:
        for entry in found:
            emit(entry)
    elif found:
        say("", *text_lines(found))


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--ruleset", "ruleset_name", default="altered", show_default=True, help="The game.")
@lang_option
@json_option
@example("audit deck replays/samples/altered-deck.json")
def deck(file: str, ruleset_name: str, language: str, as_json: bool) -> None:
    """Check whether a deck may be played: its size, hero, copies, rares, uniques and faction."""
    from audit.core.ruleset import ruleset
    from replays.judging.deck_check import deck_findings
    from replays.terminal.scene_lines import rule_line

    findings = deck_findings(ruleset_name, file, language)
    catalogue = ruleset(ruleset_name).catalogue
    for finding in findings:
        if as_json:
            emit(finding)
        else:
            broken = catalogue[finding["rule"]]
            say(f"✗ {finding['message']}", f"    {rule_line(catalogue, broken, language)}")
    if not findings and not as_json:
        say("✓")
    raise click.exceptions.Exit(FINDINGS if findings else CLEAN)
