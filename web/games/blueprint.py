"""The pages of games share one blueprint."""

from __future__ import annotations

from flask import Blueprint

games = Blueprint("games", __name__)
