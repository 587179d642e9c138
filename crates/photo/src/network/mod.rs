//! The network that recognizes the content of a square. Written by `tools/learn_photo.py`.
//!
//! Three convolutions of every second pixel, the means of the inner and the outer squares of the last one, and two dense
//! layers. Weights are whole numbers of 8 bits, activations of 0 to 255, sums of 32 bits, so that the outputs are equal on
//! every machine.

use crate::content::CLASSES;

/// Pixels of a square's side.
pub(crate) const SIDE: usize = 32;
/// The values of a square.
pub(crate) const PIXELS: usize = SIDE * SIDE * 3;
/// The numbers that describe how a square looks.
pub(crate) const LOOKS: usize = 128;
/// The size of the hidden layer.
const HIDDEN: usize = 32;
/// The outputs of 1 nat.
pub(crate) const NAT: i32 = 1024;

/// Inputs and outputs of each layer.
const SHAPES: [(usize, usize); 5] = [(75, 16), (144, 32), (288, 64), (LOOKS, HIDDEN), (HIDDEN, CLASSES)];

/// The learned network.
static LEARNED: &[u8] = include_bytes!("squares.i8");

/// Weights, biases and scales of the five layers.
#[derive(Clone, Debug)]
pub struct Network {
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
struct Layer {
    inputs: usize,
    /// Output by output; as 16 bits, because processors multiply pairs of them.
    weights: Vec<i16>,
    biases: Vec<i32>,
    /// The value of one unit of a sum, in units of the output, times 2^24.
    scales: Vec<i32>,
}

/// The network's output for a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// For each class, its logarithm of the probability up to a constant, times [`NAT`].
    pub(crate) outputs: [i32; CLASSES],
    /// The means of the last convolution: alike for squares that look alike, of any edition.
    pub(crate) looks: [u8; LOOKS],
}

impl Network {
    /// The network that was learned from photographs of the first edition.
    pub fn learned() -> Network {
        Network::parse(LEARNED).expect("the file is a network")
    }

    /// Reads a network from the file of `tools/learn_photo.py`; `None` if its length is wrong.
    pub fn parse(bytes: &[u8]) -> Option<Network> {
        let mut rest = bytes;
        let mut layers = Vec::new();
        for (inputs, outputs) in SHAPES {
            let (weights, after) = rest.split_at_checked(inputs * outputs)?;
            let (numbers, after) = after.split_at_checked(8 * outputs)?;
            rest = after;
            let mut numbers = numbers.as_chunks::<4>().0.iter().map(|number| i32::from_le_bytes(*number));
            layers.push(Layer {
                inputs,
                weights: weights.iter().map(|weight| i16::from(*weight as i8)).collect(),
                biases: numbers.by_ref().take(outputs).collect(),
                scales: numbers.collect(),
            });
        }
        rest.is_empty().then_some(Network { layers })
    }

    /// Looks at a square: red, green and blue of its pixels, row by row.
    pub(crate) fn look(&self, square: &[u8]) -> Seen {
        let mut values: Vec<i16> = square.iter().map(|value| i16::from(*value) - 128).collect();
        let [first, second, third, ..] = self.layers.as_slice() else {
            unreachable!("a network has five layers");
        };
        values = first.convolve::<5>(&values, SIDE, 3);
        values = second.convolve::<3>(&values, SIDE / 2, 16);
        values = third.convolve::<3>(&values, SIDE / 4, 32);
        let pooled = pool(&values);
        let mut seen = Seen { outputs: self.judge(&pooled), looks: [0; LOOKS] };
        for (look, value) in seen.looks.iter_mut().zip(&pooled) {
            *look = *value as u8;
        }
        seen
    }

    /// The outputs for a square that looks like this.
    pub(crate) fn judge(&self, looks: &[i16]) -> [i32; CLASSES] {
        let [.., hidden, out] = self.layers.as_slice() else {
            unreachable!("a network has five layers");
        };
        let activations: Vec<i16> = hidden.sums(looks).map(activation).collect();
        let mut outputs = [0; CLASSES];
        for (output, sum) in outputs.iter_mut().zip(out.sums(&activations)) {
            *output = sum;
        }
        outputs
    }
}

impl Layer {
    /// The scaled sums of the outputs for one set of inputs.
    fn sums(&self, inputs: &[i16]) -> impl Iterator<Item = i32> {
        let rows = self.weights.chunks_exact(self.inputs);
        rows.zip(&self.biases).zip(&self.scales).map(move |((row, bias), scale)| {
            let products = row.iter().zip(inputs).map(|(a, b)| i32::from(*a) * i32::from(*b));
            let sum = i64::from(products.sum::<i32>() + bias);
            ((sum * i64::from(*scale) + (1 << 23)) >> 24) as i32
        })
    }

    /// Convolves with a square of `WIDE` pixels around every second pixel; zeros lie beyond the borders.
    fn convolve<const WIDE: usize>(&self, values: &[i16], side: usize, channels: usize) -> Vec<i16> {
        let outputs = self.biases.len();
        let (half, around) = (side / 2, WIDE / 2);
        let mut result = Vec::with_capacity(half * half * outputs);
        let mut patch = vec![0_i16; self.inputs];
        for y in 0..half {
            for x in 0..half {
                patch.fill(0);
                for row in 0..WIDE {
                    let Some(from_y) = (2 * y + row).checked_sub(around).filter(|y| *y < side) else {
                        continue;
                    };
                    let skip = around.saturating_sub(2 * x);
                    let end = WIDE.min(side + around - 2 * x);
                    let from = (from_y * side + 2 * x + skip - around) * channels;
                    let length = (end - skip) * channels;
                    let to = (row * WIDE + skip) * channels;
                    patch[to..to + length].copy_from_slice(&values[from..from + length]);
                }
                result.extend(self.sums(&patch).map(activation));
            }
        }
        result
    }
}

/// Cuts to the 8 bits of an activation.
fn activation(sum: i32) -> i16 {
    sum.clamp(0, 255) as i16
}

/// The mean of the inner 4 and of the outer 12 of 16 squares, for each channel.
fn pool(values: &[i16]) -> Vec<i16> {
    let channels = values.len() / 16;
    let mut pooled = vec![0_i16; 2 * channels];
    for (place, square) in values.chunks_exact(channels).enumerate() {
        let is_inner = (1..3).contains(&(place / 4)) && (1..3).contains(&(place % 4));
        let part = if is_inner { 0 } else { channels };
        for (sum, value) in pooled[part..].iter_mut().zip(square) {
            *sum += value;
        }
    }
    let (inner, outer) = pooled.split_at_mut(channels);
    inner.iter_mut().for_each(|sum| *sum = (*sum + 2) / 4);
    outer.iter_mut().for_each(|sum| *sum = (*sum + 6) / 12);
    pooled
}

/// The pixels of a square, turned by a quarter.
pub(crate) fn turned(square: &[u8]) -> Vec<u8> {
    let pixels = square.as_chunks::<3>().0;
    let turned = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| pixels[x * SIDE + (SIDE - 1 - y)]));
    turned.flatten().collect()
}
