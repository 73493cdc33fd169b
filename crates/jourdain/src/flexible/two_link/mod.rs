//! The explicit model of two links with two modes each, DS (32)–(35), term by term under the printed names.
//!
//! q = (θ₁, θ₂, δ₁₁, δ₁₂, δ₂₁, δ₂₂). It is the general model for this arm written out: equal to [`terms`](fn@super::terms) to rounding
//! and several times as fast. Gravity is left to the general form.
//!
//! # Reference
//! DS (32)–(35) and Appendix, with five h corrected.

mod coefficients;

pub use coefficients::Coefficients;

use super::arm::{FlexibleArm, Kinematics};
use jourdain_symbolic::{Constant, Scalar};

/// The arm of two links with two modes each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLink<T> {
    /// b, t and h.
    pub coefficients: Coefficients<T>,
    /// The diagonal of K for the deflections, DS (35).
    pub stiffness: [T; 4],
    /// The diagonal of D.
    pub damping: [T; 6],
}

impl<T: Constant> TwoLink<T> {
    /// The explicit form of an arm; `None` unless it has two links with two modes each, the paper's kinematics, a diagonal
    /// stiffness and no gravity.
    #[must_use]
    pub fn new(arm: &FlexibleArm<T>) -> Option<Self> {
        let [one, two] = arm.links() else { return None };
        let diagonal = arm.stiffness().all(|(row, column, _)| row == column);
        let fits = one.mode_count() == 2 && two.mode_count() == 2 && arm.kinematics() == Kinematics::Paper;
        if !fits || !diagonal || arm.has_gravity() {
            return None;
        }
        Some(Self {
            coefficients: Coefficients::new(arm),
            stiffness: [one.stiffness[0], one.stiffness[3], two.stiffness[0], two.stiffness[3]],
            damping: arm.damping().try_into().ok()?,
        })
    }

    /// B, symmetric, DS (32).
    #[inline]
    #[must_use]
    pub fn inertia<S: Scalar<Constant = T>>(&self, q: &[S; 6]) -> [[S; 6]; 6] {
        self.inertia_at(q, q[1].sin_cos())
    }

    #[inline]
    fn inertia_at<S: Scalar<Constant = T>>(&self, q: &[S; 6], (s2, c2): (S, S)) -> [[S; 6]; 6] {
        let b = &self.coefficients;
        let [_, _, d11, d12, ..] = *q;
        let [t1, t2, t3] = self.sums(q);
        // constant + cosine · c₂ + deflections · s₂
        let entry = |constant: T, cosine: T, deflections: S| {
            deflections.mul_add(s2, c2.scale_add(cosine, S::constant(constant)))
        };
        let b11 = entry(b.b111, b.b112, t1.scale(b.b113) + t2.scale(b.b114)); // DS (32a)
        let b12 = entry(b.b121, b.b122, t1.scale(b.b123) + t2.scale(b.b124));
        let b13 = entry(b.b131, b.b132, t2.scale(b.b133) + d12.scale(b.b134));
        let b14 = entry(b.b141, b.b142, t2.scale(b.b143) + d11.scale(b.b144));
        let b15 = entry(b.b151, b.b152, t1.scale(b.b153));
        let b16 = entry(b.b161, b.b162, t1.scale(b.b163));
        let b22 = S::constant(b.b221); // DS (32b)
        let b23 = entry(b.b231, b.b232, t2.scale(b.b233) + t3.scale(b.b234));
        let b24 = entry(b.b241, b.b242, t2.scale(b.b243) + t3.scale(b.b244));
        let b25 = S::constant(b.b251);
        let b26 = S::constant(b.b261);
        let b33 = entry(b.b331, b.b332, t2.scale(b.b333)); // DS (32c)
        let b34 = entry(b.b341, b.b342, t2.scale(b.b343));
        let b35 = entry(b.b351, b.b352, t3.scale(b.b353));
        let b36 = entry(b.b361, b.b362, t3.scale(b.b363));
        let b44 = entry(b.b441, b.b442, t2.scale(b.b443)); // DS (32d)
        let b45 = entry(b.b451, b.b452, t3.scale(b.b453));
        let b46 = entry(b.b461, b.b462, t3.scale(b.b463));
        let [b55, b56, b66] = [b.b551, b.b561, b.b661].map(S::constant); // DS (32e, f)
        [
            [b11, b12, b13, b14, b15, b16],
            [b12, b22, b23, b24, b25, b26],
            [b13, b23, b33, b34, b35, b36],
            [b14, b24, b34, b44, b45, b46],
            [b15, b25, b35, b45, b55, b56],
            [b16, b26, b36, b46, b56, b66],
        ]
    }

    /// t₁, t₂, t₃, DS (33).
    #[inline]
    fn sums<S: Scalar<Constant = T>>(&self, q: &[S; 6]) -> [S; 3] {
        let b = &self.coefficients;
        let [_, _, d11, d12, d21, d22] = *q;
        [d11.scale(b.t11) + d12.scale(b.t12), d21.scale(b.t21) + d22.scale(b.t22), d11.scale(b.t31) + d12.scale(b.t32)]
    }

    /// h, DS (34).
    #[inline]
    #[must_use]
    pub fn velocity<S: Scalar<Constant = T>>(&self, q: &[S; 6], qd: &[S; 6]) -> [S; 6] {
        self.velocity_at(q, qd, q[1].sin_cos())
    }

    #[inline]
    fn velocity_at<S: Scalar<Constant = T>>(&self, q: &[S; 6], qd: &[S; 6], (s2, c2): (S, S)) -> [S; 6] {
        let h = &self.coefficients;
        let [_, _, d11, d12, ..] = *q;
        let [v1, v2, e11, e12, e21, e22] = *qd;
        let [t1, t2, t3] = self.sums(q);
        let sum = |terms: &[(S, T)]| terms.iter().fold(S::zero(), |sum, &(x, k)| x.scale_add(k, sum));
        // DS (34a)
        let sine = sum(&[(v2, h.h101), (e11, h.h102), (e12, h.h103), (e21, h.h104), (e22, h.h105)]) * v1
            + sum(&[(v2, h.h106), (e11, h.h107), (e12, h.h108), (e21, h.h109), (e22, h.h110)]) * v2
            + sum(&[(e21, h.h111), (e22, h.h112)]) * e11
            + sum(&[(e21, h.h113), (e22, h.h114)]) * e12;
        let cosine = sum(&[(v1, h.h115), (v2, h.h116), (e21, h.h117), (e22, h.h118)]) * t1
            + sum(&[(v1, h.h119), (v2, h.h120), (e11, h.h121), (e12, h.h122)]) * t2
            + (d12 * e11).scale(h.h123)
            + (d11 * e12).scale(h.h124);
        let h1 = sine * s2 + cosine * v2 * c2;
        // DS (34b)
        let sine = sum(&[(v1, h.h201), (e11, h.h202), (e12, h.h203)]) * v1;
        let turning = sum(&[(v1, h.h204), (e21, h.h205), (e22, h.h206)]) * t1
            + sum(&[(v1, h.h207), (e11, h.h208), (e12, h.h209)]) * t2
            + (d12 * e11).scale(h.h210)
            + (d11 * e12).scale(h.h211);
        let bending = (sum(&[(e11, h.h212), (e12, h.h213)]) * t2 + sum(&[(e21, h.h214), (e22, h.h215)]) * t3) * e11
            + (e12.scale(h.h216) * t2 + sum(&[(e21, h.h217), (e22, h.h218)]) * t3) * e12;
        let h2 = sine * s2 + (turning * v1 + bending) * c2;
        // DS (34c)
        let sine = sum(&[(v1, h.h301), (v2, h.h302), (e12, h.h303), (e21, h.h304), (e22, h.h305)]) * v1
            + sum(&[(v2, h.h306), (e11, h.h307), (e12, h.h308), (e21, h.h309), (e22, h.h310)]) * v2
            + sum(&[(e21, h.h311), (e22, h.h312)]) * e11
            + sum(&[(e21, h.h313), (e22, h.h314)]) * e12;
        let cosine = sum(&[(v1, h.h315), (v2, h.h316), (e11, h.h317), (e12, h.h318)]) * t2
            + sum(&[(v2, h.h319), (e21, h.h320), (e22, h.h321)]) * t3
            + (d12 * v1).scale(h.h322);
        let h3 = sine * s2 + cosine * v2 * c2;
        // DS (34d)
        let sine = sum(&[(v1, h.h401), (v2, h.h402), (e11, h.h403), (e21, h.h404), (e22, h.h405)]) * v1
            + sum(&[(v2, h.h406), (e11, h.h407), (e12, h.h408), (e21, h.h409), (e22, h.h410)]) * v2
            + sum(&[(e21, h.h411), (e22, h.h412)]) * e11
            + sum(&[(e21, h.h413), (e22, h.h414)]) * e12;
        let cosine = sum(&[(v1, h.h415), (v2, h.h416), (e11, h.h417), (e12, h.h418)]) * t2
            + sum(&[(v2, h.h419), (e21, h.h420), (e22, h.h421)]) * t3
            + (d11 * v1).scale(h.h422);
        let h4 = sine * s2 + cosine * v2 * c2;
        // DS (34e)
        let sine = sum(&[(v1, h.h501), (e11, h.h502), (e12, h.h503)]) * v1;
        let cosine = (t1 * v1).scale(h.h504) + sum(&[(e11, h.h505), (e12, h.h506)]) * t3;
        let h5 = sine * s2 + cosine * v2 * c2;
        // DS (34f)
        let sine = sum(&[(v1, h.h601), (e11, h.h602), (e12, h.h603)]) * v1;
        let cosine = (t1 * v1).scale(h.h604) + sum(&[(e11, h.h605), (e12, h.h606)]) * t3;
        let h6 = sine * s2 + cosine * v2 * c2;
        [h1, h2, h3, h4, h5, h6]
    }
}

impl TwoLink<f64> {
    /// q̈; `None` if B is not positive definite.
    ///
    /// # Reference
    /// DS (25).
    #[must_use]
    pub fn accelerations(&self, q: &[f64; 6], qd: &[f64; 6], torque: &[f64; 2]) -> Option<[f64; 6]> {
        let turn = q[1].sin_cos();
        let mut b = self.inertia_at(q, turn);
        let mut x = self.velocity_at(q, qd, turn).map(|h| -h);
        for i in 0..2 {
            x[i] += torque[i];
        }
        for i in 0..6 {
            x[i] -= self.damping[i] * qd[i];
        }
        for i in 0..4 {
            x[2 + i] -= self.stiffness[i] * q[2 + i];
        }
        let mut inverse = [0.0; 6];
        for j in 0..6 {
            let pivot = (0..j).fold(b[j][j], |sum, k| sum - b[j][k] * b[j][k]);
            if !(pivot > super::factor::SMALLEST * b[j][j].abs() && pivot.is_finite()) {
                return None;
            }
            inverse[j] = 1.0 / pivot.sqrt();
            for i in j + 1..6 {
                b[i][j] = (0..j).fold(b[i][j], |sum, k| sum - b[i][k] * b[j][k]) * inverse[j];
            }
        }
        for i in 0..6 {
            x[i] = (0..i).fold(x[i], |sum, k| sum - b[i][k] * x[k]) * inverse[i];
        }
        for i in (0..6).rev() {
            x[i] = (i + 1..6).fold(x[i], |sum, k| sum - b[k][i] * x[k]) * inverse[i];
        }
        Some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::factor::{Workspace, accelerations_into};
    use super::super::terms::terms;
    use super::super::tests::{description, link, paper};
    use super::*;
    use proptest::prelude::*;

    fn state() -> impl Strategy<Value = ([f64; 6], [f64; 6])> {
        let joints = || prop::array::uniform2(-3.0..3.0_f64);
        let deflections = || prop::array::uniform4(-0.1..0.1_f64);
        (joints(), deflections(), joints(), prop::array::uniform4(-2.0..2.0_f64))
            .prop_map(|(a, b, c, d)| ([a[0], a[1], b[0], b[1], b[2], b[3]], [c[0], c[1], d[0], d[1], d[2], d[3]]))
    }

    fn arms() -> Vec<FlexibleArm<f64>> {
        let other = vec![link(0.7, 0.3, 2.0, [0.2, 0.05], 2), link(0.4, 0.1, 0.5, [0.3, 0.01], 2)];
        let mut alien = description(other, [0.3, 0.002]);
        // Shapes that do not belong to what the links carry: no coefficient simplifies.
        alien.links[0].boundary.mass = Some(0.1);
        alien.links[0].boundary.mass_distance = Some(0.005);
        alien.links[1].boundary.inertia = Some(0.0);
        [paper(2), alien].map(|arm| arm.build().unwrap().arm).to_vec()
    }

    proptest! {
        #[test]
        fn the_explicit_form_is_the_general_form((q, qd) in state()) {
            for arm in arms() {
                let explicit = TwoLink::new(&arm).unwrap();
                let general = terms(&arm, &q, &qd);
                let b: Vec<f64> = explicit.inertia(&q).into_iter().flatten().collect();
                let scale = general.velocity.iter().fold(1e-2_f64, |m, x| m.max(x.abs()));
                for (a, b) in general.inertia.as_slice().iter().zip(&b) {
                    prop_assert!((a - b).abs() < 1e-13 * a.abs().max(0.01), "B {} {}", a, b);
                }
                for (a, b) in general.velocity.iter().zip(explicit.velocity(&q, &qd)) {
                    prop_assert!((a - b).abs() < 1e-13 * scale, "h {} {}", a, b);
                }
                let mut qdd = [0.0; 6];
                let solved = accelerations_into(&arm, &q, &qd, &[0.2, -0.1], &mut Workspace::new(&arm), &mut qdd);
                let fast = explicit.accelerations(&q, &qd, &[0.2, -0.1]);
                prop_assert_eq!(solved, fast.is_some());
                let largest = qdd.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                // Close to where B loses definiteness rounding grows with the accelerations.
                for (a, b) in qdd.iter().zip(fast.unwrap_or(qdd)) {
                    prop_assert!((a - b).abs() < 1e-12 * largest * largest.max(1e3), "qdd {} {}", a, b);
                }
            }
        }
    }

    #[test]
    fn simplified_coefficients_are_masses_of_the_links() {
        let arm = paper(2).build().unwrap().arm;
        let c = TwoLink::new(&arm).unwrap().coefficients;
        for (found, printed) in
            [(c.b331, 0.1), (c.b441, 0.1), (c.b551, 0.1), (c.b661, 0.1), (c.b341, 0.0), (c.b561, 0.0)]
        {
            assert!((found - printed).abs() < 1e-15, "{found} {printed}");
        }
        assert_eq!(c.named().len(), 57 + 6 + 98);
        assert_eq!(c.named()[0], ("b111", c.b111));
    }

    /// The five coefficients as printed.
    fn misprinted(arm: &FlexibleArm<f64>) -> TwoLink<f64> {
        let mut model = TwoLink::new(arm).unwrap();
        let c = &mut model.coefficients;
        c.h107 *= 0.5;
        c.h117 = -c.h117;
        c.h118 = -c.h118;
        (c.h412, c.h413) = (c.h414, c.h411);
        model
    }

    /// Free motion for 2 s at a step: the largest drift of energy and of base momentum.
    fn drift(model: &TwoLink<f64>, q: [f64; 6], step: f64) -> [f64; 2] {
        let rate = |y: &[f64; 12]| {
            let (q, qd) = (std::array::from_fn(|i| y[i]), std::array::from_fn(|i| y[6 + i]));
            let qdd = model.accelerations(&q, &qd, &[0.0; 2]).unwrap();
            std::array::from_fn::<f64, 12, _>(|i| if i < 6 { qd[i] } else { qdd[i - 6] })
        };
        let measure = |y: &[f64; 12]| {
            let b = model.inertia(&std::array::from_fn(|i| y[i]));
            let momentum: Vec<f64> = b.iter().map(|row| row.iter().zip(&y[6..]).map(|(b, v)| b * v).sum()).collect();
            let kinetic: f64 = 0.5 * momentum.iter().zip(&y[6..]).map(|(p, v)| p * v).sum::<f64>();
            let elastic: f64 = (0..4).map(|i| 0.5 * model.stiffness[i] * y[2 + i] * y[2 + i]).sum();
            [kinetic + elastic, momentum[0]]
        };
        let mut y: [f64; 12] = std::array::from_fn(|i| if i < 6 { q[i] } else { 0.0 });
        let start = measure(&y);
        let mut drift = [0.0_f64; 2];
        for _ in 0..(2.0 / step).round() as usize {
            let shifted = |k: &[f64; 12], h: f64| std::array::from_fn::<f64, 12, _>(|i| y[i] + h * k[i]);
            let k1 = rate(&y);
            let k2 = rate(&shifted(&k1, step / 2.0));
            let k3 = rate(&shifted(&k2, step / 2.0));
            let k4 = rate(&shifted(&k3, step));
            y = std::array::from_fn(|i| y[i] + step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
            let now = measure(&y);
            drift = std::array::from_fn(|i| drift[i].max((now[i] - start[i]).abs()));
        }
        drift
    }

    #[test]
    fn energy_and_momentum_hold_with_the_corrected_coefficients_and_not_with_the_printed_ones() {
        let arm = paper(2).build().unwrap().arm;
        let model = TwoLink::new(&arm).unwrap();
        let fig5 = [0.0, 0.0, 0.0, 0.0, 0.1, 0.002];
        let fig6 = [0.0, std::f64::consts::FRAC_PI_2, 0.1, 0.002, 0.0, 0.0];
        for q in [fig5, fig6] {
            let [energy, momentum] = drift(&model, q, 1e-3);
            assert!(energy < 3e-7 && momentum < 2e-8, "{energy} {momentum}");
            let [finer, _] = drift(&model, q, 5e-4);
            let order = (energy / finer).log2();
            assert!((3.7..5.3).contains(&order), "order {order}");
        }
        let [energy, momentum] = drift(&misprinted(&arm), fig6, 1e-3);
        assert!(energy > 1e-3 && momentum > 1e-2, "{energy} {momentum}");
        let [energy, momentum] = drift(&misprinted(&arm), fig5, 1e-3);
        assert!(energy > 3e-6 && momentum > 3e-5, "{energy} {momentum}");
    }
}
