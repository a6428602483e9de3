"""The core: events and rules of any game, the auditor that judges by them, and the words it says. It knows no game."""
