//! Edits of a robot as arguments of every operation that takes one.
//!
//! They are applied in one order, whatever order they are given in, because a request is data: first what is cut off, then what is
//! mounted, then how the whole stands, then its drives and weights, and last what is locked. So every argument may name
//! links and joints of a mounted tool, and none that has been cut off.

mod argument;

use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use jourdain::formats::{read_motors, suggest};
use jourdain::model::description::Description;
use jourdain::model::{Edit, EditError, Edited, Number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What they stand under in the help of commands.
#[cfg(feature = "clap")]
const HEADING: &str = "Edits of the robot";

/// What is changed about a robot before anything is computed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Edits {
    /// Keep only the chain from the base to LINK
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "LINK"))]
    pub only: Vec<String>,

    /// Take LINK away with its joint and what it carries
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "LINK"))]
    pub without: Vec<String>,

    /// Mount another robot on LINK, or on the last link
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "ROBOT[@LINK]"))]
    pub tool: Vec<String>,

    /// Let the base float
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, conflicts_with = "fixed"))]
    pub floating: bool,

    /// Weld a floating base to the ground
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING))]
    pub fixed: bool,

    /// Motors by joint name, with the keys of `motor` in robot files
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "FILE"))]
    pub motor: Option<String>,

    /// Multiply mass and inertia of all links; LINK=FACTOR: of one
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "FACTOR", allow_negative_numbers = true))]
    pub scale_inertia: Vec<String>,

    /// Add a mass at a point of the link frame; LINK=FILE: a body
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "LINK=MASS[@X,Y,Z]"))]
    pub payload: Vec<String>,

    /// Weld a joint at VALUE, or at its zero
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "JOINT[=VALUE]"))]
    pub lock: Vec<String>,

    /// Take friction away; the damping of springs stays
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING))]
    pub no_friction: bool,

    /// Another gravitational acceleration, m/s²
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING, value_name = "X,Y,Z", value_delimiter = ',', allow_hyphen_values = true))]
    pub gravity: Option<Vec<f64>>,
}

const MOTORS: What = What {
    name: "the motors",
    option: "--motor",
    hint: "give a TOML or JSON file with a table for each joint, or JSON: '{\"joint\": {\"ratio\": 100}}'",
};
/// A robot after its edits, and what became of it in words.
pub(crate) struct Applied {
    pub description: Description,
    /// What was done.
    pub done: Vec<String>,
    /// What may not be meant.
    pub warnings: Vec<String>,
}

impl Edits {
    /// True if nothing is to be changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Changes the robot.
    ///
    /// # Errors
    /// A link, joint or file that is not there, or a number that makes no sense: the option and what it said are named.
    pub(crate) fn apply(&self, description: Description, host: &dyn Host) -> Result<Applied, Problem> {
        if self.floating && self.fixed {
            return Err(Problem::usage("--floating and --fixed exclude each other").hint("give one of them"));
        }
        let names = |link: &jourdain::model::description::LinkDescription| [link.name.clone(), link.joint.name.clone()];
        let original = description.links.iter().flat_map(names).collect();
        let mut work = Work { description, done: Vec::new(), warnings: Vec::new(), original };
        if !self.only.is_empty() {
            work.apply("--only", &self.only.join(","), &Edit::Only { links: self.only.clone() })?;
        }
        for link in &self.without {
            work.apply("--without", link, &Edit::Without { link: link.clone() })?;
        }
        for tool in &self.tool {
            let edit = work.tool(tool, host)?;
            work.apply("--tool", tool, &edit)?;
        }
        for (asked, option, edit) in
            [(self.floating, "--floating", Edit::Floating), (self.fixed, "--fixed", Edit::Fixed)]
        {
            if asked {
                work.apply(option, "", &edit)?;
            }
        }
        if let Some(motors) = &self.motor {
            let given = read::given(motors, MOTORS, host)?;
            let gone = work.gone();
            match read_motors(&given.text, &work.description, &gone) {
                Ok(edit) => work.apply("--motor", &given.title, &edit)?,
                Err(found) => return Err(given.problem(found)),
            }
        }
        for scale in &self.scale_inertia {
            let edit = work.scale(scale)?;
            work.apply("--scale-inertia", scale, &edit)?;
        }
        for payload in &self.payload {
            let edit = work.payload(payload, host)?;
            work.apply("--payload", payload, &edit)?;
        }
        for lock in &self.lock {
            let edit = work.lock(lock)?;
            work.apply("--lock", lock, &edit)?;
        }
        if self.no_friction {
            work.apply("--no-friction", "", &Edit::NoFriction)?;
        }
        if let Some(gravity) = &self.gravity {
            let [x, y, z] = gravity[..] else {
                let message = format!("--gravity takes three numbers, not {}", gravity.len());
                return Err(Problem::new("bad-option", message).hint("write --gravity 0,0,-9.81"));
            };
            work.apply("--gravity", "", &Edit::Gravity { gravity: [x, y, z].map(Number::from) })?;
        }
        let Work { description, done, warnings, .. } = work;
        Ok(Applied { description, done, warnings })
    }

    /// The edits as words of a command.
    pub(crate) fn words(&self) -> Vec<String> {
        let Self { only, without, tool, floating, fixed, motor, scale_inertia, payload, lock, no_friction, gravity } =
            self;
        let mut words = Vec::new();
        let mut list = |option: &str, values: &[String]| {
            words.extend(values.iter().flat_map(|value| [option.to_owned(), value.clone()]));
        };
        list("--only", only);
        list("--without", without);
        list("--tool", tool);
        list("--motor", motor.as_slice());
        list("--scale-inertia", scale_inertia);
        list("--payload", payload);
        list("--lock", lock);
        for (option, given) in [("--floating", floating), ("--fixed", fixed), ("--no-friction", no_friction)] {
            words.extend(given.then(|| option.to_owned()));
        }
        if let Some(gravity) = gravity {
            let numbers: Vec<String> = gravity.iter().map(f64::to_string).collect();
            words.push(format!("--gravity={}", numbers.join(",")));
        }
        words.iter().map(|word| quoted(word)).collect()
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,:/+=@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The robot so far.
struct Work {
    description: Description,
    done: Vec<String>,
    warnings: Vec<String>,
    /// All names before anything was cut off.
    original: Vec<String>,
}

impl Work {
    fn apply(&mut self, option: &str, argument: &str, edit: &Edit) -> Result<(), Problem> {
        let edited = self.description.clone().edit(std::slice::from_ref(edit));
        let Edited { description, done, warnings } = edited.map_err(|error| self.refused(option, argument, &error))?;
        self.description = description;
        self.done.extend(done);
        self.warnings.extend(warnings);
        Ok(())
    }

    fn refused(&self, option: &str, argument: &str, error: &EditError) -> Problem {
        let argument = if argument.is_empty() { String::new() } else { format!(" {argument}") };
        let problem = Problem::new(error.code(), format!("{option}{argument}: {error}"));
        if let Some((name, known)) = error.known() {
            if self.original.iter().any(|other| other == name) {
                return problem.hint("--only or --without has taken it away");
            }
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return problem.hint(suggest::hint(name, &known));
        }
        match error {
            EditError::ManyEnds { ends } => problem.hint(format!("--tool ROBOT@LINK with one of {}", ends.join(", "))),
            EditError::Follows { leader, .. } => problem.hint(format!("--lock {leader}=VALUE locks both")),
            _ => problem,
        }
    }

    /// Names that the robot had and has no longer.
    fn gone(&self) -> Vec<String> {
        let has = |name: &str| self.description.links.iter().any(|link| link.name == name || link.joint.name == name);
        self.original.iter().filter(|name| !has(name)).cloned().collect()
    }
}
