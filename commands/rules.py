"""Commands for rules and decks."""

from __future__ import annotations

import json

import click

from commands.common import CLEAN, FINDINGS, emit, example, json_option, lang_option, put, say


@click.command()
@click.argument("words", nargs=-1)
@click.option("--ruleset", "ruleset_name", default="compile", show_default=True, help="The game.")
@click.option(
    "--coverage", is_flag=True, help="List each rule with the code that enforces it and the cases that prove it."
)
@lang_option
@json_option
@example("audit rules committed card", "audit rules --coverage")
def rules(words: tuple[str, ...], ruleset_name: str, coverage: bool, language: str, as_json: bool) -> None:
    """List the rules of a game, or those that contain all the WORDS."""
    from audit.ruleset import ruleset
    from replays.terminal.rules import coverage_lines, coverage_of, rule_json

    game = ruleset(ruleset_name)
    found = game.catalogue.search(" ".join(words), language)
    if coverage:
        table = coverage_of(game)
        chosen = [table[rule.id] for rule in found]
        told = (json.dumps(entry, ensure_ascii=False) for entry in chosen) if as_json else coverage_lines(chosen)
        for line in told:
            (put if as_json else say)(line)
        return
    for rule in found:
        if as_json:
            emit(rule_json(game, rule, language))
        else:
            say(rule.id, f"    {game.catalogue.statement(rule, language)}")
    if not found:
        say("no rule has all these words", err=True)


@click.command()
@click.argument("rule_id", metavar="ID")
@click.option("--ruleset", "ruleset_name", help="The game. Default: the game that has the rule.")
@lang_option
@json_option
@example("audit rule play.face-up-needs-protocol", "audit rule committed.queue --lang pl")
def rule(rule_id: str, ruleset_name: str | None, language: str, as_json: bool) -> None:
    """Show one rule: its statement in four languages, and its places in the documents."""
    from replays.terminal.rules import find_rule, rule_json, rule_lines

    game, found = find_rule(rule_id, ruleset_name)
    if as_json:
        emit(rule_json(game, found, language))
    else:
        say(*rule_lines(game, found, language))


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
