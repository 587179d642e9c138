//! The best candidates so far.

use arrayvec::ArrayVec;

use kingdomino_rules::random::Stream;

/// The candidates with the highest value so far; N is the most that can be equal.
#[derive(Debug)]
pub(super) struct Best<T, const N: usize> {
    value: i32,
    equals: ArrayVec<T, N>,
}

impl<T: Copy, const N: usize> Best<T, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Best { value: i32::MIN, equals: ArrayVec::new() }
    }

    /// The highest value so far.
    #[inline(always)]
    pub(super) const fn value(&self) -> i32 {
        self.value
    }

    #[inline(always)]
    pub(super) fn offer(&mut self, value: i32, item: T) {
        if value > self.value {
            self.value = value;
            self.equals.clear();
        }
        if value == self.value {
            self.equals.push(item);
        }
    }

    /// The candidates with the highest value, in the order in which they were offered.
    #[inline(always)]
    pub(super) fn equals(&self) -> &[T] {
        &self.equals
    }

    /// One of them, chosen uniformly at random; `None` if there was no candidate.
    #[inline(always)]
    pub(super) fn draw(&self, random: &mut Stream) -> Option<T> {
        match self.equals.as_slice() {
            [] => None,
            [only] => Some(*only),
            equals => Some(equals[random.below(equals.len())]),
        }
    }
}
