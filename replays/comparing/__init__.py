"""One log under several readings, and stored games under a new edition of a rulebook."""
