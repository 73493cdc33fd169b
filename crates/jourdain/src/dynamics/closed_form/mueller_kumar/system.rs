//! The system matrices A, X, a, b, D, U, P and their time derivatives, MK (8)–(19), (23), (26).
//!
//! J = A X,  A = (1 − D)⁻¹,  Ḋ = −a D,  P := A a D,  Ȧ = −P A,  J̇ = −P J,  U̇ = −P U
//!
//! D holds Ad_{k,p} at (body, parent), which makes every formula hold for trees. MK has A a where P stands here: there
//! J̇ = −A a J, because a X = 0 for joints with one number. For spherical and free joints that fails, and a ȧ ≠ ȧ a as well;
//! P holds for all, and P J = A a J where both do.
//!
//! Any order: P^{(s)} = −Σ C(s,i) A^{(i)} D^{(s−i+1)} from D^{(s+1)} = −Σ C(s,i) a^{(i)} D^{(s−i)} and
//! A^{(s+1)} = −Σ C(s,i) P^{(i)} A^{(s−i)}; then J^{(r)} = N_r J with N₀ = 1, N_{r+1} = Ṅ_r − N_r P, which is
//! N_{r+1} = −Σ C(r,i) P^{(i)} N_{r−i} by Leibniz' rule on J̇ = −P J.
//!
//! Traps. U̇ = −P U needs the ground as a body: with MK (26), where the root's Ad⁻¹ moves, only U̇ = −A a U holds. Twists are
//! stacked linear part first, where MK has the angular part first.

use super::block_matrix::{Block, BlockMatrix, Stacked, dot};
use super::bodies::{Body, bodies};
use crate::dynamics::drive;
use crate::spatial::{Twist, Vector};
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;
use std::array::from_fn;

/// The system matrices of a robot at one position, and their time derivatives under one motion.
///
/// With L derivatives w, ẇ, … of the motion given it knows M, g and wrench torques with their derivatives up to order L, C
/// up to L − 1 and τ up to L − 2.
#[derive(Clone, Debug)]
pub struct System<'m, S: Scalar> {
    pub(super) model: &'m Model<S::Constant>,
    pub(super) position: Vec<S>,
    /// w, ẇ, ….
    pub(super) motion: Vec<Vec<S>>,
    pub(super) body_of: Vec<usize>,
    bodies: Vec<Body<S>>,
    /// The columns of X with the body they stand at.
    screws: Vec<(usize, Twist<S>)>,
    /// diag(M₁ … M_n), constant.
    pub(super) inertia: BlockMatrix<S>,
    /// A.
    pub(super) spread: BlockMatrix<S>,
    /// a, ȧ, ….
    pub(super) a: Vec<BlockMatrix<S>>,
    /// P, Ṗ, ….
    pub(super) p: Vec<BlockMatrix<S>>,
    /// N₀, N₁, ….
    pub(super) n: Vec<BlockMatrix<S>>,
    /// b(V), b(V̇), ….
    pub(super) b: Vec<BlockMatrix<S>>,
    /// U G.
    pub(super) weight: Stacked<S>,
}

impl<'m, S: Scalar> System<'m, S> {
    /// The matrices at position `q` under the motion `derivatives` = w, ẇ, ẅ, ….
    ///
    /// # Panics
    /// If a vector does not have the model's length.
    ///
    /// # Reference
    /// MK (8)–(19), (23), (26).
    #[must_use]
    pub fn new(model: &'m Model<S::Constant>, q: &[S], derivatives: &[&[S]]) -> Self {
        assert_eq!(q.len(), model.nq(), "numbers in q");
        assert!(derivatives.iter().all(|w| w.len() == model.nv()), "numbers in the velocity and its derivatives");
        let (bodies, body_of) = bodies(model, q);
        let size = bodies.len() + 1;
        let at_bodies = |f: &dyn Fn(&Body<S>) -> Option<Block<S>>| {
            BlockMatrix::diagonal(std::iter::once(None).chain(bodies.iter().map(f)).collect())
        };
        let inertia = at_bodies(&|body| body.inertia.map(|inertia| inertia.to_matrix())); // MK (21), (24)
        let mut d = BlockMatrix::zero(size);
        for (k, body) in bodies.iter().enumerate() {
            d.add_block(k + 1, body.parent, matrix(|x| body.transform.adjoint_inverse(x))); // MK (11), (17)
        }
        let spread = inverse(&d, &bodies);
        let mut screws = Vec::new();
        for (k, body) in bodies.iter().enumerate() {
            screws.extend(body.screws.iter().map(|&x| (k + 1, x)));
        }
        let gravity = Twist { linear: -model.gravity().lift::<S>(), angular: Vector::zero() };
        let mut ground = vec![[S::zero(); 6]; size];
        ground[0] = gravity.to_array(); // G of MK (26)
        let mut system = Self {
            model,
            position: q.to_vec(),
            motion: derivatives.iter().map(|w| w.to_vec()).collect(),
            body_of,
            screws,
            inertia,
            weight: spread.apply(&ground), // MK (26)
            spread,
            bodies,
            a: Vec::new(),
            p: Vec::new(),
            n: vec![BlockMatrix::identity(size)],
            b: Vec::new(),
        };
        system.differentiate(d);
        system
    }

    /// The tables a^{(s)}, P^{(s)}, N_r and b(V^{(s)}).
    fn differentiate(&mut self, d: BlockMatrix<S>) {
        let size = self.bodies.len() + 1;
        let (mut d, mut spread) = (vec![d], vec![self.spread.clone()]);
        for s in 0..self.motion.len() {
            self.a.push(self.joint_rates(s)); // MK (13)
            d.push(-leibniz(size, s, &self.a, &d)); // Ḋ = −a D, MK before (19)
            self.p.push(-leibniz(size, s, &spread, &d[1..])); // P = A a D = −A Ḋ
            spread.push(-leibniz(size, s, &self.p, &spread)); // Ȧ = −P A, MK (19)
            self.n.push(-leibniz(size, s, &self.p, &self.n)); // J̇ = −P J, MK (12)
        }
        for s in 0..self.motion.len() {
            let ad = self.twists(s).into_iter().map(|v| {
                let v = Twist::from_array(v);
                matrix(|x| v.cross(x))
            });
            let blocks = ad.enumerate().map(|(k, ad)| (k > 0).then_some(ad)).collect();
            self.b.push(BlockMatrix::diagonal(blocks)); // MK (23)
        }
    }

    /// a(w^{(s)}): diag(ad(X₁ c₁), …), MK (13), (14); a body's joint twist X c for joints with several numbers.
    fn joint_rates(&self, s: usize) -> BlockMatrix<S> {
        let mut ads = vec![None; self.bodies.len() + 1];
        for ((k, xi), moves) in self.joint_twists(s).into_iter().enumerate().zip(self.moving_bodies()) {
            let xi = Twist::from_array(xi);
            ads[k] = moves.then(|| matrix(|x| xi.cross(x)));
        }
        BlockMatrix::diagonal(ads)
    }

    fn moving_bodies(&self) -> impl Iterator<Item = bool> {
        std::iter::once(false).chain(self.bodies.iter().map(|body| !body.screws.is_empty()))
    }

    /// X c^{(s)} with c the speeds of all columns.
    fn joint_twists(&self, s: usize) -> Stacked<S> {
        let mut out = vec![[S::zero(); 6]; self.bodies.len() + 1];
        for (&(k, x), column) in self.screws.iter().zip(self.model.columns()) {
            let share = x.times(drive::speed(column, &self.motion[s])).to_array();
            out[k] = from_fn(|i| out[k][i] + share[i]);
        }
        out
    }

    /// V^{(s)} = Σ C(s,i) N_i J c^{(s−i)}, MK (8), (15).
    pub(super) fn twists(&self, s: usize) -> Stacked<S> {
        let mut out = vec![[S::zero(); 6]; self.bodies.len() + 1];
        for i in 0..=s {
            let term = self.n[i].apply(&self.spread.apply(&self.joint_twists(s - i)));
            accumulate(&mut out, &term, binomial(s, i));
        }
        out
    }

    /// Jᵀ S J in the velocities of the robot: J = A X, MK (9), and coupled joints onto their leaders.
    pub(super) fn project(&self, system: &BlockMatrix<S>) -> Matrix<S> {
        let inner = self.spread.transpose() * system * &self.spread;
        let n = self.model.nv();
        let mut out = Matrix::zeros(n, n);
        for (&(k, x), row) in self.screws.iter().zip(self.model.columns()) {
            for (&(l, y), column) in self.screws.iter().zip(self.model.columns()) {
                let Some(block) = inner.block(k, l) else { continue };
                let y = y.to_array();
                let image = from_fn(|i| dot(&block[i], &y, S::zero()));
                let mut value = dot(&x.to_array(), &image, S::zero());
                for factor in [row.factor, column.factor].into_iter().flatten() {
                    value = value.scale(factor);
                }
                out[(row.dof, column.dof)] += value;
            }
        }
        out
    }

    /// Jᵀ f in the velocities of the robot.
    pub(super) fn project_vector(&self, f: &[[S; 6]]) -> Vec<S> {
        let inner = self.spread.apply_transposed(f);
        let mut out = vec![S::zero(); self.model.nv()];
        for (&(k, x), column) in self.screws.iter().zip(self.model.columns()) {
            let value = dot(&x.to_array(), &inner[k], S::zero());
            out[column.dof] += column.factor.map_or(value, |factor| value.scale(factor));
        }
        out
    }

    /// Number of bodies, the ground included.
    pub(super) fn size(&self) -> usize {
        self.bodies.len() + 1
    }
}

/// A = 1 + D A, row by row from the root: (1 − D)⁻¹, MK (10), (16).
fn inverse<S: Scalar>(d: &BlockMatrix<S>, bodies: &[Body<S>]) -> BlockMatrix<S> {
    let mut a = BlockMatrix::identity(bodies.len() + 1);
    for (k, body) in bodies.iter().enumerate() {
        let Some(ad) = d.block(k + 1, body.parent) else { continue };
        for j in 0..=body.parent {
            let Some(above) = a.block(body.parent, j) else { continue };
            let columns: [[S; 6]; 6] = from_fn(|c| from_fn(|m| above[m][c]));
            a.add_block(k + 1, j, from_fn(|r| from_fn(|c| dot(&ad[r], &columns[c], S::zero()))));
        }
    }
    a
}

/// The 6×6 matrix of a linear map on twists.
fn matrix<S: Scalar>(map: impl Fn(Twist<S>) -> Twist<S>) -> Block<S> {
    let columns: [[S; 6]; 6] = from_fn(|j| map(Twist::unit(j)).to_array());
    from_fn(|i| from_fn(|j| columns[j][i]))
}

/// (x y)^{(s)} = Σ C(s,i) x^{(i)} y^{(s−i)}.
pub(super) fn leibniz<S: Scalar>(size: usize, s: usize, x: &[BlockMatrix<S>], y: &[BlockMatrix<S>]) -> BlockMatrix<S> {
    let term = |i: usize| (&x[i] * &y[s - i]).times(binomial(s, i));
    (0..=s).fold(BlockMatrix::zero(size), |sum, i| sum + term(i))
}

/// Adds `factor` times a stacked vector.
pub(super) fn accumulate<S: Scalar>(sum: &mut [[S; 6]], term: &[[S; 6]], factor: f64) {
    let factor = S::Constant::from_f64(factor);
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum = from_fn(|i| term[i].scale_add(factor, sum[i]));
    }
}

/// C(n, k), exact.
pub(super) fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A robot with a free base, a spherical joint and others, in motion.
    fn floating() -> (Model, Vec<f64>, Vec<Vec<f64>>) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/robots/floating7.toml");
        let model = Model::from_description(&crate::formats::load(path).unwrap().0).unwrap();
        let wave = |n: usize, r: usize| (0..n).map(|i| (1.7 * i as f64 + 2.3 * r as f64 + 0.3).sin()).collect();
        let mut q: Vec<f64> = wave(model.nq(), 0);
        crate::state::normalize_quaternions(&model, &mut q).unwrap();
        let orders = (1..5).map(|r| wave(model.nv(), r)).collect();
        (model, q, orders)
    }

    fn assert_same(what: &str, a: &BlockMatrix<f64>, b: &BlockMatrix<f64>) {
        let difference = a - b;
        let largest =
            difference.stored().flat_map(|(_, _, block)| block.as_flattened()).fold(0.0, |m, x| x.abs().max(m));
        assert!(largest < 1e-12, "{what}: {largest:.2e}");
    }

    #[test]
    fn rates_of_p_are_their_closed_expressions() {
        let (model, q, orders) = floating();
        let motion: Vec<&[f64]> = orders.iter().map(Vec::as_slice).collect();
        let system = System::new(&model, &q, &motion);
        let (spread, p) = (&system.spread, &system.p);
        let [a, a_dot, a_ddot] = [&system.a[0], &system.a[1], &system.a[2]];
        let mut d = BlockMatrix::zero(system.size());
        for (k, body) in system.bodies.iter().enumerate() {
            d.add_block(k + 1, body.parent, matrix(|x| body.transform.adjoint_inverse(x)));
        }
        assert_same("P", &p[0], &(spread * a * &d));
        let p_dot = spread * a_dot * &d - spread * a * a * &d - &p[0] * &p[0];
        assert_same("P rate", &p[1], &p_dot);
        let p_ddot = (spread * a_ddot * &d - &p[0] * spread * a_dot * &d - spread * a_dot * a * &d)
            - (spread * (a_dot * a + a * a_dot) * &d - &p[0] * spread * a * a * &d - spread * a * a * a * &d)
            - (&p[1] * &p[0] + &p[0] * &p[1]);
        assert_same("second P rate", &p[2], &p_ddot);
        assert_same("N2", &system.n[2], &(&p[0] * &p[0] - &p[1]));
    }

    #[test]
    fn spread_is_the_inverse_of_one_minus_d() {
        let (model, q, _) = floating();
        let system = System::new(&model, &q, &[]);
        let mut rest = BlockMatrix::identity(system.size());
        for (k, body) in system.bodies.iter().enumerate() {
            rest.add_block(k + 1, body.parent, matrix(|x| -body.transform.adjoint_inverse(x)));
        }
        assert_same("A (1 − D)", &(&system.spread * rest), &BlockMatrix::identity(system.size())); // MK (16)
    }

    #[test]
    fn one_recursion_of_n_is_the_other() {
        // N_{r+1} = Ṅ_r − N_r P with Ṅ₂ = d/dt(P² − Ṗ).
        let (model, q, orders) = floating();
        let motion: Vec<&[f64]> = orders.iter().map(Vec::as_slice).collect();
        let System { p, n, .. } = &System::new(&model, &q, &motion);
        let n_2_dot = &p[1] * &p[0] + &p[0] * &p[1] - &p[2];
        assert_same("N3", &n[3], &(n_2_dot - &n[2] * &p[0]));
    }
}
