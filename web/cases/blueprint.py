"""The pages of cases share one blueprint."""

from __future__ import annotations

from flask import Blueprint

cases = Blueprint("cases", __name__)
