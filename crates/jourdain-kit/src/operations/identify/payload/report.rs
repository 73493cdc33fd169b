//! What a link carries, as a report.

use super::super::logs::Gathered;
use super::super::problems;
use super::super::report::{Consistent, Files, JointFit, Judged, Log};
use jourdain::Model;
use jourdain::identify::{self, Poses};
use jourdain::model::{Inertial, ParameterKind};
use schemars::JsonSchema;
use serde::Serialize;

/// A joint of which more than this is left is told of.
const POOR: f64 = 0.5;

/// What a link carries, and what was found beside it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Carried {
    /// The robot's name.
    pub robot: String,
    /// Samples with the load.
    pub samples: u64,
    /// The body.
    pub payload: Body,
    /// How the torques of each joint are met, with the load.
    pub joints: Vec<JointFit>,
    /// What was found of the robot without the load: all of it from two logs, friction alone where it is known.
    pub consistent: Consistent,
    /// The logs with the load.
    pub logs: Vec<Log>,
    /// The logs without it.
    pub empty_logs: Vec<Log>,
    /// How robot and load do on another log; null without one.
    pub validation: Option<Checked>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
    /// The files that were written.
    pub files: Files,
}

/// How robot and load do on another log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// The log.
    pub log: Log,
    /// The errors of the joints.
    #[serde(flatten)]
    pub judged: Judged,
}

/// A body at a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Body {
    /// The link.
    pub link: String,
    /// All ten, about the link origin and in link axes; from poses at rest those that they show.
    pub parameters: Vec<BodyParameter>,
    /// Those that they do not show.
    pub not_shown: Vec<String>,
    /// The centre of mass in the link frame, where it is shown.
    pub center: Option<Center>,
    /// True if links and rotors of the robot were taken as known; else they were found from the log without the load.
    pub robot_known: bool,
    /// True if friction is that of the robot file; else it was found anew.
    pub friction_known: bool,
    /// What was held likely before the data.
    pub prior: Prior,
}

/// A parameter of a body.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BodyParameter {
    /// `m`, `mX`, `mY`, `mZ`, `XX`, `XY`, `XZ`, `YY`, `YZ` or `ZZ`.
    pub name: &'static str,
    /// The estimate; kg, kg m, kg m².
    pub value: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How much of it is from the data: from 0 to 1, the rest is from the prior.
    pub from_data: f64,
}

/// A centre of mass.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Center {
    /// Where it is, m; zero along axes that are not shown.
    pub value: [f64; 3],
    /// Standard deviations, m.
    pub deviation: [f64; 3],
}

/// A cloud of mass, alike in all directions, where least squares put mass and centre.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Prior {
    /// Its mass, kg.
    pub mass: f64,
    /// Its centre in the link frame, m.
    pub center: [f64; 3],
    /// The standard deviation of the mass along each axis, m.
    pub spread: f64,
    /// Its weight, in units of log-likelihood.
    pub weight: f64,
}

fn letters(parameter: Inertial) -> &'static str {
    ParameterKind::Inertial(parameter).letters()
}

impl Body {
    fn new(link: String, found: &identify::Payload, robot_known: bool, friction_known: bool) -> Self {
        let of = |(k, own): (usize, &Inertial)| BodyParameter {
            name: letters(*own),
            value: found.parameters[k],
            deviation: found.deviations[k],
            from_data: found.resolution[k],
        };
        let all = || Inertial::ALL.iter().enumerate();
        let center = (0..2).any(|k| found.is_shown(k)).then(|| {
            let shown = |axis: usize| found.is_shown(1 + axis);
            let [value, deviation] = [found.center(), found.center_deviations]
                .map(|of| std::array::from_fn(|axis| if shown(axis) { of[axis] } else { 0.0 }));
            Center { value, deviation }
        });
        let mass = found.prior[0];
        let cloud: [f64; 3] = std::array::from_fn(|axis| found.prior[1 + axis] / mass);
        let off = cloud[1] * cloud[1] + cloud[2] * cloud[2];
        // Poses at rest tell nothing of the inertia: what a body of the prior would have is no finding. Of a motion all ten are told.
        let moves = (4..10).any(|k| found.is_shown(k));
        Self {
            link,
            parameters: all().filter(|(k, _)| moves || found.is_shown(*k)).map(of).collect(),
            not_shown: all().filter(|(k, _)| !found.is_shown(*k)).map(|(_, own)| letters(*own).to_owned()).collect(),
            center: center.filter(|_| found.is_shown(0)),
            robot_known,
            friction_known,
            prior: Prior {
                mass,
                center: cloud,
                spread: (0.5 * (found.prior[4] / mass - off)).max(0.0).sqrt(),
                weight: found.robot.prior_weight,
            },
        }
    }
}

impl Carried {
    /// As people read it.
    pub(in super::super) fn text(&self) -> String {
        super::show::carried(self)
    }

    pub(super) fn new(
        loaded: &Gathered,
        empty: Option<Gathered>,
        found: &identify::Payload,
        robot: &problems::Consistent,
        validation: Option<(Log, Judged)>,
        friction_known: bool,
        files: Files,
    ) -> Self {
        let problem = loaded.problems.best();
        let model = problem.model();
        let joints = JointFit::of(problem, &found.joints);
        let link = model.links()[found.link].name.clone();
        Self {
            robot: model.name().to_owned(),
            samples: found.samples,
            warnings: warnings(found, &joints),
            payload: Body::new(link, found, empty.is_none(), friction_known),
            joints,
            consistent: Consistent::new(empty.as_ref().map_or(&loaded.problems, |empty| &empty.problems), robot),
            logs: loaded.logs.clone(),
            empty_logs: empty.map(|empty| empty.logs).unwrap_or_default(),
            validation: validation.map(|(log, judged)| Checked { log, judged }),
            files,
        }
    }
}

fn warnings(found: &identify::Payload, joints: &[JointFit]) -> Vec<String> {
    let mut warnings = Vec::new();
    if found.is_shown(0) && found.parameters[0] < 2.0 * found.deviations[0] {
        warnings.push("the mass is within two deviations of zero: nothing may be there".to_owned());
    }
    let poor = joints.iter().filter(|fit| fit.relative_error > POOR);
    warnings.extend(poor.map(|fit| {
        let percent = 100.0 * fit.relative_error;
        format!(
            "robot and load leave {percent:.0} % of the torque of joint `{}` unexplained: is the robot file right?",
            fit.joint
        )
    }));
    warnings
}

/// Poses at which rest shows best what a link carries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoundPoses {
    /// The robot's name.
    pub robot: String,
    /// The link.
    pub link: String,
    /// The names of the numbers of a pose.
    pub coordinates: Vec<String>,
    /// The poses, rad or m.
    pub poses: Vec<Vec<f64>>,
    /// What they show of the load, of `m`, `mX`, `mY`, `mZ`.
    pub parameters: Vec<PoseParameter>,
    /// Per joint, the error of its torque that deviations are for, N m or N: a hundredth of its effort limit, or one.
    pub noise: Vec<f64>,
}

/// A parameter that poses show.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PoseParameter {
    /// `m`, `mX`, `mY` or `mZ`.
    pub name: &'static str,
    /// Its standard deviation from these poses; null if they do not tell it from the others.
    pub deviation: Option<f64>,
    /// The same from as many random poses.
    pub random_deviation: Option<f64>,
}

impl FoundPoses {
    /// As people read it.
    pub(in super::super) fn text(&self) -> String {
        super::show::poses(self)
    }

    pub(super) fn new(model: &Model<f64>, link: usize, found: Poses) -> Self {
        let finite = |x: &f64| Some(*x).filter(|x| x.is_finite());
        let deviations = found.deviations.iter().zip(&found.random_deviations);
        let parameter = |(own, (deviation, random)): (&Inertial, (&f64, &f64))| PoseParameter {
            name: letters(*own),
            deviation: finite(deviation),
            random_deviation: finite(random),
        };
        Self {
            robot: model.name().to_owned(),
            link: model.links()[link].name.clone(),
            coordinates: model.coordinates().iter().map(ToString::to_string).collect(),
            parameters: found.shown.iter().zip(deviations).map(parameter).collect(),
            poses: found.poses,
            noise: found.noise,
        }
    }
}
