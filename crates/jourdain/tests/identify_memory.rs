//! Memory of an identification does not depend on the length of the log.

mod counting;
mod logs;

use counting::allocations;
use jourdain::identify::log::{self, Options};
use jourdain::identify::{Accumulator, Coordinates, Drives, Problem, Sample, accumulate, solve};
use logs::{Derivatives, Random, Run, heading, line, with_friction};
use std::io::{BufReader, Read};

/// A log that is made up while it is read.
struct Endless {
    run: Run,
    random: Random,
    derivatives: Derivatives,
    rows: u64,
    next: u64,
    text: String,
    at: usize,
}

impl Endless {
    fn new(rows: u64, derivatives: Derivatives) -> Self {
        let model = with_friction("planar2r");
        let mut text = String::with_capacity(4096);
        text.push_str(&heading(model.nv(), derivatives));
        Self { run: Run::new(&model, 0.8), random: Random(1), derivatives, rows, next: 0, text, at: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.text.len() {
            if self.next == self.rows {
                return Ok(0);
            }
            self.text.clear();
            self.at = 0;
            let t = self.next as f64 / 1000.0;
            self.run.at(t);
            line(&mut self.text, t, &self.run, self.derivatives, [1e-6, 0.05], &mut self.random);
            self.next += 1;
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text.as_bytes()[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn identify(problem: &Problem, rows: u64, derivatives: Derivatives) -> (u64, usize) {
    let mut samples = 0;
    let mut accumulator = Accumulator::new(problem);
    let source = BufReader::new(Endless::new(rows, derivatives));
    let count = allocations(|| {
        samples =
            log::read(source, problem.model(), &Options::default(), |sample| accumulator.add(sample)).unwrap().samples;
    });
    let estimate = solve(problem, &accumulator.finish()).unwrap();
    let exact = Problem::new(&with_friction("planar2r"), Drives::default()).unwrap().prior();
    for (value, exact) in estimate.values.iter().zip(exact) {
        assert!((value - exact).abs() < 0.02 * exact.abs().max(0.1), "{value} and {exact}");
    }
    (samples, count)
}

fn problem() -> Problem {
    Problem::new(&jourdain::robots::load("planar2r").unwrap(), Drives::default()).unwrap()
}

#[test]
fn a_longer_log_allocates_no_more() {
    let problem = problem();
    for derivatives in [Derivatives::None, Derivatives::All] {
        let (_, short) = identify(&problem, 100_000, derivatives);
        let (_, long) = identify(&problem, 200_000, derivatives);
        assert_eq!(short, long);
    }
}

#[test]
fn taking_in_samples_allocates_nothing() {
    let (problem, model) = (problem(), with_friction("planar2r"));
    let (mut run, mut accumulator) = (Run::new(&model, 0.8), Accumulator::new(&problem));
    let count = allocations(|| {
        for i in 0..1000 {
            run.at(0.01 * f64::from(i));
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
        }
    });
    assert_eq!(count, 0);
}

/// A log of a motion that comes again and again: only times differ, so that making it costs next to nothing.
struct Periodic {
    /// All but the time of the rows of one period.
    rows: Vec<String>,
    next: usize,
    count: usize,
    text: String,
    at: usize,
}

impl Periodic {
    const RATE: usize = 1000;

    fn new(model: &jourdain::Model<f64>, count: usize) -> Self {
        let (n, period) = (model.nv(), 1 << 14);
        let (mut run, mut random) = (Run::new(model, 0.0), Random(6));
        let row = |i: usize| {
            let t = i as f64 / period as f64 * std::f64::consts::TAU;
            let w = std::f64::consts::TAU * Self::RATE as f64 / period as f64;
            [&mut run.q, &mut run.qd, &mut run.qdd].into_iter().for_each(|x| x.fill(0.0));
            for j in 0..n {
                for (k, amplitude) in [(2 + j, 0.5), (9 + 2 * j, 0.2)] {
                    let k = k as f64;
                    let (sin, cos) = (k * t + k * k).sin_cos();
                    run.q[j] += amplitude * sin;
                    run.qd[j] += amplitude * k * w * cos;
                    run.qdd[j] -= amplitude * (k * w).powi(2) * sin;
                }
            }
            let tau = jourdain::dynamics::recursive::inverse_dynamics(model, &run.q, &run.qd, &run.qdd, &[]);
            let q: String = run.q.iter().map(|x| format!(",{x:.6}")).collect();
            q + &tau.iter().map(|x| format!(",{:.4}", x + 0.05 * random.normal())).collect::<String>() + "\n"
        };
        Self { rows: (0..period).map(row).collect(), next: 0, count, text: heading(n, Derivatives::None), at: 0 }
    }
}

impl Read for Periodic {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        use std::fmt::Write as _;
        if self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            for _ in 0..256.min(self.count - self.next) {
                let (whole, part) = (self.next / Self::RATE, self.next % Self::RATE);
                write!(self.text, "{whole}.{part:03}").unwrap();
                self.text.push_str(&self.rows[self.next % self.rows.len()]);
                self.next += 1;
            }
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text.as_bytes()[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// `cargo test --release -p jourdain --test identify_memory -- --ignored --nocapture`
#[test]
#[ignore = "ten million samples take a minute"]
fn ten_million_samples_of_seven_joints_stay_below_two_hundred_megabytes() {
    let model = with_friction("iiwa14");
    let coordinates = Coordinates::joints(7);
    let all = Drives { armature: true, viscous: true, coulomb: true };
    let problem = Problem::new(&jourdain::robots::load("iiwa14").unwrap(), all).unwrap();
    let load = problem.prior();
    let problem = problem.with_terms(&coordinates, Some(&load));
    let options = Options { cutoff: Some(20.0), coordinates: Some(coordinates), ..Options::default() };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let rows = std::env::var("JOURDAIN_TEST_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(10_000_000);
    let source = BufReader::with_capacity(1 << 16, Periodic::new(&model, rows));
    let begun = std::time::Instant::now();
    let read = |take: &mut dyn FnMut(&Sample<'_>)| log::read(source, problem.model(), &options, take);
    let (factors, _) = accumulate(&problem, threads, read).unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
    assert!(factors.samples as usize > rows - 1000, "{}", factors.samples);
    assert!(kilobytes < 200_000, "{kilobytes} kB after {seconds:.0} s");
    let rate = factors.samples as f64 / seconds / 1e6;
    std::io::Write::write_all(
        &mut std::io::stderr(),
        format!(
            "{rows} lines on {threads} threads: {seconds:.1} s, {rate:.3} million a second, {kilobytes} kB at most\n"
        )
        .as_bytes(),
    )
    .unwrap();
}
