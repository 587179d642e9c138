"""Passkeys (WebAuthn): the options for the browser to create one or to sign in, and the check of its answer.

A challenge is for one client and one purpose, and is valid for two minutes. It contains its expiry and a signature, so
that any process of a server can check the answer. A process accepts each answer only once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json_dict,
    parse_client_data_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from kingdomino.server.pools import ANSWERS, Memory
from kingdomino.server.storage import Passkey
from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["Client", "Passkeys"]

_LASTS: Final = 120_000  # milliseconds
_RANDOM: Final = 16  # random bytes of a challenge
_TIME: Final = 8  # bytes of its expiry
_LONGEST: Final = 8000
"""Characters of a text in a credential. CBOR allows decimal numbers, whose parsing takes quadratic time."""
_Purpose: TypeAlias = Literal["make", "sign in"]
_Credential: TypeAlias = dict[str, Any]


class Client(NamedTuple):
    """Who asks: the identity, its network, and the page's origin, which `OriginCheck` has compared with the host."""

    user: str
    network: str
    origin: str

    @property
    def host(self) -> str:
        """The name of the host, for which a passkey is valid."""
        return urlsplit(self.origin).hostname or "localhost"


class Passkeys:
    """Creates options and checks answers. ``key`` signs the challenges; ``now`` returns milliseconds since 1970."""

    def __init__(self, key: bytes, now: Callable[[], int]) -> None:
        self._key, self._now = key, now
        self._answered: Memory[bytes, bool] = Memory(ANSWERS)

    def options_to_make(self, client: Client, name: str, known: Sequence[str]) -> dict[str, Any]:
        """Return the browser's options to create a passkey other than the known ones."""
        options = webauthn.generate_registration_options(
            rp_id=client.host,
            rp_name="Kingdomino",
            user_id=hashlib.sha256(client.user.encode()).digest(),
            user_name=name,
            challenge=self._challenge("make", client.user),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(one)) for one in known],
        )
        return options_to_json_dict(options)

    def options_to_sign_in(self, client: Client) -> dict[str, Any]:
        """Return the browser's options to sign in with a passkey that the person chooses."""
        challenge = self._challenge("sign in", client.user)
        return options_to_json_dict(
            webauthn.generate_authentication_options(rp_id=client.host, challenge=challenge)
        )

    def made(self, client: Client, credential: _Credential) -> Passkey:
        """Check a new passkey. Raises `Refusal`."""
        challenge = self._challenge_of("make", client, credential)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=client.host,
                expected_origin=client.origin,
            )
        except Exception:  # many kinds: the client controls everything that is parsed
            raise _refusal() from None
        passkey = bytes_to_base64url(verified.credential_id)
        return Passkey(passkey, client.user, verified.credential_public_key, verified.sign_count)

    def used(self, client: Client, credential: _Credential, passkey: Passkey) -> int:
        """Check an answer of a known passkey, and return its signature counter. Raises `Refusal`."""
        challenge = self._challenge_of("sign in", client, credential)
        try:
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=client.host,
                expected_origin=client.origin,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.uses,
            )
        except Exception:  # as above
            raise _refusal() from None
        return verified.new_sign_count

    def _challenge(self, purpose: _Purpose, user: str) -> bytes:
        ends = self._now() + _LASTS
        return self._signed(ends.to_bytes(_TIME) + secrets.token_bytes(_RANDOM), purpose, user)

    def _signed(self, start: bytes, purpose: _Purpose, user: str) -> bytes:
        signature = hmac.new(self._key, b"passkey " + start + f" {purpose} {user}".encode(), hashlib.sha256)
        return start + signature.digest()

    def _challenge_of(self, purpose: _Purpose, client: Client, credential: _Credential) -> bytes:
        """Return the challenge that a credential answers, and accept no other answer to it in this process."""
        if not _is_short(credential):
            raise _refusal()
        try:
            data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        except Exception:  # as above
            raise _refusal() from None
        challenge = data.challenge
        signed = self._signed(challenge[: _TIME + _RANDOM], purpose, client.user)
        is_ours = hmac.compare_digest(signed, challenge)
        if not is_ours or int.from_bytes(challenge[:_TIME]) < self._now() or challenge in self._answered:
            raise _refusal()
        self._answered.put(challenge, True, client.network)
        return challenge


def _is_short(credential: _Credential) -> bool:
    response = credential.get("response")
    texts = response.values() if isinstance(response, dict) else ()
    return all(len(text) <= _LONGEST for text in texts if isinstance(text, str))


def _refusal() -> Refusal:
    return Refusal("bad_passkey", "this passkey was not accepted")
