"""A game as text for a forum: who played, how far to trust it, the findings, and the disputed step with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.core.names import player_names
from audit.core.typed_setup import span_text
from audit.core.typography import sanitize_text
from replays.judging.tally import is_finding
from replays.terminal.replay_screen import MARKS
from replays.terminal.scene_lines import scene_lines
from web.games.library import Replay
from web.games.payload import Prepared
from web.publishing.record import notes_for
from web.publishing.sheet import Sheet
from web.publishing.sources import Source
from web.publishing.wording import source_line, trust_sentences, words_of
from web.rulebooks.quotes import Quote
from web.scenes import scene_maker_of

Json = Mapping[str, object]
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&])")


def markdown(source: Source, game: Prepared, about: Sheet | None, languages: Sequence[str]) -> str:
    """The text: who played, the findings, and the sheet of one step with its rule in these languages."""
    return "\n".join(_lines(source, game.replay, about, languages)) + "\n"


def _lines(source: Source, replay: Replay, about: Sheet | None, languages: Sequence[str]) -> Iterator[str]:
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
        yield f"- {MARKS[str(step['verdict'])]} {say['step']} {step['step']}: {plain(step_text(step))}"
    if not found:
        yield say["none"]
    if notes := notes_for(source, replay.viewer):
        yield ""
        yield f"## {say['notes']}"
        yield ""
    for note in notes:
        place = span_text(note.seq, note.seq if note.to is None else note.to)
        yield f"- {place} **{plain(note.kind)}** {plain(note.author)}: {plain(note.text)}"
    if about:
        yield ""
        yield from sheet_lines(about, replay, languages)


def sheet_lines(sheet: Sheet, replay: Replay, languages: Sequence[str]) -> Iterator[str]:
    """The sheet of a step in Markdown; `languages` are those in which its rule is told."""
    say, step = words_of(sheet.language), replay.steps[sheet.step]
    yield f"## {say['step']} {sheet.step} {MARKS[sheet.verdict]}"
    yield ""
    yield f"~~{plain(sheet.question)}~~" if step.get("superseded_by") else plain(sheet.question)
    yield ""
    yield f"**{MARKS[sheet.verdict]} {plain(sheet.answer)}** {plain(sheet.why)}".rstrip()
    for line in sheet.standing:
        yield ""
        yield plain(line)
    if sheet.should:
        yield from _list(say["should"], sheet.should)
    for rule in sheet.rules:
        yield from _list(" · ".join(filter(None, (say["rule"], rule.title))), ())
        for code, words, quotes in rule.says:
            if code in languages or any(quote.text for quote in quotes):
                yield f"- {code}: {plain(words)}"
            yield from _printed(quotes)
    if sheet.story:
        yield from _list(say["story"], sheet.story)
    yield ""
    yield f"**{say['field']}**"
    yield ""
    yield "```"
    yield from (line.replace("```", "'''") for line in field(replay, step))
    yield "```"
    yield ""
    yield "  \n".join(say["fact"].format(name=name, value=plain(value)) for name, value in sheet.facts)
    if sheet.address:
        yield ""
        yield f"<{sheet.address}>"
    yield ""
    yield "  \n".join(
        say["fact"].format(name=say[name], value="_" * 24) for name in ("ruling_here", "judge_here", "date")
    )


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    """A heading with what stands under it; a rule has no list but statements."""
    yield from ("", f"**{plain(title)}**", "")
    yield from (f"- {plain(words)}" for words in items)


def _printed(quotes: Sequence[Quote]) -> Iterator[str]:
    for quote in quotes:
        yield ""
        if quote.text:
            yield f"> {plain(quote.text)}  "
        yield f"> {quote.language.upper()} {plain(source_line(quote))}"
    if quotes:
        yield ""


def step_text(step: Json) -> str:
    """What is said of a step: the message of a finding, else the sentence."""
    return str(step.get("message") or step.get("sentence") or "")


def field(replay: Replay, step: Json) -> list[str]:
    """The table before a step, in lines of text."""
    number = cast(int, step["step"])
    before = replay.steps[max(0, number - 1)]
    pending = cast(Sequence[Json], before.get("pending") or ())
    state, players = cast(Json, before["state"]), player_names(replay.header)
    return scene_lines(scene_maker_of(replay.ruleset).scene(state, replay.language, pending, players))


def plain(text: str) -> str:
    """Text that means nothing to Markdown or HTML, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(sanitize_text(text).split())).replace("://", ":\u200b//")
