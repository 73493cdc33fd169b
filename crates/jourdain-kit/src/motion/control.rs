//! What drives a system, as a request says it: a law, what the law follows, and what stands between the two.

use crate::host::Host;
use crate::operations::trajectory::{motion_problem, read_motion};
use crate::problem::Problem;
use crate::sources;
use crate::states::read_start;
use jourdain::Model;
use jourdain::elastic::control::Pole;
use jourdain::prescribed::{Cosine, Curve, PrescribedMotion};
use jourdain::simulate::{Gains, Law, LawRequest, Learned, Reference, System, Torque, Wrappers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// The built-in motion q_i = 0.4 sin(2 t + i) for 2 s, which fits any robot.
pub const WAVES: &str = "waves";
/// The built-in rest at zero for 2 s.
pub const HOLD: &str = "hold";

/// A law and its surroundings.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Control"))]
pub struct Control {
    /// Control law; without it the torques given
    #[serde(default)]
    #[schemars(extend("enum" = names_or_null()))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LAW", value_parser = clap::builder::PossibleValuesParser::new(Law::NAMES)))]
    pub law: Option<String>,

    /// What the joints are to do: JSON file, CSV file of samples, the JSON itself, or waves, hold, mueller-kumar
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON|NAME"))]
    pub trajectory: Option<String>,

    /// Standard deviation of the Gaussian that smooths samples of a trajectory, s
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", allow_negative_numbers = true))]
    pub smoothing: Option<f64>,

    /// Where the joints are to rest instead of following a trajectory: a state, or its q alone
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON", conflicts_with = "trajectory"))]
    pub goal: Option<String>,

    /// Gains on the error: one for all joints, or one per joint, N m/rad; 1/s² for computed torque
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GAINS", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub kp: Vec<f64>,

    /// Gains on its rate, N m s/rad; 1/s for computed torque
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GAINS", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub kd: Vec<f64>,

    /// Gains of strain feedback on each link's tip deflection, N
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GAINS", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub strain: Vec<f64>,

    /// Gains of strain feedback on its rate, N s
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GAINS", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub strain_rate: Vec<f64>,

    /// Error poles of the exact linearisation as decay rates, 1/s: one for all, or four, such as 8+3i,8-3i,12,12; without them 10
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATES", value_delimiter = ',', allow_hyphen_values = true))]
    pub poles: Vec<String>,

    /// Slope of adaptive control, the rate at which errors die out on its sliding surface, 1/s
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "RATES", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub slope: Vec<f64>,

    /// How fast adaptive control learns: one number for all parameters, or one per parameter
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GAINS", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub adaptation: Vec<f64>,

    /// Which parameters adaptive control learns
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub learn: Learn,

    /// The robot that the law takes this one for; without it the law knows it exactly
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROBOT"))]
    pub nominal: Option<String>,

    /// Cut torques at the largest that each drive can give, `effort` in the robot file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub saturate: bool,

    /// Let a law ask more of the drives of elastic joints than their `effort`
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "saturate"))]
    pub ignore_effort: bool,

    /// Sample the law at this frequency and hold its torque in between, Hz
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub sample: Option<f64>,

    /// Standard deviations of measured positions and velocities, rad and rad/s (m, m/s); one number stands for both
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "POSITION[,VELOCITY]", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub noise: Vec<f64>,

    /// Resolution of measured positions, rad or m
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEP", allow_negative_numbers = true))]
    pub resolution: Option<f64>,

    /// Seed of the noise
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub seed: u64,
}

fn names_or_null() -> Vec<Option<&'static str>> {
    Law::NAMES.into_iter().map(Some).chain([None]).collect()
}

/// Which parameters adaptive control learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Learn {
    /// The base parameters: as few as determine the motion
    #[default]
    Base,
    /// All standard parameters of all links and drives
    Standard,
}

/// What a law follows; the library's [`Reference`] borrows from it.
#[derive(Clone, Debug)]
pub enum Followed {
    /// A motion.
    Motion(PrescribedMotion),
    /// Rest at these positions.
    Rest(Vec<f64>),
}

impl Followed {
    /// As the library takes it.
    #[must_use]
    pub fn reference(&self) -> Reference<'_> {
        match self {
            Self::Motion(motion) => Reference::Motion(motion),
            Self::Rest(q) => Reference::Rest(q.clone()),
        }
    }

    /// Its length, s; rest has none.
    #[must_use]
    pub fn duration(&self) -> Option<f64> {
        match self {
            Self::Motion(motion) => Some(motion.end - motion.start),
            Self::Rest(_) => None,
        }
    }
}

impl Control {
    /// The law of a system: the host's, or the one that the request names, given the torques beside it.
    ///
    /// # Errors
    /// No such law, two of them, torques beside a law that makes its own, none where some are needed, poles that are none.
    pub fn law(&self, torque: Torque, system: &dyn System, host: &dyn Host) -> Result<Law, Problem> {
        let given = torque != Torque::None;
        if let Some(law) = host.law(system) {
            let beside = [("law", self.law.is_some()), ("nominal", self.nominal.is_some()), ("torque", given)];
            return match beside.into_iter().find(|(_, given)| *given) {
                Some((name, _)) => {
                    let problem = Problem::usage(format!("the law is a function, which takes no `{name}` beside it"));
                    Err(problem.hint(format!("leave out `{name}`, or the function")))
                }
                None => Ok(law),
            };
        }
        self.named_law(torque, given)
    }

    fn named_law(&self, torque: Torque, given: bool) -> Result<Law, Problem> {
        let Some(name) = &self.law else { return Ok(torque.into()) };
        let request = LawRequest {
            torque,
            gains: Gains { position: self.kp.clone(), velocity: self.kd.clone() },
            strain: Gains { position: self.strain.clone(), velocity: self.strain_rate.clone() },
            poles: if self.poles.is_empty() { None } else { Some(read_poles(&self.poles)?) },
            slope: self.slope.clone(),
            adaptation: self.adaptation.clone(),
            learned: match self.learn {
                Learn::Base => Learned::Base,
                Learn::Standard => Learned::Standard,
            },
        };
        let law = request.law(name)?;
        if given && law.open_loop().is_none() {
            let problem = Problem::usage(format!("the law `{name}` makes its own torques"));
            return Err(problem.hint("leave out --torque and tau, or the law"));
        }
        Ok(law)
    }

    /// What the law of a robot is to follow, if anything is said.
    ///
    /// # Errors
    /// A trajectory or a goal that cannot be read or does not fit.
    pub fn followed(&self, model: &Model<f64>, host: &dyn Host) -> Result<Option<Followed>, Problem> {
        if let Some(goal) = &self.goal {
            let goal = read_start(Some(goal), model, host)?;
            return Ok(Some(Followed::Rest(goal.q)));
        }
        let Some(given) = self.trajectory.as_deref() else { return Ok(None) };
        named_motion(given, self.smoothing, model, host).map(|motion| Some(Followed::Motion(motion)))
    }

    /// What stands between law and system.
    ///
    /// # Errors
    /// More than two deviations.
    pub fn wrappers(&self) -> Result<Wrappers, Problem> {
        let noise = match self.noise[..] {
            [] => None,
            [both] => Some([both; 2]),
            [position, velocity] => Some([position, velocity]),
            _ => return Err(Problem::usage("noise has one or two deviations").hint("--noise 0.001,0.01")),
        };
        Ok(Wrappers {
            saturate: self.saturate,
            frequency: self.sample,
            noise,
            resolution: self.resolution,
            seed: self.seed,
        })
    }
}

/// A motion that fits any robot, or one that is read.
///
/// # Errors
/// It cannot be read, or is none for this robot.
pub fn named_motion(
    given: &str,
    smoothing: Option<f64>,
    model: &Model<f64>,
    host: &dyn Host,
) -> Result<PrescribedMotion, Problem> {
    match any_motion(given, model.nv()) {
        // A quaternion is no curve: a robot with a free or spherical joint is refused by that name.
        Some(motion) => motion.checked(model).map_err(|error| motion_problem(&error, None)),
        None => read_motion(given, smoothing, model, host),
    }
}

/// The built-in motion of that name, for so many joints.
#[must_use]
pub fn any_motion(name: &str, count: usize) -> Option<PrescribedMotion> {
    // q_i = 0.4 sin(2 t + i)
    let wave = |i: usize| Curve::Cosines {
        offset: 0.0,
        terms: vec![Cosine { amplitude: 0.4, frequency: 2.0, phase: i as f64 - FRAC_PI_2 }],
    };
    let joints = match name {
        WAVES => (0..count).map(wave).collect(),
        HOLD => vec![Curve::Polynomial(vec![0.0]); count],
        _ => return None,
    };
    Some(PrescribedMotion { joints, loads: Vec::new(), start: 0.0, end: 2.0 })
}

/// One rate for all four poles, or four of them.
///
/// # Errors
/// Another number of them, or what is no decay rate.
pub fn read_poles(given: &[String]) -> Result<[Pole; 4], Problem> {
    let poles = given.iter().map(|text| read_pole(text)).collect::<Result<Vec<Pole>, _>>()?;
    match poles[..] {
        [one] => Ok([one; 4]),
        [a, b, c, d] => Ok([a, b, c, d]),
        _ => Err(Problem::usage(format!("{} poles: give one for all or four", poles.len()))),
    }
}

/// `a`, `a+bi` or `a-bi`: the pole at −a ∓ bi.
fn read_pole(text: &str) -> Result<Pole, Problem> {
    let wrong =
        || Problem::usage(format!("`{text}` is not a decay rate")).hint("write --poles 12, or --poles 8+3i,8-3i,12,12");
    let text = text.trim();
    if let Ok(rate) = text.parse::<f64>() {
        return if rate > 0.0 && rate.is_finite() { Ok([-rate, 0.0]) } else { Err(wrong()) };
    }
    let body = text.strip_suffix('i').ok_or_else(wrong)?;
    // The sign between the parts is the last that does not belong to an exponent.
    let split = body
        .char_indices()
        .rev()
        .find(|&(at, c)| at > 0 && matches!(c, '+' | '-') && !matches!(body.as_bytes()[at - 1], b'e' | b'E'));
    let (at, _) = split.ok_or_else(wrong)?;
    let (re, im) = (body[..at].parse::<f64>().map_err(|_| wrong())?, body[at..].parse::<f64>().map_err(|_| wrong())?);
    if re > 0.0 && re.is_finite() && im.is_finite() { Ok([-re, -im]) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poles_are_read_as_decay_rates() {
        let pole = |text: &str| read_pole(text).ok();
        assert_eq!(pole("12"), Some([-12.0, 0.0]));
        assert_eq!(pole("8+3i"), Some([-8.0, -3.0]));
        assert_eq!(pole("1e1-2.5e-1i"), Some([-10.0, 0.25]));
        for bad in ["", "-12", "i", "3i", "0", "a+bi", "NaN", "1+i"] {
            assert_eq!(pole(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_law_of_the_library_can_be_asked_for_by_its_name() {
        for name in Law::NAMES {
            let control = Control { law: Some(name.to_owned()), ..Control::default() };
            let torque = match name {
                "constant" => Torque::Constant(vec![1.0]),
                "table" => continue, // A table comes from a file.
                _ => Torque::None,
            };
            assert_eq!(control.named_law(torque, false).map(|law| law.name()).ok(), Some(name));
        }
    }

    #[test]
    fn torques_beside_a_law_that_makes_its_own_are_refused() {
        let control = Control { law: Some("pd".to_owned()), ..Control::default() };
        assert_eq!(control.named_law(Torque::Constant(vec![1.0]), true).unwrap_err().kind(), "usage");
    }
}
