//! Terms of the drives beyond what the equations of motion have: each adds one column to what its joints feel.
//!
//! Along a coordinate x with the elements z of its hysteresis: rotor ẍ and viscous ẋ of a motor that turns with several joints (a joint's own
//! are columns of the regressor), strengths of the elements, ẋ/(ẋ² + ε²)^{1/4}, what friction falls by as speed rises (z/(1 + (ẋ/v)²)), and what
//! it rises by with load, z |τ|, τ the torque of the rigid body of a first fit. A torque offset belongs to a joint. All but the offset are
//! positive numbers.

use super::hysteresis::{Coordinates, LENGTHS};
use crate::dynamics::drive;
use crate::model::description::STRIBECK_SPEED;

/// The element that falls with speed and rises with load.
const MIDDLE: usize = 1;

/// One term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Rotor inertia of a coupled motor.
    Rotor,
    /// Viscous friction of a coupled motor.
    Viscous,
    /// The strength of one element of the hysteresis.
    Element(usize),
    /// ẋ/(ẋ² + ε²)^{1/4}.
    Root,
    /// z/(1 + (ẋ/v)²).
    Stribeck,
    /// z |τ|.
    Load,
    /// A constant torque.
    Offset,
}

/// A term along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveColumn {
    /// The coordinate.
    pub coordinate: usize,
    /// What it is.
    pub term: Term,
}

/// All terms of all coordinates; load only where a first fit tells the torque.
pub(super) fn columns(coordinates: &Coordinates, load: bool) -> Vec<DriveColumn> {
    let mut columns = Vec::new();
    for coordinate in 0..coordinates.count() {
        let joint = coordinate < coordinates.joint_count();
        let mut push = |term: Term| columns.push(DriveColumn { coordinate, term });
        if !joint {
            push(Term::Rotor);
            push(Term::Viscous);
        }
        (0..LENGTHS.len()).for_each(|element| push(Term::Element(element)));
        push(Term::Root);
        push(Term::Stribeck);
        if joint && load {
            push(Term::Load);
        }
        if joint {
            push(Term::Offset);
        }
    }
    columns
}

impl DriveColumn {
    /// Its name: `Fh2a`, `Fh2b`, `Fh2c` for elements, `Fr`, `Fs`, `Fl`, `Fo`; `Ia5+6`, `Fv5+6` for a motor that turns with two joints.
    #[must_use]
    pub fn name(&self, coordinates: &Coordinates) -> String {
        let turns = coordinates.row(self.coordinate).iter().enumerate().filter(|(_, c)| **c != 0.0);
        let place = turns.map(|(j, _)| (j + 1).to_string()).collect::<Vec<_>>().join("+");
        match self.term {
            Term::Rotor => format!("Ia{place}"),
            Term::Viscous => format!("Fv{place}"),
            Term::Element(element) => format!("Fh{place}{}", char::from(b'a' + element as u8)),
            Term::Root => format!("Fr{place}"),
            Term::Stribeck => format!("Fs{place}"),
            Term::Load => format!("Fl{place}"),
            Term::Offset => format!("Fo{place}"),
        }
    }

    /// Its value along the coordinate; `load` is the torque of the rigid body at the joint.
    pub(super) fn value(&self, speed: f64, acceleration: f64, elements: &[f64], load: f64) -> f64 {
        let element = |which: usize| elements.get(self.coordinate * LENGTHS.len() + which).copied().unwrap_or(0.0);
        match self.term {
            Term::Rotor => acceleration,
            Term::Viscous => speed,
            Term::Element(which) => element(which),
            Term::Root => drive::smooth_root(speed),
            Term::Stribeck => element(MIDDLE) * drive::falling(speed, STRIBECK_SPEED),
            Term::Load => element(MIDDLE) * load.abs(),
            Term::Offset => 1.0,
        }
    }
}
