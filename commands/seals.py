"""Commands for seals, keys, proofs and witnesses."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from commands.common import (
    Group,
    Misuse,
    emit,
    example,
    json_option,
    known_viewer,
    lang_option,
    log_argument,
    opened,
    say,
    say_of,
    viewer_option,
    written,
)
from replays.said import Said, in_language

out_option = click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file. Default: standard output."
)


@click.command()
@log_argument
@click.option("--key", "key_name", help="Sign the seal with this key of yours.")
@click.option("--add", "head", type=click.Path(dir_okay=False, path_type=Path), help="Add the signatures of this head.")
@click.option("--stamp", is_flag=True, help="Add a time stamp of the service named by AUDIT_TIMESTAMP_URL.")
@lang_option
@example("audit key make table-9 && audit seal my-game.jsonl --key table-9")
def seal(log: str, key_name: str | None, head: Path | None, stamp: bool, language: str) -> None:
    """Seal a log, or a file of notes or of a case, so that later changes show. The seal is written beside the log.

    The seal of a log on standard input is printed. Who has the seal can open every hidden card: give away published
    files, proofs and heads instead (audit prove).
    """
    from datetime import UTC, datetime

    from replays.trust.ledger import is_ledger, seal_ledger
    from replays.trust.seal import as_text, beside, seal_file, signed
    from replays.trust.seal import seal as made

    at = datetime.now(UTC).isoformat(timespec="seconds")
    if is_ledger(log):
        if head or stamp:
            raise click.UsageError("notes and cases are sealed with --key alone")
        made_of_lines = seal_ledger(Path(log), key_name, at)
        say_of(beside(Path(log)), Said("ledger_about", n=len(made_of_lines.lines), head=made_of_lines.head), language)
        return
    if log == "-":
        plain = made(log, at)
        sys.stdout.buffer.write(as_text(signed(plain, key_name) if key_name else plain))
        return
    sealed = seal_file(Path(log), key_name, at)
    if head or stamp:
        from commands.verifying import added

        sealed = added(log, sealed, head, stamp=stamp)
    say_of(beside(Path(log)), Said("sealed", n=sealed.events, head=sealed.head), language)


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--signer", "names", multiple=True, help="A key that has to have signed. Given twice: both have to.")
@click.option(
    "--trust", "trust_file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of public keys, one a line; any of them is to have signed.",
)  # fmt: skip
@click.option("--trusted", is_flag=True, help="Any of the keys you keep is to have signed (audit key list).")
@click.option("--expect-count", type=int, help="The number of events the log should have.")
@click.option("--expect-head", help="The head of the log, as you kept it yourself.")
@click.option("--log", type=click.Path(dir_okay=False), help="For a published file: the whole log, with hidden cards.")
@click.option("--stamps", "roots", type=click.Path(dir_okay=False), help="Certificates (PEM) of time stamp services.")
@lang_option
@json_option
@example(
    "audit key make table-3 && audit seal my-game.jsonl --key table-3 && audit verify my-game.jsonl --signer table-3",
    "audit publish my-game.jsonl -o my-game.html && audit verify my-game.html",
)
def verify(
    file: str, names: tuple[str, ...], trust_file: Path | None, trusted: bool, expect_count: int | None,
    expect_head: str | None, log: str | None, roots: str | None, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Check a log against its seal, or a published file, a proof or a signed head against what is in it.

    You name the signers. Without, the answer is at most "unaltered since somebody signed it".

    Exit code 0: it is intact, and who you named has signed it; where you name nobody, it has the expected head. 1:
    anything less: altered, not signed, signed by others only, or made by another version. 2: no such file, nothing that
    can be read as a log, a seal or a published file, or an option that is not for such a file.
    """
    import msgspec

    from commands.verifying import signers_named, verified

    if sum((bool(names), bool(trust_file), trusted)) > 1:
        raise Misuse("one_trust")
    signers = signers_named(names, trust_file, all_kept=trusted)
    found = verified(file, signers, count=expect_count, head=expect_head, log=log, roots=roots)
    if as_json:
        emit({**msgspec.to_builtins(found, enc_hook=str), "answer": found.answer, "intact": found.is_intact})
    else:
        say(*found.lines(language))
    raise click.exceptions.Exit(found.exit_code)


@click.group(cls=Group)
def key() -> None:
    """Manage your keys and the keys of others that you trust."""


@key.command("make")
@click.argument("name")
@example("audit key make table-12")
def key_make(name: str) -> None:
    """Make a key and print its public half, for others to trust."""
    from replays.trust.keys import make_key

    say(make_key(name).text)


@key.command("list")
@lang_option
@example("audit key list")
def key_list(language: str) -> None:
    """List the keys."""
    from replays.trust.keys import keys

    known = keys()
    for one in known:
        say(one.text)
    if not known:
        say(in_language(Said("no_key_yet"), language))


@key.command("trust")
@click.argument("text")
@click.option("--name", help="Your name for it.")
@example('audit key trust "$(audit key make table-7)" --name table-7')
def key_trust(text: str, name: str | None) -> None:
    """Trust somebody's public key."""
    from replays.trust.keys import trust

    say(trust(text, name).text)


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
@lang_option
@example(
    "audit key make club && audit seal my-game.jsonl && audit prove head my-game.jsonl -o club.head"
    " && audit witness add heads.jsonl club.head --key club",
)
def witness_add(heads: str, head: Path, key_name: str, another: bool, language: str) -> None:
    """Sign a head and add it to the list HEADS. The signature is added to the file too.

    A later head of a game in the list has to prove that it continues the earlier one (audit prove head --since).
    """
    from datetime import UTC, datetime

    from replays.files import read_whole
    from replays.trust.proofs import as_json, read_head
    from replays.trust.verify import of_game
    from replays.trust.witness import witness as cosigned

    at = datetime.now(UTC).isoformat(timespec="seconds")
    found = cosigned(heads, read_head(read_whole(head), str(head)), key_name, at, another=another)
    written(as_json(found), head)
    known = found.head
    about = Said("list.head", n=known.events, root=known.root)
    say_of(heads, of_game(known.ruleset, known.game, about), language)


@witness.command("check")
@click.argument("heads", type=click.Path(exists=True, dir_okay=False))
@click.option("--signer", help="The key of the witness.")
@click.option("--earlier", type=click.Path(exists=True, dir_okay=False), help="An earlier copy of it.")
@lang_option
@example(
    "audit key make hall && audit seal my-game.jsonl && audit prove head my-game.jsonl -o hall.head"
    " && audit witness add hall.jsonl hall.head --key hall && audit witness check hall.jsonl --signer hall"
)
def witness_check(heads: str, signer: str | None, earlier: str | None, language: str) -> None:
    """Check a list of heads: its signatures, that it only grew, and that no game in it was replaced.

    Exit codes: 0 all of it holds and the named witness signed it, 1 anything less, 2 not a list of heads.
    """
    from replays.trust.keys import key
    from replays.trust.witness import check_growth, check_list, read_list

    lines = read_list(heads)
    before = read_list(earlier) if earlier else ()
    problem = check_list(lines, key(signer) if signer else None) or check_growth(before, lines)
    if problem:
        say_of(heads, problem.said, language)
    elif signer:
        say_of(heads, Said("list.signed", n=len(lines), signer=signer), language)
    else:
        say(in_language(Said("list.by_anybody"), language))
        say_of(heads, Said("list.holds", n=len(lines)), language)
    raise click.exceptions.Exit(1 if problem or not signer or not lines else 0)
