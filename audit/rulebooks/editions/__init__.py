"""Known editions: where their passages stand and the marks of their words. No text; see `audit.rulebooks.known`."""
