//! The closed regrouping relations, GK (14)–(16), (19), (20).

use super::lambda::Geometry;
use crate::parameters::field::Field;

/// A parameter of link j that is eliminated and where it goes, per unit: coefficients of link j and of link j−1, in the
/// paper's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer<F> {
    /// Index of the parameter that is eliminated.
    pub from: usize,
    /// What is added to parameters of the same link.
    pub own: Vec<F>,
    /// What is added to parameters of link j−1.
    pub parent: Vec<F>,
}

fn transfer<F: Field>(from: usize, own: &[(usize, F)], parent: &[(usize, F)]) -> Transfer<F> {
    let spread = |entries: &[(usize, F)]| {
        let mut vector = vec![F::zero(); 10];
        entries.iter().for_each(|(at, value)| vector[*at] = value.clone());
        vector
    };
    Transfer { from, own: spread(own), parent: spread(parent) }
}

fn product<F: Field>(factors: &[&F]) -> F {
    factors.iter().fold(F::one(), |product, factor| product.mul(factor))
}

const XX: usize = 0;
const XY: usize = 1;
const XZ: usize = 2;
const YY: usize = 3;
const YZ: usize = 4;
const ZZ: usize = 5;
const MX: usize = 6;
const MY: usize = 7;
const MZ: usize = 8;
const M: usize = 9;

/// Where the mass of a link goes that turns, GK (14).
pub fn mass_transfer<F: Field>(joint: &Geometry<F>) -> Transfer<F> {
    let Geometry { alpha: (ca, sa), d, r, .. } = joint;
    let p = product::<F>;
    let dd = p(&[d, d]);
    let parent = [
        (XX, p(&[r, r])),
        (XY, p(&[d, r, sa])),
        (XZ, p(&[d, r, ca]).neg()),
        (YY, dd.add(&p(&[r, r, ca, ca]))),
        (YZ, p(&[r, r, ca, sa])),
        (ZZ, dd.add(&p(&[r, r, sa, sa]))),
        (MX, d.clone()),
        (MY, p(&[r, sa]).neg()),
        (MZ, p(&[r, ca])),
        (M, F::one()),
    ];
    transfer(M, &[], &parent)
}

/// Where YY, mZ and m of a link go that turns, GK (15) with its first line corrected to link j.
pub fn revolute<F: Field>(joint: &Geometry<F>) -> [Transfer<F>; 3] {
    let Geometry { alpha: (ca, sa), d, r, .. } = joint;
    let p = product::<F>;
    let two = F::integer(2);
    let yy = [(XX, F::one()), (YY, p(&[ca, ca])), (YZ, p(&[ca, sa])), (ZZ, p(&[sa, sa]))];
    let mz = [
        (XX, p(&[&two, r])),
        (XY, p(&[d, sa])),
        (XZ, p(&[d, ca]).neg()),
        (YY, p(&[&two, r, ca, ca])),
        (YZ, p(&[&two, r, ca, sa])),
        (ZZ, p(&[&two, r, sa, sa])),
        (MY, sa.neg()),
        (MZ, ca.clone()),
    ];
    [transfer(YY, &[(XX, F::one().neg())], &yy), transfer(MZ, &[], &mz), mass_transfer(joint)]
}

/// Where the six inertias of a link go that slides, GK (16) with the sine of α restored in the YY row.
pub fn prismatic<F: Field>(joint: &Geometry<F>) -> [Transfer<F>; 6] {
    let Geometry { alpha: (ca, sa), theta: (ct, st), .. } = joint;
    let p = product::<F>;
    let two = F::integer(2);
    let (dt, da) = (p(&[ct, ct]).sub(&p(&[st, st])), p(&[ca, ca]).sub(&p(&[sa, sa])));
    [
        transfer(
            XX,
            &[],
            &[
                (XX, p(&[ct, ct])),
                (XY, p(&[ct, st, ca])),
                (XZ, p(&[ct, st, sa])),
                (YY, p(&[st, st, ca, ca])),
                (YZ, p(&[st, st, ca, sa])),
                (ZZ, p(&[st, st, sa, sa])),
            ],
        ),
        transfer(
            XY,
            &[],
            &[
                (XX, p(&[&two, ct, st]).neg()),
                (XY, p(&[&dt, ca])),
                (XZ, p(&[&dt, sa])),
                (YY, p(&[&two, ct, st, ca, ca])),
                (YZ, p(&[&two, ct, st, ca, sa])),
                (ZZ, p(&[&two, ct, st, sa, sa])),
            ],
        ),
        transfer(
            XZ,
            &[],
            &[
                (XY, p(&[ct, sa]).neg()),
                (XZ, p(&[ct, ca])),
                (YY, p(&[&two, st, ca, sa]).neg()),
                (YZ, p(&[st, &da])),
                (ZZ, p(&[&two, st, ca, sa])),
            ],
        ),
        transfer(
            YY,
            &[],
            &[
                (XX, p(&[st, st])),
                (XY, p(&[ct, st, ca]).neg()),
                (XZ, p(&[ct, st, sa]).neg()),
                (YY, p(&[ct, ct, ca, ca])),
                (YZ, p(&[ct, ct, ca, sa])),
                (ZZ, p(&[ct, ct, sa, sa])),
            ],
        ),
        transfer(
            YZ,
            &[],
            &[
                (XY, p(&[st, sa])),
                (XZ, p(&[st, ca]).neg()),
                (YY, p(&[&two, ct, ca, sa]).neg()),
                (YZ, p(&[ct, &da])),
                (ZZ, p(&[&two, ct, ca, sa])),
            ],
        ),
        transfer(ZZ, &[], &[(YY, p(&[sa, sa])), (YZ, p(&[ca, sa]).neg()), (ZZ, p(&[ca, ca]))]),
    ]
}

/// Where mX and mY of a link go that slides along the first axis of rotation, GK (19) for Sα = 0 and (20) for Cα = 0;
/// `None` for another α. Only what has an effect on link j−1 is written.
pub fn parallel_slide<F: Field>(joint: &Geometry<F>) -> Option<[Transfer<F>; 2]> {
    let Geometry { alpha: (ca, sa), d, theta: (ct, st), .. } = joint;
    let p = product::<F>;
    let two = F::integer(2);
    let (x, y) = if sa.is_zero() {
        (
            [(ZZ, p(&[&two, d, ct])), (MX, ct.clone()), (MY, p(&[st, ca]))],
            [(ZZ, p(&[&two, d, st]).neg()), (MX, st.neg()), (MY, p(&[ct, ca]))],
        )
    } else if ca.is_zero() {
        (
            [(YY, p(&[&two, d, ct])), (MX, ct.clone()), (MZ, p(&[sa, st]))],
            [(YY, p(&[&two, d, st]).neg()), (MX, st.neg()), (MZ, p(&[sa, ct]))],
        )
    } else {
        return None;
    };
    Some([transfer(MX, &[], &x), transfer(MY, &[], &y)])
}

#[cfg(test)]
mod tests {
    use super::super::lambda::lambda;
    use super::*;
    use crate::parameters::exact::Rational;

    fn joint(alpha: f64, theta: f64) -> Geometry<Rational> {
        Geometry {
            alpha: Rational::cos_sin(alpha),
            d: Rational::fraction(3, 10),
            theta: Rational::cos_sin(theta),
            r: Rational::fraction(-2, 7),
        }
    }

    /// λᵀ of the combination: what arrives at link j−1.
    fn carried(joint: &Geometry<Rational>, transfer: &Transfer<Rational>) -> Vec<Rational> {
        let lambda = lambda(joint);
        // The null vector is the parameter minus what it leaves behind in its own link.
        let null: Vec<_> =
            (0..10).map(|i| if i == transfer.from { Rational::one() } else { transfer.own[i].neg() }).collect();
        (0..10).map(|k| (0..10).fold(Rational::zero(), |sum, i| sum.add(&null[i].mul(&lambda[i][k])))).collect()
    }

    #[test]
    fn relations_15_and_16_are_lambda_of_the_combinations_that_a_joint_cannot_feel() {
        for (alpha, theta) in [(0.7, 0.3), (-1.9, 2.2), (std::f64::consts::FRAC_PI_2, 0.0)] {
            let joint = joint(alpha, theta);
            for transfer in revolute(&joint) {
                assert_eq!(carried(&joint, &transfer), transfer.parent, "(15), parameter {}", transfer.from);
            }
            for transfer in prismatic(&joint) {
                assert_eq!(carried(&joint, &transfer), transfer.parent, "(16), parameter {}", transfer.from);
            }
            assert_eq!(mass_transfer(&joint), revolute(&joint)[2]);
        }
    }

    #[test]
    fn relations_19_and_20_are_lambda_on_what_has_an_effect() {
        // Rotation about z before the slide for (19), about y for (20): the parameters of link j−1 that it shows.
        for (alpha, shown) in [(0.0, [ZZ, MX, MY]), (std::f64::consts::FRAC_PI_2, [YY, MX, MZ])] {
            let joint = joint(alpha, 0.4);
            for transfer in parallel_slide(&joint).unwrap() {
                let carried = carried(&joint, &transfer);
                for at in shown {
                    assert_eq!(carried[at], transfer.parent[at], "α = {alpha}, from {}, to {at}", transfer.from);
                }
            }
        }
        assert_eq!(parallel_slide(&joint(0.3, 0.0)), None);
    }
}
