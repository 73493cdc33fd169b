//! What is told beyond the estimates: torques that were left out, what is left of the others, and which parameters the data can tell.

use super::choice::Outliers;
use super::logs::{self, Asked, Gathered};
use super::problems::Problems;
use super::report::{JointFit, torque_units};
use super::show::{headed, percent, rounded, torque};
use super::{Fit, problems};
use crate::host::Host;
use crate::problem::Problem;
use crate::read::STDIN;
use crate::text::style::{FAINT, HEADING};
use jourdain::Model;
use jourdain::identify::{self, BEYOND, Bounds, Estimate, Factors, Residuals, Screen};
use schemars::JsonSchema;
use serde::Serialize;

/// Passes that leave torques out, at most.
const PASSES: u32 = 2;
/// Stretches that are told in a text.
const TOLD: usize = 6;

/// Torques that do not count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftOut {
    /// How many torques were left out.
    pub count: u64,
    /// How many of each joint.
    pub joints: Vec<JointLeftOut>,
    /// Where they are: the first stretches, in order of time.
    pub stretches: Vec<Stretch>,
    /// How often the logs were read for it.
    pub passes: u32,
}

/// Torques of a joint that do not count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointLeftOut {
    /// The joint.
    pub joint: String,
    /// How many.
    pub count: u64,
    /// Residuals beyond this do not count, N m or N; null if all do.
    pub limit: Option<f64>,
}

/// Consecutive torques that do not count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Stretch {
    /// The log.
    pub file: String,
    /// The joint.
    pub joint: String,
    /// Time of the first, s.
    pub from: f64,
    /// Time of the last, s.
    pub to: f64,
    /// How many.
    pub count: u64,
}

/// What is left of the torques of a joint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointResiduals {
    /// The joint.
    pub joint: String,
    /// Correlation of neighbouring residuals, from −1 to 1; zero if they are noise.
    pub autocorrelation: f64,
    /// The test of Ljung and Box over 20 lags, per lag: about one if residuals are noise.
    pub portmanteau: f64,
    /// True if that test finds no more than noise.
    pub white: bool,
    /// The largest residuals, with their times.
    pub largest: Vec<Peak>,
    /// `N m`, or `N` for a joint that slides.
    #[serde(skip)]
    pub unit: String,
}

/// A large residual.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Peak {
    /// Time, s.
    pub t: f64,
    /// Measured less predicted torque, N m or N.
    pub residual: f64,
}

/// The parameters that the data can tell from zero.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Essential {
    /// They, fitted without the others.
    pub parameters: Vec<EssentialParameter>,
    /// The names of those that are left out, that is zero.
    pub left_out: Vec<String>,
    /// How the torques of each joint are met by them.
    pub joints: Vec<JointFit>,
    /// Condition number of their regressor.
    pub condition: f64,
}

/// A parameter that the data can tell from zero.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EssentialParameter {
    /// `ZZR1`, `Fv2`, ….
    pub name: String,
    /// The estimate, SI.
    pub value: f64,
    /// Its standard deviation, SI.
    pub deviation: f64,
}

/// What is told beyond the estimates.
#[derive(Default)]
pub(super) struct Told {
    pub outliers: Option<LeftOut>,
    pub residuals: Option<Vec<JointResiduals>>,
    pub essential: Option<Essential>,
    pub warnings: Vec<String>,
}

/// The estimates of a fit.
pub(super) struct Found {
    pub estimate: Estimate,
    pub consistent: Option<problems::Consistent>,
}

impl Found {
    pub fn new(
        problems: &Problems,
        factors: &Factors,
        fit: Fit,
        weight: Option<f64>,
        bounds: &Bounds,
    ) -> Result<Self, Problem> {
        let estimate = identify::solve(&problems.simple, &problems.simple_factors(factors)?)?;
        let consistent = match fit {
            Fit::Consistent => Some(problems.consistent(factors, weight, bounds)?),
            Fit::Base => None,
        };
        Ok(Self { estimate, consistent })
    }

    /// The estimate that meets the torques best, and its problem.
    fn best<'a>(&'a self, problems: &'a Problems) -> (&'a identify::Problem, &'a [f64]) {
        match &self.consistent {
            Some(consistent) => (problems.best(), &consistent.best.values),
            None => (&problems.simple, &self.estimate.values),
        }
    }
}

/// Whether all data can be read once more.
pub(super) fn can_be_read_again(asked: &Asked<'_>) -> bool {
    !asked.data.is_empty() && asked.data.iter().all(|file| file != STDIN)
}

/// Leaves out torques that the estimate shows to be faults, and estimates anew. `find` makes the estimates of factors.
pub(super) fn leave_out(
    gathered: &mut Gathered,
    found: &mut Found,
    asked: &Asked<'_>,
    model: &Model<f64>,
    host: &dyn Host,
    find: impl Fn(&Problems, &Factors) -> Result<Found, Problem>,
) -> Result<Told, Problem> {
    let (mut outliers, mut warnings) = (None, Vec::new());
    for passes in 1..=PASSES {
        let best = found.best(&gathered.problems);
        let base = (&gathered.problems.simple, &found.estimate.values[..]);
        let estimates = if found.consistent.is_some() { vec![best, base] } else { vec![best] };
        let mut screen = Screen::new(&estimates, &gathered.choice);
        let (mut begins, joints) = (Vec::new(), best.0.joints());
        let needless = passes == 1 && screen.is_needless();
        let factors = if needless {
            None
        } else {
            let screen = std::cell::RefCell::new(&mut screen);
            let pass = |sample: &identify::Sample<'_>, take: &mut dyn FnMut(&identify::Sample<'_>)| {
                screen.borrow_mut().pass(sample, take);
            };
            Some(gathered.again(asked, model, host, pass, |file| {
                let mut screen = screen.borrow_mut();
                screen.restart();
                begins.push((screen.stretches().len(), file.to_owned()));
            })?)
        };
        let stretch = |(at, own): (usize, &identify::Stretch)| Stretch {
            file: begins.iter().rev().find(|(first, _)| at >= *first).map(|(_, file)| file.clone()).unwrap_or_default(),
            joint: joints[own.joint].clone(),
            from: own.from,
            to: own.to,
            count: own.count,
        };
        let own = screen.left_out().iter().zip(screen.limits()).zip(joints);
        let told = LeftOut {
            count: screen.left_out().iter().sum(),
            joints: own
                .map(|((count, limit), joint)| JointLeftOut {
                    joint: joint.clone(),
                    count: *count,
                    limit: Some(*limit).filter(|limit| limit.is_finite()),
                })
                .collect(),
            stretches: screen.stretches().iter().enumerate().map(stretch).collect(),
            passes: passes + u32::from(!needless),
        };
        warnings = screen.doubtful().iter().map(|&j| often_large(&joints[j])).collect();
        let all_count = told.count == 0;
        outliers = Some(told);
        // Nothing changes; unless what an earlier pass left out counts again.
        let Some(factors) = factors.filter(|_| !(all_count && passes == 1)) else { break };
        let better = find(&gathered.problems, &factors)?;
        (gathered.factors, *found) = (factors, better);
    }
    Ok(Told { outliers, warnings, ..Told::default() })
}

fn often_large(joint: &str) -> String {
    format!(
        "more than a tenth of the torques of joint `{joint}` are further than {BEYOND} standard deviations from the estimate: it is the model that \
         does not fit, none of them is left out"
    )
}

impl Told {
    /// What outliers are like where logs cannot be read again.
    pub fn read_once(outliers: Outliers) -> Self {
        let once = "the log is read once: outliers are not looked for, nor residuals; give it as a file, or say --outliers keep";
        let warnings = if outliers == Outliers::Drop { vec![once.to_owned()] } else { Vec::new() };
        Self { warnings, ..Self::default() }
    }

    /// Adds what is left of the torques that count, by reading the logs once more.
    pub fn add_residuals(
        &mut self,
        gathered: &Gathered,
        found: &Found,
        asked: &Asked<'_>,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let (problem, values) = found.best(&gathered.problems);
        let mut residuals = Residuals::new(problem, values);
        let limits = self.outliers.as_ref().map(|outliers| &outliers.joints);
        let limits =
            limits.map(|joints| joints.iter().map(|own| own.limit.unwrap_or(f64::INFINITY)).collect::<Vec<_>>());
        if let Some(limits) = limits {
            residuals = residuals.within(&limits);
        }
        for (file, options) in asked.data.iter().zip(&gathered.each) {
            residuals.restart();
            logs::read(file, problem.model(), asked.reading, options, host, |sample| residuals.add(sample))?;
        }
        let joint = |((own, joint), unit): ((identify::JointResiduals, &String), String)| JointResiduals {
            joint: joint.clone(),
            autocorrelation: own.autocorrelation,
            portmanteau: own.portmanteau,
            white: own.white,
            largest: own.largest.iter().map(|peak| Peak { t: peak.t, residual: peak.residual }).collect(),
            unit,
        };
        let joints = residuals.joints().into_iter().zip(problem.joints()).zip(torque_units(problem));
        self.residuals = Some(joints.map(joint).collect());
        Ok(())
    }

    /// Adds the parameters that the data can tell from zero.
    pub fn add_essential(&mut self, problems: &Problems, factors: &Factors) -> Result<(), Problem> {
        let problem = &problems.simple;
        let own = identify::essential(problem, &problems.simple_factors(factors)?)?;
        let parameter = |(at, &k): (usize, &usize)| EssentialParameter {
            name: problem.names()[k].clone(),
            value: own.values[at],
            deviation: own.deviations[at],
        };
        let left_out = (0..problem.count()).filter(|k| !own.kept.contains(k)).map(|k| problem.names()[k].clone());
        self.essential = Some(Essential {
            parameters: own.kept.iter().enumerate().map(parameter).collect(),
            left_out: left_out.collect(),
            joints: JointFit::of(problem, &own.joints),
            condition: own.condition,
        });
        Ok(())
    }
}

impl LeftOut {
    /// As people read it.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.count == 0 {
            return Vec::new();
        }
        let joints: Vec<String> = self
            .joints
            .iter()
            .filter(|joint| joint.count > 0)
            .map(|joint| format!("{} of {}", joint.count, joint.joint))
            .collect();
        let place = |stretch: &Stretch| {
            let until = if stretch.count > 1 { format!("–{}", rounded(stretch.to)) } else { String::new() };
            format!("{}{until} s ({})", rounded(stretch.from), stretch.joint)
        };
        let mut places: Vec<String> = self.stretches.iter().take(TOLD).map(place).collect();
        if self.stretches.len() > TOLD {
            places.push("…".to_owned());
        }
        vec![
            format!("outliers {} torques beyond {BEYOND} deviations are left out: {}", self.count, joints.join(", ")),
            format!("         at {}", places.join(", ")),
        ]
    }
}

/// What is left of the torques, as people read it.
pub(super) fn residual_lines(joints: &[JointResiduals]) -> Vec<String> {
    let mut rows = vec![["joint", "correlation", "per lag", "largest residuals"].map(str::to_owned).to_vec()];
    rows.extend(joints.iter().map(|own| {
        let peaks = own
            .largest
            .iter()
            .take(3)
            .map(|peak| format!("{} at {} s", torque(peak.residual, &own.unit), rounded(peak.t)));
        let peaks: Vec<String> = peaks.collect();
        let white = if own.white { " white" } else { "" };
        vec![
            own.joint.clone(),
            format!("{:.3}", own.autocorrelation),
            format!("{:.1}{white}", own.portmanteau),
            peaks.join(", "),
        ]
    }));
    [String::new(), format!("{HEADING}residuals{HEADING:#}")].into_iter().chain(headed(&rows)).collect()
}

impl Essential {
    /// As people read it.
    pub(super) fn line(&self) -> Option<String> {
        if self.left_out.is_empty() {
            return None;
        }
        let (kept, all) = (self.parameters.len(), self.parameters.len() + self.left_out.len());
        let errors: Vec<String> = self.joints.iter().map(|joint| percent(joint.relative_error)).collect();
        Some(format!(
            "{FAINT}essential: {kept} of {all} parameters can be told from zero; with these alone torques are met to {}{FAINT:#}",
            errors.join(", ")
        ))
    }
}
