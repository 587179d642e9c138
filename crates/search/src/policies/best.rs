//! The best of what is offered, with all its equals.

use arrayvec::ArrayVec;

use kingdomino_rules::random::Stream;

/// What has been offered at the highest value so far; N is the most that can be equal.
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

    /// What has to be reached to be among the best.
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

    /// All of the best, in the order in which they were offered.
    #[inline(always)]
    pub(super) fn equals(&self) -> &[T] {
        &self.equals
    }

    /// Any of the equals, each as likely as the others; `None` where nothing was offered.
    #[inline(always)]
    pub(super) fn draw(&self, random: &mut Stream) -> Option<T> {
        match self.equals.as_slice() {
            [] => None,
            [only] => Some(*only),
            equals => Some(equals[random.below(equals.len())]),
        }
    }
}
