"""A refusal: a code for programs, a sentence for people, and the HTTP status that belongs to the code."""

import kingdomino as kd

STATUS = {
    "bad_request": 400,
    "not_yours": 403,
    "not_host": 403,
    "wrong_secret": 403,
    "other_origin": 403,
    "no_table": 404,
    "no_route": 404,
    "no_code": 404,
    "no_method": 405,
    "stale_ply": 409,
    "not_waiting": 409,
    "not_playing": 409,
    "not_over": 409,
    "seat_taken": 409,
    "too_many_tables": 409,
    "too_large": 413,
    "not_json": 415,
    "illegal_action": 422,
    "bad_field": 422,
    "bad_rules": 422,
    "bad_bot": 422,
    "bad_record": 422,
    "too_often": 429,
    "storage": 503,
}
"""Every code there is, as docs/formats/table.md lists them."""


class Refusal(Exception):  # noqa: N818  (a refusal is an answer, not a failure)
    """What was asked for has not been done, and why."""

    def __init__(self, code: str, reason: str, **more: object) -> None:
        super().__init__(reason)
        self.code, self.reason, self.more = code, reason, more

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    def json(self) -> dict[str, object]:
        """Write the body of the answer."""
        return {"code": self.code, "reason": self.reason, **self.more}


def illegal(error: kd.KingdominoError) -> Refusal:
    """Refuse an action as the engine does, with its code and facts under ``why``."""
    if isinstance(error, kd.IllegalActionError) and error.refusal:
        return Refusal("illegal_action", str(error), why=why(error.refusal))
    return Refusal("illegal_action", str(error))


def why(refusal: kd.Refusal) -> dict[str, object]:
    """Write the code and the facts of the engine's refusal as JSON; facts that do not apply are left out."""
    facts: dict[str, object] = {
        "domino": refusal.domino and refusal.domino.number,
        "seat": refusal.seat,
        "square": refusal.square and list(refusal.square),
        "width": refusal.width,
        "height": refusal.height,
        "terrains": list(refusal.terrains) or None,
        "line": [domino.number for domino in refusal.line] or None,
    }
    return {"code": refusal.code} | {name: fact for name, fact in facts.items() if fact is not None}
