"""What the server says of itself."""

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgetron.serve.journal import tell
from faults.hostile import EVIL, NAME, OBEYED, PLAIN

EVERY_CONTROL = "".join(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x202E, 0xD800))
)


def told(monkeypatch, **about):
    """The line that is written."""
    stream = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        tell("tried", "warning", **about)
    return stream.getvalue()


@given(st.text(st.characters()), st.text(st.characters()))
def test_a_line_is_printable_ascii_and_says_what_was_said(name, text):
    with pytest.MonkeyPatch.context() as patch:
        for own in (text, EVERY_CONTROL, EVIL, NAME, PLAIN, *OBEYED):
            line = told(patch, model=own, **{"x" + name: [own, {own: 1}]})
            assert line.endswith("\n") and all(" " <= letter <= "~" for letter in line[:-1])
            plain = json.loads(line)
            assert plain["model"] == own and plain["x" + name] == [own, {own: 1}]
            assert (plain["event"], plain["level"]) == ("tried", "warning")


def test_what_is_no_json_is_said_as_text(monkeypatch):
    assert json.loads(told(monkeypatch, error=OSError(28, EVIL)))["error"] == str(OSError(28, EVIL))


def test_nobody_minds_that_nobody_listens(monkeypatch):
    class Broken(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    closed = io.StringIO()
    closed.close()
    for stream in (None, closed, Broken()):
        monkeypatch.setattr(sys, "stderr", stream)
        tell("stopped")
