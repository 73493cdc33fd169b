//! The search: what it begins with, what it keeps to, and how it gets better.

use super::series::arm;
use super::{DOWN, close, limits, robot};
use jourdain::identify::excite::{
    BLIND, Clearance, Criterion, Excitation, Grid, Options, Quality, Series, Shape, Surroundings, excite,
};
use jourdain::identify::{Coordinates, Drives, IdentifyError, Problem};
use jourdain::{Model, dynamics::recursive};
use std::ops::ControlFlow;
use std::sync::Mutex;

fn problem(model: &Model<f64>) -> Problem {
    Problem::new(model, Drives::default()).unwrap()
}

fn run(problem: &Problem, options: &Options) -> Result<Excitation, IdentifyError> {
    excite(problem, options, |_| ControlFlow::Continue(()))
}

/// One start, no step, no torques.
fn bare() -> Options {
    Options { starts: 1, steps: 0, effort_share: None, ..Options::default() }
}

/// A ball of 2 kg on an upright slide: the force is 2 (10 + a).
fn lift(velocity: f64, effort: f64) -> Model<f64> {
    let joint = format!(
        "mass = 2.0\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\njoint = {{ type = \"prismatic\", axis = [0, 0, 1], limits = [-1.0, 1.0], velocity = {velocity:?}, effort = {effort:?} }}\nshape = [{{ type = \"sphere\", size = [0.1] }}]"
    );
    robot(DOWN, &[("lift", "base", &joint)])
}

/// At rest at its ends: q = s (sin θ − sin 2θ / 2). Lowest at 240°, −1.299 s; the acceleration is most between 180° and 270°.
fn given(size: f64, offset: f64) -> Series {
    Series { offset, waves: vec![[size, 0.0], [-0.5 * size, 0.0]] }
}

const TWO: usize = 2;

fn from(size: f64, offset: f64) -> Options {
    Options { harmonics: TWO, share: 1.0, from: Some(vec![given(size, offset)]), ..bare() }
}

/// The part of a motion that is left of the given one, which it is a multiple of.
#[track_caller]
fn part(found: &Excitation, size: f64, offset: f64) -> f64 {
    let part = found.series[0].waves[0][0] / size;
    close("offset", found.series[0].offset, offset, 1e-9);
    for (found, expected) in found.series[0].waves.iter().flatten().zip(given(size * part, 0.0).waves.iter().flatten())
    {
        close("wave", *found, *expected, 1e-9);
    }
    part
}

/// The most of −sin θ + 2 sin 2θ, which is the acceleration over s ω².
fn peak() -> f64 {
    (0..100_000).map(|i| f64::from(i) * 1e-4).fold(0.0, |most, x| (-x.sin() + 2.0 * (2.0 * x).sin()).max(most))
}

/// A motion with too much force is made smaller where it is, by 0.7 each time until it keeps to the limit.
#[test]
fn a_given_motion_with_too_much_force_is_the_same_but_smaller() {
    let (size, omega) = (0.5, 2.0 * std::f64::consts::PI / 10.0);
    let most = size * omega * omega * peak();
    for (fits, expected) in [(1.01, 1.0), (0.9, 0.7), (0.55, 0.49), (0.4, 0.343), (0.2, 0.7_f64.powi(5))] {
        // What a part `fits` of the motion needs.
        let allowed = 2.0 * (10.0 + fits * most);
        for (effort, share) in [(allowed, 1.0), (2.0 * allowed, 0.5)] {
            let model = lift(5.0, effort);
            let options = Options { effort_share: Some(share), ..from(size, 0.0) };
            let found = run(&problem(&model), &options).unwrap();
            close(&format!("{fits}"), part(&found, size, 0.0), expected, 1e-9);
            close("highest force", found.reached.torques[0], 2.0 * (10.0 + expected * most), 1e-4);
            assert_eq!(found.given_criterion, Some(found.quality.criterion));
        }
        let free = run(&problem(&lift(5.0, allowed)), &from(size, 0.0)).unwrap();
        close("without torques", part(&free, size, 0.0), 1.0, 1e-9);
        assert_eq!(free.reached.nearest, None);
    }
}

fn above(model: &Model<f64>, ground: f64, margin: f64) -> Option<Clearance> {
    let around = Surroundings { ground: Some(ground), margin, ..Surroundings::default() };
    Some(Clearance::new(model, &limits(model), &around, |_| None))
}

#[test]
fn a_given_motion_that_comes_too_near_to_the_ground_is_the_same_but_smaller() {
    let (size, margin) = (0.2, 0.05);
    let deepest = size * 0.75 * 3.0_f64.sqrt();
    let model = lift(5.0, 1e9);
    let problem = problem(&model);
    for (fits, expected) in [(1.1, 1.0), (0.9, 0.7), (0.55, 0.49), (0.2, 0.7_f64.powi(5))] {
        let ground = -fits * deepest - 0.1 - margin - 1e-3;
        let options = Options { clearance: above(&model, ground, margin), ..from(size, 0.0) };
        let found = run(&problem, &options).unwrap();
        close(&format!("{fits}"), part(&found, size, 0.0), expected, 1e-9);
        let nearest = found.reached.nearest.unwrap();
        assert_eq!((nearest.link, nearest.other), (0, None));
        close("nearest", nearest.distance, -expected * deepest - 0.1 - ground, 1e-3);
    }
    // A third of a millimetre more than the margin is too near: one more is asked for.
    let ground = -deepest - 0.1 - margin - 0.3e-3;
    let options = Options { clearance: above(&model, ground, margin), ..from(size, 0.0) };
    close("tight", part(&run(&problem, &options).unwrap(), size, 0.0), 0.7, 1e-9);
}

#[test]
fn a_motion_that_is_below_the_ground_is_moved_to_where_it_can_be() {
    let model = lift(5.0, 1e9);
    let problem = problem(&model);
    // Above 0.35 of a range from −1 to 1.
    let options = |seed: u64| Options { clearance: above(&model, 0.25, 0.0), seed, ..from(0.2, 0.0) };
    for seed in 1..6 {
        let found = run(&problem, &options(seed)).unwrap();
        let [low, high] = Grid::new(TWO, 10.0).extent(&found.series[0]).position;
        assert!(low > 0.35 && high < 1.0 + 1e-9, "seed {seed}: {low} to {high}");
    }
}

/// Two slides beside each other, of 1 and 3 kg: the one that is told is farthest beyond its limit by its share, not by its force.
#[test]
fn the_joint_that_is_told_is_the_one_farthest_beyond_its_limit() {
    let slide = |mass: f64, effort: f64| {
        format!(
            "mass = {mass:?}\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\njoint = {{ type = \"prismatic\", axis = [0, 0, 1], limits = [-1.0, 1.0], velocity = 1.0, effort = {effort:?} }}"
        )
    };
    let (light, heavy) = (slide(1.0, 1.0), slide(3.0, 10.0));
    for links in [
        [("light", "base", &*light), ("heavy", "base", &heavy)],
        [("heavy", "base", &*heavy), ("light", "base", &light)],
    ] {
        let model = robot(DOWN, &links);
        let told = run(&problem(&model), &Options { effort_share: Some(1.0), ..bare() }).unwrap_err().to_string();
        let start =
            "no motion was found that stays below the effort limits and clear of everything: joint `light` would need ";
        let rest = told.strip_prefix(start).unwrap_or_else(|| panic!("{told}"));
        let (needed, rest) = rest.split_once(' ').unwrap();
        assert_eq!(rest, "where 1.000 are allowed");
        close("force", needed.parse().unwrap(), 10.0, 0.01);
    }
}

#[test]
fn torques_that_are_told_are_the_highest_of_the_whole_motion() {
    let model = arm();
    let options = Options { seed: 5, effort_share: Some(1e9), ..bare() };
    let found = run(&problem(&model), &options).unwrap();
    let mut most = [0.0_f64; 3];
    for i in 0..6000 {
        let [q, qd, qdd, _] = found.at(10.0 * f64::from(i) / 6000.0);
        let torque = recursive::inverse_dynamics(&model, &q, &qd, &qdd, &[]);
        most = std::array::from_fn(|j| most[j].max(torque[j].abs()));
    }
    for (told, most) in found.reached.torques.iter().zip(most) {
        close("torque", told / most, 1.0, 2e-4);
    }
}

#[test]
fn quality_is_told_at_sixteen_times_on_the_shortest_wave() {
    let problem = problem(&arm());
    for (harmonics, samples) in [(2, 64), (4, 64), (5, 80), (7, 112)] {
        let found = run(&problem, &Options { harmonics, ..bare() }).unwrap();
        let again = Quality::of(&problem, &found.series, &Criterion::Condition, 10.0, samples);
        assert_eq!(again.condition, found.quality.condition, "{harmonics} harmonics");
        assert_eq!(again.strengths, found.quality.strengths, "{harmonics} harmonics");
        // One random motion is its own median, and without steps it is the best.
        assert_eq!((found.random, found.random_criterion), (again.condition, again.condition));
        for t in [0.0, 10.0] {
            let [_, qd, qdd, _] = found.at(t);
            assert!(qd.iter().chain(&qdd).all(|x| x.abs() < 1e-9), "at rest");
        }
    }
}

#[test]
fn progress_counts_every_step_of_every_start() {
    let problem = problem(&lift(0.3, 100.0));
    for (starts, steps) in [(3, 4), (1, 1), (2, 0), (0, 2)] {
        let told = Mutex::new(Vec::new());
        let tell = |share: f64| {
            told.lock().unwrap().push(share);
            ControlFlow::Continue(())
        };
        excite(&problem, &Options { starts, steps, ..bare() }, tell).unwrap();
        let mut told = told.into_inner().unwrap();
        told.sort_by(f64::total_cmp);
        let total = starts.max(1) * (steps + 1);
        let expected: Vec<f64> = (0..total).map(|i| i as f64 / total as f64).collect();
        assert_eq!(told, expected, "{starts} starts, {steps} steps");
    }
    let stopped = excite(&problem, &bare(), |_| ControlFlow::Break(())).unwrap_err();
    assert_eq!(stopped.to_string(), "the search was stopped, as asked");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let problem = problem(&arm());
    let told = |options: Options| run(&problem, &options).unwrap_err().to_string();
    let positive = "period, shares, acceleration and jerk of an exciting motion must be above zero";
    for wrong in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert_eq!(told(Options { period: wrong, ..bare() }), positive, "{wrong}");
        assert_eq!(told(Options { share: wrong, ..bare() }), positive, "{wrong}");
        assert_eq!(told(Options { effort_share: Some(wrong), ..bare() }), positive, "{wrong}");
        assert_eq!(told(Options { acceleration: vec![1.0, wrong, 1.0], ..bare() }), positive, "{wrong}");
        assert_eq!(told(Options { jerk: vec![wrong], ..bare() }), positive, "{wrong}");
    }
    let count = problem.count();
    let one = |k: usize| Options { criterion: Criterion::Deviation(vec![0, k]), ..bare() };
    assert_eq!(told(one(count)), format!("there is no unknown {count}: there are {count}"));
    assert!(run(&problem, &one(count - 1)).is_ok());
    let few = Options { from: Some(vec![given(0.1, 0.0); 2]), ..bare() };
    assert_eq!(told(few), "the motion to start from has 2 joints, the robot 3");
    assert!(run(&problem, &Options { from: Some(vec![given(0.1, 0.0); 3]), ..bare() }).is_ok());
    let terms = problem.clone().with_terms(&Coordinates::joints(3), None);
    let told = run(&terms, &bare()).unwrap_err().to_string();
    assert_eq!(told, "an exciting motion is for base parameters, not for the terms of a model of the drives");
}

#[test]
fn steps_only_ever_make_a_motion_better() {
    let problem = problem(&arm());
    for seed in 1..6 {
        let first = run(&problem, &Options { seed, ..bare() }).unwrap();
        let later = run(&problem, &Options { seed, steps: 25, ..bare() }).unwrap();
        assert_eq!(first.random_criterion, later.random_criterion);
        assert!(later.quality.criterion < first.quality.criterion, "seed {seed}");
        assert!(first.quality.criterion < BLIND);
    }
}

/// Where nothing but the limits of the joints counts, every joint uses them up: a range, or a speed.
#[test]
fn without_torques_and_distances_every_joint_goes_as_far_as_it_may() {
    let model = arm();
    let found = run(&problem(&model), &Options { steps: 12, ..bare() }).unwrap();
    for (extent, bounds) in found.extents.iter().zip(limits(&model)) {
        let [low, high] = extent.position;
        let range = (high - low) / (bounds.high - bounds.low);
        close("share", range.max(extent.speed / bounds.velocity), 0.95, 1e-9);
    }
}

/// A step changes one joint or all of them.
#[test]
fn a_step_changes_one_joint_or_all() {
    let problem = problem(&arm());
    let mut counts = [0; 4];
    for seed in 1..36 {
        let options = Options { seed, harmonics: 2, ..bare() };
        let before = run(&problem, &options).unwrap().series;
        let after = run(&problem, &Options { steps: 1, ..options }).unwrap().series;
        counts[before.iter().zip(&after).filter(|(before, after)| before != after).count()] += 1;
    }
    assert!(counts[1] > 3 && counts[2] == 0 && counts[3] > 3, "{counts:?}");
}

/// Directions of random waves in units of mean speed, and what is seen of place and size.
struct Drawn {
    waves: Vec<Vec<f64>>,
    places: Vec<f64>,
    sizes: Vec<f64>,
}

const DRAWN: u64 = 100;

/// Motions of one joint whose speed limit is what counts, from many seeds.
fn drawn(options: &Options) -> Drawn {
    let problem = problem(&lift(0.3, 1e9));
    let grid = Grid::new(4, 10.0);
    let (mut waves, mut places, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=DRAWN {
        let found = run(&problem, &Options { seed, harmonics: 4, share: 1.0, ..options.clone() }).unwrap();
        let series = &found.series[0];
        // The last wave is what brings the motion to rest.
        let free: Vec<f64> =
            series.waves[..3].iter().zip(1..).flat_map(|(wave, l)| wave.map(|x| x * f64::from(l))).collect();
        let length = free.iter().map(|x| x * x).sum::<f64>().sqrt();
        waves.push(free.iter().map(|x| x / length).collect());
        let extent = grid.extent(series);
        let [low, high] = extent.position;
        places.push((low + high) / (2.0 - (high - low)));
        sizes.push(extent.speed / 0.3);
    }
    Drawn { waves, places, sizes }
}

/// Normal numbers of equal deviation have no direction: means are 0, squares 1/6 and fourth powers 3/48 of six unit numbers.
#[track_caller]
fn has_no_direction(waves: &[Vec<f64>]) {
    let mean = |power: i32, k: usize| waves.iter().map(|wave| wave[k].powi(power)).sum::<f64>() / waves.len() as f64;
    for k in 0..6 {
        close(&format!("mean of number {k}"), mean(1, k), 0.0, 4.0 * (1.0 / 6.0 / DRAWN as f64).sqrt());
        close(&format!("square of number {k}"), mean(2, k), 1.0 / 6.0, 0.08);
    }
    let fourth = (0..6).map(|k| mean(4, k)).sum::<f64>() / 6.0;
    close("fourth power", fourth, 3.0 / 48.0, 0.011);
    let all = (0..6).map(|k| mean(1, k)).sum::<f64>() / 6.0;
    close("mean", all, 0.0, 4.0 * (1.0 / 36.0 / DRAWN as f64).sqrt());
}

fn share(numbers: &[f64], is: impl Fn(f64) -> bool) -> f64 {
    numbers.iter().filter(|x| is(**x)).count() as f64 / numbers.len() as f64
}

#[test]
fn random_motions_have_normal_waves_of_equal_speed_in_the_middle() {
    let Drawn { waves, places, sizes } = drawn(&bare());
    has_no_direction(&waves);
    assert!(places.iter().all(|place| place.abs() < 1e-9) && sizes.iter().all(|size| (size - 1.0).abs() < 1e-9));
}

/// From a motion that stands still the first step is all there is: half a normal number of place, e to the power of that of size.
#[test]
fn a_step_from_rest_is_a_random_motion_of_random_place_and_size() {
    let rest = Some(vec![Series { offset: 0.0, waves: Vec::new() }]);
    let Drawn { waves, places, sizes } =
        drawn(&Options { steps: 1, from: rest.clone(), effort_share: Some(1.0), ..bare() });
    has_no_direction(&waves);
    // P(|n| < 0.5) = 0.383 and P(|n| > 2) = 0.046.
    close("places near the middle", share(&places, |x| x.abs() < 0.25), 0.383, 0.15);
    close("places at an end", share(&places, |x| x.abs() > 1.0 - 1e-9), 0.046, 0.06);
    close("mean place", places.iter().sum::<f64>() / DRAWN as f64, 0.0, 0.15);
    // P(n > 0) = 0.5 and P(n < −1) = 0.159.
    close("largest", share(&sizes, |x| x > 1.0 - 1e-9), 0.5, 0.1);
    close("small", share(&sizes, |x| x < (-0.5_f64).exp()), 0.159, 0.1);
    // Without torques and distances the size is always all there is.
    let few =
        run(&problem(&lift(0.3, 1e9)), &Options { steps: 1, from: rest, harmonics: 4, share: 1.0, ..bare() }).unwrap();
    close("size", Grid::new(4, 10.0).extent(&few.series[0]).speed, 0.3, 1e-9);
}

/// The wave of the first harmonic and of the second, of unit length.
fn direction(found: &Excitation) -> Vec<f64> {
    let waves: Vec<f64> = found.series[0].waves.iter().flatten().copied().collect();
    let length = waves.iter().map(|x| x * x).sum::<f64>().sqrt();
    waves.iter().map(|x| x / length).collect()
}

/// How large the motion is that a step begins with does not change where it leads to.
#[test]
fn steps_are_as_large_as_the_waves_they_change() {
    let problem = problem(&lift(0.3, 1e9));
    let shape = Series { offset: 0.0, waves: vec![[0.5, 0.0], [0.0, 0.02], [0.01, 0.0]] };
    let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let mut compared = 0;
    for seed in 1..30 {
        let [small, large] = [1e-3, 1.0].map(|size| {
            let waves = shape.waves.iter().map(|wave| wave.map(|x| size * x)).collect();
            let from = Some(vec![Series { offset: 0.0, waves }]);
            let options = Options { seed, harmonics: 4, from, ..bare() };
            let before = direction(&run(&problem, &options).unwrap());
            let after = direction(&run(&problem, &Options { steps: 1, ..options }).unwrap());
            (off(&before, &after) > 1e-9, after)
        });
        // A step that is not better is not taken.
        if small.0 && large.0 {
            compared += 1;
            assert!(off(&small.1, &large.1) < 1e-9, "seed {seed}");
        }
    }
    assert!(compared > 2, "{compared}");
}

/// Of a motion with two harmonics the limits give all but one angle: the best is found by trying all, and by the search from any start.
#[test]
fn the_search_comes_to_the_best_there_is() {
    let model = lift(0.3, 1e9);
    let problem = problem(&model);
    let (grid, bounds) = (Grid::new(TWO, 10.0), limits(&model)[0]);
    let at = |degrees: i32| {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let wave = Series { offset: 0.0, waves: vec![[sin, cos]] };
        let series = Shape::of(&wave, TWO, &bounds, 1.0, &grid).fit(&bounds, 1.0, &grid);
        Quality::of(&problem, &[series], &Criterion::Condition, 10.0, 64).criterion
    };
    let best = (0..180).map(at).fold(f64::INFINITY, f64::min);
    for seed in 1..9 {
        let found = run(&problem, &Options { harmonics: TWO, share: 1.0, seed, steps: 80, ..bare() }).unwrap();
        close(&format!("seed {seed}"), found.quality.criterion / best, 1.0, 1e-3);
    }
}
