"""How gunicorn serves the viewer: two processes, threads in each for the games that are followed live."""

import contextlib
import os
import socket
import time

from gunicorn.workers.gthread import ThreadWorker

_HEADERS_WITHIN = float(os.environ.get("AUDIT_HEADERS_WITHIN", "10"))
"""Seconds in which a request has to be told. A web server in front waits for slow readers in our place."""
_STALLED_AFTER = 30.0
"""Seconds in which a reader has to take or to send something."""


class ImpatientWorker(ThreadWorker):
    """gunicorn's `gthread`, which by itself gives a thread to whoever sends headers byte by byte, for ever."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._telling = {}

    def handle(self, conn):
        """Handle a request, and note since when it is being told."""
        self._telling[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            self._telling.pop(conn, None)

    def handle_request(self, req, conn):
        """The request was told; answering it may take its time."""
        self._telling.pop(conn, None)
        conn.sock.settimeout(_STALLED_AFTER)
        return super().handle_request(req, conn)

    def notify(self):
        """Called every second: whoever is too slow is hung up on."""
        super().notify()
        latest = time.monotonic() - _HEADERS_WITHIN
        for conn, since in list(self._telling.items()):
            if since < latest:
                with contextlib.suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)


bind = os.environ.get("AUDIT_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("AUDIT_WORKERS", "2"))
worker_class = ImpatientWorker
threads = int(os.environ.get("AUDIT_THREADS", "48"))
timeout = 60
graceful_timeout = 10
limit_request_line = 4094
limit_request_fields = 50
forwarded_allow_ips = ""
control_socket_disable = True
umask = 0o077
