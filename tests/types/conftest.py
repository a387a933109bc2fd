collect_ignore = ["scripts"]  # what is refused there is no test
