//! What a plot shows, before any place on a page: panels of curves over one axis, with what is to be read in them.

use super::look::Hue;
use std::sync::Arc;

/// A plot.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Robot and scenario.
    pub title: String,
    /// Findings, method, file, command: the line below the title.
    pub notes: Vec<String>,
    /// What is to be seen, in sentences, for readers who do not see it.
    pub description: String,
    /// The axis that all panels share.
    pub x: Axis,
    /// What lines and marks mean.
    pub legend: Vec<Role>,
    /// From top to bottom.
    pub blocks: Vec<Block>,
}

/// What an axis shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// In words.
    pub name: String,
    /// Its unit; nothing for a pure number.
    pub unit: String,
    /// How its numbers are spread.
    pub scale: Scale,
}

impl Axis {
    /// Time in seconds.
    #[must_use]
    pub fn time() -> Self {
        Self { name: "time".to_owned(), unit: "s".to_owned(), scale: Scale::Linear }
    }

    /// Name and unit.
    #[must_use]
    pub fn text(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.unit) }
    }
}

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Evenly, with ticks that suit degrees.
    Degrees,
    /// By their logarithm.
    Logarithmic,
}

/// Panels side by side, or one over the whole width.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Panels that stand one above the other, cell by cell.
    pub cells: Vec<Vec<Panel>>,
    /// Cells take half of the width, and all of it in a column.
    pub wide: bool,
}

/// Curves over the common axis.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// What is shown, or its symbol.
    pub name: String,
    /// Its unit; nothing for a pure number.
    pub unit: String,
    /// Faint, behind name and unit.
    pub note: String,
    /// Heavy, at the right end: a result.
    pub aside: String,
    /// The colour of the name.
    pub hue: Hue,
    /// How high it is.
    pub height: Height,
    /// How numbers are spread.
    pub scale: Scale,
    /// What is seen of them; without it all.
    pub range: Option<[f64; 2]>,
    /// What varies by less is shown as constant.
    pub least: f64,
    /// The curves, the first at the back.
    pub curves: Vec<Curve>,
    /// Between these all is well; what is beyond is tinted.
    pub limits: Option<[f64; 2]>,
    /// A tinted strip, such as the noise that is expected.
    pub strip: Option<[f64; 2]>,
    /// Marked places.
    pub spots: Vec<Spot>,
    /// Marks of a frequency response along the axis.
    pub roots: Vec<Root>,
    /// An axis of its own, instead of the common one.
    pub own: Option<OwnAxis>,
}

/// A panel that is a plane of its own.
#[derive(Clone, Debug, Default)]
pub struct OwnAxis {
    /// The axis to the right.
    pub x: Axis,
    /// One unit is as long on both axes.
    pub equal: bool,
}

/// Heights of panels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Height {
    /// As usual.
    #[default]
    Usual,
    /// What matters most.
    Tall,
    /// What belongs to the panel above: 40 % of its height.
    Low,
}

/// A line of a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Places along the axis.
    pub x: Arc<[f64]>,
    /// One value for each; those that are not finite are gaps.
    pub y: Vec<f64>,
    /// Stands at its right end, if anything does.
    pub label: String,
    /// Its colour.
    pub hue: Hue,
    /// What it is.
    pub kind: Kind,
}

/// What a curve is, by which it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// One of several.
    #[default]
    Line,
    /// The one that matters most.
    Emphasis,
    /// What is left over.
    Residual,
    /// What it is compared with.
    Dashed,
    /// What was measured.
    Dots,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// What is shown.
    pub sample: Sample,
    /// What it means.
    pub text: String,
}

/// What stands before an entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A line in one or several colours.
    Line(Kind, Vec<Hue>),
    /// The tint beyond limits.
    Beyond,
    /// The mark where a limit is passed.
    Passed,
    /// Nothing: a remark.
    Nothing,
}

/// A marked place.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Where, on both axes.
    pub at: [f64; 2],
    /// What stands beside it.
    pub text: String,
    /// The words stand below.
    pub below: bool,
    /// Its colour; without one that of a warning.
    pub hue: Option<Hue>,
}

/// A pole or zero of a frequency response.
#[derive(Clone, Debug)]
pub struct Root {
    /// Where on the common axis.
    pub at: f64,
    /// Whether the response grows or vanishes there.
    pub kind: RootKind,
    /// What it belongs to.
    pub hue: Hue,
}

/// What a mark of a frequency response is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The response grows: ×.
    Pole,
    /// The response vanishes: ○.
    Zero,
}

impl Curve {
    /// A line of one of several.
    #[must_use]
    pub fn new(x: &Arc<[f64]>, y: Vec<f64>, hue: Hue) -> Self {
        Self { x: Arc::clone(x), y, label: String::new(), hue, kind: Kind::Line }
    }

    /// The same with words at its right end.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The same, drawn otherwise.
    #[must_use]
    pub fn drawn(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Lowest and highest finite value.
    #[must_use]
    pub fn extent(&self) -> Option<[f64; 2]> {
        extent(self.y.iter().copied())
    }
}

/// Lowest and highest of the finite values.
#[must_use]
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    values.into_iter().filter(|x| x.is_finite()).fold(None, |range, x| match range {
        None => Some([x, x]),
        Some([low, high]) => Some([low.min(x), high.max(x)]),
    })
}

/// Where a curve leaves its limits for the first time: the place on both axes, and whether it is the upper one. Between samples the
/// curve is straight.
#[must_use]
pub fn first_passing(x: &[f64], y: &[f64], [lower, upper]: [f64; 2]) -> Option<([f64; 2], bool)> {
    // A joint that rests at its limit has not passed it, whatever rounding says.
    let slack = if (upper - lower).is_finite() { 1e-9 * (upper - lower) } else { 0.0 };
    let mut before: Option<[f64; 2]> = None;
    for (&x, &y) in x.iter().zip(y) {
        if !y.is_finite() {
            before = None;
            continue;
        }
        let passed = if y > upper + slack {
            Some((upper, true))
        } else if y < lower - slack {
            Some((lower, false))
        } else {
            None
        };
        if let Some((limit, is_upper)) = passed {
            return Some(match before {
                Some([x0, y0]) => ([x0 + (x - x0) * (limit - y0) / (y - y0), limit], is_upper),
                None => ([x, y], is_upper),
            });
        }
        before = Some([x, y]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_passed_between_samples() {
        let x: Vec<f64> = (0..=10).map(|i| 0.1 * f64::from(i)).collect();
        let y: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let ([t, at], upper) = first_passing(&x, &y, [-1.0, 1.1]).unwrap();
        assert!((t - 0.55).abs() < 1e-12 && at == 1.1 && upper);
        assert_eq!(first_passing(&x, &y, [-1.0, 2.0]), None);
        assert_eq!(first_passing(&x, &[3.0], [-1.0, 2.0]), Some(([0.0, 3.0], true)));
        let ([t, _], upper) = first_passing(&[0.0, 1.0, 2.0], &[0.0, f64::NAN, -4.0], [-1.0, 1.0]).unwrap();
        assert!(t == 2.0 && !upper);
    }
}
