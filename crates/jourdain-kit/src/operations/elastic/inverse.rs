//! `elastic inverse`: where the motors are along a motion of the links, and the torques that they need, damping included.

use super::setup::load;
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::motion::control::{WAVES, named_motion};
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::{Axis, Figure};
use crate::plot::joints::{self, Palette, Quantity, Series, block};
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::sheet;
use crate::sources;
use crate::text;
use crate::text::numbers;
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::elastic::{ElasticModel, MotorMotion, Wound};
use jourdain::prescribed::{PrescribedMotion, Reference};
use jourdain::simulate::{Column, Elastic, System as _};
use jourdain::unit::Unit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most times that are kept.
const MOST_SAMPLES: usize = 1_000_000;

/// Motor positions and torques for a motion of the links
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Trajectories are those of `jourdain trajectory`, and waves and hold; their loads are taken into account.\n\n\
                      A spring without damping follows the motion at each instant. With damping, K d + D d' = tau is a \
                      differential equation for its deflection d: it is solved forwards in time, from springs at rest at the \
                      start, and what is wrong with that start dies out with the time constant D/K. Positions and torques \
                      are on the link side."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// What the links do: JSON file, CSV file of samples, the JSON itself, or a built-in name
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default = "waves")]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON|NAME", default_value_t = waves()))]
    pub trajectory: String,

    /// Standard deviation of the Gaussian that smooths samples, s
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", allow_negative_numbers = true))]
    pub smoothing: Option<f64>,

    /// Damping of every spring, N m s/rad at the link, instead of what the robot file says
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "D", allow_negative_numbers = true))]
    pub damping: Option<f64>,

    /// Number of times, begin and end included
    #[serde(default = "samples")]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "N", default_value_t = samples()))]
    pub samples: usize,

    /// Write the numbers as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw deflections, speeds and torques of the motors
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,
}

fn waves() -> String {
    WAVES.to_owned()
}

fn samples() -> usize {
    201
}

/// How the motors follow from the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Solved {
    /// At each instant by itself: no spring is damped.
    Instant,
    /// Forwards in time, from springs at rest at the start.
    Forwards,
}

/// What the motors do, link side; rad, m, N m, N.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// How it was solved.
    pub solved: Solved,
    /// How long the start is felt: the largest D/K, s.
    pub memory: f64,
    /// Times, s.
    pub t: Vec<f64>,
    /// Positions of the motors at each time; those of the joints where these are rigid.
    pub theta: Vec<Vec<f64>>,
    /// Their rates.
    pub theta_d: Vec<Vec<f64>>,
    /// Torques of the motors.
    pub torque: Vec<Vec<f64>>,
    /// What each drive has to give.
    pub drives: Vec<Drive>,
    #[serde(skip)]
    deflection: Vec<Vec<f64>>,
    #[serde(skip)]
    files: [Option<PathBuf>; 2],
}

/// What a drive has to give.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Drive {
    /// The joint.
    pub joint: String,
    /// The largest deflection |θ − q|.
    pub deflection: f64,
    /// The largest torque, without sign.
    pub torque: f64,
    /// When, s.
    pub t: f64,
    /// What the drive can give, where the file says it.
    pub effort: Option<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "elastic inverse";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", self.out.as_deref()), ("plot", self.plot.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.out.as_deref()), (&ending::PLOT, self.plot.as_deref())])?;
        if self.samples == 0 || self.samples > MOST_SAMPLES {
            let problem = Problem::usage(format!("{} samples cannot be taken", self.samples));
            return Err(problem.hint(format!("from 1 to {MOST_SAMPLES}")));
        }
        let mut elastic = load(&self.robot, host)?;
        if let Some(damping) = self.damping {
            elastic = elastic.with_damping(damping)?;
        }
        let motion = named_motion(&self.trajectory, self.smoothing, elastic.model(), host)?;
        let report = self.solve(&elastic, &motion, host)?;
        for drive in report.drives.iter().filter(|drive| drive.effort.is_some_and(|effort| drive.torque > effort)) {
            let [torque, effort] = [drive.torque, drive.effort.unwrap_or(0.0)].map(numbers::short);
            host.warn(format!("`{}` needs {torque}, beyond its effort of {effort}", drive.joint));
        }
        let joints = Elastic::new(&elastic).layout().inputs.clone();
        if let Some(path) = &self.out {
            report.write(path, &joints, host)?;
        }
        if let Some(path) = &self.plot {
            plot::write(path, &report.figure(&elastic, &joints), self.style, host)?;
        }
        Ok(report)
    }
}

impl Request {
    fn solve(
        &self,
        elastic: &ElasticModel<f64>,
        motion: &PrescribedMotion,
        host: &dyn Host,
    ) -> Result<Report, Problem> {
        let mut wound = Wound::new(elastic, Reference::Motion(motion), true);
        let mut motors = MotorMotion::zero(elastic);
        let times = motion.times(self.samples);
        let mut report = Report {
            robot: elastic.model().name().to_owned(),
            solved: if elastic.is_damped() { Solved::Forwards } else { Solved::Instant },
            memory: wound.memory(),
            t: times.clone(),
            theta: Vec::with_capacity(times.len()),
            theta_d: Vec::with_capacity(times.len()),
            torque: Vec::with_capacity(times.len()),
            drives: Vec::new(),
            deflection: Vec::with_capacity(times.len()),
            files: [self.out.clone(), self.plot.clone()],
        };
        for (index, &t) in times.iter().enumerate() {
            if host.is_cancelled() {
                return Err(Problem::cancelled());
            }
            host.progress(index as f64 / times.len() as f64);
            wound.motors_into(t - motion.start, &mut motors);
            let [q, qd] = Reference::Motion(motion).orders(t - motion.start);
            let theta = elastic.all_positions(&q, &motors.theta);
            report.deflection.push(theta.iter().zip(&q).map(|(theta, q)| theta - q).collect());
            report.theta.push(theta);
            report.theta_d.push(elastic.all_positions(&qd, &motors.theta_d));
            report.torque.push(motors.torque.clone());
        }
        let rows = [&report.theta, &report.theta_d, &report.torque];
        if rows.into_iter().flatten().flatten().any(|x| !x.is_finite()) {
            return Err(Problem::new("not-finite", "the motors' motion leaves the range of numbers").unsolved());
        }
        let layout = Elastic::new(elastic).layout().clone();
        report.drives = layout
            .inputs
            .iter()
            .zip(&layout.efforts)
            .enumerate()
            .map(|(i, (joint, effort))| {
                let sizes = |rows: &[Vec<f64>]| rows.iter().map(|row| row[i].abs()).collect::<Vec<f64>>();
                let torques = sizes(&report.torque);
                let at = (0..torques.len()).fold(0, |best, k| if torques[k] > torques[best] { k } else { best });
                let deflection = sizes(&report.deflection).into_iter().fold(0.0, f64::max);
                Drive { joint: joint.place(), deflection, torque: torques[at], t: times[at], effort: *effort }
            })
            .collect();
        Ok(report)
    }
}

impl Report {
    fn write(&self, path: &Path, joints: &[Column], host: &dyn Host) -> Result<(), Problem> {
        let kinds = ["theta", "thetad", "tau"];
        let columns =
            kinds.iter().flat_map(|kind| joints.iter().map(move |joint| joint.as_kind(kind, joint.unit).to_string()));
        let row = |k: usize| [&self.theta[k], &self.theta_d[k], &self.torque[k]].into_iter().flatten().copied();
        let values: Vec<f64> = (0..self.t.len()).flat_map(row).collect();
        sheet::timed(path, columns.collect(), &self.t, &values, host)
    }

    fn figure(&self, elastic: &ElasticModel<f64>, joints: &[Column]) -> Figure {
        let palette = Palette::of(elastic.model());
        let x: Arc<[f64]> = self.t.as_slice().into();
        let series = |letter: &str, rows: &[Vec<f64>], what, unit: &dyn Fn(&Column) -> Unit| -> Vec<Series> {
            let one = |(i, joint): (usize, &Column)| {
                let unit = unit(joint).to_string();
                let of = palette.series(letter, &joint.of, &joint.part, unit, what);
                Series { values: rows.iter().map(|row| row[i]).collect(), ..of }
            };
            joints.iter().enumerate().map(one).collect()
        };
        // What drives a joint tells whether it turns: a torque by newton metres.
        let angle = |joint: &Column| if joint.unit == Unit::NEWTON { Unit::METRE } else { Unit::RADIAN };
        let mut torques = series("τ", &self.torque, Quantity::Other, &|joint| joint.unit);
        for (series, drive) in torques.iter_mut().zip(&self.drives) {
            series.limits = drive.effort.map(|effort| [-effort, effort]);
        }
        let blocks = vec![
            block("Deflection", &x, &series("δ", &self.deflection, Quantity::Other, &angle)),
            block(
                "Motor speed",
                &x,
                &series("θ\u{307}", &self.theta_d, Quantity::Velocity, &|joint| angle(joint).seconds(-1)),
            ),
            block("Motor torque", &x, &torques),
        ];
        let finding = match joints::first_out(&x, &torques) {
            Some((series, t)) => {
                format!("{} exceeds what its drive can give after {} s", series.symbol, joints::seconds(t))
            }
            None if self.drives.iter().any(|drive| drive.effort.is_some()) => {
                "all drives can give what is needed".to_owned()
            }
            None => String::new(),
        };
        let solved = match self.solved {
            Solved::Instant => "solved at each instant, no spring is damped",
            Solved::Forwards => "solved forwards, from springs at rest",
        };
        let title = format!("{} · motors along a motion of the links", self.robot);
        Figure {
            description: format!("{title}. {finding}"),
            title,
            notes: vec![
                finding,
                solved.to_owned(),
                "on the side of the link".to_owned(),
                "jourdain elastic inverse".to_owned(),
            ],
            x: Axis::time(),
            legend: joints::limit_roles(&blocks),
            blocks,
        }
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let [first, last] = [self.t.first(), self.t.last()].map(|t| numbers::short(t.copied().unwrap_or(0.0)));
        let how = match self.solved {
            Solved::Instant => "at each instant: no spring is damped".to_owned(),
            Solved::Forwards => format!(
                "forwards, from springs at rest; the start is felt for some {} s",
                numbers::short(3.0 * self.memory)
            ),
        };
        let mut lines = vec![
            format!("{HEADING}{}{HEADING:#}: motors at {} times from {first} s to {last} s", self.robot, self.t.len()),
            format!("solved   {how}"),
        ];
        let [out, plot] = &self.files;
        lines.extend(text::files(8, [("samples", out.as_deref()), ("plot", plot.as_deref())]));
        lines.push(String::new());
        let mut rows = vec![["", "deflection", "torque", "at t", "effort"].map(str::to_owned).to_vec()];
        for drive in &self.drives {
            let effort = drive.effort.map_or_else(|| "–".to_owned(), numbers::short);
            let cells = [drive.deflection, drive.torque, drive.t].map(numbers::short);
            rows.push(std::iter::once(drive.joint.clone()).chain(cells).chain([effort]).collect());
        }
        let beyond = |drive: &Drive| drive.effort.is_some_and(|effort| drive.torque > effort);
        let table = numbers::align_right(&rows).into_iter().enumerate();
        lines.extend(table.map(|(k, line)| match k.checked_sub(1).map(|k| &self.drives[k]) {
            Some(drive) if beyond(drive) => format!("  {WARN}{line}{WARN:#}"),
            _ => format!("  {line}"),
        }));
        lines.push(format!("{FAINT}largest sizes, link side{FAINT:#}"));
        lines.join("\n")
    }
}
