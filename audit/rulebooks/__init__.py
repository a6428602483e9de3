"""Rulebooks as their readers meet them: passages, corrections of scans, links to the rules, and translation QA."""
