//! Terminal values: the results of finished games.

use kingdomino_rules::{Position, Rules};

/// A victory, in parts that 1, 2, 3 or 4 winners can share equally.
pub(crate) const VICTORY: u64 = 12;

/// Scores, margins and victories in a finished position; each array has one entry per seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalValue {
    /// Scores in points.
    pub(crate) totals: [i64; Rules::MOST],
    /// Own score minus the best opponent's, in points.
    pub(crate) margins: [i64; Rules::MOST],
    /// Shares of the victory; `VICTORY` is a whole one.
    pub(crate) victories: [u64; Rules::MOST],
}

impl TerminalValue {
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> TerminalValue {
        let mut totals = [i64::MIN; Rules::MOST];
        for (total, kingdom) in totals.iter_mut().zip(position.kingdoms()) {
            *total = i64::from(kingdom.score(position.rules()).total());
        }
        let best = totals.into_iter().fold(i64::MIN, i64::max);
        let mut first = totals.map(|total| total == best);
        let ahead = first.into_iter().filter(|first| *first).count();
        let mut winners = 1;
        if ahead > 1
            && let Some(outcome) = position.outcome()
        {
            // Tie-breaks matter only for equal scores.
            first = [0, 1, 2, 3].map(|seat| outcome.winners.contains(&seat));
            winners = outcome.winners.len() as u64;
        }
        // The best opponent of a sole leader is the second; for every other seat it is a leader.
        let second = totals.into_iter().filter(|total| *total < best).fold(i64::MIN, i64::max);
        let mut margins = [0; Rules::MOST];
        for (margin, total) in margins.iter_mut().zip(totals).take(position.rules().players()) {
            *margin = total - if total == best && ahead == 1 { second } else { best };
        }
        TerminalValue {
            totals,
            margins,
            victories: first.map(|first| if first { VICTORY / winners } else { 0 }),
        }
    }
}
