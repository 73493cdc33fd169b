//! Time derivatives of any order by Taylor series: the recursions run on [`Jet`]s of the motion.
//!
//! A formula that is run on the series of its arguments gives its own series. So τ, τ̇, …, τ^{(K−1)} come out of one
//! Newton–Euler pass on jets with K coefficients, O(N K²), and M, C, g with their derivatives out of one composite pass,
//! O(n d K²). Motor inertia, friction and wrenches are in the formulas already.
//!
//! A motion is the position q and `derivatives` = w, ẇ, ẅ, …; orders that are not given are zero. For K orders M and g need
//! K − 1 of them, C and the wrenches' torques K, and τ needs K + 1.
//!
//! Traps. The `_series_into` forms write Taylor coefficients: leave them by [`Jet::derivatives`]. The rates of a
//! [`LinkWrench`] are those of its components in link axes; a wrench that is known in world axes has to be carried over
//! first, see [`world_wrench_series`].
//!
//! # Reference
//! Derivatives of G (6), as MK (28)–(53) have them.

use super::matrices::{coriolis_matrix_into, dynamic_matrices_into, gravity_into, mass_matrix_into};
use super::newton_euler::{external_forces_into, inverse_dynamics_into};
use crate::dynamics::Factorization;
use crate::kinematics;
use crate::kinematics::trajectory::{position_jets_into, series_into};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::spatial::Wrench;
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::{Jet, Scalar};
use std::array::from_fn;

/// Scratch for derivatives up to the order K − 1 by Taylor series.
#[derive(Clone, Debug)]
pub struct JetScratch<S: Scalar, const K: usize> {
    workspace: Workspace<Jet<S, K>>,
    q: Vec<Jet<S, K>>,
    w: Vec<Jet<S, K>>,
    w_dot: Vec<Jet<S, K>>,
    /// Room for one wrench per link.
    wrenches: Vec<LinkWrench<Jet<S, K>>>,
}

impl<S: Scalar, const K: usize> JetScratch<S, K> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let zeros = |n: usize| vec![Jet::fixed(S::zero()); n];
        Self {
            workspace: Workspace::new(model),
            q: zeros(model.nq()),
            w: zeros(model.nv()),
            w_dot: zeros(model.nv()),
            wrenches: Vec::with_capacity(model.links().len()),
        }
    }

    fn set_position(&mut self, model: &Model<S::Constant>, q: &[S], derivatives: &[&[S]]) {
        position_jets_into(model, q, derivatives, &mut self.q);
    }

    fn set_velocity(&mut self, derivatives: &[&[S]]) {
        series_into(derivatives, &mut self.w);
    }

    fn set_acceleration(&mut self, derivatives: &[&[S]]) {
        series_into(derivatives.get(1..).unwrap_or_default(), &mut self.w_dot);
    }

    fn set_wrenches(&mut self, wrenches: &[LinkWrench<S>]) {
        self.wrenches.clear();
        self.wrenches.extend(wrenches.iter().map(wrench_series));
    }
}

/// The Taylor series of a wrench from its rates, in link axes; derivatives above the second are zero.
///
/// The series is the field `wrench` of the result; `dot` and `ddot` are not used by the recursions and are zero.
#[must_use]
pub fn wrench_series<S: Scalar, const K: usize>(load: &LinkWrench<S>) -> LinkWrench<Jet<S, K>> {
    LinkWrench::constant(load.link, series_of(&[load.wrench, load.dot, load.ddot]))
}

/// The series of a wrench with these derivatives of order 0, 1, 2, …; orders that are not given are zero.
fn series_of<S: Scalar, const K: usize>(orders: &[Wrench<S>]) -> Wrench<Jet<S, K>> {
    let component = |i: usize, k: usize| orders.get(k).map_or_else(S::zero, |wrench| wrench.to_array()[i]);
    Wrench::from_array(from_fn(|i| Jet::from_derivatives(from_fn(|k| component(i, k)))))
}

/// How a wrench that is not given in link axes is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorldWrench {
    /// World axes, the moment about the link's origin: it travels with the link and does not turn with it.
    AtLinkOrigin,
    /// World axes, the moment about the world's origin: the coordinates of a load that is fixed in space.
    AtWorldOrigin,
}

/// A wrench applied to a link and given in world axes, in link axes at the link origin: as a series in time.
///
/// `orders` holds the wrench and its derivatives in the world; orders that are not given are zero, so that one entry is a
/// constant load. Along the motion the components in link axes change even then: Ẇ gains −ω × W and more.
///
/// # Panics
/// If `link` is not there, or a vector does not have the model's length.
#[must_use]
pub fn world_wrench_series<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    link: usize,
    given: WorldWrench,
    orders: &[Wrench<S>],
) -> LinkWrench<Jet<S, K>> {
    let mut position = vec![Jet::fixed(S::zero()); model.nq()];
    position_jets_into(model, q, derivatives, &mut position);
    let pose = kinematics::pose(model, &position, link);
    let world = series_of(orders);
    let wrench = match given {
        WorldWrench::AtLinkOrigin => Wrench {
            force: pose.rotation.apply_inverse(world.force),
            moment: pose.rotation.apply_inverse(world.moment),
        },
        WorldWrench::AtWorldOrigin => pose.coadjoint_inverse(world),
    };
    LinkWrench::constant(link, wrench)
}

/// A wrench applied to a link and given in world axes, with its first two rates there, as a state has it: in link axes.
///
/// # Panics
/// As [`world_wrench_series`].
#[must_use]
pub fn world_wrench<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    [w, w_dot]: [&[S]; 2],
    link: usize,
    given: WorldWrench,
    orders: [Wrench<S>; 3],
) -> LinkWrench<S> {
    let series: LinkWrench<Jet<S, 3>> = world_wrench_series(model, q, &[w, w_dot], link, given, &orders);
    let order = |k: usize| Wrench::from_array(series.wrench.to_array().map(|jet| jet.derivative(k)));
    LinkWrench { link, wrench: order(0), dot: order(1), ddot: order(2) }
}

/// The series of the torques, `nv` jets, wrenches with their rates in link axes.
///
/// # Reference
/// MK (1), (28), (38).
pub fn inverse_dynamics_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_wrenches(wrenches);
    let loads = std::mem::take(&mut scratch.wrenches);
    inverse_dynamics_under_series_into(model, q, derivatives, &loads, scratch, out);
    scratch.wrenches = loads;
}

/// As [`inverse_dynamics_series_into`], with wrenches that have derivatives of any order.
pub fn inverse_dynamics_under_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<Jet<S, K>>],
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    scratch.set_velocity(derivatives);
    scratch.set_acceleration(derivatives);
    let JetScratch { workspace, q, w, w_dot, .. } = scratch;
    inverse_dynamics_into(model, q, w, w_dot, wrenches, workspace, out);
}

/// The series of the torques −Σ Jᵀ W, `nv` jets, wrenches with their rates in link axes.
///
/// # Reference
/// MK (27), (37), (53), with the opposite sign of the wrench.
pub fn external_forces_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    scratch.set_wrenches(wrenches);
    let JetScratch { workspace, q, wrenches, .. } = scratch;
    external_forces_into(model, q, wrenches, workspace, out);
}

/// The series of M, `nv` × `nv` jets.
///
/// # Reference
/// MK (20), (29), (40).
pub fn mass_matrix_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    mass_matrix_into(model, &scratch.q, &mut scratch.workspace, out);
}

/// The series of C, `nv` × `nv` jets.
///
/// # Reference
/// MK (54), (31), (45).
pub fn coriolis_matrix_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    factorization: Factorization,
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    scratch.set_velocity(derivatives);
    coriolis_matrix_into(model, &scratch.q, &scratch.w, factorization, &mut scratch.workspace, out);
}

/// The series of g, `nv` jets.
///
/// # Reference
/// MK (25), (36), (52).
pub fn gravity_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    scratch: &mut JetScratch<S, K>,
    out: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    gravity_into(model, &scratch.q, &mut scratch.workspace, out);
}

/// The series of M, C (Garofalo's) and g in one pass: `nv` × `nv`, `nv` × `nv` and `nv` jets.
///
/// # Reference
/// MK (20), (54), (25) and their derivatives.
pub fn dynamic_matrices_series_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    scratch: &mut JetScratch<S, K>,
    m: &mut [Jet<S, K>],
    c: &mut [Jet<S, K>],
    g: &mut [Jet<S, K>],
) {
    scratch.set_position(model, q, derivatives);
    scratch.set_velocity(derivatives);
    let JetScratch { workspace, q, w, .. } = scratch;
    dynamic_matrices_into(model, q, w, workspace, m, c, g);
}

fn vectors<S: Scalar, const K: usize>(series: &[Jet<S, K>]) -> [Vec<S>; K] {
    from_fn(|r| series.iter().map(|jet| jet.derivative(r)).collect())
}

fn matrices<S: Scalar, const K: usize>(n: usize, series: &[Jet<S, K>]) -> [Matrix<S>; K] {
    from_fn(|r| Matrix::from_fn(n, n, |i, j| series[i * n + j].derivative(r)))
}

fn zeros<S: Scalar, const K: usize>(n: usize) -> Vec<Jet<S, K>> {
    vec![Jet::fixed(S::zero()); n]
}

/// τ, τ̇, …, τ^{(K−1)}; see [`inverse_dynamics_series_into`].
#[must_use]
pub fn inverse_dynamics_derivatives<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
) -> [Vec<S>; K] {
    let mut out = zeros(model.nv());
    inverse_dynamics_series_into(model, q, derivatives, wrenches, &mut JetScratch::new(model), &mut out);
    vectors(&out)
}

/// τ, τ̇, …, τ^{(K−1)} under wrenches with derivatives of any order; see [`inverse_dynamics_under_series_into`].
#[must_use]
pub fn inverse_dynamics_derivatives_under<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<Jet<S, K>>],
) -> [Vec<S>; K] {
    let mut out = zeros(model.nv());
    inverse_dynamics_under_series_into(model, q, derivatives, wrenches, &mut JetScratch::new(model), &mut out);
    vectors(&out)
}

/// −Σ Jᵀ W and its derivatives; see [`external_forces_series_into`].
#[must_use]
pub fn external_forces_derivatives<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
) -> [Vec<S>; K] {
    let mut out = zeros(model.nv());
    external_forces_series_into(model, q, derivatives, wrenches, &mut JetScratch::new(model), &mut out);
    vectors(&out)
}

/// M, Ṁ, …, M^{(K−1)}; see [`mass_matrix_series_into`].
#[must_use]
pub fn mass_matrix_derivatives<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
) -> [Matrix<S>; K] {
    let mut out = zeros(model.nv() * model.nv());
    mass_matrix_series_into(model, q, derivatives, &mut JetScratch::new(model), &mut out);
    matrices(model.nv(), &out)
}

/// C, Ċ, …, C^{(K−1)}; see [`coriolis_matrix_series_into`].
#[must_use]
pub fn coriolis_matrix_derivatives<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    factorization: Factorization,
) -> [Matrix<S>; K] {
    let mut out = zeros(model.nv() * model.nv());
    coriolis_matrix_series_into(model, q, derivatives, factorization, &mut JetScratch::new(model), &mut out);
    matrices(model.nv(), &out)
}

/// g, ġ, …, g^{(K−1)}; see [`gravity_series_into`].
#[must_use]
pub fn gravity_derivatives<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
) -> [Vec<S>; K] {
    let mut out = zeros(model.nv());
    gravity_series_into(model, q, derivatives, &mut JetScratch::new(model), &mut out);
    vectors(&out)
}
