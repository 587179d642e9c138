//! Which action numbers are legal.

use kingdomino_rules::{Action, Position, Stage};

/// Writes 1 where an action number is legal, else 0; `mask` must have room for every number.
#[inline(always)]
pub fn write_mask(position: &Position, mask: &mut [i8]) {
    let size = position.rules().kingdom_size();
    mask.fill(0);
    let mut mark = |number: usize| mask[number] = 1;
    if let Some(domino) = position.domino() {
        let placements = position.own_kingdom().placements(domino);
        if placements.is_empty() {
            Action::Discard.number(size).into_iter().for_each(&mut mark);
        }
        placements.each_number(size, mark);
    } else if position.stage() == Stage::Claim {
        let line = position.offered();
        let free = (0..line.len()).filter(|place| line.free() >> place & 1 == 1);
        free.for_each(|place| mark(line.domino(place).index()));
    }
}
