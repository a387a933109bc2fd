"""Web pages."""

from .data_file import DataFile, Home
from .dataset import Dataset
from .svmlight import svmlight

__all__ = ["load_w8a"]

_FILE = DataFile(
    names=("w8a", "w8a.xz"),
    source="https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/w8a",
    sha256="b464b4f6ce6a5d9e181ffc793e19a04751036273722312398ef7673705014902",
)

_DESCRIPTION = """\
49,749 web pages as sets of 300 key words, of which 1,479 belong to the category sought."""

_PROVENANCE = """\
J. Platt, "Fast training of support vector machines using sequential minimal optimization" (1998),
by way of LIBSVM's data page, https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html#w8a."""

_LICENCE = "Not stated."


def load_w8a(*, data_home: Home = None, download: bool = True) -> Dataset:
    """Load the web pages of w8a, the training split.

    Parameters
    ----------
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        49,749 sparse rows of 300 columns of 0 and 1, in the order of the file; ``y`` is 1 for the
        1,479 pages of the category.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    X, labels = _FILE.read(svmlight(49_749, 300), data_home, download)
    return Dataset(
        name="w8a",
        X=X,
        y=(labels > 0).astype(int),
        target_names=("other", "category"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )
