"""The benchmark of learners behind keys runs, small."""

from benchmarks import keyed


def test_it_runs_small(capsys, tmp_path):
    keyed.main(["--keys", "60", "--live", "20", "--directory", str(tmp_path)])
    told = capsys.readouterr().out
    assert "rows/s on one core, 60 keys" in told and "keys: 60\nlive: 20\n" in told
    assert not [*tmp_path.iterdir()]
