"""Files that say something else than what was written, with a checksum that is right."""

import hashlib
import json
import re

KEY = "budgetron"


def taken_apart(data):
    """The model's JSON, the tensors' entries, and the bytes of all arrays."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    model = json.loads(header.pop("__metadata__")[KEY])
    return model, header, data[8 + length :]


def put_together(model, header, arrays):
    """A file, with its checksum."""
    written = model if isinstance(model, str) else json.dumps(model | {"sha256": "0" * 64})
    return signed(in_a_header({"__metadata__": {KEY: written}} | header, arrays))


def in_a_header(header, arrays):
    """The bytes of a safetensors file."""
    written = header if isinstance(header, bytes) else json.dumps(header).encode()
    written += b" " * (-len(written) % 8)
    return len(written).to_bytes(8, "little") + written + arrays


def signed(data):
    """With the right checksum in the place of 64 zeros."""
    return data.replace(b"0" * 64, hashlib.sha256(data).hexdigest().encode(), 1)


def resigned(data):
    """With the right checksum in the place of a wrong one, if there is a place for it."""
    found = re.search(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", data)
    if found is None:
        return data
    start = found.start()
    return signed(data[:start] + b"0" * 64 + data[start + 64 :])


def changed(data, change):
    """The file after `change(model, header, arrays)`, which may return other arrays."""
    model, header, arrays = taken_apart(data)
    arrays = bytearray(arrays)
    result = change(model, header, arrays)
    return put_together(model, header, bytes(arrays if result is None else result))
