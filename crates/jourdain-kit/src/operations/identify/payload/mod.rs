//! `identify --payload LINK`: what a robot holds, and the poses that show it.
//!
//! Trap: `--payload LINK=MASS` is an edit of the robot, as for every operation; the same option without a mass names the link whose load is
//! to be found. Both may be given. Where robots are loaded before they are asked, as in Python, `payload_link` names it.

mod report;
mod show;

use super::logs::{self, Asked, Gathered};
use super::problems::{self, Problems};
use super::report::{Files, JointError, Judged, Report};
use super::{Friction, Request};
use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::robot_file;
use crate::sources;
use jourdain::Model;
use jourdain::formats::suggest;
use jourdain::identify::log::Options;
use jourdain::identify::{self, Comparison, Drives, Recorded, consistent_robot};
use jourdain::model::description::InertiaDescription;
use jourdain::model::{Description, Edit, Number, Payload};
pub use report::{Body, BodyParameter, Carried, Center, FoundPoses, Prior};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "clap")]
const HEADING: &str = "What a link carries, with --payload LINK";

/// Where the search for poses begins.
const SEED: u64 = 1;

/// How the load of a link is found.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Load {
    /// The link whose load is found: the same as --payload LINK without a mass
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINK", help_heading = HEADING))]
    pub payload_link: Option<String>,

    /// Log with the load, where --data is without it: then the robot need not be known
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LOG.csv", help_heading = HEADING))]
    pub loaded: Vec<String>,

    /// Robot file with what is known, instead of ROBOT: one that identify wrote, say
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROBOT", help_heading = HEADING))]
    pub with: Option<String>,

    /// Every line of the logs is a pose at rest: mass and centre of mass are found
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING))]
    pub at_rest: bool,

    /// Find N poses at which rest shows the load best; needs no log
    #[serde(default)]
    #[schemars(range(min = 2, max = 100))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = HEADING))]
    pub poses: Option<usize>,
}

/// The link whose load is asked for, and the robot with its edits alone.
pub(super) fn split(robot: &Robot, load: &Load) -> Result<(Option<String>, Robot), Problem> {
    let mut edited = robot.clone();
    let (edits, mut links): (Vec<String>, Vec<String>) =
        edited.edits.payload.into_iter().partition(|payload| payload.contains('='));
    edited.edits.payload = edits;
    links.extend(load.payload_link.clone());
    match &links[..] {
        [] => Ok((None, edited)),
        [link] => Ok((Some(link.clone()), edited)),
        [first, second, ..] => {
            let message = format!("--payload {first} and --payload {second}: the load of one link is found at a time");
            Err(Problem::usage(message).hint("LINK=MASS is a load that is known"))
        }
    }
}

/// What makes no sense without a link.
pub(super) fn refuse_without_link(load: &Load) -> Result<(), Problem> {
    let Load { loaded, with, at_rest, poses, payload_link: _ } = load;
    let given = [
        ("--loaded", !loaded.is_empty()),
        ("--with", with.is_some()),
        ("--at-rest", *at_rest),
        ("--poses", poses.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let message = format!("{option} is about the load of a link, and none is named");
            Err(Problem::usage(message).hint("--payload LINK"))
        }
        None => Ok(()),
    }
}

/// Finds what a link carries, or poses for it.
pub(super) fn run(request: &Request, link: &str, robot: &Robot, host: &dyn Host) -> Result<Report, Problem> {
    check(request)?;
    let writer = request.out.as_deref().map(robot_file::writer).transpose()?;
    let model = request.snap.apply(known(request, robot, host)?)?;
    request.snap.note(&model, host);
    let at = find(&model, link)?;
    if let Some(count) = request.load.poses {
        let found = identify::poses(&model, at, count, SEED)?;
        return finish(request, Report::Poses(Box::new(FoundPoses::new(&model, at, found))), host);
    }
    let (own, other) = sources(request);
    let loaded = gather(request, &model, &own, host)?;
    let empty = other.map(|data| gather(request, &model, &data, host)).transpose()?;
    let best = |gathered: &Gathered| gathered.factors.select(&gathered.problems.wide, gathered.problems.best());
    let (own_factors, other_factors) = (best(&loaded)?, empty.as_ref().map(best).transpose()?);
    let recorded = Recorded { problem: loaded.problems.best(), factors: &own_factors };
    let without = empty.as_ref().zip(other_factors.as_ref());
    let without = without.map(|(empty, factors)| Recorded { problem: empty.problems.best(), factors });
    let weight = request.consistency.weight()?.unwrap_or(identify::PRIOR_WEIGHT);
    let found = identify::payload(at, recorded, without, weight);
    let found =
        found.map_err(|error| own.iter().take(1).fold(Problem::from(error), |problem, file| problem.file(file)))?;
    let written = match &empty {
        Some(Gathered { problems, factors, .. }) => refit(problems, factors, &found.robot)?,
        None => None,
    };
    let validation = validate(request, &loaded, &found, host)?;
    let mut files = Files::default();
    if let (Some(path), Some(writer)) = (&request.out, writer) {
        let robot = match &empty {
            Some(empty) => consistent_robot(empty.problems.file(), written.as_ref().unwrap_or(&found.robot)),
            None => model.description().clone(),
        };
        robot_file::put(path, writer, &carrying(robot, link, &found)?, host)?;
        files.robot = Some(path.display().to_string());
    }
    let kept = request.drives.friction == Friction::None || request.load.at_rest;
    let consistent = problems::Consistent { best: found.robot.clone(), written, chosen: None };
    let carried = Carried::new(&loaded, empty, &found, &consistent, validation, kept, files);
    finish(request, Report::Payload(Box::new(carried)), host)
}

/// What does not go together.
fn check(request: &Request) -> Result<(), Problem> {
    let given = [
        ("--merge", !request.merge.is_empty()),
        ("--factors", request.factors.is_some()),
        ("--shard", request.shard.is_some()),
        ("--plot", request.plot.is_some()),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let message = format!("{option} does not go with --payload LINK, which reads whole logs");
        return Err(Problem::usage(message).hint("LINK=MASS is a load that is known"));
    }
    if request.consistency.has_limits() {
        return Err(Problem::usage("--bounds and --total-mass are limits of the robot alone, without --payload LINK"));
    }
    ending::check([(&ending::REPORT, request.report.as_deref())])?;
    let load = &request.load;
    if load.poses.is_some() && !(request.data.is_empty() && load.loaded.is_empty() && request.out.is_none()) {
        return Err(Problem::usage("--poses says what to record: it takes no log and writes no robot"));
    }
    if load.poses.is_none() && request.data.is_empty() {
        let hint =
            "--data LOG.csv with the load; or --data without and --loaded with it; --poses N says what to record";
        return Err(Problem::usage("there is no log to find the load from").hint(hint));
    }
    request.check_reading()
}

/// The logs with the load, and those without it.
pub(super) fn sources(request: &Request) -> (Vec<String>, Option<Vec<String>>) {
    match &request.load.loaded[..] {
        [] => (request.data.clone(), None),
        loaded => (loaded.to_vec(), Some(request.data.clone())),
    }
}

/// The robot that is known.
pub(super) fn known(request: &Request, robot: &Robot, host: &dyn Host) -> Result<Model<f64>, Problem> {
    let Some(with) = &request.load.with else { return robot.load(host) };
    let named = robot.load(host)?;
    let other = Robot { robot: with.clone(), ..robot.clone() };
    let known = other.load(host)?;
    let joints = |model: &Model<f64>| model.velocities().iter().map(ToString::to_string).collect::<Vec<_>>();
    if joints(&named) != joints(&known) {
        let message = format!("--with {with} has other joints than `{}`", named.name());
        return Err(Problem::new("other-robot", message).hint("give the same robot with other numbers"));
    }
    Ok(known)
}

pub(super) fn find(model: &Model<f64>, name: &str) -> Result<usize, Problem> {
    let names: Vec<&str> = model.links().iter().map(|link| link.name.as_str()).collect();
    names.iter().position(|own| *own == name).ok_or_else(|| {
        let message = format!("--payload {name}: `{}` has no link of this name", model.name());
        let hint = format!("{}; a load that is known is LINK=MASS[@X,Y,Z]", suggest::hint(name, &names));
        Problem::new("unknown-link", message).hint(hint)
    })
}

pub(super) fn gather(
    request: &Request,
    model: &Model<f64>,
    data: &[String],
    host: &dyn Host,
) -> Result<Gathered, Problem> {
    let at_rest = request.load.at_rest;
    let simple = if at_rest {
        identify::Problem::new(model, Drives { armature: false, viscous: false, coulomb: false })?.with_offsets()
    } else {
        let simple = request.drives.problem(model)?;
        if request.offset { simple.with_offsets() } else { simple }
    };
    let asked = Asked {
        data,
        merge: &[],
        shard: None,
        reading: &request.reading,
        options: Options {
            rate: request.rate,
            cutoff: request.cutoff,
            decimate: request.decimate,
            at_rest,
            late: request.timing.late(model)?,
            ..Options::default()
        },
        delay: request.given_delay()?,
        coordinates: if at_rest { None } else { request.coordinates(model, host)? },
    };
    logs::gather(&asked, model, simple, host)
}

/// The robot as a file holds it, where that is less than the estimate.
fn refit(
    problems: &Problems,
    factors: &identify::Factors,
    robot: &identify::Consistent,
) -> Result<Option<identify::Consistent>, Problem> {
    let Some(terms) = &problems.with_terms else { return Ok(None) };
    let factors = factors.select(&problems.wide, &terms.file)?;
    Ok(Some(identify::refit_friction(&terms.file, &factors, robot)?))
}

/// How the loaded robot does on another log of it.
fn validate(
    request: &Request,
    loaded: &Gathered,
    found: &identify::Payload,
    host: &dyn Host,
) -> Result<Option<(super::Log, Judged)>, Problem> {
    let Some(file) = &request.validate else { return Ok(None) };
    let problem = loaded.problems.best();
    let mut comparison = Comparison::new(problem, &found.values);
    let log =
        logs::read(file, problem.model(), &request.reading, &loaded.options, host, |sample| comparison.add(sample))?;
    if comparison.samples() == 0 {
        let message = format!("no sample of the validation log is left: {} lines were read", log.lines);
        return Err(Problem::new("too-few-samples", message).file(&log.file).hint("record longer, or another log"));
    }
    Ok(Some((log, Judged { joints: JointError::of(problem, &comparison.errors()) })))
}

/// The robot with the body at its link. Where nothing of its tensor is shown it is a point mass.
fn carrying(robot: Description, link: &str, found: &identify::Payload) -> Result<Description, Problem> {
    let (mass, com) = (Number::from(found.parameters[0]), found.center().map(Number::from));
    let payload = if (4..10).any(|k| found.is_shown(k)) {
        let tensor = std::array::from_fn(|k| Number::from(found.parameters[4 + k]));
        Payload { mass, com, inertia: InertiaDescription::AboutOrigin(tensor) }
    } else {
        Payload::point(mass, com)
    };
    let edited = robot.edit(&[Edit::Payload { link: link.to_owned(), payload }]);
    edited.map(|edited| edited.description).map_err(|error| Problem::new(error.code(), error.to_string()))
}

fn finish(request: &Request, report: Report, host: &dyn Host) -> Result<Report, Problem> {
    request.keep(&report, None, host)?;
    Ok(report)
}
