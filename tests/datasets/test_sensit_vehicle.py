"""SensIT Vehicle, as small files of its form: the real ones have to be fetched."""

import bz2
from dataclasses import replace

import numpy as np
import pytest

from budgetron.datasets import load_sensit_vehicle, sensit_vehicle

ROWS = np.random.default_rng(0).normal(size=(6, 100)).round(4)
CLASSES = [1, 3, 2, 3, 3, 1]


def text(rows=ROWS):
    lines = (
        " ".join([str(label), *(f"{place}:{value}" for place, value in enumerate(row, start=1))])
        for label, row in zip(CLASSES, rows, strict=False)
    )
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.fixture
def publish(site, monkeypatch):
    """Put the file on the site."""
    monkeypatch.setattr(sensit_vehicle, "_SHAPE", ROWS.shape)

    def publish(packed, attribute="_RAW"):
        file = getattr(sensit_vehicle, attribute)
        source = site.publish(file.source.rpartition("/")[2], packed)
        monkeypatch.setattr(sensit_vehicle, attribute, replace(file, source=source))
        return source

    return publish


def test_two_kinds_of_vehicles_stand_against_noise(publish, tmp_path):
    publish(bz2.compress(text()))
    vehicle = load_sensit_vehicle(data_home=tmp_path / "home")
    np.testing.assert_array_equal(vehicle.X, ROWS)
    assert vehicle.y.tolist() == [1, 0, 1, 0, 0, 1]
    assert vehicle.target_names == ("noise", "vehicle")
    assert (tmp_path / "home" / "vehicle" / "combined.bz2").exists()


def test_the_scaled_version_is_another_file(publish, tmp_path):
    publish(bz2.compress(text(ROWS / 10)), "_SCALED")
    scaled = load_sensit_vehicle(scaled=True, data_home=tmp_path / "home")
    np.testing.assert_allclose(scaled.X, ROWS / 10)
    assert (tmp_path / "home" / "vehicle" / "combined_scale.bz2").exists()


@pytest.mark.parametrize(
    "contents",
    [text(ROWS[:5]), text(ROWS[:, :99]), text()[:-300], b"<html>moved</html>\n", b""],
    ids=["a row too few", "a column too few", "cut off", "another page", "empty"],
)
def test_a_wrong_file_is_an_error_and_is_not_kept(publish, tmp_path, contents):
    source = publish(bz2.compress(contents))
    with pytest.raises(OSError, match="damaged") as caught:
        load_sensit_vehicle(data_home=tmp_path / "home")
    assert source in str(caught.value)
    assert not (tmp_path / "home").exists()


def test_half_a_file_is_an_error_and_is_not_kept(publish, tmp_path):
    publish(bz2.compress(text())[:-50])
    with pytest.raises(OSError, match="damaged"):
        load_sensit_vehicle(data_home=tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_the_real_file_has_the_papers_number_of_rows(at_hand):
    vehicle = at_hand(load_sensit_vehicle)
    assert vehicle.X.shape == (78_823, 100)
    assert vehicle.y.mean() == pytest.approx(0.5, abs=0.01)
