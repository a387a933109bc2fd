"""`budgetron serve`: a server that predicts, and learns when labels come."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from .errors import STOPPED, UsageError

__all__ = ["serve"]


def serve(
    model: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A saved model; if the data have one of its name, that goes on."
        ),
    ] = None,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Where everything is kept.")] = Path(
        "budgetron-data"
    ),
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tokens and limits, in TOML.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Where to listen; elsewhere than here, it needs a token.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="0 for any.")] = None,
    new_token: Annotated[
        Literal["read", "learn", "admin"] | None,
        typer.Option(help="Make a token with this right, print it and its lines, and end."),
    ] = None,
    name: Annotated[str, typer.Option(help="Whose the new token is.")] = "somebody",
) -> None:
    """Serve models over HTTP; what is learned is on the disk before it is acknowledged.

    There is a page at /, and a description of all that can be asked for at /openapi.json. TLS is
    for a proxy in front of it.
    """
    try:
        import msgspec

        from ..serve import server
        from ..serve.configuration import configured
        from ..serve.configuration import new_token as made
        from ..serve.making import given as opened
        from ..serve.refusal import Refusal
    except ImportError as error:
        raise UsageError(
            f"the server needs more ({error}): pip install 'budgetron[serve]'"
        ) from error
    if new_token is not None:
        token, lines = made(name, new_token)
        typer.echo(f"# the token, which is kept nowhere: {token}\n{lines}", nl=False)
        return
    try:
        own = configured(config)
        given: dict[str, Any] = {
            "host": host or own.host,
            "port": own.port if port is None else port,
        }
        own = msgspec.structs.replace(own, **given)
        models = {path.stem: opened(path.read_bytes()) for path in model or ()}
        server.serve(data, own, config, models)
    except (Refusal, ValueError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(str(error), STOPPED) from error
