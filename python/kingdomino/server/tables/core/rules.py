"""The base of request models, and the rules set that a client chooses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

import kingdomino as kd
from kingdomino.server.tables.core.refusals import Refusal


class ClientObject(BaseModel):
    """An object from a client, without unknown fields."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _keep_one_unknown(cls, given: Any) -> Any:  # noqa: ANN401  (whatever the client sent)
        """Keep only the first unknown field: a body could contain thousands, and each would be a separate error."""
        if not isinstance(given, dict):
            return given
        unknown = given.keys() - cls.model_fields.keys()
        first = next((name for name in given if name in unknown), None)
        return {name: value for name, value in given.items() if name == first or name not in unknown}


class ChosenRules(ClientObject):
    """The options of a rules set. Not all combinations are valid."""

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
