"""Commands for proofs of parts of a sealed log, and for the witness who signs tree heads."""

from __future__ import annotations

from pathlib import Path

import click

from audit.core.schema_text import count_noun
from commands.common import Group, example, known_viewer, opened, say, viewer_option, written

out_option = click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file. Default: standard output."
)


@click.group(cls=Group)
def prove() -> None:
    """Prove parts of a sealed log to somebody who may not see the rest."""


@prove.command("step")
@click.argument("log", type=click.Path(exists=True, dir_okay=False))
@click.option("--at", type=click.IntRange(0), required=True, help="The seq of the event; 0 is the header.")
@click.option("--open", "fields", multiple=True, help="Open this hidden field too, such as cards.0; may be repeated.")
@viewer_option
@out_option
@example(
    "audit seal my-game.jsonl && audit prove step my-game.jsonl --at 20 -o step.proof && audit verify step.proof",
    "audit seal my-game.jsonl && audit prove step my-game.jsonl --at 1 --as public --open cards.0 -o card.proof",
)
def prove_step(log: str, at: int, fields: tuple[str, ...], viewer: str, out: Path | None) -> None:
    """Prove that one line is in a sealed log, as a viewer may know it, with hidden fields opened one by one.

    The proof shows nothing else. It is checked offline by `audit verify`.
    """
    from replays.errors import NoSuchEventError
    from replays.trust.proofs import as_json, leaves_of, prove_line
    from replays.trust.seal import beside, read_seal
    from web.publishing.disclosed import shown_line, whole_line
    from web.publishing.sources import source_at

    known_viewer(opened(log).header, viewer)
    seal, source = read_seal(beside(log)), source_at(log)
    if at >= len(source.lines):
        raise NoSuchEventError(log, at, len(source.lines) - 1)
    line = whole_line(source, at)
    shown = line if viewer == "judge" else shown_line(source, source.replay(viewer, "en"), at)
    written(as_json(prove_line(seal, leaves_of(log, seal), at, line, shown, fields)), out)


@prove.command("head")
@click.argument("log", type=click.Path(exists=True, dir_okay=False))
@click.option("--since", type=click.IntRange(0), help="Prove that the log continues what it was after so many events.")
@out_option
@example("audit seal my-game.jsonl && audit prove head my-game.jsonl -o my-game.head && audit verify my-game.head")
def prove_head(log: str, since: int | None, out: Path | None) -> None:
    """Write the signed head of a sealed log: what anybody may have of a seal, such as a witness."""
    from replays.trust.proofs import as_json, continues, leaves_of, signed_head
    from replays.trust.seal import beside, read_seal

    seal = read_seal(beside(log))
    before = None if since is None else continues(leaves_of(log, seal), since, log)
    written(as_json(signed_head(seal, before)), out)


@click.group(cls=Group)
def witness() -> None:
    """Sign the heads of others, and keep a list of them that only grows."""


@witness.command("add")
@click.argument("heads", type=click.Path(dir_okay=False))
@click.argument("head", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--key", "key_name", required=True, help="Sign with this key of yours.")
@click.option("--another", is_flag=True, help="It is another game of the same name.")
@example(
    "audit key make club && audit seal my-game.jsonl && audit prove head my-game.jsonl -o club.head"
    " && audit witness add heads.jsonl club.head --key club",
)
def witness_add(heads: str, head: Path, key_name: str, another: bool) -> None:
    """Sign a head and add it to the list HEADS. The signature is added to the file too.

    A later head of a game in the list has to prove that it continues the earlier one (audit prove head --since).
    """
    from datetime import UTC, datetime

    from replays.files import read_whole
    from replays.trust.proofs import as_json, read_head
    from replays.trust.witness import witness as cosigned

    at = datetime.now(UTC).isoformat(timespec="seconds")
    found = cosigned(heads, read_head(read_whole(head), str(head)), key_name, at, another=another)
    written(as_json(found), head)
    known = found.head
    say(f"{heads}: {known.ruleset} {known.game}, {count_noun(known.events, 'event')}, root {known.root}")


@witness.command("check")
@click.argument("heads", type=click.Path(exists=True, dir_okay=False))
@click.option("--signer", help="The key of the witness.")
@click.option("--earlier", type=click.Path(exists=True, dir_okay=False), help="An earlier copy of it.")
@example(
    "audit key make hall && audit seal my-game.jsonl && audit prove head my-game.jsonl -o hall.head"
    " && audit witness add hall.jsonl hall.head --key hall && audit witness check hall.jsonl --signer hall"
)
def witness_check(heads: str, signer: str | None, earlier: str | None) -> None:
    """Check a list of heads: its signatures, that it only grew, and that no game in it was replaced.

    Exit codes: 0 all of it holds and the named witness signed it, 1 anything less, 2 not a list of heads.
    """
    from replays.trust.keys import key
    from replays.trust.witness import check_growth, check_list, read_list

    lines = read_list(heads)
    before = read_list(earlier) if earlier else ()
    problem = check_list(lines, key(signer) if signer else None) or check_growth(before, lines)
    if problem:
        say(f"{heads}: line {problem.line}: {problem.reason}")
    elif not signer:
        say(
            "you named no witness: this may be anybody's list",
            f"{heads}: {count_noun(len(lines), 'head')}, without a contradiction",
        )
    else:
        say(f"{heads}: {count_noun(len(lines), 'head')}, as {signer} signed them")
    raise click.exceptions.Exit(1 if problem or not signer or not lines else 0)
