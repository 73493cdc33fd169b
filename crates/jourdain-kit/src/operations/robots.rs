//! `robots`: the built-in robots and where their numbers come from.

use crate::host::Host;
use crate::operation::Operation;
use crate::problem::Problem;
use crate::text::table;
use jourdain::robots;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// List the built-in robots
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {}

/// The built-in robots, in alphabetical order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report(Vec<Robot>);

/// A built-in robot.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Robot {
    /// Its name.
    pub name: &'static str,
    /// Its degrees of freedom.
    pub dof: usize,
    /// Where its numbers come from.
    pub source: String,
}

impl Operation for Request {
    const NAME: &'static str = "robots";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        let robot = |robot: &robots::Builtin| {
            let model = robots::load(robot.name);
            let missing = || Problem::new("internal", format!("the built-in robot {} does not load", robot.name));
            Ok(Robot { name: robot.name, dof: model.ok_or_else(missing)?.nv(), source: robot.source() })
        };
        robots::ALL.iter().map(robot).collect::<Result<_, _>>().map(Report)
    }
}

impl crate::operation::Report for Report {
    fn text(&self) -> String {
        let rows = self.0.iter().map(|robot| [robot.name.to_owned(), robot.dof.to_string(), robot.source.clone()]);
        table::render(["robot", "dof", "source"], rows, &[1])
    }
}
