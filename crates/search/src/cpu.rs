//! Instructions beyond the processor's baseline, chosen at run time.
//!
//! The released program runs on any x86-64 or ARM64 machine. Playouts spend most of their time counting and selecting
//! bits, and x86-64's baseline has no instructions for that: with POPCNT, BMI1 and BMI2 random playouts are 2.3 times
//! as fast, greedy ones 1.3 times (docs/evidence/engine.md). Calling code compiled for such instructions is unsafe.
//! Only `run_on_best` does it, after checking that the processor has them. `Portable` needs no special instructions;
//! tests compare the two.
#![allow(unsafe_code)]

/// A way of selecting bits.
pub trait Cpu: Copy {
    /// `bits` with only the set bit left that has `n` set bits below it; more than `n` bits must be set.
    fn select(self, bits: u64, n: u32) -> u64;
}

/// Work that is compiled once for each kind of processor.
pub trait Task {
    /// Its result.
    type Output;

    /// Does the work. It must be `#[inline(always)]`, as must everything hot that it calls: only code inlined into
    /// `run_with_bmi2` can use its instructions.
    fn run(self, cpu: impl Cpu) -> Self::Output;
}

/// Runs the task with the best instructions of this processor.
pub fn run_on_best<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has every feature that the function enables, as just checked.
        return unsafe { run_with_bmi2(task) };
    }
    task.run(Portable)
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn select(self, mut bits: u64, n: u32) -> u64 {
        for _ in 0..n {
            bits &= bits.wrapping_sub(1);
        }
        bits & bits.wrapping_neg()
    }
}

/// x86-64 with BMI2. Only `run_with_bmi2` makes one, so its existence proves that the processor has BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Cpu for Bmi2 {
    #[inline(always)]
    fn select(self, bits: u64, n: u32) -> u64 {
        // SAFETY: a Bmi2 exists only where the processor has the instruction.
        unsafe { std::arch::x86_64::_pdep_u64(1 << n, bits) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn run_with_bmi2<T: Task>(task: T) -> T::Output {
    task.run(Bmi2(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::random::Stream;

    struct SelectAll(Vec<(u64, u32)>);

    impl Task for SelectAll {
        type Output = Vec<u64>;

        fn run(self, cpu: impl Cpu) -> Vec<u64> {
            self.0.into_iter().map(|(bits, n)| cpu.select(bits, n)).collect()
        }
    }

    #[test]
    fn every_processor_selects_the_same_bits() {
        let mut random = Stream::new(1, "test", 0);
        let questions: Vec<_> = (0..10_000)
            .map(|_| {
                let bits = random.word() & random.word() | 1 << random.below(64);
                (bits, random.below(bits.count_ones() as usize) as u32)
            })
            .collect();
        let plain = SelectAll(questions.clone()).run(Portable);
        assert_eq!(run_on_best(SelectAll(questions)), plain);
    }
}
