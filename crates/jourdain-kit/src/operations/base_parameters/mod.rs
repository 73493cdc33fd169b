//! `base-parameters`: the smallest set of parameters with the same equations of motion.

mod report;
mod show;

pub use report::{BaseParameter, JointEffect, Method, Regrouped, Report, SnapReport};

use crate::host::Host;
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::snap::{SEED, Snap};
use jourdain::Model;
use jourdain::dynamics::closed_form;
use jourdain::model::Coordinate;
use jourdain::parameters::names::{Name, frame_columns, standard_names};
use jourdain::parameters::rank::{SingularValues, singular_values};
use jourdain::parameters::symbolic::SymbolicRegrouping;
use jourdain::parameters::{
    BaseParameters, Effect, Relation, base_columns, effect, eliminations, exact_rank, relations, symbolic_relations,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most links: the regrouping matrix grows with their square.
const MOST_LINKS: usize = 1000;

/// Show the base parameters of a robot: kept, regrouped into what, without effect
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Ten parameters per link, m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ (inertia about the link origin), and \
                      those of the drives. Moving links are numbered from 1. XXR3 is XX3 with others regrouped into it.\n\
                      The count is found from the geometry alone, for any tree, and beside it the rank of the regressor: \
                      exactly, modulo another prime, and in floating point with the gap of its singular values."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Coefficients as formulas in the lengths: D3, R4
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub symbolic: bool,

    /// Print the relations as LaTeX
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub latex: bool,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

/// What only the text tells.
#[derive(Clone, Debug)]
struct Shown {
    robot: String,
    /// Standard parameters of links that are more than a frame.
    standard: usize,
    /// What is not kept of those: regrouped, or without effect if it goes nowhere.
    eliminated: Vec<Regrouped>,
    /// True if a rule is one of Gautier and Khalil.
    cites: bool,
    /// Random states that the numeric rank is over.
    states: usize,
    is_symbolic: bool,
    as_latex: bool,
}

impl Operation for Request {
    const NAME: &'static str = "base-parameters";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let model = self.snap.apply(self.robot.load(host)?)?;
        if model.links().len() > MOST_LINKS {
            let count = model.links().len();
            let message = format!("{} has {count} links; base-parameters takes at most {MOST_LINKS}", model.name());
            let hint = "`jourdain info` counts the base parameters of robots of any size";
            return Err(self.robot.blame(Problem::new("too-large", message).hint(hint)));
        }
        if let Some((link, _)) = model.shafts().next() {
            let message = format!(
                "base parameters have no columns for the shaft of `{}`, which turns with several joints of {}",
                link.joint_name,
                model.name()
            );
            let hint = "take the shaft out of the robot file: the rest has base parameters";
            return Err(self.robot.blame(Problem::new("shaft", message).hint(hint)));
        }
        let base = BaseParameters::new(&model);
        let symbolic = if self.symbolic { self.symbolic(&model, &base, host)? } else { None };
        let values = base.values(&closed_form::parameters(&model));
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let message = format!("{} of {} is too large for a number", base.labels()[base.kept()[at]], model.name());
            return Err(self.robot.blame(Problem::new("not-finite", message)));
        }
        for notice in base.notices() {
            host.remark(notice.to_string());
        }
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let report = self.report(&model, &base, &values, symbolic);
        self.confirmed(report)
    }
}

impl Request {
    /// A count that the exact rank contradicts is no result.
    fn confirmed(&self, report: Report) -> Result<Report, Problem> {
        match report.exact_rank {
            Some(rank) if rank != report.count => {
                let message = format!(
                    "the structure of {} gives {} base parameters, but the rank of its regressor modulo a prime is {rank}",
                    report.shown.robot, report.count
                );
                let hint = "this is a fault of jourdain; please report it with the robot";
                Err(self.robot.blame(Problem::new("count-contradicted", message).hint(hint).unsolved()))
            }
            _ => Ok(report),
        }
    }

    /// The relations with formulas for coefficients, if they can be read.
    fn symbolic(
        &self,
        model: &Model<f64>,
        base: &BaseParameters,
        host: &dyn Host,
    ) -> Result<Option<Vec<Relation>>, Problem> {
        if model.has_mimic() {
            let message = format!("{} has coupled joints, whose regrouping has no formulas", model.name());
            let problem = Problem::new("coupled-joints", message).hint("leave out --symbolic").unsolved();
            return Err(self.robot.blame(problem));
        }
        let found = SymbolicRegrouping::new(model);
        let relations = found.as_ref().and_then(|found| symbolic_relations(model, base, found));
        if relations.is_none() {
            let why = match found {
                None => "the formulas grow beyond reading",
                Some(_) => "with free lengths other parameters are kept",
            };
            host.remark(format!("{why}; coefficients are numbers"));
        }
        Ok(relations)
    }

    fn report(
        &self,
        model: &Model<f64>,
        base: &BaseParameters,
        values: &[f64],
        symbolic: Option<Vec<Relation>>,
    ) -> Report {
        let (names, frames) = (standard_names(model), frame_columns(model));
        let name = |column: &usize| names[*column].text();
        let count = base.count();
        let numeric = singular_values(model, SEED);
        let confirmed = numeric.as_ref().is_none_or(|values| values.confirm(count));
        let effect = effect(model, base, SEED);
        let eliminated: Vec<(usize, Regrouped)> = eliminations(model, base)
            .iter()
            .map(|it| {
                let to = it.to.iter().map(name).collect();
                (it.column, Regrouped { name: name(&it.column), to, why: it.reason.to_string() })
            })
            .collect();
        let shown = Shown {
            robot: model.name().to_owned(),
            standard: frames.iter().filter(|is_frame| !**is_frame).count(),
            cites: eliminated.iter().any(|(_, it)| it.why.starts_with("GK")),
            eliminated: eliminated.iter().filter(|(column, _)| !frames[*column]).map(|(_, it)| it.clone()).collect(),
            states: numeric.as_ref().map_or(0, |numeric| numeric.states),
            is_symbolic: symbolic.is_some(),
            as_latex: self.latex,
        };
        let parameter = |(Relation { name, formula, latex }, &value): (Relation, &f64)| BaseParameter {
            name,
            formula,
            latex,
            value,
        };
        let relations = symbolic.unwrap_or_else(|| relations(model, base));
        let weak = relations.iter().enumerate().filter(|&(k, _)| effect.is_weak(k, values[k]));
        Report {
            count,
            doubt: numeric.as_ref().filter(|_| !confirmed).map(|values| doubt(values, count)),
            snap: snap_report(model, base, &effect),
            weak: weak.map(|(_, relation)| relation.name.clone()).collect(),
            torques: effect.shares,
            per_link: base.per_link().to_vec(),
            labels: names.iter().map(Name::text).collect(),
            matrix: Nested {
                lengths: vec![count, names.len()].into(),
                values: base.matrix().as_slice().to_vec().into(),
            },
            parameters: relations.into_iter().zip(values).map(parameter).collect(),
            no_effect: base.no_effect().iter().map(name).collect(),
            numeric_rank: numeric.as_ref().filter(|_| confirmed).map(|_| count),
            gap: numeric.and_then(|numeric| numeric.gap(count)),
            exact_rank: exact_rank(model, SEED),
            regrouped: eliminated.into_iter().map(|(_, it)| it).filter(|it| !it.to.is_empty()).collect(),
            columns: base.labels().to_vec(),
            method: base.method().into(),
            notices: base.notices().iter().map(ToString::to_string).collect(),
            shown,
        }
    }
}

/// What the singular values say where they do not bear out the count.
fn doubt(values: &SingularValues, count: usize) -> String {
    let kept = values.smallest_kept(count).unwrap_or(0.0);
    let dropped = values.largest_dropped(count);
    format!("f64 cannot see it: singular value {count} is {kept:.1e}, the next {dropped:.1e}")
}

/// What was taken as something else, and what that does.
fn snap_report(model: &Model<f64>, base: &BaseParameters, effect: &Effect) -> SnapReport {
    let (torque, relative) = effect.largest_difference();
    let changed = !base.notices().is_empty();
    let joint = |(i, joint): (usize, &Coordinate)| JointEffect {
        joint: joint.to_string(),
        torque: effect.differences[i],
        relative: if effect.torques[i] > 0.0 { effect.differences[i] / effect.torques[i] } else { 0.0 },
    };
    SnapReport {
        distance: model.snap(),
        count_as_written: if changed { base_columns(&model.clone().with_snap(0.0)).len() } else { base.count() },
        torque,
        relative,
        joints: if changed { model.velocities().iter().enumerate().map(joint).collect() } else { Vec::new() },
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        if self.shown.as_latex { show::latex(self) } else { show::text(self) }
    }
}
