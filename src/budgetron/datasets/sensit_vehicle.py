"""Vehicles heard and felt by a sensor network."""

from .data_file import DataFile, Home
from .dataset import Dataset
from .svmlight import svmlight

__all__ = ["load_sensit_vehicle"]

_SOURCE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/vehicle/"
_RAW = DataFile(names=("vehicle/combined.bz2", "combined.bz2"), source=_SOURCE + "combined.bz2")
_SCALED = DataFile(
    names=("vehicle/combined_scale.bz2", "combined_scale.bz2"),
    source=_SOURCE + "combined_scale.bz2",
)
_SHAPE = (78_823, 100)
_NOISE = 3  # 1 is an assault amphibious vehicle, 2 a dragon wagon

_DESCRIPTION = """\
Passages past the acoustic and seismic sensors of a network: 50 features of sound and 50 of
vibration, and whether a vehicle of one of two kinds went by or there was noise only."""

_PROVENANCE = """\
M. Duarte and Y. H. Hu, "Vehicle classification in distributed sensor networks", Journal of Parallel
and Distributed Computing 64 (2004), by way of LIBSVM's data page, SensIT Vehicle (combined),
https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass.html."""

_LICENCE = "Not stated."


def load_sensit_vehicle(
    *, scaled: bool = False, data_home: Home = None, download: bool = True
) -> Dataset:
    """Load SensIT Vehicle (combined), the training split: the Projectron paper's Vehicle.

    The file has three classes, in proportions of about 1 : 1 : 2. The paper has two and does not
    say which; here the two kinds of vehicles stand against noise.

    No checksum is known for the files: they are checked by their numbers of rows and columns.

    Parameters
    ----------
    scaled : bool, default=False
        Whether to take LIBSVM's scaled version. The paper does not say which one it used.
    data_home : path, optional
        Directory of the data files, as `budgetron.datasets` explains.
    download : bool, default=True
        Whether to fetch a file that is missing.

    Returns
    -------
    Dataset
        78,823 dense rows of 100 columns in the order of the file; ``y`` is 1 for vehicles.

    Raises
    ------
    FileNotFoundError
        If the file is missing and not to be downloaded.
    OSError
        If the file is damaged.
    """
    X, classes = (_SCALED if scaled else _RAW).read(svmlight(*_SHAPE), data_home, download)
    return Dataset(
        name="sensit_vehicle",
        X=X.toarray(),
        y=(classes != _NOISE).astype(int),
        target_names=("noise", "vehicle"),
        description=_DESCRIPTION,
        provenance=_PROVENANCE,
        licence=_LICENCE,
    )
