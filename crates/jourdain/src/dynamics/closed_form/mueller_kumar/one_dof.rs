//! MK (30)–(53) as the paper writes them, corrected, for joints with one number each.
//!
//! Here a X = 0 and a ȧ = ȧ a, so that A a can stand for P: J̇ = −A a J, Ȧ = A a − A a A. Joints that are products of exponentials
//! are chains of such joints and covered; trees are covered by D. In every formula B stands for bᵀ M, which gives the C of
//! (22), or for bᵀ M − M b, which gives the C̄ of (54): B is linear in V, so (33)–(51) hold for both alike.
//!
//! Corrections to the paper: (50) has M A a a A a once, not twice, as (48) and (51) say; (43) begins with M⁽¹⁾(q, q̈); (53) has
//! (A ȧ)ᵀ once.

// A and a, C and c are different things in the paper.
#![allow(non_snake_case)]

use super::block_matrix::BlockMatrix;
use super::coriolis::Choice;
use super::mass_matrix::symmetric;
use super::system::{System, accumulate};
use crate::Matrix;
use crate::model::Motion;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;

/// In which of its forms an expression is taken. All are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Derivative by derivative: (32) with (33), (40) with (42), (46) with (47) and (48).
    Differentiated,
    /// With the matrices of lower order put in: (34), (43), (50).
    Reusing,
    /// Multiplied out: (35), (44), (51).
    Explicit,
}

/// MK's own expressions, corrected, for a robot without spherical and free joints.
///
/// They put A a where the general ones have P = A a D, which is right as long as a X = 0 and a ȧ = ȧ a: for joints with one
/// number each, and for products of such joints.
#[derive(Clone, Debug)]
pub struct OneDof<'s, 'm, S: Scalar> {
    system: &'s System<'m, S>,
}

impl<'m, S: Scalar> System<'m, S> {
    /// The same quantities by MK's own expressions; `None` if the robot has a spherical or free joint.
    #[must_use]
    pub fn one_dof(&self) -> Option<OneDof<'_, 'm, S>> {
        let product = |motion: &Motion<S::Constant>| matches!(motion, Motion::Product(_));
        self.model.links().iter().all(|link| product(&link.joint.motion)).then_some(OneDof { system: self })
    }
}

/// A a, with M A a and its transpose aᵀ Aᵀ: the terms that every formula reuses.
struct Shared<S> {
    a: BlockMatrix<S>,
    Aa: BlockMatrix<S>,
    MAa: BlockMatrix<S>,
    aA: BlockMatrix<S>,
}

impl<S: Scalar> OneDof<'_, '_, S> {
    /// Ṁ.
    ///
    /// # Panics
    /// If no derivative of the motion was given.
    ///
    /// # Reference
    /// MK (29), (30).
    #[must_use]
    pub fn mass_matrix_dot(&self) -> Matrix<S> {
        symmetric(&self.system.project(&self.m1(0))) // MK (29)
    }

    /// M̈.
    ///
    /// # Panics
    /// If fewer than two derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (40)–(44).
    #[must_use]
    pub fn mass_matrix_ddot(&self, form: Form) -> Matrix<S> {
        symmetric(&self.system.project(&self.m2(form))) // MK (40)
    }

    /// Ċ for the C̄ of (54).
    ///
    /// # Panics
    /// If fewer than two derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (31)–(35), (54).
    #[must_use]
    pub fn coriolis_matrix_dot(&self, form: Form) -> Matrix<S> {
        self.system.project(&self.c1(form, Choice::Skew)) // MK (31)
    }

    /// C̈ for the C̄ of (54).
    ///
    /// # Panics
    /// If fewer than three derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (45)–(51), (54).
    #[must_use]
    pub fn coriolis_matrix_ddot(&self, form: Form) -> Matrix<S> {
        self.system.project(&self.c2(form, Choice::Skew)) // MK (45)
    }

    /// ġ.
    ///
    /// # Panics
    /// If no derivative of the motion was given.
    ///
    /// # Reference
    /// MK (36).
    #[must_use]
    pub fn gravity_dot(&self) -> Vec<S> {
        self.system.project_vector(&self.m1(0).apply(&self.system.weight)) // MK (36)
    }

    /// g̈.
    ///
    /// # Panics
    /// If fewer than two derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (52).
    #[must_use]
    pub fn gravity_ddot(&self, form: Form) -> Vec<S> {
        self.system.project_vector(&self.m2(form).apply(&self.system.weight)) // MK (52)
    }

    /// The rate of the torques of the wrenches applied to links.
    ///
    /// # Panics
    /// If no derivative of the motion was given or a wrench acts on a link that is not there.
    ///
    /// # Reference
    /// MK (37).
    #[must_use]
    pub fn external_forces_dot(&self, wrenches: &[LinkWrench<S>]) -> Vec<S> {
        let W = |s: usize| self.system.exerted(wrenches, s);
        let mut f = W(1);
        accumulate(&mut f, &self.Aa(0).apply_transposed(&W(0)), -1.0);
        self.system.project_vector(&f) // MK (37)
    }

    /// The second derivative of the torques of the wrenches applied to links.
    ///
    /// # Panics
    /// If fewer than two derivatives of the motion were given or a wrench acts on a link that is not there.
    ///
    /// # Reference
    /// MK (53).
    #[must_use]
    pub fn external_forces_ddot(&self, wrenches: &[LinkWrench<S>]) -> Vec<S> {
        let W = |s: usize| self.system.exerted(wrenches, s);
        let Shared { a, Aa, .. } = self.shared();
        let mut f = W(2);
        accumulate(&mut f, &Aa.apply_transposed(&W(1)), -2.0);
        let last = (&Aa * &Aa).times(2.0) - self.Aa(1) - &Aa * &a;
        accumulate(&mut f, &last.apply_transposed(&W(0)), 1.0);
        self.system.project_vector(&f) // MK (53)
    }

    /// A a(q^{(s+1)}).
    fn Aa(&self, s: usize) -> BlockMatrix<S> {
        &self.system.spread * &self.system.a[s]
    }

    fn shared(&self) -> Shared<S> {
        let Aa = self.Aa(0);
        Shared { a: self.system.a[0].clone(), MAa: &self.system.inertia * &Aa, aA: Aa.transpose(), Aa }
    }

    /// M⁽¹⁾(q, q^{(s+1)}), MK (30).
    fn m1(&self, s: usize) -> BlockMatrix<S> {
        let MAa = &self.system.inertia * self.Aa(s);
        -MAa.transpose() - MAa
    }

    /// M⁽²⁾, MK (40).
    fn m2(&self, form: Form) -> BlockMatrix<S> {
        let (M, A) = (&self.system.inertia, &self.system.spread);
        let Shared { a, Aa, MAa, aA } = self.shared();
        let plus_transposed = |x: BlockMatrix<S>| x.transpose() + x;
        match form {
            Form::Differentiated => {
                let M1 = self.m1(0);
                let M1_dot = self.m1(1) - plus_transposed(&MAa * &a) + plus_transposed(&MAa * &Aa); // MK (42)
                M1_dot - &M1 * &Aa - aA * M1 // MK (40)
            }
            Form::Reusing => {
                let curl = M * (&Aa * A - &Aa) * &a;
                self.m1(1) + plus_transposed(curl) - plus_transposed(self.m1(0) * &Aa) // MK (43)
            }
            Form::Explicit => {
                let MAa_dot = M * self.Aa(1);
                -plus_transposed(MAa_dot) + plus_transposed(&MAa * &Aa).times(2.0) + (aA * &MAa).times(2.0)
                    - plus_transposed(MAa * a) // MK (44)
            }
        }
    }

    /// C(q, q^{(s+1)}, V^{(s)}), MK (22), (54).
    fn c(&self, s: usize, choice: Choice) -> BlockMatrix<S> {
        -(&self.system.inertia * self.Aa(s)) - self.system.gyroscopic(s, choice)
    }

    /// Ċ, MK (33).
    fn c_dot(&self, choice: Choice) -> BlockMatrix<S> {
        let Shared { a, Aa, MAa, .. } = self.shared();
        self.c(1, choice) + &MAa * Aa - MAa * a // MK (33)
    }

    /// C⁽¹⁾, MK (32).
    fn c1(&self, form: Form, choice: Choice) -> BlockMatrix<S> {
        let Shared { a, Aa, MAa, aA } = self.shared();
        match form {
            Form::Differentiated => {
                let C = self.c(0, choice);
                self.c_dot(choice) - &C * &Aa - aA * C // MK (32)
            }
            Form::Reusing => {
                let C = self.c(0, choice);
                self.c(1, choice) + &MAa * &Aa - MAa * a - &C * &Aa - aA * C // MK (34)
            }
            Form::Explicit => {
                let [B, B_dot] = [0, 1].map(|s| self.system.gyroscopic(s, choice));
                let MAa_dot = &self.system.inertia * self.Aa(1);
                -MAa_dot - B_dot + &B * &Aa + &aA * B + aA * &MAa + (&MAa * Aa).times(2.0) - MAa * a // MK (35)
            }
        }
    }

    /// C⁽²⁾, MK (46).
    fn c2(&self, form: Form, choice: Choice) -> BlockMatrix<S> {
        let Shared { a, Aa, MAa, aA } = self.shared();
        let (Aad, ad) = (self.Aa(1), &self.system.a[1]); // A ȧ, ȧ
        let (C, MAad) = (self.c(0, choice), &self.system.inertia * &Aad);
        // C A ȧ + ȧᵀ Aᵀ C + C A a a + aᵀ aᵀ Aᵀ C
        let turned = &C * &Aad + Aad.transpose() * &C + &C * &Aa * &a + a.transpose() * &aA * &C;
        // x M A ȧ A a + 2 M A a A ȧ − y M A a A a A a + 2 M A a A a a − 3 M A a ȧ − M A a a a + z M A a a A a
        let MAaAa = &MAa * &Aa;
        let shared = |x: f64, y: f64, z: f64| {
            (&MAad * &Aa).times(x) + (&MAa * &Aad).times(2.0) - (&MAaAa * &Aa).times(y) + (&MAaAa * &a).times(2.0)
                - (&MAa * ad).times(3.0)
                - &MAa * &a * &a
                + (&MAa * &a * &Aa).times(z)
        };
        match form {
            Form::Differentiated => {
                let C1 = self.c1(Form::Differentiated, choice);
                let C_ddot = self.c(2, choice) + shared(1.0, 2.0, 1.0); // MK (48)
                let C1_dot = C_ddot - (&C1 + &aA * &C) * &Aa - &aA * (&C1 + &C * &Aa) - turned; // MK (47)
                C1_dot - &C1 * &Aa - &aA * C1 // MK (46)
            }
            Form::Reusing => {
                let C1 = self.c1(Form::Reusing, choice);
                self.c(2, choice)
                    - (&C1 * &Aa).times(2.0)
                    - (&aA * C1).times(2.0)
                    - turned
                    - (&aA * &C * &Aa).times(2.0)
                    + shared(1.0, 2.0, 1.0) // MK (50); the last 1 is printed as 2
            }
            Form::Explicit => {
                let [B_dot, B_ddot] = [1, 2].map(|s| self.system.gyroscopic(s, choice));
                let MAa_ddot = &self.system.inertia * self.Aa(2);
                -MAa_ddot - B_ddot + (&B_dot * &Aa + &aA * B_dot).times(2.0) + (&aA * &MAad).times(2.0) - turned
                    + (&C * &Aa * &Aa + &aA * &C * &Aa + &aA * &aA * &C).times(2.0)
                    - (&aA * &MAaAa).times(2.0)
                    + (&aA * &MAa * &a).times(2.0)
                    + shared(3.0, 4.0, 3.0) // MK (51)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::kinematics::trajectory::jets;

    /// iiwa 14 in motion.
    fn arm() -> (Model, Vec<Vec<f64>>) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/iiwa14.toml");
        let model = Model::from_description(&crate::formats::load(path).unwrap().0).unwrap();
        let order = |r: usize| (0..model.nv()).map(|i| (1.3 * i as f64 + 2.1 * r as f64 + 0.4).sin()).collect();
        let orders = (0..4).map(order).collect();
        (model, orders)
    }

    /// Largest difference of two matrices.
    fn distance(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
        a.as_slice().iter().zip(b.as_slice()).fold(0.0, |m, (x, y)| (x - y).abs().max(m))
    }

    #[test]
    fn second_coriolis_rate_fails_with_the_coefficient_of_50_as_printed() {
        let (model, orders) = arm();
        let motion: Vec<&[f64]> = orders[1..].iter().map(Vec::as_slice).collect();
        let system = System::new(&model, &orders[0], &motion);
        let along = jets::<f64, 3>(&model, &orders[0], &motion);
        let series = System::new(&model, &along.q, &[&along.w]);
        let printed = system.one_dof().unwrap();
        let Shared { a, Aa, MAa, .. } = printed.shared();
        // 2 M A a a A a instead of one.
        let misprint = MAa * a * Aa;
        for choice in [Choice::Printed, Choice::Skew] {
            let exact = series.project(&series.coriolis_rate(0, choice));
            let exact = Matrix::from_fn(model.nv(), model.nv(), |i, j| exact[(i, j)].derivative(2));
            let right = printed.c2(Form::Reusing, choice);
            let wrong = system.project(&(&right + &misprint));
            assert!(distance(&system.project(&right), &exact) < 1e-12);
            assert!(distance(&wrong, &exact) > 1e-2, "{:.2e}", distance(&wrong, &exact));
        }
    }

    #[test]
    fn all_forms_of_the_printed_c_are_the_general_one() {
        let (model, orders) = arm();
        let motion: Vec<&[f64]> = orders[1..].iter().map(Vec::as_slice).collect();
        let system = System::new(&model, &orders[0], &motion);
        let printed = system.one_dof().unwrap();
        for form in [Form::Differentiated, Form::Reusing, Form::Explicit] {
            let [first, second] = [printed.c1(form, Choice::Printed), printed.c2(form, Choice::Printed)];
            assert!(distance(&system.project(&first), &system.coriolis_matrix_22(1)) < 1e-12, "{form:?}");
            assert!(distance(&system.project(&second), &system.coriolis_matrix_22(2)) < 1e-12, "{form:?}");
        }
    }
}
