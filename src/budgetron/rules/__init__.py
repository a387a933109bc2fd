"""One paper's update per file."""
