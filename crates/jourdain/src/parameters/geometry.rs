//! The geometry of a robot over a field: what the structure of its dynamics depends on.
//!
//! Frames, joints and gravity of a [lowered](crate::model::lowered) robot, in an exact field exactly: products of rotations
//! stay rotations and lengths are the decimals of the file. A joint is a sequence of *steps*; a step moves the link
//! by a group of motions given by its generators, twists that are constant in the link. A joint that is a product of
//! exponentials has one step per factor, a spherical or free joint one step with three or six generators.

use super::field::{Field, cross, dot};
use super::snap::largest_length;
use super::transport::Twist;
use crate::model::description::{LinkDescription, Placement};
use crate::model::joint::Given;
use crate::model::lowered::{Constants, Coupling, Lowered, LoweredLink, couplings};
use crate::model::{Description, Motion, Number, Screw};
use crate::spatial::Vector;

pub(crate) use crate::model::lowered::Frame;

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
    /// The joint that it follows, in metres and radians.
    pub coupling: Option<Coupling<Number>>,
}

/// The whole robot.
#[derive(Clone, Debug)]
pub(crate) struct Geometry<F> {
    /// Divisor of all lengths; 1 in an exact field.
    pub unit: f64,
    /// The direction of gravity, of any length.
    pub gravity: [F; 3],
    pub links: Vec<LinkGeometry<F>>,
}

impl<F: Field> Geometry<F> {
    /// The geometry of a robot whose links stand in order.
    pub fn new(description: &Description) -> Self {
        let unit = if F::EXACT { 1.0 } else { unit(description) };
        Self::of_lowered(description, Lowered::new(description, unit), unit)
    }

    /// The same with lengths and angles from elsewhere.
    pub fn with_constants(description: &Description, constants: &impl Constants<F>) -> Self {
        Self::of_lowered(description, Lowered::with_constants(description, constants), 1.0)
    }

    fn of_lowered(description: &Description, lowered: Lowered<F>, unit: f64) -> Self {
        let couplings = couplings(description);
        let mut links: Vec<_> = lowered.links.into_iter().collect();
        for (follower, coupling) in couplings.iter().enumerate() {
            let members = coupling.iter().flat_map(|coupling| [coupling.leader, follower]);
            members.for_each(|link| normalise(&mut links[link], &description.links[link]));
        }
        let link = |(link, coupling)| LinkGeometry::new(link, coupling);
        Self {
            unit,
            gravity: F::direction(lowered.gravity.0),
            links: links.into_iter().zip(couplings).map(link).collect(),
        }
    }
}

/// Gives the axis of a joint of one number unit length: joints that turn together are compared by their speeds.
fn normalise<F: Field>(lowered: &mut LoweredLink<F>, link: &LinkDescription) {
    // The axis of a table of either convention is z.
    let (Motion::Product(screws), Placement::Origin { .. }) = (&mut lowered.motion, &link.placement) else { return };
    let [screw] = &mut screws[..] else { return };
    link.joint.kind.visit(&mut |_, part| {
        if let (Given::Axis(given), Screw::Rotation { axis, .. } | Screw::Translation { axis }) = (part, &mut *screw) {
            *axis = Vector(F::unit_direction(*given));
        }
    });
}

impl<F> Geometry<F> {
    /// The same over another field.
    pub fn map<G>(&self, f: impl Fn(&F) -> G) -> Geometry<G> {
        let frame = |frame: &Frame<F>| Frame {
            rotation: frame.rotation.each_ref().map(|row| row.each_ref().map(&f)),
            translation: frame.translation.each_ref().map(&f),
        };
        let generator = |one: &Generator<F>| Generator { twist: one.twist.each_ref().map(&f), square: f(&one.square) };
        let link = |link: &LinkGeometry<F>| LinkGeometry {
            parent: link.parent,
            placement: frame(&link.placement),
            steps: link.steps.iter().map(|step| step.iter().map(generator).collect()).collect(),
            turns: link.turns.clone(),
            coupling: link.coupling,
        };
        Geometry {
            unit: self.unit,
            gravity: self.gravity.each_ref().map(&f),
            links: self.links.iter().map(link).collect(),
        }
    }
}

/// The power of two next above the largest length: dividing by it rounds nothing.
fn unit(description: &Description) -> f64 {
    let largest = largest_length(description);
    if largest > 0.0 && largest.is_finite() { largest.log2().ceil().clamp(-900.0, 900.0).exp2() } else { 1.0 }
}

impl<F: Field> LinkGeometry<F> {
    fn new(link: LoweredLink<F>, coupling: Option<Coupling<Number>>) -> Self {
        let (screws, single) = match link.motion {
            Motion::Product(screws) => (screws, false),
            Motion::Spherical { center } => ((0..3).map(|i| about(i, center.0.clone())).collect(), true),
            Motion::Free => {
                let origin = || std::array::from_fn(|_| F::zero());
                let slides = (0..3).map(|i| Screw::Translation { axis: Vector(unit_vector(i)) });
                (slides.chain((0..3).map(|i| about(i, origin()))).collect(), true)
            }
        };
        let turns = screws.iter().map(|screw| matches!(screw, Screw::Rotation { .. })).collect();
        let generators: Vec<_> = screws.into_iter().map(Generator::new).collect();
        let steps = if single { vec![generators] } else { generators.into_iter().map(|one| vec![one]).collect() };
        Self { parent: link.parent, placement: link.placement, steps, turns, coupling }
    }
}

/// Rotation about a coordinate axis through a point.
fn about<F: Field>(i: usize, point: [F; 3]) -> Screw<F> {
    Screw::Rotation { axis: Vector(unit_vector(i)), point: Vector(point), pitch: F::zero() }
}

fn unit_vector<F: Field>(i: usize) -> [F; 3] {
    std::array::from_fn(|j| if i == j { F::one() } else { F::zero() })
}

impl<F: Field> Generator<F> {
    fn new(screw: Screw<F>) -> Self {
        let zero = || std::array::from_fn(|_| F::zero());
        let (linear, angular, square): ([F; 3], [F; 3], F) = match screw {
            Screw::Rotation { axis: Vector(a), point: Vector(p), pitch } => {
                let moment = cross(&p, &a);
                let square = dot(&a, &a);
                (std::array::from_fn(|i| moment[i].add(&pitch.mul(&a[i]))), a, square)
            }
            Screw::Translation { axis: Vector(a) } => {
                let square = dot(&a, &a);
                (a, zero(), square)
            }
        };
        let twist = std::array::from_fn(|i| if i < 3 { linear[i].clone() } else { angular[i - 3].clone() });
        Self { twist, square }
    }
}
