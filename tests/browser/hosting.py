"""The static site on a host of static files, for tests with the network cut."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

PLACE = "audit"
"""The site is in a folder of its host, as it is on most."""


class Quiet(SimpleHTTPRequestHandler):
    """A host of static files and of nothing else, with the page for addresses that have no file."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The page for addresses that have no file."""
        page = (Path(self.directory) / PLACE / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of the site in a folder, on any free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{PLACE}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
