"""A game as text for a forum: who played, how far to trust it, the findings, and the disputed step with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.errors import AuditError
from audit.ruleset import ruleset
from replays.annotating.tally import is_finding
from replays.sanitize import sanitize_text
from replays.terminal.replay_screen import MARKS
from replays.terminal.scene_lines import scene_lines
from replays.terminal.standing import standing_lines
from web.games.library import Replay, strings
from web.publishing.quotes import Finder, source_line
from web.publishing.sources import Source
from web.publishing.wording import trust_sentences, words_of
from web.rulebooks.quotes import Quote
from web.scenes import scene_maker_of

Json = Mapping[str, object]
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&])")


def markdown(
    source: Source,
    replay: Replay,
    at: int | None = None,
    languages: Sequence[str] = (),
    printed: Finder = lambda ruleset, rule: (),
) -> str:
    """The text; `at` is the step it dwells on, else the first finding; `printed` finds the words of its rule."""
    return "\n".join(_lines(source, replay, at, languages or (replay.language,), printed)) + "\n"


def _lines(source: Source, replay: Replay, at: int | None, languages: Sequence[str], printed: Finder) -> Iterator[str]:
    say, header = words_of(replay.language), source.header
    yield f"# {plain(header.game or header.ruleset)}"
    yield ""
    yield " – ".join(f"**{plain(p.seat)}** {plain(p.name)}".strip() for p in header.players)
    yield ""
    yield from (f"> {plain(words)}  " for words in trust_sentences(source, replay))
    yield ""
    yield f"## {say['findings']}"
    yield ""
    found = [step for step in replay.steps if is_finding(step)]
    for step in found:
        rule = next(iter(strings(step.get("rules"))), "")
        yield f"- {MARKS[str(step['verdict'])]} {say['step']} {step['step']}: {plain(step_text(step))} `{rule}`"
    if not found:
        yield say["none"]
    chosen = dwelt_on(replay, at)
    if chosen:
        yield ""
        yield from _step(replay, chosen, languages, printed)


def _step(replay: Replay, step: Json, languages: Sequence[str], printed: Finder) -> Iterator[str]:
    say = words_of(replay.language)
    yield f"## {say['step']} {step['step']} {MARKS[str(step['verdict'])]}"
    yield ""
    yield f"~~{plain(step_text(step))}~~" if step.get("superseded_by") else plain(step_text(step))
    for line in standing_lines(replay.steps, step, replay.language):
        yield ""
        yield plain(line)
    if expected := strings(step.get("expected_text")):
        yield ""
        yield f"**{say['expected']}**"
        yield ""
        yield from (f"- {plain(words)}" for words in expected)
    for rule in strings(step.get("rules"))[:1]:
        yield ""
        yield f"**{say['rule']}** `{rule}`"
        yield ""
        yield from (f"- {code}: {plain(words)}" for code, words in statements(replay.ruleset, rule, languages))
        yield from _printed(printed(replay.ruleset, rule), say["printed"])
    yield ""
    yield f"**{say['field']}**"
    yield ""
    yield "```"
    yield from (line.replace("```", "'''") for line in field(replay, step))
    yield "```"


def _printed(quotes: Sequence[Quote], title: str) -> Iterator[str]:
    if quotes:
        yield from ("", f"**{title}**")
    for quote in quotes:
        yield ""
        if quote.text:
            yield f"> {plain(quote.text)}  "
        yield f"> {quote.language.upper()} {plain(source_line(quote))}"


def dwelt_on(replay: Replay, at: int | None) -> Json | None:
    """The step a text or a sheet is about: the one asked for or the nearest, else the first finding."""
    if at is not None:
        return replay.steps[min(max(0, at), len(replay.steps) - 1)]
    return next(filter(is_finding, replay.steps), None)


def step_text(step: Json) -> str:
    """What is said of a step: the message of a finding, else the sentence."""
    return str(step.get("message") or step.get("sentence") or "")


def statements(name: str, rule: str, languages: Sequence[str]) -> list[tuple[str, str]]:
    """The statement of a rule in each language that has one."""
    catalogue = ruleset(name).catalogue
    found = []
    for language in languages:
        try:
            found.append((language, catalogue.statement(catalogue[rule], language)))
        except (AuditError, KeyError, FileNotFoundError):
            continue
    return found


def field(replay: Replay, step: Json) -> list[str]:
    """The table before a step, in lines of text."""
    number = cast(int, step["step"])
    before = replay.steps[max(0, number - 1)]
    pending = cast(Sequence[Json], before.get("pending") or ())
    return scene_lines(scene_maker_of(replay.ruleset).scene(cast(Json, before["state"]), replay.language, pending))


def plain(text: str) -> str:
    """Text that means nothing to Markdown or HTML, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(sanitize_text(text).split())).replace("://", ":\u200b//")
