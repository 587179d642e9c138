//! Random numbers that are the same on every machine (docs/formats/random.md).
//!
//! A stream is named by (seed, name, counter) and is a Xoroshiro128++ generator (Blackman and Vigna,
//! "Scrambled Linear Pseudorandom Number Generators", 2021), seeded through SplitMix64.

use std::fmt;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

/// One stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream(Xoroshiro128PlusPlus);

/// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
const fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The initial value of FNV-1a.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

const fn hash_on(mut hash: u64, text: &[u8]) -> u64 {
    let mut i = 0;
    while i < text.len() {
        hash = (hash ^ text[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

/// FNV-1a with 64 bits over the text of a value: a counter for [`Stream::new`] that follows from it. Allocates
/// nothing.
pub fn hash_text(value: &impl fmt::Display) -> u64 {
    struct Hash(u64);

    impl fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = hash_on(self.0, text.as_bytes());
            Ok(())
        }
    }

    let mut hash = Hash(OFFSET);
    // `write_str` above never fails.
    let _ = fmt::write(&mut hash, format_args!("{value}"));
    hash.0
}

impl Stream {
    /// The stream with this name and counter under this seed.
    #[inline]
    pub fn new(seed: u64, name: &str, counter: u64) -> Stream {
        Stream(Xoroshiro128PlusPlus::seed_from_u64(derive(seed, name, counter)))
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, by Lemire's multiplication without rejection: no value is likelier than another by more
    /// than bound / 2^64.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        multiply(self.word(), bound as u64).0 as usize
    }

    /// A number from an approximately normal distribution with mean 0 and standard deviation 1: the sum of twelve
    /// uniform numbers, less 6. It is always between -6 and 6.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.word() as f64 / 2.0_f64.powi(64)).sum::<f64>() - 6.0
    }

    /// Shuffles the items (Fisher and Yates, from the last to the second).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The upper and the lower half of a product.
#[inline(always)]
pub const fn multiply(word: u64, n: u64) -> (u64, u64) {
    if cfg!(target_family = "wasm") && n <= u32::MAX as u64 {
        // WebAssembly has no product of 128 bits. A function for it takes longer than the rest of a random choice.
        let low = (word & 0xffff_ffff) * n;
        (((word >> 32) * n + (low >> 32)) >> 32, word.wrapping_mul(n))
    } else {
        let product = word as u128 * n as u128;
        ((product >> 64) as u64, product as u64)
    }
}

/// The seed for this name and counter under this seed.
#[inline]
pub const fn derive(seed: u64, name: &str, counter: u64) -> u64 {
    mix(mix(mix(seed) ^ hash_on(OFFSET, name.as_bytes())) ^ counter)
}
