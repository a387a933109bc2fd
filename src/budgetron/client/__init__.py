"""Programs that speak to `budgetron serve`: predict now, learn when the label comes.

>>> from budgetron.client import Client  # doctest: +SKIP
>>> with Client("http://127.0.0.1:8080") as service:  # doctest: +SKIP
...     answer = service.predict("spam", [0.2, 1.0], id="mail-17")
...     service.label("spam", "mail-17", "ham")

A call that gets no answer is made again, under the same name, so that it is learned once.
`AsyncClient` has the same calls, to be awaited.
"""

from .asynchronous import AsyncClient
from .blocking import Client
from .errors import ServiceError

__all__ = ["AsyncClient", "Client", "ServiceError"]
