//! Capsules around shapes, points and each other, with numbers known by hand.

use super::{between, close};
use crate::logs::Random;
use jourdain::identify::excite::Capsule;
use jourdain::model::description::Orientation;
use jourdain::model::shape::{Form, ShapeDescription};
use jourdain::spatial::Vector;

type Segment = [Vector<f64>; 2];

/// That a capsule has these ends, in any order, and this radius.
#[track_caller]
fn is(what: &str, found: Capsule, ends: Segment, radius: f64) {
    close(what, found.radius, radius, 1e-9);
    let off = |a: usize, b: usize| (found.ends[0] - ends[a]).norm().max((found.ends[1] - ends[b]).norm());
    assert!(off(0, 1).min(off(1, 0)) < 1e-9, "{what}: {:?} for {ends:?}", found.ends);
}

fn symmetric(x: f64, y: f64, z: f64) -> Segment {
    [Vector([-x, -y, -z]), Vector([x, y, z])]
}

#[test]
fn forms_have_the_capsules_that_are_drawn_by_hand() {
    let forms = [
        (Form::Sphere { radius: 0.3 }, symmetric(0.0, 0.0, 0.0), 0.3),
        (Form::Cylinder { radius: 0.1, length: 0.6 }, symmetric(0.0, 0.0, 0.3), 0.1),
        (Form::Capsule { radius: 0.2, length: 3.0 }, symmetric(0.0, 0.0, 1.5), 0.2),
        // Half a diagonal of the other two edges: 3, 4, 5.
        (Form::Box { size: [0.6, 0.8, 2.4] }, symmetric(0.0, 0.0, 1.2), 0.5),
        (Form::Box { size: [0.8, 3.0, 0.6] }, symmetric(0.0, 1.5, 0.0), 0.5),
        (Form::Box { size: [7.0, 6.0, 2.5] }, symmetric(3.5, 0.0, 0.0), 3.25),
        (Form::Ellipsoid { radii: [0.1, 0.4, 0.3] }, symmetric(0.0, 0.1, 0.0), 0.3),
        (Form::Ellipsoid { radii: [2.0, 0.4, 1.5] }, symmetric(0.5, 0.0, 0.0), 1.5),
        (Form::Ellipsoid { radii: [0.2, 0.4, 0.9] }, symmetric(0.0, 0.0, 0.5), 0.4),
    ];
    for (form, ends, radius) in forms {
        let mut shape = ShapeDescription::new(form.clone());
        is("at the origin", Capsule::around(&shape).unwrap(), ends, radius);
        shape.xyz = [0.3, -0.2, 0.1].map(Into::into);
        shape.orientation = Orientation::Rpy([0.4, -1.1, 2.0].map(Into::into));
        let pose = shape.pose();
        is(&format!("{form:?}"), Capsule::around(&shape).unwrap(), ends.map(|end| pose.apply(end)), radius);
    }
    let mesh = Form::mesh("a.stl", [1.0; 3]).unwrap();
    assert_eq!(Capsule::around(&ShapeDescription::new(mesh)), None);
}

/// In any place, direction and size.
fn moved(points: &[[f64; 3]], ends: [[f64; 3]; 2], radius: f64) {
    for (seed, size) in [(1, 1.0), (2, 0.02), (3, 40.0), (4, 1.0), (5, 0.1)] {
        let mut random = Random(seed);
        let mut shape = ShapeDescription::new(Form::Sphere { radius: 1.0 });
        shape.xyz = std::array::from_fn(|_| (30.0 * size * random.normal()).into());
        shape.orientation = Orientation::Rpy(std::array::from_fn(|_| random.normal().into()));
        let pose = shape.pose();
        let place = |p: &[f64; 3]| pose.apply(Vector(*p).times(size));
        let points: Vec<_> = points.iter().map(place).collect();
        let found = Capsule::around_points(&points).unwrap();
        close(&format!("seed {seed}"), found.radius / size, radius, 1e-6);
        let ends = ends.each_ref().map(place);
        let off = |a: usize, b: usize| (found.ends[0] - ends[a]).norm().max((found.ends[1] - ends[b]).norm());
        assert!(off(0, 1).min(off(1, 0)) < 1e-6 * size, "seed {seed}: {:?} for {ends:?}", found.ends);
    }
}

#[test]
fn points_have_the_least_capsule_along_a_principal_axis() {
    moved(&[[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]; 2], 0.0);
    moved(&[[0.0, 0.0, 1.0], [0.0, 0.0, 4.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 4.0]], 0.0);
    // A rectangle: along its longer side, though a ball around it is not much wider.
    let corners = [[0.6, 0.5, 0.0], [-0.6, 0.5, 0.0], [0.6, -0.5, 0.0], [-0.6, -0.5, 0.0]];
    moved(&corners, [[-0.6, 0.0, 0.0], [0.6, 0.0, 0.0]], 0.5);
    // A triangle: along its height it is thicker than along its base, but so much shorter that it is smaller.
    let (w, h) = (0.85, 1.5);
    let triangle = [[-w, 0.0, 0.0], [w, 0.0, 0.0], [0.0, h, 0.0]];
    moved(&triangle, [[0.0, 0.0, 0.0], [0.0, h - w, 0.0]], w);
    // A rod with noses, 0.6 beside its axis: the ball at an end of the segment reaches √(1 − 0.36) = 0.8 farther there.
    let mut rod: Vec<[f64; 3]> = Vec::new();
    for (x, y) in [(5.0, 1.0), (6.9, 0.6)] {
        rod.extend([[x, y, 0.0], [x, -y, 0.0], [-x, y, 0.0], [-x, -y, 0.0]]);
    }
    moved(&rod, [[-6.1, 0.0, 0.0], [6.1, 0.0, 0.0]], 1.0);
}

#[test]
fn balls_of_several_sizes_are_held_between_their_outermost_sides() {
    let ball = |x: f64, y: f64, radius: f64| Capsule { ends: [Vector([x, y, 0.0]); 2], radius };
    // From −1.1 to 1.4 across.
    let balls = [ball(5.0, 1.0, 0.4), ball(-5.0, 1.0, 0.4), ball(5.0, -1.0, 0.1), ball(-5.0, -1.0, 0.1)];
    let found = Capsule::around_all(&balls).unwrap();
    is("four balls", found, [Vector([-5.0, 0.15, 0.0]), Vector([5.0, 0.15, 0.0])], 1.25);
    assert_eq!(Capsule::around_all(&[]), None);
    assert_eq!(Capsule::around_all(&[balls[0], ball(0.0, 0.0, f64::NAN)]), None);
    assert_eq!(Capsule::around_all(&[balls[0], ball(f64::INFINITY, 0.0, 0.1)]), None);
    let one = Capsule { ends: [Vector([0.3, 0.1, 0.0]), Vector([0.1, 0.4, 2.0])], radius: 0.2 };
    is("one", Capsule::around_all(&[one]).unwrap(), one.ends, 0.2);
}

#[test]
fn what_is_inside_a_large_ball_adds_nothing() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut vector = |size: f64| Vector(std::array::from_fn(|_| size * random.normal()));
        let centre = vector(0.7);
        let small: Vec<_> = (0..3).map(|_| centre + vector(0.1)).collect();
        let large = Capsule { ends: [centre; 2], radius: 2.0 };
        let mut all = vec![large];
        all.extend(small.iter().map(|p| Capsule { ends: [*p, centre], radius: 0.05 }));
        is(&format!("seed {seed}"), Capsule::around_all(&all).unwrap(), large.ends, 2.0);
    }
}

/// Of two segments: the least over the ends of either and, if the lines pass within both, of their common perpendicular.
fn apart(a: Segment, b: Segment) -> f64 {
    let to_segment = |p: Vector<f64>, [q, end]: Segment| {
        let along = end - q;
        let length = along.norm_squared();
        let at = if length > 0.0 { ((p - q).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        (q + along.times(at) - p).norm()
    };
    let mut least = (to_segment(a[0], b).min(to_segment(a[1], b))).min(to_segment(b[0], a).min(to_segment(b[1], a)));
    let (d, e) = (a[1] - a[0], b[1] - b[0]);
    let normal = d.cross(e);
    if normal.norm() > 1e-9 * d.norm() * e.norm() {
        // Along its normal, by Cramer's rule.
        let (r, square) = (b[0] - a[0], normal.norm_squared());
        let (s, t) = (r.cross(e).dot(normal) / square, r.cross(d).dot(normal) / square);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min(r.dot(normal).abs() / normal.norm());
        }
    }
    least
}

#[test]
fn distances_are_those_of_ends_and_common_perpendiculars_at_any_size() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let size = 10_f64.powf(between(&mut random, -4.0, 1.0));
        let mut point = || Vector(std::array::from_fn(|_| size * random.normal()));
        let (p, q, along, other) = (point(), point(), point(), point());
        // Among them points, parallels and such as lie in one line.
        let [a, b] = match seed % 8 {
            0 => [[p, p], [q, q + other]],
            1 => [[p, p + along], [q, q]],
            2 => [[p, p], [q, q]],
            3 => [[p, p + along], [q, q + along.times(-2.0)]],
            4 => [[p, p + along], [p + along.times(3.0), p + along.times(1.5)]],
            _ => [[p, p + along], [q, q + other.times(3.0)]],
        };
        let (one, two) = (Capsule { ends: a, radius: 0.3 * size }, Capsule { ends: b, radius: 0.1 * size });
        let expected = apart(a, b) / size - 0.4;
        close(&format!("seed {seed}"), one.distance(&two) / size, expected, 1e-7);
        close(&format!("seed {seed}, the other way"), two.distance(&one) / size, expected, 1e-7);
    }
    // A cross with arms of 3 and 4 above each other, and beside each other.
    let capsule = |ends: [[f64; 3]; 2], radius: f64| Capsule { ends: ends.map(Vector), radius };
    let lying = capsule([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], 0.25);
    close("crossing", lying.distance(&capsule([[0.0, -4.0, 2.0], [0.0, 4.0, 2.0]], 0.5)), 1.25, 1e-12);
    close("beside", lying.distance(&capsule([[6.0, 4.0, 0.0], [6.0, 9.0, 0.0]], 0.5)), 4.25, 1e-12);
    close("inside", lying.distance(&lying), -0.5, 1e-12);
}
