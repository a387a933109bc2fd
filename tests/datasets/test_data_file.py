"""Data files: where they are found, how they are fetched, and that damage is noticed."""

import bz2
import gzip
import hashlib
import lzma
from pathlib import Path

import pytest

from budgetron.datasets.data_file import DataFile, data_directory

CONTENTS = b"some rows\n" * 100
SHA256 = hashlib.sha256(CONTENTS).hexdigest()
PACK = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

over_packings = pytest.mark.parametrize("suffix", PACK)


def refuse(contents):
    raise ValueError("it holds 3 rows, not 4")


def published(site, suffix=".gz", packed=None, sha256=SHA256, name="rows"):
    packed = PACK[suffix](CONTENTS) if packed is None else packed
    address = site.publish(name + suffix, packed)
    return DataFile(names=(f"folder/{name}{suffix}",), source=address, sha256=sha256)


def left_in(home):
    return sorted(path.name for path in home.rglob("*") if path.is_file() or "part" in path.name)


def test_the_directory_is_the_one_given_else_the_environments_else_the_users_cache(monkeypatch):
    monkeypatch.setenv("BUDGETRON_DATA", "/environment")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert data_directory("/given") == Path("/given")
    assert data_directory(None) == Path("/environment")
    monkeypatch.delenv("BUDGETRON_DATA")
    assert data_directory(None) == Path("/caches/budgetron")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert data_directory(None) == Path("~/.cache/budgetron").expanduser()


@over_packings
def test_a_file_is_found_under_any_of_its_names_however_it_is_packed(tmp_path, suffix):
    (tmp_path / f"rows{suffix}").write_bytes(PACK[suffix](CONTENTS))
    file = DataFile(("elsewhere", f"rows{suffix}"), "http://nowhere.invalid/rows", SHA256)
    assert file.read(bytes, tmp_path, download=True) == CONTENTS


@over_packings
def test_a_missing_file_is_downloaded_once(site, tmp_path, suffix):
    file = published(site, suffix)
    home = tmp_path / "home"
    for _ in range(2):
        assert file.read(bytes, home, download=True) == CONTENTS
    assert len(site.requests) == 1
    assert (home / file.names[0]).read_bytes() == PACK[suffix](CONTENTS)
    assert left_in(home) == [f"rows{suffix}"]


def test_a_file_may_come_from_another_folder(tmp_path):
    (tmp_path / "rows.gz").write_bytes(gzip.compress(CONTENTS))
    file = DataFile(("rows.gz",), (tmp_path / "rows.gz").as_uri(), SHA256)
    assert file.read(bytes, tmp_path / "home", download=True) == CONTENTS


def test_without_download_a_missing_file_is_an_error_that_says_where_to_get_it(site, tmp_path):
    file = published(site)
    with pytest.raises(FileNotFoundError) as caught:
        file.read(bytes, tmp_path / "home", download=False)
    for hint in (str(tmp_path / "home"), file.names[0], file.source, "BUDGETRON_DATA"):
        assert hint in str(caught.value)
    assert site.requests == []
    assert not (tmp_path / "home").exists()


def test_a_file_that_cannot_be_downloaded_is_not_asked_for(site, tmp_path):
    file = DataFile(("rows",), site.address, SHA256, downloadable=False)
    with pytest.raises(FileNotFoundError, match="convert"):
        file.read(bytes, tmp_path, download=True)
    assert site.requests == []


def test_a_wrong_download_is_an_error_with_both_checksums_and_leaves_nothing(site, tmp_path):
    wrong = CONTENTS.replace(b"some", b"more")
    file = published(site, packed=gzip.compress(wrong))
    with pytest.raises(OSError, match="damaged") as caught:
        file.read(bytes, tmp_path / "home", download=True)
    for part in (file.source, SHA256, hashlib.sha256(wrong).hexdigest()):
        assert part in str(caught.value)
    assert left_in(tmp_path / "home") == []


@over_packings
@pytest.mark.parametrize("sha256", [SHA256, None])
def test_a_download_that_stops_early_is_an_error_and_leaves_nothing(site, tmp_path, suffix, sha256):
    file = published(site, suffix, sha256=sha256, name="cut-off")
    with pytest.raises(OSError, match="IncompleteRead"):
        file.read(bytes, tmp_path / "home", download=True)
    assert left_in(tmp_path / "home") == []


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("sha256", [SHA256, None])
def test_half_a_packed_file_is_an_error_even_without_a_checksum(site, tmp_path, suffix, sha256):
    packed = PACK[suffix](CONTENTS)
    half = packed[: len(packed) // 2]
    file = published(site, suffix, packed=half, sha256=sha256)
    with pytest.raises(OSError, match="damaged") as caught:
        file.read(bytes, tmp_path / "home", download=True)
    for part in (file.source, hashlib.sha256(half).hexdigest(), sha256 or "not known"):
        assert part in str(caught.value)
    assert left_in(tmp_path / "home") == []


@pytest.mark.parametrize("keep", [0, 1, 500, 999])
def test_half_a_plain_file_in_place_is_an_error_that_names_it(tmp_path, keep):
    (tmp_path / "rows").write_bytes(CONTENTS[:keep])
    with pytest.raises(OSError, match="damaged") as caught:
        DataFile(("rows",), "http://nowhere.invalid/", SHA256).read(bytes, tmp_path, download=True)
    assert str(tmp_path / "rows") in str(caught.value)


def test_a_download_without_a_known_checksum_is_kept_only_if_it_can_be_read(site, tmp_path):
    file = published(site, sha256=None)
    with pytest.raises(OSError, match="it holds 3 rows, not 4") as caught:
        file.read(refuse, tmp_path / "home", download=True)
    assert SHA256 in str(caught.value)
    assert left_in(tmp_path / "home") == []


def test_a_reader_that_fails_on_a_sound_file_does_not_blame_the_file(site, tmp_path):
    with pytest.raises(ValueError, match="3 rows"):
        published(site).read(refuse, tmp_path, download=True)


def test_a_file_that_cannot_be_written_leaves_nothing(site, tmp_path, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        published(site).read(bytes, tmp_path / "home", download=True)
    assert left_in(tmp_path / "home") == []


def test_an_address_that_is_gone_is_an_error_and_leaves_nothing(site, tmp_path):
    file = DataFile(("rows.gz",), site.address + "gone.gz", SHA256)
    with pytest.raises(OSError, match="404") as caught:
        file.read(bytes, tmp_path / "home", download=True)
    assert file.source in str(caught.value)
    assert left_in(tmp_path / "home") == []
