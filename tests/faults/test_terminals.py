"""Nothing from data is obeyed by a terminal."""

import ast
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import budgetron
from budgetron.reading import Reader, ReadingError
from budgetron.reading.escaping import escaped
from budgetron.saving import SavedModelError, load_with_notes, save
from budgetron.serve.journal import tell
from cli.commands import run
from covering import naming
from faults.hostile import CLIPBOARD, EVIL, NAME, OBEYED, PLAIN, SHOWN, controls, write_hostile

READ = ("--delimiter", ",")
LEARNER = ("-l", "Forgetron", "-s", "budget=20")
OWN_CODES = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A|\x1b\[0?G")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with a name, files and a model that are hostile."""
    place = tmp_path_factory.mktemp("terminals") / f"directory{NAME}"
    place.mkdir()
    write_hostile(place / NAME)
    write_hostile(place / f"bad{NAME}", bad=True)
    assert run("run", place / NAME, *READ, *LEARNER, "--model", place / "model").exit_code == 0
    learner, notes = load_with_notes(place / "model")
    notes["run"] |= {"learner": f"Forgetron({EVIL})", "inputs": [EVIL]}
    save(learner, place / "notes", notes)
    return place


COMMANDS = {
    "run": lambda at: ("run", at / NAME, *READ, *LEARNER, "--model", at / f"new{NAME}"),
    "run to json": lambda at: ("run", at / NAME, *READ, *LEARNER, "--json"),
    "race": lambda at: ("race", at / NAME, *READ, *LEARNER, "-l", "Forgetron gamma=1"),
    "race with a chart": lambda at: (
        *("race", at / NAME, *READ, *LEARNER, "--chart", at / f"{NAME}.svg"),
    ),
    "certify": lambda at: ("certify", "Forgetron", at / NAME, *READ),
    "certify to json": lambda at: ("certify", "Forgetron", at / NAME, *READ, "--json"),
    "learners": lambda at: ("learners",),
    "datasets": lambda at: ("datasets",),
}
REFUSED = {
    "a bad row": lambda at: ("run", at / f"bad{NAME}", *READ, *LEARNER),
    "a bad row in a race": lambda at: ("race", at / f"bad{NAME}", *READ, *LEARNER),
    "a bad row to predict": lambda at: (
        *("predict", at / "model", at / f"bad{NAME}", "--output", at / "predicted"),
    ),
    "no such file": lambda at: ("run", at / EVIL.replace("/", ""), *LEARNER, "--format", "csv"),
    "no such format": lambda at: ("run", at / f"{NAME}.{EVIL[:20]}", *LEARNER),
    "no such column": lambda at: ("run", at / NAME, *READ, *LEARNER, "--target", EVIL),
    "no such kind": lambda at: ("run", at / NAME, *READ, *LEARNER, "--kind", f"a={CLIPBOARD}"),
    "no such learner": lambda at: ("run", at / NAME, "-l", EVIL),
    "no such parameter": lambda at: ("run", at / NAME, "-l", "Forgetron", "-s", f"{EVIL}=1"),
    "no such value": lambda at: ("run", at / NAME, *READ, *LEARNER, "-s", f"kernel={EVIL}"),
    "no such option": lambda at: ("run", f"--{EVIL}"),
    "no such command": lambda at: (EVIL,),
    "no such artifact": lambda at: ("reproduce", EVIL),
    "no results": lambda at: ("report", "--results", at / EVIL.replace("/", "")),
    "a chart of no kind": lambda at: ("race", at / NAME, "--chart", at / EVIL.replace("/", "")),
    "notes of a model": lambda at: (
        *("run", at / NAME, *READ, *LEARNER, "--model", at / "notes", "--resume"),
    ),
    "no model": lambda at: ("predict", at / NAME, at / NAME),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_printed_has_no_control_characters(place, command):
    told = run(*COMMANDS[command](place))
    assert told.exit_code == 0, told.stderr
    assert controls(told.stdout + told.stderr) == set()
    if command in ("run", "race", "certify"):
        assert SHOWN in told.stderr  # of the note about scales
        assert PLAIN in told.stderr


@pytest.mark.parametrize("command", REFUSED)
def test_errors_have_no_control_characters(place, command):
    told = run(*REFUSED[command](place))
    assert told.exit_code in (1, 2)
    assert isinstance(told.exception, SystemExit)
    assert controls(told.stdout + told.stderr) == set()
    assert r"\x1b" in told.stderr


def test_data_for_programs_are_what_they_were(place, tmp_path):
    labels = {each + EVIL + PLAIN for each in ("yes", "no")}
    summary = tmp_path / "summary.json"
    files = ("--predictions", tmp_path / "p.csv", "--summary", summary, "--json")
    told = run("run", place / NAME, *READ, *LEARNER, *files)
    assert json.loads(told.stdout) == json.loads(summary.read_text())
    assert json.loads(told.stdout)["inputs"] == [str(place / NAME)]
    again = Reader(tmp_path / "p.csv", budgetron.reading.ReadOptions(target="label", delimiter=","))
    assert {label for chunk in again for label in chunk.y} == labels
    piped = run("predict", place / "model", place / NAME).stdout_bytes
    assert EVIL.replace('"', '""').encode() in piped


def test_an_error_of_the_library_shows_what_it_quotes(place):
    for source in (place / f"bad{NAME}", place / f"none{NAME}"):
        options = budgetron.reading.ReadOptions(delimiter=",")
        with pytest.raises(ReadingError) as caught:
            for _ in Reader(source, options):
                pass
        assert controls(str(caught.value)) == set()
        assert r"\x1b]0;t\x07\x9b\u202e" in str(caught.value)
    assert controls(str(SavedModelError(EVIL))) == set()


COMMANDS_IN_TURN = """
import json, sys
from budgetron.__main__ import main
for arguments in json.loads(sys.argv[1]):
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit:
        pass
    print("that was it")
"""


def on_a_terminal(*commands, cwd, **environment):
    """What each of these commands writes to a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-c", COMMANDS_IN_TURN, json.dumps(commands)]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "200"} | environment
    with subprocess.Popen(command, stdout=slave, stderr=slave, env=environment, cwd=cwd) as process:
        os.close(slave)
        written = b""
        try:
            while piece := os.read(master, 1 << 16):
                written += piece
        except OSError:  # the end of a terminal
            pass
        process.wait()
    os.close(master)
    told = written.decode(errors="surrogateescape").replace("\r\n", "\n")
    *each, rest = told.split("that was it\n")
    assert len(each) == len(commands) and not rest
    return each


ON_A_TERMINAL = {
    "run": ("run", NAME, *READ, *LEARNER, "--model", "new"),
    "bad row": ("run", f"bad{NAME}", *READ, *LEARNER),
    "predict": ("predict", "model", NAME),
    "race": ("race", NAME, *READ, *LEARNER),
}


def test_a_terminal_is_sent_the_codes_of_the_display_alone(place):
    each = on_a_terminal(*ON_A_TERMINAL.values(), cwd=place)
    for name, written in zip(ON_A_TERMINAL, each, strict=True):
        with naming(name):
            assert SHOWN in written
            assert PLAIN in written or "line 62" in written  # where the reason is cut
            for text in OBEYED[:-2]:
                if text != "\x1b[31m":  # as the display may say itself
                    assert text not in written
            assert controls(OWN_CODES.sub("", written)) <= {"\r"}


def test_a_terminal_of_few_letters_is_sent_no_others(place):
    commands = ("run", NAME, *READ, *LEARNER), ("run", f"--{EVIL}")
    table, complaint = on_a_terminal(*commands, cwd=place, PYTHONIOENCODING="ascii")
    assert controls(OWN_CODES.sub("", table)) <= {"\r"}
    assert r"caf\xe9 \u6f22\u5b57" in table
    assert controls(complaint) == set()


def test_a_traceback_is_escaped(place):
    """If there ever is one."""
    script = (
        "import sys; from budgetron.cli.app import app, main\n"
        "@app.command()\n"
        "def fail(path): raise RuntimeError(path)\n"
        "sys.argv.insert(1, 'fail')\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script, EVIL], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" in done.stderr and SHOWN in done.stderr
    assert controls(done.stderr) == set()


@given(st.text())
def test_escaped_text_can_be_shown(text):
    assert controls(escaped(text)) - {"\u200c", "\u200d"} <= {
        letter for letter in text if unicodedata.category(letter) in ("Zs", "Cn", "Co", "Cf")
    }
    assert escaped(escaped(text)) == escaped(text)
    assert escaped(text, keep="\n").count("\n") == text.count("\n")


ESCAPED = (
    *(range(0x20), range(0x7F, 0xA0), [0x061C, 0x200B, 0x200E, 0x200F], range(0x2028, 0x202F)),
    *(range(0x2060, 0x2070), [0xFEFF], range(0xD800, 0xE000), range(0xE0000, 0xE0080)),
)


def test_every_control_character_is_escaped_and_no_letter():
    listed = {chr(code) for codes in ESCAPED for code in codes}
    for character in listed:
        assert re.fullmatch(r"\\([nrt]|x..|u....|U........)", escaped(character)), ascii(character)
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert {*everything} - {*escaped(everything)} == listed
    ordinary = "café 漢字 Ωμέγα עברית العربية हिन्दी 👩‍💻 a\u00a0b \\x1b"
    assert escaped(ordinary) == ordinary


WITHOUT_DATA = "cli/streams.py", "cli/console.py", "evaluation/progress.py", "serve/journal.py"
"""They escape what they print, or print numbers and names of classes alone."""


def test_there_is_no_other_way_to_the_terminal():
    """Whoever prints does it by the streams and consoles that escape."""
    source = Path(budgetron.__file__).parent
    for path in source.rglob("*.py"):
        if path.relative_to(source).as_posix() in WITHOUT_DATA:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "Console"), path
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("stdout", "stderr", "__stdout__", "__stderr__"), path


def test_a_service_tells_in_ascii_and_goes_on_if_nobody_listens(capsys, monkeypatch):
    name = "".join(map(chr, [*range(0x100), 0x2028, 0x202E, 0xDC80, 0x1F600]))
    tell("model made", model=name, reason=ValueError(name))
    line = capsys.readouterr().err
    assert line.endswith("}\n") and all(" " <= letter <= "~" for letter in line[:-1])
    assert json.loads(line)["model"] == json.loads(line)["reason"] == name
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", buffering=1) as broken:
        monkeypatch.setattr(sys, "stderr", broken)
        tell("nobody reads this")
        os.dup2(os.open(os.devnull, os.O_WRONLY), writer)  # what is left can be flushed
    tell("nor this: the stream is closed")
