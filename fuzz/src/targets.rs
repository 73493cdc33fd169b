//! What is fuzzed: plain functions from bytes to nothing, which panic where jourdain does what it must not.
//!
//! It must not panic, not give numbers that are none, and not work without end. Operations make a problem of a panic inside
//! them (`internal`), which is a panic here again. [`Plant`] puts a bug into the way of each: a target that does not see it is worth
//! nothing, and the tests look.

#[path = "bench.rs"]
mod bench;
#[path = "numbers.rs"]
pub mod numbers;

pub use bench::Plant;

use bench::{Bench, Watch};
use jourdain::model::Model;
use jourdain::quantity::{Path, Quantity};
use jourdain::{State, Workspace, formats};
use jourdain_symbolic::expr::{Rules, scope};
use jourdain_symbolic::{Compiled, Expr, Options, Program, Scalar as _, Tape};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use tempfile::TempPath;

/// Longest input, bytes: longer ones are slower and find nothing else.
const LONGEST: usize = 1 << 16;

/// Robots of up to so many degrees of freedom are taken through all quantities.
const MOST_DOF: usize = 8;

/// A function that is fuzzed.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, that of its corpus in `suite/fuzz`.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8], Plant),
}

/// All of them.
pub const ALL: [Target; 19] = [
    Target { name: "urdf", run: |data, plant| robot("robot.urdf", data, plant) },
    Target { name: "mjcf", run: |data, plant| robot("robot.xml", data, plant) },
    Target { name: "xacro", run: |data, plant| robot("robot.xacro", data, plant) },
    Target { name: "sdf", run: |data, plant| robot("robot.sdf", data, plant) },
    Target { name: "native", run: native },
    Target { name: "states_json", run: |data, plant| states("states.json", data, plant) },
    Target { name: "states_csv", run: |data, plant| states("states.csv", data, plant) },
    Target { name: "states_parquet", run: states_parquet },
    Target { name: "log", run: |data, plant| log("log.csv", data, plant) },
    Target { name: "mcap", run: |data, plant| log("log.mcap", data, plant) },
    Target { name: "factors", run: factors },
    Target { name: "arm", run: arm },
    Target { name: "scenario", run: scenario },
    Target { name: "ik_target", run: ik_target },
    Target { name: "ik_path", run: ik_path },
    Target { name: "edits", run: edits },
    Target {
        name: "request",
        run: |data, plant| {
            request(data, plant);
        },
    },
    Target { name: "program", run: program },
    Target { name: "model", run: model },
];

/// A robot file is read, judged, described and written in every form.
fn robot(file: &str, data: &[u8], plant: Plant) {
    if data.len() > LONGEST {
        return;
    }
    let bench = Bench::new(&[(file, data)], plant);
    if !bench.ask("check", json!({ "robot": file })) || !bench.ask("info", json!({ "robot": file })) {
        return;
    }
    for form in ["toml", "json", "urdf", "mjcf"] {
        bench.ask("convert", json!({ "robot": file, "to": form }));
    }
}

fn native(data: &[u8], plant: Plant) {
    let file = if data.trim_ascii_start().starts_with(b"{") { "robot.json" } else { "robot.toml" };
    robot(file, data, plant);
}

const TORQUES: [&str; 3] = ["inverse_dynamics", "forward_dynamics", "mass_matrix"];

fn states(file: &str, data: &[u8], plant: Plant) {
    let bench = Bench::new(&[(file, data)], plant);
    if bench.ask("eval", json!({ "robot": "planar2r", "state": file, "quantity": TORQUES })) {
        bench.ask("simulate", json!({ "robot": "planar2r", "state": file, "duration": 0.01 }));
    }
}

/// Columns are found from the end of a file, which therefore has to be one: the same for every input.
fn states_parquet(data: &[u8], plant: Plant) {
    static FILE: Mutex<Option<TempPath>> = Mutex::new(None);
    if data.len() > LONGEST {
        return;
    }
    let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || tempfile::Builder::new().suffix(".parquet").tempfile().expect("a temporary file").into_temp_path();
    let path = file.get_or_insert_with(make);
    std::fs::write(&path, data).expect("room for it");
    let path = path.display().to_string();
    let bench = Bench::on_disk(plant);
    bench.ask("eval", json!({ "robot": "planar2r", "state": path, "quantity": TORQUES }));
    bench.ask("identify", json!({ "robot": "planar2r", "data": [path], "threads": 1, "cutoff": 5.0, "fit": "base" }));
}

/// What is studied about a log before it is used takes most of the time: every eighth length of a file gets all of it.
fn log(file: &str, data: &[u8], plant: Plant) {
    if data.len() > LONGEST {
        return;
    }
    let bench = Bench::new(&[(file, data)], plant);
    let quick = json!({ "robot": "planar2r", "data": [file], "threads": 1, "cutoff": 5.0, "fit": "base" });
    let whole = json!({ "robot": "planar2r", "data": [file], "threads": 1 });
    bench.ask("identify", if data.len().is_multiple_of(8) { whole } else { quick });
}

fn factors(data: &[u8], plant: Plant) {
    if data.len() > LONGEST {
        return;
    }
    let file = if data.trim_ascii_start().starts_with(b"{") { "factors.json" } else { "factors.jdf" };
    let bench = Bench::new(&[(file, data)], plant);
    bench.ask("identify", json!({ "robot": "planar2r", "merge": [file], "out": "robot.toml" }));
}

fn arm(data: &[u8], plant: Plant) {
    if data.len() > LONGEST {
        return;
    }
    let file = if data.trim_ascii_start().starts_with(b"{") { "arm.json" } else { "arm.toml" };
    let bench = Bench::new(&[(file, data)], plant);
    if bench.ask("flexible modes", json!({ "arm": file })) {
        bench.ask("flexible linearise", json!({ "arm": file }));
        bench.ask("flexible eval", json!({ "arm": file, "state": "{}" }));
    }
}

fn scenario(data: &[u8], plant: Plant) {
    let bench = Bench::new(&[("scenario.json", data)], plant);
    bench.ask("flexible simulate", json!({ "arm": "two_link_flexible", "scenario": "scenario.json" }));
    bench.ask("flexible eval", json!({ "arm": "two_link_flexible", "state": "scenario.json" }));
}

fn ik_target(data: &[u8], plant: Plant) {
    let file = if data.trim_ascii_start().starts_with(b"{") || data.trim_ascii_start().starts_with(b"[") {
        "target.json"
    } else {
        "target.csv"
    };
    let bench = Bench::new(&[(file, data)], plant);
    bench.ask("ik", json!({ "robot": "ur5", "target": file, "starts": 3, "iterations": 30 }));
}

fn ik_path(data: &[u8], plant: Plant) {
    let bench = Bench::new(&[("path.json", data)], plant);
    bench.ask("ik-path", json!({ "robot": "ur5", "path": "path.json", "starts": 3, "iterations": 30 }));
}

/// Fields of a robot's edits as JSON, on a robot that has all kinds of things to edit.
fn edits(data: &[u8], plant: Plant) {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(data) else { return };
    fields.insert("robot".to_owned(), json!("floating_humanoid25"));
    let bench = Bench::new(&[], plant);
    bench.ask("info", Value::Object(fields.clone()));
    fields.insert("robot".to_owned(), json!("planar2r_elastic"));
    bench.ask("info", Value::Object(fields));
}

/// What requests may name.
const FILES: [(&str, &[u8]); 11] = [
    ("log.csv", include_bytes!("../../suite/fuzz/log/sixty.csv")),
    ("r1/mon.csv", include_bytes!("../../suite/fuzz/log/sixty.csv")),
    ("r2/mon.csv", include_bytes!("../../suite/fuzz/log/cells.csv")),
    ("log.mcap", include_bytes!("../../suite/fuzz/mcap/cut.mcap")),
    ("states.csv", include_bytes!("../../suite/fuzz/states_csv/table.csv")),
    ("factors.jdf", include_bytes!("../../suite/fuzz/factors/sixty.jdf")),
    ("path.json", include_bytes!("../../suite/fuzz/ik_path/short.json")),
    ("scenario.json", include_bytes!("../../suite/fuzz/scenario/run.json")),
    ("arm.toml", include_bytes!("../../suite/fuzz/arm/two_link_flexible.toml")),
    ("robot.urdf", include_bytes!("../../suite/fuzz/urdf/everything.urdf")),
    ("robot.xacro", include_bytes!("../../suite/fuzz/xacro/sub_macros.xacro")),
];

/// The name of an operation in the first line, its request as JSON in the others; the operation if it had an answer.
pub fn request(data: &[u8], plant: Plant) -> Option<&str> {
    let (name, request) = std::str::from_utf8(data).ok()?.split_once('\n')?;
    let mut request: Value = serde_json::from_str(request).ok()?;
    // One measures this machine for as long as it is told, and pixels take seconds: what is drawn is the same as vectors.
    if name == "bench"
        || [".gif", "png"].iter().any(|ending| data.windows(ending.len()).any(|w| w == ending.as_bytes()))
    {
        return None;
    }
    // How many threads there are is no property of a request.
    if let Some(threads) = request.get_mut("threads") {
        *threads = json!(1);
    }
    Bench::new(&FILES, plant).ask(name, request).then_some(name)
}

/// Bytes as instructions of a stack of expressions: machine code gives what the tape gives, to the last bit.
fn program(data: &[u8], plant: Plant) {
    const INPUTS: usize = 5;
    let code = &data[..data.len().min(2000)];
    let program = scope(Rules::default(), || {
        let symbols: Vec<Expr> = (0..INPUTS).map(|k| Expr::symbol(&format!("x{k}"))).collect();
        let mut stack = symbols.clone();
        for pair in code.chunks(3) {
            let [what, a, b] = [pair[0], *pair.get(1).unwrap_or(&0), *pair.get(2).unwrap_or(&0)];
            let (x, y) = (stack[a as usize % stack.len()], stack[b as usize % stack.len()]);
            stack.push(match what % 8 {
                0 | 1 => x + y,
                2 => x - y,
                3 | 4 => x * y,
                5 => -x,
                6 => x.scale(Expr::from_f64((f64::from(b) - 128.0) / 16.0)),
                _ => symbols[a as usize % INPUTS].sin_cos().0 * y + symbols[b as usize % INPUTS].sin_cos().1,
            });
        }
        let last = stack.len().min(7);
        // Without fused products all ways round alike.
        let options = Options { fuse: false, ..Options::default() };
        Program::with_options(&[("x", &symbols)], &[("y", &stack[stack.len() - last..])], options)
    });
    let Ok(program) = program else { return };
    let number = |k: usize| f64::from(*data.get(k).unwrap_or(&7)) / 100.0 - 1.2;
    let inputs: Vec<f64> = (0..4 * INPUTS).map(number).collect();
    let (tape, compiled) = (Tape::new(&program), Compiled::new(&program));
    let count = program.output_count();
    let [mut expected, mut single, mut batch] = [(); 3].map(|()| vec![0.0; 4 * count]);
    tape.run(&inputs, &mut tape.scratch(), &mut expected);
    compiled.run_batch(&inputs, &mut compiled.scratch(), &mut batch);
    let mut scratch = compiled.scratch();
    for (inputs, out) in inputs.chunks(INPUTS).zip(single.chunks_mut(count)) {
        compiled.run(inputs, &mut scratch, out);
    }
    if plant == Plant::Bug {
        single[0] = f64::from_bits(single[0].to_bits() ^ 1);
    }
    for (found, way) in [(&single, "one state"), (&batch, "a batch")] {
        for (found, expected) in found.iter().zip(&expected) {
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{way}: {found} on the machine, {expected} on the tape");
        }
    }
}

/// Any description that loads is taken through every quantity, both ways of computing it.
fn model(data: &[u8], plant: Plant) {
    if data.len() > LONGEST {
        return;
    }
    let reading = formats::read(data);
    let Ok((checked, _)) = reading.into_result("robot") else { return };
    let model = Model::from(checked);
    if model.nv() > MOST_DOF || model.links().len() > 2 * MOST_DOF {
        return;
    }
    let watch = Watch::start();
    let mut workspace = Workspace::new(&model);
    let mut state = State::neutral(&model);
    for (k, (qd, qdd)) in state.qd.iter_mut().zip(&mut state.qdd).enumerate() {
        (*qd, *qdd) = (0.3 + 0.1 * k as f64, -0.2 + 0.07 * k as f64);
    }
    let mut values = Vec::new();
    for quantity in Quantity::each(model.links().len().saturating_sub(1)) {
        for path in [Path::Fast, Path::Closed] {
            values.extend(quantity.evaluate(path, &model, &state, &mut workspace).unwrap_or_default());
        }
    }
    if plant == Plant::Bug {
        values.push(f64::NAN);
    }
    assert!(values.iter().all(|x| x.is_finite()), "a number that is none");
    watch.stop("every quantity");
}
