"""A game as text for a forum: who played, how far to trust it, the findings, and the disputed step with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.errors import AuditError
from audit.ruleset import ruleset
from replays.sanitize import sanitize_text
from web.games.library import Replay, strings
from web.publishing.quotes import Finder, source_line
from web.publishing.sources import Source
from web.publishing.wording import trust_sentences, words_of
from web.rulebooks.quotes import Quote

Json = Mapping[str, object]
GLYPHS = {"legal": "✓", "inferred": "↺", "illegal": "✗", "impossible": "⊘", "undetermined": "?"}
FINDINGS = ("illegal", "impossible", "undetermined")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&])")
MAX_FIELDS = 40


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
    found = [step for step in replay.steps if step["verdict"] in FINDINGS]
    for step in found:
        rule = next(iter(strings(step.get("rules"))), "")
        yield f"- {GLYPHS[str(step['verdict'])]} {say['step']} {step['step']}: {plain(step_text(step))} `{rule}`"
    if not found:
        yield say["none"]
    chosen = dwelt_on(replay, at)
    if chosen:
        yield ""
        yield from _step(replay, chosen, languages, printed)


def _step(replay: Replay, step: Json, languages: Sequence[str], printed: Finder) -> Iterator[str]:
    say = words_of(replay.language)
    yield f"## {say['step']} {step['step']} {GLYPHS[str(step['verdict'])]}"
    yield ""
    yield plain(step_text(step))
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
    return next((step for step in replay.steps if step["verdict"] in FINDINGS), None)


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
    """The position before a step, in lines of text."""
    number = cast(int, step["step"])
    state = cast(Json, replay.steps[max(0, number - 1)]["state"])
    sides = state.get("sides")
    if isinstance(sides, Mapping) and all(isinstance(s, Mapping) and "lines" in s for s in sides.values()):
        return [line for seat, side in sides.items() for line in _side(str(seat), cast(Json, side))]
    lines = list(_fields(state, ""))
    return lines if len(lines) <= MAX_FIELDS else [*lines[:MAX_FIELDS], "…"]


def _side(seat: str, side: Json) -> Iterator[str]:
    hand = side.get("hand")
    yield f"{seat}  ({_size(hand)} / {_size(side.get('deck'))} / {_size(side.get('trash'))})"
    protocols = cast(Sequence[Json], side.get("protocols") or ())
    totals = cast(Sequence[object], side.get("totals") or ())
    for number, stack in enumerate(cast(Sequence[Sequence[Json]], side["lines"])):
        protocol = protocols[number] if number < len(protocols) else {}
        done = "✓" if protocol.get("compiled") else " "
        total = totals[number] if number < len(totals) else ""
        cards = " | ".join(_card(card) for card in stack) or "-"
        yield f"  {number + 1} {protocol.get('name', '')!s:<11}{done}{total!s:>4}  {cards}"


def _card(card: Json) -> str:
    return str(card.get("card")) if card.get("face") == "up" else f"({card.get('card')})"


def _size(cards: object) -> int:
    return len(cards) if isinstance(cards, (list, tuple)) else cards if isinstance(cards, int) else 0


def _fields(value: object, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _fields(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)) and any(isinstance(item, (Mapping, list, tuple)) for item in value):
        for number, inner in enumerate(value, 1):
            yield from _fields(inner, f"{path}[{number}]")
    elif value not in (None, "", [], (), False):
        said = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        yield f"{path}: {said}"


def plain(text: str) -> str:
    """Text that means nothing to Markdown or HTML, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(sanitize_text(text).split())).replace("://", ":\u200b//")
