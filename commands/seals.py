"""Commands for seals and keys."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from commands.common import emit, example, json_option, log_argument, say

PUBLISHED = (".html", ".json")
"""How the names of published files that carry a seal end."""


@click.command()
@log_argument
@click.option("--key", "key_name", help="Sign the head with this key of yours.")
@example("audit key make table-9 && audit seal my-game.jsonl --key table-9")
def seal(log: str, key_name: str | None) -> None:
    """Seal a log: a chain over its lines bound to the header, kept beside it in a file of its own.

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
@click.option("--expect-count", type=int, help="The log has so many events.")
@click.option("--expect-head", help="The head it was published with.")
@click.option("--trusted", is_flag=True, help="Only a signature by a key you trust pins the end.")
@json_option
@example("audit verify my-game.jsonl --expect-count 130")
def verify(log: str, expect_count: int | None, expect_head: str | None, trusted: bool, as_json: bool) -> None:
    """Check a log, or a published file, against its seal: the first bad line, and whether the end is pinned."""
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
    """Your keys, and those of others you trust."""


@key.command("make")
@click.argument("name")
@example("audit key make table-12")
def key_make(name: str) -> None:
    """Make a key; what is printed is its public half, for others to trust."""
    from replays.seals.keys import make_key

    say(make_key(name).text)


@key.command("list")
@example("audit key list")
def key_list() -> None:
    """The keys there are."""
    from replays.seals.keys import keys

    known = keys()
    for one in known:
        say(one.text)
    if not known:
        say("no key yet; make one with: audit key make NAME")


@key.command("trust")
@click.argument("text")
@click.option("--name", help="What you call it.")
@example('audit key trust "$(audit key make table-7)" --name table-7')
def key_trust(text: str, name: str | None) -> None:
    """Trust somebody's public key."""
    from replays.seals.keys import trust

    say(trust(text, name).text)
