"""What the commands print: a replay as screens, reports, tables, and rules."""
