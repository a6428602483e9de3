"""A game as files that can be given away: one page that opens offline, a record, a text, a picture, a sheet.

What the viewer may not know is in none of them. The same game gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import cast

import msgspec
from flask import g, render_template
from msgspec import Struct

from audit.core.errors import AuditError, UnknownViewerError
from replays.judging.sentences import JUDGE
from web.drawing.moving import MovingError, moving
from web.drawing.tree import can_be_made, png
from web.games.address import Beside, Label
from web.games.downloads import frames_to, picture
from web.games.page_words import could_come, page_words
from web.games.payload import Prepared, script_json
from web.games.steps import seats_at
from web.publishing.bundle import STYLES, bundle, style
from web.publishing.disclosed import Proof, proof_of
from web.publishing.pages import sheet_html
from web.publishing.record import document, encoded, notes_for, signed_file
from web.publishing.sheet import Quoted, sheet
from web.publishing.sheet_pdf import sheet_pdf
from web.publishing.single_game import GAME, GameInLanguages, Offline, any_app, app_of, nowhere
from web.publishing.sources import Publishable, PublishedNote, Source, source_from, source_of, varied_log
from web.publishing.text import markdown
from web.publishing.wording import Printed, for_sheet, printed_json, quoted_json, trust_sentences, words_of

__all__ = ["FORMS", "PublishError", "policy_of", "publish", "publish_html"]
RECORDED = ("html", "json")
"""Forms that carry a record: they can be signed, and checked by `audit verify`."""
SHEETS = ("md", "pdf", "sheet")
"""The sheet of one step as text for forums, as a PDF, and as a page for print."""
MOVING = ("gif", "webp")
"""The steps before a finding as a moving picture."""
FORMS = (*RECORDED, *SHEETS, *MOVING, "svg", "png")
"""The ending of a file chooses its form, but for `sheet`; the help of `audit publish` says what each is."""
MAX_OPTIONS = 1000
"""Only a game with at most so many steps carries what could have come after each."""
_SHARE = re.compile(r'<details class="share">.*?</details>\n?', re.S)
_COULD = re.compile(r'<details class="could".*?</details>\n?', re.S)


class PublishError(AuditError):
    """A file that cannot be made of this game: of which form, why, and which forms there are."""

    def __init__(self, form: str, reason: str, known: Iterable[str] = ()) -> None:
        self.form, self.reason, self.known = form, reason, tuple(known)
        super().__init__(f"{form}: {reason}" + (f"; there are {', '.join(self.known)}" if self.known else ""))


def publish(
    given: Publishable,
    form: str,
    viewer: str = JUDGE,
    languages: Sequence[str] = ("en",),
    at: int | None = None,
    quotes: Quoted | None = None,
    *,
    quoted: bool = False,
    key: str | None = None,
    address: str = "",
) -> bytes:
    """The game as a file of that form; `at` is the step of a picture or a sheet, else the first finding.

    `address` is where a server shows the game: a sheet has a QR code that leads from there to its step.

    `quotes` finds the printed words of a rule. They stand on the sheet, which is for the tournament file; in the
    page, the record and the text only where `quoted` asks for them, else these name the document and the place.
    `key` is the name of one's own key to sign a page or a record with.

    Raises `PublishError` where the game has no such file.
    """
    source = source_of(given)
    check_viewer(source, form, viewer)
    if form in RECORDED:
        made = compose(source, form, viewer, languages, quotes if quoted else None)
        return signed_file(made.record, made.file, key) if key else made.file
    if key:
        raise PublishError(form, "a file that cannot be signed", RECORDED)
    printed = Printed(quotes if quoted else None, languages[0])
    if form in SHEETS:
        finder = for_sheet(quotes, languages[0]) if quotes and form != "md" else printed.of
        return _sheet(source, form, viewer, languages, at, finder, address)
    if form in MOVING:
        return _moving(source, viewer, languages[0], at, form)
    drawn = _drawn(source, viewer, languages[0], at)
    return drawn.encode() if form == "svg" else _png(drawn)


def publish_html(
    given: Publishable, viewer: str = JUDGE, languages: Sequence[str] = ("en",), quotes: Quoted | None = None
) -> bytes:
    """One file that opens offline with the whole viewer, in each of the languages, the first one first.

    With `quotes` it holds the printed words of the rules, else their places.
    """
    return compose(source_of(given), "html", viewer, languages, quotes).file


class Composed(Struct, frozen=True):
    """A page or a record that nobody has signed yet, and the record in it."""

    record: dict[str, object]
    file: bytes


def compose(
    source: Source,
    form: str,
    viewer: str,
    languages: Sequence[str],
    quotes: Quoted | None = None,
    proof: Proof | None = None,
) -> Composed:
    """A page or a record. Without a `proof` it is made from the seal of the source, if that has one."""
    replay = source.replay(viewer, languages[0])
    proven = proof or proof_of(source, replay)
    record = {
        **document(source, replay, list(dict.fromkeys(languages)) if form == "html" else ()),
        "printed": printed_json(replay, Printed(quotes, languages[0])),
        **({"quoted": quoted_json(replay, quotes)} if quotes else {}),
        **({"proof": msgspec.to_builtins(proven)} if proven else {}),
    }
    if form == "json":
        return Composed(record, encoded(record))
    record["steps"] = [_lean(step) for step in cast("list[dict[str, object]]", record["steps"])]
    return Composed(record, _page(source, viewer, languages, quotes, record))


def _page(
    source: Source, viewer: str, languages: Sequence[str], quotes: Quoted | None, record: dict[str, object]
) -> bytes:
    pages = {
        name: body
        for language in dict.fromkeys(languages)
        for name, body in _bodies(source, viewer, language, languages, quotes)
    }
    first = next(iter(pages.values()))
    bodies = {code: page.body for code, page in pages.items() if page is not first}
    shell = Shell(first.title, first.description, script_json(record), script_json(bodies), first.body)
    with any_app().test_request_context(f"/?lang={languages[0]}"):
        return page_of(shell)


class Shell(Struct, frozen=True):
    """What goes into a page: its title, one sentence, the record, the other languages, and what is seen."""

    title: str
    description: str
    annotations: str
    bodies: str
    body: str


def page_of(shell: Shell) -> bytes:
    """The page, with our script and our style; needs an application."""
    script, style = bundle(), _style()
    return render_template(
        "published.html", policy=_policy(script, style), title=shell.title, description=shell.description,
        style=_raw(style), script=_raw(script), annotations=_raw(shell.annotations), body=_raw(shell.body),
        bodies=_raw(shell.bodies),
    ).encode()  # fmt: skip


@cache
def empty_page(language: str) -> bytes:
    """The page around nothing, with a NUL character in place of each of the five parts of a `Shell`."""
    with any_app().test_request_context(f"/?lang={language}"):
        g.language = language
        return page_of(Shell(*(_raw("\0") for _ in Shell.__struct_fields__)))  # type: ignore[arg-type]


class Body(Struct, frozen=True):
    """The page in one language."""

    body: str
    title: str
    description: str
    game: Prepared


def _bodies(
    source: Source, viewer: str, language: str, languages: Sequence[str], quotes: Quoted | None
) -> Iterator[tuple[str, Body]]:
    """The page of the record and those of its variations in one language, each with the name the script knows it by."""
    branches = [varied_log(source, text, viewer) for text in source.variations]
    sources = (source, *(source_from(branch.log()) for branch in branches))
    games = [
        GameInLanguages(each.replay(viewer, language), languages, branch)
        for each, branch in zip(sources, (None, *branches), strict=True)
    ]
    named = [_named(number, game) for number, game in enumerate(games[1:], 1)]
    for shown, (each, game) in enumerate(zip(sources, games, strict=True)):
        start = _first(game) if shown or not named else game.nearest(game.steps_of_seq.get(named[0].after, 0) + 1)
        view = Offline(GAME, viewer, "", start, 0, "", beside=Beside(source.variations, shown))
        yield f"{language}/{shown}" if shown else language, _body(each, game, view, language, quotes, named)


def _named(number: int, game: Prepared) -> Label:
    """What a variation is called among the others."""
    said = str(game.steps[game.decided[0]]["sentence"]) if game.decided else ""
    return Label(number, game.varied.variation.after if game.varied else 0, said)


def _body(
    source: Source, game: GameInLanguages, view: Offline, language: str, quotes: Quoted | None, beside: Sequence[Label]
) -> Body:
    viewer, languages = view.viewer, game.languages
    app, say = app_of(source, viewer, Printed(quotes, language)), words_of(language)
    with app.test_request_context(f"/games/{GAME}?lang={language}"):
        g.language = language
        words = page_words(view, game, beside)
        title = source.header.game or source.header.ruleset
        data = _data(json.loads(cast(str, words["data"])), game, viewer, title)
        more = {
            "header": source.header, "data": script_json(data),
            "title": title, "say": say, "trusted": [*trust_sentences(source, game.replay), say["copy"]],
            "languages": tuple(dict.fromkeys(languages)), "view_functions": {}, "could": [], "url_for": nowhere,
            "here": lambda lang: view.in_language(lang), "may_note": False,
            "going_on": view.going_on(),
            "notes": [_note_at(game, note) for note in notes_for(source, viewer)],
        }  # fmt: skip
        text = render_template("published_body.html", **{**words, **more})
    text = _SHARE.sub("", text)
    text = text if game.last <= MAX_OPTIONS else _COULD.sub("", text)
    return Body(text, title, str(words["spoken"]), game)


def _first(game: Prepared) -> int:
    """The step on which a file opens: its first finding, else where a branch left its game, else the start."""
    return next(iter(game.findings), 0 if game.left_after is None else min(game.fork + 1, game.last))


class NoteAt(Struct, frozen=True):
    """A note, and the steps from and up to which it is shown."""

    note: PublishedNote
    step: int
    last: int


def _note_at(game: Prepared, note: PublishedNote) -> NoteAt:
    step = game.steps_of_seq.get(note.seq, 0)
    return NoteAt(note, step, step if note.to is None else max(step, game.steps_of_seq.get(note.to, step)))


def _data(data: dict[str, object], game: Prepared, viewer: str, title: str) -> dict[str, object]:
    """What the script needs, with everything in it that it would ask a server for."""
    more = {"options": _options(game)} if viewer == JUDGE and game.last <= MAX_OPTIONS else {}
    addresses = {"steps": "steps/0", "rule": "#RULE", "options": "options/0" if more else ""}
    return {**data, "title": title, "addresses": addresses, **more}


def _options(game: Prepared) -> dict[str, object]:
    """What could come after each step; each sentence once, named by its number."""
    numbers: dict[str, int] = {}

    def of(words: str) -> int:
        return numbers.setdefault(words, len(numbers))

    at = [
        [
            [
                int(bool(option["must"])), *map(of, (str(option["rule"]), str(option["title"]))),
                *map(of, cast(Sequence[str], option["says"])),
            ]
            for option in could_come(game, step)
        ]
        for step in range(game.last + 1)
    ]  # fmt: skip
    return {"says": list(numbers), "at": at}


def _lean(step: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in step.items() if key not in ("state", "pending")}


def policy_of() -> str:
    """What a published page may do: run its own script and use its own style, no more."""
    return _policy(bundle(), _style())


def _style() -> str:
    text = style(*STYLES, "published.css")
    if "</" in text:
        raise PublishError("html", "a style sheet holds the end of an element")
    return text


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _raw(text: str) -> object:
    from markupsafe import Markup

    return Markup(text)  # made by our own templates and files, escaped there


def check_viewer(source: Source, form: str, viewer: str) -> None:
    """Raise `PublishError` where there is no such form, `UnknownViewerError` where nobody of that name looks on."""
    if form not in FORMS:
        raise PublishError(form, "no such file", FORMS)
    viewers = (*seats_at(source.header), "public", JUDGE)
    if viewer not in viewers:
        raise UnknownViewerError(viewer, viewers)


def _sheet(
    source: Source, form: str, viewer: str, languages: Sequence[str], at: int | None, quotes: Quoted, address: str
) -> bytes:
    app = app_of(source, viewer)
    with app.test_request_context(f"/games/{GAME}?lang={languages[0]}"):
        g.language = languages[0]
        game = Prepared(source.replay(viewer, languages[0]))
        if form == "md" and at is None and not game.findings:
            return markdown(source, game, None, languages).encode()
        step = game.nearest(at) if at is not None else next(iter(game.findings), None)
        leads = f"{address}{'&' if '?' in address else '?'}step={step}" if address else ""
        about = sheet(game, source.header, source.seal, step, quotes, leads)
        if form == "md":
            return markdown(source, game, about, languages).encode()
        place = Offline(GAME, viewer, "", about.step, 0, "")
        if form == "pdf":
            return sheet_pdf(about, lambda units: picture(place, game, width=units))
        return sheet_html(about, picture(place, game)).encode()


def _drawn(source: Source, viewer: str, language: str, at: int | None) -> str:
    app = app_of(source, viewer)
    with app.test_request_context(f"/games/{GAME}?lang={language}"):
        game = Prepared(source.replay(viewer, language))
        step = game.nearest(at if at is not None else next(iter(game.findings), 0))
        return picture(Offline(GAME, viewer, "", step, 0, ""), game, is_headed=True)


def _moving(source: Source, viewer: str, language: str, at: int | None, form: str) -> bytes:
    """The steps that lead to a step, else to the first finding, else to the end."""
    app = app_of(source, viewer)
    with app.test_request_context(f"/games/{GAME}?lang={language}"):
        game = Prepared(source.replay(viewer, language))
        last = game.nearest(at if at is not None else next(iter(game.findings), game.last))
        frames = frames_to(Offline(GAME, viewer, "", last, 0, ""), game)
    try:
        return moving(frames, form)
    except MovingError as error:
        raise PublishError(form, str(error)) from None


def _png(drawn: str) -> bytes:
    if not can_be_made():
        raise PublishError("png", "the packages of audit[pictures] are missing")
    return png(drawn)
