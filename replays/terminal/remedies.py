"""The plan for going back, for a judge who reads it aloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from babel.lists import format_list

from replays.judging.annotate import Json
from replays.table.backing_up import PUBLIC
from replays.terminal.replay_screen import option_lines, word


def plan_lines(said: Json, language: str) -> Iterator[str]:
    """What is advised and why, what to undo, how the table stands afterwards, and the first decision then."""
    yield word(language, f"backup_{said['advice']}".replace("-", "_"), to=said["to"])
    yield from _steps(said, "by_chance", word(language, "backup_chance"))
    yield from _steps(said, "unseen", word(language, "backup_unseen"))
    players = cast(Mapping[str, str], said["players"])
    for viewer, cards in cast(Mapping[str, Sequence[str]], said["learned"]).items():
        if cards:
            who = word(language, "backup_public") if viewer == PUBLIC else players.get(viewer, viewer)
            yield word(language, "backup_learned", viewer=who, cards=format_list(cards, locale=language))
    yield from _steps(said, "undo", word(language, "backup_undo", n=len(cast("Sequence[Json]", said["undo"]))))
    moves = cast("Sequence[Json]", said["moves"])
    yield from (word(language, "backup_moves"),) if moves else ()
    for move in moves:
        yield f"  {move['place']}: {word(language, 'backup_then', now=move['now'], then=move['then'])}"
    yield ""
    yield from option_lines(cast("Sequence[Json]", said["decisions"]), language)
    yield f"{word(language, 'ask_after')} {said['position']}"


def _steps(said: Json, key: str, title: str) -> Iterator[str]:
    steps = cast("Sequence[Json]", said[key])
    if not steps:
        return
    yield title
    for step in steps:
        yield f"  {step['seq'] or '·':>5}  {step['sentence']}"
