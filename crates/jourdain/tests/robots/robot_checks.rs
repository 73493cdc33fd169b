//! What is wrong with a robot is told, by its code and with its reason, and nothing else is: each robot here is sound but for one
//! thing.

// Rounded angles are the point.
#![allow(clippy::approx_constant)]

use jourdain::model::check::{MAX_LINKS, check};
use jourdain::model::description::{
    Description, DhConvention, DhParameters, InertiaDescription, JointKind, LinkDescription, MimicDescription,
    MotorDescription, Orientation, Placement, ScrewDescription, ScrewKind, ShaftDescription,
};
use jourdain::model::{BalanceDescription, Element, Hysteresis, Number, Severity};
use std::f64::consts::{FRAC_PI_2, PI};

/// A field of a link, and what changes it.
type Change<'a> = (&'static str, &'a dyn Fn(&mut LinkDescription));

const NO: [Number; 3] = [Number::ZERO; 3];
const X: [Number; 3] = [Number::ONE, Number::ZERO, Number::ZERO];
const Y: [Number; 3] = [Number::ZERO, Number::ONE, Number::ZERO];
const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];

fn numbers<const N: usize>(values: [f64; N]) -> [Number; N] {
    values.map(Number::from)
}

/// A link of 2 kg that turns about an axis through its origin.
fn turning(name: &str, parent: &str, axis: [Number; 3]) -> LinkDescription {
    let mut link = LinkDescription::new(name, parent);
    link.mass = Number::from(2.0);
    link.com = numbers([0.1, 0.0, 0.0]);
    link.inertia = InertiaDescription::AboutCom(numbers([0.1, 0.0, 0.0, 0.1, 0.0, 0.1]));
    link.placement = Placement::Origin { xyz: numbers([0.4, 0.0, 0.0]), orientation: Orientation::Rpy(NO) };
    link.joint.kind = JointKind::Revolute { axis, point: NO };
    link.joint.continuous = true;
    link
}

fn robot(links: Vec<LinkDescription>) -> Description {
    let gravity = numbers([0.0, 0.0, -9.81]);
    Description { name: "robot".to_owned(), gravity, allow_unphysical: false, links, states: Vec::new() }
}

/// Three joints in a row: `a` about z, `b` about y, `c` along x.
fn arm() -> Description {
    let mut slide = turning("c", "b", X);
    slide.joint.kind = JointKind::Prismatic { axis: X };
    slide.joint.limits = Some(numbers([-1.0, 1.0]));
    robot(vec![turning("a", "base", Z), turning("b", "a", Y), slide])
}

/// Code, severity and message of all that is found.
fn findings(description: &Description) -> Vec<String> {
    let severity = |severity| match severity {
        Severity::Warning => "warning",
        Severity::Lost => "lost",
        Severity::Unphysical => "unphysical",
        Severity::Error => "error",
    };
    check(description).iter().map(|it| format!("{}, {}: {}", severity(it.severity), it.code, it.message)).collect()
}

/// What is told of the arm with a change.
fn told(change: impl FnOnce(&mut [LinkDescription])) -> Vec<String> {
    let mut description = arm();
    change(&mut description.links);
    findings(&description)
}

/// The same with a motor at the joint `b`, or at `a` if that turns it more.
fn told_of_motor(change: impl FnOnce(&mut MotorDescription)) -> Vec<String> {
    let mut motor = MotorDescription { inertia: Number::from(1e-3), ..MotorDescription::default() };
    change(&mut motor);
    told(|links| links[1].motor = Some(motor))
}

fn told_of_shaft(change: impl FnOnce(&mut ShaftDescription)) -> Vec<String> {
    let motor = MotorDescription { inertia: Number::from(1e-3), ..MotorDescription::default() };
    let mut shaft = ShaftDescription { with: vec![("a".to_owned(), Number::from(-0.5))], motor };
    change(&mut shaft);
    told(|links| links[1].shaft = Some(Box::new(shaft)))
}

const NOTHING: [&str; 0] = [];

#[test]
fn nothing_is_told_of_a_sound_robot() {
    assert_eq!(findings(&arm()), NOTHING);
    assert_eq!(told_of_motor(|_| {}), NOTHING);
    assert_eq!(told_of_shaft(|_| {}), NOTHING);
}

#[test]
fn angles_that_are_nearly_right_are_doubted() {
    let told_of = |angle: f64| {
        told(|links| {
            let rpy = numbers([0.0, angle, 0.0]);
            links[1].placement = Placement::Origin { xyz: NO, orientation: Orientation::Rpy(rpy) };
        })
    };
    let doubt = |angle: f64, right: i32| {
        format!("warning, angle-nearly-right: the angle {angle} of link `b` is nearly but not quite {right}°")
    };
    for (angle, right) in [(1.5708, 90), (-1.5708, -90), (3.1416, 180), (-4.7124, -270), (9e-5, 0), (-2e-12, 0)] {
        assert_eq!(told_of(angle), [doubt(angle, right)]);
    }
    // Equal but for rounding, or too far off to be meant; multiples as large as a million are no longer looked at.
    for angle in [0.0, FRAC_PI_2, -PI, 1e-13, FRAC_PI_2 + 5e-13, 1.571, 0.3, 100.0 * PI + 5e-11, 2e6 * FRAC_PI_2 + 1e-5]
    {
        assert_eq!(told_of(angle), NOTHING, "{angle}");
    }
    assert_eq!(told_of(100.0 * PI + 5e-10).len(), 1);
    // Angles of tables and of inertias as well.
    let zero = Number::ZERO;
    for at in 0..3 {
        let mut angles = [zero; 3];
        angles[at] = Number::from(1.5708);
        let [alpha, theta, gamma] = angles;
        let parameters = DhParameters { alpha, a: Number::from(0.1), theta, d: zero, gamma, b: zero };
        let found = told(|links| {
            links[0].placement = Placement::Dh { convention: DhConvention::Modified, parameters };
        });
        assert_eq!(found, [doubt(1.5708, 90).replace("`b`", "`a`")]);
        let elements = numbers([0.1, 0.0, 0.0, 0.1, 0.0, 0.1]);
        let found = told(|links| links[1].inertia = InertiaDescription::AboutComRotated { elements, rpy: angles });
        assert_eq!(found, [doubt(1.5708, 90)]);
    }
}

#[test]
fn a_balance_needs_one_number_and_a_torque_all_over_the_range() {
    let told_of = |link: usize, formula: &str, limits: Option<[f64; 2]>| {
        told(|links| {
            links[link].balance = Some(Box::new(BalanceDescription::Formula(formula.to_owned())));
            links[link].joint.limits = limits.map(numbers);
        })
    };
    assert_eq!(told_of(1, "3*cos(q)", None), NOTHING);
    // Without limits the range is that of an angle: −π to π, ends included.
    let none_at = |q: f64| [format!("error, balance: the balance of joint `b` has no number at q = {q}")];
    assert_eq!(told_of(1, "sqrt(q + 3.2) + sqrt(3.2 - q)", None), NOTHING);
    assert_eq!(told_of(1, "sqrt(q + 3.1)", None), none_at(-PI));
    assert_eq!(told_of(1, "sqrt(3.14159 - q)", None), none_at(PI));
    // With limits it is theirs.
    assert_eq!(told_of(1, "sqrt(q - 0.99) + sqrt(3.01 - q)", Some([1.0, 3.0])), NOTHING);
    assert_eq!(told_of(1, "sqrt(q - 1.001)", Some([1.0, 3.0])), none_at(1.0));
    assert_eq!(told_of(1, "sqrt(2.999 - q)", Some([1.0, 3.0])), none_at(3.0));
    // A pole in the middle is met: 101 positions, of which one is the middle.
    assert_eq!(told_of(1, "1/(q - 2)", Some([1.0, 3.0])), none_at(2.0));
    assert_eq!(told_of(2, "1/(q + 1e6)", Some([-1e9, 1e9])).len(), 1);
    let spread = "error, balance: the joint `b` has a balance, but no one number that it could depend on";
    let found = told(|links| {
        links[1].joint.kind = JointKind::Spherical { point: NO };
        links[1].balance = Some(Box::new(BalanceDescription::Formula("q".to_owned())));
    });
    assert_eq!(found, [spread]);
}

#[test]
fn friction_beyond_viscous_and_coulomb_has_its_bounds() {
    let bad =
        |what: &str| format!("unphysical, motor-negative: the {what} of the motor of joint `b` is negative: -0.5");
    let less = Number::from(-0.5);
    let zero = Some(Number::ZERO);
    assert_eq!(told_of_motor(|m| (m.root, m.stribeck) = (zero, zero)), NOTHING);
    assert_eq!(told_of_motor(|m| m.root = Some(less)), [bad("friction by the root of the speed")]);
    assert_eq!(told_of_motor(|m| m.stribeck = Some(less)), [bad("friction that falls with speed")]);
    let hysteresis = |length, strength| Hysteresis::new(&[Element { length, strength }]).unwrap();
    let with_load = |load: f64| told_of_motor(|m| (m.load, m.hysteresis) = (Number::from(load), hysteresis(0.1, 1.0)));
    assert_eq!(with_load(0.3), NOTHING);
    assert_eq!(with_load(-0.5), [bad("friction by load")]);
    for speed in [0.0, -0.1] {
        let message = format!("error, stribeck-speed: the Stribeck speed of joint `b` is not positive: {speed}");
        assert_eq!(told_of_motor(|m| m.stribeck_speed = Number::from(speed)), [message]);
    }
    for length in [0.0, -0.1] {
        let message = format!("error, hysteresis: a length in the hysteresis of joint `b` is not positive: {length}");
        assert_eq!(told_of_motor(|m| m.hysteresis = hysteresis(length, 1.0)), [message]);
    }
    assert_eq!(told_of_motor(|m| m.hysteresis = hysteresis(0.1, 0.0)), NOTHING);
    assert_eq!(
        told_of_motor(|m| m.hysteresis = hysteresis(0.1, -1.5)),
        ["unphysical, motor-negative: a strength in the hysteresis of joint `b` is negative: -1.5"]
    );
    assert_eq!(
        told_of_motor(|m| m.load = Number::from(0.3)),
        ["error, hysteresis: the friction by load of joint `b` has no hysteresis to follow"]
    );
    let motor = MotorDescription { hysteresis: hysteresis(0.1, 1.0), ..MotorDescription::default() };
    let found = told(|links| {
        links[1].joint.kind = JointKind::Spherical { point: NO };
        links[1].motor = Some(motor);
    });
    assert_eq!(found, ["error, hysteresis: the joint `b` has no angles that its hysteresis could follow"]);
    // Nor at another joint of a robot with a spring.
    let spring = MotorDescription { inertia: Number::ONE, stiffness: Some(Number::ONE), ..MotorDescription::default() };
    assert_eq!(told(|links| links[0].motor = Some(spring)), NOTHING);
    let found = told(|links| (links[0].motor, links[1].motor) = (Some(spring), Some(motor)));
    assert_eq!(
        found,
        ["error, hysteresis: the joint `b` has a hysteresis, which robots with springs, here at `a`, do not have"]
    );
}

#[test]
fn a_shaft_has_what_belongs_to_several_joints() {
    let one = Number::ONE;
    let belongs =
        |key: &str| format!("error, shaft: the shaft of joint `b` has `{key}`, which belongs to a single joint");
    assert_eq!(told_of_shaft(|s| s.motor.stiffness = Some(one)), [belongs("stiffness")]);
    assert_eq!(told_of_shaft(|s| s.motor.damping = one), [belongs("damping")]);
    assert_eq!(told_of_shaft(|s| s.motor.axis = Some(X)), [belongs("axis")]);
    assert_eq!(told_of_shaft(|s| s.motor.offset = Some(one)), [belongs("offset")]);
    assert_eq!(told_of_shaft(|s| s.motor.load = one), [belongs("load")]);
    let less = Number::from(-0.5);
    let bad =
        |what: &str| format!("unphysical, motor-negative: the {what} of the shaft of joint `b` is negative: -0.5");
    assert_eq!(told_of_shaft(|s| s.motor.inertia = less), [bad("inertia")]);
    assert_eq!(told_of_shaft(|s| s.motor.viscous = less), [bad("viscous friction")]);
    assert_eq!(told_of_shaft(|s| s.motor.coulomb = less), [bad("Coulomb friction")]);
    assert_eq!(told_of_shaft(|s| s.motor.rotor_viscous = less), [bad("viscous friction at the rotor")]);
    assert_eq!(told_of_shaft(|s| s.motor.rotor_coulomb = less), [bad("Coulomb friction at the rotor")]);
    assert_eq!(told_of_shaft(|s| s.motor.root = Some(less)), [bad("friction by the root of the speed")]);
    assert_eq!(told_of_shaft(|s| s.motor.stribeck = Some(less)), [bad("friction that falls with speed")]);
    let hysteresis = |length, strength| Hysteresis::new(&[Element { length, strength }]).unwrap();
    assert_eq!(told_of_shaft(|s| s.motor.hysteresis = hysteresis(0.1, 0.0)), NOTHING);
    assert_eq!(
        told_of_shaft(|s| s.motor.hysteresis = hysteresis(0.1, -2.0)),
        ["unphysical, motor-negative: a strength in the hysteresis of the shaft of `b` is negative: -2"]
    );
    let zero = "error, shaft: the shaft of joint `b` has a gear ratio of zero, or a Stribeck speed or length that is not positive";
    assert_eq!(told_of_shaft(|s| s.motor.ratio = Number::ZERO), [zero]);
    assert_eq!(told_of_shaft(|s| s.motor.stribeck_speed = Number::ZERO), [zero]);
    assert_eq!(told_of_shaft(|s| s.motor.hysteresis = hysteresis(0.0, 1.0)), [zero]);
}

#[test]
fn a_shaft_turns_with_joints_of_one_number_that_carry_one_another() {
    let with = |others: &[(&str, f64)]| {
        let with = others.iter().map(|&(name, factor)| (name.to_owned(), Number::from(factor))).collect();
        told_of_shaft(|s| s.with = with)
    };
    let wrong = |what: &str| vec![format!("error, shaft: the shaft of joint `b` {what}")];
    assert_eq!(with(&[("a", 2.0), ("c", -1.0)]), NOTHING);
    assert_eq!(with(&[("d", 1.0)]), wrong("turns with `d`, which is no joint"));
    assert_eq!(with(&[("b", 1.0)]), wrong("turns with `b` twice"));
    assert_eq!(with(&[("c", 1.0), ("c", 1.0)]), wrong("turns with `c` twice"));
    for factor in [0.0, 1e-12, -1e-13, 1e12, -1e13] {
        assert_eq!(with(&[("a", factor)]), wrong(&format!("turns {factor} times with `a`")));
    }
    for factor in [1e-11, -1e11] {
        assert_eq!(with(&[("a", factor)]), NOTHING, "{factor}");
    }
    let shaft = |with: &str| {
        let motor = MotorDescription { inertia: Number::from(1e-3), ..MotorDescription::default() };
        Some(Box::new(ShaftDescription { with: vec![(with.to_owned(), Number::ONE)], motor }))
    };
    let follow =
        |joint: &str| Some(MimicDescription { joint: joint.to_owned(), multiplier: Number::ONE, offset: Number::ZERO });
    let no_number = wrong("turns with `c`, which has no one number of its own");
    for change in [
        &(|link: &mut LinkDescription| link.joint.mimic = follow("a")) as &dyn Fn(&mut LinkDescription),
        &|link| (link.joint.kind, link.joint.limits) = (JointKind::Spherical { point: NO }, None),
        &|link| (link.joint.kind, link.joint.limits) = (JointKind::Fixed, None),
    ] {
        let found = told(|links| {
            links[1].shaft = shaft("c");
            change(&mut links[2]);
        });
        assert_eq!(found, no_number);
    }
    let found = told(|links| (links[1].shaft, links[1].joint.mimic) = (shaft("c"), follow("a")));
    assert_eq!(found, ["error, shaft: the joint `b` has a shaft, but no one number of its own"]);
    // `c` beside `b`: neither carries the other.
    let found = told(|links| (links[1].shaft, links[2].parent) = (shaft("c"), "a".to_owned()));
    assert_eq!(found, wrong("turns with `c`, which is on another branch"));
    let spring = MotorDescription { inertia: Number::ONE, stiffness: Some(Number::ONE), ..MotorDescription::default() };
    let found = told(|links| (links[1].shaft, links[2].motor) = (shaft("a"), Some(spring)));
    assert_eq!(found, wrong("turns with several joints, in a robot with a spring at `c`"));
}

#[test]
fn masses_and_moments_are_those_of_bodies() {
    let moments = |elements: [f64; 6]| told(|links| links[1].inertia = InertiaDescription::AboutCom(numbers(elements)));
    assert_eq!(moments([0.0; 6]), NOTHING);
    assert_eq!(moments([0.1, 0.0, 0.0, 0.1, 0.0, 0.2]), NOTHING);
    assert_eq!(
        moments([0.1, 0.0, 0.0, 0.1, 0.0, 0.25]),
        [
            "unphysical, inertia-triangle: the principal moments of link `b` break the triangle inequality: 2.500000e-1 exceeds the \
          sum of the other two by 5.000000e-2"
        ]
    );
    assert_eq!(
        moments([0.1, 0.0, 0.0, 0.1, 0.15, 0.1]),
        [
            "unphysical, inertia-indefinite: the inertia of link `b` is not positive semidefinite: its smallest principal moment \
          is -5.000000e-2"
        ]
    );
    // A disk of 0.2 kg m² that is off by a ten-millionth of itself is one, and by a hundred-thousandth none.
    assert_eq!(moments([0.1, 0.0, 0.0, 0.1, 0.0, 0.2 + 2e-8]), NOTHING);
    assert_eq!(moments([0.1, 0.0, 0.0, 0.1, 0.0, 0.2 + 2e-6]).len(), 1);
    // A rod is as thin as a billionth of itself below nothing, and no thinner.
    assert_eq!(moments([0.1, 0.0, 0.0, 0.1, 0.0, -1e-10]), NOTHING);
    assert_eq!(moments([0.1, 0.0, 0.0, 0.1, 0.0, -1e-8]).len(), 1);
    // What a mass of 2 kg has within a micrometre is nothing.
    assert_eq!(moments([0.0, 0.0, 0.0, 0.0, 0.0, -1e-12]), NOTHING);
    assert_eq!(moments([0.0, 0.0, 0.0, 0.0, 0.0, 1e-12]), NOTHING);
    assert_eq!(moments([0.0, 0.0, 0.0, 0.0, 0.0, -3e-12]).len(), 1);
    assert_eq!(moments([0.0, 0.0, 0.0, 0.0, 0.0, 3e-12]).len(), 1);
    // About the origin there is m c² more across the way to the centre: 2 kg at 0.1 m.
    let about_origin =
        |elements: [f64; 6]| told(|links| links[1].inertia = InertiaDescription::AboutOrigin(numbers(elements)));
    assert_eq!(about_origin([0.1, 0.0, 0.0, 0.12, 0.0, 0.12]), NOTHING);
    assert_eq!(about_origin([0.2, 0.0, 0.0, 0.12, 0.0, 0.12]), NOTHING);
    assert_eq!(about_origin([0.21, 0.0, 0.0, 0.12, 0.0, 0.12]).len(), 1);
    assert_eq!(
        about_origin([0.0, 0.0, 0.0, 0.01, 0.0, 0.02]),
        [
            "unphysical, inertia-indefinite: the inertia of link `b` is not positive semidefinite: its smallest principal moment \
          is -1.000000e-2"
        ]
    );
    // Large bodies have large errors of rounding.
    assert_eq!(moments([1e3, 0.0, 0.0, 1e3, 0.0, -1e-7]), NOTHING);
    // A mere frame, and moments without a mass.
    assert_eq!(told(|links| links[1].mass = Number::ZERO), NOTHING);
    let mut framed = arm();
    framed.links.push(LinkDescription::new("frame", "c"));
    assert_eq!(findings(&framed), NOTHING);
    let hint = |inertia: InertiaDescription| {
        let mut description = arm();
        description.links[1].inertia = inertia;
        check(&description)[0].hint.clone().unwrap()
    };
    let none = numbers([-0.1, 0.0, 0.0, 0.1, 0.0, 0.1]);
    assert!(hint(InertiaDescription::AboutOrigin(none)).contains("is about the centre of mass"));
    assert!(hint(InertiaDescription::AboutCom(none)).contains("is not about the centre of mass"));
    assert_eq!(
        told(|links| links[1].mass = Number::from(-2.0))[0],
        "unphysical, negative-mass: the mass of link `b` is negative: -2"
    );
    assert_eq!(
        told(|links| links[1].has_inertial = false)[0],
        "warning, missing-inertial: the link `b` has no <inertial> and is taken as massless"
    );
    // Said to be no body, it is a warning.
    let mut said = arm();
    (said.allow_unphysical, said.links[1].mass) = (true, Number::from(-2.0));
    assert!(findings(&said)[0].starts_with("warning, negative-mass"));
}

#[test]
fn axes_have_directions() {
    let kind = |kind: JointKind| told(|links| (links[2].joint.kind, links[2].joint.limits) = (kind, None));
    let zero = |which: &str| [format!("error, zero-axis: the {which} of joint `c` is zero")];
    assert_eq!(kind(JointKind::Cylindrical { axis: NO, point: NO }), zero("axis"));
    assert_eq!(kind(JointKind::Cylindrical { axis: numbers([0.0, 1e-11, 0.0]), point: NO }), NOTHING);
    assert_eq!(kind(JointKind::Cylindrical { axis: numbers([0.0, 5e-13, 5e-13]), point: NO }), zero("axis"));
    let first = kind(JointKind::Universal { axes: [NO, X], point: NO });
    assert!(first.contains(&zero("first axis")[0]), "{first:?}");
    let second = kind(JointKind::Universal { axes: [X, NO], point: NO });
    assert!(second.contains(&zero("second axis")[0]), "{second:?}");
    let screw = |axis| ScrewDescription { kind: ScrewKind::Revolute, axis, point: NO, pitch: Number::ZERO };
    let factor = kind(JointKind::Composite { sequence: vec![screw(X), screw(NO)] });
    assert!(factor.contains(&zero("axis of a factor")[0]), "{factor:?}");
    let none = Orientation::Quaternion([Number::ZERO; 4]);
    assert_eq!(
        told(|links| links[1].placement = Placement::Origin { xyz: NO, orientation: none }),
        ["error, zero-quaternion: the quaternion of link `b` is zero"]
    );
    assert_eq!(
        told_of_motor(|m| m.axis = Some(NO)),
        ["error, zero-axis: the axis of the motor of joint `b` has no direction"]
    );
    assert_eq!(told_of_motor(|m| m.axis = Some(X)), NOTHING);
}

#[test]
fn limits_belong_to_one_number_and_stand_in_order() {
    let limits = |link: usize, limits: [f64; 2]| told(|links| links[link].joint.limits = Some(numbers(limits)));
    assert_eq!(limits(1, [-1.0, 1.0]), NOTHING);
    // A joint may be locked where it stands.
    assert_eq!(limits(1, [0.5, 0.5]), NOTHING);
    assert_eq!(limits(1, [1.0, -1.0]), ["unphysical, limits-reversed: the limits of joint `b` are reversed: 1 > -1"]);
    assert_eq!(
        told(|links| links[2].joint.kind = JointKind::Cylindrical { axis: X, point: NO }),
        ["error, limits-not-applicable: the joint `c` has 2 degrees of freedom and takes no position limits"]
    );
    let missing = ["warning, missing-limits: the revolute joint `b` has no position limits"];
    assert_eq!(told(|links| links[1].joint.continuous = false), missing);
    // Whoever follows has the limits of the leader; a slide may be as long as it likes.
    let follow = MimicDescription { joint: "a".to_owned(), multiplier: Number::ONE, offset: Number::ZERO };
    assert_eq!(told(|links| (links[1].joint.continuous, links[1].joint.mimic) = (false, Some(follow))), NOTHING);
    assert_eq!(told(|links| (links[2].joint.limits, links[2].joint.continuous) = (None, false)), NOTHING);
    let free = |links: &mut [LinkDescription]| {
        (links[2].joint.kind, links[2].joint.limits, links[2].joint.continuous) = (JointKind::Translation, None, false);
    };
    assert_eq!(told(free), NOTHING);
    for (value, expected) in [(0.0, vec![]), (3.0, vec![]), (-1.5, vec!["velocity", "effort"])] {
        let found = told(|links| {
            (links[1].joint.velocity, links[1].joint.effort) = (Some(Number::from(value)), Some(Number::from(value)));
        });
        let negative =
            |what: &&str| format!("unphysical, negative-limit: the {what} limit of joint `b` is negative: {value}");
        assert_eq!(found, expected.iter().map(negative).collect::<Vec<_>>());
    }
}

#[test]
fn motors_have_joints_to_move_and_nothing_negative() {
    let less = Number::from(-0.5);
    let bad =
        |what: &str| format!("unphysical, motor-negative: the {what} of the motor of joint `b` is negative: -0.5");
    assert_eq!(told_of_motor(|m| m.inertia = less), [bad("inertia")]);
    assert_eq!(told_of_motor(|m| m.damping = less), [bad("damping")]);
    assert_eq!(told_of_motor(|m| m.viscous = less), [bad("viscous friction")]);
    assert_eq!(told_of_motor(|m| m.coulomb = less), [bad("Coulomb friction")]);
    assert_eq!(told_of_motor(|m| m.rotor_viscous = less), [bad("viscous friction at the shaft")]);
    assert_eq!(told_of_motor(|m| m.rotor_coulomb = less), [bad("Coulomb friction at the shaft")]);
    assert_eq!(
        told_of_motor(|m| m.ratio = Number::ZERO),
        ["error, motor-ratio-zero: the gear ratio of joint `b` is zero"]
    );
    for stiffness in [0.0, -3.0] {
        let message = format!("error, motor-stiffness: the stiffness of joint `b` is not positive: {stiffness}");
        assert_eq!(told_of_motor(|m| m.stiffness = Some(Number::from(stiffness))), [message]);
    }
    let spring = Some(Number::from(100.0));
    assert_eq!(told_of_motor(|m| m.stiffness = spring), NOTHING);
    assert_eq!(
        told_of_motor(|m| (m.stiffness, m.inertia) = (spring, Number::ZERO)),
        ["error, elastic-without-rotor: the elastic joint `b` has no motor inertia"]
    );
    let motor = MotorDescription { inertia: Number::ONE, stiffness: spring, ..MotorDescription::default() };
    assert_eq!(
        told(|links| (links[1].motor, links[1].joint.kind) =
            (Some(motor), JointKind::Universal { axes: [X, Y], point: NO })),
        ["error, elastic-joint-type: the joint `b` has a stiffness, but 2 degrees of freedom"]
    );
    let follow = MimicDescription { joint: "a".to_owned(), multiplier: Number::ONE, offset: Number::ZERO };
    assert_eq!(
        told(|links| (links[1].motor, links[1].joint.mimic) = (Some(motor), Some(follow))),
        ["error, elastic-mimic: the joint `b` is coupled to another and cannot have a stiffness of its own"]
    );
    let plain = MotorDescription { inertia: Number::ONE, ..MotorDescription::default() };
    assert_eq!(
        told(|links| (links[1].motor, links[1].joint.kind) = (Some(plain), JointKind::Fixed)),
        ["error, motor-without-motion: the link `b` has a motor, but its joint does not move"]
    );
    let standard = |kind: JointKind| {
        let zero = Number::ZERO;
        let parameters = DhParameters { alpha: zero, a: Number::from(0.1), theta: zero, d: zero, gamma: zero, b: zero };
        told(|links| {
            links[1].placement = Placement::Dh { convention: DhConvention::Standard, parameters };
            links[1].joint.kind = kind;
        })
    };
    assert_eq!(standard(JointKind::Revolute { axis: Z, point: NO }), NOTHING);
    assert_eq!(
        standard(JointKind::Spherical { point: NO }),
        ["error, dh-joint-type: the joint `b` does not fit the standard DH convention"]
    );
}

#[test]
fn numbers_are_finite_and_not_beyond_all_products() {
    let mass = |mass: f64| told(|links| links[1].mass = Number::from(mass));
    let finite = ["error, not-finite: a number of link `b` is not finite"];
    assert_eq!(mass(f64::NAN), finite);
    assert_eq!(mass(f64::INFINITY), finite);
    assert_eq!(mass(-f64::INFINITY), finite);
    assert_eq!(mass(1e30), NOTHING);
    assert_eq!(mass(1.1e30), ["error, number-too-large: a number of link `b` is too large: 1.1e30 in its mass"]);
    let gravity = |value: f64| {
        let mut description = arm();
        description.gravity[1] = Number::from(value);
        findings(&description)
    };
    assert_eq!(gravity(1e30), NOTHING);
    assert_eq!(gravity(2e30), ["error, number-too-large: gravity is too large: 2e30"]);
    assert_eq!(gravity(f64::NAN), ["error, not-finite: gravity is not finite"]);
    // One finding for a link, and no more about numbers that nothing can be computed with.
    let found = told(|links| {
        links[1].mass = Number::from(f64::NAN);
        links[1].com = numbers([f64::NAN, 0.0, 0.0]);
        links[1].joint.velocity = Some(Number::from(-1.0));
    });
    assert_eq!(found, finite);
    // Every kind of number is looked at; directions and limits need to be finite and no more.
    let each = |value: f64| {
        let x = Number::from(value);
        let motor = |change: &dyn Fn(&mut MotorDescription)| {
            let mut motor = MotorDescription { inertia: Number::ONE, ..MotorDescription::default() };
            change(&mut motor);
            Some(motor)
        };
        let dh = DhParameters { alpha: x, a: x, theta: x, d: x, gamma: x, b: x };
        let rotated =
            InertiaDescription::AboutComRotated { elements: numbers([0.1, 0.0, 0.0, 0.1, 0.0, 0.1]), rpy: [x; 3] };
        let element = Element { length: value.abs(), strength: 1.0 };
        let changes: [Change<'_>; 14] = [
            ("com", &|link| link.com[2] = x),
            ("placement", &|link| {
                link.placement = Placement::Origin { xyz: [x; 3], orientation: Orientation::Rpy(NO) }
            }),
            ("placement", &|link| {
                link.placement = Placement::Origin { xyz: NO, orientation: Orientation::Rpy([x; 3]) }
            }),
            ("placement", &|link| {
                link.placement = Placement::Dh { convention: DhConvention::Modified, parameters: dh }
            }),
            ("inertia", &|link| link.inertia = InertiaDescription::AboutCom([x, x, x, x, x, x])),
            ("inertia", &|link| link.inertia = rotated),
            ("joint", &|link| link.joint.kind = JointKind::Revolute { axis: Y, point: [x; 3] }),
            ("mimic", &|link| {
                link.joint.mimic = Some(MimicDescription { joint: "a".to_owned(), multiplier: Number::ONE, offset: x });
            }),
            ("balance", &|link| {
                link.balance = Some(Box::new(BalanceDescription::Spring { stiffness: x, rest: Number::ZERO }));
            }),
            ("motor", &|link| link.motor = motor(&|m| m.ratio = x)),
            ("motor", &|link| link.motor = motor(&|m| m.rotor_coulomb = x)),
            ("motor", &|link| link.motor = motor(&|m| m.stiffness = Some(x))),
            ("motor", &|link| link.motor = motor(&|m| m.offset = Some(x))),
            ("motor", &|link| link.motor = motor(&|m| m.hysteresis = Hysteresis::new(&[element]).unwrap())),
        ];
        changes.map(|(part, change)| (part, told(|links| change(&mut links[1]))))
    };
    for (part, found) in each(3e30) {
        assert_eq!(found, [format!("error, number-too-large: a number of link `b` is too large: 3e30 in its {part}")]);
    }
    for (part, found) in each(f64::INFINITY) {
        assert_eq!(found, finite, "{part}");
    }
    let huge = Number::from(1e200);
    let spread = |links: &mut [LinkDescription]| {
        links[1].joint.kind = JointKind::Revolute { axis: [Number::ZERO, huge, Number::ZERO], point: NO };
        (links[1].joint.velocity, links[1].joint.effort) = (Some(huge), Some(huge));
        links[1].joint.limits = Some([Number::from(-1e200), huge]);
    };
    assert_eq!(told(spread), NOTHING);
    assert_eq!(told(|links| links[1].joint.effort = Some(Number::from(f64::INFINITY))), finite);
}

#[test]
fn followers_have_leaders() {
    let follow = |joint: &str| {
        Some(MimicDescription { joint: joint.to_owned(), multiplier: Number::from(2.0), offset: Number::ZERO })
    };
    assert_eq!(told(|links| links[1].joint.mimic = follow("a")), NOTHING);
    assert_eq!(
        told(|links| links[1].joint.mimic = follow("d")),
        ["error, mimic-unknown: the joint `b` follows `d`, which is no joint"]
    );
    assert_eq!(told(|links| links[1].joint.mimic = follow("b")), ["error, mimic-self: the joint `b` follows itself"]);
    assert_eq!(
        told(|links| (links[0].joint.mimic, links[1].joint.mimic) = (follow("b"), follow("a"))),
        [
            "error, mimic-loop: the joint `a` follows `b`, and no joint leads them",
            "error, mimic-loop: the joint `b` follows `a`, and no joint leads them"
        ]
    );
    // Followers of a follower, up to as many as there are joints.
    assert_eq!(told(|links| (links[1].joint.mimic, links[2].joint.mimic) = (follow("a"), follow("b"))), NOTHING);
    let ball = || JointKind::Spherical { point: NO };
    assert_eq!(
        told(|links| (links[0].joint.kind, links[1].joint.mimic) = (ball(), follow("a"))),
        ["error, mimic-multi-dof: the joint `b` follows `a`, which has not one degree of freedom"]
    );
    assert_eq!(
        told(|links| (links[1].joint.kind, links[1].joint.mimic) = (ball(), follow("a"))),
        ["error, mimic-multi-dof: the joint `b` follows another, but has not one degree of freedom"]
    );
}

#[test]
fn names_are_there_and_differ() {
    let rename = |link: &str, joint: &str| {
        told(|links| (links[2].name, links[2].joint.name) = (link.to_owned(), joint.to_owned()))
    };
    assert_eq!(rename("hand", "wrist"), NOTHING);
    assert_eq!(rename("b", "wrist"), ["error, duplicate-link: two links are called `b`"]);
    assert_eq!(rename("hand", "b"), ["error, duplicate-joint: two joints are called `b`"]);
    assert_eq!(rename("", "wrist"), ["error, empty-name: a link has an empty name"]);
    assert_eq!(rename("hand", ""), ["error, empty-name: a joint has an empty name"]);
    assert_eq!(rename("base", "wrist"), ["error, reserved-name: a link is called \"base\", which is the ground"]);
    // A link and a joint may share a name, and two links without one are told of once each.
    assert_eq!(rename("c", "a"), ["error, duplicate-joint: two joints are called `a`"]);
    let unnamed =
        told(|links| (links[1].name, links[2].name, links[2].parent) = (String::new(), String::new(), "a".to_owned()));
    assert_eq!(unnamed, ["error, empty-name: a link has an empty name"; 2]);
}

#[test]
fn links_hang_on_links_in_their_order() {
    let hang = |link: usize, parent: &str| told(|links| links[link].parent = parent.to_owned());
    assert_eq!(hang(2, "base"), NOTHING);
    assert_eq!(hang(2, "d"), ["error, unknown-parent: the parent of link `c` is `d`, which is no link"]);
    assert_eq!(hang(2, "c"), ["error, loop: the link `c` is its own parent"]);
    assert_eq!(hang(0, "c")[0], "error, loop: the link `a` is among its own ancestors");
    assert_eq!(
        told(|links| links.swap(1, 2)),
        ["warning, parent-after-child: the link `c` stands before its parent `b`"]
    );
    assert_eq!(findings(&robot(Vec::new())), ["error, no-links: the robot has no links"]);
    let weld = |links: &mut [LinkDescription]| {
        for link in links {
            (link.joint.kind, link.joint.limits) = (JointKind::Fixed, None);
        }
    };
    assert_eq!(told(weld), ["warning, no-moving-joint: no joint of the robot moves"]);
    // Nothing is said of motion where the tree is wrong already.
    let wrong = told(|links| {
        weld(links);
        links[2].parent = "d".to_owned();
    });
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

/// A link without mass, at the origin of its parent.
fn massless(name: &str, parent: &str, axis: [Number; 3]) -> LinkDescription {
    let mut link = turning(name, parent, axis);
    (link.mass, link.com) = (Number::ZERO, NO);
    link.inertia = InertiaDescription::AboutCom([Number::ZERO; 6]);
    link.placement = LinkDescription::new(name, parent).placement;
    link
}

/// A body with that moment about the axis z, through its centre, and nothing else to turn about there.
fn wheel(name: &str, parent: &str, moment: f64) -> LinkDescription {
    let mut link = massless(name, parent, Z);
    link.mass = Number::from(1.0);
    link.inertia = InertiaDescription::AboutCom(numbers([moment, 0.0, 0.0, moment, 0.0, moment]));
    link
}

fn rotor(inertia: f64, ratio: f64) -> Option<MotorDescription> {
    let (inertia, ratio) = (Number::from(inertia), Number::from(ratio));
    Some(MotorDescription { inertia, ratio, ..MotorDescription::default() })
}

fn loose(joints: &str) -> String {
    format!(
        "warning, no-inertia: the joints {joints} can move against each other without moving any inertia: the mass matrix is \
         singular"
    )
}

fn tip(name: &str) -> String {
    format!(
        "warning, massless-tip: nothing that joint `{name}` moves has mass or inertia: with the massless link `{name}` the mass \
         matrix is singular"
    )
}

/// Two joints about one axis with nothing between them, among others that are sound, at any size of what they carry.
#[test]
fn joints_about_one_axis_with_nothing_between_them_are_told_and_no_others() {
    for moment in [1e-12, 1e-4, 0.7, 1e9] {
        let pair = || vec![massless("a", "base", Z), wheel("b", "a", moment)];
        assert_eq!(findings(&robot(pair())), [loose("`a`, `b`")], "{moment}");
        let mut links = vec![turning("p", "base", Y), turning("q", "p", X)];
        links.extend(pair());
        links.extend([turning("r", "base", Y), turning("s", "r", Z), wheel("t", "base", moment)]);
        assert_eq!(findings(&robot(links)), [loose("`a`, `b`")], "{moment}");
    }
}

/// What carries nothing at all is told as such, and does not spoil the rest.
#[test]
fn a_massless_tip_is_told_beside_loose_joints() {
    let pair = || vec![massless("a", "base", Z), wheel("b", "a", 0.3)];
    let mut links = pair();
    links.extend([turning("p", "base", Y), massless("t", "p", X)]);
    assert_eq!(findings(&robot(links)), [tip("t"), loose("`a`, `b`")]);
    let mut links = vec![turning("p", "base", Y), massless("t", "p", X)];
    links.extend(pair());
    assert_eq!(findings(&robot(links)), [tip("t"), loose("`a`, `b`")]);
}

/// Three joints about one axis, of which the last carries a body: two ways to move it in vain, one with a rotor between.
#[test]
fn a_rotor_counts_by_the_square_of_its_gear() {
    let chain = |motor: Option<MotorDescription>| {
        let mut links = vec![massless("a", "base", Z), massless("b", "a", Z), wheel("c", "b", 0.3)];
        links[1].motor = motor;
        findings(&robot(links))
    };
    assert_eq!(chain(None), [loose("`b`, `c`"), loose("`a`, `c`")]);
    assert_eq!(chain(rotor(0.2, 1.0)), [loose("`a`, `c`")]);
    assert_eq!(chain(rotor(0.2, -7.0)), [loose("`a`, `c`")]);
    // Next to 0.3 kg m² a billionth of a billionth is rounding, unless a gear makes more of it.
    assert_eq!(chain(rotor(1e-18, 1.0)), [loose("`b`, `c`"), loose("`a`, `c`")]);
    assert_eq!(chain(rotor(1e-18, 1e3)), [loose("`a`, `c`")]);
    // A rotor as heavy as what its joint carries is added to it, not taken from it.
    let mut links = vec![massless("a", "base", Z), wheel("b", "a", 0.3), wheel("w", "base", 0.25)];
    links[2].motor = rotor(0.25, 1.0);
    assert_eq!(findings(&robot(links)), [loose("`a`, `b`")]);
}

/// A rotor that a follower turns is felt by the leader, by the square of how fast it follows.
#[test]
fn a_follower_s_rotor_counts_by_the_square_of_its_multiplier() {
    let led = |multiplier: f64| {
        let mut follower = massless("f", "base", X);
        follower.motor = rotor(1.0, 1.0);
        follower.joint.mimic = Some(MimicDescription {
            joint: "a".to_owned(),
            multiplier: Number::from(multiplier),
            offset: Number::ZERO,
        });
        findings(&robot(vec![turning("p", "base", Y), massless("a", "base", Z), wheel("b", "a", 0.3), follower]))
    };
    assert_eq!(led(1.0), NOTHING);
    assert_eq!(led(-1e-3), NOTHING);
    assert_eq!(led(1e-9), [loose("`a`, `b`")]);
}

/// A body in a plane has three ways to move, and four joints to do it with one too many.
#[test]
fn four_parallel_joints_that_carry_one_body_are_told_together() {
    let arm = |name: &str, parent: &str| {
        let mut link = massless(name, parent, Z);
        link.placement = Placement::Origin { xyz: numbers([0.4, 0.1, 0.0]), orientation: Orientation::Rpy(NO) };
        link
    };
    let mut hand = turning("d", "c", Z);
    hand.com = numbers([0.1, 0.2, 0.0]);
    let links =
        vec![turning("p", "base", Y), arm("a", "base"), arm("b", "a"), arm("c", "b"), hand, turning("q", "p", X)];
    assert_eq!(findings(&robot(links)), [loose("`a`, `b`, `c`, `d`")]);
    let ball = |name: &str, parent: &str| {
        let mut link = massless(name, parent, Z);
        link.joint.kind = JointKind::Spherical { point: NO };
        link
    };
    // Three rotations about one point, twice.
    let mut carried = wheel("h", "g", 0.3);
    carried.joint.kind = JointKind::Spherical { point: NO };
    let found = findings(&robot(vec![ball("g", "base"), carried, turning("p", "base", Y)]));
    assert_eq!(found, [loose("`g`, `h`"), loose("`g`, `h`"), loose("`g`, `h`")]);
}

/// A body as light as the other is heavy, which slides along the axis that both turn about: neither is loose alone.
#[test]
fn what_a_negative_mass_takes_away_is_told() {
    let body = |name: &str, parent: &str, mass: f64, inertia: f64| {
        let mut link = turning(name, parent, Z);
        link.mass = Number::from(mass);
        link.com = NO;
        link.inertia = InertiaDescription::AboutCom(numbers([inertia, 0.0, 0.0, inertia, 0.0, inertia]));
        link.placement = Placement::Origin { xyz: NO, orientation: Orientation::Rpy(NO) };
        link
    };
    let found = |inertia: f64| {
        let mut slide = body("b", "a", -1.0, inertia);
        slide.joint.kind = JointKind::Prismatic { axis: Z };
        let mut robot = robot(vec![body("a", "base", 0.0, 2.0), slide]);
        robot.allow_unphysical = true;
        findings(&robot).into_iter().filter(|it| it.starts_with("warning, no-inertia")).collect::<Vec<_>>()
    };
    assert_eq!(
        found(-2.0),
        ["warning, no-inertia: joint `a` can move without moving any inertia: the mass matrix is singular"]
    );
    assert_eq!(found(-1.0), NOTHING);
}

/// Twists that vary with the position are looked at where it is not special.
#[test]
fn a_body_on_a_universal_joint_is_not_loose() {
    let mut link = turning("a", "base", Z);
    link.joint.kind = JointKind::Universal { axes: [X, Y], point: NO };
    assert_eq!(findings(&robot(vec![link])), NOTHING);
}

/// Robots of up to three hundred velocities are looked at.
#[test]
fn the_search_for_loose_joints_ends_at_three_hundred() {
    let among = |others: usize| {
        let mut links: Vec<LinkDescription> = (0..others).map(|i| turning(&format!("p{i}"), "base", Y)).collect();
        links.extend([massless("a", "base", Z), wheel("b", "a", 0.3)]);
        findings(&robot(links))
    };
    assert_eq!(among(298), [loose("`a`, `b`")]);
    assert_eq!(among(299), NOTHING);
}

#[test]
fn a_robot_has_no_more_than_a_hundred_thousand_links() {
    let links = (0..=MAX_LINKS).map(|i| LinkDescription::new(i.to_string(), "base")).collect();
    assert_eq!(findings(&robot(links)), ["error, too-many-links: 100001 links, more than 100000"]);
}

/// A point on the axis of the outermost joint: it has mass, but nothing that turning it would have to move.
#[test]
fn a_body_that_does_not_resist_its_joint_is_told() {
    let point = |mass: f64| {
        let mut link = massless("t", "p", Z);
        link.mass = Number::from(mass);
        link
    };
    let told = "warning, massless-tip: the inertia of link `t` does not resist all motions of joint `t`: the mass matrix is singular";
    for mass in [1e-9, 1.0, 1e9] {
        assert_eq!(findings(&robot(vec![turning("p", "base", Y), point(mass)])), [told], "{mass}");
        // What is carried behind a weld resists for it.
        let weld = LinkDescription::new("w", "t");
        let links = vec![turning("p", "base", Y), point(mass), weld, turning("u", "w", Y)];
        assert_eq!(findings(&robot(links)), NOTHING, "{mass}");
    }
    // Moments without a mass resist, friction does not, and a rotor does.
    let mut hoop = wheel("t", "p", 0.3);
    hoop.mass = Number::ZERO;
    assert_eq!(findings(&robot(vec![turning("p", "base", Y), hoop])), NOTHING);
    let driven = |inertia: f64| {
        let mut link = massless("t", "p", Z);
        link.motor = Some(MotorDescription { viscous: Number::ONE, ..rotor(inertia, 1.0).unwrap() });
        findings(&robot(vec![turning("p", "base", Y), link]))
    };
    assert_eq!(driven(0.0), [tip("t")]);
    assert_eq!(driven(0.1), NOTHING);
    // A body that floats resists in all six directions, and as a point in none that turns it.
    let mut floating = wheel("t", "base", 0.3);
    floating.joint.kind = JointKind::Free;
    assert_eq!(findings(&robot(vec![floating.clone()])), NOTHING);
    floating.inertia = InertiaDescription::AboutCom([Number::ZERO; 6]);
    assert_eq!(findings(&robot(vec![floating])), [told]);
    // A leader feels what its followers carry.
    let mut follower = turning("f", "base", Y);
    follower.joint.mimic =
        Some(MimicDescription { joint: "t".to_owned(), multiplier: Number::ONE, offset: Number::ZERO });
    assert_eq!(findings(&robot(vec![turning("p", "base", Y), massless("t", "p", Z), follower])), NOTHING);
}
