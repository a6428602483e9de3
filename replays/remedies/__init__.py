"""How a judge puts a game right: the plan for going back, and the branch in which the game goes on."""
