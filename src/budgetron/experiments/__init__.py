"""The papers' experiments, each a module that can be run."""
