//! `robots`: the built-in robots, what they are and where their numbers come from.

use crate::host::Host;
use crate::operation::Operation;
use crate::problem::Problem;
use crate::text::table;
use jourdain::robots::{self, Builtin, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// List the built-in robots
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// Robots of this kind only
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub kind: Option<KindName>,
}

/// Kinds of robots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    /// Arms on a base
    Arm,
    /// Robots with legs
    Legged,
    /// Legs, arms and a torso
    Humanoid,
    /// Mechanisms to try methods on
    Test,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Arm => Self::Arm,
            KindName::Legged => Self::Legged,
            KindName::Humanoid => Self::Humanoid,
            KindName::Test => Self::Test,
        }
    }
}

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
    /// What its file says about it.
    #[serde(flatten)]
    pub origin: Origin,
}

/// What the file of a built-in robot says about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Origin {
    /// Where its numbers come from.
    pub source: String,
    /// `arm`, `legged`, `humanoid` or `test`.
    pub kind: &'static str,
    /// How its inertias were found: `measured`, `identified`, `CAD` or `assumed`; the least sure way where there are several.
    pub quality: &'static str,
}

impl Origin {
    /// What the file of a robot says.
    ///
    /// # Errors
    /// A file that does not say it: a mistake in this program.
    pub fn of(robot: &Builtin) -> Result<Self, Problem> {
        let (Some(kind), Some(quality)) = (robot.kind(), robot.quality()) else {
            return Err(Problem::new("internal", format!("the file of {} lacks its kind or quality", robot.name)));
        };
        Ok(Self { source: robot.source(), kind: kind.name(), quality: quality.name() })
    }
}

impl Operation for Request {
    const NAME: &'static str = "robots";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        let kind = self.kind.map(Kind::from);
        let robot = |robot: &Builtin| {
            let missing = || Problem::new("internal", format!("the built-in robot {} does not load", robot.name));
            let model = robots::load(robot.name).ok_or_else(missing)?;
            Ok(Robot { name: robot.name, dof: model.nv(), origin: Origin::of(robot)? })
        };
        let wanted = robots::ALL.iter().filter(|robot| kind.is_none() || robot.kind() == kind);
        wanted.map(robot).collect::<Result<_, _>>().map(Report)
    }
}

impl crate::operation::Report for Report {
    fn text(&self) -> String {
        let rows = self.0.iter().map(|Robot { name, dof, origin }| {
            [*name, &dof.to_string(), origin.kind, origin.quality, &origin.source].map(str::to_owned)
        });
        table::render(["robot", "dof", "kind", "quality", "source"], rows, &[1])
    }
}
