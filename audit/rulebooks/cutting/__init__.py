"""Cutting documents into passages. What a kind of document looks like is data: `looks/*.toml`."""

from audit.rulebooks.cutting.engine import cut
from audit.rulebooks.cutting.shapes import Known, Shape, known_documents, shape_for

__all__ = ["Known", "Shape", "cut", "known_documents", "shape_for"]
