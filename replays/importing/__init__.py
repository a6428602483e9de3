"""Games recorded elsewhere, turned into logs. Each source has its habits; they are known here and nowhere else."""
