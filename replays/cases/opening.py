"""What is known of a case at once: the table before it, what the auditor says, and what the situation is like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.ruleset import Ruleset, ruleset
from replays.cases.case import Case, players_of
from replays.cases.events import Judged, Opened, Opined, Situation
from replays.errors import NoSuchEventError
from replays.judging.annotate import Annotator
from replays.judging.positions import line_at
from replays.judging.sentences import Json
from replays.judging.versions import engine, fingerprint
from replays.table.answer import AnswerWriter, answered
from replays.table.question import header_at, question

MAX_NAMED = 40
ZONES = frozenset({"hand", "deck", "trash", "line", "zone", "place", "face", "from", "to", "side"})


class Place(Struct, frozen=True):
    """Where a case begins: the line of the position, what is asked about, and what the situation is like."""

    ruleset: str
    position: str
    asked: tuple[dict[str, object], ...]
    edition: str
    reading: str
    players: dict[str, str]
    situation: Situation


def place_in_log(header: Header, events: Iterable[Event], seq: int, name: str = "log") -> Place:
    """The place of an event in its game: the table before it. Raises `NoSuchEventError`."""
    game = ruleset(header.ruleset)
    last = 0
    for step in audit(game, header, events):
        last = step.seq or last
        if step.seq == seq and step.event is not None:
            asked = cast("dict[str, object]", msgspec.to_builtins(step.event))
            told = {key: asked[key] for key in asked if key not in ("seq", "id", "at", "note", "note_for", "because")}
            players = {player.seat: player.name for player in header.players}
            position = line_at(header, step.before)
            likeness = situation(game, header, step.before, [told])
            return Place(header.ruleset, position, (told,), header.edition, header.reading, players, likeness)
    raise NoSuchEventError(name, seq, last)


def place_at(position: str, asked: Sequence[str | Mapping[str, object]], edition: str = "", reading: str = "") -> Place:
    """The place of a position line and of events typed as on a score sheet; raises what a question raises."""
    header = header_at(position, reading or None, edition)
    found = question(header, asked)
    game = found.game
    told = [cast("dict[str, object]", msgspec.to_builtins(event)) for event in found.events]
    for each in told:
        each.pop("seq", None)
    state = game.rules.start(header)
    players = dict.fromkeys(game.disclosure.seats(header), "")
    line = line_at(header, state)
    return Place(
        game.name, line, tuple(told), header.edition, header.reading, players, situation(game, header, state, told)
    )


def situation(game: Ruleset[object], header: Header, state: object, asked: Sequence[Mapping[str, object]]) -> Situation:
    """What a situation is like, in words that two situations can share."""
    pending = cast("Sequence[Json]", msgspec.to_builtins(game.disclosure.pending(state)))
    frames = [frame(each) for each in pending if isinstance(each, Mapping)]
    decisions = Annotator(game, "en", header=header).decisions(state)
    verbs = {str(event["type"]) for option in decisions for event in cast("Sequence[Json]", option["events"])}
    rules = {rule for option in decisions[:1] for rule in cast("Sequence[str]", option["rules"])}
    cards = {word for word in words_in([dict(each) for each in asked]) if _is_card(game, word)}
    cards |= {str(each["card"]) for each in pending if isinstance(each, Mapping) and each.get("card")}
    return Situation(
        tuple(dict.fromkeys(frames))[:MAX_NAMED], tuple(sorted(verbs))[:MAX_NAMED],
        tuple(sorted({f"{key} {value}" for each in asked for key, value in each.items() if _is_zone(key, value)})),
        tuple(sorted(cards))[:MAX_NAMED], tuple(sorted(rules))[:MAX_NAMED], str(asked[0]["type"]) if asked else "",
    )  # fmt: skip


def frame(pending: Mapping[str, object]) -> str:
    """What is pending, without who and where."""
    words = (str(pending[key]) for key in ("what", "kind", "card", "command", "step") if pending.get(key))
    return " ".join(words)[:200]


def _is_zone(key: str, value: object) -> bool:
    return key in ZONES and isinstance(value, str)


def _is_card(game: Ruleset[object], word: str) -> bool:
    try:
        named = game.wording.finding_words({"card": word}, "en")["card"]
    except (KeyError, LookupError, ValueError):
        return False
    return "-" in word and named != word


def judged_lines(opened: Opened, sheet: Sequence[str | Mapping[str, object]], language: str) -> tuple[Judged, ...]:
    """What the auditor says of a score sheet from the position of a case; raises `LogError` with line and column."""
    return _judged(opened, sheet, language).judged


class Said(Struct, frozen=True):
    """What the auditor says: of each line, by other readings, and of what came before the position."""

    judged: tuple[Judged, ...] = ()
    otherwise: tuple[str, ...] = ()
    doubts: tuple[Judged, ...] = ()


def _judged(opened: Opened, sheet: Sequence[str | Mapping[str, object]], language: str) -> Said:
    header = replace(header_at(opened.position, opened.reading or None, opened.edition), players=players_of(opened))
    answer = answered(question(header, sheet))
    first = language if language in LANGUAGES else "en"
    said = {
        code: AnswerWriter(answer, tuple(dict.fromkeys((code, *LANGUAGES)))).json()
        for code in dict.fromkeys((first, *(code for code in opened.languages if code in LANGUAGES)))
    }
    steps = {code: cast("Sequence[Json]", told["steps"]) for code, told in said.items()}
    judged = tuple(
        Judged(
            str(step.get("sentence") or ""), str(step["verdict"]), _told_of(step),
            tuple(str(rule["id"]) for rule in cast("Sequence[Json]", step["rules"])),
            {code: _told_of(told[number]) for code, told in steps.items() if code != first},
        )
        for number, step in enumerate(steps[first])
    )  # fmt: skip
    otherwise = tuple(_other(each) for each in cast("Sequence[Json]", said[first]["otherwise"]))
    doubts = {code: cast("Sequence[Json]", told["doubts"]) for code, told in said.items()}
    doubted = tuple(
        Judged(
            str(doubt["sentence"]), "undetermined", str(doubt["sentence"]),
            tuple(cast("Sequence[str]", doubt["rules"])),
            {code: str(told[number]["sentence"]) for code, told in doubts.items() if code != first},
        )
        for number, doubt in enumerate(doubts[first])
    )  # fmt: skip
    return Said(judged, otherwise, doubted)


def _told_of(step: Json) -> str:
    return str(step.get("message") or step["sentence"])


def _other(other: Json) -> str:
    who = f"edition {other['edition']}" if "edition" in other else f"reading {other.get('reading')}"
    return f"{who}: {', '.join(cast('Sequence[str]', other['verdicts']))}"


def opinion(opened: Opened, language: str, by: str, role: str, at: str) -> Opined:
    """What the auditor says of what is asked, fixed at this version and these rules."""
    said = _judged(opened, opened.asked, language) if opened.asked else Said()
    return msgspec.convert(
        {
            "type": "opined", "by": by, "role": role, "at": at, "engine": engine(),
            "catalogue": fingerprint(opened.ruleset), **msgspec.to_builtins(said),
        },
        Opined,
    )  # fmt: skip


def suggested(case: Case) -> tuple[str, tuple[str, ...]]:
    """The decision and the rules that follow from the auditor's opinion: what a judge may take over or not."""
    judged = case.opinion.judged if case.opinion else ()
    asked = [each for each in judged if each.verdict != "inferred"]
    if not asked:
        return "other", ()
    worst = next((each for each in asked if each.verdict in ("illegal", "impossible")), asked[-1])
    decision = {"legal": "yes", "illegal": "no", "impossible": "no"}.get(worst.verdict, "other")
    return decision, worst.rules[:1] if decision != "other" else worst.rules
