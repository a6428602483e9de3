"""The proof of one line of a sealed log as the public may know it."""

from __future__ import annotations

from replays.errors import NoSuchEventError
from replays.log.strict_json import parse
from replays.trust.proofs import LineProof, prove_line
from replays.trust.seal import Seal, leaf
from web.publishing.disclosed import shown_line, whole_line
from web.publishing.sources import source_from


def step_proof(log: bytes, seal: Seal | None, seq: int | None) -> LineProof | None:
    """The proof of an event; None where the log has no seal with a tree, or where there is no event.

    Raises `NoSuchEventError`.
    """
    if seal is None or not seal.secret or seq is None:
        return None
    source = source_from(log, seal)
    if not 0 <= seq <= seal.events or seq >= len(source.lines):
        raise NoSuchEventError("the sealed log", seq, seal.events)
    secret = seal.secret_bytes()
    lines = log.split(b"\n")[: seal.events + 1]
    leaves = [leaf(parse(line), secret, at) for at, line in enumerate(lines)]
    shown = shown_line(source, source.replay("public", "en"), seq)
    return prove_line(seal, leaves, seq, whole_line(source, seq), shown)
