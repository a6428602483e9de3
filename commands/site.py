"""The command that writes the viewer as static files."""

from __future__ import annotations

from pathlib import Path

import click

from commands.common import example, say


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

    The rules run in the reader's browser: nothing that is entered there leaves the device. docs/site.md says how to
    host the folder.
    """
    from web.offline.building import build

    built = build(out, pyodide)
    say(
        f"{out}: {built.files} files, {built.size / 1e6:.1f} MB; a first visit loads {built.sent / 1e6:.1f} MB",
        err=True,
    )
