"""Routes for using several devices (by a link or a passkey), signing out, and deleting an identity."""

import hashlib
import re
import secrets
from typing import Annotated, Final

import segno
from fastapi import APIRouter, Depends, Request
from starlette.requests import HTTPConnection

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.http.hosts import PublicAddress
from kingdomino.server.http.identity import LEARNED, Identity, known_session, known_user
from kingdomino.server.http.limits import address_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.passkeys import Client, Passkeys
from kingdomino.server.http.root_path import root_of
from kingdomino.server.pools import LINK_LASTS, MOST_PASSKEYS
from kingdomino.server.storage.sessions import digest_of
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.people import identities

router = APIRouter(prefix="/api", tags=["me"])
_KEY_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,1400}")
"""The id of a passkey in base64url; WebAuthn allows 1,023 bytes."""


async def _passkeys(connection: HTTPConnection) -> Passkeys:
    passkeys: Passkeys = connection.app.state.passkeys
    return passkeys


async def _client(connection: HTTPConnection, user: User) -> Client:
    # A program sends no origin.
    asked = f"{connection.url.scheme}://{connection.url.netloc}"
    return Client(user, address_of(connection.scope), connection.headers.get("origin", asked))


InPasskeys = Annotated[Passkeys, Depends(_passkeys)]
InClient = Annotated[Client, Depends(_client)]


@router.get("/me/identity", response_model=schemas.Identity)
async def identity(registry: InRegistry, user: User) -> Answer:
    """Read what belongs to your identity."""
    return Answer(await _identity(registry, user))


@router.post("/me/link", response_model=schemas.DeviceLink)
async def make_link(request: Request, registry: InRegistry, client: InClient) -> Answer:
    """Create a link that signs in another device as you. It works once, for ten minutes; an earlier link ends."""
    secret, now = secrets.token_urlsafe(16), registry.clock.now()
    await registry.store.identities.add_link(_digest(secret), client.user, now + 1000 * LINK_LASTS, now)
    public: PublicAddress = request.app.state.public
    url = f"{public.origin(client.origin)}{root_of(request)}/you#link={secret}"
    picture = segno.make_qr(url, error="m").svg_data_uri(dark="#2c1f16", light="#fff", omitsize=True)
    return Answer(schemas.DeviceLink(url=url, qr=picture, seconds=LINK_LASTS))


@router.post("/link", response_model=schemas.Identity, responses=refusals("no_link", "has_games"))
async def use_link(request: Request, registry: InRegistry, user: User, body: schemas.LinkSecret) -> Answer:
    """Become the person who created a link. With ``join`` your own games move along."""
    digest = _digest(body.secret)
    kept = await registry.store.identities.link(digest, registry.clock.now())
    if kept is None:
        raise _no_link()
    await _check_join(registry, user, kept, body.join)
    if not await registry.store.identities.use_link(digest):
        raise _no_link()
    return await _become(request, registry, user, kept)


@router.post("/me/passkeys/options", response_model=schemas.PasskeyOptions)
async def options_to_make(registry: InRegistry, passkeys: InPasskeys, client: InClient) -> Answer:
    """Begin to create a passkey: get the options for `navigator.credentials.create`."""
    name = await registry.store.user(client.user) or "Kingdomino"
    known = await registry.store.identities.passkeys(client.user)
    return Answer(schemas.PasskeyOptions(options=passkeys.options_to_make(client, name, known)))


@router.post("/me/passkeys", response_model=schemas.Identity, responses=refusals("bad_passkey"))
async def make_passkey(
    registry: InRegistry, passkeys: InPasskeys, client: InClient, body: schemas.NewPasskey
) -> Answer:
    """Store the passkey that the browser has created, to sign in with it later. You can have up to twenty."""
    if len(await registry.store.identities.passkeys(client.user)) >= MOST_PASSKEYS:
        raise Refusal("bad_passkey", f"a person has at most {MOST_PASSKEYS} passkeys")
    await registry.store.identities.add_passkey(passkeys.made(client, body.credential))
    return Answer(await _identity(registry, client.user))


@router.post("/passkey/options", response_model=schemas.PasskeyOptions)
async def options_to_sign_in(passkeys: InPasskeys, client: InClient) -> Answer:
    """Begin to sign in with a passkey: get the options for `navigator.credentials.get`."""
    return Answer(schemas.PasskeyOptions(options=passkeys.options_to_sign_in(client)))


@router.post("/passkey", response_model=schemas.Identity, responses=refusals("bad_passkey", "has_games"))
async def sign_in(
    request: Request, registry: InRegistry, passkeys: InPasskeys, client: InClient, body: schemas.UsedPasskey
) -> Answer:
    """Become the person of a passkey. With ``join`` your own games move along."""
    key = body.credential.get("id")
    is_id = isinstance(key, str) and _KEY_ID.fullmatch(key)
    known = await registry.store.identities.passkey(str(key)) if is_id else None
    if known is None:
        raise Refusal("bad_passkey", "this passkey is not known here")
    uses = passkeys.used(client, body.credential, known)
    await registry.store.identities.passkey_used(known.id, uses)
    await _check_join(registry, client.user, known.user, body.join)
    return await _become(request, registry, client.user, known.user)


@router.post("/me/sign-out", response_model=schemas.Identity)
async def sign_out_elsewhere(request: Request, registry: InRegistry, user: User) -> Answer:
    """Sign out all your other devices, and end a link that nobody has used. Passkeys stay."""
    if known_user(request.scope) is None:
        return Answer(await _identity(registry, user))
    await registry.store.identities.remove_link(user)
    await _revoke(request, registry, user)
    request.scope["renew"] = True
    return Answer(await _identity(registry, user))


@router.post("/me/forget", response_model=schemas.Forgotten)
async def forget(request: Request, registry: InRegistry, user: User) -> Answer:
    """Delete your identity and your name. Games stay, without the name; in those still running a bot takes over."""
    if known_user(request.scope) is None:  # nothing to forget; going on would store a digest
        return Answer(schemas.Forgotten(forgotten=True))
    await identities.forget(registry, user)
    await _revoke(request, registry, user)
    await identities.forget(registry, user)  # again, for what another device wrote meanwhile
    registry.run(identities.forget_late(registry, user, LEARNED), "forgetting a person again")
    request.scope["user"] = None
    return Answer(schemas.Forgotten(forgotten=True))


async def _revoke(request: Request, registry: Registry, user: str) -> None:
    """Revoke the cookies of other devices."""
    session = known_session(request.scope)
    # The clock may have been ahead when this cookie was issued.
    now = max(registry.clock.now(), session.issued + 1 if session else 0)
    before = await registry.store.sessions.revoke(user, now)
    known: Identity = request.app.state.identity
    known.revoke(user, before)
    registry.disconnect([digest_of(user)])


async def _identity(registry: Registry, user: str) -> schemas.Identity:
    return schemas.Identity(
        name=await registry.store.user(user),
        games=await registry.store.identities.games(user),
        passkeys=len(await registry.store.identities.passkeys(user)),
    )


async def _check_join(registry: Registry, user: str, kept: str, join: bool) -> None:
    """Refuse to give up an identity with games or passkeys, unless the client wants to join them."""
    own = await _identity(registry, user)
    if user != kept and not join and (own.games or own.passkeys):
        raise Refusal("has_games", "this device has games of its own; join them, or stay as you are")


async def _become(request: Request, registry: Registry, user: str, kept: str) -> Answer:
    if user != kept:
        await identities.join(registry, user, kept)
        request.scope["user"] = kept
    return Answer(await _identity(registry, kept))


def _no_link() -> Refusal:
    return Refusal("no_link", "this link has been used, or it is too old; make a new one on the other device")


def _digest(secret: str) -> str:
    """Return the stored form of a secret, so that the time of a look-up reveals nothing about the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
