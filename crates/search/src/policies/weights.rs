//! What the tuned policy looks at, and how much each of it counts.

use kingdomino_rules::Rules;

/// The numbers that a tuned policy decides by, in 64ths of a point.
///
/// Found by `cargo run --release -p kingdomino-search --example tune`, by the results of matches; what
/// depends on how much of the game is left is given for its beginning and for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    /// A square of a territory for each crown of its terrain that may still come to this kingdom.
    pub size: i32,
    /// A crown of a territory for each square of its terrain that may still come to this kingdom.
    pub crowns: i32,
    /// A hole, which nothing will cover: at the beginning and at the end.
    pub hole: [i32; 2],
    /// A square that lies in some largest box around the kingdom.
    pub reach: [i32; 2],
    /// An open square beside the kingdom.
    pub frontier: [i32; 2],
    /// The castle can no longer come to lie in the middle, in games that count this.
    pub spoilt: i32,
    /// So much less may a placement gain than the best one and still be looked at.
    pub slack: i32,
    /// A domino that fits nowhere now, when it is claimed.
    pub misfit: i32,
    /// Acting one place later in the next round.
    pub later: i32,
    /// A crown on a domino that is claimed, whatever it gains now: at the beginning and at the end.
    pub crown: [i32; 2],
}

impl Weights {
    /// How many numbers there are.
    pub const COUNT: usize = 14;

    /// Those that the policy plays these rules with, with the bonuses and without them.
    pub const fn of(rules: &Rules) -> Weights {
        let numbers = if rules.mighty_duel() {
            [3, 39, 164, 195, 15, 18, 9, 15, 400, 2, 10, 179, -44, 154]
        } else if rules.players() == 2 {
            [8, 57, -20, 160, 5, 18, -14, 11, 240, 96, 90, 94, -8, 96]
        } else {
            [10, 30, 150, 100, 16, 14, 3, 3, 400, 105, 290, 86, 16, 11]
        };
        Weights::from_array(numbers)
    }

    /// As a list, for those who search for better ones.
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
        }
    }

    /// What `greedy` does, in these terms: where the search for weights began.
    pub const GREEDY: Weights = Weights {
        size: 0,
        crowns: 0,
        hole: [32, 32],
        reach: [1, 1],
        frontier: [0, 0],
        spoilt: 0,
        slack: 0,
        misfit: 64,
        later: 0,
        crown: [4, 4],
    };
}
