"""Data streams to learn from.

`load_spam` comes with the package. The other loaders read public files from a directory: the
loader's `data_home`; else the one that the environment variable BUDGETRON_DATA names; else
budgetron in the user's cache, ~/.cache. A file that is not there is downloaded into it, unless
``download=False``. Each file is checked every time it is read, and a damaged one is an error.
"""

from .a9a import load_a9a
from .census_income import load_census_income
from .dataset import Dataset
from .elec2 import load_elec2
from .mnist import load_mnist, mnist_problems
from .rcv1 import load_rcv1
from .reuters21578 import load_reuters21578
from .sensit_vehicle import load_sensit_vehicle
from .spam import load_spam, load_spam_texts
from .spam_katakis import load_spam_katakis
from .usenet import load_usenet1, load_usenet2
from .w8a import load_w8a

__all__ = [
    "Dataset",
    "load_a9a",
    "load_census_income",
    "load_elec2",
    "load_mnist",
    "load_rcv1",
    "load_reuters21578",
    "load_sensit_vehicle",
    "load_spam",
    "load_spam_katakis",
    "load_spam_texts",
    "load_usenet1",
    "load_usenet2",
    "load_w8a",
    "mnist_problems",
]
