//! `identify --gains`: what measured currents have to be multiplied by to be torques.

use super::logs::Gathered;
use super::report::{Log, Report};
use super::show::{headed, log_lines, percent, rounded};
use super::{Request, payload};
use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::identify::{self, Recorded, Scale};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "clap")]
const TITLE: &str = "Drive gains";

/// A gain whose deviation is more than this share of it is hardly known.
const UNCERTAIN: f64 = 0.1;

/// How drive gains are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Currents {
    /// The torque columns are motor currents: find what each has to be multiplied by
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = TITLE))]
    pub gains: bool,

    /// Mass of the load at --payload LINK, which sets the scale of the gains
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KG", help_heading = TITLE, allow_negative_numbers = true))]
    pub payload_mass: Option<f64>,

    /// Mass of the robot, all links together, which sets the scale; the links are as in the robot file, scaled to it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KG", help_heading = TITLE, allow_negative_numbers = true))]
    pub robot_mass: Option<f64>,
}

/// Drive gains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoundGains {
    /// The robot's name.
    pub robot: String,
    /// Samples of all logs.
    pub samples: u64,
    /// Joint by joint.
    pub gains: Vec<Gain>,
    /// What set the scale.
    pub scale: KnownMass,
    /// Centre of mass of the load in the frame of its link, m; null without a load.
    pub payload_center: Option<[f64; 3]>,
    /// The logs with the scale.
    pub logs: Vec<Log>,
    /// The logs without the load.
    pub empty_logs: Vec<Log>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
}

/// The gain of a drive.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Gain {
    /// The joint, numbered where it has several degrees of freedom.
    pub joint: String,
    /// N m or N at the joint per unit of the log.
    pub value: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// What is left of the current, over the current.
    pub relative_error: f64,
}

/// A mass that was given.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct KnownMass {
    /// The link that carries it; null if it is that of the robot.
    pub link: Option<String>,
    /// kg.
    pub mass: f64,
    /// True if links and rotors of the robot file were taken as known.
    pub robot_known: bool,
}

/// What makes no sense without `gains`.
pub(super) fn refuse_without(currents: &Currents) -> Result<(), Problem> {
    let given = [("--payload-mass", currents.payload_mass), ("--robot-mass", currents.robot_mass)];
    match given.into_iter().find(|(_, mass)| mass.is_some()) {
        Some((option, _)) if !currents.gains => {
            let message = format!("{option} sets the scale of drive gains, which are not asked for");
            Err(Problem::usage(message).hint("--gains; a load that is known is --payload LINK=MASS"))
        }
        _ => Ok(()),
    }
}

/// Finds drive gains.
pub(super) fn run(request: &Request, link: Option<&str>, robot: &Robot, host: &dyn Host) -> Result<Report, Problem> {
    check(request, link)?;
    let model = request.snap.apply(payload::known(request, robot, host)?)?;
    request.snap.note(&model, host);
    let scale = match (link, request.currents.payload_mass, request.currents.robot_mass) {
        (Some(link), Some(mass), None) => Scale::Payload { link: payload::find(&model, link)?, mass },
        (None, None, Some(mass)) => Scale::Robot { mass },
        (Some(_) | None, Some(_) | None, Some(_) | None) => return Err(no_scale(link)),
    };
    let (own, other) = payload::sources(request);
    let loaded = payload::gather(request, &model, &own, host)?;
    let empty = other.map(|data| payload::gather(request, &model, &data, host)).transpose()?;
    let best = |gathered: &Gathered| gathered.factors.select(&gathered.problems.wide, gathered.problems.best());
    let (own_factors, other_factors) = (best(&loaded)?, empty.as_ref().map(best).transpose()?);
    let problem = loaded.problems.best();
    let first = Recorded { problem, factors: &own_factors };
    let without = empty.as_ref().zip(other_factors.as_ref());
    let without = without.map(|(empty, factors)| Recorded { problem: empty.problems.best(), factors });
    let weight = request.consistency.weight()?.unwrap_or(identify::PRIOR_WEIGHT);
    let found = identify::gains(scale, first, without, weight);
    let found =
        found.map_err(|error| own.iter().take(1).fold(Problem::from(error), |problem, file| problem.file(file)))?;
    let gain = |((joint, gain), left): ((&String, &identify::Measured), &f64)| Gain {
        joint: joint.clone(),
        value: gain.value,
        deviation: gain.deviation,
        relative_error: *left,
    };
    let gains: Vec<Gain> = problem.joints().iter().zip(&found.gains).zip(&found.left).map(gain).collect();
    let (Scale::Payload { mass, .. } | Scale::Robot { mass }) = scale;
    let report = Report::Gains(Box::new(FoundGains {
        robot: model.name().to_owned(),
        samples: found.samples,
        warnings: gains.iter().filter_map(Gain::warning).collect(),
        gains,
        scale: KnownMass { link: link.map(str::to_owned), mass, robot_known: empty.is_none() },
        payload_center: found.payload.map(|pi| std::array::from_fn(|axis| pi[1 + axis] / pi[0])),
        logs: loaded.logs,
        empty_logs: empty.map(|empty| empty.logs).unwrap_or_default(),
    }));
    request.keep(&report, None, host)?;
    Ok(report)
}

/// Why nothing fixes the scale.
fn no_scale(link: Option<&str>) -> Problem {
    let message = "nothing fixes the scale of the gains: gains and masses may all be multiplied by one number and the \
                   currents are the same";
    let hint = match link {
        Some(_) => "--payload-mass KG, what the link carries in the log; not together with --robot-mass",
        None => {
            "--payload LINK --payload-mass KG with a log of a load of known mass, or --robot-mass KG for a robot whose \
             file has the right proportions"
        }
    };
    Problem::new("no-scale", message).hint(hint)
}

/// What does not go together.
fn check(request: &Request, link: Option<&str>) -> Result<(), Problem> {
    let given = [
        ("--merge", !request.merge.is_empty()),
        ("--factors", request.factors.is_some()),
        ("--shard", request.shard.is_some()),
        ("--plot", request.plot.is_some()),
        ("--validate", request.validate.is_some()),
        ("--out", request.out.is_some()),
        ("--poses", request.load.poses.is_some()),
        ("--at-rest", request.load.at_rest),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let hint = "multiply the currents by the gains, then identify from the torques";
        return Err(Problem::usage(format!("{option} does not go with --gains")).hint(hint));
    }
    if link.is_none() {
        payload::refuse_without_link(&request.load)?;
    }
    ending::check([(&ending::REPORT, request.report.as_deref())])?;
    if request.data.is_empty() {
        return Err(Problem::usage("there is no log to find gains from").hint("--data LOG.csv"));
    }
    request.check_reading()
}

impl Gain {
    fn warning(&self) -> Option<String> {
        let share = self.deviation / self.value.abs();
        (share > UNCERTAIN).then(|| {
            let joint = &self.joint;
            format!("the gain of joint `{joint}` is known to {} only: the logs hardly fix its scale", percent(share))
        })
    }
}

impl FoundGains {
    /// As people read it.
    pub(super) fn text(&self) -> String {
        let Self { robot, samples, scale, .. } = self;
        let mut lines = vec![format!("{HEADING}{robot}{HEADING:#}: drive gains from {samples} samples")];
        lines.extend(self.logs.iter().flat_map(log_lines));
        if !self.empty_logs.is_empty() {
            lines.push(format!("{FAINT}without the load{FAINT:#}"));
            lines.extend(self.empty_logs.iter().flat_map(log_lines));
        }
        let mass = rounded(scale.mass);
        let known = if scale.robot_known { "; links and rotors are those of the robot file" } else { "" };
        lines.push(match &scale.link {
            Some(link) => format!("scale    {mass} kg at link `{link}`{known}"),
            None => format!("scale    {mass} kg, the links of the robot together{known}"),
        });
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        lines.push(String::new());
        let mut rows = vec![["joint", "gain", "deviation", "relative", "current left"].map(str::to_owned).to_vec()];
        rows.extend(self.gains.iter().map(|gain| {
            let share = percent(gain.deviation / gain.value.abs());
            vec![gain.joint.clone(), rounded(gain.value), rounded(gain.deviation), share, percent(gain.relative_error)]
        }));
        lines.extend(headed(&rows));
        lines.push(format!("{FAINT}N m or N at the joint per unit of the log{FAINT:#}"));
        if let Some([x, y, z]) = self.payload_center {
            lines.push(format!("centre of mass of the load {}, {}, {} m", rounded(x), rounded(y), rounded(z)));
        }
        lines.join("\n")
    }
}
