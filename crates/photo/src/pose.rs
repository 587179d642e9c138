//! The places of a kingdom's squares in a picture, and their looks.

use kingdomino_rules::KingdomSize;

use crate::error::PictureError;
use crate::network::{PIXELS, SIDE};
use crate::picture::Picture;

/// The four corners of a kingdom in a picture, as pixels from the top left: top left, top right, bottom right, bottom
/// left of the kingdom.
pub type Corners = [(f64, f64); 4];

/// How much of the picture the network sees, in squares.
const MARGIN: f64 = 1.1;
/// The brightness that each picture is brought to.
const MEAN: f32 = 100.0;
/// A picture with a smaller mean has nothing to see.
const DARKEST: f32 = 4.0;
/// A row or column of pixels at the border is no part of the picture if all of it is darker: a strip beside a picture that was
/// turned or straightened.
const BLACK: u8 = 12;
/// Fewer pixels for a square's side show no crowns.
const FEWEST_PIXELS: f64 = 12.0;

/// A small correction of the corners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    /// To the right, in squares.
    pub(crate) x: f64,
    /// Down, in squares.
    pub(crate) y: f64,
    /// The tangent of the angle by which it is turned about its centre.
    pub(crate) turn: f64,
    /// How much larger it is.
    pub(crate) growth: f64,
}

impl Pose {
    /// This pose with a step added.
    pub(crate) fn moved(self, step: Pose) -> Pose {
        Pose {
            x: self.x + step.x,
            y: self.y + step.y,
            turn: self.turn + step.turn,
            growth: self.growth + step.growth,
        }
    }
}

/// A picture and the place of a kingdom in it.
pub(crate) struct Frame {
    picture: Picture,
    side: usize,
    /// The first and the last column and row with anything to see.
    columns: (usize, usize),
    rows: (usize, usize),
    /// Maps squares from the kingdom's centre to pixels: x and y are quotients of the rows.
    map: [[f64; 3]; 3],
}

impl Frame {
    /// Finds the squares between the corners.
    pub(crate) fn new(picture: &Picture, size: KingdomSize, corners: Corners) -> Result<Frame, PictureError> {
        let side = size.squares() as usize;
        let (width, height) = (picture.width as f64, picture.height as f64);
        let near =
            |(x, y): (f64, f64)| (-width..=2.0 * width).contains(&x) && (-height..=2.0 * height).contains(&y);
        let convex = (0..4).all(|i| {
            let [(ax, ay), (bx, by), (cx, cy)] = [corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]];
            (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0.0
        });
        if !corners.into_iter().all(near) || !convex {
            return Err(PictureError::Corners);
        }
        // Twice the area, by the diagonals.
        let [(ax, ay), (bx, by), (cx, cy), (dx, dy)] = corners;
        let doubled = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx);
        let pixels = (doubled / 2.0).sqrt() / side as f64;
        if pixels < FEWEST_PIXELS {
            return Err(PictureError::TooSmall);
        }
        let factor = ((pixels / SIDE as f64).round() as usize).max(1);
        let scaled = corners.map(|(x, y)| (x / factor as f64, y / factor as f64));
        let picture = picture.shrunk(factor);
        if picture.width < 2 || picture.height < 2 {
            return Err(PictureError::TooSmall);
        }
        let (columns, rows) = lit(&picture);
        if columns.0 >= columns.1 || rows.0 >= rows.1 {
            return Err(PictureError::TooDark);
        }
        Ok(Frame { picture, side, columns, rows, map: projection(scaled, side as f64) })
    }

    /// The number of squares of a side.
    pub(crate) const fn side(&self) -> usize {
        self.side
    }

    /// Cuts the squares out, row by row, each [`PIXELS`] values of red, green and blue, at equal mean brightness.
    pub(crate) fn squares(&self, pose: Pose) -> Result<Vec<Vec<u8>>, PictureError> {
        let scale = (1.0 + pose.growth) / (1.0 + pose.turn * pose.turn).sqrt();
        let half = self.side as f64 / 2.0;
        let along: Vec<f64> =
            (0..SIDE).map(|i| ((i as f64 + 0.5) / SIDE as f64 - 0.5) * MARGIN + 0.5 - half).collect();
        let mut values = Vec::with_capacity(self.side * self.side * PIXELS);
        let mut sum = 0.0_f32;
        for square in 0..self.side * self.side {
            let (row, column) = ((square / self.side) as f64, (square % self.side) as f64);
            // Sums of few numbers lose fewer digits.
            let mut of_square = 0.0;
            for v in &along {
                for u in &along {
                    let (u, v) = (u + column, v + row);
                    let x = scale * (u - pose.turn * v) + pose.x;
                    let y = scale * (v + pose.turn * u) + pose.y;
                    let pixel = self.sample(x, y);
                    of_square += pixel[0] + pixel[1] + pixel[2];
                    values.extend(pixel);
                }
            }
            sum += of_square;
        }
        let mean = sum / values.len() as f32;
        if mean < DARKEST {
            return Err(PictureError::TooDark);
        }
        let gain = MEAN / mean;
        let squares = values.chunks_exact(PIXELS);
        Ok(squares.map(|square| square.iter().map(|value| (value * gain + 0.5) as u8).collect()).collect())
    }

    /// The colour at a place, between four pixels.
    fn sample(&self, x: f64, y: f64) -> [f32; 3] {
        let [across, down, depth] = self.map.map(|[a, b, c]| a * x + b * y + c);
        let inside = |value: f64, (first, last): (usize, usize)| {
            (value - 0.5).clamp(first as f64, last as f64 - 0.001)
        };
        let (x, y) = (inside(across / depth, self.columns), inside(down / depth, self.rows));
        let (left, top) = (x as usize, y as usize);
        let (dx, dy) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let at = top * self.picture.width + left;
        let row = |at: usize| [self.picture.pixels[at], self.picture.pixels[at + 1]];
        let [[a, b], [c, d]] = [row(at), row(at + self.picture.width)];
        std::array::from_fn(|i| {
            let mix = |from: u8, to: u8, part: f32| f32::from(from) * (1.0 - part) + f32::from(to) * part;
            mix(a[i], b[i], dx) * (1.0 - dy) + mix(c[i], d[i], dx) * dy
        })
    }
}

/// The first and the last column, and the first and the last row, that are not black.
fn lit(picture: &Picture) -> ((usize, usize), (usize, usize)) {
    let (mut columns, mut rows) = ((picture.width, 0), (picture.height, 0));
    for (y, row) in picture.pixels.chunks_exact(picture.width).enumerate() {
        let is_lit = |pixel: &[u8; 3]| pixel.iter().any(|value| *value >= BLACK);
        let (Some(left), Some(right)) = (row.iter().position(is_lit), row.iter().rposition(is_lit)) else {
            continue;
        };
        columns = (columns.0.min(left), columns.1.max(right));
        rows = (rows.0.min(y), y);
    }
    (columns, rows)
}

/// The projection of a square of this side, with its centre at (0, 0), to four corners.
///
/// Source: Paul Heckbert, "Fundamentals of texture mapping and image warping", 1989, section 2.2.3.
fn projection(corners: Corners, side: f64) -> [[f64; 3]; 3] {
    let [(ax, ay), (bx, by), (cx, cy), (dx, dy)] = corners;
    let (sum_x, sum_y) = (ax - bx + cx - dx, ay - by + cy - dy);
    let (right_x, right_y) = (bx - cx, by - cy);
    let (low_x, low_y) = (dx - cx, dy - cy);
    let determinant = right_x * low_y - right_y * low_x;
    let g = (sum_x * low_y - sum_y * low_x) / determinant;
    let h = (right_x * sum_y - right_y * sum_x) / determinant;
    let of_unit =
        [[bx - ax + g * bx, dx - ax + h * dx, ax], [by - ay + g * by, dy - ay + h * dy, ay], [g, h, 1.0]];
    of_unit.map(|[a, b, c]| [a / side, b / side, c + (a + b) / 2.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_kingdom_are_those_of_the_picture() {
        let corners = [(10.0, 20.0), (200.0, 5.0), (190.0, 220.0), (30.0, 180.0)];
        let map = projection(corners, 5.0);
        for ((x, y), (u, v)) in corners.into_iter().zip([(-2.5, -2.5), (2.5, -2.5), (2.5, 2.5), (-2.5, 2.5)])
        {
            let [across, down, depth] = map.map(|[a, b, c]| a * u + b * v + c);
            assert!((across / depth - x).abs() < 1e-9 && (down / depth - y).abs() < 1e-9);
        }
    }
}
