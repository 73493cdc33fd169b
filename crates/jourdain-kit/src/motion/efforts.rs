//! What drives can give: whether a law's torques are cut there, and what is said of a law that asks for more.
//!
//! The drives of elastic joints are part of the model: laws keep to their `effort` unless told otherwise. Torques that a user
//! gives, and laws of rigid robots, are applied as they are unless `--saturate` cuts them. Either way the report and a warning
//! name every drive that was asked for too much.

use crate::host::Host;
use crate::problem::Problem;
use crate::text::numbers;
use crate::text::style::WARN;
use jourdain::simulate::{Law, System, Trajectory};
use schemars::JsonSchema;
use serde::Serialize;

/// A drive that was asked for more than it can give.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Overdriven {
    /// The joint.
    pub joint: String,
    /// The most that it can give, N m or N.
    pub effort: f64,
    /// The most that it was asked for.
    pub asked: f64,
    /// When, s.
    pub t: f64,
    /// Whether it gave no more than it can.
    pub cut: bool,
    #[serde(skip)]
    unit: String,
}

/// Whether torques are cut at the efforts of the file.
///
/// # Errors
/// Both asked for and refused.
pub fn are_cut(system: &dyn System, law: &Law, saturate: bool, ignore: bool) -> Result<bool, Problem> {
    if saturate && ignore {
        return Err(Problem::usage("efforts cannot be kept and ignored at once").hint("leave one of the two out"));
    }
    let known = system.layout().efforts.iter().any(Option::is_some);
    Ok(saturate || !ignore && known && system.kind() == "elastic" && law.open_loop().is_none())
}

/// The drives that were asked for too much; the host is warned.
pub fn overdriven(motion: &Trajectory, cut: bool, host: &dyn Host) -> Vec<Overdriven> {
    let found: Vec<Overdriven> = motion
        .overdriven()
        .map(|(drive, effort, demand)| Overdriven {
            joint: drive.place(),
            effort,
            asked: demand.torque,
            t: demand.t,
            cut,
            unit: drive.unit_text(),
        })
        .collect();
    for drive in &found {
        host.warn(format!("{}{}", drive.text(), if cut { "" } else { "; --saturate cuts it there" }));
    }
    found
}

impl Overdriven {
    fn text(&self) -> String {
        let [asked, effort, t] = [self.asked, self.effort, self.t].map(numbers::short);
        let then = if self.cut { "cut there" } else { "applied in full" };
        let Self { joint, unit, .. } = self;
        format!("`{joint}` is asked for {asked} {unit} at t = {t} s, beyond its effort of {effort} {unit}: {then}")
    }
}

/// A line per drive.
pub fn lines(found: &[Overdriven], width: usize) -> impl Iterator<Item = String> + '_ {
    found.iter().map(move |drive| format!("{WARN}{:<width$}{WARN:#} {}", "effort", drive.text()))
}
