//! Where the lengths and angles of a lowered robot come from, and the screws that joints make of them.

use crate::model::field::Field;
use crate::model::joint::Screw;
use crate::model::number::Number;
use crate::spatial::Vector;

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

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Where the lengths and angles of a robot come from: numbers of the file, or symbols for them.
pub(crate) trait Constants<F> {
    /// A length of link number `link`.
    fn length(&self, link: usize, part: Part, number: Number) -> F;

    /// Cosine and sine of an angle of link number `link`.
    fn cos_sin(&self, link: usize, name: &'static str, angle: f64) -> (F, F);
}

/// The numbers of the file, lengths divided by a unit.
pub(crate) struct Numbers(pub f64);

/// The numbers of the file as they are.
pub(crate) const NUMBERS: Numbers = Numbers(1.0);

impl<F: Field> Constants<F> for Numbers {
    fn length(&self, _: usize, _: Part, number: Number) -> F {
        F::from_number(number, self.0)
    }

    fn cos_sin(&self, _: usize, _: &'static str, angle: f64) -> (F, F) {
        F::cos_sin(angle)
    }
}

/// What one link is lowered with.
pub(crate) struct Lowering<'a, F> {
    link: usize,
    constants: &'a dyn Constants<F>,
}

impl<'a, F: Field> Lowering<'a, F> {
    pub fn new(link: usize, constants: &'a dyn Constants<F>) -> Self {
        Self { link, constants }
    }

    /// A length of the link.
    pub fn length(&self, part: Part, number: Number) -> F {
        self.constants.length(self.link, part, number)
    }

    /// Cosine and sine of an angle of the link.
    pub fn cos_sin(&self, name: &'static str, angle: Number) -> (F, F) {
        self.constants.cos_sin(self.link, name, angle.value)
    }

    /// A direction, of unit length where the field can.
    pub fn direction(&self, axis: &[Number; 3]) -> Vector<F> {
        Vector(F::direction(axis.map(|x| F::from_number(x, 1.0))))
    }

    /// A point on a joint axis.
    pub fn point(&self, point: &[Number; 3]) -> Vector<F> {
        Vector(std::array::from_fn(|i| self.length(Part::Point(AXES[i]), point[i])))
    }

    /// Rotation about an axis through a point.
    pub fn turn(&self, axis: &[Number; 3], point: &[Number; 3]) -> Screw<F> {
        Screw::Rotation { axis: self.direction(axis), point: self.point(point), pitch: F::zero() }
    }

    /// Rotation about an axis through a point with travel along it.
    pub fn helix(&self, axis: &[Number; 3], point: &[Number; 3], pitch: Number) -> Screw<F> {
        Screw::Rotation { axis: self.direction(axis), point: self.point(point), pitch: self.length(Part::Pitch, pitch) }
    }

    /// Translation along an axis.
    pub fn slide(&self, axis: &[Number; 3]) -> Screw<F> {
        Screw::Translation { axis: self.direction(axis) }
    }
}
