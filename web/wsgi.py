"""The application for a server such as gunicorn: `gunicorn web.wsgi:app`, over the store."""

from __future__ import annotations

import os

from replays.store import Store
from web import create_app
from web.shelf_quotes import ShelfQuotes
from web.store_library import StoreLibrary

__all__ = ["app"]

app = create_app(
    StoreLibrary(Store()),
    quotes=ShelfQuotes(),
    config={"AUDIT_VIEWPOINTS": os.environ.get("AUDIT_VIEWPOINTS", "loopback")},
)
