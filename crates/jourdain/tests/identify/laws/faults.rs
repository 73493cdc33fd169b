//! Torques that do not count, what is left of the others, and what is said about it: by hand.

use crate::logs::{Run, with_friction};
use jourdain::formats::table::{Place, TableError};
use jourdain::identify::{
    BEYOND, Choice, Drives, IdentifyError, JointFit, Problem, Residuals, Sample, Screen, Stretch,
};
use jourdain::{Model, robots};

/// Standard deviation of normal errors over their median size.
const NORMAL: f64 = 1.4826;

fn arm() -> (Model<f64>, Problem) {
    (with_friction("planar2r"), Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap())
}

/// A sample whose residuals are its torques, all unknowns being zero.
fn sample(t: f64, tau: &[f64; 2]) -> Sample<'_> {
    Sample { t, q: &[0.1, 0.2], qd: &[0.3, 0.4], qdd: &[0.5, 0.6], tau, z: &[] }
}

fn chosen(torques: impl IntoIterator<Item = [f64; 2]>) -> Choice {
    let mut choice = Choice::default();
    torques.into_iter().zip(0..).for_each(|(tau, i)| choice.add(&sample(f64::from(i), &tau)));
    choice
}

fn close(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{what}: {found} instead of {expected}");
}

/// Of 5000 samples every other is kept: those whose residual is their number.
#[test]
fn a_choice_of_a_long_log_has_every_other_sample_and_limits_go_by_their_median() {
    let (_, problem) = arm();
    let zeros = vec![0.0; problem.count()];
    let tau = |i: u32| [if i.is_multiple_of(2) { f64::from(i) } else { 1e6 }, f64::NAN];
    let choice = chosen((0..5000).map(tau));
    let screen = Screen::new(&[(&problem, &zeros)], &choice);
    // 0, 2, …, 4998: the middle is 2500.
    close("limit", screen.limits()[0], BEYOND * NORMAL * 2500.0);
    // A joint that is never measured is not in doubt.
    assert_eq!((screen.limits()[1], screen.doubtful()), (f64::INFINITY, &[][..]));
}

#[test]
fn samples_of_another_shape_are_not_chosen() {
    let (_, problem) = arm();
    let zeros = vec![0.0; problem.count()];
    let mut choice = Choice::default();
    choice.add(&sample(0.0, &[1.0, 1.0]));
    choice.add(&Sample { z: &[9.0; 6], ..sample(1.0, &[100.0, 100.0]) });
    choice.add(&sample(2.0, &[2.0, 5.0]));
    choice.add(&sample(3.0, &[3.0, 7.0]));
    let screen = Screen::new(&[(&problem, &zeros)], &choice);
    close("first", screen.limits()[0], BEYOND * NORMAL * 2.0);
    close("second", screen.limits()[1], BEYOND * NORMAL * 5.0);
}

#[test]
fn residuals_below_a_millionth_of_the_torque_are_rounding() {
    let (model, problem) = arm();
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    let (mut run, mut choice, mut squares) = (Run::new(&model, 0.8), Choice::default(), [0.0; 2]);
    for i in 0..40 {
        run.at(0.3 * f64::from(i));
        choice.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
        squares.iter_mut().zip(&run.tau).for_each(|(sum, tau)| *sum += tau * tau / 40.0);
    }
    let screen = Screen::new(&[(&problem, &exact)], &choice);
    for (limit, square) in screen.limits().iter().zip(squares) {
        close("limit", *limit, 1e-6 * square.sqrt());
    }
    // Where there is no torque at all nothing is a fault.
    let zeros = vec![0.0; problem.count()];
    let choice = chosen([[0.0; 2]; 5]);
    assert_eq!(Screen::new(&[(&problem, &zeros)], &choice).limits(), [f64::INFINITY; 2]);
}

#[test]
fn the_first_sixty_four_stretches_are_named_and_all_torques_counted() {
    let (_, problem) = arm();
    let zeros = vec![0.0; problem.count()];
    let choice = chosen([[1.0, 1.0]; 9]);
    let new = || Screen::new(&[(&problem, &zeros)], &choice);
    let mut screen = new();
    let (mut t, mut passed) = (0.0, 0);
    for _ in 0..70 {
        for torque in [1.0, 100.0] {
            screen.pass(&sample(t, &[1.0, torque]), |taken| passed += taken.tau.iter().filter(|x| x.is_nan()).count());
            t += 1.0;
        }
    }
    assert_eq!((screen.left_out(), passed), (&[0, 70][..], 70));
    let expected: Vec<Stretch> = (0..64_u32).map(|k| 2.0 * f64::from(k) + 1.0).map(|t| stretch(t, t, 1)).collect();
    assert_eq!(screen.stretches(), expected);
    // One that goes on is one, unless another log begins.
    let mut screen = new();
    for t in [0.0, 1.0, 2.0] {
        screen.pass(&sample(t, &[1.0, -50.0]), |_| ());
    }
    screen.restart();
    screen.pass(&sample(3.0, &[1.0, 50.0]), |_| ());
    assert_eq!(screen.stretches(), [stretch(0.0, 2.0, 3), stretch(3.0, 3.0, 1)]);
}

fn stretch(from: f64, to: f64, count: u64) -> Stretch {
    Stretch { joint: 1, from, to, count }
}

#[test]
fn residuals_have_the_moments_and_correlations_of_their_list() {
    let (_, problem) = arm();
    let zeros = vec![0.0; problem.count()];
    let mut residuals = Residuals::new(&problem, &zeros);
    for (tau, t) in [1.0, 2.0, 3.0, -4.0].into_iter().zip([0.0, 1.0, 2.0, 3.0]) {
        residuals.add(&sample(t, &[tau, f64::NAN]));
    }
    let joints = residuals.joints();
    let [first, second] = &joints[..] else { panic!("two joints") };
    assert_eq!((first.samples, second.samples), (4, 0));
    close("root mean square", first.rms, 7.5_f64.sqrt());
    close("mean", first.mean, 0.5);
    close("first correlation", first.autocorrelation, (2.0 + 6.0 - 12.0) / 30.0);
    let q: f64 = [(-4.0, 3.0), (3.0 - 8.0, 2.0), (-4.0, 1.0)].iter().map(|(p, n)| (p / 30.0_f64).powi(2) / n).sum();
    close("portmanteau", first.portmanteau, 24.0 * q / 20.0);
    assert!(first.white && second.white);
    let peaks: Vec<(f64, f64)> = first.largest.iter().map(|peak| (peak.t, peak.residual)).collect();
    assert_eq!(peaks, [(3.0, -4.0), (2.0, 3.0), (1.0, 2.0), (0.0, 1.0)]);
    assert_eq!((second.rms, second.mean, second.autocorrelation, second.largest.len()), (0.0, 0.0, 0.0, 0));
    // The first of another log follows none, and what is beyond a limit is only looked at.
    let mut residuals = Residuals::new(&problem, &zeros).within(&[4.0, 0.5]);
    for (tau, t) in [1.0, 2.0, 3.0, -4.0, 5.0].into_iter().zip([0.0, 1.0, 2.0, 3.0, 4.0]) {
        if t == 2.0 {
            residuals.restart();
        }
        residuals.add(&sample(t, &[tau, 1.0]));
    }
    let [first, second] = &residuals.joints()[..] else { panic!("two joints") };
    assert_eq!((first.samples, first.largest[0].residual, first.largest.len()), (4, 5.0, 5));
    close("first correlation", first.autocorrelation, (2.0 - 12.0) / 30.0);
    let q = 24.0 * (10.0_f64 / 30.0).powi(2) / 3.0;
    close("portmanteau", first.portmanteau, q / 20.0);
    assert_eq!((second.samples, second.largest.len()), (0, 5));
    // What is predicted is taken off: of its own torques a robot leaves nothing.
    let model = with_friction("planar2r");
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    let (mut run, mut residuals) = (Run::new(&model, 0.8), Residuals::new(&problem, &exact));
    for i in 0..10 {
        run.at(0.3 * f64::from(i));
        let tau = [run.tau[0], run.tau[1] + 2.0];
        residuals.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    let [first, second] = &residuals.joints()[..] else { panic!("two joints") };
    assert!(first.rms < 1e-12 && (second.mean - 2.0).abs() < 1e-12, "{} {}", first.rms, second.mean);
}

#[test]
fn a_joint_without_torque_leaves_nothing_unexplained() {
    assert_eq!(JointFit { noise: 1.0, residual: 0.0, torque: 0.0 }.relative(), 0.0);
    assert_eq!(JointFit { noise: 1.0, residual: 1.0, torque: 4.0 }.relative(), 0.25);
}

#[test]
fn many_names_are_counted_and_twelve_are_not() {
    let text = |count: usize| {
        let parameters = (1..=count).map(|k| format!("p{k}")).collect();
        IdentifyError::TooLittleMotion { parameters, detail: "…".to_owned() }.to_string()
    };
    for count in [1, 11, 12] {
        assert!(text(count).contains(&format!("p{count} cannot be told apart")), "{}", text(count));
        assert!(!text(count).contains("more"));
    }
    assert!(text(13).contains("p11, p12 and 1 more cannot"), "{}", text(13));
    assert!(text(20).contains("p12 and 8 more cannot"), "{}", text(20));
}

/// What can be done is said with the error, where something can.
#[test]
fn errors_say_what_to_do() {
    use IdentifyError as E;
    let text = |text: &str| text.to_owned();
    let missing = |near: Option<&str>| {
        let (column, number) = (text("q[hip]"), text("q1"));
        let near = near.map(text);
        E::Table(TableError::MissingColumn { what: "positions", column, number, letters: "q", near })
    };
    let settings =
        E::OtherSettings { file: text("a.csv"), own: text("no smoothing"), found: text("a cut-off of 8 Hz") };
    for (error, hint) in [
        (missing(None), "of these qd, qdd and t may be missing"),
        (missing(Some("q_hip")), "is it the column `q_hip`?"),
        (E::TooLarge { place: Place::Line(7), column: 3, value: 1e20 }, "leave the line out"),
        (E::NoTime { missing: "velocities" }, "--rate HZ"),
        (E::Cutoff { cutoff: 80.0, rate: 100.0 }, "half the sampling rate, 50 Hz"),
        (E::WrongClock { ratio: 1e6 }, "`t` is in s, ms, µs or ns"),
        (
            E::WrenchColumn { column: 9, heading: text("wrench:x"), links: vec![text("hand"), text("foot")] },
            "LINK one of hand, foot",
        ),
        (E::WrenchPart { link: text("hand"), part: "mz" }, "three forces and three moments"),
        (E::TooLittleMotion { parameters: vec![], detail: String::new() }, "`jourdain excite` finds such a motion"),
        (E::Unfelt { link: text("foot") }, "name a link behind a moving joint"),
        (E::TooFew { samples: 3, needed: 9 }, "record longer"),
        (E::NoMotion { found: text("a wall") }, "a smaller clearance or radius"),
        (E::QuaternionSeries { joint: text("base") }, "--fixed"),
        (E::OtherDrives, "after --merge"),
        (E::Bounds { message: String::new() }, "a range is [least, largest]"),
        (E::Coupling { joints: 2 }, "[[1, 0], [-1, 1]]"),
        (
            E::OtherRobot { expected: String::new(), found: String::new(), detail: String::new() },
            "merge factors of one robot",
        ),
        (E::SameSamples { file: text("a"), other: text("b"), from: 1, to: 2 }, "once"),
        (settings, "the same --cutoff, --delay and --decimate"),
        (E::DamagedFactors, "copy the file again"),
        (E::OtherProblem { expected: 2, found: 3 }, "robot, --friction and --armature"),
    ] {
        let found = error.hint().unwrap_or_default();
        assert!(found.contains(hint), "{error}: {found}");
        let is_unsolved = matches!(error, E::TooLittleMotion { .. } | E::NoMotion { .. });
        assert_eq!(error.is_unsolved(), is_unsolved, "{error}");
        let place = match error {
            E::TooLarge { .. } => Some((7, 3)),
            E::WrenchColumn { .. } => Some((1, 9)),
            _ => None,
        };
        assert_eq!(error.place(), place, "{error}");
    }
    assert!(E::BeyondRange.hint().is_none());
}
