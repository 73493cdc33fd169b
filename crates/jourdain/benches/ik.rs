//! Inverse kinematics: a pose within limits, many poses in a batch, and the next optimum along a path; medians over single calls.
//!
//! `cargo bench -p jourdain --bench ik` prints microseconds. `-- --dump FILE.json` writes the robots, targets and starts of the
//! first table instead, for `benches/peers/ik.py` to solve with other libraries.

#![allow(missing_docs, clippy::print_stdout)]

use jourdain::ik::criterion::{Constant, Criterion, Joints, Manipulability};
use jourdain::ik::{Batch, Chain, Options, Solutions, Solver, Task};
use jourdain::model::{Motion, Screw};
use jourdain::spatial::{Pose, Rotation, Vector};
use jourdain::{Model, kinematics, robots};
use serde_json::{Value, json};
use std::time::Instant;

const ROBOTS: [&str; 3] = ["panda", "iiwa14", "ur5"];
const CASES: usize = 1000;
const TOLERANCE: f64 = 1e-6;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// Random reachable targets and starts, both within the limits.
fn cases(model: &Model) -> Vec<(Pose<f64>, Vec<f64>)> {
    let mut random = Random(42);
    let limits: Vec<[f64; 2]> = model.links().iter().filter_map(|link| link.limits.position).collect();
    let mut position = || -> Vec<f64> { limits.iter().map(|[a, b]| random.range(*a, *b)).collect() };
    let link = model.links().len() - 1;
    (0..CASES).map(|_| (kinematics::pose(model, &position(), link), position())).collect()
}

/// Median and 95th percentile.
fn summary(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 95 / 100])
}

fn micros(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / 1000.0
}

fn poses(name: &str) {
    let model = robots::load(name).expect("a built-in robot");
    let options = Options { tolerance: TOLERANCE, ..Options::default() };
    let task = Task::pose(model.links().len() - 1);
    let mut solver = Solver::new(&model, task, Box::new(Constant), options).expect("a problem");
    let mut times = Vec::new();
    let mut solved = 0;
    // The second round counts.
    for _ in 0..2 {
        (times, solved) = (Vec::new(), 0);
        for (target, start) in cases(&model) {
            let mut q = start;
            let mut good = false;
            times.push(micros(|| good = solver.reach_into(&target, &mut q).is_ok_and(|r| r.status.is_success())));
            solved += usize::from(good);
        }
    }
    let (median, p95) = summary(&mut times);
    let share = 100.0 * solved as f64 / CASES as f64;
    println!("{name:8} pose within limits, 1e-6        median {median:7.1} us  p95 {p95:7.1} us  solved {share:.1} %");
}

/// Many targets at once against one after the other, from the middle of the ranges: time per pose on one thread, so that the
/// ratio is the cost of the batch itself, and on all.
fn batches(name: &str) {
    let model = robots::load(name).expect("a built-in robot");
    let options = Options { tolerance: TOLERANCE, ..Options::default() };
    let task = Task::pose(model.links().len() - 1);
    let make = || Solver::new(&model, task, Box::new(Constant), options);
    let targets: Vec<Pose<f64>> = cases(&model).into_iter().map(|(target, _)| target).collect();
    let mut solver = make().expect("a problem");
    let mut q = model.neutral();
    let each = |micros: f64| micros / targets.len() as f64;
    let best = |work: &mut dyn FnMut()| (0..5).map(|_| each(micros(&mut *work))).fold(f64::INFINITY, f64::min);
    let single = best(&mut || targets.iter().for_each(|target| drop(solver.best_into(target, &mut q, false))));
    let batch = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (mut batch, mut found) = (Batch::new(make).expect("a problem"), Solutions::default());
            best(&mut || batch.solve_into(&targets, None, &mut found, || ()).expect("targets"))
        })
    };
    let (one, all) = (batch(1), batch(0));
    println!(
        "{name:8} many poses, mean per pose          single {single:6.1} us  batch {one:6.1} us on one thread, {all:6.1} us on all  ratio {:.2}",
        one / single
    );
}

fn along_a_path(name: &str, what: &str, make: fn(&Chain) -> Box<dyn Criterion>) {
    let model = robots::load(name).expect("a built-in robot");
    let link = model.links().len() - 1;
    let chain = Chain::new(&model, link, Vector::zero());
    let mut solver = Solver::new(&model, Task::pose(link), make(&chain), Options::default()).expect("a problem");
    let mut q = vec![0.3, 0.6, -0.2, -1.5, 0.4, 1.4, 0.2];
    if name == "iiwa14" {
        q[3] = 1.4;
    }
    let first = kinematics::pose(&model, &q, link);
    // A circle of 5 cm radius with a turn of the hand, 500 points, 0.6 mm apart.
    let path: Vec<Pose<f64>> = (0..500)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / 500.0;
            let turn = Rotation::exp(Vector([0.1 * angle.sin(), 0.0, 0.1 * (1.0 - angle.cos())]));
            let shift = Vector([0.05 * (angle.cos() - 1.0), 0.05 * angle.sin(), 0.0]);
            Pose { rotation: turn * first.rotation, translation: first.translation + shift }
        })
        .collect();
    let mut times = Vec::new();
    let (mut solved, mut iterations) = (0, 0);
    for _ in 0..3 {
        (times, solved, iterations) = (Vec::new(), 0, 0);
        for target in &path {
            let mut report = None;
            times.push(micros(|| report = solver.solve_into(target, &mut q).ok()));
            if let Some(report) = report {
                solved += usize::from(report.status.is_success());
                iterations += report.iterations;
            }
        }
    }
    let (median, p95) = summary(&mut times);
    let mean = iterations as f64 / path.len() as f64;
    println!(
        "{name:8} next optimum, {what:16}   median {median:7.1} us  p95 {p95:7.1} us  solved {:.1} %  {mean:.1} iterations",
        100.0 * solved as f64 / path.len() as f64
    );
}

/// The robots as origins and axes, with targets and starts.
fn dump(file: &str) -> std::io::Result<()> {
    let robot = |name: &str| -> Value {
        let model = robots::load(name).expect("a built-in robot");
        let mut links: Vec<Value> = Vec::new();
        for link in model.links() {
            match &link.joint.motion {
                Motion::Product(screws) if matches!(screws[..], [Screw::Rotation { .. }]) => {
                    let [Screw::Rotation { axis, point, .. }] = screws[..] else { continue };
                    let pose = link.placement * Pose::translation(point);
                    links.push(json!({ "pose": pose.to_matrix(), "axis": axis.0, "limits": link.limits.position }));
                    links.push(json!({ "pose": Pose::translation(-point).to_matrix(), "limits": null }));
                }
                _ => links.push(json!({ "pose": link.placement.to_matrix(), "limits": null })),
            }
        }
        let cases = cases(&model);
        let targets: Vec<Value> = cases.iter().map(|(target, _)| json!(target.to_matrix())).collect();
        let starts: Vec<Value> = cases.iter().map(|(_, start)| json!(start)).collect();
        json!({ "name": name, "links": links, "targets": targets, "starts": starts })
    };
    let robots: Vec<Value> = ROBOTS.iter().map(|name| robot(name)).collect();
    std::fs::write(file, serde_json::to_string(&robots).expect("finite numbers"))
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--dump") {
        return dump(arguments.get(at + 1).map_or("targets.json", String::as_str));
    }
    ROBOTS.iter().for_each(|name| poses(name));
    ROBOTS.iter().for_each(|name| batches(name));
    for name in ["panda", "iiwa14"] {
        along_a_path(name, "manipulability", |_| Box::new(Manipulability::default()));
        along_a_path(name, "mid-range", |chain| Box::new(Joints::mid_range(chain)));
        along_a_path(name, "limit-barrier", |chain| Box::new(Joints::limit_barrier(chain)));
    }
    Ok(())
}
