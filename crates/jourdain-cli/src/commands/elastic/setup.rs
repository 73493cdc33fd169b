//! What the commands for elastic robots have in common: robot, law, poles, reference.

use super::super::trajectory::read_motion;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use clap::ValueEnum;
use jourdain::Model;
use jourdain::elastic::control::{Kind, Pole};
use jourdain::elastic::{ElasticError, ElasticModel};
use jourdain::prescribed::{Cosine, Curve, PrescribedMotion};
use std::f64::consts::FRAC_PI_2;

/// The built-in references that fit any robot.
const WAVES: &str = "waves";
const HOLD: &str = "hold";

/// Control laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Law {
    /// Exact feedback linearisation
    Linearising,
    /// Flatness feed-forward and PD on the motors
    Feedforward,
    /// Computed torque as if the joints were rigid
    ComputedTorque,
    /// No torque
    None,
}

impl Law {
    pub fn kind(self) -> Kind {
        match self {
            Self::Linearising => Kind::Linearising,
            Self::Feedforward => Kind::Feedforward,
            Self::ComputedTorque => Kind::ComputedTorque,
            Self::None => Kind::None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Linearising => "linearising",
            Self::Feedforward => "feedforward",
            Self::ComputedTorque => "computed-torque",
            Self::None => "none",
        }
    }
}

/// Options of every command that closes a loop.
#[derive(Debug, clap::Args)]
pub struct Loop {
    /// Control law
    #[arg(long, short, default_value = "linearising")]
    pub controller: Law,

    /// What the links are to do: JSON file, CSV file of samples, the JSON itself, or a built-in name
    #[arg(long, short, value_name = "FILE|JSON|NAME", default_value = WAVES)]
    pub trajectory: String,

    /// Standard deviation of the Gaussian that smooths samples, s
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub smoothing: Option<f64>,

    /// Error poles as decay rates, 1/s: one for all, or four, such as 8+3i,8-3i,12,12
    #[arg(long, value_name = "RATES", value_delimiter = ',', default_value = "12", allow_hyphen_values = true)]
    pub poles: Vec<String>,

    /// How far the links start off the reference, q_d - q, as a JSON list; without it on the reference
    #[arg(long, value_name = "JSON")]
    pub offset: Option<String>,

    /// Time to simulate, s; without it the length of the trajectory
    #[arg(long, short, value_name = "S", allow_negative_numbers = true)]
    pub duration: Option<f64>,

    /// Step length, s
    #[arg(long, value_name = "S", default_value_t = 1e-3, allow_negative_numbers = true)]
    pub step: f64,
}

/// A loop as the options describe it.
pub struct Setup {
    pub elastic: ElasticModel<f64>,
    pub motion: PrescribedMotion,
    pub poles: [Pole; 4],
    pub offset: Vec<f64>,
    pub duration: f64,
}

impl Loop {
    pub fn read(&self, robot: &str, output: &Output) -> Result<Setup, Failure> {
        let elastic = load(robot, output)?;
        let model = elastic.model();
        let motion = match self.trajectory.as_str() {
            WAVES => waves(model),
            HOLD => hold(model),
            given => read_motion(given, self.smoothing, model)?,
        };
        let offset = match &self.offset {
            Some(text) => read_list("offset", text, model)?,
            None => vec![0.0; model.nv()],
        };
        let duration = self.duration.unwrap_or(motion.end - motion.start);
        let poles = read_poles(&self.poles)?;
        if elastic.is_damped() && self.controller == Law::Linearising {
            output.note("note: the springs have damping, which the exact linearisation leaves out");
        }
        Ok(Setup { poles, offset, duration, motion, elastic })
    }
}

/// A robot that has elastic joints.
pub fn load(robot: &str, output: &Output) -> Result<ElasticModel<f64>, Failure> {
    let model = input::load_robot(robot, output)?;
    ElasticModel::new(&model).map_err(|error| failure(&error))
}

pub fn failure(error: &ElasticError) -> Failure {
    let failure = Failure::new(error.kind(), error.to_string());
    let failure = match error {
        ElasticError::NoElasticJoint { .. } => failure
            .hint("a motor with a `stiffness` makes a joint elastic; planar2r_elastic and iiwa14_elastic are built in"),
        ElasticError::Quaternions { .. } => {
            failure.hint("fix the base to the ground, or write the joint as a chain of joints with one number each")
        }
        ElasticError::Singular { .. } => failure.hint("`jourdain check` names massless links that make it so"),
        ElasticError::Integration(_) => {
            failure.hint("the loop may be unstable: try slower --poles or another --controller; or a smaller --step")
        }
        _ => failure,
    };
    if error.is_breakdown() { failure.unsolved() } else { failure }
}

/// q_i = 0.4 sin(2 t + i) for 2 s.
fn waves(model: &Model<f64>) -> PrescribedMotion {
    let wave = |i: usize| Curve::Cosines {
        offset: 0.0,
        terms: vec![Cosine { amplitude: 0.4, frequency: 2.0, phase: i as f64 - FRAC_PI_2 }],
    };
    PrescribedMotion { joints: (0..model.nv()).map(wave).collect(), loads: Vec::new(), start: 0.0, end: 2.0 }
}

/// Rest at zero for 2 s.
fn hold(model: &Model<f64>) -> PrescribedMotion {
    let joints = vec![Curve::Polynomial(vec![0.0]); model.nv()];
    PrescribedMotion { joints, loads: Vec::new(), start: 0.0, end: 2.0 }
}

/// A JSON list with a number per joint.
pub fn read_list(what: &'static str, text: &str, model: &Model<f64>) -> Result<Vec<f64>, Failure> {
    let list: Vec<f64> = serde_json::from_str(text).map_err(|error| {
        Failure::new("bad-list", format!("`{text}` is not a list of numbers: {error}"))
            .hint(format!("write it as JSON: --{what} '[0.1, -0.2]'"))
    })?;
    let expected = model.nv();
    if list.len() != expected {
        let message = format!("the {what} has {} numbers, but {} has {expected} joints", list.len(), model.name());
        return Err(Failure::new("wrong-length", message));
    }
    Ok(list)
}

/// One rate for all four poles, or four of them.
fn read_poles(given: &[String]) -> Result<[Pole; 4], Failure> {
    let poles = given.iter().map(|text| read_pole(text)).collect::<Result<Vec<Pole>, _>>()?;
    match poles[..] {
        [one] => Ok([one; 4]),
        [a, b, c, d] => Ok([a, b, c, d]),
        _ => Err(Failure::usage(format!("{} poles: give one for all or four", poles.len()))),
    }
}

/// `a`, `a+bi` or `a-bi`: the pole at −a ∓ bi.
fn read_pole(text: &str) -> Result<Pole, Failure> {
    let wrong =
        || Failure::usage(format!("`{text}` is not a decay rate")).hint("write --poles 12, or --poles 8+3i,8-3i,12,12");
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
}
