"""A network namespace for a database, with a link for each process. Needs root and iproute2."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

__all__ = ["Network", "is_permitted"]

_PREFIX: Final = "kd-faults"
_LARGEST: Final = 64  # namespaces at the same time, each with four links


class Network:
    """A namespace and its links; each link can be cut.

    A cut link silently drops every packet, in both directions, like a dead switch.
    """

    def __init__(self, number: int, links: int) -> None:
        """``number`` distinguishes the networks of one machine."""
        if not (0 <= number < _LARGEST and 0 < links <= 4):
            raise ValueError(f"no network {number} with {links} links")
        self.namespace = f"{_PREFIX}-{number}"
        self._number, self._links = number, links

    @contextmanager
    def laid(self) -> Iterator[Network]:
        """Make the namespace, and remove it at the end."""
        with suppress(subprocess.CalledProcessError):  # a killed run may have left it
            _ip("netns", "del", self.namespace)
        _ip("netns", "add", self.namespace)
        try:
            _ip("-n", self.namespace, "link", "set", "lo", "up")
            for link in range(self._links):
                self._lay(link)
            yield self
        finally:
            _ip("netns", "del", self.namespace)

    def address(self, link: int) -> str:
        """Return the address of the far end of a link."""
        return f"{self._subnet(link)}.1"

    def cut(self, link: int) -> None:
        """Drop all packets."""
        _ip("-n", self.namespace, "link", "set", self._far(link), "down")

    def mend(self, link: int) -> None:
        """Let everything through again."""
        _ip("-n", self.namespace, "link", "set", self._far(link), "up")

    def _lay(self, link: int) -> None:
        near, far = f"kdf{self._number}-{link}", self._far(link)
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", near)
        _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", self.namespace)
        _ip("-n", self.namespace, "address", "add", f"{self.address(link)}/30", "dev", far)
        _ip("-n", self.namespace, "link", "set", far, "up")
        _ip("address", "add", f"{self._subnet(link)}.2/30", "dev", near)
        _ip("link", "set", near, "up")
        # With a fixed neighbour the system does not notice a cut, and never reports the host as unreachable.
        shown = _ip("-n", self.namespace, "-oneline", "link", "show", far)
        hardware = shown.partition("link/ether ")[2].split()[0]
        neighbour = ("neighbour", "replace", self.address(link), "lladdr", hardware, "dev", near)
        _ip(*neighbour, "nud", "permanent")

    def _subnet(self, link: int) -> str:
        return f"10.213.{4 * self._number + link}"

    def _far(self, link: int) -> str:
        return f"far-{link}"


def is_permitted() -> bool:
    """Return whether this machine lets us make namespaces."""
    if os.geteuid() != 0:
        return False
    try:
        with Network(_LARGEST - 1, 1).laid():
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def _ip(*arguments: str) -> str:
    done = subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)
    return done.stdout
