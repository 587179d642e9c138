"""What clients may send: the bodies of requests, checked at the door (docs/formats/table.md).

Unknown fields are refused. Imports nothing of the package.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LONGEST_NAME = 24
LONGEST_RECORD = 50_000
"""Letters in a record; a game of 48 placements with its tags has about 2,000."""


def _printable(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} letters")
    if not tidy.isprintable():
        raise ValueError("a name has only letters that can be seen")
    return tidy


Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4 * LONGEST_NAME,
        description=f"1 to {LONGEST_NAME} letters",
        examples=["Ida"],
    ),
    AfterValidator(_printable),
]
"""What a person is called. Spaces at the ends and doubled ones go."""

ActionText = Annotated[
    str, Field(min_length=1, max_length=40, examples=["claim 17", "place 1,0>2,0", "discard"])
]


class Body(BaseModel):
    """A body without anything in it that we do not know."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Me(Body):
    """How somebody wants to be called."""

    name: Name


class SeatWish(Body):
    """Who shall sit in a seat of a new table."""

    kind: Literal["me", "bot", "invited", "open"]
    name: Name | None = None
    bot: Annotated[str, Field(min_length=1, max_length=200, description="a spec string")] | None = None


class NewTable(Body):
    """A table to lay. Seats that are not named are yours, then bots'."""

    players: Annotated[int, Field(ge=2, le=4)] = 2
    edition: Literal["first", "second"] = "second"
    mighty_duel: bool = False
    harmony: bool = False
    middle_kingdom: bool = False
    opening: Literal["random", "snake"] = "random"
    dynasty: Literal["total", "best"] | None = None
    seconds: Annotated[int, Field(ge=5, le=86_400, description="for a turn")] | None = None
    public: bool = False
    seats: Annotated[list[SeatWish], Field(max_length=4)] = Field(default_factory=list)


class Turn(Body):
    """One action, or a placement and the claim of the same turn."""

    ply: Annotated[int, Field(ge=0, le=10_000)]
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=2)]


class Sit(Body):
    """A seat to sit down in: by its secret, or an open one by its number."""

    secret: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    name: Name | None = None


class Code(Body):
    """Three words that a friend has sent."""

    code: Annotated[str, Field(min_length=1, max_length=60, examples=["amber otter gate"])]


class RecordText(Body):
    """A record to verify."""

    record: Annotated[str, Field(min_length=1, max_length=LONGEST_RECORD)]
