"""Commands for seals and keys."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from audit.core.schema_text import count_noun
from commands.common import Group, emit, example, json_option, log_argument, say


@click.command()
@log_argument
@click.option("--key", "key_name", help="Sign the seal with this key of yours.")
@click.option("--add", "head", type=click.Path(dir_okay=False, path_type=Path), help="Add the signatures of this head.")
@click.option("--stamp", is_flag=True, help="Add a time stamp of the service named by AUDIT_TIMESTAMP_URL.")
@example("audit key make table-9 && audit seal my-game.jsonl --key table-9")
def seal(log: str, key_name: str | None, head: Path | None, stamp: bool) -> None:
    """Seal a log, or a file of notes or of a case, so that later changes show. The seal is written beside the log.

    The seal of a log on standard input is printed. Who has the seal can open every hidden card: give away published
    files, proofs and heads instead (audit prove).
    """
    from datetime import UTC, datetime

    from replays.trust.seal import as_text, beside, seal_file, signed
    from replays.trust.seal import seal as made
    from replays.trust.sealing import is_ledger, seal_ledger

    at = datetime.now(UTC).isoformat(timespec="seconds")
    if is_ledger(log):
        if head or stamp:
            raise click.UsageError("notes and cases are sealed with --key alone")
        made_of_lines = seal_ledger(Path(log), key_name, at)
        say(f"{beside(Path(log))}: {count_noun(len(made_of_lines.lines), 'line')}, head {made_of_lines.head}")
        return
    if log == "-":
        plain = made(log, at)
        sys.stdout.buffer.write(as_text(signed(plain, key_name) if key_name else plain))
        return
    sealed = seal_file(Path(log), key_name, at)
    if head or stamp:
        from commands.verifying import added

        sealed = added(log, sealed, head, stamp=stamp)
    say(f"{beside(Path(log))}: {count_noun(sealed.events, 'event')}, head {sealed.head}")


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
@json_option
@example(
    "audit key make table-3 && audit seal my-game.jsonl --key table-3 && audit verify my-game.jsonl --signer table-3",
    "audit publish my-game.jsonl -o my-game.html && audit verify my-game.html",
)
def verify(
    file: str, names: tuple[str, ...], trust_file: Path | None, trusted: bool, expect_count: int | None,
    expect_head: str | None, log: str | None, roots: str | None, as_json: bool,
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
        raise click.UsageError("--signer, --trust and --trusted exclude each other")
    signers = signers_named(names, trust_file, all_kept=trusted)
    found = verified(file, signers, count=expect_count, head=expect_head, log=log, roots=roots)
    if as_json:
        emit({**msgspec.to_builtins(found), "answer": found.answer, "intact": found.is_intact})
    else:
        say(*found.lines())
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
@example("audit key list")
def key_list() -> None:
    """List the keys."""
    from replays.trust.keys import keys

    known = keys()
    for one in known:
        say(one.text)
    if not known:
        say("no key yet; make one with: audit key make NAME")


@key.command("trust")
@click.argument("text")
@click.option("--name", help="Your name for it.")
@example('audit key trust "$(audit key make table-7)" --name table-7')
def key_trust(text: str, name: str | None) -> None:
    """Trust somebody's public key."""
    from replays.trust.keys import trust

    say(trust(text, name).text)
