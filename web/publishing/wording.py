"""Headings of published files, and the sentences on how far a file can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from audit.core.catalogue import words
from web.games.library import Replay
from web.publishing.sources import UNSEALED, Sealed, Source


@cache
def words_of(language: str) -> Mapping[str, str]:
    """The words in that language, English where there are none."""
    return words("web", language, "publishing")


def trust_sentences(source: Source, replay: Replay) -> list[str]:
    """How far a file can be trusted, in sentences."""
    say = words_of(replay.language)
    return [
        say["judged"].format(ruleset=replay.ruleset, reading=replay.header.reading),
        say[replay.fidelity].format(inferred=replay.counts["inferred"], step=_diverged(replay)),
        *_judged(replay, say),
        say["seen"].format(viewer=say.get(replay.viewer, replay.viewer)),
        *seal_sentences(source.seal, say),
        say["copy"],
    ]


def _judged(replay: Replay, say: Mapping[str, str]) -> list[str]:
    """How many steps were not judged, and how many stand no longer, where there are any."""
    counts = replay.counts
    said = []
    if unchecked := counts.get("unchecked", 0):
        steps = sum(counts.values()) - counts.get("recorded", 0)
        said.append(say["unchecked"].format(judged=steps - unchecked, steps=steps))
    if aside := sum(1 for step in replay.steps if step.get("superseded_by")):
        said.append(say["superseded"].format(steps=aside))
    return said


def _diverged(replay: Replay) -> object:
    for step in replay.steps:
        if step.get("seq") == replay.diverged_from and step.get("seq"):
            return step["step"]
    return replay.diverged_from


def seal_sentences(seal: Sealed, say: Mapping[str, str]) -> list[str]:
    """What a seal says of the log, and who signed it."""
    line = say[seal.standing].format(head=seal.head, events=seal.events)
    if seal.standing == UNSEALED:
        return [line]
    signatures = [say["signed" if one.good else "badly"].format(name=one.name, key=one.key) for one in seal.signatures]
    return [line, *signatures]
