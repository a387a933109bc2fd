"""The slow reference is the one that passed its own tests, which run when it changes."""

from oracle_tests.digest import TESTED, digest


def test_the_slow_reference_is_the_tested_one():
    assert digest() == TESTED.read_text().strip(), "the slow reference has changed: run make oracle"
