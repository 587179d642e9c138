"""A person's settings are the same on all of that person's devices."""

from support.clients import Server

CHOSEN = {"theme": "dark", "pace": "none", "sound": True, "language": "fr", "warning": 3}


async def test_settings_are_kept_for_the_identity(server: Server) -> None:
    ida = server.client()
    assert await ida.get("/api/me/settings") is None
    answer = await ida.send("PUT", "/api/me/settings", CHOSEN)
    assert answer.json() == CHOSEN
    same_person = server.client(ida.cookies)
    assert await same_person.get("/api/me/settings") == CHOSEN
    assert await server.client().get("/api/me/settings") is None


async def test_an_omitted_setting_keeps_the_devices_value(server: Server) -> None:
    ida = server.client()
    await ida.send("PUT", "/api/me/settings", CHOSEN)
    await ida.send("PUT", "/api/me/settings", {"sound": False})
    settings = await ida.get("/api/me/settings")
    assert settings == {"theme": None, "pace": None, "sound": False, "language": None, "warning": None}


async def test_settings_are_forgotten_with_the_person(server: Server) -> None:
    ida = server.client()
    await ida.send("PUT", "/api/me/settings", CHOSEN)
    same_person = server.client(ida.cookies)
    await ida.post("/api/me/forget")
    assert await same_person.get("/api/me/settings") is None
