"""The pages of the user's rulebooks: editions, passages, translation QA, and quotations beside a rule."""
