"""An authenticator in software: it makes passkeys and uses them, as a browser with a security key would."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any, TypeAlias

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url

Json: TypeAlias = dict[str, Any]

_PRESENT, _ATTESTED = 0x01, 0x40
_ES256 = -7


class Authenticator:
    """One passkey for one site. ``uses`` is the number of uses that it reports."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self.uses = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: Json) -> Json:
        """Answer `navigator.credentials.create`."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: _ES256, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        data = self._data(options["rp"]["id"], _PRESENT | _ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._credential({"attestationObject": attestation, "clientDataJSON": client})

    def use(self, options: Json) -> Json:
        """Answer `navigator.credentials.get`."""
        self.uses += 1
        data, client = self._data(options["rpId"], _PRESENT), self._client("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential({"authenticatorData": data, "clientDataJSON": client, "signature": signature})

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", flags, self.uses)

    def _client(self, kind: str, options: Json) -> bytes:
        data = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(data).encode()

    def _credential(self, response: dict[str, bytes]) -> Json:
        name = bytes_to_base64url(self.id)
        written = {field: bytes_to_base64url(content) for field, content in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": written}
