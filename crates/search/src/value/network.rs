//! A small network with two hidden layers and rectified linear units.

use std::array;
use std::sync::OnceLock;

use kingdomino_rules::Rules;

use super::features::{FEATURES, Features};

const FIRST: usize = 64;
const SECOND: usize = 32;

/// The outputs of a layer are computed in blocks of this size, whose sums fit into a processor's registers.
const BLOCK: usize = 32;

/// The most lines to come.
const LINES: usize = 11;

/// Whole numbers in a network's file: the weights of the hidden layers.
const WEIGHTS: usize = FEATURES * FIRST + FIRST * SECOND;

/// Further numbers, of four bytes: the unit of the weights and the bias of each output, the last layer, the temperatures.
const NUMBERS: usize = 2 * (FIRST + SECOND) + SECOND + 1 + LINES;

/// The length of a network's file.
const BYTES: usize = WEIGHTS + 4 * NUMBERS;

/// The weights. Sums are taken input by input, in the same order on every machine.
#[derive(Debug)]
pub(crate) struct Network {
    first: Box<[[f32; FIRST]]>,
    first_bias: [f32; FIRST],
    second: Box<[[f32; SECOND]]>,
    second_bias: [f32; SECOND],
    last: [f32; SECOND],
    last_bias: f32,
    /// By the number of lines to come, the lead in points that makes a victory e times as likely.
    temperatures: [f32; LINES],
}

/// The networks' files: two, three and four players; the Mighty Duel. Written by `tools/learn.py`.
const FILES: [&str; 4] = ["two.i8", "three.i8", "four.i8", "duel.i8"];

#[cfg(feature = "networks")]
const CONTAINED: [&[u8; BYTES]; 4] = [
    include_bytes!("two.i8"),
    include_bytes!("three.i8"),
    include_bytes!("four.i8"),
    include_bytes!("duel.i8"),
];

static NETWORKS: [OnceLock<Network>; 4] = [const { OnceLock::new() }; 4];

/// The index of the network for these rules.
fn index_of(rules: &Rules) -> usize {
    match rules.players() {
        _ if rules.mighty_duel() => 3,
        players => players - 2,
    }
}

/// The network with this index, if it is loaded or part of this program.
fn loaded(index: usize) -> Option<&'static Network> {
    #[cfg(feature = "networks")]
    NETWORKS[index].get_or_init(|| Network::from_bytes(CONTAINED[index]));
    NETWORKS[index].get()
}

/// Returns the file of the network that a search under these rules lacks, if it lacks one.
pub fn lacking_network(rules: &Rules) -> Option<&'static str> {
    let index = index_of(rules);
    loaded(index).is_none().then_some(FILES[index])
}

/// Loads a network from its file. Returns false if the name or the length is wrong.
pub fn load_network(file: &str, content: &[u8]) -> bool {
    let index = FILES.iter().position(|known| *known == file);
    let (Some(index), Ok(content)) = (index, content.try_into()) else { return false };
    NETWORKS[index].get_or_init(|| Network::from_bytes(content));
    true
}

impl Network {
    /// The network for these rules, which must not be lacking.
    pub(crate) fn of(rules: &Rules) -> &'static Network {
        loaded(index_of(rules)).expect("the caller has loaded the network")
    }

    /// Reads the weights, layer by layer and input by input, and then the other numbers. A weight is a whole number of
    /// 8 bits, in units of its output.
    fn from_bytes(bytes: &[u8; BYTES]) -> Network {
        let (weights, numbers) = bytes.split_at(WEIGHTS);
        let (first, second) = weights.split_at(FEATURES * FIRST);
        let mut numbers = numbers.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        let first = rows(first, row(&mut numbers));
        let first_bias = row(&mut numbers);
        let second = rows(second, row(&mut numbers));
        let second_bias = row(&mut numbers);
        let last = row(&mut numbers);
        let [last_bias] = row(&mut numbers);
        let temperatures = row(&mut numbers);
        Network { first, first_bias, second, second_bias, last, last_bias, temperatures }
    }

    /// The expected final score of a kingdom with these features, in points.
    #[inline(always)]
    pub(crate) fn expected_score(&self, features: &Features) -> f32 {
        let first = layer(features, &self.first, self.first_bias);
        let second = layer(&first, &self.second, self.second_bias);
        let last =
            second.iter().zip(&self.last).fold(self.last_bias, |sum, (value, weight)| sum + value * weight);
        // The network was trained in units that keep its output near 1.
        64.0 * last
    }

    /// The lead that makes a victory e times as likely with this many lines to come, in points of expected scores.
    #[inline(always)]
    pub(crate) fn temperature(&self, lines: usize) -> f32 {
        self.temperatures[lines.clamp(1, LINES) - 1]
    }
}

fn row<const N: usize>(numbers: &mut impl Iterator<Item = f32>) -> [f32; N] {
    array::from_fn(|_| numbers.next().expect("a file has as many numbers as the network"))
}

/// Returns the weights of a layer, input by input.
fn rows<const N: usize>(weights: &[u8], units: [f32; N]) -> Box<[[f32; N]]> {
    let (rows, _) = weights.as_chunks::<N>();
    rows.iter().map(|row| array::from_fn(|at| f32::from(row[at] as i8) * units[at])).collect()
}

#[inline(always)]
fn layer<const N: usize>(inputs: &[f32], weights: &[[f32; N]], bias: [f32; N]) -> [f32; N] {
    let mut outputs = bias;
    for (block, outputs) in outputs.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut sums = *outputs;
        // Many inputs are 0: absent terrains, inactive units.
        for (value, weights) in inputs.iter().zip(weights).filter(|(value, _)| **value != 0.0) {
            let weights = &weights.as_chunks::<BLOCK>().0[block];
            for output in 0..BLOCK {
                sums[output] += value * weights[output];
            }
        }
        *outputs = sums.map(|sum| if sum > 0.0 { sum } else { 0.0 });
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::random::Stream;

    /// The plain way: every output by itself, with twice the digits.
    fn plain_layer<const N: usize>(inputs: &[f64], weights: &[[f32; N]], bias: &[f32]) -> Vec<f64> {
        let sum = |output: usize| {
            let products =
                inputs.iter().zip(weights).map(|(value, weights)| value * f64::from(weights[output]));
            f64::from(bias[output]) + products.sum::<f64>()
        };
        (0..N).map(|output| sum(output).max(0.0)).collect()
    }

    #[test]
    fn a_network_equals_its_plain_computation() {
        for network in CONTAINED.map(Network::from_bytes) {
            let mut random = Stream::new(1, "test", 0);
            for _ in 0..20 {
                let features: Features =
                    std::array::from_fn(|_| if random.below(3) == 0 { 0.0 } else { random.normal() as f32 });
                let inputs: Vec<f64> = features.iter().map(|value| f64::from(*value)).collect();
                let first = plain_layer(&inputs, &network.first, &network.first_bias);
                let second = plain_layer(&first, &network.second, &network.second_bias);
                let last = second.iter().zip(&network.last).map(|(value, weight)| value * f64::from(*weight));
                let expected = 64.0 * (f64::from(network.last_bias) + last.sum::<f64>());
                let found = f64::from(network.expected_score(&features));
                assert!((found - expected).abs() < 1e-2 * expected.abs().max(1.0), "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn more_lines_to_come_mean_less_certainty() {
        for network in CONTAINED.map(Network::from_bytes) {
            assert!(network.temperature(1) > 1.0 && network.temperature(1) < network.temperature(4));
        }
    }
}
