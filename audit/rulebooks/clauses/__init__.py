"""What a sentence says, clause by clause: who, may or must, how many, whose, when, on which condition, except when."""
