"""The user's rulebooks: loaded editions, links to rules, translation QA, and quotations."""
