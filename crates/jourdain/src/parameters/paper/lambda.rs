//! λ and f of the recursion DE^j = λ^j DE^{j−1} + q̇_j f^j, GK (A1)–(A9).

use crate::parameters::field::Field;

/// The geometry of one joint: α, d, θ, r, angles as cosine and sine.
#[derive(Clone, Debug)]
pub struct Geometry<F> {
    /// Cosine and sine of the twist α.
    pub alpha: (F, F),
    /// Length along x.
    pub d: F,
    /// Cosine and sine of the angle θ.
    pub theta: (F, F),
    /// Length along z.
    pub r: F,
}

/// λ, GK (A2)–(A7).
pub fn lambda<F: Field>(joint: &Geometry<F>) -> Vec<Vec<F>> {
    let Geometry { alpha: (ca, sa), d, theta: (ct, st), r } = joint;
    let p = |factors: &[&F]| factors.iter().fold(F::one(), |product, factor| product.mul(factor));
    let two = F::integer(2);
    let (zero, one) = (F::zero, F::one);
    let (cct, cst, sst) = (p(&[ct, ct]), p(&[ct, st]), p(&[st, st]));
    let (cca, csa, ssa) = (p(&[ca, ca]), p(&[ca, sa]), p(&[sa, sa]));
    let (dt, da) = (cct.sub(&sst), cca.sub(&ssa));
    // (A3)
    let dj = [
        [cct.clone(), p(&[&cst, ca]), p(&[&cst, sa]), p(&[&sst, &cca]), p(&[&sst, &csa]), p(&[&sst, &ssa])],
        [
            p(&[&two, &cst]).neg(),
            p(&[&dt, ca]),
            p(&[&dt, sa]),
            p(&[&two, &cst, &cca]),
            p(&[&two, &cst, &csa]),
            p(&[&two, &cst, &ssa]),
        ],
        [zero(), p(&[ct, sa]).neg(), p(&[ct, ca]), p(&[&two, st, &csa]).neg(), p(&[st, &da]), p(&[&two, st, &csa])],
        [sst.clone(), p(&[&cst, ca]).neg(), p(&[&cst, sa]).neg(), p(&[&cct, &cca]), p(&[&cct, &csa]), p(&[&cct, &ssa])],
        [zero(), p(&[st, sa]), p(&[st, ca]).neg(), p(&[&two, ct, &csa]).neg(), p(&[ct, &da]), p(&[&two, ct, &csa])],
        [zero(), zero(), zero(), ssa.clone(), csa.neg(), cca.clone()],
    ];
    // (A4), transposed
    let ds_columns = [
        [zero(), zero(), p(&[&two, r])],
        [p(&[r, ct, sa]).sub(&p(&[d, st, ca])), p(&[d, ct, ca]).add(&p(&[r, st, sa])).neg(), p(&[d, sa])],
        [p(&[d, st, sa]).add(&p(&[r, ct, ca])).neg(), p(&[r, st, ca]).sub(&p(&[d, ct, sa])), p(&[d, ca]).neg()],
        [
            p(&[&two, d, ct]).add(&p(&[&two, r, st, &csa])),
            p(&[&two, r, ct, &csa]).sub(&p(&[&two, d, st])),
            p(&[&two, r, &cca]),
        ],
        [p(&[r, st, &da]).neg(), p(&[r, ct, &da]).neg(), p(&[&two, r, &csa])],
        [
            p(&[&two, d, ct]).sub(&p(&[&two, r, st, &csa])),
            p(&[&two, d, st]).add(&p(&[&two, r, ct, &csa])).neg(),
            p(&[&two, r, &ssa]),
        ],
    ];
    // (A7)
    let rotation = [
        [ct.clone(), p(&[ca, st]), p(&[sa, st])],
        [st.neg(), p(&[ca, ct]), p(&[sa, ct])],
        [zero(), sa.neg(), ca.clone()],
    ];
    // (A5), (A6)
    let (dd, rr, dr) = (p(&[d, d]), p(&[r, r]), p(&[d, r]));
    let dm = [
        rr.clone(),
        p(&[&dr, sa]),
        p(&[&dr, ca]).neg(),
        dd.add(&p(&[&rr, &cca])),
        p(&[&rr, &csa]),
        dd.add(&p(&[&rr, &ssa])),
    ];
    let position = [d.clone(), p(&[r, sa]).neg(), p(&[r, ca])];
    // (A2)
    let mut rows: Vec<Vec<F>> = Vec::with_capacity(10);
    for row in dj {
        rows.push(row.into_iter().chain((0..4).map(|_| zero())).collect());
    }
    for i in 0..3 {
        let left = ds_columns.iter().map(|column| column[i].clone());
        rows.push(left.chain(rotation[i].iter().cloned()).chain([zero()]).collect());
    }
    rows.push(dm.into_iter().chain(position).chain([one()]).collect());
    rows
}

/// f of a revolute joint, GK (A8), for the link's angular velocity ω, the velocity V of its origin and q̇.
pub fn revolute_rate<F: Field>(omega: &[F; 3], velocity: &[F; 3], rate: &F) -> Vec<F> {
    let zero = F::zero;
    let half = F::integer(2).inverse();
    let [w1, w2, w3] = omega.clone();
    vec![
        zero(),
        zero(),
        w1,
        zero(),
        w2,
        w3.sub(&rate.mul(&half)),
        velocity[1].clone(),
        velocity[0].neg(),
        zero(),
        zero(),
    ]
}

/// f of a prismatic joint, GK (A9).
pub fn prismatic_rate<F: Field>(omega: &[F; 3], velocity: &[F; 3], rate: &F) -> Vec<F> {
    let half = F::integer(2).inverse();
    let mut f = vec![F::zero(); 10];
    (f[6], f[7]) = (omega[1].neg(), omega[0].clone());
    f[9] = velocity[2].sub(&rate.mul(&half));
    f
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::exact::Rational;
    use crate::parameters::field::dot;
    use crate::parameters::geometry::Frame;
    use crate::parameters::paper::PLACES;
    use crate::parameters::transport;
    use crate::random::Random;

    fn number(random: &mut Random) -> Rational {
        Rational::fraction((random.bits() % 41) as i64 - 20, (random.bits() % 9) as i64 + 1)
    }

    fn joint(random: &mut Random) -> Geometry<Rational> {
        let mut angle = || Rational::cos_sin(3.0 * random.signed());
        let (alpha, theta) = (angle(), angle());
        Geometry { alpha, d: number(random), theta, r: number(random) }
    }

    /// Rot(x, α) Trans(x, d) Rot(z, θ) Trans(z, r).
    fn frame(joint: &Geometry<Rational>) -> Frame<Rational> {
        let zero = Rational::zero;
        let x = Frame { translation: [joint.d.clone(), zero(), zero()], ..Frame::turn(0, joint.alpha.clone()) };
        let shift = Frame { translation: [zero(), zero(), joint.r.clone()], ..Frame::identity() };
        x.then(&Frame::turn(2, joint.theta.clone())).then(&shift)
    }

    /// A vector or row of jourdain's order in the paper's.
    fn paper_order(row: &[Rational]) -> Vec<Rational> {
        PLACES.iter().map(|&at| row[at].clone()).collect()
    }

    #[test]
    fn lambda_of_the_appendix_is_that_of_the_general_rule() {
        let mut random = Random(1);
        for _ in 0..5 {
            let joint = joint(&mut random);
            let general = transport::lambda(&frame(&joint));
            let general: Vec<_> = PLACES.iter().map(|&at| paper_order(&general[at])).collect();
            assert_eq!(lambda(&joint), general);
        }
    }

    #[test]
    fn the_recursion_of_energy_derivatives_holds_for_both_joints() {
        let mut random = Random(2);
        let half = Rational::fraction(1, 2);
        for prismatic in [false, true] {
            let joint = joint(&mut random);
            let (v, rate): (Vec<_>, _) = ((0..6).map(|_| number(&mut random)).collect(), number(&mut random));
            // DE = ½ b(v, v), (7); the joint adds q̇ about or along z.
            let energy = |v: &[Rational]| -> Vec<Rational> {
                paper_order(&transport::polar(v, v)).iter().map(|x| x.mul(&half)).collect()
            };
            let mut own = transport::twist_in(&frame(&joint), &v);
            let axis = if prismatic { 2 } else { 5 };
            own[axis] = own[axis].add(&rate);
            let [v1, v2, v3, w1, w2, w3] = own.clone();
            let f = if prismatic { prismatic_rate } else { revolute_rate };
            let f = f(&[w1, w2, w3], &[v1, v2, v3], &rate);
            let before = energy(&v);
            let carried: Vec<_> = lambda(&joint).iter().map(|row| dot(row, &before)).collect();
            let sum: Vec<_> = carried.iter().zip(&f).map(|(a, b)| a.add(&rate.mul(b))).collect();
            assert_eq!(sum, energy(&own), "(A1), prismatic: {prismatic}");
        }
    }
}
