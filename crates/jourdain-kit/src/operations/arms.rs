//! `arms`: the built-in flexible arms.

use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::text::table;
use jourdain::arms;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// List the built-in flexible arms
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {}

/// The built-in flexible arms, in alphabetical order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report(Vec<Arm>);

/// A built-in flexible arm.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Arm {
    /// Its name.
    pub name: &'static str,
    /// Its links, one joint each.
    pub links: usize,
    /// Modes of all links together.
    pub modes: usize,
}

impl Operation for Request {
    const NAME: &'static str = "arms";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        let arm = |arm: &arms::BuiltinArm| {
            let missing = || Problem::new("internal", format!("the built-in arm {} does not load", arm.name));
            let built = arms::load(arm.name).ok_or_else(missing)?.arm;
            Ok(Arm { name: arm.name, links: built.joints(), modes: built.size() - built.joints() })
        };
        arms::ALL.iter().map(arm).collect::<Result<_, _>>().map(Report)
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let rows = self.0.iter().map(|arm| [arm.name.to_owned(), arm.links.to_string(), arm.modes.to_string()]);
        table::render(["arm", "links", "modes"], rows, &[1, 2])
    }
}
