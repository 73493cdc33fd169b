//! The one-parameter motions that joints are made of: rotation about, travel along, or both, a fixed axis.

use crate::spatial::{Pose, Rotation, Twist, Vector};
use jourdain_symbolic::{Ahead, Constant, Scalar};

/// A screw motion exp(X q) with a unit axis, in the frame it is written in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Screw<T> {
    /// Rotation by q about the axis through a point, travelling `pitch`·q along it.
    Rotation {
        /// Unit direction.
        axis: Vector<T>,
        /// A point on the axis, m.
        point: Vector<T>,
        /// Travel per radian, m/rad; zero for a plain rotation.
        pitch: T,
    },
    /// Translation by q.
    Translation {
        /// Unit direction.
        axis: Vector<T>,
    },
}

impl<T: Constant> Screw<T> {
    /// X: the twist per unit of q. Linear part `point × axis + pitch · axis` for a rotation.
    #[must_use]
    pub fn twist(&self) -> Twist<T> {
        match *self {
            Self::Rotation { axis, point, pitch } => {
                Twist { linear: point.cross(axis) + axis.times(pitch), angular: axis }
            }
            Self::Translation { axis } => Twist { linear: axis, angular: Vector::zero() },
        }
    }

    /// exp(X q).
    #[must_use]
    pub fn exp<S: Scalar<Constant = T>>(&self, q: S) -> Pose<S> {
        match self {
            Self::Rotation { .. } => self.turned(q, q.sin_cos()),
            Self::Translation { .. } => self.turned(q, (S::zero(), S::one())),
        }
    }

    /// exp(X (q + `ahead`)), right for a large angle q as well.
    #[must_use]
    pub fn exp_ahead<S: Scalar<Constant = T>>(&self, q: S, ahead: &Ahead<T>) -> Pose<S> {
        let sum = q + S::constant(ahead.angle);
        match self {
            Self::Rotation { .. } => self.turned(sum, q.sin_cos_ahead(q.sin_cos(), ahead)),
            Self::Translation { .. } => self.exp(sum),
        }
    }

    /// exp(X q), given sine and cosine of q as well.
    pub(crate) fn turned<S: Scalar<Constant = T>>(&self, q: S, sin_cos: (S, S)) -> Pose<S> {
        match *self {
            Self::Rotation { axis, point, pitch } => {
                let direction = axis.lift();
                let rotation = Rotation::about_by(direction, sin_cos);
                let mut translation = Vector::zero();
                if !point.is_zero() {
                    translation = point.lift() - rotation.apply(point.lift());
                }
                if !pitch.is_zero() {
                    translation += direction.times(q.scale(pitch));
                }
                Pose { rotation, translation }
            }
            Self::Translation { axis } => Pose::translation(axis.lift().times(q)),
        }
    }
}
