"""Headings of published files, and the sentences on how far a file can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from audit.catalogue import words
from web.games.library import Replay
from web.publishing.sources import UNSEALED, Source


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
        say["seen"].format(viewer=say.get(replay.viewer, replay.viewer)),
        *_seal(source, say),
        say["copy"],
    ]


def _diverged(replay: Replay) -> object:
    for step in replay.steps:
        if step.get("seq") == replay.diverged_from and step.get("seq"):
            return step["step"]
    return replay.diverged_from


def _seal(source: Source, say: Mapping[str, str]) -> list[str]:
    seal = source.seal
    line = say[seal.standing].format(head=seal.head, events=seal.events)
    if seal.standing == UNSEALED:
        return [line]
    signatures = [say["signed" if one.good else "badly"].format(name=one.name, key=one.key) for one in seal.signatures]
    return [line, *signatures]
