//! `jourdain bench`: how fast each way of computing a quantity is on this machine.

use super::eval::{Asked, parse_quantities};
use crate::failure::Failure;
use crate::input;
use crate::output::{FAINT, HEADING, Output};
use crate::progress::Progress;
use crate::table;
use jourdain::Model;
use jourdain::bench::{self, Effort, Times};
use serde_json::{Map, Value, json};

/// Time quantities on this machine by each way of computing them
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Times are ns per state on one core, sines and cosines included: the smallest over many batches, \
                        the ways taking turns. `compile` is from the model in memory to something callable.\n\
                        JOURDAIN_NO_JIT=1 in the environment leaves machine code out."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input; without it an arm and a humanoid
    robot: Option<String>,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[arg(long, short = 'Q', value_name = "NAMES")]
    quantity: Vec<String>,

    /// Turns that each way has: more of them find a quieter moment
    #[arg(long, value_name = "N", default_value_t = 10)]
    rounds: usize,
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

/// The times of one robot.
struct Timed {
    model: Model,
    rows: Vec<(Asked, Times)>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let robots = match &arguments.robot {
        Some(robot) => vec![robot.as_str()],
        None => ROBOTS.to_vec(),
    };
    let names = match &arguments.quantity[..] {
        [] => QUANTITIES.map(str::to_owned).to_vec(),
        names => names.to_vec(),
    };
    let effort = Effort { rounds: arguments.rounds, ..Effort::default() };
    let mut asked = Vec::new();
    for robot in robots {
        let model = input::load_robot(robot, output)?;
        let quantities = parse_quantities(&names, &model)?;
        asked.push((model, quantities));
    }
    let count: usize = asked.iter().map(|(_, quantities)| quantities.len()).sum();
    let (progress, mut done) = (Progress::new(output), 0);
    let mut timed = Vec::new();
    for (model, quantities) in asked {
        let mut rows = Vec::new();
        for asked in quantities {
            let times = bench::measure(&model, &asked.quantity, effort)?;
            rows.push((asked, times));
            done += 1;
            progress.set(done as f64 / count as f64);
        }
        timed.push(Timed { model, rows });
    }
    drop(progress);
    if output.is_json() {
        output.json(&to_json(&timed))?;
    } else {
        output.text(&to_text(&timed))?;
    }
    Ok(0)
}

fn to_json(timed: &[Timed]) -> Value {
    let mut robots = Map::new();
    for Timed { model, rows } in timed {
        let mut quantities = Map::new();
        for (asked, times) in rows {
            let document = json!({
                "generic_ns": times.generic,
                "lanes_ns": times.lanes,
                "tape_ns": times.tape,
                "jit_ns": times.machine_code,
                "jit_batch_ns": times.machine_code_batch,
                "compile_ms": times.compile_ms,
            });
            quantities.insert(asked.name.clone(), document);
        }
        robots.insert(model.name().to_owned(), Value::Object(quantities));
    }
    json!({ "machine": bench::machine(), "robots": robots })
}

fn to_text(timed: &[Timed]) -> String {
    let mut blocks = vec![format!("{}; ns per state on one core", bench::machine())];
    for Timed { model, rows } in timed {
        let heading =
            format!("{HEADING}{}{HEADING:#}{FAINT}  {} degrees of freedom{FAINT:#}", model.name(), model.nv());
        let header = ["quantity", "generic", "lanes", "tape", "machine code", "… batch", "states/s", "compile"];
        let rows = rows.iter().map(|(asked, times)| {
            let fastest = [times.generic, times.lanes, times.tape, times.machine_code, times.machine_code_batch]
                .into_iter()
                .flatten()
                .reduce(f64::min);
            [
                asked.name.clone(),
                nanoseconds(times.generic),
                nanoseconds(times.lanes),
                nanoseconds(times.tape),
                nanoseconds(times.machine_code),
                nanoseconds(times.machine_code_batch),
                fastest.map_or_else(|| "–".to_owned(), per_second),
                times.compile_ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.2} ms")),
            ]
        });
        blocks.push(format!("{heading}\n{}", table::render(header, rows, &[1, 2, 3, 4, 5, 6, 7])));
    }
    blocks.join("\n\n")
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
