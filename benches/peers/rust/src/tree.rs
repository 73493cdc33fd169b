//! A jourdain model as the peers can hold it: moving bodies only, parents first, each subtree in one piece.
//!
//! Fixed links are added to the body that carries them. A joint axis that is not an axis of the link frame gets a frame of
//! its own, with z along it. Traps: Pinocchio silently needs subtrees in one piece, so the order of the velocities differs
//! from jourdain's, and its free joint has the quaternion as x, y, z, w.

use jourdain::Model;
use jourdain::model::{Motion, Screw};
use jourdain::spatial::{Inertia, Pose, Rotation, Symmetric, Vector};
use jourdain::state::State;
use std::error::Error;
use std::fmt::Write;

/// How a body moves.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// About one of the body's axes.
    Revolute(usize),
    /// Along one of the body's axes.
    Prismatic(usize),
    /// Any motion.
    Free,
}

/// A moving body.
pub struct Body {
    pub joint_name: String,
    /// Index of the parent; `None` for the ground.
    pub parent: Option<usize>,
    pub kind: Kind,
    /// Its frame in the parent's at zero position.
    pub placement: Pose<f64>,
    /// With all links fixed to it, in its frame.
    pub inertia: Inertia<f64>,
    /// First indices in jourdain's position and velocity.
    pub q: usize,
    pub v: usize,
}

/// All moving bodies.
pub struct Tree {
    pub gravity: [f64; 3],
    pub bodies: Vec<Body>,
}

impl Kind {
    pub fn nv(self) -> usize {
        if self == Kind::Free { 6 } else { 1 }
    }

    fn code(self) -> String {
        match self {
            Kind::Revolute(axis) => format!("R{}", ["X", "Y", "Z"][axis]),
            Kind::Prismatic(axis) => format!("P{}", ["X", "Y", "Z"][axis]),
            Kind::Free => "FF".to_owned(),
        }
    }
}

impl Tree {
    /// # Errors
    /// A joint that the peers do not have.
    pub fn new(model: &Model) -> Result<Self, Box<dyn Error>> {
        let mut tree = Self { gravity: model.gravity().0, bodies: Vec::new() };
        for link in 0..model.links().len() {
            if model.links()[link].parent.is_none() {
                tree.add(model, link, None, Pose::identity())?;
            }
        }
        Ok(tree)
    }

    /// Adds a link and all after it, given its parent link's frame in the body that carries it.
    fn add(
        &mut self,
        model: &Model,
        index: usize,
        carrier: Option<usize>,
        parent: Pose<f64>,
    ) -> Result<(), Box<dyn Error>> {
        let link = &model.links()[index];
        let unknown = || format!("joint `{}` of {} has no counterpart in the peers", link.joint_name, model.name());
        if link.mimic.is_some() || link.motor.is_some() {
            return Err(unknown().into());
        }
        let placement = parent * link.placement;
        let moving = match &link.joint.motion {
            Motion::Product(screws) if screws.is_empty() => None,
            Motion::Product(screws) => match screws[..] {
                [Screw::Rotation { axis, point, pitch: 0.0 }] => {
                    let (axis, rotation) = along(axis);
                    Some((Kind::Revolute(axis), Pose { rotation, translation: point }))
                }
                [Screw::Translation { axis }] => {
                    let (axis, rotation) = along(axis);
                    Some((Kind::Prismatic(axis), Pose { rotation, translation: Vector::zero() }))
                }
                _ => return Err(unknown().into()),
            },
            Motion::Free => Some((Kind::Free, Pose::identity())),
            Motion::Spherical { .. } => return Err(unknown().into()),
        };
        let (carrier, link_pose) = match moving {
            None => {
                if let Some(body) = carrier {
                    self.bodies[body].inertia += link.inertia.transformed(&placement);
                }
                (carrier, placement)
            }
            // The frame is `place` in the link frame: placement · place · Z(q) · place⁻¹ is the link's motion.
            Some((kind, place)) => {
                let link_pose = place.inverse();
                self.bodies.push(Body {
                    joint_name: format!("joint{}", self.bodies.len()),
                    parent: carrier,
                    kind,
                    placement: placement * place,
                    inertia: link.inertia.transformed(&link_pose),
                    q: link.q,
                    v: link.v,
                });
                (Some(self.bodies.len() - 1), link_pose)
            }
        };
        for child in 0..model.links().len() {
            if model.links()[child].parent == Some(index) {
                self.add(model, child, carrier, link_pose)?;
            }
        }
        Ok(())
    }

    /// jourdain's velocity index of each of the peers'.
    pub fn velocity_order(&self) -> Vec<usize> {
        self.bodies.iter().flat_map(|body| body.v..body.v + body.kind.nv()).collect()
    }

    /// One line per joint: name, parent (0 = ground), type, position, rotation by rows, mass, centre of mass, and
    /// XX, XY, XZ, YY, YZ, ZZ about it.
    pub fn to_text(&self) -> String {
        let mut text = format!("gravity {}\n", numbers(&self.gravity));
        for body in &self.bodies {
            let parent = body.parent.map_or(0, |parent| parent + 1);
            let (com, tensor) = about_com(body.inertia);
            let rotation: Vec<f64> = body.placement.rotation.0.iter().flatten().copied().collect();
            let fields =
                [&body.placement.translation.0[..], &rotation, &[body.inertia.mass], &com.0, &tensor.to_array()];
            let _ =
                writeln!(text, "joint {} {parent} {} {}", body.joint_name, body.kind.code(), numbers(&fields.concat()));
        }
        text
    }

    /// The same as URDF; `None` with a free joint.
    pub fn to_urdf(&self) -> Option<String> {
        let mut text = String::from("<robot name=\"robot\">\n<link name=\"ground\"/>\n");
        for (index, body) in self.bodies.iter().enumerate() {
            let (kind, axis) = match body.kind {
                Kind::Revolute(axis) => ("continuous", axis),
                Kind::Prismatic(axis) => ("prismatic", axis),
                Kind::Free => return None,
            };
            let parent = body.parent.map_or("ground".to_owned(), |parent| format!("body{parent}"));
            let (com, tensor) = about_com(body.inertia);
            let [xx, xy, xz, yy, yz, zz] = tensor.to_array();
            let axis: [f64; 3] = std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 });
            let _ = write!(
                text,
                "<link name=\"body{index}\"><inertial><origin xyz=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{xx}\" \
                 ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/></inertial></link>\n<joint \
                 name=\"{}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"body{index}\"/><origin \
                 xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/><limit lower=\"-100\" upper=\"100\" effort=\"1000\" \
                 velocity=\"100\"/></joint>\n",
                numbers(&com.0),
                body.inertia.mass,
                body.joint_name,
                numbers(&body.placement.translation.0),
                numbers(&roll_pitch_yaw(&body.placement.rotation)),
                numbers(&axis),
            );
        }
        text.push_str("</robot>\n");
        Some(text)
    }

    /// The states in the order of the peers: count, then q, its first two derivatives, torques, and the next two of each.
    pub fn states_to_text(&self, states: &[State]) -> String {
        let mut text = format!("{}\n", states.len());
        let order = self.velocity_order();
        for state in states {
            let q: Vec<f64> = self.bodies.iter().flat_map(|body| position(body, &state.q)).collect();
            let _ = writeln!(text, "{}", numbers(&q));
            for vector in [&state.qd, &state.qdd, &state.tau, &state.qddd, &state.qdddd] {
                let _ = writeln!(text, "{}", numbers(&order.iter().map(|&i| vector[i]).collect::<Vec<_>>()));
            }
        }
        text
    }
}

fn position(body: &Body, q: &[f64]) -> Vec<f64> {
    match body.kind {
        Kind::Free => [0, 1, 2, 4, 5, 6, 3].map(|i| q[body.q + i]).to_vec(),
        _ => vec![q[body.q]],
    }
}

/// The axis of a frame along `axis`, and that frame: the link's own if one of its axes is it, else one with z along it.
fn along(axis: Vector<f64>) -> (usize, Rotation<f64>) {
    for i in 0..3 {
        if axis == Vector::unit(i) {
            return (i, Rotation::identity());
        }
    }
    let smallest = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let x = Vector::unit(smallest).cross(axis);
    let x = x.times(1.0 / x.norm());
    let y = axis.cross(x);
    (2, Rotation(std::array::from_fn(|i| [x[i], y[i], axis[i]])))
}

/// Centre of mass and the tensor about it. A body may have a moment of inertia and no mass: only what the joint feels.
fn about_com(inertia: Inertia<f64>) -> (Vector<f64>, Symmetric<f64>) {
    if inertia.mass == 0.0 { (Vector::zero(), inertia.rotational) } else { inertia.about_com() }
}

/// Angles with R = Z(yaw) Y(pitch) X(roll).
fn roll_pitch_yaw(Rotation(r): &Rotation<f64>) -> [f64; 3] {
    let cos_pitch = r[0][0].hypot(r[1][0]);
    let pitch = (-r[2][0]).atan2(cos_pitch);
    if cos_pitch > 1e-9 {
        [r[2][1].atan2(r[2][2]), pitch, r[1][0].atan2(r[0][0])]
    } else {
        [(-r[1][2]).atan2(r[1][1]), pitch, 0.0]
    }
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ")
}
