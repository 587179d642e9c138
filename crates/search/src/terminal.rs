//! What a finished game is worth to each seat.

use kingdomino_rules::{Position, Rules};

/// A victory in parts that 1, 2, 3 and 4 winners can share.
pub(crate) const VICTORY: u64 = 12;

/// Totals, margins and victories of a finished position, one entry a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalValue {
    /// In points.
    pub(crate) totals: [i64; Rules::MOST],
    /// Own total minus the best opponent's.
    pub(crate) margins: [i64; Rules::MOST],
    /// In parts of `VICTORY`.
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
            // Only equal scores need the tie-breaks.
            first = [0, 1, 2, 3].map(|seat| outcome.winners.contains(&seat));
            winners = outcome.winners.len() as u64;
        }
        // The best opponent of a sole leader is the second; that of every other seat is the leader.
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
