"""The page for the table: ask about a position that is set by tapping, and record a game. It works on any device."""
