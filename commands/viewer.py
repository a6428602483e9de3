"""Commands for the viewer: serving it, as static files, published files, and tokens of the API."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import click

from commands.common import (
    UNREADABLE,
    FolderPath,
    Group,
    Misuse,
    example,
    is_a_file,
    one_game,
    say,
    spoken_languages,
    viewer_option,
    written,
)


@click.command()
@click.argument("folder", required=False, type=FolderPath(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes any free port."
)
@click.option("--table", "at_table", is_flag=True, help="Open the page for the table in a browser.")
@example("audit serve --port 8000", "audit serve --table")
def serve(folder: Path | None, host: str, port: int, at_table: bool) -> None:
    """Start the viewer: the logs and score sheets of FOLDER, or else the stored games, or else the samples.

    The address that is printed has a key. Whoever opens it with that key sees everything; all others see what is
    public. So nothing hidden is shown behind a proxy, or to other users of this machine.
    """
    import secrets

    from werkzeug.serving import make_server

    from replays.store.store import Store
    from replays.trust.keys import data_folder
    from web import create_app, keep_for_good, samples
    from web.games.folder_library import FolderLibrary
    from web.games.store_library import StoreLibrary
    from web.rulebooks.quotes import StoredQuotes

    game_store = None if folder else Store()
    if game_store:
        game_store.follow()
    stored = StoreLibrary(game_store) if game_store and game_store.shown.games("").total else None
    key = secrets.token_urlsafe(24)
    in_files = FolderLibrary(folder or samples(), folder or data_folder() / "branches")
    library = stored if stored and not folder else in_files
    app = create_app(library, quotes=StoredQuotes(), config={"AUDIT_KEY": key})
    try:
        server = make_server(host, port, app, threaded=True)
    except SystemExit:  # it has said why
        raise click.exceptions.Exit(UNREADABLE) from None
    except (OSError, UnicodeError):
        raise click.BadParameter(f"there is no address {host!r} on this machine", param_hint="--host") from None
    say(f"http://{host}:{server.server_port}/?key={key}   (Ctrl-C ends)", err=True)
    keep_for_good()
    if at_table:
        import webbrowser

        webbrowser.open(f"http://{host}:{server.server_port}/table")
    server.serve_forever()


@click.command()
@click.argument("game")
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
    help="The file; its ending chooses the format.",
)  # fmt: skip
@viewer_option
@click.option(
    "--lang",
    "languages",
    default="en",
    show_default=True,
    is_eager=True,
    callback=spoken_languages,
    help="Languages, the main one first: fr,it,pl.",
)
@click.option("--at", type=click.IntRange(min=0), help="The step of a picture or sheet. Default: the first finding.")
@click.option("--quotes", is_flag=True, help="Include the printed words of your rulebooks. Default: only their places.")
@click.option("--key", "key_name", help="Sign the file with this key of yours (html and json).")
@click.option("--sheet", is_flag=True, help="With .html: the one sheet of a step, for print, in place of the viewer.")
@click.option(
    "--vary", multiple=True,
    help="A variation, as the viewer's address has it: '24~A refresh'. A page has several, beside the game.",
)  # fmt: skip
@click.option("--anonymous", is_flag=True, help="Leave out the names of the players.")
@click.option("--address", default="", help="Where a server shows the game; the sheet's QR code leads there.")
@example(
    "audit publish replays/samples/dispute.jsonl -o dispute.html --as public --lang fr,it,pl",
    "audit publish replays/samples/dispute.jsonl -o finding.pdf",
)
def publish(
    game: str,
    out: Path,
    viewer: str,
    languages: tuple[str, ...],
    at: int | None,
    quotes: bool,
    key_name: str | None,
    sheet: bool,
    address: str,
    anonymous: bool,
    vary: tuple[str, ...],
) -> None:
    """Publish a game (a log, `-` for standard input, or a stored game) as one file that opens anywhere.

    .html is one page with the whole viewer, which opens offline; .json the annotations; .md text for forums. .svg and
    .png show the table at one step, .gif and .webp the ten steps before a finding as a moving picture. .pdf, or .html
    with --sheet, is one sheet of a finding for the judge's table.
    """
    from replays.cases.note import beside_log
    from replays.errors import NoSuchEventError
    from replays.store.ledgers import StoredLedger
    from replays.trust.ledger import FileLedger
    from web.publishing.bundle import packed
    from web.publishing.disclosed import anonymous as without_names
    from web.publishing.files import publish as published
    from web.publishing.sources import beside_source, source_at, source_from, source_in, varied_source, with_notes
    from web.rulebooks.quotes import StoredQuotes

    if game == "-":
        source = source_from(sys.stdin.buffer.read())
    elif is_a_file(game):
        source = with_notes(source_at(game), FileLedger(beside_log(game)))
    else:
        from replays.store.store import Store

        with one_game(game), Store() as game_store:
            source = with_notes(source_in(game_store, game), StoredLedger(game_store, "notes", game_store.find(game)))
    last = source.events[-1].seq if source.events else 0
    if at is not None and at > last:
        raise NoSuchEventError(game, at, last)
    form = out.suffix.removeprefix(".").lower()
    if sheet and form not in ("html", "pdf", "md"):
        raise Misuse("sheet_form", "--sheet")
    form = "sheet" if sheet and form == "html" else form
    if vary and form == "html":
        source = beside_source(source, vary)
    elif len(vary) > 1:
        raise Misuse("several_variations", "--vary")
    elif vary:
        source = varied_source(source, vary[0], viewer)
    shown = without_names(source) if anonymous else source
    made = published(
        shown, form, viewer, languages, at, StoredQuotes().of, quoted=quotes, key=key_name, address=address
    )
    written(packed(made) if form == "html" else made, out)
    say(str(out), err=True)


@click.group(cls=Group)
def token() -> None:
    """Manage tokens for the API. They are kept as hashes in your data folder."""


@token.command("make")
@click.argument("name")
@click.option(
    "--role", default="viewer",
    type=click.Choice(["viewer", "player", "scorekeeper", "judge", "head-judge", "publisher"]),
    show_default=True, help="What the token allows.",
)  # fmt: skip
@click.option("--game", default="", help="The only game it allows it for: a stored game, by its name or id.")
@click.option(
    "--in", "folder", type=FolderPath(path_type=Path), help="The game is a log of this folder, not of the store."
)
@click.option("--seat", default="", help="For a player: the seat from which the game is seen.")
@click.option(
    "--days", type=click.IntRange(1, 36_500), help="For how many days it holds. Default: until it is revoked."
)
@example("audit token make table-12 --role scorekeeper --days 2")
def token_make(name: str, role: str, game: str, folder: Path | None, seat: str, days: int | None) -> None:
    """Make a token and print it. It is printed only this once."""
    from web.site.tokens import make_token

    id, seats = _named_game(game, folder) if game else ("", ())
    if seat and seats and seat not in seats:
        raise Misuse("none_of", "--seat", name=seat, known=", ".join(seats))
    say(make_token(name, role, game=id, seat=seat, days=days))


def _named_game(name: str, folder: Path | None) -> tuple[str, tuple[str, ...]]:
    """The id of a game and its seats; raises `UnknownGameError`."""
    from audit.core.ruleset import ruleset
    from replays.log.reader import open_log
    from replays.store.store import Store
    from web.games.folder_library import FolderLibrary

    if folder:
        header = open_log(BytesIO(FolderLibrary(folder).log(name))).header
        return name, tuple(ruleset(header.ruleset).disclosure.seats(header))
    with Store() as game_store:
        id = game_store.find(name)
        return id, tuple(game_store.ruleset(id).disclosure.seats(game_store.header(id)))


@token.command("list")
@example("audit token list")
def token_list() -> None:
    """List the tokens and their roles."""
    from web.site.tokens import tokens

    known = tokens()
    for each in known:
        limits = [each.game, each.seat and f"seat {each.seat}", each.expires and f"until {each.expires}"]
        say("  ".join([each.id, f"{each.role:<11}", each.made, each.name, *filter(None, limits)]))
    if not known:
        say("no token yet; make one with: audit token make NAME")


@token.command("revoke")
@click.argument("name")
@example("audit token make table-13 && audit token revoke table-13")
def token_revoke(name: str) -> None:
    """Revoke a token, by its name or id."""
    from web.site.tokens import revoke

    gone = revoke(name)
    say(f"{gone.id}  {gone.role}  {gone.name}")


@click.command()
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path),
    help="The folder: new, empty, or an earlier site, which is replaced.",
)  # fmt: skip
@click.option(
    "--pyodide", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with Pyodide. Default: its npm package, fetched once.",
)  # fmt: skip
@example("audit site -o site")
def site(out: Path, pyodide: Path | None) -> None:
    """Write the viewer as a folder of static files that anybody can host. It works without a network.

    The rules run in the reader's browser: nothing that is entered there leaves the device. docs/organiser.md says how
    to host the folder.
    """
    from web.offline.building import build

    built = build(out, pyodide)
    say(
        f"{out}: {built.files} files, {built.size / 1e6:.1f} MB; a first visit loads {built.sent / 1e6:.1f} MB",
        err=True,
    )
