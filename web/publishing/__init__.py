"""A game as files that can be given away: a page that opens offline, a record, a text, a picture, a sheet."""
