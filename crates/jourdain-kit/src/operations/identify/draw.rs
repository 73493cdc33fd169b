//! Measured and predicted torques, joint by joint, with what is left over.

use super::report::torque_units;
use crate::plot::figure::{Axis, Block, Curve, Figure, Height, Kind, Panel, Role, Sample};
use crate::plot::joints::Palette;
use crate::plot::look::Hue;
use crate::plot::ticks;
use jourdain::identify::{self, Comparison, Estimate};
use std::sync::Arc;

/// What torques are drawn of.
pub(super) struct Shown<'d> {
    /// What is identified.
    pub(super) problem: &'d identify::Problem,
    /// The parameters found.
    pub(super) estimate: &'d Estimate,
    /// Measured torques beside those of the parameters found.
    pub(super) found: &'d Comparison<'d>,
    /// Beside those of the robot's file.
    pub(super) prior: &'d Comparison<'d>,
    /// The log that is shown.
    pub(super) log: &'d str,
    /// The logs that the parameters are from.
    pub(super) data: &'d [String],
    /// Whether the log is another than those.
    pub(super) validates: bool,
}

impl Shown<'_> {
    /// The torques along a log.
    pub(super) fn figure(&self) -> Figure {
        let (drawn, before) = (self.found.drawn(), self.prior.drawn());
        let (x, palette) = (Arc::<[f64]>::from(drawn.t.as_slice()), Palette::of(self.problem.model()));
        let errors = self.found.errors();
        let mut cells = Vec::new();
        let mut hues = Vec::new();
        for (j, (joint, unit)) in self.problem.joints().iter().zip(torque_units(self.problem)).enumerate() {
            let (measured, predicted) = (&drawn.measured[j], &drawn.predicted[j]);
            // Not measured.
            if measured.is_empty() {
                continue;
            }
            let hue = match palette.hue(joint) {
                Hue::Ink => Hue::Joint(j),
                hue => hue,
            };
            hues.push(hue);
            let torque = Panel {
                name: format!("τ_{{{}}}", j + 1),
                unit: unit.clone(),
                note: joint.clone(),
                aside: errors
                    .get(j)
                    .map(|error| format!("relative error {} %", percent(error.relative())))
                    .unwrap_or_default(),
                hue,
                height: Height::Tall,
                curves: vec![
                    Curve::new(&x, before.predicted[j].clone(), Hue::Note).drawn(Kind::Dashed),
                    Curve::new(&x, measured.clone(), Hue::Measured).drawn(Kind::Dots),
                    Curve::new(&x, predicted.clone(), hue),
                ],
                ..Panel::default()
            };
            let residual: Vec<f64> =
                measured.iter().zip(predicted).map(|(measured, predicted)| measured - predicted).collect();
            let noise = self.estimate.joints.get(j).map_or(0.0, |fit| fit.noise);
            let inside = residual.iter().filter(|e| e.abs() <= 2.0 * noise).count();
            let share = 100.0 * inside as f64 / residual.len().max(1) as f64;
            let rest = Panel {
                name: "Residual".to_owned(),
                unit,
                note: format!("±2σ of the fit holds {share:.0} %"),
                hue,
                height: Height::Low,
                strip: Some([-2.0 * noise, 2.0 * noise]),
                curves: vec![Curve::new(&x, residual, hue).drawn(Kind::Residual)],
                ..Panel::default()
            };
            cells.push(vec![torque, rest]);
        }
        let what = if self.validates {
            "validation on a motion the fit has not seen"
        } else {
            "torques of the log it was fitted to"
        };
        let title = format!("{} · {what}", self.problem.model().name());
        let role = |sample, text: &str| Role { sample, text: text.to_owned() };
        let worst = errors.iter().map(identify::JointError::relative).fold(0.0, f64::max);
        hues.truncate(3);
        Figure {
            description: format!("{title}. Relative errors are at most {} %.", percent(worst)),
            title,
            notes: self.notes(),
            x: Axis::time(),
            legend: vec![
                role(Sample::Line(Kind::Dots, vec![Hue::Measured]), "measured"),
                role(Sample::Line(Kind::Line, hues), "predicted, identified model"),
                role(Sample::Line(Kind::Dashed, vec![Hue::Note]), "predicted, robot file as it was"),
            ],
            blocks: vec![Block { cells, wide: true }],
        }
    }

    fn notes(&self) -> Vec<String> {
        let name = |file: &str| file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
        let from: Vec<String> = self.data.iter().map(|file| name(file)).collect();
        let from = if from.is_empty() { "kept factors".to_owned() } else { from.join(", ") };
        let Estimate { samples, condition, .. } = self.estimate;
        vec![
            format!(
                "shown: {}, {} samples{}",
                name(self.log),
                self.found.samples(),
                if self.validates { "" } else { ", training" }
            ),
            format!("model: {} parameters from {from}, {samples} samples", self.problem.count()),
            format!("condition number {}", ticks::number(*condition, 2)),
            "jourdain identify".to_owned(),
        ]
    }
}

/// A share in percent, to a hundredth of one.
fn percent(share: f64) -> String {
    if share < 0.1 { format!("{:.2}", 100.0 * share) } else { ticks::number(100.0 * share, 3) }
}
