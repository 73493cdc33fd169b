//! A strip of small curves below the stage, with a mark at the time that is shown.

use super::{MARGIN, WIDTH};
use crate::plot::drawing::{Anchor, Colour, Mark, Point};
use crate::plot::look::Look;
use crate::plot::robot::outline;
use crate::plot::robot::stage::{filled, stroked, words};
use crate::plot::words::width;

/// Height, points, words included.
pub const HEIGHT: f64 = 62.0;
/// Room for names at the right end.
const NAMES: f64 = 42.0;

/// A curve of the strip.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it shows.
    pub name: &'static str,
    /// Its colour in a look.
    pub colour: fn(&Look) -> Colour,
    /// A value for each picture.
    pub values: Vec<f64>,
}

/// To three digits, with a true minus.
fn rounded(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 9) as usize;
    format!("{x:.digits$}").replace('-', "−")
}

/// Curves over the pictures of a movie.
#[derive(Clone, Debug)]
pub struct Strip {
    /// What is counted, with its unit.
    pub label: &'static str,
    /// Few.
    pub curves: Vec<Curve>,
    /// Its upper edge, points.
    pub top: f64,
}

impl Strip {
    fn range(&self) -> [f64; 2] {
        let values = || self.curves.iter().flat_map(|curve| curve.values.iter().copied()).filter(|x| x.is_finite());
        let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        if high > low { [low, high] } else { [low, low + 1.0] }
    }

    fn at(&self, frame: usize, value: f64) -> Point {
        let count = self.curves.first().map_or(1, |curve| curve.values.len()).max(2);
        let [low, high] = self.range();
        let (left, right) = (MARGIN, WIDTH - MARGIN - NAMES);
        let (top, bottom) = (self.top + 16.0, self.top + HEIGHT - 10.0);
        let share = if value.is_finite() { (value - low) / (high - low) } else { 0.0 };
        [left + (right - left) * frame as f64 / (count - 1) as f64, bottom - (bottom - top) * share]
    }

    /// Curves, names, and the line of zero.
    #[must_use]
    pub fn still(&self, look: &Look) -> Vec<Mark> {
        let [low, high] = self.range();
        let mut marks = vec![words([MARGIN, self.top + 8.0], Anchor::Start, 7.0, true, look.ink_2.into(), self.label)];
        let label = width(self.label, 7.0, true);
        let span = format!("{} to {}", rounded(low), rounded(high));
        marks.push(words([MARGIN + label + 5.0, self.top + 8.0], Anchor::Start, 7.0, false, look.ink_3.into(), span));
        let count = self.curves.first().map_or(0, |curve| curve.values.len());
        let zero = [self.at(0, 0.0), self.at(count.saturating_sub(1), 0.0)];
        marks.push(stroked(outline::line(&zero), 0.6, look.line_strong.into(), None));
        let mut ends: Vec<(f64, &Curve)> = Vec::new();
        for curve in &self.curves {
            let points: Vec<Point> = curve.values.iter().enumerate().map(|(k, value)| self.at(k, *value)).collect();
            marks.push(stroked(outline::line(&points), 0.9, (curve.colour)(look).into(), None));
            ends.extend(points.last().map(|end| (end[1], curve)));
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut lowest = f64::NEG_INFINITY;
        for (y, curve) in ends {
            // Names are pushed apart.
            lowest = y.max(lowest + 7.5);
            let at = [WIDTH - MARGIN - NAMES + 4.0, lowest + 2.3];
            marks.push(words(at, Anchor::Start, 7.0, false, (curve.colour)(look).into(), curve.name));
        }
        marks
    }

    /// Where the movie is.
    #[must_use]
    pub fn moving(&self, frame: usize, look: &Look) -> Vec<Mark> {
        let [x, _] = self.at(frame, 0.0);
        let line = outline::line(&[[x, self.top + 12.0], [x, self.top + HEIGHT - 8.0]]);
        let mut marks = vec![stroked(line, 0.6, look.ink_3.into(), None)];
        marks.extend(self.curves.iter().filter_map(|curve| {
            let at = self.at(frame, *curve.values.get(frame)?);
            Some(filled(outline::circle(at, 1.7), (curve.colour)(look).into(), None))
        }));
        marks
    }
}
