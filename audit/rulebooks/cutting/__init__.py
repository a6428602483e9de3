"""Cuts documents into passages. How a kind of document is laid out is data: `looks/*.toml`."""

from audit.rulebooks.cutting.engine import Known, Shape, cut, known_documents, shape_for

__all__ = ["Known", "Shape", "cut", "known_documents", "shape_for"]
