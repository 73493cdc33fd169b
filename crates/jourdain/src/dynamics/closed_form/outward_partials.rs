//! Partial derivatives of the Jacobians by the position, G (31), (32), by the same recursion.
//!
//! ∂J_k/∂q_h = Ad⁻¹ ∂J_p/∂q_h − ad(Ξʰ) Ad⁻¹ J_p + ∂Ξ/∂q_h
//!
//! ∂J̇_k/∂q_h = Ad⁻¹ ∂J̇_p/∂q_h − ad(Ξʰ) Ad⁻¹ J̇_p − ad(ξ) (∂J_k/∂q_h − ∂Ξ/∂q_h) − ad((∂Ξ/∂q_h) q̇) Ad⁻¹ J_p + ∂Ξ̇/∂q_h
//!
//! and ∂J̇_k/∂q̇_h = ∂J_k/∂q_h, G (30). For spherical and free joints the derivative is along T·exp(ε ê_h), where all of
//! this holds as it stands, G (33). Trap: the terms with ∂Ξ are not in the paper, whose Ξ is constant.

use super::outward::{LinkMotion, Outward};
use crate::spatial::Twist;
use jourdain_symbolic::Scalar;

/// The partials of one link's Jacobian.
#[derive(Clone, Debug)]
pub struct LinkPartials<S> {
    /// ∂J/∂q_h, first index h, second the column of J; equal to ∂J̇/∂q̇_h.
    pub jacobian: Vec<Vec<Twist<S>>>,
    /// ∂J̇/∂q_h.
    pub jacobian_dot: Vec<Vec<Twist<S>>>,
}

impl<S: Scalar> Outward<'_, S> {
    /// ∂J/∂q and ∂J̇/∂q of every link.
    ///
    /// # Reference
    /// G (31), (32).
    #[must_use]
    pub fn partials(&self) -> Vec<LinkPartials<S>> {
        let mut partials = Vec::with_capacity(self.links.len());
        for k in 0..self.links.len() {
            let link = self.link_partials(k, &partials);
            partials.push(link);
        }
        partials
    }

    fn link_partials(&self, k: usize, before: &[LinkPartials<S>]) -> LinkPartials<S> {
        let link = &self.links[k];
        let n = self.model.nv();
        let zero = vec![vec![Twist::zero(); n]; n];
        let mut out = LinkPartials { jacobian: zero.clone(), jacobian_dot: zero };
        for &h in &link.support {
            if let Some(p) = link.parent {
                self.propagate(link, &self.links[p], &before[p], h, &mut out);
            }
        }
        self.add_moving_subspace(k, &mut out);
        out
    }

    /// The part that comes from the parent.
    fn propagate(
        &self,
        link: &LinkMotion<S>,
        parent: &LinkMotion<S>,
        before: &LinkPartials<S>,
        h: usize,
        out: &mut LinkPartials<S>,
    ) {
        let own = link.own.iter().position(|&dof| dof == h);
        for &j in &parent.support {
            let mut partial = link.transform.adjoint_inverse(before.jacobian[h][j]);
            let mut partial_dot = link.transform.adjoint_inverse(before.jacobian_dot[h][j]);
            if let Some(c) = own {
                let xi_h = link.subspace[c];
                partial -= xi_h.cross(link.transform.adjoint_inverse(parent.jacobian[j])); // G (31)
                partial_dot -= xi_h.cross(link.transform.adjoint_inverse(parent.jacobian_dot[j])); // G (32)
            }
            out.jacobian[h][j] = partial;
            out.jacobian_dot[h][j] = partial_dot - link.joint_twist.cross(partial); // G (32)
        }
    }

    /// The terms of a Ξ that moves with q; coupled joints have none.
    fn add_moving_subspace(&self, k: usize, out: &mut LinkPartials<S>) {
        let (link, joint) = (&self.links[k], &self.model.links()[k].joint);
        if !joint.has_moving_subspace() {
            return;
        }
        let velocity: Vec<S> = link.own.iter().map(|&dof| self.velocity[dof]).collect();
        let (xi, parent) = (&link.subspace, link.parent.map(|p| &self.links[p]));
        for (c, &h) in link.own.iter().enumerate() {
            let mut moved = Twist::zero(); // (∂Ξ/∂q_h) q̇
            for (local, &j) in link.own.iter().enumerate() {
                let partial = joint.subspace_partial(xi, local, c);
                moved += partial.times(velocity[local]);
                out.jacobian[h][j] += partial; // G (31) for a moving Ξ
                out.jacobian_dot[h][j] += joint.subspace_dot_partial(xi, &velocity, local, c); // G (32) for a moving Ξ
            }
            let Some(parent) = parent else { continue };
            for &j in &parent.support {
                let inherited = link.transform.adjoint_inverse(parent.jacobian[j]);
                out.jacobian_dot[h][j] -= moved.cross(inherited); // G (32) for a moving Ξ
            }
        }
    }
}
