"""Reads the address of a game's page: which game, which viewer, which step, and which variations stand beside it.

`?vary=24~A refresh&vary=30~B refresh&shown=2`: each in its place, by which it has its letter and its colour.
`shown=0` is the record, with the variations kept beside it; without `shown` it is the first. `static/addresses.js`
takes an option by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import cast

from flask import Blueprint, Response, abort, current_app, request, url_for
from flask_babel import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from audit.core.disclosure import JUDGE
from audit.core.errors import UnknownReadingError
from audit.core.model import Player
from audit.core.ruleset import ruleset, rulesets
from audit.core.scene_changes import GRAINS
from replays.errors import NoSuchEventError
from replays.files import Cache
from replays.judging.replay import replay, with_reading
from replays.log.reader import open_log
from replays.table.variations import BETWEEN, Variation, VariationError, read_variation, varied
from web.games.library import Library, OpenedLibrary, Replay
from web.games.payload import Prepared
from web.games.steps import seats_of
from web.rulebooks.quotes import NoQuotes, Quotes
from web.site.headers import may_read_print, viewpoints
from web.site.labels import chosen
from web.site.limits import TooOftenError, limited
from web.site.reader import reader

games = Blueprint("games", __name__)


MAX_KEPT = 6
"""At most so many; another one takes the place of the oldest."""
TURNED = ("games.game", "games.embed", "games.as_picture", "games.as_png", "games.sheet", "games.sheet_file")
"""The pages on which the table can be turned round."""

VARIED = (*TURNED, "games.published", "games.steps", "games.options", "games.as_json", "games.as_log")
"""The addresses at which a variation can be had in place of the record."""

PLAYER, MOST_PLAYERS, LONGEST_NAME = "player", 8, 200
"""The parameter of an address that names a player, how many it may name, and how many letters a name may have."""

KEEPING = ("games.game", "games.embed", "games.options", "games.published")
"""Those that name all variations beside the record, and not only the one that is shown."""


def players_named(told: Sequence[str]) -> tuple[Player, ...]:
    """The players whom an address names, each as the first line of a score sheet does: `A Ada`."""
    named = [one.split(None, 1) for one in told[:MOST_PLAYERS]]
    return tuple(Player(*words) for words in named if len(words) > 1 and max(map(len, words)) <= LONGEST_NAME)


def names_told(players: Sequence[Player]) -> list[str]:
    """The players as an address names them; those without a name are left out."""
    return [f"{one.seat} {one.name}" for one in players if one.name]


class Beside(Struct, frozen=True):
    """The variations of an address, in their order, and the number of the one that is shown, from 1; 0 for none."""

    texts: tuple[str, ...] = ()
    shown: int = 0

    @property
    def text(self) -> str:
        """The variation that is shown; empty for the record."""
        return self.texts[self.shown - 1] if self.shown else ""

    def showing(self, number: int) -> Beside:
        """The same with another one shown, the record for 0."""
        return Beside(self.texts, number)

    def taking(self, text: str) -> tuple[Beside, int]:
        """With an option taken, and of which decision its page shows the outcome, 0 for the last.

        What goes on from the end of the variation shown makes it longer; what one of them has already leads there;
        anything else is one more.
        """
        if self.text and text.startswith(self.text + BETWEEN):
            return self._with(self.shown, text), 0
        for number, kept in enumerate(self.texts, 1):
            if f"{kept}{BETWEEN}".startswith(text + BETWEEN):
                return self.showing(number), text.count(BETWEEN)
        texts = (*self.texts, text)[-MAX_KEPT:]
        return Beside(texts, len(texts)), 0

    def shortened(self) -> Beside:
        """Without the last decision of the one that is shown."""
        start, _, _ = self.text.rpartition(BETWEEN)
        return self._with(self.shown, start) if BETWEEN in start and start not in self.texts else self.without()

    def without(self) -> Beside:
        """Without the one that is shown: the record, with the others."""
        return Beside(tuple(text for number, text in enumerate(self.texts, 1) if number != self.shown))

    def arguments(self) -> dict[str, object]:
        """What an address says of them."""
        if not self.texts:
            return {}
        return {"vary": list(self.texts), **({} if self.shown == 1 else {"shown": self.shown})}

    def _with(self, number: int, text: str) -> Beside:
        return Beside((*self.texts[: number - 1], text, *self.texts[number:]), number)


def beside_in(texts: Sequence[str], shown: str) -> Beside:
    """The variations that an address names."""
    kept = tuple(dict.fromkeys(text for text in texts if text))[:MAX_KEPT]
    if not kept or shown == "0":
        return Beside(kept)
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) == 1 else 1
    return Beside(kept, number if number <= len(kept) else 1)


def letter(number: int) -> str:
    """What the variation of that number is called: a, b, c …"""
    return chr(ord("a") + number - 1)


class Label(Struct, frozen=True):
    """How a variation is named among the others: its letter, the event it leaves, and what is decided first."""

    number: int
    after: int
    words: str = ""

    @property
    def letter(self) -> str:
        """Its letter."""
        return letter(self.number)


class GameAddress(Struct, frozen=True):
    """What the address asks for: which game, for which viewer, under which reading, at which step."""

    id: str
    viewer: str
    reading: str
    step: int
    column: int
    notice: str
    grain: str = "steps"
    bottom: str = ""
    """The seat at the lower edge, where the address turns the table."""
    beside: Beside = Beside()
    """The variations beside the record, and which of them is shown."""

    def as_file(self, answer: Response, suffix: str) -> Response:
        """The answer as a file that is called by its game, its step and by whose eyes it is."""
        called = f"{self.id}-{self.step}-{self.viewer}.{suffix}"
        answer.headers.set("Content-Disposition", "inline", filename=called)
        return answer

    @property
    def vary(self) -> str:
        """The variation that is shown, as text; empty for the record."""
        return self.beside.text

    def seen_as(self) -> dict[str, str]:
        """The viewer, if the address of this page names one."""
        return {"as": self.viewer} if "as" in request.args else {}

    def address(self, endpoint: str = "games.game", **more: object) -> str:
        """The address of another page of this game, for the same viewer and reading."""
        values: dict[str, object] = {**self.seen_as(), "id": self.id, **more}
        if self.reading:
            values["reading"] = self.reading
        if "grain" in request.args and endpoint in ("games.game", "games.embed"):
            values.setdefault("grain", self.grain)
        if self.bottom and endpoint in TURNED:
            values.setdefault("bottom", self.bottom)
        if endpoint in KEEPING:
            values.update(self.beside.arguments())
        elif self.vary and endpoint in VARIED:
            values["vary"] = self.vary
        return url_for(endpoint, **values)  # type: ignore[arg-type]

    def taking(self, text: str) -> str:
        """The address of the page on which an option is taken."""
        beside, decision = self.beside.taking(text)
        return self.among(beside, decision=decision) if decision else self.among(beside)

    def covering(self, viewers: Sequence[str]) -> str:
        """The address of this step without any hidden card, or from there with those of the first viewer.

        It is the page that the public gets: no sentence, list or file of it can tell a hidden card, and no variation
        names one. Empty where the reader sees no hidden card at all.
        """
        if "public" not in viewers or len(viewers) < 2:
            return ""
        other = viewers[0] if self.viewer == "public" else "public"
        return replace(self, beside=Beside()).address(step=self.step, **{"as": other})

    def among(self, beside: Beside, endpoint: str = "games.game", **more: object) -> str:
        """The address of a page with these variations beside the record."""
        return replace(self, beside=beside).address(endpoint, **more)

    def lists_options(self) -> bool:
        """Whether a page lists what could come without a script: where that costs little, or is asked for."""
        return request.endpoint == "games.game" and (self.viewer == JUDGE or bool(self.vary) or "could" in request.args)

    def cards_page(self, ruleset: str) -> str:
        """The address of the page of all cards of a game."""
        return url_for("cards.cards", name=ruleset)


def library() -> OpenedLibrary:
    """The games of this application, as far as they are open to this reader."""
    return OpenedLibrary(cast(Library, current_app.extensions["audit.library"]), reader())


def quotes() -> Quotes:
    """The loaded rulebooks of this application; none for whoever may not be shown their printed words."""
    return cast(Quotes, current_app.extensions["audit.quotes"]) if may_read_print() else NoQuotes()


def requested_game(id: str, *, public: bool = False) -> tuple[GameAddress, Prepared]:
    """The game and viewer that the address asks for, and the step nearest to the one it asks for.

    Where it asks for a variation that is not possible, the notice says why, and the game is as it was recorded.
    """
    eyes = _eyes(id, public)
    reading = _reading(id)
    beside = beside_asked() if request.endpoint in VARIED else Beside()
    vary, problem = beside.text, ""
    try:
        game = variation(id, eyes, chosen(), reading, vary) if vary else prepared(id, eyes, chosen(), reading)
    except (VariationError, NoSuchEventError) as error:
        beside, problem = beside.without(), _problem(error)
        if request.endpoint not in TURNED[:2]:
            abort(400, description=problem)
        game = prepared(id, eyes, chosen(), reading)
    step, notice = asked_step(game, request.args)
    notice = problem or notice
    column = request.args.get("column", "")
    grain = request.args.get("grain", "")
    grain = grain if grain in GRAINS else "steps"
    bottom = request.args.get("bottom", "")
    bottom = bottom if bottom in game.seats else ""
    return GameAddress(id, eyes, reading, step, number_in(column, otherwise=0), notice, grain, bottom, beside), game


def beside_asked() -> Beside:
    """The variations that the address names."""
    return beside_in(request.args.getlist("vary"), request.args.get("shown", ""))


def labels(view: GameAddress) -> list[Label]:
    """How the variations beside the record are named; one that is not possible has no words."""
    return [_label(view, number, text) for number, text in enumerate(view.beside.texts, 1)]


def _label(view: GameAddress, number: int, text: str) -> Label:
    try:
        after = read_variation(text).after
        game = variation(view.id, view.viewer, chosen(), view.reading, text)
    except VariationError:
        return Label(number, 0)
    except (NoSuchEventError, TooOftenError):
        return Label(number, after)
    return Label(number, after, str(game.steps[game.decided[0]]["sentence"]) if game.decided else "")


def prepared(id: str, viewer: str, language: str, reading: str) -> Prepared:
    """A game ready for its pages, kept for the next reader."""
    kept = cast(Cache, current_app.extensions["audit.prepared"])
    key = (id, library().version(id), viewer, language, reading)
    return kept.get(
        key, lambda: Prepared(library().game(id, viewer=viewer, language=language, reading=reading or None))
    )


def variation(id: str, viewer: str, language: str, reading: str, text: str) -> Prepared:
    """A variation of a game ready for its pages; raises `VariationError`, `NoSuchEventError` or `TooOftenError`."""
    asked = read_variation(text)
    kept = cast(Cache, current_app.extensions["audit.prepared"])
    key = (id, library().version(id), viewer, language, reading, str(asked))
    return kept.get(key, lambda: _made_variation(id, viewer, language, reading, asked))


def _made_variation(id: str, viewer: str, language: str, reading: str, asked: Variation) -> Prepared:
    if not reader().is_local:
        limited("costly")
    log = open_log(BytesIO(library().log(id)))
    header = with_reading(log.header, reading or None)
    found = varied(header, list(log), asked, viewer, id)
    return Prepared(replay((found.header, found.events), viewer=viewer, language=language), found)


def _problem(error: VariationError | NoSuchEventError) -> str:
    if isinstance(error, NoSuchEventError):
        words = _(
            "This variation begins after event %(seq)s, which is not in the record; this is the record.", seq=error.at
        )
        return str(words)
    if error.decision:
        return str(_("Decision %(n)s of this variation is not possible here; this is the record.", n=error.decision))
    return str(_("The address names no variation that can be read; this is the record."))


def _eyes(id: str, public: bool) -> str:
    if public:
        return "public"
    asked = request.args.get("as")
    if asked in (None, JUDGE) and viewpoints((), id)[0] == JUDGE:
        return JUDGE
    seats = seats_of(_public(id))
    allowed = viewpoints(seats, id)
    if asked is None:
        return allowed[0]
    if asked not in (JUDGE, "public", *seats):
        abort(404)
    if asked not in allowed:
        abort(403, description=_("Only the public view of this game is open to you."))
    return asked


def _public(id: str) -> Replay:
    """The game as everybody may know it, before any page of it is prepared."""
    kept, language = cast(Cache, current_app.extensions["audit.prepared"]), chosen()
    key = ("replay", id, library().version(id), language)
    return kept.get(key, lambda: library().game(id, viewer="public", language=language, reading=None))


def _reading(id: str) -> str:
    asked = request.args.get("reading", "")
    if not asked:
        return ""
    name = _public(id).ruleset
    try:
        ruleset(name).rules.reading(asked)
    except UnknownReadingError:
        abort(404)
    return asked


def page_asked(text: str) -> int:
    """The page of a list that an address asks for, the first where it names none."""
    return number_in(text, otherwise=1)


def number_in(text: str, otherwise: int) -> int:
    """The number that an address or a browser says, of nine digits at most; another where it says none."""
    return int(text[:9]) if text.isascii() and text.isdigit() else otherwise


def readings(name: str) -> tuple[str, ...]:
    """The names of the readings of a ruleset."""
    return tuple(ruleset(name).rules.readings) if name in rulesets() else ("standard",)


def asked_step(game: Prepared, asked: Mapping[str, str]) -> tuple[int, str]:
    """The step that an address names: an event by its number in the log or by its id, else a step by its number.

    With the notice that says why it is another one.
    """
    seq, event = asked.get("seq", ""), asked.get("event", "")
    if game.varied and not (seq or event or "step" in asked):
        taken = number_in(asked.get("decision", ""), otherwise=0)
        if 1 <= taken <= len(game.decided):
            return game.decided[taken - 1], ""
        return game.decided[-1] if game.decided else game.fork, ""
    if not seq and not event:
        return _step(asked.get("step", "0"), game)
    found = game.step_of_event(event) if event else game.steps_of_seq.get(number_in(seq, otherwise=0))
    if found is not None:
        return found, ""
    return 0, _("There is no event %(wanted)s here; this is the start.", wanted=(event or seq)[:40])


def _step(asked: str, game: Prepared) -> tuple[int, str]:
    try:
        wanted = int(asked[:20])
    except ValueError:
        return 0, _("The address names no step; this is the start.")
    step = game.nearest(wanted)
    if step == wanted:
        return step, ""
    return step, _("There is no step %(wanted)s; this is step %(step)s, the nearest.", wanted=wanted, step=step)
