//! Memory of an identification does not depend on the length of the log.

mod counting;
mod logs;

use counting::allocations;
use jourdain::identify::log::{self, Options};
use jourdain::identify::{Accumulator, Drives, Problem, Sample, solve};
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
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau });
        }
    });
    assert_eq!(count, 0);
}

/// `cargo test --release -p jourdain --test identify_memory -- --ignored --nocapture`
#[test]
#[ignore = "ten million samples take a minute"]
fn ten_million_samples_stay_below_two_hundred_megabytes() {
    let begun = std::time::Instant::now();
    let (samples, _) = identify(&problem(), 10_000_000, Derivatives::None);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    assert!(samples > 10_000, "{samples}");
    assert!(kilobytes < 200_000, "{kilobytes} kB after {seconds:.0} s");
    std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("10 million lines, {samples} samples behind the filter: {seconds:.1} s, {kilobytes} kB at most\n")
            .as_bytes(),
    )
    .unwrap();
}
