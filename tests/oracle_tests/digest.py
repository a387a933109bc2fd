"""Which version of the slow reference its tests were run on: `make oracle` writes it down."""

from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
TESTED = HERE / "tested.txt"
COMMON = "arithmetic", "kernels", "rounds"


def digest() -> str:
    """Of the tests here, the parts of the slow reference that they are about, and what these share.

    A reference without a test here has a stream worked by hand in `tests/rules`.
    """
    tests = sorted(HERE.glob("*.py"))
    about = [path.stem.removeprefix("test_") for path in tests if path.stem != "digest"]
    sources = [*tests, *(HERE.parent / "oracle" / f"{part}.py" for part in (*COMMON, *about))]
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()


if __name__ == "__main__":
    TESTED.write_text(f"{digest()}\n")
