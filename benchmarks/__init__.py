"""How fast the learners are, how many mistakes they make, and what others do: see `__main__`."""
