"""Which version of the slow reference its tests were run on: `make oracle` writes it down."""

from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
TESTED = HERE / "tested.txt"


def digest() -> str:
    """Of the slow reference and of its tests."""
    sources = sorted([*HERE.glob("*.py"), *(HERE.parent / "oracle").glob("*.py")])
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()


if __name__ == "__main__":
    TESTED.write_text(f"{digest()}\n")
