"""Seals of stored games: imported with a log, or made from what is stored."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import msgspec

from replays.store.database import StoreError, Tables
from replays.trust.seal import Chain, Seal, SealError, beside, read_seal, seal, short_hash, signed


def seal_beside(log: object, bodies: Sequence[bytes]) -> Seal | None:
    """The seal beside a log that is being imported; raises `SealError` where it is of something else."""
    if not isinstance(log, str | Path) or not beside(log).exists():
        return None
    found = read_seal(beside(log))
    if not fits(found, bodies):
        raise SealError(str(beside(log)), "the log no longer says what was sealed; nothing was stored")
    return found


def fits(found: Seal, bodies: Sequence[bytes]) -> bool:
    """Whether lines begin with what was sealed, byte for byte."""
    first = bodies[: len(found.lines)]
    if tuple(map(short_hash, first)) != found.lines:
        return False
    chain = Chain()
    for body in first:
        chain.add(body.removesuffix(b"\n"))
    return chain.head.hex() == found.head


def kept_seal(tables: Tables, store: str, game: str) -> Seal | None:
    """The seal that is kept of a game; raises `StoreError` where it is damaged."""
    text = tables.seal(game)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=Seal)
    except msgspec.MsgspecError as problem:
        raise StoreError(store, f"the seal of game {game} is damaged: {problem}") from None


def keep_seal(tables: Tables, game: str, made: Seal) -> None:
    """Keep a seal of a game, in place of an earlier one."""
    tables.keep_seal(game, msgspec.json.encode(made).decode())


def renewed(old: Seal | None, bodies: Sequence[bytes], key: str | None, at: str) -> Seal:
    """A seal of all these lines: the old one where they are what it sealed, with a signature where a key is named.

    Raises `SealError` where they are no longer what was sealed.
    """
    if old and not fits(old, bodies):
        raise SealError(f"game {old.game}", "the store no longer says what was sealed")
    made = old if old and len(old.lines) == len(bodies) else seal(io.BytesIO(b"".join(bodies)), at, old)
    return signed(made, key) if key else made
