//! The bodies that MK's system matrices run over: the ground, and the links with every product joint taken apart.
//!
//! MK needs joint screws X that are constant in the body's frame. A joint exp(X₁q₁) … exp(X_m q_m) therefore becomes m bodies
//! with one screw each, all but the last massless: X_j is its own coordinate vector in the frame after its own exponential,
//! because exp(X q) leaves X where it is. Spherical and free joints keep one body with three or six constant screws. The
//! ground is body 0, so that gravity enters by the same matrices as every other motion.

use crate::Model;
use crate::model::Motion;
use crate::spatial::{Inertia, Pose, Twist, Vector};
use jourdain_symbolic::Scalar;

/// One body at one position.
#[derive(Clone, Debug)]
pub(super) struct Body<S> {
    /// The parent body.
    pub(super) parent: usize,
    /// T_{p,k}: this frame in the parent's.
    pub(super) transform: Pose<S>,
    /// The columns of X for this body.
    pub(super) screws: Vec<Twist<S>>,
    /// The inertia, where there is one.
    pub(super) inertia: Option<Inertia<S>>,
}

/// The bodies but the ground, parents first, and the body of each link. Body number `k` is element `k` − 1.
///
/// The screws of all bodies, one after the other, are in the order of the model's columns.
pub(super) fn bodies<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> (Vec<Body<S>>, Vec<usize>) {
    let (mut out, mut body_of): (Vec<Body<S>>, Vec<usize>) = (Vec::new(), Vec::new());
    for link in model.links() {
        let (placement, parent) = (link.placement.lift::<S>(), link.parent.map_or(0, |p| body_of[p]));
        let whole = |screws| Body { parent, transform: placement * link.motion(q), screws, inertia: None };
        match &link.joint.motion {
            Motion::Product(screws) if screws.is_empty() => out.push(whole(Vec::new())),
            Motion::Product(screws) => {
                for (i, screw) in screws.iter().enumerate() {
                    let x = screw.twist();
                    let (parent, before) = if i == 0 { (parent, placement) } else { (out.len(), Pose::identity()) };
                    out.push(Body {
                        parent,
                        // A coupled joint has one screw, its leader's number and an offset.
                        transform: before
                            * if link.mimic.is_some() { link.motion(q) } else { screw.exp(q[link.q + i]) },
                        screws: vec![Twist { linear: x.linear.lift(), angular: x.angular.lift() }],
                        inertia: None,
                    });
                }
            }
            Motion::Spherical { center } => {
                let about = |i| Twist { linear: center.lift().cross(Vector::unit(i)), angular: Vector::unit(i) };
                out.push(whole((0..3).map(about).collect()));
            }
            Motion::Free => out.push(whole((0..6).map(Twist::unit).collect())),
        }
        if let Some(last) = out.last_mut().filter(|_| !link.inertia.is_zero()) {
            last.inertia = Some(link.inertia.lift());
        }
        body_of.push(out.len());
    }
    (out, body_of)
}
