"""The pages of rules and of cards."""
