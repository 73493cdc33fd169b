//! The geometry of a robot over a field: what the structure of its dynamics depends on.
//!
//! Frames, axes and gravity of a [`Description`], in an exact field exactly: products of rotations stay rotations and lengths
//! are the decimals of the file. A joint is a sequence of *steps*; a step moves the link
//! by a group of motions given by its generators, twists that are constant in the link. A joint that is a product of
//! exponentials has one step per factor, a spherical or free joint one step with three or six generators.

use super::field::{Field, dot};
use super::snap::largest_length;
use super::transport::{Twist, cross, twist_in};
use crate::model::Number;
use crate::model::description::{
    Description, DhConvention, DhParameters, GROUND, JointKind, LinkDescription, Orientation, Placement,
    ScrewDescription, ScrewKind,
};

/// A pose: where a frame is in its parent.
#[derive(Clone, Debug)]
pub(crate) struct Frame<F> {
    pub rotation: [[F; 3]; 3],
    pub translation: [F; 3],
}

impl<F: Field> Frame<F> {
    pub fn identity() -> Self {
        let unit = |r: usize, c: usize| if r == c { F::one() } else { F::zero() };
        Self {
            rotation: std::array::from_fn(|r| std::array::from_fn(|c| unit(r, c))),
            translation: std::array::from_fn(|_| F::zero()),
        }
    }

    /// Rotation about coordinate axis `i` with this cosine and sine.
    pub fn turn(i: usize, (cos, sin): (F, F)) -> Self {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut frame = Self::identity();
        (frame.rotation[j][j], frame.rotation[k][k]) = (cos.clone(), cos);
        (frame.rotation[j][k], frame.rotation[k][j]) = (sin.neg(), sin);
        frame
    }

    fn shift(translation: [F; 3]) -> Self {
        Self { translation, ..Self::identity() }
    }

    /// The rotation of a quaternion of any length.
    pub fn from_quaternion([w, x, y, z]: &[F; 4]) -> Self {
        let norm = dot(&[w.clone(), x.clone(), y.clone(), z.clone()], &[w.clone(), x.clone(), y.clone(), z.clone()]);
        let scale = F::integer(2).mul(&norm.inverse());
        let product = |a: &F, b: &F| a.mul(b).mul(&scale);
        let one = F::one();
        let (xx, yy, zz) = (product(x, x), product(y, y), product(z, z));
        let (xy, xz, yz) = (product(x, y), product(x, z), product(y, z));
        let (wx, wy, wz) = (product(w, x), product(w, y), product(w, z));
        let rotation = [
            [one.sub(&yy).sub(&zz), xy.sub(&wz), xz.add(&wy)],
            [xy.add(&wz), one.sub(&xx).sub(&zz), yz.sub(&wx)],
            [xz.sub(&wy), yz.add(&wx), one.sub(&xx).sub(&yy)],
        ];
        Self { rotation, ..Self::identity() }
    }

    /// A vector of the frame, in the parent's axes.
    pub fn to_parent(&self, v: &[F]) -> [F; 3] {
        std::array::from_fn(|r| dot(&self.rotation[r], v))
    }

    /// A vector of the parent, in the frame's axes.
    pub fn to_local(&self, v: &[F]) -> [F; 3] {
        std::array::from_fn(|c| {
            let column = [self.rotation[0][c].clone(), self.rotation[1][c].clone(), self.rotation[2][c].clone()];
            dot(&column, v)
        })
    }

    /// First `self`, then `next` in its axes.
    pub fn then(&self, next: &Self) -> Self {
        let moved = self.to_parent(&next.translation);
        let column = |c: usize| [0, 1, 2].map(|r: usize| next.rotation[r][c].clone());
        Self {
            rotation: std::array::from_fn(|r| std::array::from_fn(|c| dot(&self.rotation[r], &column(c)))),
            translation: std::array::from_fn(|i| self.translation[i].add(&moved[i])),
        }
    }
}

/// One motion of a step: a twist of the link, in link axes at the link origin, constant there.
#[derive(Clone, Debug)]
pub(crate) struct Generator<F> {
    pub twist: Twist<F>,
    /// The square of the axis's length: exact fields do not make it 1.
    pub square: F,
}

/// A link's place and joint.
#[derive(Clone, Debug)]
pub(crate) struct LinkGeometry<F> {
    pub parent: Option<usize>,
    pub placement: Frame<F>,
    pub steps: Vec<Vec<Generator<F>>>,
    /// Per velocity number of the joint: it turns, so that its armature is a moment of inertia.
    pub turns: Vec<bool>,
}

/// A length of a robot file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Denavit–Hartenberg, by its letter in the literature: D, R or B.
    Dh(&'static str),
    /// A coordinate of the link's position.
    Position(&'static str),
    /// A coordinate of a point on a joint axis.
    Point(&'static str),
    /// Travel per radian.
    Pitch,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Where the lengths and angles of a geometry come from: numbers of the file, or symbols for them.
pub(crate) trait Constants<F> {
    /// A length of link number `link`.
    fn length(&self, link: usize, part: Part, number: Number) -> F;

    /// Cosine and sine of an angle of link number `link`.
    fn cos_sin(&self, link: usize, name: &'static str, angle: f64) -> (F, F);
}

/// The numbers of the file, lengths divided by a unit.
struct Numbers(f64);

impl<F: Field> Constants<F> for Numbers {
    fn length(&self, _: usize, _: Part, number: Number) -> F {
        F::from_number(number, self.0)
    }

    fn cos_sin(&self, _: usize, _: &'static str, angle: f64) -> (F, F) {
        F::cos_sin(angle)
    }
}

/// The whole robot.
#[derive(Clone, Debug)]
pub(crate) struct Geometry<F> {
    /// Divisor of all lengths; 1 in an exact field.
    pub unit: f64,
    pub gravity: [F; 3],
    pub links: Vec<LinkGeometry<F>>,
}

impl<F: Field> Geometry<F> {
    /// The geometry of a robot whose links stand in order.
    pub fn new(description: &Description) -> Self {
        let unit = if F::EXACT { 1.0 } else { unit(description) };
        Self::with_constants(description, unit, &Numbers(unit))
    }

    /// The same with lengths, in this unit, and angles from elsewhere.
    pub fn with_constants(description: &Description, unit: f64, constants: &impl Constants<F>) -> Self {
        let mut links = Vec::with_capacity(description.links.len());
        let mut index = std::collections::HashMap::new();
        for (i, link) in description.links.iter().enumerate() {
            let parent = if link.parent == GROUND { None } else { index.get(link.parent.as_str()).copied() };
            links.push(Builder { index: i, constants }.link(link, parent));
            index.insert(link.name.as_str(), i);
        }
        let gravity = F::direction(description.gravity.map(|x| F::from_number(x, 1.0)));
        Self { unit, gravity, links }
    }
}

/// The power of two next above the largest length: dividing by it rounds nothing.
fn unit(description: &Description) -> f64 {
    let largest = largest_length(description);
    if largest > 0.0 && largest.is_finite() { largest.log2().ceil().clamp(-900.0, 900.0).exp2() } else { 1.0 }
}

/// Axis, point, pitch and whether it turns.
struct Screw<F> {
    axis: [F; 3],
    point: [F; 3],
    pitch: F,
    turns: bool,
}

/// Builds one link.
struct Builder<'a, C> {
    index: usize,
    constants: &'a C,
}

impl<C> Builder<'_, C> {
    fn point<F: Field>(&self, point: [Number; 3]) -> [F; 3]
    where
        C: Constants<F>,
    {
        std::array::from_fn(|i| self.constants.length(self.index, Part::Point(AXES[i]), point[i]))
    }

    fn pitch<F: Field>(&self, pitch: Number) -> F
    where
        C: Constants<F>,
    {
        self.constants.length(self.index, Part::Pitch, pitch)
    }

    fn link<F: Field>(&self, link: &LinkDescription, parent: Option<usize>) -> LinkGeometry<F>
    where
        C: Constants<F>,
    {
        let placement = self.placement::<F>(link);
        let (mut steps, turns) = self.joint::<F>(link);
        if matches!(link.placement, Placement::Dh { convention: DhConvention::Standard, .. }) {
            seen_from_link(&placement, &link.joint.kind, &mut steps);
        }
        LinkGeometry { parent, placement, steps, turns }
    }

    fn placement<F: Field>(&self, link: &LinkDescription) -> Frame<F>
    where
        C: Constants<F>,
    {
        match &link.placement {
            Placement::Origin { xyz, orientation } => {
                let turned = match orientation {
                    Orientation::Rpy(rpy) => {
                        let name = |i: usize| ["roll", "pitch", "yaw"][i];
                        let turn = |i| Frame::turn(i, self.constants.cos_sin(self.index, name(i), rpy[i].value));
                        turn(2).then(&turn(1)).then(&turn(0))
                    }
                    Orientation::Quaternion(q) => Frame::from_quaternion(&q.map(|x| F::from_number(x, 1.0))),
                };
                let part = |i: usize| self.constants.length(self.index, Part::Position(AXES[i]), xyz[i]);
                Frame { translation: std::array::from_fn(part), ..turned }
            }
            Placement::Dh { convention, parameters: p } => {
                let [outer, x, z] = self.dh_factors::<F>(p);
                match convention {
                    DhConvention::Modified => outer.then(&x).then(&z),
                    DhConvention::Standard => z.then(&x),
                }
            }
        }
    }

    /// Rz(γ) Tz(b), Rx(α) Tx(a), Rz(θ) Tz(d).
    fn dh_factors<F: Field>(&self, p: &DhParameters) -> [Frame<F>; 3]
    where
        C: Constants<F>,
    {
        let motion = |i: usize, name: &'static str, angle: Number, letter: &'static str, along: Number| {
            let turn = Frame::turn(i, self.constants.cos_sin(self.index, name, angle.value));
            let mut translation = std::array::from_fn(|_| F::zero());
            translation[i] = self.constants.length(self.index, Part::Dh(letter), along);
            turn.then(&Frame::shift(translation))
        };
        [
            motion(2, "gamma", p.gamma, "B", p.b),
            motion(0, "alpha", p.alpha, "D", p.a),
            motion(2, "theta", p.theta, "R", p.d),
        ]
    }

    fn joint<F: Field>(&self, link: &LinkDescription) -> (Vec<Vec<Generator<F>>>, Vec<bool>)
    where
        C: Constants<F>,
    {
        let zero = || std::array::from_fn(|_| F::zero());
        let turning = |axis, point, pitch| Screw { axis, point, pitch, turns: true };
        let sliding = |axis| Screw { axis, point: std::array::from_fn(|_| F::zero()), pitch: F::zero(), turns: false };
        let unit = |i: usize| -> [F; 3] { std::array::from_fn(|j| if i == j { F::one() } else { F::zero() }) };
        let (screws, single): (Vec<Screw<F>>, bool) = match &link.joint.kind {
            JointKind::Fixed => (Vec::new(), false),
            JointKind::Revolute { axis, point } => {
                (vec![turning(direction(*axis), self.point(*point), F::zero())], false)
            }
            JointKind::Prismatic { axis } => (vec![sliding(direction(*axis))], false),
            JointKind::Helical { axis, point, pitch } => {
                (vec![turning(direction(*axis), self.point(*point), self.pitch(*pitch))], false)
            }
            JointKind::Cylindrical { axis, point } => {
                let axis: [F; 3] = direction(*axis);
                (vec![turning(axis.clone(), self.point(*point), F::zero()), sliding(axis)], false)
            }
            JointKind::Universal { axes, point } => {
                let axes = axes.map(|axis| direction::<F>(axis));
                (axes.map(|axis| turning(axis, self.point(*point), F::zero())).into_iter().collect(), false)
            }
            JointKind::Planar { axis, point } => {
                let normal: [F; 3] = direction(*axis);
                let [x, y] = plane_axes(*axis, &normal);
                (vec![sliding(x), sliding(y), turning(normal, self.point(*point), F::zero())], false)
            }
            JointKind::Composite { sequence } => {
                let screw = |screw: &ScrewDescription| {
                    let axis = direction(screw.axis);
                    match screw.kind {
                        ScrewKind::Revolute => turning(axis, self.point(screw.point), F::zero()),
                        ScrewKind::Helical => turning(axis, self.point(screw.point), self.pitch(screw.pitch)),
                        ScrewKind::Prismatic => sliding(axis),
                    }
                };
                (sequence.iter().map(screw).collect(), false)
            }
            JointKind::Spherical { point } => {
                ((0..3).map(|i| turning(unit(i), self.point(*point), F::zero())).collect(), true)
            }
            JointKind::Free => {
                let slides = (0..3).map(|i| sliding(unit(i)));
                (slides.chain((0..3).map(|i| turning(unit(i), zero(), F::zero()))).collect(), true)
            }
        };
        let turns = screws.iter().map(|screw| screw.turns).collect();
        let generators: Vec<_> = screws.into_iter().map(Screw::generator).collect();
        let steps = if single { vec![generators] } else { generators.into_iter().map(|one| vec![one]).collect() };
        (steps, turns)
    }
}

/// In the standard convention a joint is described in the frame before the link's: exp(Z q) A = A exp(Ad(A⁻¹) Z q). A
/// spherical or free joint has its velocities in link axes all the same; only the centre is to be moved.
fn seen_from_link<F: Field>(placement: &Frame<F>, kind: &JointKind, steps: &mut [Vec<Generator<F>>]) {
    let twists: Vec<_> = steps.iter().flatten().map(|generator| twist_in(placement, &generator.twist)).collect();
    for (i, generator) in steps.iter_mut().flatten().enumerate() {
        generator.twist = match kind {
            JointKind::Free => continue,
            // The combination of the turned rotations that is the one about link axis i.
            JointKind::Spherical { .. } => std::array::from_fn(|k| {
                (0..3).fold(F::zero(), |sum, j| sum.add(&placement.rotation[j][i].mul(&twists[j][k])))
            }),
            _ => twists[i].clone(),
        };
    }
}

impl<F: Field> Screw<F> {
    fn generator(self) -> Generator<F> {
        let Self { axis: a, point: p, pitch, turns } = self;
        let square = dot(&a, &a);
        let moment = cross(&p, &a);
        let twist = std::array::from_fn(|i| match (turns, i) {
            (true, 0..=2) => moment[i].add(&pitch.mul(&a[i])),
            (true, _) => a[i - 3].clone(),
            (false, 0..=2) => a[i].clone(),
            (false, _) => F::zero(),
        });
        Generator { twist, square }
    }
}

fn direction<F: Field>(axis: [Number; 3]) -> [F; 3] {
    F::direction(axis.map(|x| F::from_number(x, 1.0)))
}

/// The directions of a planar joint's translations, of any length: the rule of [`Joint::planar`](crate::model::Joint::planar).
fn plane_axes<F: Field>(given: [Number; 3], n: &[F; 3]) -> [[F; 3]; 2] {
    let largest = [0, 1].into_iter().fold(
        2,
        |best: usize, i| {
            if given[i].value.abs() > given[best].value.abs() { i } else { best }
        },
    );
    let seed = (largest + 1) % 3;
    let factor = n[seed].mul(&dot(n, n).inverse());
    let x: [F; 3] = std::array::from_fn(|i| {
        let e = if i == seed { F::one() } else { F::zero() };
        e.sub(&n[i].mul(&factor))
    });
    let y = cross(n, &x);
    [F::direction(x), F::direction(y)]
}
