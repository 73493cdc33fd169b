//! Mapping a model's constants to another type, structure kept.

use super::joint::{Joint, Motion, Screw};
use super::link::{Link, Mimic, Motor, Shaft};
use super::tree::Model;
use crate::spatial::{Inertia, Pose, Rotation, Symmetric};
use jourdain_symbolic::Constant;

pub(super) fn map<T: Constant, U: Constant>(model: &Model<T>, f: &mut impl FnMut(T) -> U) -> Model<U> {
    let (name, gravity, links, source) = model.parts();
    let gravity = gravity.map(&mut *f);
    let links = links.iter().map(|link| map_link(link, f)).collect();
    Model::assemble(name.to_owned(), gravity, links, source.clone()).with_body_tree(model.body_tree().map(f))
}

fn map_link<T: Constant, U: Constant>(link: &Link<T>, f: &mut impl FnMut(T) -> U) -> Link<U> {
    Link {
        name: link.name.clone(),
        parent: link.parent,
        placement: Pose {
            rotation: Rotation(link.placement.rotation.0.map(|row| row.map(&mut *f))),
            translation: link.placement.translation.map(&mut *f),
        },
        joint_name: link.joint_name.clone(),
        joint: Joint { kind: link.joint.kind, motion: map_motion(&link.joint.motion, f) },
        inertia: Inertia {
            mass: f(link.inertia.mass),
            first_moment: link.inertia.first_moment.map(&mut *f),
            rotational: Symmetric::from_array(link.inertia.rotational.to_array().map(&mut *f)),
        },
        motor: link.motor.as_ref().map(|motor| map_motor(motor, f)),
        shaft: link.shaft.as_ref().map(|shaft| {
            Box::new(Shaft {
                with: shaft.with.iter().map(|(link, factor)| (*link, f(*factor))).collect(),
                row: Vec::new(),
                q: Vec::new(),
                motor: map_motor(&shaft.motor, f),
            })
        }),
        balance: link.balance.clone(),
        limits: link.limits,
        mimic: link.mimic.map(|mimic| Mimic {
            leader: mimic.leader,
            q: mimic.q,
            v: mimic.v,
            multiplier: f(mimic.multiplier),
            offset: f(mimic.offset),
            ahead: mimic.ahead.map(f),
        }),
        q: link.q,
        v: link.v,
        column: link.column,
    }
}

fn map_motor<T: Constant, U: Constant>(motor: &Motor<T>, f: &mut impl FnMut(T) -> U) -> Motor<U> {
    Motor {
        inertia: f(motor.inertia),
        ratio: f(motor.ratio),
        stiffness: motor.stiffness.map(&mut *f),
        damping: f(motor.damping),
        viscous: f(motor.viscous),
        coulomb: f(motor.coulomb),
        rotor_viscous: f(motor.rotor_viscous),
        rotor_coulomb: f(motor.rotor_coulomb),
        root: motor.root.map(&mut *f),
        stribeck: motor.stribeck.map(&mut *f),
        stribeck_speed: f(motor.stribeck_speed),
        offset: motor.offset.map(&mut *f),
        hysteresis: motor.hysteresis,
        load: motor.load,
        axis: motor.axis.map(|axis| axis.map(&mut *f)),
    }
}

fn map_motion<T: Constant, U: Constant>(motion: &Motion<T>, f: &mut impl FnMut(T) -> U) -> Motion<U> {
    match motion {
        Motion::Product(screws) => Motion::Product(
            screws
                .iter()
                .map(|screw| match *screw {
                    Screw::Rotation { axis, point, pitch } => {
                        Screw::Rotation { axis: axis.map(&mut *f), point: point.map(&mut *f), pitch: f(pitch) }
                    }
                    Screw::Translation { axis } => Screw::Translation { axis: axis.map(&mut *f) },
                })
                .collect(),
        ),
        Motion::Spherical { center } => Motion::Spherical { center: center.map(&mut *f) },
        Motion::Free => Motion::Free,
    }
}
