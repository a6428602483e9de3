"""The application for a server such as gunicorn: `gunicorn web.wsgi:app`, over the store."""

from __future__ import annotations

import os

from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.rulebooks.stored_quotes import StoredQuotes

__all__ = ["app"]

app = create_app(
    StoreLibrary(Store()),
    quotes=StoredQuotes(),
    config={"AUDIT_VIEWPOINTS": os.environ.get("AUDIT_VIEWPOINTS", "loopback")},
)
