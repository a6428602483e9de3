"""Cuts documents into passages. How a kind of document is laid out is data: `looks/*.toml`."""

from audit.rulebooks.cutting.engine import cut
from audit.rulebooks.cutting.shapes import Known, Shape, known_documents, shape_for

__all__ = ["Known", "Shape", "cut", "known_documents", "shape_for"]
