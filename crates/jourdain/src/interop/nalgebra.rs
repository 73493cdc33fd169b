//! nalgebra's types, by `From` and `Into` both ways: the feature `nalgebra`.
//!
//! Twists and wrenches are stacked linear part first. A rotation matrix becomes a quaternion without being made orthogonal
//! first: what is no rotation is not detected.

use crate::matrix::Matrix;
use crate::spatial::{Pose, Quaternion, Rotation, Twist, Vector, Wrench};
use ::nalgebra::{
    DMatrix, Isometry3, Matrix3, Quaternion as Numbers, Rotation3, Translation3, UnitQuaternion, Vector3, Vector6,
};

impl From<Vector<f64>> for Vector3<f64> {
    fn from(vector: Vector<f64>) -> Self {
        Self::from(vector.0)
    }
}

impl From<Vector3<f64>> for Vector<f64> {
    fn from(vector: Vector3<f64>) -> Self {
        Self(vector.into())
    }
}

impl From<Rotation<f64>> for Matrix3<f64> {
    fn from(rotation: Rotation<f64>) -> Self {
        Self::from_fn(|row, column| rotation.0[row][column])
    }
}

impl From<Rotation<f64>> for Rotation3<f64> {
    fn from(rotation: Rotation<f64>) -> Self {
        Self::from_matrix_unchecked(rotation.into())
    }
}

impl From<Rotation3<f64>> for Rotation<f64> {
    fn from(rotation: Rotation3<f64>) -> Self {
        Self(std::array::from_fn(|row| std::array::from_fn(|column| rotation[(row, column)])))
    }
}

impl From<Quaternion<f64>> for UnitQuaternion<f64> {
    fn from(quaternion: Quaternion<f64>) -> Self {
        let [w, x, y, z] = quaternion.to_array();
        Self::from_quaternion(Numbers::new(w, x, y, z))
    }
}

impl From<UnitQuaternion<f64>> for Quaternion<f64> {
    fn from(quaternion: UnitQuaternion<f64>) -> Self {
        Self::new([quaternion.w, quaternion.i, quaternion.j, quaternion.k])
    }
}

impl From<Pose<f64>> for Isometry3<f64> {
    fn from(pose: Pose<f64>) -> Self {
        let rotation = Quaternion::from_rotation(&pose.rotation);
        Self::from_parts(Translation3::from(pose.translation.0), rotation.into())
    }
}

impl From<Isometry3<f64>> for Pose<f64> {
    fn from(pose: Isometry3<f64>) -> Self {
        Self { rotation: pose.rotation.to_rotation_matrix().into(), translation: pose.translation.vector.into() }
    }
}

impl From<Twist<f64>> for Vector6<f64> {
    fn from(twist: Twist<f64>) -> Self {
        Self::from(twist.to_array())
    }
}

impl From<Vector6<f64>> for Twist<f64> {
    fn from(twist: Vector6<f64>) -> Self {
        Self::from_array(twist.into())
    }
}

impl From<Wrench<f64>> for Vector6<f64> {
    fn from(wrench: Wrench<f64>) -> Self {
        Self::from(wrench.to_array())
    }
}

impl From<Vector6<f64>> for Wrench<f64> {
    fn from(wrench: Vector6<f64>) -> Self {
        let [x, y, z, a, b, c] = wrench.into();
        Self { force: Vector([x, y, z]), moment: Vector([a, b, c]) }
    }
}

impl From<&Matrix<f64>> for DMatrix<f64> {
    fn from(matrix: &Matrix<f64>) -> Self {
        Self::from_row_slice(matrix.rows(), matrix.columns(), matrix.as_slice())
    }
}

impl From<Matrix<f64>> for DMatrix<f64> {
    fn from(matrix: Matrix<f64>) -> Self {
        Self::from(&matrix)
    }
}

impl From<&DMatrix<f64>> for Matrix<f64> {
    fn from(matrix: &DMatrix<f64>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |row, column| matrix[(row, column)])
    }
}

impl From<DMatrix<f64>> for Matrix<f64> {
    fn from(matrix: DMatrix<f64>) -> Self {
        Self::from(&matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn everything_comes_back_as_it_went_and_acts_the_same() {
        let mut random = Random(3);
        for _ in 0..50 {
            let v = Vector(random.array());
            let pose = Pose { rotation: Rotation::exp(Vector(random.array())), translation: Vector(random.array()) };
            let there = Isometry3::from(pose);
            let moved = there * ::nalgebra::Point3::from(Vector3::from(v));
            assert!((Vector3::from(pose.apply(v)) - moved.coords).norm() < 1e-14);
            let back = Pose::from(there);
            let error = (back.translation - pose.translation).norm()
                + back
                    .rotation
                    .0
                    .as_flattened()
                    .iter()
                    .zip(pose.rotation.0.as_flattened())
                    .map(|(a, b)| (a - b).abs())
                    .sum::<f64>();
            assert!(error < 1e-14, "{error}");

            assert_eq!(Vector::from(Vector3::from(v)), v);
            assert_eq!(Rotation::from(Rotation3::from(pose.rotation)), pose.rotation);
            assert_eq!(
                Vector::from(Matrix3::from(pose.rotation) * Vector3::from(v)).0.map(|x| (x * 1e12).round()),
                pose.rotation.apply(v).0.map(|x| (x * 1e12).round())
            );
            let twist = Twist { linear: v, angular: pose.translation };
            assert_eq!(Twist::from(Vector6::from(twist)), twist);
            let wrench = Wrench { force: v, moment: pose.translation };
            assert_eq!(Wrench::from(Vector6::from(wrench)), wrench);
        }
        let matrix = Matrix::from_fn(2, 3, |row, column| (10 * row + column) as f64);
        let there = DMatrix::from(&matrix);
        assert_eq!(there[(1, 2)], 12.0);
        assert_eq!(Matrix::from(there), matrix);
    }
}
