//! The outward recursion: Jacobians of all links and their rates, from the root to the leaves, G (26)–(28).
//!
//! T_{0,k} = T_{0,p} T_{p,k},  v_k = Ad⁻¹ v_p + ξ_k,  J_k = Ad⁻¹ J_p + Ξ_k,  J̇_k = Ad⁻¹ J̇_p − ad(ξ_k) Ad⁻¹ J_p + Ξ̇_k
//!
//! with Ad⁻¹ of T_{p,k} and ξ_k = Ξ_k q̇. One pass serves every quantity of this module; the second rate is in
//! `rates.rs`, the partials in `outward_partials.rs`.
//!
//! Traps. G prints (28)–(32) for a constant Ξ; a joint with several numbers has a Ξ that moves with q and adds Ξ̇ here.
//! A coupled joint has its Ξ, times the coupling's factor, in the column of its leader, so that the same column may
//! collect several joints of one chain. For spherical and free joints q̇ stands for the body velocities, and every
//! "∂/∂q_h" for the derivative along T·exp(ε ê_h), G (33).

use crate::model::Model;
use crate::spatial::{Inertia, Pose, Twist};
use jourdain_symbolic::Scalar;

/// What one link's motion is, in its own axes at its own origin.
#[derive(Clone, Debug)]
pub struct LinkMotion<S> {
    /// The parent's index; `None` for the ground.
    pub parent: Option<usize>,
    /// T_{p,k}: this frame in the parent's.
    pub transform: Pose<S>,
    /// T_{0,k}: this frame in the ground's.
    pub pose: Pose<S>,
    /// Λ.
    pub inertia: Inertia<S>,
    /// The velocities that move this link, ascending: the only columns of J that are not zero.
    pub support: Vec<usize>,
    /// The velocities of this link's own joint: where the columns of Ξ stand.
    pub own: Vec<usize>,
    /// The columns of Ξ in the order of `own`, the factor of a coupled joint included.
    pub subspace: Vec<Twist<S>>,
    /// The columns of Ξ̇ in the order of `own`.
    pub subspace_dot: Vec<Twist<S>>,
    /// ξ: the twist against the parent.
    pub joint_twist: Twist<S>,
    /// J, one twist per velocity.
    pub jacobian: Vec<Twist<S>>,
    /// J̇.
    pub jacobian_dot: Vec<Twist<S>>,
    /// v: the twist.
    pub twist: Twist<S>,
    /// γ = Ad⁻¹_{0,k} γ₀, the upward acceleration that stands for gravity.
    pub gravity: Twist<S>,
}

/// The motion of every link at one position and velocity.
#[derive(Clone, Debug)]
pub struct Outward<'m, S: Scalar> {
    pub(super) model: &'m Model<S::Constant>,
    pub(super) position: Vec<S>,
    pub(super) velocity: Vec<S>,
    pub(super) links: Vec<LinkMotion<S>>,
}

impl<'m, S: Scalar> Outward<'m, S> {
    /// The recursion for a robot at rest: all that depends on the position alone.
    ///
    /// # Panics
    /// If `q` does not have the model's length.
    #[must_use]
    pub fn at(model: &'m Model<S::Constant>, q: &[S]) -> Self {
        Self::moving(model, q, &vec![S::zero(); model.nv()])
    }

    /// The recursion at position `q` and velocity `w`.
    ///
    /// # Panics
    /// If `q` or `w` does not have the model's length.
    ///
    /// # Reference
    /// G (26)–(28), and the algorithm of G section VI.
    #[must_use]
    pub fn moving(model: &'m Model<S::Constant>, q: &[S], w: &[S]) -> Self {
        assert_eq!(q.len(), model.nq(), "numbers in q");
        assert_eq!(w.len(), model.nv(), "numbers in the velocity");
        let mut links = Vec::with_capacity(model.links().len());
        for k in 0..model.links().len() {
            let link = step(model, k, &links, q, w);
            links.push(link);
        }
        Self { model, position: q.to_vec(), velocity: w.to_vec(), links }
    }

    /// The motion of each link.
    #[must_use]
    pub fn links(&self) -> &[LinkMotion<S>] {
        &self.links
    }

    /// The links that have an inertia, with their index.
    pub(super) fn massive(&self) -> impl Iterator<Item = (usize, &LinkMotion<S>)> {
        self.links.iter().enumerate().filter(|(k, _)| !self.model.links()[*k].inertia.is_zero())
    }
}

impl<S: Scalar> LinkMotion<S> {
    /// Σ_j X_j u_j over the support: a Jacobian, or one of its rates, times a vector.
    pub(super) fn contract(&self, columns: &[Twist<S>], u: &[S]) -> Twist<S> {
        self.support.iter().fold(Twist::zero(), |sum, &j| sum + columns[j].times(u[j]))
    }
}

/// Link `k` from the links before it.
fn step<S: Scalar>(model: &Model<S::Constant>, k: usize, before: &[LinkMotion<S>], q: &[S], w: &[S]) -> LinkMotion<S> {
    let link = &model.links()[k];
    let (mut slot_q, mut slot_w) = ([S::zero()], [S::zero()]);
    let (position, velocity) = (link.position(q, &mut slot_q), link.velocity(w, &mut slot_w));
    let transform = link.transform(q);

    let zero = vec![Twist::zero(); link.joint.nv()];
    let (mut subspace, mut subspace_dot) = (zero.clone(), zero);
    link.joint.subspace_into(position, &mut subspace);
    link.joint.subspace_dot_into(&subspace, velocity, &mut subspace_dot);
    let joint_twist = subspace.iter().zip(velocity).fold(Twist::zero(), |sum, (xi, &w)| sum + xi.times(w)); // ξ = Ξ q̇

    // Coupled joints have one number, hence a constant Ξ: only Ξ itself takes the factor.
    let columns = &model.columns()[model.columns_of(k)];
    for (xi, column) in subspace.iter_mut().zip(columns) {
        if let Some(factor) = column.factor {
            *xi = xi.times(S::constant(factor));
        }
    }
    let own: Vec<usize> = columns.iter().map(|column| column.dof).collect();

    let ground = vec![Twist::zero(); model.nv()];
    let parent = link.parent.map(|p| &before[p]);
    let mut support = parent.map_or_else(Vec::new, |p| p.support.clone());
    let (mut jacobian, mut jacobian_dot) = (ground.clone(), ground);
    if let Some(p) = parent {
        for &j in &support {
            let inherited = transform.adjoint_inverse(p.jacobian[j]);
            jacobian[j] = inherited; // G (27)
            jacobian_dot[j] = transform.adjoint_inverse(p.jacobian_dot[j]) - joint_twist.cross(inherited); // G (28)
        }
    }
    for (c, &j) in own.iter().enumerate() {
        jacobian[j] += subspace[c]; // G (27)
        jacobian_dot[j] += subspace_dot[c]; // G (28) for a moving Ξ
    }
    support.extend(&own);
    support.sort_unstable();
    support.dedup();

    let base_gravity = Twist { linear: -model.gravity().lift::<S>(), angular: crate::spatial::Vector::zero() };
    LinkMotion {
        parent: link.parent,
        pose: parent.map_or(transform, |p| p.pose * transform),
        inertia: link.inertia.lift(),
        support,
        own,
        subspace,
        subspace_dot,
        joint_twist,
        jacobian,
        jacobian_dot,
        twist: parent.map_or(joint_twist, |p| transform.adjoint_inverse(p.twist) + joint_twist), // G (26)
        gravity: transform.adjoint_inverse(parent.map_or(base_gravity, |p| p.gravity)),
        transform,
    }
}
