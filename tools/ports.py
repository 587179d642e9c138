"""Ports for servers that tests start."""

from __future__ import annotations

import random
from contextlib import suppress
from socket import socket
from typing import Final

_PORTS: Final = range(20_000, 32_768)
"""Below the ports that Linux gives to clients, so that no connection takes one before its server."""


def free_port() -> int:
    """Return a free port."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with suppress(OSError), socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
