//! What rounded angles, directions, multipliers and lengths are taken as, and what is said about it.

use jourdain::model::Number;
use jourdain::model::description::{
    Description, JointKind, LinkDescription, MimicDescription, Orientation, Placement, ScrewDescription, ScrewKind,
};
use jourdain::parameters::snap::{Notice, Taken, snapped};
use std::f64::consts::{FRAC_PI_2, PI};

const NO: [Number; 3] = [Number::ZERO; 3];
const X: [Number; 3] = [Number::ONE, Number::ZERO, Number::ZERO];

fn numbers<const N: usize>(values: [f64; N]) -> [Number; N] {
    values.map(Number::from)
}

fn robot(links: Vec<LinkDescription>) -> Description {
    let gravity = numbers([0.0, 0.0, -9.81]);
    Description { name: "robot".to_owned(), gravity, allow_unphysical: false, links, states: Vec::new() }
}

fn turning(axis: [Number; 3]) -> LinkDescription {
    let mut link = LinkDescription::new("a", "base");
    link.joint.kind = JointKind::Revolute { axis, point: NO };
    link
}

fn placed(xyz: [f64; 3], orientation: Orientation) -> LinkDescription {
    let mut link = turning(X);
    link.placement = Placement::Origin { xyz: numbers(xyz), orientation };
    link
}

/// The axis of a joint that was given one, and what is said.
fn axis(given: [f64; 3], distance: f64) -> ([f64; 3], Vec<Notice>) {
    let (found, notices) = snapped(&robot(vec![turning(numbers(given))]), distance);
    let JointKind::Revolute { axis, .. } = found.links[0].joint.kind else { panic!("revolute") };
    (axis.map(|x| x.value), notices)
}

/// Coordinates within a hundredth of the largest are equal to it, or zero.
#[test]
fn coordinates_that_hardly_differ_become_those_of_the_largest_of_them() {
    let cases = [
        ([1.0, 1.004, 0.0], [1.004, 1.004, 0.0]),
        ([1.004, -1.0, 0.0], [1.004, -1.004, 0.0]),
        ([-1.0, 1.004, 0.5], [-1.004, 1.004, 0.5]),
        ([-1.004, -1.0, 0.0], [-1.004, -1.004, 0.0]),
        ([1.0, -1.004, 1.002], [1.004, -1.004, 1.004]),
        ([0.5, -20.0, 20.1], [0.5, -20.1, 20.1]),
        ([0.3, 0.305, 1.0], [0.305, 0.305, 1.0]),
        ([0.008, 1.0, -0.004], [0.0, 1.0, 0.0]),
    ];
    for (given, expected) in cases {
        let (found, notices) = axis(given, 0.01);
        assert_eq!(found, expected, "{given:?}");
        // By how much, in the unit vector: a share of its largest coordinate.
        let size = given.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let length = given.iter().map(|x| x * x).sum::<f64>().sqrt();
        let most = given.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let [notice] = &notices[..] else { panic!("{given:?}: {notices:?}") };
        assert!((notice.change - most / size * (size / length)).abs() < 1e-15, "{given:?}: {}", notice.change);
        assert_eq!((notice.what, notice.taken, notice.link.as_deref()), ("axis", Taken::Direction, Some("a")));
    }
    // In units of the largest coordinate, not of the length: along a diagonal that is less.
    for given in [[1.0, 1.0, 1.012], [0.012, 1.0, 1.0], [1.0, -1.02, 0.0]] {
        assert_eq!(axis(given, 0.01), (given, Vec::new()));
    }
    // Nothing is taken as anything else where nobody asked for it.
    for given in [[1.0, 1.0 + 1e-9, 0.0], [1e-12, 1.0, 0.0], [3.0, -4.0, 0.0]] {
        assert_eq!(axis(given, 0.0), (given, Vec::new()));
    }
}

#[test]
fn gravity_is_a_direction_like_others() {
    let mut given = robot(vec![turning(X)]);
    given.gravity = numbers([0.0, 9.81e-4, -9.81]);
    let (found, notices) = snapped(&given, 1e-3);
    assert_eq!(found.gravity.map(|x| x.value), [0.0, 0.0, -9.81]);
    assert_eq!(notices[0].to_string(), "gravity taken with zero or equal coordinates, 1.0e-4 rad away");
}

type Quaternion = [f64; 4];

fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Rz(yaw) Ry(pitch) Rx(roll).
fn quaternion([roll, pitch, yaw]: [f64; 3]) -> Quaternion {
    let about = |axis: usize, angle: f64| {
        let mut turn = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        turn[1 + axis] = (angle / 2.0).sin();
        turn
    };
    product(about(2, yaw), product(about(1, pitch), about(0, roll)))
}

/// The angles that a quaternion is taken as; `None` if it stays one.
fn angles(of: Quaternion, distance: f64) -> (Option<[f64; 3]>, Vec<Notice>) {
    let (found, notices) = snapped(&robot(vec![placed([0.0; 3], Orientation::Quaternion(numbers(of)))]), distance);
    match &found.links[0].placement {
        Placement::Origin { orientation: Orientation::Rpy(rpy), .. } => (Some(rpy.map(|x| x.value)), notices),
        Placement::Origin { orientation: Orientation::Quaternion(same), .. } => {
            assert_eq!(same.map(|x| x.value), of);
            (None, notices)
        }
        placement => panic!("{placement:?}"),
    }
}

#[test]
fn quaternions_become_the_angles_of_the_same_rotation() {
    let step = PI / 12.0;
    for roll in [-5.0, 0.0, 3.0] {
        for pitch in [-6.0, -4.0, 0.0, 1.0, 6.0] {
            for yaw in [-7.0, 0.0, 2.0, 11.0] {
                let given = quaternion([roll * step, pitch * step, yaw * step]);
                let (found, notices) = angles(given, 1e-5);
                let found = quaternion(found.unwrap());
                let cos: f64 = given.iter().zip(found).map(|(a, b)| a * b).sum();
                let place = [roll, pitch, yaw];
                assert!((cos.abs() - 1.0).abs() < 1e-14 && notices.is_empty(), "{place:?}: {given:?} {found:?}");
            }
        }
    }
}

/// One angle that is near a multiple of 15° is enough; without any a quaternion is best left as it is.
#[test]
fn a_quaternion_has_angles_if_one_of_them_is_special() {
    let sixty = 4.0 * PI / 12.0;
    let special = sixty + 4e-6;
    for place in 0..3 {
        let mut given = [0.3, 0.2, -0.4];
        given[place] = special;
        let (found, notices) = angles(quaternion(given), 1e-5);
        let mut expected = given;
        expected[place] = sixty;
        let found = found.unwrap();
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
        assert_eq!(found[place], sixty);
        assert!(notices.len() == 1 && (notices[0].change - 4e-6).abs() < 1e-12, "{notices:?}");
    }
    assert_eq!(angles(quaternion([0.3, 0.2, -0.4]), 1e-5), (None, Vec::new()));
    // Special or not, it stays one where nobody asked.
    assert_eq!(angles([1.0, 0.0, 0.0, 0.0], 0.0), (None, Vec::new()));
    assert_eq!(angles(quaternion([special, 0.0, 0.0]), 0.0), (None, Vec::new()));
}

/// The second of two joints as it follows the first, and what is said.
fn followed(multiplier: Number, offset: f64, kind: JointKind, distance: f64) -> (MimicDescription, Vec<Notice>) {
    let mut follower = turning(X);
    (follower.name, follower.joint.name, follower.joint.kind) = ("b".to_owned(), "b".to_owned(), kind);
    follower.joint.mimic = Some(MimicDescription { joint: "a".to_owned(), multiplier, offset: Number::from(offset) });
    let (mut found, notices) = snapped(&robot(vec![turning(X), follower]), distance);
    (found.links[1].joint.mimic.take().unwrap(), notices)
}

#[test]
fn multipliers_near_a_simple_fraction_are_taken_as_it() {
    let of = |text: &str, distance: f64| {
        let kind = JointKind::Revolute { axis: X, point: NO };
        let (mimic, notices) = followed(Number::parse(text).unwrap(), 0.0, kind, distance);
        (mimic.multiplier, notices)
    };
    for sign in ["", "-"] {
        for (text, fraction) in
            [("0.33333", "1/3"), ("0.6667", "2/3"), ("1.33337", "4/3"), ("3.99993", "4"), ("0.75009", "3/4")]
        {
            let (text, exact) = (format!("{sign}{text}"), Number::parse(&format!("{sign}{fraction}")).unwrap());
            let given = Number::parse(&text).unwrap();
            let (found, notices) = of(&text, 1e-7);
            assert_eq!(found, exact, "{text}");
            let [notice] = &notices[..] else { panic!("{text}: {notices:?}") };
            assert_eq!((notice.what, notice.taken, notice.link.as_deref()), ("multiplier", Taken::Fraction, Some("b")));
            assert!((notice.change - (given.value - exact.value).abs()).abs() < 1e-15, "{text}: {}", notice.change);
            assert_eq!(of(&text, 0.0), (given, Vec::new()), "{text}");
        }
        // Those that are one, and those that are far from any.
        for text in ["1", "2/3", "0.25", "0.6669", "1.0002", "0.2", "5", "0.9"] {
            let text = format!("{sign}{text}");
            assert_eq!(of(&text, 1e-7), (Number::parse(&text).unwrap(), Vec::new()), "{text}");
        }
        assert_eq!(of(&format!("{sign}0.99"), 0.02).0, Number::parse(&format!("{sign}1")).unwrap());
    }
}

/// 1.5708 is a right angle where it is an angle, and a length where it is a length.
#[test]
fn offsets_of_followers_are_angles_where_they_turn() {
    let near = (FRAC_PI_2 * 1e4).round() / 1e4;
    let of = |kind: JointKind| {
        let (mimic, notices) = followed(Number::ONE, near, kind, 1e-5);
        (mimic.offset.value, notices.len())
    };
    assert_eq!(of(JointKind::Revolute { axis: X, point: NO }), (FRAC_PI_2, 1));
    assert_eq!(of(JointKind::Helical { axis: X, point: NO, pitch: Number::ONE }), (FRAC_PI_2, 1));
    assert_eq!(of(JointKind::Prismatic { axis: X }), (near, 0));
}

/// A robot that says what it means is not touched, not even in how its numbers are written.
#[test]
fn what_is_exact_stays_as_it_is_written() {
    let angle = Number { value: FRAC_PI_2, exact: None };
    let mut link = placed([0.25, 0.0, -1.5], Orientation::Rpy([angle, Number::ZERO, angle]));
    link.joint.kind = JointKind::Revolute { axis: numbers([1.0, -1.0, 0.0]), point: NO };
    let mut given = robot(vec![link]);
    given.gravity = numbers([0.0, 5.0, -5.0]);
    assert_eq!(snapped(&given, 1e-3), (given.clone(), Vec::new()));
}

/// Twelve digits of the largest length there is, wherever it stands.
#[test]
fn lengths_are_rounded_to_twelve_digits_of_the_largest() {
    let long = 0.123_456_789_012_345;
    let none = Orientation::Rpy(NO);
    for (largest, expected) in [(3e7, 0.123_5), (-3e7, 0.123_5), (0.2, 0.123_456_789_012), (4.0, 0.123_456_789_01)] {
        let of = |links: Vec<LinkDescription>| {
            let (found, notices) = snapped(&robot(links), 1e-5);
            assert!(notices.is_empty());
            let Placement::Origin { xyz, .. } = found.links[0].placement else { panic!("origin") };
            xyz.map(|x| x.value)
        };
        assert_eq!(of(vec![placed([long, largest, -long], none)]), [expected, largest, -expected]);
        // Of another link, as a point of an axis, or as a pitch.
        let kinds = [
            JointKind::Revolute { axis: X, point: numbers([0.0, largest, 0.0]) },
            JointKind::Helical { axis: X, point: NO, pitch: Number::from(largest) },
            JointKind::Composite {
                sequence: vec![ScrewDescription {
                    kind: ScrewKind::Revolute,
                    axis: X,
                    point: numbers([0.0, 0.0, largest]),
                    pitch: Number::ZERO,
                }],
            },
        ];
        for kind in kinds {
            let mut other = LinkDescription::new("b", "a");
            other.joint.kind = kind;
            let found = of(vec![placed([long, 0.1, 0.0], none), other]);
            assert_eq!(found[0], expected, "{largest}");
            assert_eq!(found[1..], [0.1, 0.0]);
        }
    }
}
