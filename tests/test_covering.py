"""Every pair is covered, in far fewer rows than there are combinations."""

from itertools import combinations, product

from covering import covering, pairwise


def test_every_pair_of_values_of_two_parameters_occurs():
    for sizes in ([2, 2], [4, 2, 2, 2, 2], [4, 3, 2, 2], [6, 2, 3, 1], [5, 5, 5]):
        rows = pairwise(sizes)
        for i, j in combinations(range(len(sizes)), 2):
            pairs = {(row[i], row[j]) for row in rows}
            assert pairs == {*product(range(sizes[i]), range(sizes[j]))}, sizes


def test_there_are_few_rows_and_they_are_always_the_same():
    assert len(pairwise([4, 2, 2, 2, 2])) <= 10 < 64
    assert len(pairwise([2] * 10)) <= 12 < 1024
    assert pairwise([4, 3, 2]) == pairwise([4, 3, 2])


def test_a_shift_gives_other_combinations_of_the_same_values():
    parameters = {"a": "pqrs", "b": "xy", "c": {"one": 1, "two": 2}}
    rows = [covering(shift, **parameters) for shift in range(4)]
    for row in rows:
        assert {cell["a"] for cell in row} == {*"pqrs"}
        assert {(cell["a"], cell["c"]) for cell in row} == {*product("pqrs", ("one", "two"))}
    assert len({tuple(row[0].values()) for row in rows}) > 1
