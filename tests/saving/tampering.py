"""Models that say something else than what was written, with a checksum that is right."""

import hashlib
import json
from collections import Counter
from unittest.mock import patch

from budgetron.saving import arrays as module
from budgetron.saving import loads
from budgetron.saving.file import VERSION

START = 46
"""Where the document begins."""

SIZES = {"d": 8, "f": 4, "b": 1, "h": 2, "i": 4, "q": 8, "I": 4, "Q": 8, "z": 0}


def taken_apart(data):
    """The document, and the arrays: type, shape and bytes, by the names that readers give them."""
    end = START + int.from_bytes(data[42:START], "little")
    entries, rest = {}, data[end:]
    for name in names(data):
        kind, dimensions = chr(rest[0]), rest[1]
        shape = [
            int.from_bytes(rest[at : at + 4], "little") for at in range(2, 2 + 4 * dimensions, 4)
        ]
        size = SIZES[kind]
        for length in shape:
            size *= length
        first = 2 + 4 * dimensions
        entries[name] = {
            "type": kind,
            "shape": shape,
            "bytes": bytearray(rest[first : first + size]),
        }
        rest = rest[first + size :]
    assert not rest
    return json.loads(data[START:end]), entries


def names(data):
    """What the arrays are called, in their order; the second `weights` is `weights 2`."""
    found, many, own = [], Counter(), module._Stream.next_kind

    def next_kind(stream, name, shape):
        many[name] += 1
        found.append(name if many[name] == 1 else f"{name} {many[name]}")
        return own(stream, name, shape)

    with patch.object(module._Stream, "next_kind", next_kind):
        loads(data)
    return found


def put_together(document, entries, version=VERSION):
    """A model, with its checksum."""
    written = document if isinstance(document, bytes) else json.dumps(document).encode()
    arrays = entries if isinstance(entries, bytes) else b"".join(map(_array, entries.values()))
    return signed(
        b"budgetron" + bytes([version]), len(written).to_bytes(4, "little") + written + arrays
    )


def _array(entry):
    shape = b"".join((length % 2**32).to_bytes(4, "little") for length in entry["shape"])
    return entry["type"].encode() + bytes([len(entry["shape"])]) + shape + bytes(entry["bytes"])


def signed(start, rest):
    """With the right checksum in its place."""
    return start + hashlib.sha256(rest).digest() + rest


def resigned(data):
    """With the right checksum in the place of a wrong one."""
    return signed(data[:10], data[42:])


def changed(data, change):
    """The model after `change(document, entries)`."""
    document, entries = taken_apart(data)
    change(document, entries)
    return put_together(document, entries)
