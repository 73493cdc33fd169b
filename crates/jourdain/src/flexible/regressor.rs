//! The equations as linear in constant parameters: B q̈ + h + K q + D q̇ = Y(q, q̇, q̈) π, for any n and m.
//!
//! π are the entries of B₀, C_ab, S_ab,k, K and D. They are products and sums of physical constants such as m_p φ_e φ'_e, and they
//! are what a motion tells about an arm: identification works with them, not with masses and shapes. Gravity is left out.
//!
//! An entry at (i, j) with the factor c(q) gives c q̈ⱼ + ċ q̇ⱼ to row i and the same with i and j exchanged to row j, less
//! ∂c/∂q q̇ᵢq̇ⱼ to the rows that c depends on (half of it all on the diagonal).
//!
//! # Reference
//! DS (25), (26), and the remark on linearity after (35).

use super::arm::{FlexibleArm, Kinematics};
use super::tables::Pair;
use crate::matrix::Matrix;
use jourdain_symbolic::{Constant, Scalar};

/// A parameter and its name: `B0[1,2]`, `C12[1,3]`, `S12[1,3;delta11]`, `K[3,3]`, `D[3]`.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedParameter<T> {
    /// The name; rows and columns counted from one.
    pub name: String,
    /// The value.
    pub value: T,
}

/// The parameters; `None` for kinematics that are not the paper's.
#[must_use]
pub fn grouped_parameters<T: Constant>(arm: &FlexibleArm<T>) -> Option<Vec<GroupedParameter<T>>> {
    if arm.kinematics() != Kinematics::Paper {
        return None;
    }
    let names = arm.coordinate_names();
    let mut list = Vec::new();
    let mut push = |name: String, value: T| list.push(GroupedParameter { name, value });
    for entry in &arm.tables().constant {
        push(format!("B0[{},{}]", entry.row + 1, entry.column + 1), entry.value);
    }
    for pair in &arm.tables().pairs {
        let Pair { inner, outer, .. } = pair;
        let ends = format!("{}{}", inner + 1, outer + 1);
        for entry in &pair.cosine {
            push(format!("C{ends}[{},{}]", entry.row + 1, entry.column + 1), entry.value);
        }
        for entry in &pair.sine {
            for (k, value) in &pair.sine_terms[entry.terms.clone()] {
                push(format!("S{ends}[{},{};{}]", entry.row + 1, entry.column + 1, names[*k]), *value);
            }
        }
    }
    for (row, column, k) in arm.stiffness() {
        push(format!("K[{},{}]", row + 1, column + 1), k);
    }
    for (c, d) in arm.damping().into_iter().enumerate() {
        push(format!("D[{}]", c + 1), d);
    }
    Some(list)
}

/// Y, one row per coordinate and one column per parameter of [`grouped_parameters`]; `None` where there are none.
///
/// # Panics
/// If a vector does not have the arm's size.
#[must_use]
pub fn regressor<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S], qdd: &[S]) -> Option<Matrix<S>> {
    let size = arm.size();
    assert_eq!([q.len(), qd.len(), qdd.len()], [size; 3], "coordinates of the arm");
    let mut y = Matrix::zeros(size, grouped_parameters(arm)?.len());
    let mut column = 0;
    let mut add = |i: usize, j: usize, factor: S, rate: S, slopes: &[(usize, S)]| {
        let of = |c: usize| factor.mul_add(qdd[c], rate * qd[c]);
        y[(i, column)] += of(j);
        let mut both = qd[i] * qd[j];
        if i == j {
            both = both * S::from_f64(0.5);
        } else {
            y[(j, column)] += of(i);
        }
        for &(k, slope) in slopes {
            y[(k, column)] -= slope * both;
        }
        column += 1;
    };
    for entry in &arm.tables().constant {
        add(entry.row, entry.column, S::one(), S::zero(), &[]);
    }
    for pair in &arm.tables().pairs {
        let joints = pair.inner + 1..=pair.outer;
        let sum = |v: &[S]| v[joints.clone()].iter().fold(S::zero(), |sum, &x| sum + x);
        let ((sin, cos), turning) = (sum(q).sin_cos(), sum(qd));
        let slopes: Vec<(usize, S)> = joints.clone().map(|t| (t, -sin)).collect();
        for entry in &pair.cosine {
            add(entry.row, entry.column, cos, -(sin * turning), &slopes);
        }
        for entry in &pair.sine {
            for &(k, _) in &pair.sine_terms[entry.terms.clone()] {
                let mut slopes: Vec<(usize, S)> = joints.clone().map(|t| (t, cos * q[k])).collect();
                slopes.push((k, sin));
                add(entry.row, entry.column, sin * q[k], cos * turning * q[k] + sin * qd[k], &slopes);
            }
        }
    }
    for (row, other, _) in arm.stiffness() {
        y[(row, column)] = q[other];
        column += 1;
    }
    for c in 0..size {
        y[(c, column)] = qd[c];
        column += 1;
    }
    Some(y)
}

#[cfg(test)]
mod tests {
    use super::super::terms::forces;
    use super::super::tests::{description, link, paper};
    use super::*;

    #[test]
    fn regressor_times_parameters_is_the_force() {
        let three = vec![
            link(0.6, 0.4, 6.0, [0.0, 0.08], 2),
            link(0.5, 0.3, 3.0, [0.5, 0.04], 1),
            link(0.4, 0.2, 1.5, [0.3, 0.02], 2),
        ];
        let mut three = description(three, [0.2, 0.001]);
        three.links[1].viscous = 0.3;
        for arm in [paper(2), three] {
            let arm = arm.build().unwrap().arm;
            let vector = |phase: f64, small: f64| -> Vec<f64> {
                (0..arm.size())
                    .map(|c| (phase + 1.7 * c as f64).sin() * if c < arm.joints() { 1.5 } else { small })
                    .collect()
            };
            let (q, qd, qdd) = (vector(0.3, 0.05), vector(1.1, 0.7), vector(2.2, 3.0));
            let parameters: Vec<f64> = grouped_parameters(&arm).unwrap().iter().map(|p| p.value).collect();
            let found = regressor(&arm, &q, &qd, &qdd).unwrap().apply(&parameters);
            for (a, b) in found.iter().zip(forces(&arm, &q, &qd, &qdd)) {
                assert!((a - b).abs() < 1e-13 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }

    #[test]
    fn parameters_of_the_two_link_arm_are_counted() {
        let arm = paper(2).build().unwrap().arm;
        let parameters = grouped_parameters(&arm).unwrap();
        let starting = |letter: &str| parameters.iter().filter(|p| p.name.starts_with(letter)).count();
        assert_eq!((starting("C12"), starting("K"), starting("D")), (15, 4, 6));
        assert!(grouped_parameters(&arm.with_kinematics(Kinematics::Linear)).is_none());
    }
}
