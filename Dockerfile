# docker build -t budgetron .
# docker run --rm --read-only --tmpfs /tmp -v "$PWD:/data" -u "$(id -u)" budgetron run clicks.csv
# The service, with Prometheus and Grafana: docker compose -f deploy/compose.yaml up
FROM python:3.11-slim

# machine code in the image is for any processor of its kind, so that it is found wherever it runs
ENV NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES="" MPLCONFIGDIR=/tmp/matplotlib

WORKDIR /build
COPY pyproject.toml README.md LICENSE requirements-dev.lock ./
COPY scripts/ship_code.py scripts/ship_code.py
COPY src src
RUN pip install --no-cache-dir -c requirements-dev.lock '.[cli,client,report,river,serve]' && rm -rf /build/*

# compiled now, beside the package, where it can be read but not written later
RUN budgetron warm --rows both

RUN useradd --no-create-home budgetron && install -d -o budgetron /data
USER budgetron
WORKDIR /data
ENTRYPOINT ["budgetron"]
