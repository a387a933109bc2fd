"""Edits that a rule may make on the expansion, and questions that it may ask of it."""
