//! The pseudo-inertia of a link: a body can have ten parameters if and only if it is positive definite.
//!
//! P = ∫ (r; 1)(r; 1)ᵀ dm = [[½ tr(I) 1 − I, h], [hᵀ, m]], with h the first moment and I the tensor about the link origin. P is
//! linear in the parameters, P = Σ π_a E_a. That P is positive definite says that the mass is, that the inertia about the centre of
//! mass is, and that its moments obey the triangle inequality; all of it whatever the frame.

use crate::model::Inertial;
use nalgebra::Matrix4;

/// E_a: what one parameter adds to P.
pub(super) fn direction(parameter: Inertial) -> Matrix4<f64> {
    let mut e = Matrix4::zeros();
    let mut pair = |i: usize, j: usize, value: f64| {
        e[(i, j)] = value;
        e[(j, i)] = value;
    };
    match parameter {
        Inertial::M => pair(3, 3, 1.0),
        Inertial::MX => pair(0, 3, 1.0),
        Inertial::MY => pair(1, 3, 1.0),
        Inertial::MZ => pair(2, 3, 1.0),
        Inertial::XY => pair(0, 1, -1.0),
        Inertial::XZ => pair(0, 2, -1.0),
        Inertial::YZ => pair(1, 2, -1.0),
        Inertial::XX | Inertial::YY | Inertial::ZZ => {
            let own = match parameter {
                Inertial::XX => 0,
                Inertial::YY => 1,
                _ => 2,
            };
            (0..3).for_each(|i| pair(i, i, if i == own { -0.5 } else { 0.5 }));
        }
    }
    e
}

/// All E_a, in the order of the columns.
pub(super) fn directions() -> [Matrix4<f64>; 10] {
    Inertial::ALL.map(direction)
}

/// P of a link's ten parameters.
pub(super) fn pseudo_inertia(parameters: &[f64]) -> Matrix4<f64> {
    directions().iter().zip(parameters).fold(Matrix4::zeros(), |sum, (e, x)| sum + e * *x)
}

/// The parameters of a pseudo-inertia: I = tr(Σ) 1 − Σ with Σ its upper left block.
pub(super) fn parameters_of(p: &Matrix4<f64>) -> [f64; 10] {
    let trace = p[(0, 0)] + p[(1, 1)] + p[(2, 2)];
    let element = |i: usize, j: usize| if i == j { trace - p[(i, j)] } else { -p[(i, j)] };
    [
        p[(3, 3)],
        p[(0, 3)],
        p[(1, 3)],
        p[(2, 3)],
        element(0, 0),
        element(0, 1),
        element(0, 2),
        element(1, 1),
        element(1, 2),
        element(2, 2),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use nalgebra::Vector4;

    /// The second witness: masses at points, summed by the definition of the tensor, Σ m (r² 1 − r rᵀ).
    #[test]
    fn points_of_mass_have_the_pseudo_inertia_of_their_definition() {
        let mut random = Random(9);
        let (mut p, mut parameters) = (Matrix4::zeros(), [0.0; 10]);
        for _ in 0..5 {
            let (m, r) = (1.0 + random.fraction(), random.array::<3>());
            let extended = Vector4::new(r[0], r[1], r[2], 1.0);
            p += extended * extended.transpose() * m;
            let square: f64 = r.iter().map(|x| x * x).sum();
            let element = |i: usize, j: usize| m * (if i == j { square } else { 0.0 } - r[i] * r[j]);
            let own = [m, m * r[0], m * r[1], m * r[2]].into_iter().chain([
                element(0, 0),
                element(0, 1),
                element(0, 2),
                element(1, 1),
                element(1, 2),
                element(2, 2),
            ]);
            parameters.iter_mut().zip(own).for_each(|(to, x)| *to += x);
        }
        assert!((pseudo_inertia(&parameters) - p).norm() < 1e-13);
        for (a, b) in parameters_of(&p).iter().zip(parameters) {
            assert!((a - b).abs() < 1e-13);
        }
    }
}
