//! `bench`: how fast each way of computing a quantity is on this machine.

use super::eval::quantities::{Asked, parse_quantities};
use crate::edits::Edits;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::text::style::{FAINT, HEADING};
use crate::text::table;
use jourdain::bench::{self, Effort, Times};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// Time quantities on this machine by each way of computing them
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Times are ns per state on one core, sines and cosines included: the smallest over many batches, \
                      the ways taking turns. `compile` is from the model in memory to something callable.\n\
                      JOURDAIN_NO_JIT=1 in the environment leaves machine code out."
    )
)]
pub struct Request {
    /// Built-in name, file, or - for standard input; without it an arm and a humanoid
    #[serde(default)]
    pub robot: Option<String>,

    /// What is changed about it
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub edits: Edits,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short = 'Q', value_name = "NAMES"))]
    pub quantity: Vec<String>,

    /// Turns that each way has: more of them find a quieter moment
    #[serde(default = "rounds")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = rounds()))]
    pub rounds: usize,
}

fn rounds() -> usize {
    10
}

/// What is timed unless the caller says otherwise.
const ROBOTS: [&str; 2] = ["iiwa14", "humanoid25"];
const QUANTITIES: [&str; 12] = [
    "inverse_dynamics",
    "inverse_dynamics_dot",
    "inverse_dynamics_ddot",
    "mass_matrix",
    "coriolis_matrix",
    "coriolis_christoffel",
    "gravity",
    "forward_dynamics",
    "mass_matrix_inverse",
    "inverse_dynamics_dq",
    "inverse_dynamics_dqd",
    "regressor",
];

/// The times, ns per state, of every way; null where one does not apply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The processor and what was built for it.
    pub machine: String,
    /// By robot and quantity.
    #[schemars(with = "std::collections::BTreeMap<String, std::collections::BTreeMap<String, Row>>")]
    pub robots: Map<String, serde_json::Value>,
    #[serde(skip)]
    timed: Vec<Timed>,
}

/// The times of one robot.
#[derive(Clone, Debug)]
struct Timed {
    robot: String,
    dof: usize,
    rows: Vec<(String, Row)>,
}

/// The times of one quantity.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The formulas on one state.
    pub generic_ns: Option<f64>,
    /// The formulas on four states at once.
    pub lanes_ns: Option<f64>,
    /// The program, interpreted over blocks.
    pub tape_ns: Option<f64>,
    /// Machine code on one state.
    pub jit_ns: Option<f64>,
    /// Machine code on four states at once.
    pub jit_batch_ns: Option<f64>,
    /// From the model in memory to something callable, ms.
    pub compile_ms: Option<f64>,
}

impl From<Times> for Row {
    fn from(times: Times) -> Self {
        Self {
            generic_ns: times.generic,
            lanes_ns: times.lanes,
            tape_ns: times.tape,
            jit_ns: times.machine_code,
            jit_batch_ns: times.machine_code_batch,
            compile_ms: times.compile_ms,
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "bench";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let robots = match &self.robot {
            Some(robot) => vec![robot.as_str()],
            None => ROBOTS.to_vec(),
        };
        let names = match &self.quantity[..] {
            [] => QUANTITIES.map(str::to_owned).to_vec(),
            names => names.to_vec(),
        };
        let effort = Effort { rounds: self.rounds, ..Effort::default() };
        let mut asked: Vec<(_, Vec<Asked>)> = Vec::new();
        for robot in robots {
            let model = Robot { edits: self.edits.clone(), ..Robot::of(robot) }.load(host)?;
            let quantities = parse_quantities(&names, &model)?;
            asked.push((model, quantities));
        }
        let count: usize = asked.iter().map(|(_, quantities)| quantities.len()).sum();
        let (mut timed, mut done) = (Vec::new(), 0);
        for (model, quantities) in asked {
            let mut rows = Vec::new();
            for asked in quantities {
                let times = bench::measure_while(&model, &asked.quantity, effort, &|| !host.is_cancelled())?;
                rows.push((asked.name, times.ok_or_else(Problem::cancelled)?.into()));
                done += 1;
                host.progress(done as f64 / count as f64);
            }
            timed.push(Timed { robot: model.name().to_owned(), dof: model.nv(), rows });
        }
        let quantities = |timed: &Timed| -> Map<String, serde_json::Value> {
            timed.rows.iter().map(|(name, row)| (name.clone(), serde_json::json!(row))).collect()
        };
        let robots = timed.iter().map(|timed| (timed.robot.clone(), quantities(timed).into())).collect();
        Ok(Report { machine: bench::machine(), robots, timed })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let mut blocks = vec![format!("{}; ns per state on one core", self.machine)];
        for Timed { robot, dof, rows } in &self.timed {
            let heading = format!("{HEADING}{robot}{HEADING:#}{FAINT}  {dof} degrees of freedom{FAINT:#}");
            let header = ["quantity", "generic", "lanes", "tape", "machine code", "… batch", "states/s", "compile"];
            let rows = rows.iter().map(|(name, times)| {
                let ways = [times.generic_ns, times.lanes_ns, times.tape_ns, times.jit_ns, times.jit_batch_ns];
                let fastest = ways.into_iter().flatten().reduce(f64::min);
                let [generic, lanes, tape, one, batch] = ways.map(nanoseconds);
                let rate = fastest.map_or_else(|| "–".to_owned(), per_second);
                let compile = times.compile_ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.2} ms"));
                [name.clone(), generic, lanes, tape, one, batch, rate, compile]
            });
            blocks.push(format!("{heading}\n{}", table::render(header, rows, &[1, 2, 3, 4, 5, 6, 7])));
        }
        blocks.join("\n\n")
    }
}

fn nanoseconds(time: Option<f64>) -> String {
    match time {
        Some(time) if time < 100.0 => format!("{time:.1}"),
        Some(time) => format!("{time:.0}"),
        None => "–".to_owned(),
    }
}

/// States per second of a time in ns.
fn per_second(time: f64) -> String {
    let rate = 1e9 / time;
    if rate >= 1e6 { format!("{:.1} M", rate / 1e6) } else { format!("{:.0} k", rate / 1e3) }
}
