"""A season: many games judged side by side, again only where something changed, and what they tell together."""
