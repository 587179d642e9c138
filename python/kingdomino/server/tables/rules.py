"""The rules set that someone chooses, for a table or for a position."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

import kingdomino as kd
from kingdomino.server.tables.refusals import Refusal


class ChosenRules(BaseModel):
    """What tells a rules set. Not every choice is possible."""

    players: Annotated[int, Field(ge=2, le=4)] = 2
    edition: Literal["first", "second"] = "second"
    mighty_duel: bool = False
    harmony: bool = False
    middle_kingdom: bool = False
    opening: Literal["random", "snake"] = "random"

    def rules(self) -> kd.Rules:
        """Give the rules set. Raises `Refusal`."""
        try:
            return kd.Rules(
                self.players, self.edition, self.mighty_duel, self.harmony, self.middle_kingdom, self.opening
            )
        except kd.RulesError as error:
            raise Refusal("bad_rules", str(error)) from None
