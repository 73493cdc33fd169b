//! Joints that move no inertia, on robots where what is found hangs on one number.

use jourdain::model::Number;
use jourdain::model::check::check;
use jourdain::model::description::{
    Description, InertiaDescription, JointKind, LinkDescription, MimicDescription, Orientation, Placement,
};

const NO: [Number; 3] = [Number::ZERO; 3];
const X: [Number; 3] = [Number::ONE, Number::ZERO, Number::ZERO];
const Y: [Number; 3] = [Number::ZERO, Number::ONE, Number::ZERO];
const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];

/// A link at a distance along x from its parent: a ball of that mass and moment, its centre at a distance along x.
fn ball(name: &str, parent: &str, kind: JointKind, [mass, moment, at]: [f64; 3]) -> LinkDescription {
    let mut link = LinkDescription::new(name, parent);
    link.mass = Number::from(mass);
    link.com = [Number::from(at), Number::ZERO, Number::ZERO];
    let moments = [moment, 0.0, 0.0, moment, 0.0, moment];
    link.inertia = InertiaDescription::AboutCom(moments.map(Number::from));
    let xyz = [0.4, 0.0, 0.0].map(Number::from);
    link.placement = Placement::Origin { xyz, orientation: Orientation::Rpy(NO) };
    link.joint.kind = kind;
    link.joint.continuous = true;
    link
}

fn turning(axis: [Number; 3]) -> JointKind {
    JointKind::Revolute { axis, point: NO }
}

fn sliding(axis: [Number; 3]) -> JointKind {
    JointKind::Prismatic { axis }
}

/// What is said about inertia.
fn said(links: Vec<LinkDescription>) -> Vec<String> {
    let gravity = [0.0, 0.0, -9.81].map(Number::from);
    let robot = Description { name: "robot".to_owned(), gravity, allow_unphysical: true, links, states: Vec::new() };
    let found = check(&robot).into_iter().filter(|it| matches!(it.code, "no-inertia" | "massless-tip"));
    found.map(|it| it.message).collect()
}

const NOTHING: [&str; 0] = [];

/// A slide of −1 kg and one at 45° on it of 2 kg in all: M = [1 √2; √2 2], whatever turns on the second.
#[test]
fn a_negative_mass_may_leave_nothing_to_move_in_every_position() {
    let slanted = [1.0, 1.0, 0.0].map(Number::from);
    let loose =
        ["the joints `a`, `b` can move against each other without moving any inertia: the mass matrix is singular"];
    let slides = |mass: f64| {
        vec![ball("a", "base", sliding(X), [mass, 0.1, 0.0]), ball("b", "a", sliding(slanted), [0.5, 0.1, 0.0])]
    };
    for kind in [JointKind::Spherical { point: NO }, turning(Y), JointKind::Fixed] {
        let carried = |mass: f64| ball("c", "b", kind.clone(), [mass, 0.1, 0.0]);
        let with = |slide: f64, mass: f64| said([slides(slide), vec![carried(mass)]].concat());
        assert_eq!(with(-1.0, 1.5), loose, "{kind:?}");
        assert_eq!(with(-1.0, 1.75), NOTHING, "{kind:?}");
        assert_eq!(with(1.0, 1.5), NOTHING, "{kind:?}");
    }
    // A body that floats, and one on a ball joint in the middle of it: one kilogram less and one more.
    let mut links = vec![ball("f", "base", JointKind::Free, [1.0, 0.1, 0.0])];
    links.extend(slides(-1.0).into_iter().map(|mut link| {
        if link.name == "a" {
            link.parent = "f".to_owned();
        }
        link
    }));
    links.push(ball("c", "b", JointKind::Spherical { point: NO }, [1.5, 0.1, 0.0]));
    assert_eq!(said(links), loose);
}

/// An arm with a slide that has no mass of its own: it is looked at in positions, which must not be so far out that the links
/// near the ground are lost in rounding.
#[test]
fn positions_that_are_looked_at_are_of_the_size_of_a_robot() {
    let arm = |slide: JointKind| {
        vec![
            ball("a", "base", turning(Z), [1.0, 0.1, 0.1]),
            ball("b", "a", turning(Z), [1.0, 0.1, 0.1]),
            ball("s", "b", slide, [0.0, 0.0, 0.0]),
            ball("c", "s", turning(Z), [1.0, 0.1, 0.1]),
        ]
    };
    assert_eq!(said(arm(sliding(X))), NOTHING);
    assert_eq!(said(arm(turning(Y))), NOTHING);
    // The same about one axis is loose.
    let mut links = arm(turning(Z));
    links[3].placement = LinkDescription::new("c", "s").placement;
    let loose =
        "the joints `s`, `c` can move against each other without moving any inertia: the mass matrix is singular";
    assert_eq!(said(links), [loose]);
}

/// Both joints of a pair that cancels take part, however much faster one of them moves what they carry.
#[test]
fn joints_that_cancel_are_named_together_whatever_their_gears() {
    for multiplier in [1.0, 2e3, 1e5] {
        let mut fast = ball("f", "b", sliding(X), [1.0, 0.1, 0.0]);
        let multiplier = Number::from(multiplier);
        fast.joint.mimic = Some(MimicDescription { joint: "b".to_owned(), multiplier, offset: Number::ZERO });
        let empty = |name: &str, parent: &str| ball(name, parent, sliding(X), [0.0; 3]);
        let links = vec![empty("a", "base"), empty("b", "a"), fast];
        let loose =
            "the joints `a`, `b` can move against each other without moving any inertia: the mass matrix is singular";
        assert_eq!(said(links), [loose], "{multiplier:?}");
    }
}

/// A body resists by what it is, not by how large it is: in grams and micrometres as in tons.
#[test]
fn what_resists_is_free_of_units() {
    for scale in [1e-18, 1e-9, 1.0, 1e12] {
        for length in [1e-4, 1.0, 1e4] {
            let body =
                |kind: JointKind, at: f64| ball("a", "base", kind, [scale, 0.1 * scale * length * length, at * length]);
            let point = [0.0, 0.3 * length, 0.0].map(Number::from);
            let kinds = [
                turning(Z),
                sliding(X),
                JointKind::Revolute { axis: Z, point },
                JointKind::Helical { axis: Z, point: NO, pitch: Number::from(0.2 * length) },
                JointKind::Spherical { point },
            ];
            for kind in kinds {
                assert_eq!(said(vec![body(kind.clone(), 0.5)]), NOTHING, "{kind:?}, {scale} kg, {length} m");
            }
            // A point on the axis does not, at any size.
            let mut point = body(turning(X), 0.5);
            point.inertia = InertiaDescription::AboutCom([Number::ZERO; 6]);
            let told = "the inertia of link `a` does not resist all motions of joint `a`: the mass matrix is singular";
            assert_eq!(said(vec![point]), [told], "{scale} kg, {length} m");
        }
    }
}

/// A rod does not resist turning about itself, by whichever of a joint's axes.
#[test]
fn a_rod_is_told_where_one_of_several_axes_is_its_own() {
    let rod = |axes: [[Number; 3]; 2]| {
        let mut link = ball("a", "base", JointKind::Universal { axes, point: NO }, [1.0, 0.0, 0.0]);
        link.inertia = InertiaDescription::AboutCom([0.0, 0.0, 0.0, 0.1, 0.0, 0.1].map(Number::from));
        said(vec![link])
    };
    let told = "the inertia of link `a` does not resist all motions of joint `a`: the mass matrix is singular";
    assert_eq!(rod([Y, X]), [told]);
    assert_eq!(rod([Z, X]), [told]);
    assert_eq!(rod([Z, Y]), NOTHING);
    // The first axis is turned by the second: away from the rod, in all but a few positions.
    assert_eq!(rod([X, Y]), NOTHING);
}

/// More than three hundred velocities are not looked at: forward dynamics says it when it is asked.
#[test]
fn very_many_joints_are_not_looked_at() {
    let mut links: Vec<_> = (0..300).map(|i| ball(&format!("p{i}"), "base", turning(Y), [1.0, 0.1, 0.1])).collect();
    links.push(ball("a", "base", turning(Z), [0.0; 3]));
    let mut wheel = ball("b", "a", turning(Z), [1.0, 0.1, 0.0]);
    wheel.placement = LinkDescription::new("b", "a").placement;
    links.push(wheel);
    assert_eq!(said(links.clone()), NOTHING);
    let loose =
        "the joints `a`, `b` can move against each other without moving any inertia: the mass matrix is singular";
    assert_eq!(said(links.split_off(290)), [loose]);
}
