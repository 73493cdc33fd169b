//! Poses over any field: what [`Pose`] is over a scalar.

use crate::model::field::{Field, dot};
use crate::spatial::{Pose, Rotation, Vector};

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

    pub fn shift(translation: [F; 3]) -> Self {
        Self { translation, ..Self::identity() }
    }

    /// The rotation of a quaternion of any length.
    pub fn from_quaternion(quaternion: &[F; 4]) -> Self {
        let [w, x, y, z] = &F::direction(quaternion.clone());
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

    /// A point of the parent, in coordinates of the frame.
    pub fn point_to_local(&self, p: &[F; 3]) -> [F; 3] {
        self.to_local(&std::array::from_fn::<F, 3, _>(|i| p[i].sub(&self.translation[i])))
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

impl From<Frame<f64>> for Pose<f64> {
    fn from(frame: Frame<f64>) -> Self {
        Self { rotation: Rotation(frame.rotation), translation: Vector(frame.translation) }
    }
}
