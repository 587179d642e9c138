//! Where something lies on a table: four corners around the largest thing that has other colours than the picture's border.

use crate::picture::Picture;
use crate::pose::Corners;

/// The pixels of the longer side that are looked at.
const SIDE: usize = 160;
/// The border, in parts of the shorter side, and how many of its pixels are compared.
const BORDER: f64 = 0.03;
const MOST_COLOURS: usize = 400;
/// A pixel is of the table if this many of the compared pixels have nearly its colour.
const ALIKE: usize = 4;
/// The distances of a colour from the table's colours. A distance too small for one light is right for another.
const DISTANCES: [f32; 4] = [9.0, 14.0, 20.0, 28.0];
/// How much less brightness counts than hue: shadows are of the table.
const BRIGHTNESS: f32 = 0.35;
/// Gaps that are closed, in pixels.
const GAP: usize = 4;
/// The least part of the picture that a thing covers.
const LEAST: f64 = 0.06;
/// A side of the outline is a side of the thing if it is this long, in parts of the side of the rectangle around the thing,
/// and turned by less than 12 degrees (the cosine), and this near.
const LONG: f64 = 0.45;
const PARALLEL: f64 = 0.978;
const NEAR: f64 = 0.12;

type Point = (f64, f64);

/// The corners around the largest thing in a picture, as they are for several lights.
pub(crate) fn outlines(picture: &Picture) -> Vec<Corners> {
    let factor = picture.width.max(picture.height).div_ceil(SIDE);
    let picture = picture.shrunk(factor);
    if picture.width < 8 || picture.height < 8 {
        return Vec::new();
    }
    let distances = from_table(&picture);
    let outline = |distance: f32| {
        let mask = Mask {
            width: picture.width,
            bits: distances.iter().map(|other| *other > distance * distance).collect(),
        };
        let thing = mask.shrunk().grown().grown_by(GAP).shrunk_by(GAP).largest();
        let squares = thing.bits.iter().filter(|bit| **bit).count();
        if (squares as f64) < LEAST * thing.bits.len() as f64 {
            return None;
        }
        let corners = corners(&thing.hull())?;
        Some(corners.map(|(x, y)| (x * factor as f64, y * factor as f64)))
    };
    DISTANCES.into_iter().filter_map(outline).collect()
}

/// The squared distance of each pixel's colour from the border's colours.
fn from_table(picture: &Picture) -> Vec<f32> {
    let (width, height) = (picture.width, picture.height);
    let border = ((BORDER * width.min(height) as f64) as usize).max(2);
    let colours: Vec<[f32; 4]> = picture.pixels.iter().map(|pixel| colour(*pixel)).collect();
    let is_border = |at: usize| {
        let (x, y) = (at % width, at / width);
        x < border || y < border || x + border >= width || y + border >= height
    };
    let table: Vec<usize> = (0..colours.len()).filter(|at| is_border(*at)).collect();
    let step = table.len().div_ceil(MOST_COLOURS);
    let table: Vec<[f32; 4]> = table.into_iter().step_by(step).map(|at| colours[at]).collect();
    let distance = |colour: &[f32; 4]| {
        let mut nearest = [f32::INFINITY; ALIKE];
        for other in &table {
            let squared = colour.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            if squared < nearest[ALIKE - 1] {
                nearest[ALIKE - 1] = squared;
                nearest.sort_by(f32::total_cmp);
            }
        }
        nearest[ALIKE - 1]
    };
    colours.iter().map(distance).collect()
}

/// The hue of a pixel, and its brightness.
fn colour(pixel: [u8; 3]) -> [f32; 4] {
    let [red, green, blue] = pixel.map(f32::from);
    let sum = red + green + blue + 30.0;
    [300.0 * red / sum, 300.0 * green / sum, 300.0 * blue / sum, BRIGHTNESS * sum / 3.0]
}

/// Some pixels of a picture.
struct Mask {
    width: usize,
    bits: Vec<bool>,
}

impl Mask {
    /// These pixels and those beside them.
    fn grown(&self) -> Mask {
        let Mask { width, bits } = self;
        let at = |at: usize| {
            let x = at % width;
            bits[at]
                || (x > 0 && bits[at - 1])
                || (x + 1 < *width && bits[at + 1])
                || (at >= *width && bits[at - width])
                || bits.get(at + width).is_some_and(|bit| *bit)
        };
        Mask { width: *width, bits: (0..bits.len()).map(at).collect() }
    }

    /// All other pixels.
    fn others(&self) -> Mask {
        Mask { width: self.width, bits: self.bits.iter().map(|bit| !bit).collect() }
    }

    /// These pixels without those beside others.
    fn shrunk(&self) -> Mask {
        self.others().grown().others()
    }

    fn grown_by(self, pixels: usize) -> Mask {
        (0..pixels).fold(self, |mask, _| mask.grown())
    }

    fn shrunk_by(self, pixels: usize) -> Mask {
        self.others().grown_by(pixels).others()
    }

    /// The largest part whose pixels are connected.
    fn largest(&self) -> Mask {
        let mut left = self.bits.clone();
        let mut largest = Vec::new();
        for start in 0..left.len() {
            if !std::mem::take(&mut left[start]) {
                continue;
            }
            let mut part = vec![start];
            let mut next = 0;
            while let Some(&at) = part.get(next) {
                next += 1;
                let x = at % self.width;
                let beside = [
                    (x > 0).then(|| at - 1),
                    (x + 1 < self.width).then_some(at + 1),
                    at.checked_sub(self.width),
                    Some(at + self.width).filter(|at| *at < left.len()),
                ];
                part.extend(beside.into_iter().flatten().filter(|at| std::mem::take(&mut left[*at])));
            }
            if part.len() > largest.len() {
                largest = part;
            }
        }
        let mut bits = vec![false; self.bits.len()];
        largest.into_iter().for_each(|at| bits[at] = true);
        Mask { width: self.width, bits }
    }

    /// The convex hull of the pixels, clockwise as seen.
    ///
    /// Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
    fn hull(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for (y, row) in self.bits.chunks_exact(self.width).enumerate() {
            let (Some(left), Some(right)) =
                (row.iter().position(|bit| *bit), row.iter().rposition(|bit| *bit))
            else {
                continue;
            };
            for y in [y as f64, y as f64 + 1.0] {
                points.extend([(left as f64, y), (right as f64 + 1.0, y)]);
            }
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let half = |points: &mut dyn Iterator<Item = &Point>| {
            let mut chain: Vec<Point> = Vec::new();
            for point in points {
                while let [.., a, b] = chain[..]
                    && cross(minus(b, a), minus(*point, b)) <= 0.0
                {
                    chain.pop();
                }
                chain.push(*point);
            }
            chain.pop();
            chain
        };
        let mut hull = half(&mut points.iter());
        hull.extend(half(&mut points.iter().rev()));
        hull
    }
}

/// The corners of a thing with four sides: where the long sides of its outline meet. Without them, the corners of the smallest
/// rectangle around it.
fn corners(hull: &[Point]) -> Option<Corners> {
    let rectangle = rectangle(hull)?;
    let sides: [(Point, Point); 4] = std::array::from_fn(|side| {
        let (start, along) = (rectangle[side], minus(rectangle[(side + 1) % 4], rectangle[side]));
        let length = dot(along, along).sqrt();
        let along = (along.0 / length, along.1 / length);
        let mut longest = (LONG * length, (start, along));
        for (at, from) in hull.iter().enumerate() {
            for step in 1..=3 {
                let chord = minus(hull[(at + step) % hull.len()], *from);
                let middle = (from.0 + chord.0 / 2.0, from.1 + chord.1 / 2.0);
                let long = dot(chord, chord).sqrt();
                if long > longest.0
                    && dot(chord, along).abs() > PARALLEL * long
                    && cross(along, minus(middle, start)).abs() < NEAR * length
                {
                    longest = (long, (*from, (chord.0 / long, chord.1 / long)));
                }
            }
        }
        longest.1
    });
    let mut corners = rectangle;
    for (side, corner) in corners.iter_mut().enumerate() {
        let ((a, along), (b, other)) = (sides[(side + 3) % 4], sides[side]);
        let part = cross(minus(b, a), other) / cross(along, other);
        *corner = (a.0 + part * along.0, a.1 + part * along.1);
    }
    let first = (0..4).min_by(|a, b| {
        let sum = |at: usize| corners[at].0 + corners[at].1;
        sum(*a).total_cmp(&sum(*b))
    })?;
    corners.rotate_left(first);
    Some(corners)
}

/// The smallest rectangle around a convex outline, clockwise as seen. One of its sides lies on a side of the outline.
///
/// Source: H. Freeman and R. Shapira, "Determining the minimum-area encasing rectangle for an arbitrary closed curve", 1975.
fn rectangle(hull: &[Point]) -> Option<Corners> {
    let around = |at: usize| {
        let side = minus(hull[(at + 1) % hull.len()], hull[at]);
        let length = dot(side, side).sqrt();
        let u = (side.0 / length, side.1 / length);
        let v = (-u.1, u.0);
        let range = |along: Point| {
            let places = hull.iter().map(|point| dot(*point, along));
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((left, right), (top, bottom)) = (range(u), range(v));
        let corner = |a: f64, b: f64| (a * u.0 + b * v.0, a * u.1 + b * v.1);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(a, b)| corner(a, b));
        ((right - left) * (bottom - top), corners)
    };
    let all = (0..hull.len()).map(around);
    all.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, corners)| corners)
}

fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Point, b: Point) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

fn cross(a: Point, b: Point) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with a darker quadrilateral on it.
    fn table(corners: Corners) -> Picture {
        let inside = |x: f64, y: f64| {
            (0..4)
                .all(|at| cross(minus(corners[(at + 1) % 4], corners[at]), minus((x, y), corners[at])) > 0.0)
        };
        let pixels = (0..300 * 400).map(|at| {
            let (x, y) = (at % 300, at / 300);
            // Grain and light of the table.
            let grain = ((x * 7 + y * 13) % 9) as u8;
            if inside(x as f64 + 0.5, y as f64 + 0.5) {
                [40, 90, 60 + grain]
            } else {
                [170 + grain, 130, 90 + (y / 20) as u8]
            }
        });
        Picture { width: 300, height: 400, pixels: pixels.collect() }
    }

    #[test]
    fn a_quadrilateral_on_a_table_is_found_as_it_is_seen() {
        let corners = [(60.0, 90.0), (250.0, 70.0), (270.0, 290.0), (40.0, 300.0)];
        let found = outlines(&table(corners));
        assert_eq!(found.len(), DISTANCES.len());
        for ((x, y), (found_x, found_y)) in found.into_iter().flat_map(|found| corners.into_iter().zip(found))
        {
            assert!((x - found_x).abs() < 5.0 && (y - found_y).abs() < 5.0, "{x}, {y}: {found_x}, {found_y}");
        }
    }

    #[test]
    fn an_empty_table_has_no_outline() {
        let nothing = [(0.0, 0.0); 4];
        assert!(outlines(&table(nothing)).is_empty());
    }

    #[test]
    fn pictures_of_a_few_pixels_have_no_outline() {
        for (width, height) in [(1, 1), (7, 30), (3, 1)] {
            let picture = Picture { width, height, pixels: vec![[90, 20, 30]; width * height] };
            assert!(outlines(&picture).is_empty());
        }
    }
}
