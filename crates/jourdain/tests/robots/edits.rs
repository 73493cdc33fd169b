//! Edited robots against what the edit means for the robot as it was: rows and blocks of its matrices, bodies added by hand,
//! links without mass.

use crate::common::random_tree::{Random, for_each_tree};
use crate::common::{assert_close, random_tree};
use jourdain::compile::CompiledModel;
use jourdain::derive::DeriveOptions;
use jourdain::model::description::{
    Description, GROUND, InertiaDescription, JointKind, LinkDescription, MimicDescription, MotorDescription,
    NamedState, Placement,
};
use jourdain::model::{Edit, EditError, Edited, Model, Number, Payload};
use jourdain::quantity::{Path, Quantity};
use jourdain::spatial::{Rotation, Vector};
use jourdain::state::LinkWrench;
use jourdain::{State, Workspace, formats, robots};

fn evaluate(name: &str, path: Path, model: &Model, state: &State) -> Vec<f64> {
    let quantity = Quantity::parse(name, model).unwrap();
    quantity.evaluate(path, model, state, &mut Workspace::new(model)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn edited(robot: &Description, edits: &[Edit]) -> (Model, Edited) {
    let edited = robot.clone().edit(edits).unwrap();
    (Model::from_description(&edited.description).unwrap(), edited)
}

fn builtin(name: &str) -> Description {
    robots::find(name).unwrap().read().description.unwrap().into_description().without_locations()
}

fn lock(joint: &str, position: &[f64]) -> Edit {
    Edit::Lock { joint: joint.to_owned(), position: position.iter().copied().map(Number::from).collect() }
}

/// Where the velocities of `part` stand among those of `whole`, by joint and part.
fn places(part: &Model, whole: &Model) -> Vec<usize> {
    let whole = whole.velocities();
    let find = |own: &jourdain::model::Coordinate| {
        whole.iter().position(|other| (&other.joint, other.part) == (&own.joint, own.part)).unwrap()
    };
    part.velocities().iter().map(find).collect()
}

/// The state of `whole` as far as `part` has its numbers; wrenches go with the names of links.
fn restricted(part: &Model, whole: &Model, state: &State) -> State {
    let velocities = places(part, whole);
    let pick = |numbers: &[f64]| velocities.iter().map(|&place| numbers[place]).collect::<Vec<_>>();
    let coordinates = whole.coordinates();
    let position = |own: &jourdain::model::Coordinate| {
        let place = coordinates.iter().position(|other| (&other.joint, other.part) == (&own.joint, own.part));
        state.q[place.unwrap()]
    };
    let wrench = |given: &LinkWrench<f64>| {
        let name = &whole.links()[given.link].name;
        Some(LinkWrench { link: part.links().iter().position(|link| link.name == *name)?, ..*given })
    };
    let mut own = State::neutral(part);
    own.q = part.coordinates().iter().map(position).collect();
    (own.qd, own.qdd) = (pick(&state.qd), pick(&state.qdd));
    (own.qddd, own.qdddd) = (pick(&state.qddd), pick(&state.qdddd));
    own.wrenches = state.wrenches.iter().filter_map(wrench).collect();
    own
}

/// Rows and columns of a square matrix.
fn block(matrix: &[f64], size: usize, places: &[usize]) -> Vec<f64> {
    places.iter().flat_map(|&row| places.iter().map(move |&column| matrix[row * size + column])).collect()
}

fn rows(vector: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().map(|&row| vector[row]).collect()
}

/// M, τ and all poses of `part` are those of `whole` at `state`.
fn assert_part(part: &Model, whole: &Model, state: &State) {
    let (own, places) = (restricted(part, whole, state), places(part, whole));
    for path in [Path::Fast, Path::Closed] {
        let expected = block(&evaluate("mass_matrix", path, whole, state), whole.nv(), &places);
        assert_close("M", &evaluate("mass_matrix", path, part, &own), &expected, 1e-12);
        let expected = rows(&evaluate("inverse_dynamics", path, whole, state), &places);
        assert_close("torque", &evaluate("inverse_dynamics", path, part, &own), &expected, 1e-12);
    }
    for link in part.links() {
        let pose = format!("pose:{}", link.name);
        let expected = evaluate(&pose, Path::Fast, whole, state);
        assert_close(&pose, &evaluate(&pose, Path::Fast, part, &own), &expected, 1e-12);
    }
}

#[test]
fn a_locked_joint_is_one_whose_numbers_are_held() {
    for_each_tree(200, 8, |model, state| {
        let mut random = Random::new(model.nv() as u64 + 77);
        let own: Vec<_> = model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nq() > 0).collect();
        let link = own[random.below(own.len())];
        let mut held = state.clone();
        held.qd[link.v..link.v + link.joint.nv()].fill(0.0);
        held.qdd[link.v..link.v + link.joint.nv()].fill(0.0);
        // A quaternion of any length, of either sign.
        let mut position = held.q[link.q..link.q + link.joint.nq()].to_vec();
        if let Some(start) = link.joint.quaternion() {
            position[start..].iter_mut().for_each(|x| *x *= -3.0);
        }
        let (part, said) = edited(model.description(), &[lock(&link.joint_name, &position)]);
        assert_eq!(part.nv(), model.nv() - link.joint.nv());
        assert_eq!(part.links().len(), model.links().len());
        let followers = model.links().iter().filter(|other| {
            other.mimic.as_ref().is_some_and(|mimic| model.links()[mimic.leader].joint_name == link.joint_name)
        });
        assert_eq!(said.done.len(), 1 + followers.count());
        if part.nv() > 0 {
            assert_part(&part, model, &held);
        }
    });
}

#[test]
fn locking_all_joints_one_by_one_leaves_the_poses() {
    for_each_tree(40, 6, |model, state| {
        let own = model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nq() > 0);
        let locks: Vec<Edit> =
            own.map(|link| lock(&link.joint_name, &state.q[link.q..link.q + link.joint.nq()])).collect();
        let (still, _) = edited(model.description(), &locks);
        assert_eq!(still.nv(), 0);
        for link in model.links() {
            let pose = format!("pose:{}", link.name);
            let expected = evaluate(&pose, Path::Fast, model, state);
            assert_close(&pose, &evaluate(&pose, Path::Fast, &still, &State::neutral(&still)), &expected, 1e-12);
        }
    });
}

#[test]
fn a_row_of_a_denavit_hartenberg_table_stays_one() {
    for name in ["puma560", "panda", "ur5", "stanford", "scara"] {
        let robot = builtin(name);
        let whole = Model::from_description(&robot).unwrap();
        let state = random_tree::random_state(&whole, &mut Random::new(5));
        for link in whole.links().iter().filter(|link| link.joint.nv() > 0) {
            let mut held = state.clone();
            (held.qd[link.v], held.qdd[link.v]) = (0.0, 0.0);
            let (part, said) = edited(&robot, &[lock(&link.joint_name, &[held.q[link.q]])]);
            assert_part(&part, &whole, &held);
            for (before, after) in robot.links.iter().zip(&said.description.links) {
                let is_row = |link: &LinkDescription| matches!(link.placement, Placement::Dh { .. });
                assert_eq!(is_row(before), is_row(after), "{name}");
            }
        }
    }
}

#[test]
fn an_elastic_robot_with_a_locked_joint_is_one() {
    let robot = builtin("iiwa14_elastic");
    let whole = Model::from_description(&robot).unwrap();
    let mut state = random_tree::random_state(&whole, &mut Random::new(8));
    state.wrenches.clear();
    for link in whole.links().iter().filter(|link| link.joint.nv() > 0) {
        let mut held = state.clone();
        for rates in [&mut held.qd, &mut held.qdd, &mut held.qddd, &mut held.qdddd] {
            rates[link.v] = 0.0;
        }
        let (part, said) = edited(&robot, &[lock(&link.joint_name, &[held.q[link.q]])]);
        assert!(said.done[0].ends_with("its motor goes"), "{}", said.done[0]);
        let (own, places) = (restricted(&part, &whole, &held), places(&part, &whole));
        for quantity in ["elastic_motor_position", "elastic_motor_torque"] {
            let expected = rows(&evaluate(quantity, Path::Fast, &whole, &held), &places);
            assert_close(quantity, &evaluate(quantity, Path::Fast, &part, &own), &expected, 1e-11);
        }
    }
}

#[test]
fn edited_robots_are_the_same_compiled() {
    let hand = hand();
    let floating = [
        Edit::Floating,
        Edit::Payload { link: "tool".to_owned(), payload: Payload::point(Number::ONE, [Number::ONE; 3]) },
    ];
    let tool = [Edit::Tool { robot: Box::new(hand.clone()), link: None }];
    for (robot, edits) in [
        (builtin("puma560"), &[lock("link3", &[0.4]), lock("link5", &[-0.2])][..]),
        (builtin("iiwa14_elastic"), &floating),
        (builtin("scara"), &tool),
        (hand.clone(), &[lock("finger", &[0.01])]),
        (hand, &[Edit::Without { link: "finger_link".to_owned() }]),
    ] {
        let (model, _) = edited(&robot, edits);
        for name in ["mass_matrix", "inverse_dynamics", "gravity", "inverse_dynamics_dq"] {
            let quantity = Quantity::parse(name, &model).unwrap();
            let compiled = CompiledModel::new(&model, &[quantity], &DeriveOptions::default()).unwrap();
            let mut state = random_tree::random_state(&model, &mut Random::new(4));
            state.wrenches.clear();
            let mut found = vec![f64::NAN; compiled.output_count()];
            compiled.run(&compiled.input(&state).unwrap(), &mut compiled.scratch(), &mut found);
            assert_close(name, &found, &evaluate(name, Path::Closed, &model, &state), 1e-11);
        }
    }
}

#[test]
fn right_angles_stay_right_angles() {
    let mut robot = builtin("planar2r");
    robot.links[0].joint.kind =
        JointKind::Revolute { axis: [0.0, 1.0, 0.0].map(Number::from), point: [0.0, 0.0, 0.3].map(Number::from) };
    let joint = robot.links[0].joint.name.clone();
    let position = vec![Number::parse("pi/2").unwrap()];
    let (part, _) = edited(&robot, &[Edit::Lock { joint, position }]);
    let pose = &part.links()[0].placement;
    assert!(pose.rotation.0.iter().flatten().all(|x| [0.0, 1.0, -1.0].contains(x)), "{pose:?}");
    assert_eq!(pose.translation.0, [-0.3, 0.0, 0.3]);
}

#[test]
fn angles_of_rotations_give_the_rotations_back() {
    let mut random = Random::new(3);
    let mut turns: Vec<[f64; 3]> = (0..2000).map(|_| std::array::from_fn(|_| random.range(-3.2, 3.2))).collect();
    for tiny in [0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-5, -1e-9] {
        for quarter in [-1.0, 1.0] {
            turns.push([
                random.range(-3.0, 3.0),
                std::f64::consts::FRAC_PI_2 * quarter + tiny,
                random.range(-3.0, 3.0),
            ]);
        }
    }
    for turn in turns {
        let rotation = Rotation::from_rpy(turn[0], turn[1], turn[2]);
        let [roll, pitch, yaw] = rotation.to_rpy();
        let back = Rotation::from_rpy(roll, pitch, yaw);
        let (back, rotation) = (back.0.as_flattened(), rotation.0.as_flattened());
        assert_close(&format!("{turn:?}"), back, rotation, 2e-15);
    }
    // All turns by right angles, exactly.
    for number in 0..64 {
        let quarters = [number % 4, number / 4 % 4, number / 16].map(|n| f64::from(n) * std::f64::consts::FRAC_PI_2);
        let rotation = Rotation::from_rpy(quarters[0], quarters[1], quarters[2]);
        let [roll, pitch, yaw] = rotation.to_rpy();
        assert_eq!(Rotation::from_rpy(roll, pitch, yaw), rotation, "{quarters:?}");
    }
}

/// A link's tensor in one of the three forms that files have.
fn in_another_form(link: &mut LinkDescription, random: &mut Random) {
    let InertiaDescription::AboutCom(elements) = link.inertia else { return };
    link.inertia = match random.below(3) {
        0 => InertiaDescription::AboutCom(elements),
        1 => {
            let com = Vector(link.com.map(|x| x.value));
            let tensor = jourdain::spatial::Symmetric::from_array(elements.map(|x| x.value));
            let body = jourdain::spatial::Inertia::from_com(link.mass.value, com, tensor);
            InertiaDescription::AboutOrigin(body.rotational.to_array().map(Number::from))
        }
        _ => InertiaDescription::AboutComRotated {
            elements,
            rpy: std::array::from_fn(|_| Number::from(random.range(-3.0, 3.0))),
        },
    };
}

#[test]
fn a_payload_is_a_force_at_its_point_and_a_link_welded_there() {
    for_each_tree(120, 6, |model, state| {
        let mut random = Random::new(model.links().len() as u64 * 31 + model.nv() as u64);
        let mut robot = model.description().clone();
        robot.links.iter_mut().for_each(|link| in_another_form(link, &mut random));
        let before = Model::from_description(&robot).unwrap();
        let name = robot.links[random.below(robot.links.len())].name.clone();
        let mass = random.range(0.1, 4.0);
        let com: [f64; 3] = std::array::from_fn(|_| random.range(-0.5, 0.5));
        let payload = Payload::point(Number::from(mass), com.map(Number::from));
        let (after, _) = edited(&robot, &[Edit::Payload { link: name.clone(), payload }]);

        // Newton, at the point.
        let get = |what: &str| evaluate(&format!("{what}:{name}"), Path::Fast, &before, state);
        let (pose, twist, rate, jacobian) = (get("pose"), get("twist"), get("acceleration"), get("jacobian"));
        let arm = Vector(std::array::from_fn(|i| (0..3).map(|j| pose[4 * i + j] * com[j]).sum()));
        let [omega, alpha, linear] = [&twist[3..], &rate[3..], &rate[..3]].map(|x| Vector([x[0], x[1], x[2]]));
        let acceleration = linear + alpha.cross(arm) + omega.cross(omega.cross(arm)) - before.gravity();
        let n = before.nv();
        let columns: Vec<Vector<f64>> = (0..n)
            .map(|j| {
                let part = |from: usize| Vector(std::array::from_fn(|i| jacobian[(from + i) * n + j]));
                part(0) + part(3).cross(arm)
            })
            .collect();
        let torque: Vec<f64> = evaluate("inverse_dynamics", Path::Fast, &before, state)
            .iter()
            .zip(&columns)
            .map(|(torque, column)| torque + mass * column.dot(acceleration))
            .collect();
        assert_close("torque", &evaluate("inverse_dynamics", Path::Fast, &after, state), &torque, 1e-11);
        let matrix: Vec<f64> = evaluate("mass_matrix", Path::Fast, &before, state)
            .iter()
            .enumerate()
            .map(|(at, x)| x + mass * columns[at / n].dot(columns[at % n]))
            .collect();
        assert_close("M", &evaluate("mass_matrix", Path::Fast, &after, state), &matrix, 1e-11);

        // A whole body, as a link of its own.
        let mut body = LinkDescription::new("payload", &name);
        (body.mass, body.com) = (Number::from(mass), com.map(Number::from));
        body.inertia = InertiaDescription::AboutCom([0.02, 0.001, -0.002, 0.03, 0.003, 0.025].map(Number::from));
        in_another_form(&mut body, &mut random);
        let payload = Payload { mass: body.mass, com: body.com, inertia: body.inertia };
        let (merged, _) = edited(&robot, &[Edit::Payload { link: name, payload }]);
        robot.links.push(body);
        let welded = Model::from_description(&robot).unwrap();
        for quantity in ["mass_matrix", "inverse_dynamics", "com", "kinetic_energy"] {
            let expected = evaluate(quantity, Path::Closed, &welded, state);
            assert_close(quantity, &evaluate(quantity, Path::Closed, &merged, state), &expected, 1e-12);
        }
    });
}

#[test]
fn a_point_mass_on_a_massless_link_is_one() {
    let mut robot = builtin("planar2r");
    robot.links.push(LinkDescription::new("flange", &robot.links[1].name));
    let payload = Payload::point(Number::from(2.0), [0.1, 0.2, 0.3].map(Number::from));
    let said = robot.edit(&[Edit::Payload { link: "flange".to_owned(), payload }]).unwrap();
    let link = said.description.links.last().unwrap();
    assert_eq!(Payload { mass: link.mass, com: link.com, inertia: link.inertia }, payload);
    assert_eq!(said.done, ["2 kg added to link `flange` at 0.1 0.2 0.3 m"]);
}

/// The robot with these links weightless and without motors.
fn hollow(robot: &Description, gone: impl Fn(&LinkDescription) -> bool) -> Model {
    let mut robot = robot.clone();
    for link in robot.links.iter_mut().filter(|link| gone(link)) {
        let bare = LinkDescription::new("", "");
        (link.mass, link.com, link.inertia, link.motor) = (bare.mass, bare.com, bare.inertia, None);
    }
    Model::from_description(&robot).unwrap()
}

#[test]
fn what_is_cut_off_weighs_nothing() {
    for_each_tree(150, 8, |model, state| {
        let robot = model.description();
        if robot.links.iter().any(|link| link.joint.mimic.is_some()) {
            return;
        }
        let mut random = Random::new(model.links().len() as u64);
        let link = robot.links[random.below(robot.links.len())].name.clone();
        let without = robot.clone().edit(&[Edit::Without { link: link.clone() }]);
        let only = robot.clone().edit(&[Edit::Only { links: vec![link.clone()] }]);
        for said in [without, only] {
            let said = match said {
                Ok(said) => said,
                Err(error) => {
                    assert_eq!((error.code(), link.as_str()), ("no-links", "link0"));
                    continue;
                }
            };
            let part = Model::from_description(&said.description).unwrap();
            let whole = hollow(robot, |link| said.description.links.iter().all(|kept| kept.name != link.name));
            let mut state = state.clone();
            state.wrenches.retain(|wrench| part.links().iter().any(|l| l.name == whole.links()[wrench.link].name));
            if part.nv() > 0 {
                assert_part(&part, &whole, &state);
            }
        }
        let Edited { description, .. } = robot.clone().edit(&[Edit::Only { links: vec![link.clone()] }]).unwrap();
        assert_eq!(description.links.last().unwrap().name, link);
        assert!(description.links.windows(2).all(|pair| pair[1].parent == pair[0].name));
    });
}

/// A hand of two fingers on an arm: the second finger follows the first, a thumb the second.
fn hand() -> Description {
    let mut robot = builtin("planar2r");
    robot.links.retain(|link| link.name != "tool");
    let carrier = robot.links.last().unwrap().name.clone();
    for (name, leader) in [("finger", None), ("second", Some("finger")), ("thumb", Some("second_link"))] {
        let mut link = LinkDescription::new(format!("{name}_link"), &carrier);
        link.joint.name = name.to_owned();
        link.joint.kind = JointKind::Prismatic { axis: [1.0, 0.0, 0.0].map(Number::from) };
        link.mass = Number::from(0.1);
        link.joint.limits = Some([-0.1, 0.1].map(Number::from));
        link.joint.mimic = leader.map(|leader| MimicDescription {
            joint: leader.to_owned(),
            multiplier: Number::from(-2.0),
            offset: Number::from(0.01),
        });
        robot.links.push(link);
    }
    let positions = vec![("finger".to_owned(), vec![0.02]), (robot.links[0].joint.name.clone(), vec![1.0])];
    robot.states = vec![NamedState { name: "grasp".to_owned(), positions }];
    robot
}

#[test]
fn who_follows_a_locked_joint_stands_still_too() {
    let (part, said) = edited(&hand(), &[lock("finger", &[0.03])]);
    assert_eq!(part.nv(), 2);
    // −2 · 0.03 + 0.01, and −2 times that + 0.01.
    let standing =
        ["joint `finger` locked at 0.03 m", "joint `second` locked at -0.05 m", "joint `thumb` locked at 0.11 m"];
    assert_eq!(said.done, standing);
    assert_eq!(said.warnings, ["joint `thumb` is locked at 0.11, outside its limits -0.1 to 0.1"]);
    assert_eq!(said.description.states[0].positions.len(), 1);
    let error = hand().edit(&[lock("thumb", &[])]).unwrap_err();
    assert_eq!(error, EditError::Follows { joint: "thumb".to_owned(), leader: "finger".to_owned() });
}

#[test]
fn who_follows_a_joint_that_is_gone_follows_the_next_or_none() {
    let without = |link: &str| edited(&hand(), &[Edit::Without { link: link.to_owned() }]);
    let (part, said) = without("second_link");
    assert_eq!((part.nv(), said.warnings.len()), (3, 0));
    let thumb = said.description.links.last().unwrap().joint.mimic.clone().unwrap();
    assert_eq!((thumb.joint.as_str(), thumb.multiplier.value), ("finger", 4.0));
    let (part, said) = without("finger_link");
    assert_eq!((part.nv(), said.warnings.len()), (4, 2));
    assert_eq!(said.warnings[0], "the joint `second` followed `finger`, which is gone, and now moves by itself");
    let positions = &said.description.states[0].positions;
    assert!(positions.contains(&("second".to_owned(), vec![-2.0 * 0.02 + 0.01])), "{positions:?}");
    assert!(positions.iter().all(|(name, _)| name != "finger"));
}

#[test]
fn a_floating_base_adds_six_rows_and_changes_no_other() {
    for_each_tree(80, 6, |model, state| {
        let robot = model.description();
        if robot.links.iter().any(|link| link.parent == GROUND && link.joint.kind == JointKind::Free) {
            return;
        }
        // On a base that is welded to the ground, and without one.
        let mut based = robot.clone();
        let mut base = LinkDescription::new("trunk", GROUND);
        base.mass = Number::from(3.0);
        base.com = [0.1, 0.0, -0.1].map(Number::from);
        based.links.iter_mut().filter(|link| link.parent == GROUND).for_each(|link| link.parent = "trunk".to_owned());
        based.links.insert(0, base);
        for (robot, name) in [(robot, "floating_base"), (&based, "trunk")] {
            let fixed = Model::from_description(robot).unwrap();
            let (floating, said) = edited(robot, &[Edit::Floating]);
            assert_eq!((floating.nv(), floating.nq()), (fixed.nv() + 6, fixed.nq() + 7));
            assert!(said.done[0].contains(&format!("`{name}`")), "{}", said.done[0]);
            assert!(name != "trunk" || said.warnings.is_empty(), "{:?}", said.warnings);
            let mut own = State::neutral(&floating);
            own.q[7..].copy_from_slice(&state.q);
            own.qd[6..].copy_from_slice(&state.qd);
            own.qdd[6..].copy_from_slice(&state.qdd);
            let bare = State { wrenches: Vec::new(), ..state.clone() };
            assert_part(&fixed, &floating, &own);
            let matrix = evaluate("mass_matrix", Path::Fast, &floating, &own);
            for i in 0..3 {
                let row: Vec<f64> = (0..3).map(|j| if i == j { floating.total_mass() } else { 0.0 }).collect();
                assert_close("mass of the base", &matrix[i * floating.nv()..][..3], &row, 1e-13);
            }
            // What holds the base is what moves the centre of mass.
            let torque = evaluate("inverse_dynamics", Path::Fast, &floating, &own);
            let jacobian = evaluate("com_jacobian", Path::Fast, &fixed, &bare);
            let rate = evaluate("com_jacobian_dot", Path::Fast, &fixed, &bare);
            let n = fixed.nv();
            let force: Vec<f64> = (0..3)
                .map(|i| {
                    let along = (0..n).map(|j| jacobian[i * n + j] * bare.qdd[j] + rate[i * n + j] * bare.qd[j]);
                    floating.total_mass() * (along.sum::<f64>() - fixed.gravity()[i])
                })
                .collect();
            assert_close("force on the base", &torque[..3], &force, 1e-11);
            // And back again.
            let (again, _) = edited(&said.description, &[Edit::Fixed]);
            assert_eq!(again.nv(), fixed.nv());
            let expected = evaluate("inverse_dynamics", Path::Fast, &fixed, &bare);
            assert_close("torque", &evaluate("inverse_dynamics", Path::Fast, &again, &bare), &expected, 1e-13);
        }
    });
}

#[test]
fn the_frame_of_the_ground_floats_wherever_links_stand_on_it() {
    // A root that stands off the ground's frame, and a root of a URDF that is called as the ground is.
    let mut robot = builtin("planar2r");
    let mut stand = LinkDescription::new("stand", GROUND);
    stand.mass = Number::from(5.0);
    stand.placement = robot.links[0].placement;
    if let Placement::Origin { xyz, .. } = &mut stand.placement {
        *xyz = [0.1, 0.2, 0.3].map(Number::from);
    }
    robot.links[0].parent = "stand".to_owned();
    robot.links.insert(0, stand);
    let (model, _) = edited(&robot, &[Edit::Floating]);
    let mut state = State::neutral(&model);
    state.q[2] = 1.0;
    let pose = evaluate("pose:stand", Path::Fast, &model, &state);
    assert_close("pose", &[pose[3], pose[7], pose[11]], &[0.1, 0.2, 1.3], 1e-15);

    let urdf = r#"<robot name="dog"><link name="base"><inertial><mass value="7"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="leg"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="hip" type="continuous"><parent link="base"/><child link="leg"/></joint></robot>"#;
    let (dog, found) = formats::read(urdf.as_bytes()).into_result("dog").unwrap();
    assert!(found.iter().any(|finding| finding.code == "base-is-ground"), "{found:?}");
    let (model, said) = edited(&dog, &[Edit::Floating]);
    assert_eq!((model.nv(), model.total_mass()), (7, 9.0));
    assert_eq!(said.done, ["link `base_frame` floats"]);
}

#[test]
fn what_floats_or_stands_already_is_left_alone() {
    let robot = builtin("floating_humanoid25");
    let said = robot.clone().edit(&[Edit::Floating]).unwrap();
    assert_eq!((&said.description, said.done[0].as_str()), (&robot, "the base floats already"));
    let said = builtin("iiwa14").edit(&[Edit::Fixed]).unwrap();
    assert_eq!((&said.description, said.done[0].as_str()), (&builtin("iiwa14"), "the base is fixed already"));
    let (fixed, _) = edited(&robot, &[Edit::Fixed]);
    assert_eq!(fixed.nv(), 25);
}

#[test]
fn gravity_friction_and_weight_are_what_they_are_said_to_be() {
    for_each_tree(60, 6, |model, state| {
        let robot = model.description();
        let (sideways, _) = edited(robot, &[Edit::Gravity { gravity: [1.0, -2.0, 0.5].map(Number::from) }]);
        assert_eq!(sideways.gravity().0, [1.0, -2.0, 0.5]);
        // Without friction, τ is that of the rest.
        let (smooth, said) = edited(robot, &[Edit::NoFriction]);
        let bias = evaluate("bias", Path::Fast, model, state);
        let matrix = evaluate("mass_matrix", Path::Fast, model, state);
        let bare = State { wrenches: Vec::new(), ..state.clone() };
        let n = model.nv();
        let torque: Vec<f64> =
            (0..n).map(|i| bias[i] + (0..n).map(|j| matrix[i * n + j] * bare.qdd[j]).sum::<f64>()).collect();
        assert_close("torque", &evaluate("inverse_dynamics", Path::Fast, &smooth, &bare), &torque, 1e-11);
        for (before, after) in robot.links.iter().zip(&said.description.links) {
            let spring = |link: &LinkDescription| link.motor.and_then(|motor| motor.stiffness);
            assert_eq!(spring(before), spring(after));
        }
        // Twice the weight of every link is twice the gravity torque.
        let (heavy, _) = edited(robot, &[Edit::ScaleInertia { link: None, factor: Number::from(2.0) }]);
        let twice: Vec<f64> = evaluate("gravity", Path::Fast, model, state).iter().map(|x| 2.0 * x).collect();
        assert_close("gravity", &evaluate("gravity", Path::Fast, &heavy, state), &twice, 1e-12);
        let energy = 2.0 * evaluate("kinetic_energy", Path::Fast, &hollow_motors(robot), state)[0];
        let found = evaluate("kinetic_energy", Path::Fast, &hollow_motors(heavy.description()), state);
        assert_close("kinetic energy", &found, &[energy], 1e-12);
    });
}

fn hollow_motors(robot: &Description) -> Model {
    let mut robot = robot.clone();
    robot.links.iter_mut().for_each(|link| link.motor = None);
    Model::from_description(&robot).unwrap()
}

#[test]
fn a_mounted_robot_moves_with_its_carrier() {
    // Modified and standard Denavit–Hartenberg tables, an origin, and a tool of the same names.
    for (arm, tool) in [("panda", "ur5"), ("ur5", "puma560"), ("iiwa14", "iiwa14"), ("scara", "floating_humanoid25")] {
        let (robot, other) = (builtin(arm), builtin(tool));
        let (both, said) = edited(&robot, &[Edit::Tool { robot: Box::new(other.clone()), link: None }]);
        let standing = other.clone().edit(&[Edit::Fixed]).unwrap().description;
        let (arm, tool) = (Model::from_description(&robot).unwrap(), Model::from_description(&standing).unwrap());
        assert_eq!(both.nv(), arm.nv() + tool.nv());
        let state = random_tree::random_state(&both, &mut Random::new(11));
        let part = |model: &Model, q: &[f64]| State { q: q.to_vec(), ..State::neutral(model) };
        let (first, second) = (part(&arm, &state.q[..arm.nq()]), part(&tool, &state.q[arm.nq()..]));
        let carrier = evaluate("pose:tool", Path::Fast, &arm, &first);
        for (number, link) in tool.links().iter().enumerate() {
            let name = &both.links()[arm.links().len() + number].name;
            let on_tool = evaluate(&format!("pose:{}", link.name), Path::Fast, &tool, &second);
            let expected: Vec<f64> =
                (0..16).map(|at| (0..4).map(|k| carrier[at / 4 * 4 + k] * on_tool[k * 4 + at % 4]).sum()).collect();
            assert_close(name, &evaluate(&format!("pose:{name}"), Path::Fast, &both, &state), &expected, 1e-12);
        }
        let matrix = evaluate("mass_matrix", Path::Fast, &both, &state);
        let places: Vec<usize> = (arm.nv()..both.nv()).collect();
        let expected = evaluate("mass_matrix", Path::Fast, &tool, &second);
        assert_close("M of the tool", &block(&matrix, both.nv(), &places), &expected, 1e-12);
        // It can be written and read.
        let written = formats::to_toml(&said.description);
        let again: Model = written.parse().unwrap();
        let expected = evaluate("inverse_dynamics", Path::Fast, &both, &state);
        assert_close("written", &evaluate("inverse_dynamics", Path::Fast, &again, &state), &expected, 1e-12);
    }
}

#[test]
fn names_of_a_tool_give_way_and_what_refers_to_them_follows() {
    let mut hand = hand();
    hand.name = "hand".to_owned();
    let (both, said) =
        edited(&hand, &[Edit::Tool { robot: Box::new(hand.clone()), link: Some("thumb_link".to_owned()) }]);
    let own = Model::from_description(&hand).unwrap();
    assert_eq!(both.nv(), 2 * own.nv());
    let link = both.links().iter().find(|link| link.name == "hand_thumb_link").unwrap();
    assert_eq!(both.links()[link.mimic.as_ref().unwrap().leader].joint_name, "hand_finger");
    assert!(said.done[0].contains("got `hand_` in front"), "{}", said.done[0]);
    assert_eq!(said.warnings.len(), 1, "{:?}", said.warnings);
    let error = hand.clone().edit(&[Edit::Tool { robot: Box::new(hand), link: None }]).unwrap_err();
    assert_eq!(error.code(), "many-ends");
}

#[test]
fn motors_come_from_a_file_key_by_key() {
    let mut robot = builtin("planar2r");
    let viscous = MotorDescription { viscous: Number::from(0.3), ..MotorDescription::default() };
    robot.links[1].motor = Some(viscous);
    let [first, second] = [0, 1].map(|link: usize| robot.links[link].joint.name.clone());
    let text = format!("[{second}]\nratio = 50\nstiffness = 900\ninertia = 1e-4\n[gone]\nratio = 3");
    let motors = formats::read_motors(&text, &robot, &["gone".to_owned()]).unwrap();
    let said = robot.clone().edit(&[motors]).unwrap();
    let motor = said.description.links[1].motor.unwrap();
    assert_eq!((motor.viscous.value, motor.ratio.value, motor.stiffness), (0.3, 50.0, Some(Number::from(900.0))));
    assert_eq!(said.description.links[0].motor, None);
    let json = format!("{{\"{first}\": {{\"viscous\": 0.1}}}}");
    let Edit::Motors { motors } = formats::read_motors(&json, &robot, &[]).unwrap() else { panic!() };
    assert_eq!(motors.len(), 1);

    for (text, code, line) in [
        ("[nobody]\nratio = 2", "unknown-joint", 1),
        (&format!("[{first}]\n\nratoi = 2"), "unknown-key", 3),
        (&format!("{first} = 3"), "wrong-type", 1),
        ("[a\n", "syntax-error", 1),
    ] {
        let found = formats::read_motors(text, &robot, &[]).unwrap_err();
        assert_eq!((found[0].code, found[0].location.map(|place| place.line)), (code, Some(line)), "{text}");
    }
    assert_eq!(formats::read_motors("<robot/>", &robot, &[]).unwrap_err()[0].code, "unknown-format");
    assert_eq!(formats::read_payload("com = [0, 0, 1]").unwrap_err()[0].code, "missing-key");
    assert_eq!(formats::read_payload("{\"mass\": 1, \"colour\": 2}").unwrap_err()[0].code, "unknown-key");
}

#[test]
fn what_cannot_be_is_refused() {
    let robot = || builtin("puma560");
    let text = |name: &str| name.to_owned();
    let joint = robot().links[2].joint.name.clone();
    let ball = {
        let mut robot = robot();
        robot.links[2].placement = LinkDescription::new("", "").placement;
        robot.links[2].joint.kind = JointKind::Spherical { point: [Number::ZERO; 3] };
        robot.links[2].joint.limits = None;
        robot
    };
    for (robot, edit, code) in [
        (robot(), lock("elbow", &[]), "unknown-joint"),
        (robot(), lock(&joint, &[0.0, 1.0]), "wrong-length"),
        (robot(), lock("tool", &[0.0]), "motionless-joint"),
        (robot(), lock(&joint, &[f64::NAN]), "not-finite"),
        (ball.clone(), lock(&joint, &[0.0; 4]), "zero-quaternion"),
        (ball, lock(&joint, &[1.0]), "wrong-length"),
        (robot(), Edit::Only { links: vec![text("nobody")] }, "unknown-link"),
        (robot(), Edit::Without { link: robot().links[0].name.clone() }, "no-links"),
        (robot(), Edit::Without { link: text("nobody") }, "unknown-link"),
        (robot(), Edit::ScaleInertia { link: None, factor: Number::from(-1.0) }, "bad-factor"),
        (robot(), Edit::ScaleInertia { link: Some(text("nobody")), factor: Number::ONE }, "unknown-link"),
        (robot(), Edit::Tool { robot: Box::new(robot()), link: Some(text("nobody")) }, "unknown-link"),
        (
            robot(),
            Edit::Payload {
                link: text("tool"),
                payload: Payload::point(Number::from(f64::INFINITY), [Number::ZERO; 3]),
            },
            "not-finite",
        ),
    ] {
        let error = robot.edit(std::slice::from_ref(&edit)).unwrap_err();
        assert_eq!(error.code(), code, "{edit:?}");
        assert!(!error.to_string().is_empty());
    }
    let weight = robot().links[3].mass.value;
    let payload = Payload::point(Number::from(-weight), [Number::ONE; 3]);
    let taken = Edit::Payload { link: robot().links[3].name.clone(), payload };
    assert_eq!(robot().edit(&[taken]).unwrap_err().code(), "no-mass");
}

/// Any edit, of links and joints that are there or not.
fn any_edit(robot: &Description, random: &mut Random) -> Edit {
    let link = |random: &mut Random| match random.below(12) {
        0 => "nobody".to_owned(),
        _ => robot.links[random.below(robot.links.len())].name.clone(),
    };
    let number = |random: &mut Random| Number::from((random.range(-2.0, 2.0) * 100.0).round() / 100.0);
    match random.below(11) {
        0 => Edit::Floating,
        1 => Edit::Fixed,
        2 => Edit::NoFriction,
        3 => Edit::Gravity { gravity: std::array::from_fn(|_| number(random)) },
        4 => Edit::Only { links: (0..1 + random.below(2)).map(|_| link(random)).collect() },
        5 => Edit::Without { link: link(random) },
        6 => Edit::ScaleInertia { link: random.chance(0.5).then(|| link(random)), factor: number(random) },
        7 => Edit::Payload {
            link: link(random),
            payload: Payload::point(number(random), std::array::from_fn(|_| number(random))),
        },
        8 => {
            let mut tool = builtin(["ur5", "puma560", "scara", "floating_humanoid25"][random.below(4)]);
            tool.links.truncate(1 + random.below(4));
            Edit::Tool { robot: Box::new(tool), link: random.chance(0.7).then(|| link(random)) }
        }
        9 => Edit::Motors {
            motors: vec![(
                link(random),
                MotorDescription { viscous: Number::from(0.5), ..MotorDescription::default() },
            )],
        },
        _ => {
            let joint = link(random);
            let found = robot.links.iter().find(|link| link.name == joint);
            let count = found.map_or(1, |link| jourdain::model::Joint::from(&link.joint.kind).nq());
            let count = if random.chance(0.2) { random.below(3) } else { count };
            Edit::Lock { joint, position: (0..count).map(|_| number(random)).collect() }
        }
    }
}

#[test]
fn any_edits_in_any_order_give_a_robot_that_can_be_written_or_a_reason() {
    let mut robots = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut robot = random_tree::random_tree(seed, 8).description().clone();
        for _ in 0..6 {
            let edit = any_edit(&robot, &mut random);
            let Ok(edited) = robot.clone().edit(std::slice::from_ref(&edit)) else { continue };
            match Model::from_description(&edited.description) {
                Ok(model) => {
                    robots += 1;
                    robot = edited.description;
                    let text = formats::to_toml(&robot);
                    let again = formats::read(text.as_bytes());
                    let again =
                        again.description.unwrap_or_else(|| panic!("seed {seed}: {:?}\n{text}", again.diagnostics));
                    lowered_alike(&Model::from(again), &model, seed);
                }
                // Motors on welded links, limits of factors and the like are the check's to tell.
                Err(error) => assert!(!error.0.is_empty(), "seed {seed}: {edit:?}"),
            }
        }
    }
    assert!(robots > 800, "{robots}");
}

/// Both models give the same torques, to the last digits that turning a tensor costs.
fn lowered_alike(found: &Model, expected: &Model, seed: u64) {
    let mut state = random_tree::random_state(expected, &mut Random::new(seed));
    state.wrenches.clear();
    let torque = |model: &Model| evaluate("inverse_dynamics", Path::Closed, model, &state);
    assert_close(&format!("seed {seed}"), &torque(found), &torque(expected), 1e-11);
}

#[test]
fn unchecked_robots_do_not_break_edits() {
    // Loops, unknown parents, equal names and couplings that lead nowhere: the check tells of them, edits go on.
    let mut robot = hand();
    robot.links[0].parent = robot.links[1].name.clone();
    robot.links[2].parent = "nobody".to_owned();
    robot.links[2].joint.mimic =
        Some(MimicDescription { joint: "thumb".to_owned(), multiplier: Number::ONE, offset: Number::ZERO });
    let twin = robot.links[3].clone();
    robot.links.push(twin);
    let first = robot.links[0].name.clone();
    for edit in [
        Edit::Floating,
        Edit::Fixed,
        Edit::NoFriction,
        lock("second", &[0.1]),
        Edit::Only { links: vec![first.clone()] },
        Edit::Without { link: first.clone() },
        Edit::Tool { robot: Box::new(robot.clone()), link: Some(first.clone()) },
        Edit::Payload { link: first, payload: Payload::point(Number::ONE, [Number::ZERO; 3]) },
    ] {
        if let Ok(edited) = robot.clone().edit(std::slice::from_ref(&edit)) {
            let _ = Model::from_description(&edited.description);
        }
    }
}
