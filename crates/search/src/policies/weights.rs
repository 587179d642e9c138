//! The features of the tuned policy and their weights.

use kingdomino_rules::Rules;

/// The weights of the tuned policy, in 64ths of a point.
///
/// Found by matches with `cargo run --release -p kingdomino-search --example tune`. Weights with two numbers depend on
/// the stage of the game: the first is for its beginning, the second for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    /// Value of a square in a territory, for each crown of its terrain that the seat may still get.
    pub size: i32,
    /// Value of a crown in a territory, for each square of its terrain that the seat may still get.
    pub crowns: i32,
    /// Penalty for a hole: a square that no domino can cover.
    pub hole: [i32; 2],
    /// Penalty for a square inside at least one largest box around the kingdom.
    pub reach: [i32; 2],
    /// Value of an open square beside the kingdom.
    pub frontier: [i32; 2],
    /// Penalty if Middle Kingdom is no longer possible, under rules that have it.
    pub spoilt: i32,
    /// Placements that gain less than the best gain minus this are not compared.
    pub slack: i32,
    /// Penalty for claiming a domino that fits nowhere now.
    pub misfit: i32,
    /// Penalty for acting one place later in the next round.
    pub later: i32,
    /// Value of a crown on a claimed domino, besides its gain.
    pub crown: [i32; 2],
    /// Penalty for a square that stays empty if the castle ends up in the middle, under rules that have Middle Kingdom.
    /// Outside the Mighty Duel the policy gains hardly anything by it (docs/evidence/learning.md).
    pub lost: i32,
    /// Penalty for each domino that no longer fits, with at most one line to come. Claimed dominoes count fully; of those
    /// still to claim, the fraction that does not fit. With two players the policy gains by it, but the search does not
    /// (docs/evidence/learning.md). So it is 0 except in the Mighty Duel with Middle Kingdom.
    pub unfit: i32,
}

impl Weights {
    /// The number of weights.
    pub const COUNT: usize = 16;

    /// The tuned weights for these rules. Only in the Mighty Duel does a bonus make a difference. There, with Middle
    /// Kingdom, `spoilt`, `slack`, `lost` and `unfit` were set by hand.
    pub const fn of(rules: &Rules) -> Weights {
        let numbers = if rules.mighty_duel() && rules.middle_kingdom {
            [7, 48, 102, 240, -3, 23, -4, 6, 2000, 2000, 91, 233, 6, 204, 300, 800]
        } else if rules.mighty_duel() {
            [3, 39, 164, 195, 15, 18, 9, 15, 400, 2, 10, 179, -44, 154, 0, 0]
        } else if rules.players() == 2 {
            [8, 57, -20, 160, 5, 18, -14, 11, 240, 96, 90, 94, -8, 96, 0, 0]
        } else {
            [10, 30, 150, 100, 16, 14, 3, 3, 400, 105, 290, 86, 16, 11, 0, 0]
        };
        Weights::from_array(numbers)
    }

    /// The weights as a list, for tuning.
    pub const fn to_array(self) -> [i32; Weights::COUNT] {
        [
            self.size,
            self.crowns,
            self.hole[0],
            self.hole[1],
            self.reach[0],
            self.reach[1],
            self.frontier[0],
            self.frontier[1],
            self.spoilt,
            self.slack,
            self.misfit,
            self.later,
            self.crown[0],
            self.crown[1],
            self.lost,
            self.unfit,
        ]
    }

    /// The inverse of `to_array`.
    pub const fn from_array(numbers: [i32; Weights::COUNT]) -> Weights {
        let [
            size,
            crowns,
            hole0,
            hole1,
            reach0,
            reach1,
            frontier0,
            frontier1,
            spoilt,
            slack,
            misfit,
            later,
            crown0,
            crown1,
            lost,
            unfit,
        ] = numbers;
        Weights {
            size,
            crowns,
            hole: [hole0, hole1],
            reach: [reach0, reach1],
            frontier: [frontier0, frontier1],
            spoilt,
            slack,
            misfit,
            later,
            crown: [crown0, crown1],
            lost,
            unfit,
        }
    }
}
