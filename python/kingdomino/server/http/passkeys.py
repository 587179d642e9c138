"""Passkeys (WebAuthn): what a browser needs to make one or to sign in with one, and the check of its answer.

A challenge is random, for one client and one purpose; it can be answered once, and for two minutes.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    generate_challenge,
    options_to_json_dict,
    parse_client_data_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from kingdomino.server.storage import Passkey
from kingdomino.server.tables.refusals import Refusal

__all__ = ["Client", "Passkeys"]

_LASTS: Final = 120.0  # seconds
_MOST: Final = 10_000  # challenges to remember; the oldest is forgotten first
_Purpose: TypeAlias = Literal["make", "sign in"]
_Credential: TypeAlias = dict[str, Any]


class Client(NamedTuple):
    """Who asks: the identity, and the origin of the page, which `OriginCheck` has compared with the host."""

    user: str
    origin: str

    @property
    def host(self) -> str:
        """The name of the host, for which a passkey is valid."""
        return urlsplit(self.origin).hostname or "localhost"


class Passkeys:
    """Makes options and checks answers; it remembers the challenges that have not been answered.

    ``clock`` gives seconds that only differences of have a meaning.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._challenges: OrderedDict[bytes, tuple[_Purpose, str, float]] = OrderedDict()

    def options_to_make(self, client: Client, name: str, known: Sequence[str]) -> dict[str, Any]:
        """Give what a browser needs to make a passkey. It must not be one of those that are known."""
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
        """Give what a browser needs to sign in. The person chooses which passkey."""
        challenge = self._challenge("sign in", client.user)
        return options_to_json_dict(
            webauthn.generate_authentication_options(rp_id=client.host, challenge=challenge)
        )

    def made(self, client: Client, credential: _Credential) -> Passkey:
        """Check a passkey that was just made. Raises `Refusal`."""
        challenge = self._answered("make", client.user, credential)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=client.host,
                expected_origin=client.origin,
            )
        except Exception:  # many kinds: the client has written all of what is parsed
            raise _refusal() from None
        passkey = bytes_to_base64url(verified.credential_id)
        return Passkey(passkey, client.user, verified.credential_public_key, verified.sign_count)

    def used(self, client: Client, credential: _Credential, passkey: Passkey) -> int:
        """Check that a known passkey was used, and give how often it says that it was. Raises `Refusal`."""
        challenge = self._answered("sign in", client.user, credential)
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
        challenge = generate_challenge()
        self._challenges[challenge] = (purpose, user, self._clock() + _LASTS)
        if len(self._challenges) > _MOST:
            self._challenges.popitem(last=False)
        return challenge

    def _answered(self, purpose: _Purpose, user: str, credential: _Credential) -> bytes:
        """Find the challenge that a credential answers; it cannot be answered again."""
        try:
            data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        except Exception:  # as above
            raise _refusal() from None
        wanted, asker, ends = self._challenges.pop(data.challenge, ("", "", 0.0))
        if (wanted, asker) != (purpose, user) or ends < self._clock():
            raise _refusal()
        return data.challenge


def _refusal() -> Refusal:
    return Refusal("bad_passkey", "this passkey was not accepted")
