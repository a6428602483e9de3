"""Drawing without a browser: elements as plain trees, their layout, SVG and PNG."""
