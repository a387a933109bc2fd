"""A model without a server, and a server without a network."""

import asyncio
from functools import partial

import httpx
import numpy as np
import pytest
from anyio.from_thread import start_blocking_portal

import budgetron
from budgetron.serve import answers
from budgetron.serve.configuration import Configuration, Limits
from budgetron.serve.jobs import Ask, Learn, Tell
from budgetron.serve.model import Model, create
from budgetron.serve.records import Settings
from budgetron.serve.service import Service
from budgetron.serve.shelf import Shelf

FEATURES = 3


def rows(many, seed=0):
    """Rows and labels of which a learner can learn something."""
    X = np.random.default_rng(seed).normal(size=(many, FEATURES))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "yes", "no").tolist()


class Bench:
    """A model on a bench: jobs are done at once, and it is opened again as after a crash."""

    def __init__(self, folder, learner=None, limits=None, settings=None):
        self.folder, self.limits = folder / "model", limits or Limits()
        self.learner = learner or budgetron.Forgetron(budget=10, random_state=0)
        own = settings or Settings(classes=["no", "yes"], width=FEATURES)
        create(self.folder, self.learner.dumps(), own, 0)
        self.model = Model(self.folder, self.limits)

    def reopened(self):
        """What is there when the process is gone and another one begins."""
        self.model = Model(self.folder, self.limits)
        return self.model

    def act(self, *jobs):
        """The answers, in the order of the jobs: a list of rows each, or a refusal."""
        told = {id(job): result for job, result in self.model.act([*jobs])}
        assert len(told) == len(jobs)
        results = [told[id(job)] for job in jobs]
        return [answers.taught(*each) if isinstance(each, tuple) else each for each in results]

    def learn(self, X, y, id=None, key=None, digest=b"1"):
        (answer,) = self.act(Learn(X, y, None, key, id, digest))
        return answer

    def ask(self, X, ids):
        (answer,) = self.act(Ask(X, ids, None, [1.0] * len(ids)))
        return answer

    def tell(self, ids, y, id=None):
        (answer,) = self.act(Tell(ids, y, [None] * len(ids), id))
        return answer


@pytest.fixture
def bench(tmp_path):
    return partial(Bench, tmp_path)


class Calls:
    """The application, called directly."""

    def __init__(self, folder, configuration=None):
        configuration = configuration or Configuration()
        self.shelf = Shelf(folder, configuration.limits)
        self.service = Service(self.shelf, configuration)

    def __enter__(self):
        self._portals = start_blocking_portal()
        self._portal = self._portals.__enter__()
        self._portal.call(self._start)
        return self

    def __exit__(self, *error):
        self._portal.call(self._client.aclose)
        self.shelf.close()
        self._portals.__exit__(*error)

    async def _start(self):
        self.shelf.start(asyncio.get_running_loop())
        transport = httpx.ASGITransport(self.service, client=("127.0.0.1", 1))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://localhost")

    def __call__(self, method, path, **what):
        return self._portal.call(partial(self._client.request, method, path, **what))

    def together(self, calls):
        """Answers of calls that are made at the same time."""

        async def all_of_them():
            asked = [self._client.request(method, path, **what) for method, path, what in calls]
            return await asyncio.gather(*asked)

        return self._portal.call(all_of_them)

    def made(self, name="m", **about):
        """Make a model, and call it by paths behind its name."""
        about = {"learner": "Forgetron", "parameters": {"budget": 10, "random_state": 0}} | about
        answer = self("PUT", f"/v1/models/{name}", json=about)
        assert answer.status_code == 201, answer.text
        return lambda method, path="", **what: self(
            method, f"/v1/models/{name}/{path}".rstrip("/"), **what
        )


@pytest.fixture
def calls(tmp_path):
    with Calls(tmp_path) as calls:
        yield calls


@pytest.fixture
def serving(tmp_path):
    return partial(Calls, tmp_path)
