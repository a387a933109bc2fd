"""Every call of the system that the log makes fails once, in every way that it can."""

import errno
import os

import pytest

from budgetron.serve.log import Log, LogError

CALLS = ("open", "pwrite", "fdatasync", "fsync", "ftruncate", "posix_fallocate")
SEGMENT = 300
RECORDS = [b"%03d" % at * (10 + at % 40) for at in range(40)]


class Disk:
    """The system's calls, of which one fails, or all from then on."""

    def __init__(self, patch, name, at, number, *, lasting):
        self._real, self._left, self._number, self._lasting = getattr(os, name), at, number, lasting
        self.has_failed = False
        patch.setattr(os, name, self)

    def __call__(self, *arguments, **named):
        self._left -= 1
        if self._left == 0 or (self._lasting and self._left < 0):
            self.has_failed = True
            raise OSError(self._number, os.strerror(self._number))
        return self._real(*arguments, **named)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda file: None)


def written(log, content):
    """Whether a record was acknowledged."""
    try:
        log.append(content)
    except LogError:
        return False
    return True


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EIO])
@pytest.mark.parametrize("name", CALLS)
def test_what_was_acknowledged_is_there_and_what_was_refused_is_not(tmp_path, name, number):
    tried = 0
    for lasting in (False, True):
        for at in (1, 2, 3, 4, 6, 9):
            folder = tmp_path / f"{lasting}-{at}"
            folder.mkdir()
            log = Log(folder, SEGMENT)
            log.open()
            with pytest.MonkeyPatch.context() as patch:
                disk = Disk(patch, name, at, number, lasting=lasting)
                acknowledged = [it for it in RECORDS[:20] if written(log, it)]
            tried += disk.has_failed
            kept = [content for _, content in Log(folder).read()]
            assert kept == acknowledged, (lasting, at)
            after = [it for it in RECORDS[20:] if written(log, it)]
            if number != errno.EIO:  # there is room again
                assert after == RECORDS[20:], (lasting, at, log.broken)
            kept = [content for _, content in Log(folder).read()]
            assert kept == acknowledged + after, (lasting, at)
            again = Log(folder, SEGMENT)
            assert again.open() == 0
            assert written(again, b"more")
            again.close()
            assert [content for _, content in Log(folder).read()] == [*kept, b"more"]
    assert tried >= 4
