"""The first reason of a costly decision is the right one: positions made by hand, each with a player's reason."""

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import pytest

import kingdomino as kd
from kingdomino.analysis.why import (
    Expected,
    FewerCrowns,
    FewerPoints,
    HarmonyLost,
    LaterTurn,
    LeftToOpponents,
    OffCentre,
    Reason,
    TerritoryClosed,
    Unfillable,
)

GRASSLAND, LAKE, MINE, SWAMP = (
    kd.Terrain.GRASSLAND,
    kd.Terrain.LAKE,
    kd.Terrain.MINE,
    kd.Terrain.SWAMP,
)
Kind: TypeAlias = Literal["terrain", "harmony", "middle_kingdom", "opponent"]
LIMIT = kd.bots.Limit(playouts=4000)


def expected(kind: Kind, terrain: kd.Terrain | None = None, seat: int | None = None) -> Expected:
    """Return an expected loss without its figures."""
    return Expected(kind, 0.0, 0, terrain, seat)


POSITIONS = [
    pytest.param(
        "kd1 2.second.random 6 place:0 *1@0,*2@1,3@0,4@1 - 25-48 f1f1ffC;wwC",
        "place 0,1>0,2",
        FewerPoints(0, 4, last=True),
        id="the last domino beside the castle, where it could join two crowns",
    ),
    pytest.param(
        "kd1 4.second.random 12 place:0 *1@1,*2@2,36@0,40@3 - - ggg2gC;wwC;wwC;wwC",
        "place 0,1>0,2",
        FewerPoints(1, 7, last=True),
        id="the last domino alone, where it could join two more crowns",
    ),
    pytest.param(
        "kd1 3.second.random 12 place:0 *1@1,12@0,40@2 - - s2ss1sC;wwC;wwC",
        "place 0,1>0,2",
        FewerPoints(0, 6, last=True),
        id="the last domino beside the castle, where it could join three crowns",
    ),
    pytest.param(
        "kd1 2.second.random.middle 6 place:0 *1@0,*2@1,3@0,4@1 - 25-48 ..f../wwCll/..f..;wwC",
        "place 0,2>1,2",
        OffCentre(),
        id="the last domino grows a centred kingdom at the top",
    ),
    pytest.param(
        "kd1 2.second.random.harmony.middle 3 place:0 3@0,45@1,46@0,47@1 20,30,31,36 10-19,21-29,32-35,37-44,48 "
        "fff../wwCll/..s..;ffffC",
        "place -2,2>-2,3",
        OffCentre(),
        id="two squares up in round 3, beyond the reach of the middle",
    ),
    pytest.param(
        "kd1 4.second.random.middle 4 place:0 1@0,45@1,46@2,47@3 20,30,31,36 14-19,21-29,32-35,37-44,48 "
        "ggCww/...ww;ffC;llC;ssC",
        "place 1,-2>1,-3",
        OffCentre(),
        id="three squares down in round 4",
    ),
    pytest.param(
        "kd1 2.second.random.duel.middle 11 place:0 1@0,2@0,45@1,46@1 7,8,13,14 - "
        "wwwwwww/ffffwww/fffCwww/ggggggg/lllllll;ffffC",
        "place -3,3>-3,4",
        OffCentre(),
        id="a fourth square up in the Mighty Duel",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 place:0 1@0,2@0,45@1,46@1 13,14,15,16 23-44,47-48 "
        "w..../wwww./wwCw./www../wwwww;ffffC",
        "place 2,2>2,1",
        HarmonyLost(),
        id="a strip of eight is split into three and three",
    ),
    pytest.param(
        "kd1 4.second.random.harmony 9 place:0 7@0,45@1,46@2,47@3 8,13,14,16 1-2,9-11,15,17-18 "
        "wwwff/..wff/.wCff/.llff/....g;ffC;llC;ssC",
        "place -2,-1>-2,-2",
        HarmonyLost(),
        id="the same between many terrains, with lines to come",
    ),
    pytest.param(
        "kd1 2.second.random.duel.harmony 11 place:0 1@0,2@0,45@1,46@1 13,14,15,16 - "
        "www..../wwwwww./wwwwww./wwwCw../fffffff/lllllll/gggggss;ffffC",
        "place 3,3>3,2",
        HarmonyLost(),
        id="the same in the Mighty Duel",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 place:0 1@0,2@0,45@1,46@1 13,14,15,16 23-44,47-48 "
        "wwwww/wwww./wwCw./www../w....;ffffC",
        "place 2,0>2,-1",
        Unfillable(((2, 1),), harmony=True),
        id="one square stays empty at the edge",
    ),
    pytest.param(
        "kd1 3.second.random.harmony.middle 9 place:0 7@0,45@1,46@2 3,10,14,17 4-5,8-9,11,13,15,18 "
        "wwfff/wwff./lllC./ggl../g....;ffC;ssC",
        "place 1,0>1,-1",
        Unfillable(((1, 1),), harmony=True),
        id="one square stays empty beside the castle's row",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 place:0 14@0,17@0,45@1,46@1 4,5,13,16 23-44,47-48 "
        "..fff/ffff./ffCw1./ffwl1./ff...;ggggC",
        "place 2,0>2,-1",
        Unfillable(((2, 1),), harmony=True),
        id="two crowns are joined, and one square stays empty",
    ),
    pytest.param(
        "kd1 2.second.random.duel.harmony 11 place:0 1@0,2@0,45@1,46@1 8,9,14,17 - "
        "wwwwwww/wwwwww./ffffww./fffCw../ggggggg/lllllll/lll....;ffffC",
        "place 3,1>3,0",
        Unfillable(((2, 0), (3, 2)), harmony=True),
        id="two squares stay empty in the Mighty Duel",
    ),
    pytest.param(
        "kd1 2.second.random 5 place:0 1@0,2@0,45@1,46@1 13,14,15,16 23-44,47-48 "
        "wwwww/w1w1w1w./wwCw./www../w....;ffffC",
        "place 2,0>2,-1",
        Unfillable(((2, 1),), harmony=False),
        id="one square stays empty beside three crowns",
    ),
    pytest.param(
        "kd1 4.second.random 11 place:0 3@0,45@1,46@2,47@3 4,5,6,13 - "
        "ffff./f1f1f1f./ffCf./ffff./fffff;llC;wwC;ssC",
        "place 2,1>2,0",
        Unfillable(((2, -1), (2, 2)), harmony=False),
        id="two squares stay empty, and the next domino has no place",
    ),
    pytest.param(
        "kd1 2.second.random 5 place:0 1@0,2@0,45@1,46@1 10,11,13,14 23-44,47-48 www/wg2w/w.C/w..;ffffC",
        "place -1,0>-1,-1",
        TerritoryClosed(GRASSLAND, ((-1, 1),), 2),
        id="wheat before the only way out of a meadow",
    ),
    pytest.param(
        "kd1 4.second.random 10 place:0 3@0,45@1,46@2,47@3 7,8,9,12 1-2,10,16 "
        "fffff/fs2fff/f.C../f....;llC;wwC;ssC",
        "place -1,0>-1,-1",
        TerritoryClosed(SWAMP, ((-1, 1),), 2),
        id="forest before the only way out of a swamp",
    ),
    pytest.param(
        "kd1 2.second.random.duel 11 place:0 7@0,8@0,43@1,44@1 9,13,17,45 - lllll/lm2lll/l.C../l....;ffffC",
        "place -1,0>-1,-1",
        TerritoryClosed(MINE, ((-1, 1),), 2),
        id="a lake before the only way out of a mine",
    ),
    pytest.param(
        "kd1 2.second.random 5 place:0 1@0,2@0,45@1,46@1 3,4,7,8 23-44,47-48 w1w1w../ffCff/..w..;ffffC",
        "place 0,-2>-1,-2",
        FewerCrowns(0, 2),
        id="wheat joins wheat without a crown",
    ),
    pytest.param(
        "kd1 3.second.random 6 place:0 3@0,45@1,46@2 1,2,7,8 27-44,47-48 f1f1fff/..C../..fww;llC;ssC",
        "place 0,-2>-1,-2",
        FewerCrowns(0, 2),
        id="forest joins forest without a crown",
    ),
    pytest.param(
        "kd1 4.second.random 5 place:0 10@0,45@1,46@2,47@3 1,2,7,8 22-44,48 ..w../..w../g2gCgg/..w../..w..;llC;wwC;ssC",
        "place 1,1>2,1",
        FewerCrowns(0, 2),
        id="grassland joins grassland without a crown",
    ),
    pytest.param(
        "kd1 2.second.random.duel 5 place:0 12@0,45@1,46@0,47@1 1,2,7,8 22-44,48 s2s1sCsss;llllC",
        "place 1,1>2,1",
        FewerCrowns(0, 3),
        id="swamp joins swamp without a crown",
    ),
    pytest.param(
        "kd1 2.second.random 5 place:0 13@0,17@0,45@1,46@1 3,4,7,8 23-44,47-48 w1w1.ww/ffCff;llllC",
        "place -1,2>-2,2",
        FewerPoints(2, 6),
        id="wheat grows one territory, where it could join two",
    ),
    pytest.param(
        "kd1 4.second.random 11 place:0 17@0,45@1,46@2,47@3 1,2,3,4 - l1l1.ll/ggCgg;ffC;wwC;ssC",
        "place -2,2>-1,2",
        FewerPoints(2, 6),
        id="a lake grows one territory, where it could join two",
    ),
    pytest.param(
        "kd1 2.second.random 5 claim:0 *5@1,6@0,7@1,8@0 3,16,22,30@1 24-29,31-48 wwww/wwww/..C.;ffffC",
        "claim 16",
        FewerCrowns(0, 1, (16, 22)),
        id="wheat without a crown for eight squares of wheat",
    ),
    pytest.param(
        "kd1 4.second.random 11 claim:0 5@0,6@1,7@2,8@3 3,4,10,41 - gggg/gg../C...;ffC;llC;ssC",
        "claim 10",
        FewerCrowns(0, 2, (10, 41)),
        id="grassland without a crown for six squares of grassland",
    ),
    pytest.param(
        "kd1 2.second.random.duel.harmony.middle 4 claim:0 5@0,6@1,7@1,8@0 12,13,14,43 20-42,44-48 "
        "ssss/ss../C...;ffffC",
        "claim 12",
        FewerCrowns(0, 2, (12, 43)),
        id="swamp without a crown for six squares of swamp",
    ),
    pytest.param(
        "kd1 2.second.random 5 claim:0 *3@1,4@0,5@1,6@0 1,7,8,16@1 25-48 w1w1w1w/wwww/..C.;ffffC",
        "claim 7",
        FewerPoints(0, 6, dominoes=(7, 1)),
        id="a lake, where wheat has three crowns",
    ),
    pytest.param(
        "kd1 3.first.random 11 claim:0 7@0,8@1,9@2 3,10,11 37-48 f1f1ff/..C.;llC;ssC",
        "claim 10",
        FewerPoints(0, 4, dominoes=(10, 3)),
        id="grassland, where forest has two crowns",
    ),
    pytest.param(
        "kd1 2.second.random 5 claim:0 *2@0,*3@1,13@0,16@1 1,10,14@1,15@0 25-48 w1w1w/wCw/www;ffffC",
        "claim 10",
        FewerPoints(None, 4, dominoes=(10, 1)),
        id="a domino that fits nowhere, where wheat has two crowns",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 claim:0 *2@0,*3@1,13@0,16@1 1,10,14@1,15@0 25-48 "
        "wwww./wwww./wwCw./wwww./wwwww;ffffC",
        "claim 10",
        FewerPoints(None, 0, dominoes=(10, 1)),
        id="a domino that fits nowhere, so that a gap remains",
    ),
    pytest.param(
        "kd1 2.second.random 5 claim:0 *5@1,6@0,7@1,8@0 1,3,43,44@1 23-42,45-48 wwC;sss/sss/C..",
        "claim 1",
        LeftToOpponents(43, 0, (1,), (2, 14)),
        id="two crowns for the opponent's six squares of swamp",
    ),
    pytest.param(
        "kd1 3.second.random 11 claim:0 5@0,6@1,7@2 1,3,4,48 - ww1C;m2m2C;ssC",
        "claim 1",
        LeftToOpponents(48, 0, (1, 2), (4, 13, 3)),
        id="three crowns for an opponent's mines",
    ),
    pytest.param(
        "kd1 4.second.random 11 claim:0 5@0,6@1,7@2,8@3 1,3,4,41 - ww1C;gggg/gg../C...;ssC;llC",
        "claim 1",
        LeftToOpponents(41, 0, (1, 2, 3), (3, 14, 2, 2)),
        id="two crowns for the next opponent's six squares of grassland",
    ),
    pytest.param(
        "kd1 2.second.random.duel 11 claim:0 5@0,6@1,7@1,8@0 1,3,4,31 - ww1C;llll/llll/C...",
        "claim 1",
        LeftToOpponents(31, 0, (1,), (2, 9)),
        id="a crown for the opponent's eight squares of lake",
    ),
    pytest.param(
        "kd1 4.second.random 10 claim:0 7@0,8@1,9@2,10@3 3,4,5,6 1-2,11,41 "
        "gggg/gg../C...;ggg/g../C..;llC;ssC",
        "claim 6",
        LaterTurn(6, 3, 4, 1),
        id="last in the line, when two players want one domino of the next",
    ),
    pytest.param(
        "kd1 2.second.random.duel 10 claim:0 7@0,8@1,9@1,10@0 3,4,5,6 1-2,11,41 "
        "gggg/gg../C...;gggg/gg../C...",
        "claim 6",
        LaterTurn(6, 3, 4, 1),
        id="last in the line of the Mighty Duel",
    ),
    pytest.param(
        "kd1 2.second.random 5 place:0 *1@0,2@0,45@1,46@1 7@0,8,13,16 23-44,47-48 "
        "l1l1l1l./wwwl./wwCl./wwww./..www;ffffC",
        "place 2,-1>2,0",
        expected("terrain", terrain=LAKE),
        id="wheat takes the room of a lake with three crowns",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 claim:0 *2@0,*3@1,13@0,16@1 1,4@0,5,14@1 25-48 "
        "wwww./wwww./wwCfw/ffff./ffff.;llllC",
        "claim 5",
        expected("harmony"),
        id="a second forest, when one gap needs wheat",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 4 place:0 *2@0,12@0,40@1,45@1 1@0,7,14,20 8-11,13,15-16,18-19,21,23-37,41-42,48 "
        "wwws./wwws./wwCws/w..../w....;lllll/lllll/C....",
        "place 2,-1>2,-2",
        expected("harmony"),
        id="swamp leaves a gap that only swamp can fill",
    ),
    pytest.param(
        "kd1 4.second.random.middle 11 place:0 3@0,43@1,44@2,46@3 4,5,6,48 - ..f../wwCm2m2/fffff;llC;wwC;ssC",
        "place 0,2>1,2",
        expected("middle_kingdom"),
        id="a kingdom out of balance, when the next domino should do more",
    ),
    pytest.param(
        "kd1 2.second.random 5 claim:0 *2@1,*3@0,13@0,16@1 1,10,14@0,41@1 24-40,42-48 llC;ffffC",
        "claim 1",
        expected("opponent", seat=1),
        id="the opponent gets grassland for a crown still to be placed",
    ),
    pytest.param(
        "kd1 2.second.random.harmony 5 place:0 3@0,4@0,45@1,46@1 5,6,10,11 23-44,47-48 "
        "f..../f1f1f1f1./f1f1Cf./fff../fffff;wwwwC",
        "place 2,2>2,1",
        HarmonyLost(),
        id="a strip of eight beside six crowns is split into three and three",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "played", "reason"), POSITIONS)
def test_the_first_reason_is_the_right_one(text: str, played: str, reason: Reason) -> None:
    position = kd.Position.parse(text)
    decision = kd.analysis.judge(position, played, LIMIT)
    assert decision.cost_points >= 2
    first = decision.why
    if isinstance(first, Expected):
        first = replace(first, points=0.0, whole=0, chances=None)
    assert first == reason


def test_the_positions_are_of_all_kinds() -> None:
    """Count at least 40, with every reason, two to four players, the Mighty Duel and both bonuses."""
    values = [position.values for position in POSITIONS]
    assert len(values) >= 40
    assert {type(reason) for *_, reason in values} == set(get_args(Reason))
    rules = [kd.Position.parse(str(text)).rules for text, *_ in values]
    assert {one.players for one in rules} == {2, 3, 4}
    assert all(
        any(getattr(one, name) for one in rules) for name in ("mighty_duel", "harmony", "middle_kingdom")
    )
