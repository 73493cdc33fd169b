//! What is kept of a log, and in its files: threads, ranges, hashes, and whose factors they are.

use crate::logs::{Run, with_friction};
use jourdain::dynamics::recursive;
use jourdain::formats::table::Table;
use jourdain::formats::{Format, read_str};
use jourdain::identify::{
    Accumulator, Coordinates, Drives, Factors, Hash, Identity, LogPart, LogSettings, Problem, Rest, Sample, accumulate,
    table_hash,
};
use jourdain::model::description::MotorDescription;
use jourdain::{Model, robots};
use serde_json::{Value, json};

const RIGID: Drives = Drives { armature: false, viscous: false, coulomb: false };

fn arm() -> (Model<f64>, Problem) {
    (with_friction("planar2r"), Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap())
}

fn robot(text: &str) -> Model<f64> {
    Model::from_description(&read_str(text, Format::Json).description.unwrap()).unwrap()
}

/// A hinge and a ball in a socket, whose position is a quaternion.
fn ball() -> Model<f64> {
    robot(
        r#"{"name": "ball", "link": [
            {"name": "arm", "mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
             "joint": {"name": "hinge", "type": "revolute", "axis": [1, 0, 0]}},
            {"name": "hand", "parent": "arm", "mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
             "origin": {"xyz": [0.3, 0.2, 0.1]}, "joint": {"name": "socket", "type": "spherical"}}]}"#,
    )
}

/// Samples from some time on, so far apart that each is a stretch of its own.
fn scattered(model: &Model<f64>, count: u32, take: &mut dyn FnMut(&Sample<'_>)) {
    let mut run = Run::new(model, 0.8);
    for i in 0..count {
        let t = 3.0 + 2.5 * f64::from(i);
        run.at(t);
        take(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
    }
}

#[test]
fn threads_give_the_bits_of_one_accumulator_and_no_samples_are_nothing() {
    let (model, problem) = arm();
    let mut accumulator = Accumulator::new(&problem);
    scattered(&model, 60, &mut |sample| accumulator.add(sample));
    let one = accumulator.finish();
    assert_eq!(one.samples, 60);
    let none = Accumulator::new(&problem).finish();
    assert!(none == Factors::new(&problem) && none.blocks.is_empty());
    for threads in [0, 1, 2, 3] {
        let read = |take: &mut dyn FnMut(&Sample<'_>)| {
            scattered(&model, 60, take);
            Ok::<_, ()>("what was read")
        };
        let (factors, back) = accumulate(&problem, threads, read).unwrap();
        assert_eq!(back, "what was read");
        assert_eq!(factors.to_bytes(), one.to_bytes(), "{threads} threads");
        let (nothing, ()) = accumulate(&problem, threads, |_| Ok::<(), ()>(())).unwrap();
        assert!(nothing == none, "{threads} threads");
    }
}

#[test]
fn ranges_are_those_of_the_samples_and_quaternions_have_none() {
    let (_, problem) = arm();
    let mut accumulator = Accumulator::new(&problem);
    let nan = f64::NAN;
    for (q, qd, qdd, tau) in [
        ([0.1, -0.5], [0.2, 0.0], [-3.0, 1.0], [1.0, nan]),
        ([0.7, 0.2], [-0.9, 0.1], [2.0, 0.5], [2.0, 1.0]),
        ([-0.3, 0.0], [0.3, -0.4], [0.0, -7.0], [3.0, nan]),
    ] {
        accumulator.add(&Sample { t: 0.0, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
    }
    let factors = accumulator.finish();
    let all = |j: usize| {
        let range = factors.ranges[j];
        ([range.least, range.most, range.speed, range.acceleration], range.rows)
    };
    assert_eq!(all(0), ([-0.3, 0.7, 0.9, 3.0], 3));
    assert_eq!(all(1), ([-0.5, 0.2, 0.4, 7.0], 1));

    let problem = Problem::new(&ball(), RIGID).unwrap();
    let mut accumulator = Accumulator::new(&problem);
    let (q, qd, zeros) = ([0.4, 0.0, 0.6, 0.8, 0.0], [0.1, -0.2, 0.3, -0.4], [0.0; 4]);
    accumulator.add(&Sample { t: 0.0, q: &q, qd: &qd, qdd: &zeros, tau: &zeros, z: &[] });
    for (range, speed) in accumulator.finish().ranges.iter().zip(qd) {
        assert_eq!((range.least, range.most, range.speed), (f64::INFINITY, f64::NEG_INFINITY, speed.abs()));
    }
}

/// A file with another heading and other numbers, and with the hash that goes with them.
fn rewritten(bytes: &[u8], change: impl FnOnce(&mut Value, &mut Vec<u8>)) -> Vec<u8> {
    let end = 16 + u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
    let mut heading: Value = serde_json::from_slice(&bytes[16..end]).unwrap();
    let mut numbers = bytes[end..bytes.len() - 8].to_vec();
    change(&mut heading, &mut numbers);
    let heading = serde_json::to_vec(&heading).unwrap();
    let mut all = [&bytes[..8], &(heading.len() as u64).to_le_bytes(), &heading, &numbers].concat();
    let hash = Hash::of(&all);
    all.extend(hash.to_le_bytes());
    all
}

#[test]
fn stretches_of_a_file_are_in_order_not_too_many_and_of_a_length_that_can_be() {
    let (model, problem) = arm();
    let mut accumulator = Accumulator::new(&problem);
    scattered(&model, 3, &mut |sample| accumulator.add(sample));
    let factors = accumulator.finish();
    let bytes = factors.to_bytes();
    let read = |change: &dyn Fn(&mut Value, &mut Vec<u8>)| {
        Factors::from_bytes(&rewritten(&bytes, change)).map_err(|error| error.to_string())
    };
    assert!(read(&|_, _| ()).unwrap() == factors);
    let refused = |found: Result<Factors, String>| {
        assert_eq!(found.unwrap_err(), "this is no file of factors: its blocks are not in order");
    };
    // Two of the same time, and one that is before the other.
    for number in [1, 0] {
        refused(read(&|heading, _| heading["blocks"][1]["number"] = json!(number)));
    }
    // Two seconds, and twice as long as often as one likes.
    for seconds in [1.0, 3.0, 0.0, -2.0, 5.0] {
        refused(read(&|heading, _| heading["block_seconds"] = json!(seconds)));
    }
    assert_eq!(read(&|heading, _| heading["block_seconds"] = json!(8.0)).unwrap().blocks.seconds, 8.0);
    // More stretches, all with the numbers of the last.
    let of_one: usize = factors.triangles.iter().map(|triangle| 8 * triangle.packed().len()).sum();
    let with = |count: i64| {
        read(&move |heading, numbers| {
            let last = numbers[numbers.len() - of_one..].to_vec();
            for number in 3..count {
                heading["blocks"].as_array_mut().unwrap().push(json!({"number": 10 + number, "samples": 1}));
                numbers.extend(&last);
            }
        })
    };
    assert_eq!(with(32).unwrap().blocks.len(), 32);
    refused(with(33));
}

#[test]
fn a_triangle_of_a_file_may_have_a_column_for_every_parameter_and_the_torque_and_no_more() {
    let model = robots::load("planar2r").unwrap();
    let problem = Problem::new(&model, RIGID).unwrap();
    assert_eq!(problem.felt(0).len(), problem.count());
    let mut accumulator = Accumulator::new(&problem);
    scattered(&model, 3, &mut |sample| accumulator.add(sample));
    let factors = accumulator.finish();
    let bytes = factors.to_bytes();
    assert!(Factors::from_bytes(&bytes).unwrap() == factors);
    for more in [2, 3] {
        let wide = rewritten(&bytes, |heading, _| heading["joints"][1]["width"] = json!(problem.count() + more));
        assert_eq!(
            Factors::from_bytes(&wide).unwrap_err().to_string(),
            "this is no file of factors: the triangle of joint 2 is wider than there are parameters"
        );
    }
}

/// Values of the sanity check of the reference program.
///
/// # Reference
/// xxHash, `tests/sanity_test_vectors.h`: bytes by multiplication with a prime, seed 0.
#[test]
fn hashes_are_those_of_the_reference_program() {
    let mut generator = 2_654_435_761_u64;
    let mut next = || {
        let byte = (generator >> 56) as u8;
        generator = generator.wrapping_mul(11_400_714_785_074_694_797);
        byte
    };
    let bytes: Vec<u8> = (0..222).map(|_| next()).collect();
    for (length, value) in [
        (0, 0xEF46_DB37_51D8_E999),
        (1, 0xE934_A84A_DB05_2768),
        (4, 0x9136_A0DC_A574_57EE),
        (14, 0x8282_DCC4_994E_35C8),
        (222, 0xB641_AE8C_B691_C174),
    ] {
        assert_eq!(Hash::of(&bytes[..length]), value, "{length} bytes");
    }
    // That of a log is of its headings, each ended by a zero, and of its numbers.
    let table = Table::new(vec![("t".to_owned(), vec![0.0, 0.5]), ("q1".to_owned(), vec![-1.0, 3.25])]).unwrap();
    let numbers = |numbers: [f64; 2]| numbers.map(f64::to_le_bytes).concat();
    let all = [&b"t\0"[..], &numbers([0.0, 0.5]), b"q1\0", &numbers([-1.0, 3.25])].concat();
    assert_eq!(table_hash(&table), Hash::of(&all));
}

#[test]
fn parts_that_were_not_cut_alike_are_told_by_rows() {
    let (_, problem) = arm();
    let settings = LogSettings { cutoff: None, delay: 0.0, decimate: 1, late: 0 };
    let part = |from: u64, to: u64, part: Option<[u64; 2]>| {
        let file = "log.csv".to_owned();
        LogPart { file, hash: 7, rows: 800, from, to, part, settings, counts: None }
    };
    let missing = |parts: &[LogPart]| {
        let mut identity = Identity::new(&problem);
        identity.logs = parts.to_vec();
        identity.missing()
    };
    let quarter = part(0, 200, Some([1, 4]));
    for other in [None, Some([2, 2])] {
        let told = missing(&[quarter.clone(), part(400, 800, other)]);
        assert_eq!(told, ["rows 201 to 400 of log.csv are missing"], "{other:?}");
    }
    assert_eq!(missing(&[quarter, part(400, 800, Some([2, 4]))]).len(), 2);
}

/// Robots are told apart by what their regressor makes of two states. Files keep these numbers, so that those of all versions
/// have to agree: multiples of irrational numbers, less whole ones.
#[test]
fn a_robot_is_known_by_the_torques_of_agreed_parameters_at_agreed_states() {
    let mut geared = robots::load("planar2r").unwrap().description().clone();
    for (link, inertia) in geared.links.iter_mut().zip([0.1, 0.2]) {
        let motor = MotorDescription { inertia: inertia.into(), ratio: 3.0.into(), ..MotorDescription::default() };
        link.motor = Some(motor);
    }
    for model in [Model::from_description(&geared).unwrap(), ball()] {
        let problem = Problem::new(&model, Drives::default()).unwrap();
        let model = problem.model();
        let mut expected = Vec::new();
        for state in 0..2 {
            let number = |k: usize, turn: f64| 2.0 * (((k + 1 + 17 * state) as f64) * turn).fract() - 1.0;
            let mut q: Vec<f64> = (0..model.nq()).map(|k| number(k, 0.5 * (5.0_f64.sqrt() - 1.0))).collect();
            if model.nq() > model.nv() {
                let length = q[1..].iter().map(|x| x.powi(2)).sum::<f64>().sqrt();
                q[1..].iter_mut().for_each(|x| *x /= length);
            }
            let qd: Vec<f64> = (0..model.nv()).map(|k| number(k, 2.0_f64.sqrt() - 1.0)).collect();
            let qdd: Vec<f64> = (0..model.nv()).map(|k| number(k, 3.0_f64.sqrt() - 1.0)).collect();
            let y = recursive::regressor(model, &q, &qd, &qdd);
            let inertial = (0..problem.count()).filter(|&k| !problem.names()[k].starts_with('F'));
            let columns: Vec<usize> = inertial.map(|k| problem.column(k)).collect();
            let value = |k: usize| 1.0 + 0.5 * number(k, 5.0_f64.sqrt() - 2.0);
            let torque = |j: usize| columns.iter().zip(0..).map(|(&c, k)| value(k) * y[(j, c)]).sum::<f64>();
            expected.extend((0..model.nv()).map(torque));
            let known = |j: usize| problem.known().iter().map(|&(c, x)| x * y[(j, c)]).sum::<f64>();
            expected.extend((0..model.nv()).map(known));
            expected.extend(vec![0.0; model.nv()]);
        }
        let found = Identity::new(&problem).robot.fingerprint;
        assert_eq!(found.len(), expected.len());
        for (k, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert!((a - b).abs() < 1e-11, "{}, number {k}: {a} instead of {b}", model.name());
        }
    }
}

#[test]
fn robots_are_the_same_to_the_digits_of_a_file() {
    let (model, problem) = arm();
    let with_gravity = |factor: f64| {
        let mut description = model.description().clone();
        description.gravity[1] = (factor * description.gravity[1].value).into();
        Identity::new(&Problem::new(&Model::from_description(&description).unwrap(), Drives::default()).unwrap())
    };
    for (off, same) in [(3e-8, true), (-3e-8, true), (1e-6, false), (-1e-6, false)] {
        assert_eq!(with_gravity(1.0).merge(&with_gravity(1.0 + off)).is_ok(), same, "{off}");
    }
    // Of friction alone a robot has no torques to be known by.
    let keep: Vec<bool> = problem.names().iter().map(|name| name.starts_with('F')).collect();
    let friction = problem.reduced(&keep, Rest::Zero);
    assert!(Factors::new(&friction).merge(&Factors::new(&friction)).is_ok());
}

#[test]
fn factors_of_other_columns_or_drives_do_not_merge() {
    let (_, problem) = arm();
    // Without one or the other friction of the first joint: as many columns, but not the same.
    let without = |name: &str| {
        let keep: Vec<bool> = problem.names().iter().map(|own| own != name).collect();
        assert!(keep.contains(&false), "{name}");
        Factors::new(&problem.reduced(&keep, Rest::Zero))
    };
    assert_eq!(without("Fv1").merge(&without("Fc1")).unwrap_err().kind(), "other-problem");
    assert!(without("Fv1").merge(&without("Fv1")).is_ok());
    let smooth = Problem::new(&robots::load("planar2r").unwrap(), Drives { coulomb: false, ..Drives::default() });
    let (smooth, coordinates) = (smooth.unwrap(), Coordinates::joints(2));
    let load = smooth.prior();
    let double: Vec<f64> = load.iter().map(|x| 2.0 * x).collect();
    let [once, twice] = [&load, &double].map(|load| smooth.clone().with_terms(&coordinates, Some(load)));
    assert_eq!((once.load(), twice.load()), (Some(&load[..]), Some(&double[..])));
    assert_eq!(Factors::new(&once).merge(&Factors::new(&twice)).unwrap_err().kind(), "other-drives");
    let drives = Factors::new(&once).drives.unwrap();
    assert_eq!((drives.coordinates, drives.load), (vec![vec![1.0, 0.0], vec![0.0, 1.0]], Some(load)));
    assert!(Factors::new(&smooth).drives.is_none());
}

/// Rotors are known to both problems: they are taken off once, an unknown that is left out besides.
#[test]
fn what_was_known_before_is_taken_off_once() {
    let mut description = with_friction("planar2r").description().clone();
    for motor in description.links.iter_mut().filter_map(|link| link.motor.as_mut()) {
        (motor.inertia, motor.ratio) = (0.05.into(), 4.0.into());
    }
    let model = Model::from_description(&description).unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    assert!(!problem.known().is_empty());
    let read = |problem: &Problem| {
        let mut accumulator = Accumulator::new(problem);
        scattered(&model, 40, &mut |sample| accumulator.add(sample));
        accumulator.finish()
    };
    let whole = read(&problem);
    for left in 0..problem.count() {
        let keep: Vec<bool> = (0..problem.count()).map(|k| k != left).collect();
        let reduced = problem.reduced(&keep, Rest::AsWritten);
        let (selected, anew) = (whole.select(&problem, &reduced).unwrap(), read(&reduced));
        for (a, b) in selected.triangles.iter().zip(&anew.triangles) {
            let x: Vec<f64> = (0..a.width()).map(|k| 0.3 - 0.2 * k as f64).collect();
            assert!((a.square(&x) / b.square(&x) - 1.0).abs() < 1e-9, "{}", problem.names()[left]);
        }
    }
}
