"""A note about columns of unlike scales."""

import pytest

from cli.commands import run


@pytest.mark.parametrize("command", [("run", "-l", "Stoptron"), ("race", "-l", "Stoptron")])
@pytest.mark.parametrize("texts", [False, True])
def test_columns_of_unlike_scales_are_remarked_on_unless_they_are_standardized(
    tmp_path, command, texts
):
    path = tmp_path / "people.csv"
    words = [f"some {t} words of {t * t}" if texts else "0" for t in range(300)]
    rows = [f"{t * 7919 % 97},{t * 104729 % 9973}00,{words[t]},{t % 2}" for t in range(300)]
    path.write_text("\n".join(["age,wealth,text,label", *rows]))
    name, *options = command
    result = run(name, path, *options)
    assert result.exit_code == 0
    assert "'wealth' varies by 2.72e+05 and 'age' by 28.1" in result.stderr
    assert "--standardize" in result.stderr
    told = run(name, path, *options, "--standardize").stderr
    assert ("varies" not in told and not texts) or "'text' is left out" not in told
