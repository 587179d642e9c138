//! Readings: the content of each square of a picture, and its probability.

use kingdomino_rules::{Kingdom, KingdomSetup, KingdomSize};

use crate::content::{CLASSES, Content, EMPTY};
use crate::error::PictureError;
use crate::network::{NAT, Network};
use crate::outline::outlines;
use crate::picture::Picture;
use crate::pose::{Corners, Frame, Pose};
use crate::taught::Taught;
use crate::tiling::{Box48, Likelihood, RULED_OUT, Tiling, best, bound};

/// The reading of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The squares, row by row from the top, each row from the left.
    pub squares: Vec<ReadSquare>,
    /// The most likely kingdom that real dominoes can make; `None` if there is none, or if it falls apart.
    pub kingdom: Option<Kingdom>,
    /// Where the kingdom is in the picture.
    pub corners: Corners,
}

/// The content of one square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadSquare {
    /// The most likely content.
    pub content: Content,
    /// Its probability, from 0 to 1.
    pub probability: f64,
    /// Other possible contents: first the content in the likeliest kingdom that differs here, then the content that it
    /// resembles most beside these.
    pub others: [Content; 2],
    /// Whether a person should check it.
    pub is_doubtful: bool,
    /// How much less likely the best kingdom with another content there is: the logarithm of the quotient.
    pub margin: f64,
    /// Whether it looks more like something else, which no kingdom of real dominoes can have there.
    pub is_overruled: bool,
}

impl Reading {
    /// Whether most squares are covered, and hardly one is doubtful.
    fn is_clear(&self) -> bool {
        let covered = self.squares.iter().filter(|square| square.content != Content::Empty).count();
        let doubtful = self.squares.iter().filter(|square| square.is_doubtful).count();
        self.kingdom.is_some()
            && covered as f64 >= COVERED * self.squares.len() as f64
            && doubtful <= DOUBTFUL
    }
}

/// A kingdom was found if it covers this part of its box, and if at most this many squares are doubtful.
const COVERED: f64 = 0.6;
const DOUBTFUL: usize = 1;
/// How many of the likeliest corners are read to find a kingdom.
const MOST_READ: usize = 3;
/// A square that is less likely to be right is doubtful.
const CERTAIN: f64 = 0.95;
/// The probability of a margin of 0 and the growth with it, as fitted by `benches/photo.py` to pictures of all kinds.
const CALIBRATION: (f64, f64) = (0.61, 1.25);
/// No content is less likely than this for the network, in nats: it may be hidden.
const LEAST: f64 = -9.0;
/// From this mean likelihood of a square on, in nats, try no other pose.
const CLEAR: f64 = -0.05;
/// The picture shows no kingdom if the castle and the dominoes of the best one are less likely than this on average, in
/// nats. Any picture could be a table.
const NO_KINGDOM: f64 = -1.5;
/// The fewest squares of a kingdom: the castle and a domino.
const FEWEST: usize = 3;
/// How much less likely a pose is that counts e times less, in nats for all squares.
const SPREAD: f64 = 1.0;
/// Steps from the best pose so far to others, until one is clear: across, down, turned, grown.
const STEPS: [&[Pose]; 3] = [
    &[
        step(0.06, 0.06, 0.0, 0.0),
        step(-0.06, -0.06, 0.0, 0.0),
        step(0.06, -0.06, 0.0, 0.0),
        step(-0.06, 0.06, 0.0, 0.0),
        step(0.06, 0.0, 0.0, 0.0),
        step(-0.06, 0.0, 0.0, 0.0),
        step(0.0, 0.06, 0.0, 0.0),
        step(0.0, -0.06, 0.0, 0.0),
    ],
    &[
        step(0.0, 0.0, 0.05, 0.0),
        step(0.0, 0.0, -0.05, 0.0),
        step(0.0, 0.0, 0.09, 0.0),
        step(0.0, 0.0, -0.09, 0.0),
    ],
    &[
        step(0.05, 0.0, 0.0, 0.0),
        step(-0.05, 0.0, 0.0, 0.0),
        step(0.0, 0.05, 0.0, 0.0),
        step(0.0, -0.05, 0.0, 0.0),
        step(0.0, 0.0, 0.025, 0.0),
        step(0.0, 0.0, -0.025, 0.0),
        step(0.0, 0.0, 0.0, 0.03),
        step(0.0, 0.0, 0.0, -0.03),
    ],
];

const fn step(x: f64, y: f64, turn: f64, growth: f64) -> Pose {
    Pose { x, y, turn, growth }
}

/// Finds the corners of a kingdom in a picture: of the picture itself, or around an object on a table. `None` unless most squares
/// between them are read without a doubt.
pub fn find(picture: &Picture, size: KingdomSize, taught: Option<&Taught>) -> Option<Corners> {
    find_with(&Network::learned(), picture, size, taught)
}

fn find_with(
    network: &Network,
    picture: &Picture,
    size: KingdomSize,
    taught: Option<&Taught>,
) -> Option<Corners> {
    let dominoes = Box48::new();
    let trust = taught.map(|taught| (taught, taught.trust(network)));
    let likelihood = |corners: &Corners| {
        let frame = Frame::new(picture, size, *corners).ok()?;
        Some(bound(frame.side(), &look(network, &frame, Pose::default(), trust).ok()?, &dominoes))
    };
    let all = [vec![picture.corners()], outlines(picture)].concat();
    let mut likely: Vec<_> =
        all.into_iter().filter_map(|corners| Some((likelihood(&corners)?, corners))).collect();
    likely.sort_by_key(|(likelihood, _)| -likelihood);
    let is_clear = |corners: &Corners| {
        read_with(network, picture, size, Some(*corners), taught).is_ok_and(|reading| reading.is_clear())
    };
    likely.into_iter().take(MOST_READ).map(|(_, corners)| corners).find(is_clear)
}

/// The given corners, or the found ones, or the picture's.
pub(crate) fn located(
    network: &Network,
    picture: &Picture,
    size: KingdomSize,
    corners: Option<Corners>,
    taught: Option<&Taught>,
) -> Corners {
    corners.or_else(|| find_with(network, picture, size, taught)).unwrap_or_else(|| picture.corners())
}

/// Reads a picture. The kingdom is between the corners. Without corners they are found; if they cannot be found, the kingdom fills
/// the picture.
///
/// Fails if the picture is too dark or too small, or shows no kingdom.
pub fn read(
    picture: &Picture,
    size: KingdomSize,
    corners: Option<Corners>,
    taught: Option<&Taught>,
) -> Result<Reading, PictureError> {
    read_with(&Network::learned(), picture, size, corners, taught)
}

/// Reads a picture with another network.
pub fn read_with(
    network: &Network,
    picture: &Picture,
    size: KingdomSize,
    corners: Option<Corners>,
    taught: Option<&Taught>,
) -> Result<Reading, PictureError> {
    let corners = located(network, picture, size, corners, taught);
    let frame = Frame::new(picture, size, corners)?;
    let dominoes = Box48::new();
    let taught = taught.map(|taught| (taught, taught.trust(network)));
    let squares = look_around(network, &frame, &dominoes, taught)?;
    let (squares, kingdom) = decode(frame.side(), &squares, &dominoes, size)?;
    Ok(Reading { squares, kingdom, corners })
}

/// The likelihoods of the squares at a pose.
fn look(
    network: &Network,
    frame: &Frame,
    pose: Pose,
    taught: Option<(&Taught, i32)>,
) -> Result<Vec<Likelihood>, PictureError> {
    let squares = frame.squares(pose)?;
    Ok(squares
        .iter()
        .map(|square| {
            let seen = network.look(square);
            likelihood(&taught.map_or(seen.outputs, |(taught, trust)| taught.outputs(&seen, trust)))
        })
        .collect())
}

/// The logarithms of the probabilities of the classes.
fn likelihood(outputs: &[i32; CLASSES]) -> Likelihood {
    let most = outputs.iter().copied().max().unwrap_or(0);
    let nats = outputs.map(|output| f64::from(output - most) / f64::from(NAT));
    let sum: f64 = nats.iter().map(|nats| libm::exp(*nats)).sum();
    let sum = libm::log(sum);
    nats.map(|nats| ((nats - sum).max(LEAST) * f64::from(NAT)) as i32)
}

/// The likelihoods of the squares, as a mean over poses near the corners. Likelier poses count more.
fn look_around(
    network: &Network,
    frame: &Frame,
    dominoes: &Box48,
    taught: Option<(&Taught, i32)>,
) -> Result<Vec<Likelihood>, PictureError> {
    let side = frame.side();
    let clear = (CLEAR * f64::from(NAT) * (side * side) as f64) as i32;
    let mut tried = Vec::new();
    let mut try_pose = |pose| {
        let squares = look(network, frame, pose, taught)?;
        let value = bound(side, &squares, dominoes);
        tried.push((value, squares));
        Ok::<_, PictureError>(value)
    };
    let mut pose = Pose::default();
    let mut value = try_pose(pose)?;
    for steps in STEPS {
        let from = pose;
        for step in steps {
            if value > clear {
                break;
            }
            let next = from.moved(*step);
            let next_value = try_pose(next)?;
            if next_value > value {
                (pose, value) = (next, next_value);
            }
        }
    }
    let weights: Vec<f64> = tried
        .iter()
        .map(|(other, _)| libm::exp(f64::from(other - value) / f64::from(NAT) / SPREAD))
        .collect();
    let total: f64 = weights.iter().sum();
    let mean = |square: usize, class: usize| {
        let weighted = tried
            .iter()
            .zip(&weights)
            .map(|((_, squares), weight)| f64::from(squares[square][class]) * weight);
        (weighted.sum::<f64>() / total) as i32
    };
    Ok((0..side * side).map(|square| std::array::from_fn(|class| mean(square, class))).collect())
}

/// Finds the most likely kingdom, and for each square how much less likely the best one is that differs there.
fn decode(
    side: usize,
    squares: &[Likelihood],
    dominoes: &Box48,
    size: KingdomSize,
) -> Result<(Vec<ReadSquare>, Option<Kingdom>), PictureError> {
    let favourite =
        |square: &Likelihood| (0..CLASSES).max_by_key(|class| (square[*class], CLASSES - class)).unwrap_or(0);
    let Some(found) = best(side, squares, dominoes) else {
        let read = squares.iter().map(|square| {
            let class = favourite(square);
            let second = favourite(&without(square, &[class]));
            let third = favourite(&without(square, &[class, second]));
            ReadSquare {
                content: Content::of_class(class),
                probability: libm::exp(f64::from(square[class]) / f64::from(NAT)),
                others: [second, third].map(Content::of_class),
                is_doubtful: true,
                margin: 0.0,
                is_overruled: false,
            }
        });
        return Ok((read.collect(), None));
    };
    let covered = found.classes.iter().zip(squares).filter(|(class, _)| usize::from(**class) != EMPTY);
    let likelihoods: Vec<i32> = covered.map(|(class, square)| square[usize::from(*class)]).collect();
    let mean = f64::from(likelihoods.iter().sum::<i32>()) / f64::from(NAT) / likelihoods.len() as f64;
    if likelihoods.len() < FEWEST || mean < NO_KINGDOM {
        return Err(PictureError::NoKingdom);
    }
    let mut changed = squares.to_vec();
    let read = found.classes.iter().enumerate().map(|(square, class)| {
        let class = usize::from(*class);
        changed[square] = without(&squares[square], &[class]);
        let (lost, second) = match best(side, &changed, dominoes) {
            Some(Tiling { classes, likelihood }) => {
                (found.likelihood - likelihood, usize::from(classes[square]))
            }
            // Not found in time: as doubtful as can be.
            None => (0, favourite(&changed[square])),
        };
        changed[square] = squares[square];
        let third = favourite(&without(&squares[square], &[class, second]));
        let margin = f64::from(lost) / f64::from(NAT);
        let (start, growth) = CALIBRATION;
        let probability = 1.0 / (1.0 + libm::exp(-(start + growth * margin)));
        let is_overruled = favourite(&squares[square]) != class;
        ReadSquare {
            content: Content::of_class(class),
            probability,
            others: [second, third].map(Content::of_class),
            is_doubtful: is_overruled || probability < CERTAIN,
            margin,
            is_overruled,
        }
    });
    let squares: Vec<ReadSquare> = read.collect();
    let kingdom = kingdom(&squares, side, size);
    Ok((squares, kingdom))
}

/// The likelihoods of a square on which these classes do not lie.
fn without(square: &Likelihood, classes: &[usize]) -> Likelihood {
    std::array::from_fn(|class| if classes.contains(&class) { RULED_OUT } else { square[class] })
}

/// The kingdom of these squares, if all are connected to the castle.
fn kingdom(squares: &[ReadSquare], side: usize, size: KingdomSize) -> Option<Kingdom> {
    let castle = squares.iter().position(|square| square.content == Content::Castle)?;
    let place = |square: usize| ((square % side) as i64, -((square / side) as i64));
    let (castle_x, castle_y) = place(castle);
    let mut setup = KingdomSetup::new();
    for (square, read) in squares.iter().enumerate() {
        if let Content::End(end) = read.content {
            let (x, y) = place(square);
            setup.add(x - castle_x, y - castle_y, end.terrain.name(), i64::from(end.crowns));
        }
    }
    setup.validate(size).ok()
}
