//! Grimm's law as it is printed, at the motor shaft, with P and Ψ completed: the reference for
//! [`linearising`](super::linearising).
//!
//! - u_M = H (q_d⁗ + v) + h, (3)
//! - H = M_G C⁻¹ N_g M_R, (4)
//! - h = −H Ψ − P (c + g) + (P N_g⁻¹ + 1) C Δq, (5)
//! - P = M_G N_g⁻¹ M_R⁻¹,  Ψ = −M_R⁻¹ [2 Ṁ_R q⃛ + M̈_R q̈ + (c + g)̈]
//! - q̈ = M_R⁻¹ [N_g⁻¹ C Δq − c − g],  q⃛ = M_R⁻¹ [N_g⁻¹ C Δq̇ − Ṁ_R q̈ − (c + g)˙]
//!
//! c holds Coriolis terms and friction. Matrices and their rates are formed one by one; this is for reading and testing. For
//! robots all of whose joints are elastic, without damping and without friction of the rotors, as in the paper.

use super::super::model::ElasticModel;
use crate::dynamics::{Factorization, composed, drive, recursive};
use crate::kinematics::trajectory::{position_jets_into, series_into};
use crate::matrix::Matrix;
use jourdain_symbolic::{Jet, Scalar};

/// H and h of (3), for the measured q, q̇ and the deflections Δq, Δq̇ **at the motor shafts**, with q̈ and q⃛.
#[derive(Clone, Debug)]
pub struct Grimm<S> {
    /// H, (4).
    pub big_h: Matrix<S>,
    /// h, (5).
    pub h: Vec<S>,
    /// Acceleration of the links.
    pub qdd: Vec<S>,
    /// Jerk of the links.
    pub qddd: Vec<S>,
}

impl<S: Scalar> Grimm<S> {
    /// Evaluates (4) and (5).
    ///
    /// # Panics
    /// If a joint is rigid or a vector does not have the robot's length.
    #[must_use]
    pub fn new(elastic: &ElasticModel<S::Constant>, q: &[S], qd: &[S], delta: &[S], delta_d: &[S]) -> Self {
        assert!(elastic.rigid().is_empty(), "every joint is elastic");
        let (model, springs, n) = (elastic.model(), elastic.springs(), elastic.model().nv());
        let one = <S::Constant as Scalar>::one();
        let inverse = composed::mass_matrix_inverse(model, q);
        let over_gear = |i: usize, x: S| x.scale(springs[i].ratio); // N_g⁻¹ x
        let gear = |i: usize, x: S| x.scale(one / springs[i].ratio); // N_g x
        let shaft = |i: usize| one / (springs[i].ratio * springs[i].ratio);
        let spring = |i: usize, x: S| x.scale(springs[i].stiffness * shaft(i)); // C x
        let rotor = |i: usize, x: S| x.scale(springs[i].inertia * shaft(i)); // M_G x
        let vector = |f: &dyn Fn(usize) -> S| (0..n).map(f).collect::<Vec<S>>();

        let rest: Vec<S> = vec![S::zero(); n];
        let bias = |motion: &[&[S]]| bias_derivatives(elastic, q, motion);
        let [c_g, _, _] = bias(&[qd]);
        let qdd = inverse.apply(&vector(&|i| over_gear(i, spring(i, delta[i])) - c_g[i]));
        let [_, c_g_dot, _] = bias(&[qd, &qdd]);
        let [_, mass_dot, _] = recursive::mass_matrix_derivatives::<S, 3>(model, q, &[qd, &qdd]);
        let falling = mass_dot.apply(&qdd);
        let qddd = inverse.apply(&vector(&|i| over_gear(i, spring(i, delta_d[i])) - falling[i] - c_g_dot[i]));
        let [_, _, c_g_ddot] = bias(&[qd, &qdd, &qddd]);
        let [mass, mass_dot, mass_ddot] =
            recursive::mass_matrix_derivatives::<S, 3>(model, q, &[qd, &qdd, &qddd, &rest]);
        let (once, twice) = (mass_dot.apply(&qddd), mass_ddot.apply(&qdd));
        let psi = inverse.apply(&vector(&|i| -(once[i] + once[i] + twice[i] + c_g_ddot[i])));

        // H x = M_G C⁻¹ N_g M_R x
        let big_h = Matrix::from_fn(n, n, |i, j| {
            rotor(i, gear(i, mass[(i, j)])).scale(one / (springs[i].stiffness * shaft(i)))
        });
        let p = |x: &[S]| {
            let x = inverse.apply(x);
            vector(&|i| rotor(i, over_gear(i, x[i])))
        };
        let (h_psi, p_bias) = (big_h.apply(&psi), p(&c_g));
        let p_spring = p(&vector(&|i| over_gear(i, spring(i, delta[i]))));
        let h = vector(&|i| -h_psi[i] - p_bias[i] + p_spring[i] + spring(i, delta[i]));
        Self { big_h, h, qdd, qddd }
    }

    /// u_M = H x + h for x = q_d⁗ + v.
    #[must_use]
    pub fn torque(&self, snap: &[S]) -> Vec<S> {
        self.big_h.apply(snap).into_iter().zip(&self.h).map(|(x, &h)| x + h).collect()
    }
}

/// c + g and its first two derivatives along a motion q̇, q̈, q⃛, term by term.
fn bias_derivatives<S: Scalar>(elastic: &ElasticModel<S::Constant>, q: &[S], motion: &[&[S]]) -> [Vec<S>; 3] {
    let (model, n) = (elastic.model(), elastic.model().nv());
    let factorization = Factorization::default();
    let [c, c_dot, c_ddot] = recursive::coriolis_matrix_derivatives::<S, 3>(model, q, motion, factorization);
    let g = recursive::gravity_derivatives::<S, 3>(model, q, motion);
    let rest = vec![S::zero(); n];
    let order = |k: usize| motion.get(k).copied().unwrap_or(&rest);
    let mut speeds = vec![Jet::<S, 3>::fixed(S::zero()); n];
    series_into(motion, &mut speeds);
    let mut friction = vec![Jet::<S, 3>::fixed(S::zero()); n];
    let mut positions = vec![Jet::<S, 3>::fixed(S::zero()); model.nq()];
    position_jets_into(model, q, motion, &mut positions);
    drive::add_torques(model, &positions, &speeds, &mut friction);
    let sum = |r: usize, terms: &[Vec<S>]| -> Vec<S> {
        let start = |i: usize| g[r][i] + friction[i].derivative(r);
        (0..n).map(|i| terms.iter().fold(start(i), |sum, term| sum + term[i])).collect()
    };
    let between = c_dot.apply(order(1));
    [
        sum(0, &[c.apply(order(0))]),
        sum(1, &[c_dot.apply(order(0)), c.apply(order(1))]),
        sum(2, &[c_ddot.apply(order(0)), between.clone(), between, c.apply(order(2))]),
    ]
}
