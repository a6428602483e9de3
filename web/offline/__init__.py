"""The viewer as a folder of static files: the whole application runs in the reader's browser, without a server."""
