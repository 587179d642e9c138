"""Ports for servers that tests start."""

from __future__ import annotations

import atexit
import random
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from typing import Final

_PORTS: Final = range(20_000, 32_768)
"""Below the ports that Linux gives to clients by default."""


def free_port() -> int:
    """Return a free port, reserved until this process ends.

    Only a server that reuses addresses can listen there, as all of ours do. No other call returns the port, in any
    process, and no client gets it.
    """
    while True:
        port = random.SystemRandom().choice(_PORTS)
        reserved = socket()
        try:
            reserved.bind(("127.0.0.1", port))
        except OSError:
            reserved.close()
            continue
        reserved.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)  # only now: it must not share a port in use
        atexit.register(reserved.close)
        return port
