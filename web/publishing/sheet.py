"""What one sheet for the tournament file says of a step: question, answer, rule, what should have been, how it came.

The same words stand in the PDF, on the page for print and in the Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice

from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError
from audit.core.model import Header
from audit.core.names import player_names
from audit.core.record import words_in
from audit.core.sentences import edition_words
from audit.core.typography import labelled
from replays.judging.versions import engine
from replays.terminal.replay_screen import standing_lines
from web.games.library import Replay, strings
from web.games.payload import Prepared
from web.games.steps import catalogue_of
from web.publishing.sources import UNSEALED, Sealed
from web.publishing.wording import seal_sentences, words_of
from web.rulebooks.quotes import Quote
from web.site.labels import ruleset_title

Quoted = Callable[[str, str], Sequence[Quote]]
MOST_EXPECTED = 5
MOST_STORY = 4
META = ("event", "round", "table", "date")
Run = tuple[float, float, float, float]
"""From the left, from the top, how wide and how high: parts of the whole."""


class SheetError(AuditError):
    """A sheet that cannot be made: why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"sheet: {reason}")
        self.reason = reason


class CitedRule(Struct, frozen=True):
    """A rule on a sheet: its title, and by language its statement with the printed words."""

    title: str
    says: tuple[tuple[str, str, tuple[Quote, ...]], ...]


class Sheet(Struct, frozen=True):
    """Everything a sheet says, in its language. `step` is the number of the step it is about."""

    language: str
    title: str
    people: str
    question: str
    verdict: str
    answer: str
    why: str
    standing: tuple[str, ...]
    should: tuple[str, ...]
    rules: tuple[CitedRule, ...]
    story: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    seal: tuple[str, ...]
    step: int
    at: str
    address: str = ""


def sheet(
    game: Prepared,
    header: Header,
    seal: Sealed = Sealed(),  # noqa: B008
    at: int | None = None,
    quotes: Quoted = lambda ruleset, rule: (),
    address: str = "",
) -> Sheet:
    """The sheet of a step, else of the first finding; needs an application. Raises `SheetError` where there is none."""
    number = game.nearest(at) if at is not None else next(iter(game.findings), None)
    if number is None:
        raise SheetError("there is no finding; name a step")
    replay, step = game.replay, game.steps[number]
    say, sentence = words_of(replay.language), str(step.get("sentence") or "")
    verdict = str(step["verdict"])
    return Sheet(
        language=replay.language, title=header.game or header.ruleset, people=_people(header), verdict=verdict,
        question=say["allowed"].format(sentence=sentence) if sentence else "",
        answer=say[f"answer_{verdict}"], why=_why(str(step.get("message") or ""), sentence),
        standing=(*standing_lines(replay.steps, step, replay.language), *_texts(game, number)),
        should=(
            *_should(strings(step.get("expected_text")), say["others"]),
            *([say["perhaps"]] if step.get("expected_perhaps") else []),
        ),
        rules=tuple(_rules(replay, strings(step.get("rules"))[:1], quotes)),
        story=tuple(_story(game, number)), facts=tuple(_facts(replay, header)), step=number, address=address,
        seal=() if seal.standing == UNSEALED else tuple(seal_sentences(seal, say)),
        at=say["at_step"].format(step=number, last=game.last),
    )  # fmt: skip


def _people(header: Header) -> str:
    """The players; the seat stands before a name that is another word."""
    names = player_names(header)
    called = ((player.seat, names.get(player.seat, player.seat)) for player in header.players)
    return " – ".join(name if name.casefold() == seat.casefold() else f"{seat} {name}" for seat, name in called)


def _texts(game: Prepared, number: int) -> Iterator[str]:
    """The recorded texts of the cards that a step is about, where they are not printed with every card."""
    about = words_in(game.steps[number].get("event"))
    cards = {card.key: card.face for card in game.scenes[number].cards if card.key in about and card.face}
    for face in cards.values():
        for place, words in face.texts if not face.id else ():
            yield labelled(game.replay.language, f"{face.title} ({place})" if place else face.title, words)


def _why(message: str, sentence: str) -> str:
    return message.removeprefix(sentence).strip()


def _should(expected: Sequence[str], others: str) -> tuple[str, ...]:
    more = len(expected) - MOST_EXPECTED
    return (*expected[:MOST_EXPECTED], *([others.format(n=more)] if more > 0 else []))


def _rules(replay: Replay, ids: Sequence[str], quotes: Quoted) -> Iterator[CitedRule]:
    """The rules with their words in every language, the sheet's own first."""
    catalogue = catalogue_of(replay.ruleset)
    languages = (replay.language, *(code for code in LANGUAGES if code != replay.language))
    for id in ids if catalogue else ():
        assert catalogue
        printed = quotes(replay.ruleset, id)
        said = dict(statements(replay.ruleset, id, languages))
        says = [(code, said.get(code, ""), _of(printed, code)) for code in languages]
        known = [each for each in says if each[1] or each[2]]
        if known:
            yield CitedRule(catalogue.title(catalogue[id], replay.language), tuple(known))


def _of(printed: Sequence[Quote], language: str) -> tuple[Quote, ...]:
    return tuple(quote for quote in printed if quote.language == language)


def statements(name: str, rule: str, languages: Sequence[str]) -> list[tuple[str, str]]:
    """The statement of a rule in each language that has one."""
    catalogue = catalogue_of(name)
    found = []
    for language in languages if catalogue else ():
        try:
            assert catalogue
            found.append((language, catalogue.statement(catalogue[rule], language)))
        except (AuditError, KeyError, FileNotFoundError):
            continue
    return found


def _story(game: Prepared, number: int) -> Iterator[str]:
    """The causes of a step, the first one first; where none is known, what the players did before."""
    chapter = ""
    for step in sorted(game.causes(number))[-MOST_STORY:] or _done_before(game, number):
        sentence, said = str(game.steps[step].get("sentence") or ""), str(game.band(step).chapter)
        yield sentence if said == chapter else " – ".join(filter(None, (said, sentence)))
        chapter = said


def _done_before(game: Prepared, number: int) -> list[int]:
    """The last steps before that one that somebody began."""
    begun = (step for step in reversed(range(number)) if game.grain(step) == "0" and game.steps[step].get("sentence"))
    return list(islice(begun, MOST_STORY))[::-1]


def _facts(replay: Replay, header: Header) -> Iterator[tuple[str, str]]:
    """Of which game and by which rules, each with its heading."""
    say = words_of(replay.language)
    yield say["game"], header.game or header.ruleset
    for name in META:
        if value := header.meta.get(name):
            yield say[name], str(value)
    edition = (
        say["edition"].format(edition=edition_words(replay.header.edition, replay.language))
        if replay.header.edition
        else ""
    )
    reading = "" if replay.header.reading == "standard" else replay.header.reading
    version = f"audit {engine().split('+')[0]}"
    yield say["version"], ", ".join(filter(None, (ruleset_title(replay.ruleset), edition, reading, version)))


__all__ = ["Quoted", "Sheet", "SheetError", "sheet", "statements"]


# QR codes


@lru_cache(maxsize=64)
def runs(words: str) -> tuple[Run, ...]:
    """The dark runs of the code of some words; none where the package is missing."""
    try:
        import segno
    except ImportError:
        return ()
    rows = [list(row) for row in segno.make(words, micro=False, error="m").matrix]
    side = 1 / len(rows)
    found = []
    for number, row in enumerate(rows):
        at = 0
        for dark, cells in groupby(row):
            length = len(list(cells))
            if dark:
                found.append((at * side, number * side, length * side, side))
            at += length
    return tuple(found)


def path_of(words: str) -> str:
    """The code as the path of a picture 100 wide and high."""
    return "".join(
        f"M{100 * x:.3f} {100 * y:.3f}h{100 * w:.3f}v{100 * h:.3f}h-{100 * w:.3f}z" for x, y, w, h in runs(words)
    )
