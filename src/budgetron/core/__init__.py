"""All that is compiled, but for the rules: what a learner keeps, edits on it, and the walk."""
