//! What makes one motion better than another: the criterion, and the parameters that it is about.

use crate::problem::Problem;
use jourdain::formats::suggest;
use jourdain::identify;
use jourdain::identify::excite::{Criterion, Excitation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an exciting motion is to be good at.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Aim {
    /// What is made small; `deviation` if --parameters are given, else `condition`
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub criterion: Option<By>,

    /// Parameters whose expected deviation counts, such as ZZR1
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ','))]
    pub parameters: Vec<String>,

    /// Noise of the torques for expected deviations, as a share of the effort limits
    #[serde(default = "noise")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = noise(), allow_negative_numbers = true))]
    pub noise: f64,
}

fn noise() -> f64 {
    0.01
}

/// A criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The condition number of the base regressor
    Condition,
    /// The volume of what the parameters may be
    DOptimal,
    /// The geometric mean of the expected deviations of --parameters, or of all
    Deviation,
}

/// How good the motion is by its criterion; less is better.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Judgement {
    /// The criterion.
    pub name: By,
    /// Of the motion that was found: the condition number, or a geometric mean of expected deviations, SI.
    pub value: f64,
    /// Median of random motions in the same limits.
    pub random: f64,
    /// Of the motion that was given to start from, fitted into the limits; null without one.
    pub given: Option<f64>,
}

/// How well a parameter will be known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Expected {
    /// `ZZR1`, `Fv2`, ….
    pub name: String,
    /// Standard deviation from one period, SI, with errors that are independent from sample to sample.
    pub deviation: f64,
}

impl Aim {
    /// The criterion by name.
    pub(super) fn by(&self) -> By {
        let usual = if self.parameters.is_empty() { By::Condition } else { By::Deviation };
        self.criterion.unwrap_or(usual)
    }

    /// The criterion of the library.
    pub(super) fn criterion(&self, problem: &identify::Problem) -> Result<Criterion, Problem> {
        let by = self.by();
        if by != By::Deviation && !self.parameters.is_empty() {
            return Err(Problem::usage("parameters are chosen for their deviation alone").hint("--criterion deviation"));
        }
        if !(self.noise > 0.0 && self.noise.is_finite()) {
            return Err(Problem::usage("--noise is a number above zero"));
        }
        let unknown = |name: &String| {
            problem.names().iter().position(|known| known == name).ok_or_else(|| {
                let known: Vec<&str> = problem.names().iter().map(String::as_str).collect();
                let message = format!("`{name}` is no parameter that is identified: {}", known.join(", "));
                Problem::new("unknown-parameter", message).hint(suggest::hint(name, &known))
            })
        };
        Ok(match by {
            By::Condition => Criterion::Condition,
            By::DOptimal => Criterion::Determinant,
            By::Deviation => Criterion::Deviation(self.parameters.iter().map(unknown).collect::<Result<_, _>>()?),
        })
    }

    /// From noise as large as the limits and one sample to the noise and samples that there will be.
    fn scale(&self, samples: f64) -> f64 {
        self.noise / samples.max(1.0).sqrt()
    }

    pub(super) fn judged(&self, found: &Excitation, samples: f64) -> Judgement {
        let name = self.by();
        let scale = if name == By::Condition { 1.0 } else { self.scale(samples) };
        Judgement {
            name,
            value: scale * found.quality.criterion,
            random: scale * found.random_criterion,
            given: found.given_criterion.map(|given| scale * given),
        }
    }

    pub(super) fn expected(&self, problem: &identify::Problem, found: &Excitation, samples: f64) -> Vec<Expected> {
        let scale = self.scale(samples);
        let one = |(name, deviation): (&String, &f64)| Expected { name: name.clone(), deviation: scale * deviation };
        problem.names().iter().zip(&found.quality.deviations).map(one).collect()
    }
}

impl By {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Condition => "condition number of the base regressor",
            Self::DOptimal => "geometric mean of the axes of expected deviations",
            Self::Deviation => "geometric mean of expected deviations",
        }
    }
}
