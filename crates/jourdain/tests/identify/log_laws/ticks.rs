//! Samples of a device with a clock of its own: where it took them is on whole ticks, whatever the stamps say.

use super::rows::{Seen, cutoff, near, read, table};
use crate::logs::Random;
use jourdain::identify::log::{Options, RotorLog, Summary, read_rotors_table};
use jourdain::identify::{IdentifyError, log::Clock};
use jourdain::robots;

/// Where samples were taken, in seconds of the device, and what their stamps are.
struct Device {
    taken: Vec<f64>,
    stamps: Vec<f64>,
}

/// Every one to three ticks, or every so many where that is given, with stamps that are late by up to `late` ticks.
fn device(rows: usize, tick: f64, every: Option<f64>, late: f64, seed: u64) -> Device {
    let (mut random, mut ticks) = (Random(seed), 0.0);
    let (mut taken, mut stamps) = (Vec::new(), Vec::<f64>::new());
    for _ in 0..rows {
        ticks += every.unwrap_or_else(|| 1.0 + (3.0 * random.uniform()).floor());
        let stamp = 1000.0 + tick * (ticks + late * random.uniform());
        stamps.push(stamp.max(stamps.last().map_or(0.0, |last| last + 1e-3 * tick)));
        taken.push(tick * ticks);
    }
    Device { taken, stamps }
}

/// Positions of joints that swing, each in its own way, or their velocities.
fn swing(t: f64, joint: usize, speed: f64, order: usize) -> f64 {
    let (w, phase) = (speed * (2.0 + 0.37 * joint as f64), 0.9 * joint as f64);
    if order == 0 { (w * t + phase).sin() } else { w * (w * t + phase).cos() }
}

/// The row of a sample, which is its torque.
fn row(sample: &Seen) -> usize {
    sample.tau[0] as usize
}

/// That samples stand where they were taken but for one shift of all, in seconds of the stamps, and their rows.
fn stand_as_taken(seen: &[Seen], taken: &[f64], most: f64, what: &str) {
    let mut off: Vec<f64> = seen.iter().map(|sample| sample.t - taken[row(sample)]).collect();
    let each = off.clone();
    off.sort_by(f64::total_cmp);
    let middle = off[off.len() / 2];
    for (sample, off) in seen.iter().zip(each) {
        assert!((off - middle).abs() < most, "{what}: row {} is off by {}", row(sample), off - middle);
    }
}

fn log(
    robot: &str,
    joints: usize,
    device: &Device,
    position: &dyn Fn(usize, usize) -> f64,
    velocity: Option<&dyn Fn(usize, usize) -> f64>,
    options: &Options,
) -> Result<(Summary, Vec<Seen>), IdentifyError> {
    let torque = |i: usize, j: usize| if j == 0 { i as f64 } else { 0.0 };
    let mut columns: Vec<super::rows::Column<'_>> = vec![("q", position)];
    columns.extend(velocity.map(|velocity| ("qd", velocity)));
    columns.push(("tau", &torque));
    read(robot, &table(&device.stamps, joints, &columns), options)
}

#[test]
fn velocities_of_all_joints_tell_the_ticks_of_fast_and_slow_motions() {
    for (speed, seed) in [(1.0, 1), (0.04, 2)] {
        let device = device(300, 4e-3, None, 1.6, seed);
        let position = |i: usize, j: usize| swing(device.taken[i], j, speed, 0);
        let velocity = |i: usize, j: usize| swing(device.taken[i], j, speed, 1);
        let (summary, seen) = log("puma560", 6, &device, &position, Some(&velocity), &cutoff(15.0)).unwrap();
        let tick = summary.filtering.unwrap().tick.expect("a tick");
        near(&[tick.period], &[4e-3], 4e-6, "tick");
        assert!(seen.len() > 200);
        // The stamps are late by 0.8 ticks on average; those that are laid onto others are not the earliest.
        stand_as_taken(&seen, &device.taken, 0.1 * 4e-3, "samples");
        near(&[seen[0].t - device.taken[row(&seen[0])]], &[1000.0 + 0.8 * 4e-3], 0.4 * 4e-3, "first sample");
    }
}

/// At rates below a hundred, where the cut-off of that search is a share of the rate, and at speeds far from one.
#[test]
fn positions_alone_tell_the_ticks_of_fast_and_slow_motions() {
    for (speed, tick, seed) in [(1.0, 0.02, 3), (0.1, 0.04, 4)] {
        let device = device(500, tick, Some(1.0), 0.3, seed);
        let position = |i: usize, j: usize| swing(device.taken[i], j, speed, 0);
        let (summary, seen) = log("planar2r", 2, &device, &position, None, &cutoff(4.0)).unwrap();
        let found = summary.filtering.unwrap().tick.expect("a tick");
        near(&[found.period], &[tick], 1e-3 * tick, "tick");
        stand_as_taken(&seen, &device.taken, 0.1 * tick, "samples");
    }
}

/// While a robot rests its stamps are all there is; motion after it is told by positions again.
#[test]
fn a_rest_that_is_exact_says_nothing_and_hides_nothing() {
    for rest in [0.0, 1.0] {
        let device = device(1500, 0.02, Some(1.0), 0.3, 5);
        let moved = |t: f64| if t < 14.0 { 0.0 } else { 1.0 - (2.5 * (t - 14.0)).cos() };
        let position = |i: usize, _: usize| rest + if i < 700 { 0.0 } else { moved(device.taken[i]) };
        let (summary, seen) = log("planar2r", 2, &device, &position, None, &cutoff(4.0)).unwrap();
        near(&[summary.filtering.unwrap().tick.expect("a tick").period], &[0.02], 1e-4, "tick");
        let moving: Vec<Seen> = seen.into_iter().filter(|seen| row(seen) >= 700).collect();
        // Slow swings tell the speed of the clock to a thousandth, by which lines through all stamps may lie.
        stand_as_taken(&moving, &device.taken, 0.02, "samples of the motion");
    }
}

/// While the joints rest noise would have samples pass each other.
#[test]
fn noise_of_a_rest_leaves_the_ticks_of_the_motion() {
    for seed in [6, 7] {
        let (device, mut random) = (device(600, 0.02, Some(1.0), 0.3, seed), Random(seed));
        let noise: Vec<f64> = (0..600).map(|_| 2e-4 * random.normal()).collect();
        let at = |t: f64| if t < 4.0 { 2.0 * t.sin() } else { 2.0 * (t.clamp(4.0, 7.0) - t + 4.0_f64).sin() };
        let rest = |t: f64| if (4.0..7.0).contains(&t) { 2.0 * 4.0_f64.sin() } else { at(t) };
        let position = |i: usize, _: usize| rest(device.taken[i]) + noise[i];
        let (summary, seen) = log("planar2r", 2, &device, &position, None, &cutoff(4.0)).unwrap();
        near(&[summary.filtering.unwrap().tick.expect("a tick").period], &[0.02], 1e-4, "tick");
        let moving: Vec<Seen> = seen.into_iter().filter(|seen| !(180..360).contains(&row(seen))).collect();
        stand_as_taken(&moving, &device.taken, 0.3 * 0.02, "samples of the motion");
    }
}

/// A swing that rests for a while at its first or a later turn, and its velocity.
#[derive(Clone, Copy)]
struct Resting {
    rate: f64,
    from: f64,
    seconds: f64,
}

impl Resting {
    fn new(rate: f64, turn: u32, seconds: f64) -> Self {
        Self { rate, from: (0.5 + f64::from(turn)) * std::f64::consts::PI / rate, seconds }
    }

    fn rests(&self, t: f64) -> bool {
        (self.from..self.from + self.seconds).contains(&t)
    }

    fn at(&self, t: f64, order: usize) -> f64 {
        let moved = if t < self.from { t } else { self.from.max(t - self.seconds) };
        match (order, self.rests(t)) {
            (0, _) => (self.rate * moved).sin(),
            (_, true) => 0.0,
            (_, false) => self.rate * (self.rate * moved).cos(),
        }
    }
}

/// Stamps that are late by up to 1.6 ticks make every step of a rest wrong by rounding; what is lost by it is brought back.
#[test]
fn ticks_that_a_rest_loses_are_brought_back() {
    for (seed, first) in (10..14).zip([0.05, 0.3, 0.55, 1.05]) {
        let mut device = device(1200, 1e-3, None, 1.6, seed);
        // Ticks are counted from the first sample, so how late that is makes no difference.
        device.stamps[0] = 1000.0 + device.taken[0] + first * 1e-3;
        device.stamps[1] = device.stamps[1].max(device.stamps[0] + 1e-5);
        let resting = Resting::new(2.0, 0, 0.6);
        let position = |i: usize, _: usize| resting.at(device.taken[i], 0);
        let velocity = |i: usize, _: usize| resting.at(device.taken[i], 1);
        let (summary, seen) = log("planar2r", 2, &device, &position, Some(&velocity), &cutoff(15.0)).unwrap();
        assert!(summary.filtering.unwrap().tick.is_some(), "seed {seed}");
        let moves = |seen: &&Seen| resting.at(device.taken[row(seen)], 1).abs() > 0.8;
        let moving: Vec<Seen> = seen.iter().filter(moves).cloned().collect();
        // Less than half a tick: what is left is how well a line lies through the stamps.
        stand_as_taken(&moving, &device.taken, 0.45e-3, &format!("seed {seed}"));
        // A sample of the rest is where its stamp and those beside it say.
        stand_as_taken(&seen, &device.taken, 3.1e-3, &format!("rest, seed {seed}"));
    }
}

/// A clock of stamps that goes a twentieth too fast: times are its own, and a rest has as many ticks as the device counted.
#[test]
fn a_rest_has_whole_ticks_of_a_clock_that_goes_fast() {
    // The first stamp is about a quarter of a tick earlier than the others are on average: counts are compared with each other.
    [0.08e-3, 0.1e-3, 0.107e-3, 0.114e-3].into_iter().for_each(rests_by_whole_ticks);
}

fn rests_by_whole_ticks(early: f64) {
    let mut device = device(700, 1e-3, Some(10.0), 0.0, 1);
    let mut random = Random(20);
    device.stamps = device.taken.iter().map(|t| 1000.0 + 1.05 * t + 3e-4 * random.uniform()).collect();
    device.stamps[0] = 1000.0 + 1.05 * (device.taken[0] - early);
    let resting = Resting::new(3.0, 2, 2.0);
    // Some samples come a tick late, so that steps are of ten ticks, nine and eleven.
    for i in (5..700).step_by(7) {
        (device.taken[i], device.stamps[i]) = (device.taken[i] + 1e-3, device.stamps[i] + 1.05e-3);
    }
    let position = |i: usize, _: usize| resting.at(device.taken[i], 0);
    let velocity = |i: usize, _: usize| resting.at(device.taken[i], 1);
    let (summary, seen) = log("planar2r", 2, &device, &position, Some(&velocity), &cutoff(15.0)).unwrap();
    near(&[summary.filtering.unwrap().tick.expect("a tick").period], &[1e-3], 1e-6, "seconds of the motion per tick");
    let known: Vec<f64> = device.taken.iter().map(|t| 1.05 * t).collect();
    stand_as_taken(&seen, &known, 0.1e-3, "samples");
}

#[test]
fn a_sample_that_came_again_with_another_torque_is_taken_once() {
    let mut device = device(300, 4e-3, Some(2.0), 0.5, 8);
    (device.taken[150], device.stamps[150]) = (device.taken[149], device.stamps[149] + 1e-3);
    let position = |i: usize, j: usize| swing(device.taken[i], j, 1.0, 0);
    let velocity = |i: usize, j: usize| swing(device.taken[i], j, 1.0, 1);
    let (summary, seen) = log("planar2r", 2, &device, &position, Some(&velocity), &cutoff(15.0)).unwrap();
    assert!(summary.filtering.unwrap().tick.is_some());
    let rows: Vec<usize> = seen.iter().map(row).collect();
    let known: Vec<usize> = (rows[0]..=rows[rows.len() - 1]).filter(|i| *i != 150).collect();
    assert_eq!((rows.len() > 250, rows), (true, known));
    assert!(seen.windows(2).all(|pair| pair[0].t < pair[1].t));
}

#[test]
fn a_tick_rests_on_a_hundred_steps_that_the_motion_tells() {
    for (rows, found) in [(101, true), (100, false), (60, false), (150, true)] {
        let device = device(rows, 4e-3, None, 0.8, 9);
        let position = |i: usize, j: usize| (1.0 + j as f64) * device.taken[i];
        let velocity = |_: usize, j: usize| 1.0 + j as f64;
        let (summary, _) = log("planar2r", 2, &device, &position, Some(&velocity), &cutoff(30.0)).unwrap();
        assert_eq!(summary.filtering.unwrap().tick.is_some(), found, "{rows} rows");
    }
}

fn rotors(stamps: &[f64]) -> Result<RotorLog, IdentifyError> {
    let position = |i: usize, j: usize| (0.05 * i as f64 + j as f64).sin();
    let torque = |i: usize, _: usize| i as f64;
    let table = table(stamps, 2, &[("q", &position), ("theta", &position), ("tau", &torque)]);
    read_rotors_table(&table, &robots::load("planar2r").unwrap(), None)
}

#[test]
fn rates_that_no_clock_has_and_half_a_rate_as_cut_off_are_refused() {
    // Sixty-four in a second, so that half of it is a number that floating point has.
    let stamps: Vec<f64> = (0..200).map(|i| f64::from(i) / 64.0).collect();
    let log = rotors(&stamps).unwrap();
    assert_eq!((log.rate(), log.clock), (64.0, Clock::Seconds));
    for (cutoff, good) in [(31.9, true), (32.0, false)] {
        match log.samples(cutoff, 0.0, 1, |_| ()) {
            Ok(_) => assert!(good, "{cutoff}"),
            Err(IdentifyError::Cutoff { cutoff: told, rate }) => assert!(!good && (told, rate) == (cutoff, 64.0)),
            Err(other) => panic!("{other}"),
        }
    }
    // So close that their rate is beyond all numbers.
    let close: Vec<f64> = (0..200).map(|i| f64::from(i) * 1e-310).collect();
    assert!(rotors(&close).is_err());
    let position = |i: usize, j: usize| (0.05 * i as f64 + j as f64).sin();
    let torque = |i: usize, _: usize| i as f64;
    let table = table(&close, 2, &[("q", &position), ("tau", &torque)]);
    let refused = read("planar2r", &table, &cutoff(8.0)).unwrap_err();
    assert!(matches!(refused, IdentifyError::Cutoff { cutoff: 8.0, rate } if rate.is_infinite()), "{refused}");
}
