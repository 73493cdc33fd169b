//! What holds a joint beside its motor: a spring, a gas or hydraulic cylinder, or any function of its position.
//!
//! Every kind becomes one [`Formula`] s(q), the torque (N m, or N) that acts **on** the joint along q, so that the motor is left with τ − s(q).
//!
//! - A cylinder pushes its ends apart with F(l). With u the joint's axis, v from a point of it to the end on the link and w to the end on the
//!   link before, both at q = 0 in the link frame, l² = A − B cos q − C sin q with A = |v|² + |w|² − 2 (u·v)(u·w), B = 2 (v·w − (u·v)(u·w)),
//!   C = 2 w·(u × v), and s = F dl/dq by the principle of virtual work.
//! - A table is the natural cubic spline through its points, which is a + b q + Σ c_i |q − q_i|³ everywhere, and goes on straight. |x|³ is
//!   x² √(x² + ε²), so that nothing branches on the position.

use super::formula::{Formula, FormulaError};
use super::joint::{Motion, Screw};
use super::number::Number;
use crate::spatial::{Pose, Vector};

/// The most points of a table.
pub const MOST_POINTS: usize = 100;
/// ε of a table as a share of its range: what it changes of the values is its square.
const SMOOTH: f64 = 1e-6;

/// What holds a joint, as a file gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum BalanceDescription {
    /// A spring about or along the joint: −stiffness (q − rest).
    Spring {
        /// N m/rad or N/m.
        stiffness: Number,
        /// Where it is at rest, rad or m.
        rest: Number,
    },
    /// A function of the joint's position `q`, as text.
    Formula(String),
    /// Points of position and torque, positions rising.
    Table(Vec<[f64; 2]>),
    /// A cylinder between two links.
    Cylinder(Box<Cylinder>),
}

/// A cylinder or spring from a point of the link before to a point of the link. It pushes them apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Its end on the link before, in that link's frame, m.
    pub from: [Number; 3],
    /// Its end on the link, in the link frame, m.
    pub to: [Number; 3],
    /// Its force at `length`, N; negative if it pulls.
    pub force: Number,
    /// The length that `force` is for, m.
    pub length: Number,
    /// What the force falls by as it grows longer.
    pub rise: Rise,
}

/// How the force of a cylinder depends on its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rise {
    /// force − stiffness (l − length): a spring, N/m; zero for a constant force.
    Stiffness(Number),
    /// force · gas/(gas + l − length): gas at constant temperature, whose column is `gas` long at `length`, m; negative where it is pressed as
    /// the cylinder grows longer.
    Gas(Number),
}

/// Why there is no function to be made of a description.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BalanceError {
    /// The text is no formula.
    #[error("its formula is none: {0}")]
    Formula(#[from] FormulaError),
    /// A table with too few or too many points, or in disorder.
    #[error("its table has {0} points; it takes 2 to {MOST_POINTS}, at rising positions")]
    Table(usize),
    /// A cylinder at a joint that neither turns nor slides.
    #[error("a cylinder moves with revolute and prismatic joints alone")]
    Joint,
    /// A cylinder whose ends meet.
    #[error("the ends of its cylinder meet, or do not move against each other")]
    Length,
    /// A gas whose column has no length at a position that can be reached.
    #[error("the gas of its cylinder would be pressed to nothing")]
    Gas,
}

impl BalanceDescription {
    /// The torque on the joint as a function of its position; `placement` and `motion` are those of the link.
    ///
    /// # Errors
    /// Where there is no such function.
    pub fn formula(&self, placement: &Pose<f64>, motion: &Motion<f64>) -> Result<Formula, BalanceError> {
        let text = match self {
            Self::Spring { stiffness, rest } => format!("-({:?})*(q - ({:?}))", stiffness.value, rest.value),
            Self::Formula(text) => return Ok(Formula::parse(text)?),
            Self::Table(points) => table(points).ok_or(BalanceError::Table(points.len()))?,
            Self::Cylinder(cylinder) => cylinder.formula(placement, motion)?,
        };
        Ok(Formula::parse(&text)?)
    }

    /// Its numbers, for checks of their size.
    #[must_use]
    pub fn numbers(&self) -> Vec<Number> {
        match self {
            Self::Spring { stiffness, rest } => vec![*stiffness, *rest],
            Self::Formula(_) => Vec::new(),
            Self::Table(points) => points.as_flattened().iter().map(|&x| Number::from(x)).collect(),
            Self::Cylinder(cylinder) => {
                let Cylinder { from, to, force, length, rise: Rise::Stiffness(rise) | Rise::Gas(rise) } = &**cylinder;
                from.iter().chain(to).chain([force, length, rise]).copied().collect()
            }
        }
    }
}

impl Cylinder {
    fn formula(&self, placement: &Pose<f64>, motion: &Motion<f64>) -> Result<String, BalanceError> {
        let Motion::Product(screws) = motion else { return Err(BalanceError::Joint) };
        let [screw] = &screws[..] else { return Err(BalanceError::Joint) };
        let place = |end: [Number; 3]| Vector(end.map(|x| x.value));
        let (to, from) = (place(self.to), placement.inverse().apply(place(self.from)));
        // The square of the length, half its slope, and the least and largest length.
        let (square, half_slope, [least, most]) = match *screw {
            Screw::Rotation { axis, point, pitch: 0.0 } => {
                let (v, w) = (to - point, from - point);
                let (along_v, along_w) = (axis.dot(v), axis.dot(w));
                let a = v.norm_squared() + w.norm_squared() - 2.0 * along_v * along_w;
                let b = 2.0 * (v.dot(w) - along_v * along_w);
                let c = 2.0 * w.dot(axis.cross(v));
                let swing = b.hypot(c);
                (
                    format!("({a:?} - ({b:?})*cos(q) - ({c:?})*sin(q))"),
                    format!("(({b:?})*sin(q) - ({c:?})*cos(q))/2"),
                    [(a - swing).max(0.0).sqrt(), (a + swing).sqrt()],
                )
            }
            Screw::Translation { axis } => {
                let between = to - from;
                let along = axis.dot(between);
                let (constant, aside) = (between.norm_squared(), (between - axis.times(along)).norm());
                (format!("({constant:?} + 2*({along:?})*q + q^2)"), format!("(q + ({along:?}))"), [aside, f64::MAX])
            }
            Screw::Rotation { .. } => return Err(BalanceError::Joint),
        };
        if least <= 1e-9 * most.min(1.0) || most - least <= 1e-9 * most {
            return Err(BalanceError::Length);
        }
        let (force, length) = (self.force.value, self.length.value);
        let force = match self.rise {
            Rise::Stiffness(stiffness) => {
                format!("({force:?} - ({:?})*(sqrt({square}) - ({length:?})))", stiffness.value)
            }
            Rise::Gas(gas) => {
                let gas = gas.value;
                let column = |l: f64| gas + l - length;
                // A column of one sign all the way; a sliding one may go on for ever.
                if gas == 0.0 || column(least) * gas <= 0.0 || (most < f64::MAX && column(most) * gas <= 0.0) {
                    return Err(BalanceError::Gas);
                }
                format!("({force:?})*({gas:?})/(({gas:?}) + sqrt({square}) - ({length:?}))")
            }
        };
        Ok(format!("{force}*{half_slope}/sqrt({square})"))
    }
}

/// The natural cubic spline through points, as text; `None` for too few or many points, or positions that do not rise.
fn table(points: &[[f64; 2]]) -> Option<String> {
    let n = points.len();
    let rises = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    if !(2..=MOST_POINTS).contains(&n) || !rises {
        return None;
    }
    let width = |i: usize| points[i + 1][0] - points[i][0];
    let slope = |i: usize| (points[i + 1][1] - points[i][1]) / width(i);
    // Second derivatives at the points by elimination, zero at both ends.
    let mut second = vec![0.0; n];
    let (mut pivots, mut right) = (vec![1.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let below = if i > 1 { width(i - 1) / pivots[i - 1] } else { 0.0 };
        pivots[i] = 2.0 * (width(i - 1) + width(i)) - below * width(i - 1);
        right[i] = 6.0 * (slope(i) - slope(i - 1)) - below * right[i - 1];
    }
    for i in (1..n - 1).rev() {
        second[i] = (right[i] - width(i) * second[i + 1]) / pivots[i];
    }
    let third = |i: usize| (second[i + 1] - second[i]) / width(i);
    let before = |i: usize| if i == 0 { 0.0 } else { third(i - 1) };
    let after = |i: usize| if i + 1 == n { 0.0 } else { third(i) };
    let jumps: Vec<f64> = (0..n).map(|i| (after(i) - before(i)) / 12.0).collect();
    let epsilon = (SMOOTH * (points[n - 1][0] - points[0][0])).powi(2);
    let cubes = |q: f64| {
        let cube = |x: f64| x * x * (x * x + epsilon).sqrt();
        points.iter().zip(&jumps).map(|(point, jump)| jump * cube(q - point[0])).sum::<f64>()
    };
    let [[first, low], [last, high]] = [points[0], points[n - 1]];
    let rise = ((high - cubes(last)) - (low - cubes(first))) / (last - first);
    let mut text = format!("({:?}) + ({rise:?})*(q - ({first:?}))", low - cubes(first));
    for (point, jump) in points.iter().zip(&jumps).filter(|(_, jump)| **jump != 0.0) {
        let square = format!("(q - ({:?}))^2", point[0]);
        text.push_str(&format!(" + ({jump:?})*{square}*sqrt({square} + {epsilon:?})"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::model::description::{Description, LinkDescription, Orientation, Placement, standard_gravity};
    use crate::model::joint::JointKind;

    fn numbers<const N: usize>(x: [f64; N]) -> [Number; N] {
        x.map(Number::from)
    }

    /// A link on a joint of this kind, placed anyhow.
    fn link(kind: JointKind) -> (Pose<f64>, Motion<f64>) {
        let mut link = LinkDescription::new("a", "base");
        link.mass = Number::ONE;
        link.inertia = crate::model::description::InertiaDescription::AboutCom(numbers([1.0, 0.0, 0.0, 1.0, 0.0, 1.0]));
        let orientation = Orientation::Rpy(numbers([0.3, -0.7, 1.1]));
        link.placement = Placement::Origin { xyz: numbers([0.1, 0.2, -0.3]), orientation };
        link.joint.kind = kind;
        let gravity = standard_gravity();
        let (name, states) = ("one".to_owned(), Vec::new());
        let robot = Description { name, gravity, allow_unphysical: false, links: vec![link], states };
        let model = Model::from_description(&robot).unwrap();
        (model.links()[0].placement, model.links()[0].joint.motion.clone())
    }

    /// F dl/dq by differences of the distance between the two ends.
    fn by_differences(cylinder: &Cylinder, force: impl Fn(f64) -> f64, of: &(Pose<f64>, Motion<f64>), q: f64) -> f64 {
        let Motion::Product(screws) = &of.1 else { panic!("a screw") };
        let end = |x: [Number; 3]| Vector(x.map(|x| x.value));
        let length = |q: f64| {
            let pose = of.0 * screws[0].exp(q);
            (pose.apply(end(cylinder.to)) - end(cylinder.from)).norm()
        };
        let step = 1e-5;
        force(length(q)) * (length(q + step) - length(q - step)) / (2.0 * step)
    }

    #[test]
    fn cylinders_do_the_work_of_their_force() {
        let axis = numbers([0.3, -0.5, 0.8]);
        let point = numbers([0.02, 0.1, -0.05]);
        let ends = (numbers([0.4, -0.3, 0.2]), numbers([0.5, 0.1, 0.2]));
        let kinds = [JointKind::Revolute { axis, point }, JointKind::Prismatic { axis }];
        for kind in kinds {
            let of = link(kind);
            for rise in [Rise::Stiffness(Number::from(2e4)), Rise::Gas(Number::from(2.5))] {
                let (force, length) = (Number::from(-3e3), Number::from(0.6));
                let cylinder = Cylinder { from: ends.0, to: ends.1, force, length, rise };
                let formula = BalanceDescription::Cylinder(Box::new(cylinder)).formula(&of.0, &of.1).unwrap();
                let force = |l: f64| match rise {
                    Rise::Stiffness(k) => force.value - k.value * (l - length.value),
                    Rise::Gas(gas) => force.value * gas.value / (gas.value + l - length.value),
                };
                for q in [-1.4, -0.2, 0.0, 0.3, 1.7, 3.0] {
                    let (found, exact) = (formula.at(q), by_differences(&cylinder, force, &of, q));
                    assert!((found - exact).abs() < 1e-5 * exact.abs().max(1.0), "{q}: {found} and {exact}");
                }
            }
        }
    }

    #[test]
    fn a_table_is_met_and_goes_on_straight() {
        let points: Vec<[f64; 2]> =
            [-1.5, -1.1, -0.3, 0.0, 0.4, 1.6].map(|q: f64| [q, 300.0 * (1.3 * q).sin() - 20.0]).to_vec();
        let formula = BalanceDescription::Table(points.clone());
        let of = link(JointKind::Prismatic { axis: numbers([0.0, 0.0, 1.0]) });
        let formula = formula.formula(&of.0, &of.1).unwrap();
        for [q, torque] in &points {
            assert!((formula.at(*q) - torque).abs() < 1e-9 * 300.0, "{q}");
        }
        // Beyond the ends it is straight, and between points it is a cubic: fourth differences vanish.
        let differs = |at: f64, order: usize, step: f64| {
            let mut values: Vec<f64> = (0..=order).map(|k| formula.at(at + step * k as f64)).collect();
            for k in 0..order {
                (0..order - k).for_each(|i| values[i] = values[i + 1] - values[i]);
            }
            values[0].abs()
        };
        assert!(differs(1.7, 2, 0.2) < 1e-8 && differs(-3.0, 2, 0.4) < 1e-8);
        assert!(differs(0.5, 4, 0.2) < 1e-8 && differs(0.5, 3, 0.2) > 1e-3);
    }

    #[test]
    fn a_table_of_two_points_is_a_line_and_disorder_is_refused() {
        let of = link(JointKind::Prismatic { axis: numbers([0.0, 0.0, 1.0]) });
        let formula = |points: &[[f64; 2]]| BalanceDescription::Table(points.to_vec()).formula(&of.0, &of.1);
        assert!((formula(&[[0.0, 1.0], [2.0, 5.0]]).unwrap().at(7.0_f64) - 15.0).abs() < 1e-12);
        assert_eq!(formula(&[[0.0, 1.0]]), Err(BalanceError::Table(1)));
        assert_eq!(formula(&[[0.0, 1.0], [0.0, 2.0]]), Err(BalanceError::Table(2)));
        let many: Vec<[f64; 2]> = (0..=MOST_POINTS).map(|i| [i as f64, 0.0]).collect();
        assert_eq!(formula(&many), Err(BalanceError::Table(MOST_POINTS + 1)));
        let noisy: Vec<[f64; 2]> =
            (0..MOST_POINTS).map(|i| [0.05 * i as f64, 100.0 * f64::from(i as u32 % 2)]).collect();
        let noisy_formula = formula(&noisy).unwrap();
        assert!(noisy.iter().all(|[q, torque]| (noisy_formula.at(*q) - torque).abs() < 1e-6), "the worst table");
    }

    #[test]
    fn cylinders_that_cannot_be_are_refused() {
        let z = numbers([0.0, 0.0, 1.0]);
        let of = link(JointKind::Revolute { axis: z, point: numbers([0.0; 3]) });
        let cylinder = |from: Vector<f64>, rise: Rise| {
            let from = of.0.apply(from).0.map(Number::from);
            let (to, force, length) = (numbers([0.5, 0.0, 0.0]), Number::from(1e3), Number::from(0.4));
            BalanceDescription::Cylinder(Box::new(Cylinder { from, to, force, length, rise })).formula(&of.0, &of.1)
        };
        let stiff = Rise::Stiffness(Number::ZERO);
        assert_eq!(cylinder(Vector::new(0.0, 0.5, 0.0), stiff), Err(BalanceError::Length));
        assert_eq!(cylinder(Vector::new(0.0, 0.0, 0.7), stiff), Err(BalanceError::Length));
        assert!(cylinder(Vector::new(0.2, 0.0, 0.1), stiff).is_ok());
        assert_eq!(cylinder(Vector::new(0.2, 0.0, 0.1), Rise::Gas(Number::from(0.01))), Err(BalanceError::Gas));
        let helical = link(JointKind::Helical { axis: z, point: numbers([0.0; 3]), pitch: Number::from(0.1) });
        let any =
            Cylinder { from: z, to: numbers([0.1, 0.0, 0.0]), force: Number::ONE, length: Number::ONE, rise: stiff };
        assert_eq!(
            BalanceDescription::Cylinder(Box::new(any)).formula(&helical.0, &helical.1),
            Err(BalanceError::Joint)
        );
    }
}
