//! `simulate`: the motion of a robot in time, left to itself, under torques or under a law.

use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::limits;
use crate::motion::control::{Control, Followed};
use crate::motion::efforts::{self, Overdriven};
use crate::motion::torque::{self, Interpolation};
use crate::motion::{self, Method, Rotors, animate, draw, every, show, step, tolerance};
use crate::movie::Animate;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::joints::Palette;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::read::STDIN;
use crate::resolve::Robot;
use crate::sources;
use crate::states::read_start;
use crate::text;
use crate::text::numbers;
use crate::text::style::{FAINT, HEADING};
use jourdain::dynamics::memory::Memory;
use jourdain::elastic::{ElasticError, ElasticModel};
use jourdain::model::Link;
use jourdain::simulate::{Elastic, LimitHit, Options, Rigid, Sample, Simulation, Start, System, Trajectory};
use jourdain::{Model, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Simulate the motion of a robot
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Friction and rotors of the robot file act on the motion; drive torques are none unless --torque, \
                      the state's tau or a --law gives them. A table has columns t and tau[JOINT] or \
                      inverse_dynamics[JOINT], among others; or lines of a time and one torque per degree of freedom, \
                      separated by commas or spaces. Before its first and after its last line the nearest line holds. A robot with springs in its joints moves as an elastic one.\n\nA law follows --trajectory or \
                      rests at --goal, or where the robot starts; with a trajectory and no --state the robot starts on it. \
                      docs/simulate.md has the laws and their gains.\n\nThe energy drift is the largest |E(t) - E(0) - work \
                      of torques, friction and wrenches|: the error of the integrator."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Start: JSON file, - for standard input, the JSON itself, or the name of one of the robot's states; without it neutral and
    /// at rest
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON"))]
    pub state: Option<String>,

    /// Time to simulate, s; without it the length of the trajectory, or 1 s
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "S", allow_negative_numbers = true))]
    pub duration: Option<f64>,

    /// Step length, s; with methods that choose their steps the time between samples
    #[serde(default = "step")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = step(), allow_negative_numbers = true))]
    pub step: f64,

    /// Integrator; without it rk4, or adaptive under a law that looks at the robot and with hysteresis, which may be stiff
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum))]
    pub method: Option<Method>,

    /// Relative and absolute error per step of the methods that choose their steps
    #[serde(default = "tolerance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = tolerance(), allow_negative_numbers = true))]
    pub tolerance: f64,

    /// Torques of the drives: none, constant JSON, or table FILE
    #[schemars(extend("x-table" = sources::samples(), "x-words" = sources::torques()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, num_args = 1..=2, value_names = ["KIND", "JSON|FILE"]))]
    pub torque: Option<Vec<String>>,

    /// How a torque table is read between its lines
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub interpolation: Interpolation,

    /// Take a sample every so many steps
    #[serde(default = "every")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = every()))]
    pub every: u64,

    /// Stop when a joint reaches an end of its range
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub stop_at_limits: bool,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw positions, velocities, errors, torques and energy
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// A moving picture
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub animation: Animate,

    /// Whether rotors of elastic joints feel the turning of the links that carry them
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub rotors: Rotors,

    /// What drives the robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub control: Control,
}

/// Time to simulate unless something says otherwise, s.
const USUAL_DURATION: f64 = 1.0;

/// How a motion went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// How many steps were taken.
    pub steps: u64,
    /// The time simulated, s.
    pub duration: Option<f64>,
    /// The integrator.
    pub method: Method,
    /// The largest |E(t) − E(0) − work|, J.
    pub energy_drift: f64,
    /// The larger of the linear (N s) and the angular (N m s) drift, where momentum is conserved.
    pub momentum_drift: Option<f64>,
    /// The limit that ended the motion.
    pub stopped: Option<Stopped>,
    /// The state at the end.
    #[serde(rename = "final")]
    pub last: Option<Final>,
    /// The law that drove it.
    pub law: &'static str,
    /// How well a law followed; null for one that follows nothing.
    pub tracking: Option<Tracking>,
    /// What adaptive control has learned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub estimate: Vec<Estimate>,
    /// The drives that were asked for more than they can give.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overdriven: Vec<Overdriven>,
    /// All samples.
    #[serde(skip)]
    pub motion: Trajectory,
    #[serde(skip)]
    robot: String,
    #[serde(skip)]
    request: Request,
}

/// A joint at an end of its range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Stopped {
    /// The joint's name.
    pub joint: String,
    /// When, s.
    pub t: f64,
    /// The end of its range, rad or m.
    pub limit: f64,
}

/// The state at the end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Final {
    /// Time, s.
    pub t: f64,
    /// Position, rad and m.
    pub q: Vec<f64>,
    /// Velocity, rad/s and m/s.
    pub qd: Vec<f64>,
    /// Positions of the motors of elastic joints, link side, rad and m.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub theta: Vec<f64>,
    /// Their rates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub theta_d: Vec<f64>,
}

/// How well a law followed what it was to follow, rad or m.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tracking {
    /// The largest error of any joint.
    pub largest_error: f64,
    /// The same in the last quarter of the time.
    pub late_error: f64,
    /// q_d − q at the end, joint by joint.
    pub final_error: Vec<f64>,
}

/// A parameter that adaptive control has learned.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Estimate {
    /// Its name.
    pub name: String,
    /// Its value before, SI units.
    pub start: f64,
    /// Its value at the end, SI units.
    pub value: f64,
}

/// A robot as a system: elastic if one of its joints is.
enum Body {
    Rigid(Box<Model<f64>>),
    Elastic(Box<ElasticModel<f64>>),
}

impl Body {
    fn load(robot: &Robot, rotors: Rotors, host: &dyn Host) -> Result<Self, Problem> {
        let model = robot.load(host)?;
        let springs = |link: &Link<f64>| link.motor.as_ref().is_some_and(|motor| motor.stiffness.is_some());
        if !model.links().iter().any(springs) {
            if rotors == Rotors::Complete {
                let problem =
                    Problem::usage(format!("{} has no elastic joint, whose rotor --rotors is about", model.name()));
                return Err(problem.hint("a motor with a `stiffness` makes a joint elastic"));
            }
            return Ok(Self::Rigid(Box::new(model)));
        }
        match ElasticModel::new(&model) {
            Ok(elastic) => Ok(Self::Elastic(Box::new(rotors.of(elastic)))),
            Err(error @ ElasticError::Quaternions { .. }) => {
                host.warn(format!("{error}; its joints move as rigid ones, without their rotors"));
                Ok(Self::Rigid(Box::new(model)))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn model(&self) -> &Model<f64> {
        match self {
            Self::Rigid(model) => model,
            Self::Elastic(elastic) => elastic.model(),
        }
    }

    fn elastic(&self) -> Option<&ElasticModel<f64>> {
        match self {
            Self::Rigid(_) => None,
            Self::Elastic(elastic) => Some(elastic),
        }
    }

    fn system(&self) -> Box<dyn System + '_> {
        match self {
            Self::Rigid(model) => Box::new(Rigid::new(model)),
            Self::Elastic(elastic) => Box::new(Elastic::new(elastic)),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "simulate";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![
            ("out", self.out.as_deref()),
            ("plot", self.plot.as_deref()),
            ("animate", self.animation.animate.as_deref()),
        ]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.out.as_deref()), (&ending::PLOT, self.plot.as_deref())])?;
        self.animation.check()?;
        if self.robot.is_stdin() && self.state.as_deref() == Some(STDIN) {
            let hint = "give one of them as a file; a state may also stand on the command line";
            return Err(Problem::usage("robot and state cannot both come from standard input").hint(hint));
        }
        let body = Body::load(&self.robot, self.rotors, host)?;
        let model = body.model();
        let start = read_start(self.state.as_deref(), model, host)?;
        let torque = torque::read(self.torque.as_deref(), self.interpolation, model, &start, host)?;
        let followed = self.control.followed(model, host)?;
        let nominal = self
            .control
            .nominal
            .as_deref()
            .map(|nominal| Body::load(&Robot::of(nominal), Rotors::Reduced, host))
            .transpose()?;
        let (system, nominal) = (body.system(), nominal.as_ref().map(Body::system));
        let mut simulation = Simulation::new(system.as_ref());
        simulation.nominal = nominal.as_deref();
        simulation.law = self.control.law(torque, system.as_ref(), host)?;
        simulation.reference = followed.as_ref().map(Followed::reference);
        simulation.start = self.first(model, &start, followed.as_ref());
        simulation.wrenches.clone_from(&start.wrenches);
        simulation.wrappers = self.control.wrappers()?;
        let Control { saturate, ignore_effort, .. } = self.control;
        simulation.wrappers.saturate = efforts::are_cut(system.as_ref(), &simulation.law, saturate, ignore_effort)?;
        let length = followed.as_ref().and_then(Followed::duration);
        let remembers = Memory::new(model).is_some();
        let usual = || if remembers { Method::Adaptive } else { Method::usual(&simulation.law) };
        let method = self.method.unwrap_or_else(usual);
        if matches!(method, Method::Auto | Method::Implicit) || model.has_mimic() {
            limits::SIMULATE_DENSE.check(model.name(), model.nv())?;
        }
        simulation.options = Options {
            duration: self.duration.or(length).unwrap_or(USUAL_DURATION),
            step: self.step,
            method: method.with(self.tolerance),
            every: self.every,
            stop_at_limits: self.stop_at_limits,
            ..Options::default()
        };
        let motion = motion::integrate(&simulation, host)?;
        if let Some(path) = &self.out {
            motion::write_samples(path, &motion, host)?;
        }
        if let Some(path) = &self.plot {
            let heading = draw::Heading {
                robot: model.name().to_owned(),
                scenario: self.scenario(&motion, followed.as_ref()),
                notes: self.limits_note(model).into_iter().collect(),
                step: self.step,
                command: "simulate",
            };
            plot::write(path, &draw::figure(&heading, &Palette::of(model), &motion), self.style, host)?;
        }
        animate::motion(model, body.elastic(), &motion, self.style.theme, &self.animation, host)?;
        let overdriven = efforts::overdriven(&motion, simulation.wrappers.saturate, host);
        Ok(Report { overdriven, ..self.report(model, motion) })
    }
}

impl Request {
    /// What drives the robot and where it starts, in words.
    fn scenario(&self, motion: &Trajectory, followed: Option<&Followed>) -> String {
        let is_name = |state: &&String| state.chars().all(|letter| letter.is_alphanumeric() || "_- ".contains(letter));
        let from = match (&self.state, followed) {
            (None, Some(Followed::Motion(_))) => "along a motion".to_owned(),
            (None, _) => "from the neutral position".to_owned(),
            (Some(state), _) if is_name(&state) => format!("from {state}"),
            (Some(_), _) => "from a given state".to_owned(),
        };
        format!("{}, {from}", draw::drive(motion.law))
    }

    /// What becomes of limits, if there are any.
    fn limits_note(&self, model: &Model<f64>) -> Option<String> {
        let known = model.links().iter().any(|link| link.limits.position.is_some());
        let note = if self.stop_at_limits { "stops at limits" } else { "limits not enforced" };
        known.then(|| note.to_owned())
    }

    /// Where the robot starts: where it is told to, otherwise on the motion that it follows.
    fn first(&self, model: &Model<f64>, start: &State<f64>, followed: Option<&Followed>) -> Start {
        match followed {
            Some(Followed::Motion(_)) if self.state.is_none() => Start::Reference { offset: vec![0.0; model.nv()] },
            _ => Start::State { q: start.q.clone(), qd: start.qd.clone() },
        }
    }

    fn report(&self, model: &Model<f64>, motion: Trajectory) -> Report {
        let last = motion.samples.last();
        let stopped = |hit: &LimitHit| Stopped { joint: hit.joint.clone(), t: hit.t, limit: hit.limit };
        let parted = |values: &[f64], at: usize| [values[..at].to_vec(), values[at..].to_vec()];
        let end = |last: &Sample| {
            let ([q, theta], [qd, theta_d]) = (parted(&last.q, model.nq()), parted(&last.qd, model.nv()));
            Final { t: last.t, q, qd, theta, theta_d }
        };
        let tracking = |last: &Sample| Tracking {
            largest_error: motion.largest_error(0.0),
            late_error: motion.largest_error(0.75 * last.t),
            final_error: last.error(),
        };
        let estimate = motion.learned();
        Report {
            steps: motion.steps,
            duration: last.map(|last| last.t),
            method: motion.method.into(),
            energy_drift: motion.energy_drift(),
            momentum_drift: motion.momentum_drift().map(|[linear, angular]| linear.max(angular)),
            stopped: motion.stopped.as_ref().map(stopped),
            last: last.map(end),
            law: motion.law,
            tracking: last.filter(|last| !last.reference.is_empty()).map(tracking),
            estimate: estimate
                .map(|(column, [start, value])| Estimate { name: column.place(), start, value })
                .collect(),
            overdriven: Vec::new(),
            robot: model.name().to_owned(),
            request: self.clone(),
            motion,
        }
    }
}

impl operation::Report for Report {
    fn samples(&self) -> Option<&Trajectory> {
        Some(&self.motion)
    }

    fn text(&self) -> String {
        let (motion, request) = (&self.motion, &self.request);
        let Some(last) = motion.samples.last() else { return String::new() };
        let mut lines = vec![format!(
            "{HEADING}{}{HEADING:#}: {} s in {} steps ({})",
            self.robot,
            numbers::short(last.t),
            motion.steps,
            show::method(motion, request.step)
        )];
        lines.extend(show::reason(motion, request.step).map(|why| format!("{FAINT}{why}{FAINT:#}")));
        lines.extend(show::stopped(motion));
        if let Some(tracking) = &self.tracking {
            lines.push(format!(
                "error           at most {:.2e}, in the last quarter {:.2e} {FAINT}(law {}){FAINT:#}",
                tracking.largest_error, tracking.late_error, self.law
            ));
        }
        lines.extend(efforts::lines(&self.overdriven, 15));
        lines.push(show::energy(motion, last));
        if let Some([linear, angular]) = motion.momentum_drift() {
            lines.push(format!("momentum drift  {linear:.2e} N s, {angular:.2e} N m s"));
        }
        lines.extend(text::files(
            15,
            [
                ("samples", request.out.as_deref()),
                ("plot", request.plot.as_deref()),
                ("animation", request.animation.animate.as_deref()),
            ],
        ));
        lines.push(String::new());
        lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
        lines.extend(show::state(motion, last));
        let learned = show::learned(motion);
        if !learned.is_empty() {
            lines.push(String::new());
            lines.extend(learned);
        }
        lines.join("\n")
    }
}
