//! What the arguments of edits say: names with numbers or files behind them.

use super::Work;
use crate::files;
use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use crate::resolve::Robot;
use jourdain::formats::read_payload;
use jourdain::model::{Edit, Number, Payload};
use std::path::Path;

const PAYLOAD: What = What {
    name: "the payload",
    option: "--payload",
    hint: "give LINK=MASS, LINK=MASS@X,Y,Z, or LINK=FILE with `mass`, `com` and `inertia`",
};

impl Work {
    fn links(&self) -> impl Iterator<Item = &str> {
        self.description.links.iter().map(|link| link.name.as_str())
    }

    fn joints(&self) -> impl Iterator<Item = &str> {
        self.description.links.iter().flat_map(|link| [link.joint.name.as_str(), link.name.as_str()])
    }

    /// `ROBOT[@LINK]`; a file may have an @ in its name.
    pub(super) fn tool(&self, argument: &str, host: &dyn Host) -> Result<Edit, Problem> {
        let is_file = || files::is_file(Path::new(argument), host);
        let (robot, link) = match argument.rsplit_once('@') {
            Some((robot, link)) if !link.contains(['}', '\n']) && !is_file() => (robot, Some(link.to_owned())),
            _ => (argument, None),
        };
        let robot = Robot::of(robot).describe(host)?;
        Ok(Edit::Tool { robot: Box::new(robot), link })
    }

    /// `FACTOR` or `LINK=FACTOR`.
    pub(super) fn scale(&self, argument: &str) -> Result<Edit, Problem> {
        let (link, factor) = match named(argument, self.links()) {
            Some((link, factor)) => (Some(link.to_owned()), factor),
            None => (None, argument),
        };
        let factor = Number::parse(factor).ok_or_else(|| {
            let message = format!("--scale-inertia {argument}: `{factor}` is no number");
            Problem::new("bad-option", message).hint("write --scale-inertia 1.1 or --scale-inertia LINK=1.1")
        })?;
        Ok(Edit::ScaleInertia { link, factor })
    }

    /// `LINK=MASS`, `LINK=MASS@X,Y,Z` or `LINK=FILE`.
    pub(super) fn payload(&self, argument: &str, host: &dyn Host) -> Result<Edit, Problem> {
        let bad = |what: &str| Problem::new("bad-option", format!("--payload {argument}: {what}")).hint(PAYLOAD.hint);
        let (link, body) = named(argument, self.links()).ok_or_else(|| bad("there is no `=` and no mass"))?;
        let edit = |payload: Payload| Edit::Payload { link: link.to_owned(), payload };
        let (mass, point) = body.split_once('@').map_or((body, None), |(mass, point)| (mass, Some(point)));
        let Some(mass) = Number::parse(mass) else {
            let given = read::given(body, PAYLOAD, host)?;
            return read_payload(&given.text).map(edit).map_err(|found| given.problem(found));
        };
        let point = match point {
            Some(point) => {
                let numbers = numbers(point).and_then(|numbers| <[Number; 3]>::try_from(numbers).ok());
                numbers.ok_or_else(|| bad(&format!("`{point}` is not three numbers")))?
            }
            None => [Number::ZERO; 3],
        };
        Ok(edit(Payload::point(mass, point)))
    }

    /// `JOINT` or `JOINT=VALUE`.
    pub(super) fn lock(&self, argument: &str) -> Result<Edit, Problem> {
        let whole = self.joints().any(|name| name == argument);
        let split = if whole { None } else { named(argument, self.joints()) };
        let Some((joint, values)) = split else {
            return Ok(Edit::Lock { joint: argument.to_owned(), position: Vec::new() });
        };
        let position = numbers(values).ok_or_else(|| {
            let message = format!("--lock {argument}: `{values}` is no number");
            Problem::new("bad-option", message).hint("write --lock JOINT=0.5, or w,x,y,z for a spherical joint")
        })?;
        Ok(Edit::Lock { joint: joint.to_owned(), position })
    }
}

/// `NAME=REST`: the longest of the names that the argument begins with, because names may have an = in them; if there is none, up
/// to the first =.
fn named<'a>(argument: &'a str, names: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let fits = |name: &&str| argument.strip_prefix(*name).is_some_and(|rest| rest.starts_with('='));
    match names.filter(fits).max_by_key(|name| name.len()) {
        Some(name) => Some((name, &argument[name.len() + 1..])),
        None => argument.split_once('='),
    }
}

/// Numbers separated by commas.
fn numbers(text: &str) -> Option<Vec<Number>> {
    text.split(',').map(Number::parse).collect()
}
