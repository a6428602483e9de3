"""Applications and servers that answer on this machine while a test runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import IO

from flask import Flask
from werkzeug.serving import make_server


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address where the application answers, on any free port."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def read_on(output: IO[str] | IO[bytes]) -> None:
    """Read what a process prints, and forget it: a server whose pipe is full waits for its reader for good."""
    Thread(target=deque, args=(output, 0), daemon=True).start()
