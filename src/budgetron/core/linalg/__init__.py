"""Linear algebra on arrays that are there already: compiled code allocates nothing."""
