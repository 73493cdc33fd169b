//! Problems and robots that are written: which unknowns there are, and what a file has of their values.

use crate::logs::{Random, Run, with_friction};
use jourdain::dynamics::recursive;
use jourdain::formats::{Format, read_str};
use jourdain::identify::{
    Accumulator, Comparison, Coordinates, Drives, Hysteresis, IdentifyError, Individual, Member, PRIOR_WEIGHT, Problem,
    Rest, Sample, Term, consistent, estimated_model, estimated_robot, pooled, robot_with_drives,
};
use jourdain::model::description::{
    Description, InertiaDescription, JointKind, LinkDescription, MotorDescription, Placement,
};
use jourdain::model::{DriveTerm, Edit, ParameterKind, Payload};
use jourdain::{Model, robots};

/// Samples of a log of drives.
const COUNT: u32 = 300;
const RIGID: Drives = Drives { armature: false, viscous: false, coulomb: false };

fn planar(change: impl FnOnce(&mut Description)) -> Model<f64> {
    let mut description = robots::load("planar2r").unwrap().description().clone();
    change(&mut description);
    Model::from_description(&description).unwrap()
}

/// One link on two crossing axes, which share a motor.
fn universal() -> Model<f64> {
    let text = r#"{"name": "wrist", "gravity": [0, 0, -9.81], "link": [
        {"name": "hand", "mass": 2, "com": [0.1, 0.05, 0.3], "inertia": [0.2, 0, 0, 0.3, 0, 0.1],
         "joint": {"name": "wrist", "type": "universal"}}]}"#;
    let mut description = Description::clone(&read_str(text, Format::Json).description.unwrap());
    let motor = MotorDescription { inertia: 0.1.into(), viscous: 0.3.into(), ..MotorDescription::default() };
    description.links[0].motor = Some(motor);
    Model::from_description(&description).unwrap()
}

/// States that are not special.
fn states(n: usize, count: u64) -> Vec<[Vec<f64>; 3]> {
    let mut random = Random(21);
    let mut vector = || (0..n).map(|_| 2.0 * random.uniform() - 1.0).collect();
    (0..count).map(|_| [vector(), vector(), vector()]).collect()
}

fn close(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} instead of {expected}");
}

/// That values of the unknowns give the torques of a robot.
fn has_the_torques_of(what: &str, problem: &Problem, values: &[f64], model: &Model<f64>) {
    for [q, qd, qdd] in states(model.nv(), 5) {
        let y = recursive::regressor(problem.model(), &q, &qd, &qdd);
        let exact = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
        for (j, exact) in exact.iter().enumerate() {
            let row: Vec<f64> = (0..y.columns()).map(|column| y[(j, column)]).collect();
            close(&format!("{what}, joint {j}"), problem.torque(j, &row, &[], values), *exact);
        }
    }
}

fn all_drives() -> impl Iterator<Item = Drives> {
    (0..8).map(|k| Drives { armature: k & 1 > 0, viscous: k & 2 > 0, coulomb: k & 4 > 0 })
}

/// A robot whose file has every kind of friction.
fn rubbing() -> Model<f64> {
    planar(|description| {
        for (link, k) in description.links.iter_mut().take(2).zip([1.0, 2.0]) {
            link.motor = Some(MotorDescription {
                inertia: 0.02.into(),
                ratio: 5.0.into(),
                viscous: (0.3 * k).into(),
                coulomb: (0.4 * k).into(),
                root: Some((0.5 * k).into()),
                stribeck: Some((0.6 * k).into()),
                offset: Some((0.7 * k).into()),
                ..MotorDescription::default()
            });
        }
    })
}

/// What is not asked for is as the file has it, unless both frictions are: then they are all there is.
#[test]
fn the_values_of_the_file_give_its_torques_whatever_is_unknown() {
    let model = rubbing();
    let mut simple = model.description().clone();
    for motor in simple.links.iter_mut().filter_map(|link| link.motor.as_mut()) {
        *motor = motor.with_simple_friction();
    }
    let simple = Model::from_description(&simple).unwrap();
    for drives in all_drives() {
        let problem = Problem::new(&model, drives).unwrap();
        let expected = if drives.viscous && drives.coulomb { &simple } else { &model };
        has_the_torques_of(&format!("{drives:?}"), &problem, &problem.prior(), expected);
    }
}

#[test]
fn terms_take_the_place_of_those_before_and_offsets_stand_alone() {
    let smooth = Drives { armature: false, viscous: true, coulomb: false };
    let problem = Problem::new(&rubbing(), smooth).unwrap();
    let base = problem.count();
    let coordinates = Coordinates::coupled(2, &[vec![1.0, 0.0], vec![-1.0, 1.0]]).unwrap();
    let (joints, load) = (Coordinates::joints(2), problem.prior());
    let once = problem.clone().with_terms(&joints, None);
    let again = problem.clone().with_terms(&coordinates, Some(&load)).with_terms(&joints, None);
    assert_eq!((once.names(), once.terms(), once.load()), (again.names(), again.terms(), again.load()));
    for j in 0..2 {
        assert_eq!(once.felt(j), again.felt(j));
        let own: Vec<&str> = once.felt(j)[problem.felt(j).len()..].iter().map(|&i| once.names()[i].as_str()).collect();
        let j = j + 1;
        let terms = ["Fh?a", "Fh?b", "Fh?c", "Fr?", "Fs?", "Fo?"].map(|name| name.replace('?', &j.to_string()));
        assert_eq!(own, terms);
    }
    // Rotors and friction of the file stay, the offset does not: it is unknown.
    let with_offsets = problem.clone().with_offsets();
    assert_eq!(with_offsets.names()[base..], ["Fo1", "Fo2"]);
    for j in 0..2 {
        let expected: Vec<usize> = problem.felt(j).iter().copied().chain([base + j]).collect();
        assert_eq!(with_offsets.felt(j), expected);
    }
    let is_offset = |column: usize| problem.base().parameters()[column].kind == ParameterKind::Drive(DriveTerm::Offset);
    let stays: Vec<(usize, f64)> = problem.known().iter().copied().filter(|(column, _)| !is_offset(*column)).collect();
    assert!(!stays.is_empty() && stays.len() < problem.known().len());
    assert_eq!(with_offsets.known(), stays);
    // Some of the unknowns, of both kinds.
    let all = problem.clone().with_terms(&joints, Some(&load));
    let keep: Vec<bool> = (0..all.count()).map(|i| i % 3 != 1 || i == base).collect();
    let some = all.reduced(&keep, Rest::Zero);
    let kept: Vec<usize> = (0..all.count()).filter(|&i| keep[i]).collect();
    assert!(kept.contains(&base));
    let (left, right): (Vec<usize>, Vec<usize>) = kept.iter().copied().partition(|&i| i < base);
    assert_eq!(some.names(), kept.iter().map(|&i| all.names()[i].clone()).collect::<Vec<_>>());
    assert_eq!(some.unknowns(), left.iter().map(|&i| all.unknowns()[i]).collect::<Vec<_>>());
    assert_eq!(some.terms(), right.iter().map(|&i| all.terms()[i - base]).collect::<Vec<_>>());
    assert_eq!(some.load().unwrap(), left.iter().map(|&i| load[i]).collect::<Vec<_>>());
}

#[test]
fn coordinates_are_of_regular_matrices_whose_motors_turn_their_own_joints() {
    let coupled = |matrix: &[&[f64]]| {
        let matrix: Vec<Vec<f64>> = matrix.iter().map(|row| row.to_vec()).collect();
        Coordinates::coupled(2, &matrix)
    };
    let found = coupled(&[&[1.0, 0.0], &[-1.0, 1.0]]).unwrap();
    assert_eq!((found.count(), found.joint_count(), found.row(2)), (3, 2, &[1.0, 1.0][..]));
    assert!(coupled(&[&[1.0, 0.0]]).is_none());
    assert!(coupled(&[&[1.0, 0.0, 3.0], &[0.0, 1.0, 3.0]]).is_none());
    assert!(coupled(&[&[1.0, f64::NAN], &[0.0, 1.0]]).is_none());
    assert!(coupled(&[&[1.0, 1.0], &[1.0, 1.0]]).is_none());
    // Each motor turns the other joint, or its own by a trillionth of it.
    assert!(coupled(&[&[0.0, 1.0], &[1.0, 0.0]]).is_none());
    assert!(coupled(&[&[1e6, -1e13], &[0.0, 1.0]]).is_none());
    assert!(coupled(&[&[1e6, -1e3], &[0.0, 1.0]]).is_some());
    let joints = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let with = |row: &[f64]| joints.iter().cloned().chain([row.to_vec()]).collect::<Vec<_>>();
    assert_eq!(Coordinates::from_rows(2, &with(&[1.0, 1.0])), Some(found));
    assert_eq!(Coordinates::from_rows(2, &joints), Some(Coordinates::joints(2)));
    assert_eq!(Coordinates::from_rows(2, &joints[..1]), None);
    assert_eq!(Coordinates::from_rows(2, &with(&[1.0])), None);
    assert_eq!(Coordinates::from_rows(2, &[vec![1.0, 1.0], vec![0.0, 1.0]]), None);
}

/// Masses that a file has stay, near to the origin or far from it.
#[test]
fn the_values_of_the_file_are_written_as_it_has_them() {
    let model = planar(|description| {
        for (link, (mass, place)) in description.links.iter_mut().zip([(1.0, 2.0), (0.5, 2e-6)]) {
            (link.mass, link.com) = (mass.into(), [place, 0.0, 0.0].map(Into::into));
        }
    });
    let problem = Problem::new(&model, RIGID).unwrap();
    let found = estimated_robot(&problem, &problem.prior()).unwrap();
    for (link, (mass, place)) in found.links.iter().zip([(1.0, 2.0), (0.5, 2e-6)]) {
        assert_eq!((link.mass.value, link.com[0].value), (mass, place), "{}", link.name);
    }
    assert!(!found.allow_unphysical);
    // A link without mass that turns out to have a moment is given a kilogram, which the others make up for.
    let mut values = Vec::new();
    for (bare, others) in [(0, [("mXR1", 1.5), ("mY1", 0.2)]), (1, [("mX2", 0.6), ("ZZ2", 0.5)])] {
        let model = planar(|description| {
            description.links[bare].mass = 0.0.into();
            description.links[bare].inertia = InertiaDescription::AboutCom([0.0; 6].map(Into::into));
        });
        let problem = Problem::new(&model, RIGID).unwrap();
        values = problem.prior();
        for (name, value) in others {
            values[problem.names().iter().position(|own| own == name).unwrap()] = value;
        }
        let found = estimated_robot(&problem, &values).unwrap();
        assert_eq!(found.links[bare].mass.value, 1.0);
        assert_eq!(found.links[1 - bare].mass.value, [1.5, 2.0][bare]);
        has_the_torques_of("a kilogram", &problem, &values, &estimated_model(&problem, &values).unwrap());
    }
    // What no robot can be is written with leave to be it.
    values.iter_mut().for_each(|value| *value = -*value);
    let found = estimated_robot(&problem, &values).unwrap();
    assert!(found.allow_unphysical && Model::from_description(&found).is_ok());
}

#[test]
fn a_rotor_is_written_on_the_side_of_the_motor() {
    let problem = Problem::new(&rubbing(), Drives { armature: true, ..Drives::default() }).unwrap();
    let mut values = problem.prior();
    let rotor = problem.names().iter().position(|name| name == "Ia2").unwrap();
    assert!((values[rotor] - 0.5).abs() < 1e-12);
    values[rotor] = 0.8;
    let found = estimated_robot(&problem, &values).unwrap().links[1].motor.unwrap();
    assert!((found.inertia.value - 0.8 / 25.0).abs() < 1e-14 && found.ratio.value == 5.0, "{found:?}");
    // A ratio whose square is zero takes every rotor away, so that the file's stays.
    let model = planar(|description| {
        let motor = MotorDescription { inertia: 0.1.into(), ratio: 1e-200.into(), ..MotorDescription::default() };
        description.links[1].motor = Some(motor);
    });
    let problem = Problem::new(&model, Drives { armature: true, ..Drives::default() }).unwrap();
    let found = estimated_robot(&problem, &problem.prior()).unwrap().links[1].motor.unwrap();
    assert_eq!(found.inertia.value, 0.1);
}

/// The robot of an estimate with drives, and per degree of freedom the Coulomb friction that stands for what remembers: least squares over
/// all samples for that number alone, all else as estimated.
fn with_drives(model: &Model<f64>, coordinates: &Coordinates) -> (Description, Vec<f64>, Vec<(String, f64)>) {
    let smooth = Drives { armature: true, viscous: true, coulomb: false };
    let full = Problem::new(model, smooth).unwrap();
    let load = full.prior();
    let full = full.with_terms(coordinates, Some(&load));
    let wide = Problem::new(model, Drives { coulomb: true, ..smooth }).unwrap();
    let load: Vec<f64> = load.into_iter().chain(std::iter::repeat(0.0)).take(wide.unknowns().len()).collect();
    let wide = wide.with_terms(coordinates, Some(&load));
    let mut values = full.prior();
    for (value, term) in values[full.unknowns().len()..].iter_mut().zip(full.terms()) {
        *value = match term.term {
            Term::Rotor => 0.1,
            Term::Viscous => 0.2,
            Term::Element(k) => 0.3 + 0.2 * k as f64 + 0.3 * term.coordinate as f64,
            Term::Root => 0.3 + 0.3 * term.coordinate as f64,
            Term::Stribeck => 0.4,
            Term::Load => 0.05,
            Term::Offset => 0.4 - 0.3 * term.coordinate as f64,
        };
    }
    type Take<'a> = Box<dyn FnMut(usize, &Sample<'_>) + 'a>;
    let each = |mut take: Take<'_>| {
        let (mut run, mut hysteresis) = (Run::new(model, 0.8), Hysteresis::new(coordinates.clone()));
        let tau = vec![0.0; model.nv()];
        for i in 0..COUNT {
            run.at(0.04 * f64::from(i));
            hysteresis.advance(&run.q);
            let (t, z) = (0.04 * f64::from(i), hysteresis.elements());
            take(i as usize, &Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z });
        }
    };
    let predicted = |problem: &Problem, values: &[f64]| {
        let mut comparison = Comparison::new(problem, values);
        each(Box::new(|_, sample| comparison.add(sample)));
        comparison.drawn().predicted.clone()
    };
    let mut random = Random(5);
    let mut measured = predicted(&full, &values);
    measured.iter_mut().flatten().for_each(|tau| *tau += 0.02 * random.normal());
    let mut accumulator = Accumulator::new(&wide);
    each(Box::new(|i, sample| {
        let tau: Vec<f64> = measured.iter().map(|of_joint| of_joint[i]).collect();
        accumulator.add(&Sample { tau: &tau, ..*sample });
    }));
    let factors = accumulator.finish();
    let estimate = consistent(&full, &factors.select(&wide, &full).unwrap(), PRIOR_WEIGHT).unwrap();
    let robot = robot_with_drives(&full, &estimate, &wide, &factors).unwrap();

    // Elements and load of the joints are what the number stands for; those of motors that turn with several joints are not.
    let named: Vec<(String, f64)> = full.names().iter().cloned().zip(estimate.values.iter().copied()).collect();
    let stays = |name: &str| name.contains('+') || !(name.starts_with("Fh") || name.starts_with("Fl"));
    let value = |name: &String| named.iter().find(|(own, _)| own == name && stays(own)).map_or(0.0, |(_, x)| *x);
    let rest = predicted(&wide, &wide.names().iter().map(value).collect::<Vec<_>>());
    let (mut products, mut squares) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    each(Box::new(|i, sample| {
        let y = recursive::regressor(wide.model(), sample.q, sample.qd, sample.qdd);
        for j in 0..model.nv() {
            let unknown = *wide.felt(j).iter().find(|&&i| wide.names()[i].starts_with("Fc")).unwrap();
            let column = y[(j, wide.column(unknown))];
            products[j] += column * (measured[j][i] - rest[j][i]);
            squares[j] += column * column;
        }
    }));
    let stand_in = products.iter().zip(squares).map(|(product, square)| (product / square).max(0.0)).collect();
    (robot, stand_in, named)
}

#[test]
fn coulomb_friction_of_a_file_stands_for_what_remembers_at_a_single_state() {
    let coordinates = Coordinates::coupled(2, &[vec![1.0, 0.0], vec![-1.0, 1.0]]).unwrap();
    let (robot, stand_in, _) = with_drives(&robots::load("planar2r").unwrap(), &coordinates);
    for (link, expected) in robot.links.iter().zip(&stand_in) {
        close(&link.name, link.motor.unwrap().coulomb.value, *expected);
        assert!(*expected > 0.3, "{stand_in:?}");
    }
}

#[test]
fn a_motor_of_two_numbers_has_the_mean_of_both() {
    let (robot, stand_in, values) = with_drives(&universal(), &Coordinates::joints(2));
    let motor = robot.links[0].motor.unwrap();
    // Two of each, named by where they are.
    let mean = |first: &str, last: &str| {
        let own = values.iter().filter(|(name, _)| name.starts_with(first) && name.ends_with(last));
        let own: Vec<f64> = own.map(|(_, value)| *value).collect();
        assert!(own.len() == 2 && own[0] != own[1], "{first} {last}: {own:?}");
        0.5 * (own[0] + own[1])
    };
    close("Coulomb friction", motor.coulomb.value, 0.5 * (stand_in[0] + stand_in[1]));
    close("viscous friction", motor.viscous.value, mean("Fv", ""));
    close("root", motor.root.unwrap().value, mean("Fr", ""));
    close("offset", motor.offset.unwrap().value, mean("Fo", ""));
    close("load", motor.load.value, mean("Fl", ""));
    for (element, name) in motor.hysteresis.elements().iter().zip(["a", "b", "c"]) {
        close(name, element.strength, mean("Fh", name));
    }
    assert!(motor.coulomb.value > 0.3 && mean("Fr", "") > 0.1, "{values:?}");
}

/// An arm of three joints that are neither parallel nor at right angles.
fn skew() -> Model<f64> {
    let link = |name: &str, parent: &str| {
        format!(
            r#"{{"name": "{name}", "parent": "{parent}", "mass": 2, "com": [0.1, 0.05, 0.2],
                "inertia": [0.2, 0.01, 0, 0.3, 0.02, 0.1],
                "origin": {{"xyz": [0.3, -0.2, 0.15], "rpy": [0.7, 0.4, 0.2]}},
                "joint": {{"type": "revolute", "axis": [0, 0, 1], "limits": [-9, 9]}}}}"#
        )
    };
    let links = [link("one", "base"), link("two", "one"), link("three", "two")].join(", ");
    let text = format!(r#"{{"name": "skew", "gravity": [0, 0, -9.81], "link": [{links}]}}"#);
    Model::from_description(&read_str(&text, Format::Json).description.unwrap()).unwrap()
}

/// What links carry is in the space of their own unknowns, so that exact torques of bare and of loaded robots are met by one model.
#[test]
fn a_fleet_with_loads_of_their_own_is_met_exactly() {
    let model = skew();
    let problem = Problem::new(&model, RIGID).unwrap();
    let names: Vec<&str> = model.links().iter().rev().take(2).map(|link| link.name.as_str()).collect();
    let [last, before] = [0, 1].map(|k| problem.model().links().iter().position(|link| link.name == names[k]).unwrap());
    let member = |loads: &[(usize, [f64; 3])]| {
        let edit = |&(link, place): &(usize, [f64; 3])| {
            let payload = Payload::point(3.0.into(), place.map(Into::into));
            Edit::Payload { link: names[link].to_owned(), payload }
        };
        let edits: Vec<Edit> = loads.iter().map(edit).collect();
        let loaded = Model::from_description(&model.description().clone().edit(&edits).unwrap().description).unwrap();
        let (mut run, mut accumulator) = (Run::new(&loaded, 0.8), Accumulator::new(&problem));
        for i in 0..60 {
            run.at(0.3 * f64::from(i));
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
        }
        Member::new(String::new(), &problem, &accumulator.finish())
    };
    let places = [[0.3, -0.2, 0.1], [-0.1, 0.25, 0.4]];
    let hands = [member(&[]), member(&[(0, places[0])]), member(&[(0, places[1])])];
    let both = [member(&[]), member(&[(0, places[0]), (1, places[1])]), member(&[(1, places[0])])];
    let worst = |members: &[Member], links: &[usize]| {
        let none = Individual::none(&problem);
        let own = links.iter().fold(none, |own, link| own.with_payload(&problem, *link).unwrap());
        let found = pooled(&problem, members, &own).unwrap();
        found.joints.iter().flatten().map(|joint| joint.relative()).fold(0.0, f64::max)
    };
    for links in [&[last][..], &[last, last], &[last, before], &[before, last]] {
        assert!(worst(&hands, links) < 1e-8, "{links:?}: {}", worst(&hands, links));
    }
    for links in [[last, before], [before, last]] {
        assert!(worst(&both, &links) < 1e-8, "{links:?}: {}", worst(&both, &links));
    }
    // With less of their own they are not.
    assert!(worst(&hands, &[]) > 1e-2 && worst(&both, &[last]) > 1e-3);
}

#[test]
fn a_load_on_a_short_arm_differs_too_and_one_on_the_ground_is_refused() {
    let model = planar(|description| {
        let Placement::Origin { xyz, .. } = &mut description.links[1].placement else { panic!("an origin") };
        xyz[0] = 1e-5.into();
        let mut plate = LinkDescription::new("plate".to_owned(), "base".to_owned());
        (plate.mass, plate.joint.kind) = (1.0.into(), JointKind::Fixed);
        description.links.push(plate);
    });
    let problem = Problem::new(&model, RIGID).unwrap();
    let place = |name: &str| problem.model().links().iter().position(|link| link.name == name).unwrap();
    let none = Individual::none(&problem);
    let differs = none.clone().with_payload(&problem, place("link2")).unwrap().differs();
    for (name, differs) in problem.names().iter().zip(differs) {
        assert_eq!(differs, name != "mY1", "{name}");
    }
    let refused = none.with_payload(&problem, place("plate")).unwrap_err();
    assert_eq!(refused, IdentifyError::Unfelt { link: "plate".to_owned() });
}

/// Weights of joints with hardly more samples than unknowns move for long: it ends all the same.
#[test]
fn a_fleet_of_few_samples_comes_to_an_end() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap();
    for seed in 1..=20 {
        let (mut run, mut random, mut accumulator) = (Run::new(&model, 0.8), Random(seed), Accumulator::new(&problem));
        for i in 0..11 {
            run.at(0.4 * f64::from(i));
            let tau: Vec<f64> = run.tau.iter().map(|tau| tau + random.normal()).collect();
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
        }
        let members = [Member::new(String::new(), &problem, &accumulator.finish())];
        match pooled(&problem, &members, &Individual::none(&problem)) {
            Ok(found) => assert!(found.joints[0].iter().all(|joint| joint.noise > 0.0 && joint.noise < 20.0)),
            Err(error) => assert_eq!(error.kind(), "too-little-motion", "seed {seed}"),
        }
    }
}
