"""What a record tells a second time has to agree with its steps: findings, counts, sentences, the viewer's own log.

The events of the steps are proven against the seal. What can be told anew of them is, so that a file with hidden cards,
which nobody can judge again without them, says nothing else of what it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import msgspec

from audit.core.errors import UnknownRuleError
from audit.core.model import Header, Verdict, type_name
from audit.core.player_names import Players, player_names
from audit.core.record import words_in
from audit.core.record_events import Checkpoint, Flagged, Gap, PositionSet
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import tell
from replays.judging.tally import DIVERGED, EXACT, FINDINGS, PARTIAL, is_finding
from replays.log.schemas import decoder
from web.publishing.record import BY

Json = Mapping[str, object]
_ALSO_IN_STEP = ("seq", "verdict", "rules", "message", "expected", "expected_text", "expected_perhaps", "counts")
_NUMBERS = frozenset({"seq", "x-seq", "because"})
"""Fields of a log that are numbered anew for a viewer; so are those that end with `_seq`."""


def contradictions(
    name: str, language: str, steps: Sequence[Json], findings: Sequence[Json], log: Sequence[Json]
) -> Iterator[str]:
    """Where findings, sentences and the viewer's own log say otherwise than the steps of the game of that name."""
    game, players = ruleset(name), _players(log)
    yield from _findings(game, language, [step for step in steps if is_finding(step)], findings)
    for step in steps:
        yield from _sentences(game, language, step, players)
    yield from _own_log(log[0] if log else {}, steps, log[1:])


def miscounted(steps: Sequence[Json], verdicts: Mapping[str, int], fidelity: str, diverged: int | None) -> bool:
    """Whether the counts of a record are not those of its steps that stand."""
    standing = [step for step in steps if step.get("event") and not step.get("superseded_by")]
    counts = Counter(str(step["verdict"]) for step in standing)
    lost = next((step["seq"] for step in standing if step["verdict"] == Verdict.IMPOSSIBLE.value), None)
    grade = DIVERGED if lost is not None else PARTIAL if counts[Verdict.INFERRED.value] else EXACT
    wanted = {verdict.value: counts[verdict.value] for verdict in Verdict}
    return (dict(verdicts), fidelity, diverged) != (wanted, grade, lost)


def _findings(game: Ruleset[object], language: str, steps: Sequence[Json], findings: Sequence[Json]) -> Iterator[str]:
    if len(steps) != len(findings):
        yield f"findings: the file has {len(findings)}, its steps have {len(steps)}"
    for at, (step, finding) in enumerate(zip(steps, findings, strict=False)):
        same = all(finding.get(name) == step.get(name) for name in _ALSO_IN_STEP)
        told = (cast(Json, step["event"]).get("type"), _statement(game, step, language))
        if not same or (finding.get("type"), finding.get("statement")) != told:
            yield f"finding {at} (seq {step['seq']}): not what its step says"


def _statement(game: Ruleset[object], step: Json, language: str) -> str | None:
    rules = cast("list[str]", step.get("rules") or [])
    try:
        return game.catalogue.statement(game.catalogue[rules[0]], language) if rules else ""
    except UnknownRuleError:
        return None


def _sentences(game: Ruleset[object], language: str, step: Json, players: Players) -> Iterator[str]:
    """Where the sentences of a step are not those of its events."""
    told = [(step.get("event"), step.get("sentence"))]
    if step["verdict"] in FINDINGS:
        expected, texts = (cast("list[object]", step.get(name) or []) for name in ("expected", "expected_text"))
        told += zip(expected, texts, strict=False) if len(expected) == len(texts) else [(None, "more")]
    places = cast("Mapping[str, str]", step.get("places") or {})
    for event, said in told:
        if (said or "") != (_sentence(game, language, event, places, players) if event else ""):
            yield f"step {step['step']}: other words than its event has"
            return


def _players(log: Sequence[Json]) -> Players:
    return player_names(msgspec.convert(log[0], Header)) if log else {}


def _sentence(
    game: Ruleset[object], language: str, event: object, places: Mapping[str, str], players: Players
) -> str | None:
    try:
        found = decoder(game.rules.events).decode(msgspec.json.encode({"seq": 1, **cast(Json, event)}))
        return tell(game, found, language, places, players)
    except (msgspec.MsgspecError, KeyError, ValueError, TypeError, AttributeError):
        return None


def _own_log(header: Json, steps: Sequence[Json], log: Sequence[Json]) -> Iterator[str]:
    """Events of the viewer's log that the steps do not have, and the other way round.

    A card without a name may have any handle, and is named where the viewer comes to know it, by a word that the file
    says elsewhere. Cards of a hand that is shown as a whole stand in the log alone.
    """
    of_seq = {step["seq"]: cast(Json, step["event"]) for step in steps if step.get("seq")}
    known = words_in(header, *map(_plain, steps)) | {"?"}
    told = set()
    for at, line in enumerate(log, 2):
        seq = line.get("x-seq", line.get("seq"))
        event = of_seq.get(seq, {})
        if _tells(line, event):
            told.add(seq)
        elif line.get("type") not in _RETOLD:
            yield f"log, line {at}: not an event of the steps"
        elif not words_in(_plain(line)) - {line.get("type")} <= known:
            yield f"log, line {at}: names what the steps do not"
    missing = [seq for seq, event in of_seq.items() if seq not in told and event.get("type") not in _RETOLD]
    if missing:
        yield f"log: the event {missing[0]} of the steps is not there"


_RETOLD = frozenset(type_name(kind) for kind in (PositionSet, Checkpoint, Gap, Flagged)) | {"identified"}
"""Events by which a viewer's log tells what the whole log tells in another way, or not at all."""


def _tells(line: Json, event: Json) -> bool:
    """Whether a line says all that an event does; a card may have a handle, or a name that comes later."""
    said = cast(Json, _plain(line))
    return bool(event) and all(
        said.get(key) == value or "?" in words_in(value) or "?" in words_in(said.get(key))
        for key, value in cast(Json, _plain(event)).items()
        if key not in _PLACES
    )


_PLACES = frozenset({"position", "from", "to"})
"""Where an event about the record leads is numbered anew as well, and a position has handles as keys."""


def _plain(value: object) -> object:
    """An event without its numbers, its unknown cards without their handles."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if key not in _NUMBERS and not key.endswith("_seq")}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return "?" if isinstance(value, str) and value.startswith("?") else value


def record_differences(said: Mapping[str, object], made: Mapping[str, object]) -> Iterator[str]:
    """Where a record says something else than the one that is made again; what a publisher signs is no part of it."""
    for name in sorted({*said, *made} - {BY}, key=lambda name: (name != "findings", name == "steps", name)):
        ours, theirs = made.get(name), said.get(name)
        if ours == theirs:
            continue
        if name in ("findings", "steps"):
            yield from _list_differences(name, cast("list[object]", theirs), cast("list[object]", ours or []))
        else:
            yield f"{name}: the file says {_short(theirs)}, judged again {_short(ours)}"


def _list_differences(name: str, said: Sequence[object], made: Sequence[object]) -> Iterator[str]:
    if len(said) != len(made):
        yield f"{name}: the file has {len(said)}, judged again there are {len(made)}"
    for at, (theirs, ours) in enumerate(zip(said, made, strict=False)):
        fields, others = cast(Mapping[str, object], theirs), cast(Mapping[str, object], ours)
        for field in (*fields, *(each for each in others if each not in fields)):
            if fields.get(field) != others.get(field):
                where = f"{name[:-1]} {at} (seq {others.get('seq')}), {field}"
                yield f"{where}: the file says {_short(fields.get(field))}, judged again {_short(others.get(field))}"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"
