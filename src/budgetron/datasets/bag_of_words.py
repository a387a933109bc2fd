"""Texts as hashed bags of words."""

from collections.abc import Iterable

from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.preprocessing import normalize

__all__ = ["bags_of_words"]


def bags_of_words(texts: Iterable[str], n_features: int) -> csr_matrix:
    """Hashed words with weight log(1 + count), each row scaled to length one."""
    words = HashingVectorizer(n_features=n_features, alternate_sign=False, norm=None)
    return csr_matrix(normalize(words.transform(texts).log1p()))
