//! Derivatives of the dynamic matrices by the inertial parameters, G (8)–(13).
//!
//! Λ v = A(v) π, G (8), with A_v = [v, ω̃, 0] and A_ω = [0, −ṽ, ω̄], so that
//!
//! ∂Mʲ/∂π = Jᵀ A(Jʲ),  ∂Cʲ/∂π = Jᵀ (A(ad Jʲ + J̇ʲ) − adᵀ A(Jʲ)),  ∂g/∂π = Jᵀ A(γ)
//!
//! π holds, per link in link order and welded links too, m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ: another order than G (9).
//! Trap: the tensor is about the link **origin**; about the centre of mass (8) is not linear. The stored text of (13b) has
//! lost the dot of J̇ and that of (11) the bar of ω̄, the 3×6 operator of (12).

use super::outward::{LinkMotion, Outward};
use crate::dynamics::{Factorization, Tensor};
use crate::spatial::{Twist, Vector, Wrench};
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// Inertial parameters of a link.
pub(super) const PER_LINK: usize = 10;

/// The columns of A(v), in the order m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ.
///
/// # Reference
/// G (8), (10)–(12).
#[must_use]
pub fn momentum_columns<S: Scalar>(v: Twist<S>) -> [Wrench<S>; 10] {
    let zero = S::zero();
    let [x, y, z] = v.angular.0;
    let first = |axis: usize| {
        let e = Vector::unit(axis);
        Wrench { force: v.angular.cross(e), moment: e.cross(v.linear) }
    };
    let moment = |a, b, c| Wrench { force: Vector::zero(), moment: Vector([a, b, c]) };
    [
        Wrench { force: v.linear, moment: Vector::zero() },
        first(0),
        first(1),
        first(2),
        moment(x, zero, zero),
        moment(y, x, zero),
        moment(z, zero, x),
        moment(zero, y, zero),
        moment(zero, z, y),
        moment(zero, zero, z),
    ]
}

/// The columns of the wrench Ψ(v) u + Λ a, as a function of the link's parameters.
pub(super) fn force_regressor<S: Scalar>(
    choice: Factorization,
    v: Twist<S>,
    u: Twist<S>,
    a: Twist<S>,
) -> [Wrench<S>; 10] {
    let momentum = momentum_columns(u);
    match choice {
        Factorization::Garofalo => {
            let rate = momentum_columns(v.cross(u) + a);
            std::array::from_fn(|h| rate[h] + v.cross_dual(momentum[h]))
        }
        Factorization::Christoffel => {
            let (half, own) = (S::from_f64(0.5), momentum_columns(v));
            let rate = momentum_columns(v.cross(u).times(half) + a);
            std::array::from_fn(|h| rate[h] + (v.cross_dual(momentum[h]) + own[h].bar_cross(u)).times(half))
        }
    }
}

/// ∂M/∂π at position `q`: element (i, j, parameter). Armatures are not among the parameters.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (13a).
#[must_use]
pub fn mass_matrix_dpi<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Tensor<S> {
    Outward::at(model, q).mass_matrix_dpi()
}

/// ∂C/∂π at position `q` and velocity `w`: element (i, j, parameter).
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (13b).
#[must_use]
pub fn coriolis_matrix_dpi<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
) -> Tensor<S> {
    Outward::moving(model, q, w).coriolis_matrix_dpi(factorization)
}

/// ∂g/∂π at position `q`: element (i, parameter).
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (13c).
#[must_use]
pub fn gravity_dpi<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    Outward::at(model, q).gravity_dpi()
}

impl<S: Scalar> Outward<'_, S> {
    /// ∂M/∂π. See [`mass_matrix_dpi`].
    #[must_use]
    pub fn mass_matrix_dpi(&self) -> Tensor<S> {
        self.matrix_dpi(|link, j| momentum_columns(link.jacobian[j])) // G (13a)
    }

    /// ∂C/∂π. See [`coriolis_matrix_dpi`].
    #[must_use]
    pub fn coriolis_matrix_dpi(&self, factorization: Factorization) -> Tensor<S> {
        self.matrix_dpi(|link, j| {
            force_regressor(factorization, link.twist, link.jacobian[j], link.jacobian_dot[j]) // G (13b)
        })
    }

    /// ∂g/∂π. See [`gravity_dpi`].
    #[must_use]
    pub fn gravity_dpi(&self) -> Matrix<S> {
        let mut dg = Matrix::zeros(self.model.nv(), PER_LINK * self.links.len());
        for (k, link) in self.links.iter().enumerate() {
            link.project(&momentum_columns(link.gravity), PER_LINK * k, &mut dg); // G (13c)
        }
        dg
    }

    /// The derivative by π of a matrix whose column j is Σ Jᵀ (`columns` π).
    fn matrix_dpi(&self, columns: impl Fn(&LinkMotion<S>, usize) -> [Wrench<S>; PER_LINK]) -> Tensor<S> {
        let n = self.model.nv();
        let mut tensor = Tensor::zeros(n, n, PER_LINK * self.links.len());
        for (k, link) in self.links.iter().enumerate() {
            for &j in &link.support {
                let wrenches = columns(link, j);
                for &i in &link.support {
                    for (h, &wrench) in wrenches.iter().enumerate() {
                        tensor[(i, j, PER_LINK * k + h)] = link.jacobian[i].dot(wrench);
                    }
                }
            }
        }
        tensor
    }
}

impl<S: Scalar> LinkMotion<S> {
    /// Jᵀ times the columns of one link, put into `out` from column `first` on.
    pub(super) fn project(&self, columns: &[Wrench<S>; PER_LINK], first: usize, out: &mut Matrix<S>) {
        for &i in &self.support {
            for (h, &wrench) in columns.iter().enumerate() {
                out[(i, first + h)] = self.jacobian[i].dot(wrench);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::Inertia;

    #[test]
    fn momentum_columns_times_parameters_are_the_momentum() {
        let parameters = [2.5, 0.3, -0.7, 1.1, 0.9, -0.2, 0.35, 1.4, 0.15, 2.2];
        let v = Twist::from_array([0.4, -1.3, 0.8, 2.1, -0.6, 1.7]);
        let columns = momentum_columns(v);
        let found = columns.iter().zip(parameters).fold(Wrench::zero(), |sum, (a, p)| sum + a.times(p));
        let expected = Inertia::from_parameters(parameters).apply(v);
        for (a, b) in found.to_array().into_iter().zip(expected.to_array()) {
            assert!((a - b).abs() < 1e-14);
        }
    }
}
