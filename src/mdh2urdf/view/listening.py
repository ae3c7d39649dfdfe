"""Where the page is served: on an address of this computer, and on no tunnel."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING

from mdh2urdf.errors import Mdh2UrdfError

if TYPE_CHECKING:
    import viser

LOOPBACK = "127.0.0.1"
PORT = 8080


def page_address(host: str, port: int) -> str:
    """What to type into the browser."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def local_server(host: str, port: int, label: str) -> viser.ViserServer:
    """A server that no message of a page can open a public tunnel to, as the library's own would."""
    import viser

    class LocalServer(viser.ViserServer):
        def request_share_url(self, verbose: bool = True) -> None:
            """Stay here."""

    # It prints a traceback for whatever is no request for the page, such as a HEAD.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)
    server = LocalServer(host=host, port=port, label=label, verbose=False)
    server.gui.configure_theme(show_share_button=False, show_logo=False)
    return server


def check_address(host: str, port: int | None) -> None:
    """Try to listen where the server will: it would wait for ever for an address that it cannot have.

    Raises
    ------
    Mdh2UrdfError
        Naming the address and the system's reason.
    """
    try:
        family = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port or 0))
    except OSError as error:
        place = host if port is None else f"{host}, port {port}"
        raise Mdh2UrdfError(f"cannot listen on {place}: {error.strerror or error}") from error
