//! What is solved of merged factors: each robot alone, all as one, or all as one but for what is each robot's own.

use super::leaf::OnError;
use super::recipe::Ready;
use crate::operations::identify::problems::Problems;
use crate::operations::identify::{JointFit, Parameter};
use crate::problem::Problem;
use jourdain::identify::{self, Factors, Individual, Member};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which robots have parameters in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Pool {
    /// None: each robot has its own
    #[default]
    None,
    /// All: they are of one model
    Model,
}

/// What robots have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Pooling {
    /// Which robots have parameters in common
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub pool: Pool,

    /// With --pool model, what each robot has for itself: `friction`, `offset`, `payload:LINK`; several with commas
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", value_delimiter = ','))]
    pub individual: Vec<String>,
}

/// The parameters of a robot, or of all.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Estimate {
    /// The robot; the model where all robots are one.
    pub robot: String,
    /// Samples that it rests on.
    pub samples: u64,
    /// Condition number of the weighted regressor with columns of unit length; null without an estimate.
    pub condition: Option<f64>,
    /// The parameters; none without an estimate.
    pub parameters: Vec<Parameter>,
    /// How the torques of each joint are met.
    pub joints: Vec<JointFit>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
    /// Why there is no estimate, if there is none.
    pub problem: Option<Fault>,
}

/// Why a robot has no estimate.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Fault {
    /// A word for the kind of fault.
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

/// A robot of a pool as it travels: what is kept of its data without stretches of time.
#[derive(Clone, Debug)]
pub struct Condensed {
    /// The factors, as bytes.
    pub factors: Vec<u8>,
    /// Per joint, how many of its samples count as one.
    pub alike: Vec<f64>,
}

impl Estimate {
    /// Of a robot that has none.
    #[must_use]
    pub fn none(robot: &str, problem: &Problem) -> Self {
        let json = problem.to_json();
        let text = |key: &str| json["error"][key].as_str().map(str::to_owned);
        let fault = Fault {
            kind: problem.kind().to_owned(),
            message: text("message").unwrap_or_default(),
            remedy: text("hint"),
        };
        Self {
            robot: robot.to_owned(),
            samples: 0,
            condition: None,
            parameters: Vec::new(),
            joints: Vec::new(),
            warnings: Vec::new(),
            problem: Some(fault),
        }
    }

    /// Of a robot all of whose logs were set aside.
    #[must_use]
    pub fn without_logs(robot: &str) -> Self {
        Self::none(robot, &Problem::new("no-logs", "all of its logs were set aside"))
    }

    /// The problem that a robot's own failure is, with its name.
    fn failed(robot: &str, problem: Problem, on_error: OnError) -> Result<Self, Problem> {
        match on_error {
            OnError::Raise => {
                let json = problem.to_json();
                let message = json["error"]["message"].as_str().unwrap_or_default();
                let named = Problem::new(problem.kind(), format!("robot `{robot}`: {message}"));
                Err(named.hints(json["error"]["hint"].as_str()).unsolved())
            }
            OnError::Collect => Ok(Self::none(robot, &problem)),
        }
    }
}

impl Pooling {
    /// What does not go together.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if self.pool == Pool::None && !self.individual.is_empty() {
            let message = "--individual says what robots of a pool have for themselves";
            return Err(Problem::usage(message).hint("--pool model"));
        }
        Ok(())
    }

    /// What each robot has for itself.
    fn individual(&self, problem: &identify::Problem) -> Result<Individual, Problem> {
        let mut individual = Individual::none(problem);
        for word in &self.individual {
            individual = match (word.as_str(), word.strip_prefix("payload:")) {
                ("friction", _) => individual.with_friction(problem),
                ("offset", _) => individual.with_offsets(problem),
                (_, Some(link)) => {
                    let at = problem.model().links().iter().position(|own| own.name == link);
                    let at = at.ok_or_else(|| Problem::usage(format!("--individual: there is no link `{link}`")))?;
                    individual.with_payload(problem, at)?
                }
                (other, None) => {
                    let message = format!("--individual: `{other}` is none of friction, offset and payload:LINK");
                    return Err(Problem::usage(message));
                }
            };
        }
        if individual.is_none() && !self.individual.is_empty() {
            let message = "--individual: the parameters that are identified have none of these";
            return Err(
                Problem::usage(message).hint("offsets are identified with --offset, friction unless --friction none")
            );
        }
        Ok(individual)
    }

    /// True if robots share some parameters and have others for themselves.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.pool == Pool::Model && !self.individual.is_empty()
    }
}

impl Ready {
    /// Merges factors, in their order.
    ///
    /// # Errors
    /// Factors that do not belong together.
    pub fn merge(&self, parts: Vec<Factors>) -> Result<Factors, Problem> {
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap_or_else(|| Factors::new(&self.problem));
        parts.try_for_each(|part| all.merge(&part))?;
        Ok(all)
    }

    /// The parameters of merged factors.
    ///
    /// # Errors
    /// Data that do not show them, unless such faults are to be collected.
    pub fn estimate(&self, robot: &str, factors: &Factors, on_error: OnError) -> Result<Estimate, Problem> {
        self.solve(robot, factors).or_else(|problem| Estimate::failed(robot, problem, on_error))
    }

    fn solve(&self, robot: &str, factors: &Factors) -> Result<Estimate, Problem> {
        let mut problems = Problems::plain(self.problem.clone());
        let mut warnings = problems.leave_out_unmeasured(factors)?;
        let estimate = identify::solve(&problems.simple, &problems.simple_factors(factors)?)?;
        let problem = &problems.simple;
        let parameters = Parameter::of(problem, &estimate.values, &estimate.deviations);
        let joints = JointFit::of(problem, &estimate.joints);
        warnings.extend(estimate.warnings);
        let (robot, samples, condition) = (robot.to_owned(), estimate.samples, Some(estimate.condition));
        Ok(Estimate { robot, samples, condition, parameters, joints, warnings, problem: None })
    }

    /// A robot as a pool needs it.
    #[must_use]
    pub fn condense(&self, robot: &str, factors: &Factors) -> Condensed {
        let Member { factors, alike, .. } = Member::new(robot.to_owned(), &self.problem, factors);
        Condensed { factors: factors.to_bytes(), alike }
    }

    /// The parameters of robots that share all but what is each robot's own.
    ///
    /// # Errors
    /// Factors that are damaged, or data that do not show the parameters.
    pub fn pooled(&self, robots: Vec<(String, Condensed)>, pooling: &Pooling) -> Result<Vec<Estimate>, Problem> {
        let member = |(name, condensed): (String, Condensed)| -> Result<Member, Problem> {
            Ok(Member { name, factors: Factors::from_bytes(&condensed.factors)?, alike: condensed.alike })
        };
        let members = robots.into_iter().map(member).collect::<Result<Vec<_>, _>>()?;
        let problem = &self.problem;
        let pool = identify::pooled(problem, &members, &pooling.individual(problem)?)?;
        let estimate = |(at, member): (usize, &Member)| Estimate {
            robot: member.name.clone(),
            samples: member.factors.samples,
            condition: Some(pool.condition),
            parameters: Parameter::of(problem, &pool.values[at], &pool.deviations[at]),
            joints: JointFit::of(problem, &pool.joints[at]),
            warnings: Vec::new(),
            problem: None,
        };
        Ok(members.iter().enumerate().map(estimate).collect())
    }
}
