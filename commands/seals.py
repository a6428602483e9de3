"""Commands for seals and keys."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from commands.common import emit, example, json_option, log_argument, say

PUBLISHED = (".html", ".json")
"""Endings of published files that carry a seal."""


@click.command()
@log_argument
@click.option("--key", "key_name", help="Sign the seal with this key of yours.")
@example("audit key make table-9 && audit seal my-game.jsonl --key table-9")
def seal(log: str, key_name: str | None) -> None:
    """Seal a log, so that later changes show. The seal is written beside the log.

    The seal of a log on standard input is printed.
    """
    from datetime import UTC, datetime

    from replays.seals.seal import as_text, beside, seal_file, signed
    from replays.seals.seal import seal as made

    at = datetime.now(UTC).isoformat(timespec="seconds")
    if log == "-":
        plain = made(log, at)
        sys.stdout.buffer.write(as_text(signed(plain, key_name) if key_name else plain))
        return
    sealed = seal_file(Path(log), key_name, at)
    say(f"{beside(Path(log))}: {sealed.events} events, head {sealed.head}")


@click.command()
@click.argument("log", type=click.Path())
@click.option("--expect-count", type=int, help="The number of events the log should have.")
@click.option("--expect-head", help="The head that was published with the log.")
@click.option("--trusted", is_flag=True, help="Accept only a seal signed by a key you trust.")
@json_option
@example("audit verify my-game.jsonl --expect-count 130")
def verify(log: str, expect_count: int | None, expect_head: str | None, trusted: bool, as_json: bool) -> None:
    """Check a log, or a published file, against its seal. Prints the first changed line.

    Exit codes: 0 intact, 1 anything less, 2 no log or no seal to read.
    """
    import msgspec

    from replays.seals.keys import keys
    from replays.seals.seal import beside, read_seal
    from replays.seals.verify import verify as verified
    from web.publishing.check import check_published

    if log.endswith(PUBLISHED):
        found = check_published(log, keys(), needs_trust=trusted)
    else:
        path = beside(Path(log))
        found = verified(
            Path(log), read_seal(path) if log != "-" and path.exists() else None, expect_count=expect_count,
            expect_head=expect_head, trusted=keys(), needs_trust=trusted,
        )  # fmt: skip
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        say(*found.lines())
    raise click.exceptions.Exit(found.exit_code)


@click.group()
def key() -> None:
    """Manage your keys and the keys of others that you trust."""


@key.command("make")
@click.argument("name")
@example("audit key make table-12")
def key_make(name: str) -> None:
    """Make a key and print its public half, for others to trust."""
    from replays.seals.keys import make_key

    say(make_key(name).text)


@key.command("list")
@example("audit key list")
def key_list() -> None:
    """List the keys."""
    from replays.seals.keys import keys

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
    from replays.seals.keys import trust

    say(trust(text, name).text)
