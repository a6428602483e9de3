"""One page for the tournament file: a finding, the position, the rule, and the printed words where they are loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from audit.catalogue import LANGUAGES
from audit.errors import AuditError
from replays.sanitize import sanitize_text
from replays.terminal.replay_screen import MARKS
from replays.terminal.standing import standing_lines
from web.games.library import Replay, strings
from web.publishing.sources import Source
from web.publishing.text import dwelt_on, field, statements, step_text
from web.publishing.wording import trust_sentences, words_of
from web.rulebooks.quotes import Quote

if TYPE_CHECKING:
    from fpdf import FPDF

Quoted = Callable[[str, str], Sequence[Quote]]
WORDS, CODE = "words", "code"
LONGEST = 700


class SheetError(AuditError):
    """A sheet that cannot be made: why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"pdf: {reason}")
        self.reason = reason


def sheet(source: Source, replay: Replay, at: int | None = None, quotes: Quoted = lambda ruleset, rule: ()) -> bytes:
    """The sheet of a step, else of the first finding; raises `SheetError` where there is none."""
    step = dwelt_on(replay, at)
    if step is None:
        raise SheetError("there is no finding; name a step")
    page = _page()
    say, header = words_of(replay.language), source.header
    _write(page, header.game or header.ruleset, 15, bold=True)
    _write(page, " – ".join(f"{p.seat} {p.name}".strip() for p in header.players), 10)
    _write(page, f"{say['step']} {step['step']}  {_mark(str(step['verdict']))}", 12, bold=True, gap=3)
    _write(page, step_text(step), 11)
    for line in standing_lines(replay.steps, step, replay.language):
        _write(page, line, 10)
    if expected := strings(step.get("expected_text")):
        _write(page, say["expected"], 10, bold=True, gap=2)
        for words in expected[:6]:
            _write(page, f"– {words}", 10)
    _write(page, say["field"], 10, bold=True, gap=2)
    for line in field(replay, step)[:24]:
        _write(page, line, 9)
    for rule in strings(step.get("rules"))[:1]:
        _rule(page, replay, rule, quotes)
    _write(page, say["trust"], 9, bold=True, gap=3)
    for words in trust_sentences(source, replay):
        _write(page, words, 8)
    return bytes(page.output())


def _rule(page: FPDF, replay: Replay, rule: str, quotes: Quoted) -> None:
    say = words_of(replay.language)
    _write(page, f"{say['rule']} {rule}", 10, bold=True, gap=2)
    order = (replay.language, *(code for code in LANGUAGES if code != replay.language))
    for code, words in statements(replay.ruleset, rule, order):
        _write(page, f"{code.upper()}  {words}", 10)
    printed = list(quotes(replay.ruleset, rule))
    if printed:
        _write(page, say["printed"], 10, bold=True, gap=2)
    for quote in printed:
        unfit = "" if quote.fits else f" ({say['unfit']})"
        source = ", ".join(filter(None, (quote.document, quote.edition[:8], quote.place)))
        _write(page, f"{quote.language.upper()}  “{_clipped(quote.text)}” {source}{unfit}", 9)


def _page() -> FPDF:
    try:
        from fpdf import FPDF

        folder = Path(str(import_module("font_lato").__file__)).parent / "files"
    except ImportError:
        raise SheetError("needs the packages fpdf2 and font-lato: install audit[pictures]") from None
    page = FPDF(format="A4")
    page.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))  # the same game gives the same bytes
    page.set_auto_page_break(False)
    for style, name in (("", "Regular"), ("B", "Bold")):
        page.add_font("lato", style, folder / f"Lato-{name}.ttf")
    page.set_margin(16)
    page.add_page()
    return page


def _write(page: FPDF, words: str, size: int, *, bold: bool = False, gap: float = 0) -> None:
    """Some words below what is there, on the one page there is; what does not fit is left out."""
    height = size * 0.46
    page.set_font("lato", "B" if bold else "", size)
    said = _drawable(page, words)
    lines = cast(list[str], page.multi_cell(0, height, said, dry_run=True, output="LINES"))
    if page.get_y() + gap + height * len(lines) > page.h - 12:
        return
    page.set_y(page.get_y() + gap)
    page.multi_cell(0, height, said, new_x="LMARGIN", new_y="NEXT", align="L")


def _drawable(page: FPDF, words: str) -> str:
    """Words in letters the type has; a question mark for another."""
    known = page.current_font.cmap  # type: ignore[union-attr]
    return "".join(letter if ord(letter) in known or letter.isspace() else "?" for letter in sanitize_text(words))


def _mark(verdict: str) -> str:
    return verdict.upper() if MARKS.get(verdict) else verdict


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
