//! Building a [`Model`]: from a [`Checked`] description, which is lowered already, link by link.

use super::body_tree::BodyTree;
use super::checked::Checked;
use super::description::{Description, LinkDescription, MotorDescription};
use super::diagnostic::Diagnostic;
use super::joint::Joint;
use super::link::{Limits, Link, Mimic, Motor, Shaft};
use super::lowered::{LoweredLink, leaders};
use super::number::Number;
use super::tree::{Model, Source};
use crate::spatial::{Vector, ahead};

/// Why a description did not become a model: everything that was found; its text is what leaves no robot.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.iter().filter(|d| d.is_fatal()).map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError(pub Vec<Diagnostic>);

impl Model<f64> {
    /// Checks a description and builds its model. Links are put in order, parents first, otherwise as they stand.
    ///
    /// What a reader gives has been checked: `Model::from` builds it as it is. What no body can be is let pass:
    /// [`check`](super::check::check) lists it.
    ///
    /// # Errors
    /// Everything the check finds, if it leaves no robot.
    pub fn from_description(description: &Description) -> Result<Self, BuildError> {
        Checked::new(description.clone()).map(Self::from)
    }
}

impl From<Checked> for Model<f64> {
    fn from(checked: Checked) -> Self {
        let (description, lowered) = checked.into_parts();
        let links = description.links.iter().zip(lowered.links).map(|(link, lowered)| build_link(link, lowered));
        let (name, mut links) = (description.name.clone(), links.collect::<Vec<_>>());
        let leaders = leaders(&description);
        for (link, described) in links.iter_mut().zip(&description.links) {
            link.shaft = described.shaft.as_ref().map(|shaft| {
                let index = |(name, factor): &(String, Number)| Some((*leaders.get(name.as_str())?, factor.value));
                let with = shaft.with.iter().filter_map(index).collect();
                Box::new(Shaft { with, row: Vec::new(), q: Vec::new(), motor: build_motor(&shaft.motor) })
            });
        }
        let model = Self::assemble(name, lowered.gravity, links, Source::new(description));
        let tree = BodyTree::new(&model);
        model.with_body_tree(tree)
    }
}

fn build_link(link: &LinkDescription, lowered: LoweredLink<f64>) -> Link<f64> {
    let LoweredLink { parent, placement, motion, inertia, coupling } = lowered;
    let placement = placement.into();
    // What there is no function of has been refused by the check.
    let balance = link.balance.as_ref().and_then(|balance| balance.formula(&placement, &motion).ok()).map(Box::new);
    Link {
        name: link.name.clone(),
        parent,
        placement,
        joint_name: link.joint.name.clone(),
        joint: Joint { kind: link.joint.kind.joint_type(), motion },
        inertia,
        motor: link.motor.as_ref().map(build_motor),
        shaft: None,
        balance,
        limits: Limits {
            // Limits that no position keeps to bound nothing.
            position: link.joint.limits.map(|limits| limits.map(|x| x.value)).filter(|[lower, upper]| lower <= upper),
            velocity: link.joint.velocity.map(|x| x.value).filter(|most| *most >= 0.0),
            effort: link.joint.effort.map(|x| x.value).filter(|most| *most >= 0.0),
        },
        mimic: coupling.map(|coupling| Mimic {
            leader: coupling.leader,
            q: 0,
            v: 0,
            multiplier: coupling.multiplier,
            offset: coupling.offset,
            ahead: ahead(coupling.offset),
        }),
        q: 0,
        v: 0,
        column: 0,
    }
}

/// The rotor of a rigid joint moves with the link, and so does its friction.
fn build_motor(motor: &MotorDescription) -> Motor<f64> {
    let [viscous, coulomb, rotor_viscous, rotor_coulomb] =
        [motor.viscous, motor.coulomb, motor.rotor_viscous, motor.rotor_coulomb].map(|x| x.value);
    let rigid = motor.stiffness.is_none();
    Motor {
        inertia: motor.inertia.value,
        ratio: motor.ratio.value,
        stiffness: motor.stiffness.map(|k| k.value),
        damping: motor.damping.value,
        viscous: if rigid { viscous + rotor_viscous } else { viscous },
        coulomb: if rigid { coulomb + rotor_coulomb } else { coulomb },
        rotor_viscous: if rigid { 0.0 } else { rotor_viscous },
        rotor_coulomb: if rigid { 0.0 } else { rotor_coulomb },
        root: motor.root.map(|x| x.value),
        stribeck: motor.stribeck.map(|x| x.value),
        stribeck_speed: motor.stribeck_speed.value,
        offset: motor.offset.map(|x| x.value),
        hysteresis: motor.hysteresis,
        load: motor.load.value,
        axis: motor.axis.map(|axis| {
            // Its largest part first: squares of very long or short axes leave the range of numbers.
            let largest = axis.iter().map(|x| x.value.abs()).fold(0.0, f64::max);
            let axis = Vector(axis.map(|x| x.value / largest));
            axis.times(1.0 / axis.norm())
        }),
    }
}
