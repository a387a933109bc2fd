"""The papers' experiments: tasks that are done once, and exhibits that show what came out."""
