//! Instructions beyond the processor's baseline, chosen at run time.
//!
//! The released program runs on any x86-64 or ARM64 machine. Playouts spend much of their time choosing among set bits,
//! and x86-64's baseline has no instructions for that: with POPCNT, BMI1 and BMI2 random playouts are 1.5 times as fast,
//! greedy ones 1.15 times (docs/evidence/engine.md). Calling code compiled for such instructions is unsafe. Only
//! `run_on_best` does it, after checking that the processor has them. `Portable` needs no special instructions; tests
//! compare the two.
#![allow(unsafe_code)]

/// A way of choosing among set bits.
pub trait Cpu: Copy {
    /// `bits` with only the set bit left that has `n` set bits below it; more than `n` bits must be set.
    fn select(self, bits: u64, n: u32) -> u64;

    /// Chooses one of the set bits among the four lowest, and returns its place. At least one must be set. `n(count)` is
    /// its number among the `count` set bits.
    #[inline(always)]
    fn choose_of_four(self, bits: u8, n: impl FnOnce(u32) -> u32) -> usize {
        self.select(u64::from(bits), n(bits.count_ones())).trailing_zeros() as usize
    }

    /// Chooses one of the bits of all boards: its board and its place. `n(count)` is its number among the `count` set
    /// bits, board by board. `None` if no bit is set.
    #[inline(always)]
    fn choose_of_boards(self, boards: [u64; 4], n: impl FnOnce(u32) -> u32) -> Option<(usize, u32)> {
        let counts = boards.map(u64::count_ones);
        let before = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
        let count = before[3] + counts[3];
        if count == 0 {
            return None;
        }
        let n = n(count);
        let board = board_of(n, before);
        Some((board, self.select(boards[board], n - before[board]).trailing_zeros()))
    }

    /// Chooses `length` bits, one after the other. `n(count)` is the number of the next one among the `count` that
    /// are left.
    #[inline(always)]
    fn choose_some(self, bits: u64, length: u32, mut n: impl FnMut(u32) -> u32) -> u64 {
        let (mut left, count) = (bits, bits.count_ones());
        for chosen in 0..length {
            left ^= self.select(left, n(count - chosen));
        }
        bits ^ left
    }
}

/// The board of bit number `n`, given the number of bits before each board. Without branches: processors mispredict
/// random ones.
#[inline(always)]
fn board_of(n: u32, before: [u32; 4]) -> usize {
    (usize::from(n >= before[1]) + usize::from(n >= before[2]) + usize::from(n >= before[3])) & 3
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

/// 1 in each byte.
const ONES: u64 = u64::MAX / 0xff;
/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

/// `IN_BYTE[n][byte]` is the place of the set bit of `byte` that has `n` set bits below it.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut places = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// For each set of four places: the places in it, lowest first, in four binary digits each, and above them their count.
static OF_FOUR: [u32; 16] = {
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut count) = (0, 0);
        while place < 4 {
            if set >> place & 1 == 1 {
                table[set] |= place << (4 * count);
                count += 1;
            }
            place += 1;
        }
        table[set] |= count << 16;
        set += 1;
    }
    table
};

/// The number of set bits in bytes 0 to i, in byte i.
#[inline(always)]
const fn sums(bits: u64) -> u64 {
    let pairs = bits - (bits >> 1 & (ONES * 0x55));
    let fours = (pairs & (ONES * 0x33)) + (pairs >> 2 & (ONES * 0x33));
    ((fours + (fours >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES)
}

/// The place of the set bit that has `n` set bits below it, given the sums of the bits. Finds its byte by comparing all
/// sums at once, then the bit in a table (Vigna, "Broadword Implementation of Rank/Select Queries", 2008).
#[inline(always)]
const fn place(bits: u64, sums: u64, n: u32) -> u32 {
    // The highest bit of byte i: bytes 0 to i have more than n set bits.
    let enough = (sums + (0x7f - n as u64) * ONES) & HIGH;
    let byte = enough.trailing_zeros() & 0x38;
    let in_byte = n - (sums << 8 >> byte & 0xff) as u32;
    byte + IN_BYTE[(in_byte & 7) as usize][(bits >> byte & 0xff) as usize] as u32
}

impl Cpu for Portable {
    #[inline(always)]
    fn select(self, bits: u64, n: u32) -> u64 {
        1 << place(bits, sums(bits), n)
    }

    #[inline(always)]
    fn choose_of_four(self, bits: u8, n: impl FnOnce(u32) -> u32) -> usize {
        let places = OF_FOUR[usize::from(bits & 15)];
        (places >> (4 * n(places >> 16)) & 3) as usize
    }

    #[inline(always)]
    fn choose_some(self, bits: u64, length: u32, mut n: impl FnMut(u32) -> u32) -> u64 {
        let (mut left, mut sums) = (bits, sums(bits));
        let count = (sums >> 56) as u32;
        for chosen in 0..length {
            let place = place(left, sums, n(count - chosen));
            left ^= 1 << place;
            sums -= ONES << (place & 0x38);
        }
        bits ^ left
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

    /// Some sets of bits with numbers of set bits, as every way of choosing takes them.
    #[derive(Clone)]
    struct Choices(Vec<([u64; 4], u32)>);

    impl Task for Choices {
        type Output = Vec<(u64, usize, Option<(usize, u32)>, u64)>;

        #[inline(always)]
        fn run(self, cpu: impl Cpu) -> Self::Output {
            let choose = |(boards, word): ([u64; 4], u32)| {
                let bits = boards[0];
                (
                    cpu.select(bits, word % bits.count_ones()),
                    cpu.choose_of_four(bits as u8 & 7 | 8, |count| word % count),
                    cpu.choose_of_boards(boards.map(|board| board & bits), |count| word % count),
                    cpu.choose_some(bits, bits.count_ones().min(4), |count| word % count),
                )
            };
            self.0.into_iter().map(choose).collect()
        }
    }

    #[test]
    fn every_processor_chooses_the_same_bits() {
        let mut random = Stream::new(1, "test", 0);
        let mut choices: Vec<_> = (0..10_000)
            .map(|_| {
                let sparse = random.word() & random.word() | 1 << random.below(64);
                ([sparse, random.word(), random.word() & random.word(), random.word()], random.word() as u32)
            })
            .collect();
        choices.extend((0..64).map(|n| ([u64::MAX; 4], n * 5)));
        choices.push(([1, 0, 0, 0], 0));
        assert_eq!(run_on_best(Choices(choices.clone())), Choices(choices).run(Portable));
    }

    #[test]
    fn a_bit_is_chosen_by_the_number_of_bits_below_it() {
        let bits = 0x8000_0300_0000_0011;
        let all: Vec<u32> = (0..5).map(|n| Portable.select(bits, n).trailing_zeros()).collect();
        assert_eq!(all, [0, 4, 40, 41, 63]);
        assert_eq!(Portable.choose_of_boards([0, 1, 0, 6], |count| count - 1), Some((3, 2)));
        assert_eq!(Portable.choose_of_boards([0; 4], |_| 0), None);
        assert_eq!(Portable.choose_some(bits, 2, |count| count - 1), 0x8000_0200_0000_0000);
    }
}
