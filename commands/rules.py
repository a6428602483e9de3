"""Commands for rules and decks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from commands.common import CLEAN, FINDINGS, emit, example, json_option, lang_option, put, say

if TYPE_CHECKING:
    from audit.ruleset import Ruleset


@click.command()
@click.argument("words", nargs=-1)
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="The game.")
@click.option(
    "--coverage", is_flag=True, help="List each rule with the code that enforces it and the cases that prove it."
)
@click.option(
    "--learn", "learns", is_flag=True, help="Learn the meaning of all entries for later searches; needs the encoder."
)
@lang_option
@json_option
@example('audit rules "can a covered card be flipped"', "audit rules gravity-2", "audit rules --coverage")
def rules(
    words: tuple[str, ...], ruleset_name: str, coverage: bool, learns: bool, language: str, as_json: bool
) -> None:
    """List the rules and rulings of a game, or those that answer a question in any language, the best first."""
    from audit.rule_search import found_json, why_words
    from audit.ruleset import ruleset
    from replays.rulebooks.meaning import learn, rule_search
    from replays.terminal.rules import coverage_lines, coverage_of, rule_json

    game = ruleset(ruleset_name)
    question = " ".join(words)
    if learns:
        say(str(learn(game.catalogue) or "the sentence encoder is not installed"), err=True)
    if coverage:
        table = coverage_of(game)
        chosen = [table[rule.id] for rule in game.catalogue.search(question, language)]
        told = (json.dumps(entry, ensure_ascii=False) for entry in chosen) if as_json else coverage_lines(chosen)
        for line in told:
            (put if as_json else say)(line)
        _texts_of_cards(game, question, as_json=as_json)
        return
    found = rule_search(game.catalogue).find(question) if question.strip() else ()
    for rule in [one.rule for one in found] if question.strip() else game.catalogue.entries:
        why = next((one for one in found if one.rule is rule), None)
        if as_json:
            emit({**rule_json(game, rule, language), **(found_json(why) if why else {})})
        else:
            say(rule.id, f"    {game.catalogue.statement(rule, language)}", *([f"    {why_words(why)}"] if why else ()))
    if question.strip() and not found:
        say("no rule answers this", err=True)


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
@click.argument("rule_id", metavar="ID")
@click.option("--ruleset", "ruleset_name", help="The game. Default: the game that has the rule.")
@lang_option
@json_option
@example("audit rule play.face-up-needs-protocol", "audit rule committed.queue --lang pl")
def rule(rule_id: str, ruleset_name: str | None, language: str, as_json: bool) -> None:
    """Show one rule: its statement in four languages, its places in the documents, and what people linked to it."""
    from replays.rulebooks.personal import link_json, link_lines, personal_links
    from replays.terminal.rules import find_rule, rule_json, rule_lines

    game, found = find_rule(rule_id, ruleset_name)
    links = personal_links(game.name, game.catalogue, found.id)
    if as_json:
        emit({**rule_json(game, found, language), **link_json(links)})
    else:
        say(*rule_lines(game, found, language), *([""] if links else ()), *link_lines(links, language))


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--ruleset", "ruleset_name", default="altered", show_default=True, help="The game.")
@lang_option
@json_option
@example("audit deck replays/samples/altered-deck.json")
def deck(file: str, ruleset_name: str, language: str, as_json: bool) -> None:
    """Check whether a deck may be played: its size, hero, copies, rares, uniques and faction."""
    from replays.annotating.deck_check import deck_findings

    findings = deck_findings(ruleset_name, file, language)
    for finding in findings:
        if as_json:
            emit(finding)
        else:
            say(f"✗ {finding['message']}", f"    {finding['rule']}  {finding['statement']}")
    if not findings and not as_json:
        say("✓")
    raise click.exceptions.Exit(FINDINGS if findings else CLEAN)
