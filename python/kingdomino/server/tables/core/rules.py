"""What clients send: the base of its models, and the rules set that someone chooses for a table or a position."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

import kingdomino as kd
from kingdomino.server.tables.core.refusals import Refusal


class ClientObject(BaseModel):
    """An object that a client sends. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _keep_one_unknown(cls, given: Any) -> Any:  # noqa: ANN401  (whatever the client sent)
        """Drop all unknown fields but the first: a body has room for thousands, and each is a fault of its own."""
        if not isinstance(given, dict):
            return given
        unknown = given.keys() - cls.model_fields.keys()
        first = next((name for name in given if name in unknown), None)
        return {name: value for name, value in given.items() if name == first or name not in unknown}


class ChosenRules(ClientObject):
    """What tells a rules set. Not every choice is possible."""

    players: Annotated[int, Field(ge=2, le=4)] = 2
    edition: Literal["first", "second"] = "second"
    mighty_duel: bool = False
    harmony: bool = False
    middle_kingdom: bool = False
    opening: Literal["random", "snake"] = "random"

    def rules(self) -> kd.Rules:
        """Return the rules set. Raises `Refusal`."""
        try:
            return kd.Rules(
                self.players, self.edition, self.mighty_duel, self.harmony, self.middle_kingdom, self.opening
            )
        except kd.RulesError as error:
            raise Refusal("bad_rules", str(error)) from None
