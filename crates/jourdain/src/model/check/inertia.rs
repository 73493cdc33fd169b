//! Mass and inertia of a link: could a body have them?
//!
//! The tensor about the centre of mass must be positive semidefinite, and each principal moment at most the sum of the
//! other two (equality for a flat body). Published values are rounded, hence the tolerances, relative to the tensor itself.
//! Trap: a point mass that went through a program comes out with moments of 1e-20 and of either sign, all of them rounding:
//! what the mass would have within a [speck](SPECK) of its centre is as good as none.

use super::super::description::{InertiaDescription, LinkDescription};
use super::super::{Diagnostic, Number};
use super::{Findings, link_error};
use crate::spectral;
use nalgebra::{Matrix3, Vector3};

/// How far below zero the smallest principal moment may be, over the size of the tensor.
const DEFINITE_TOLERANCE: f64 = 1e-9;
/// How far the triangle inequality may be off, over the size of the tensor.
const TRIANGLE_TOLERANCE: f64 = 1e-6;
/// A radius of gyration that is nothing, m.
const SPECK: f64 = 1e-6;

pub(super) fn check(link: &LinkDescription, findings: &mut Findings) {
    let name = &link.name;
    if !link.has_inertial {
        let message = format!("the link `{name}` has no <inertial> and is taken as massless");
        let warning = Diagnostic::warning("missing-inertial", message).link(name).at(link.location);
        findings.add(warning.hint("add <inertial>, or leave it if the link is a mere frame"));
        return;
    }
    if link.mass.value < 0.0 {
        let message = format!("the mass of link `{name}` is negative: {}", link.mass.value);
        let finding = link_error(link, "mass", "negative-mass", message);
        findings.add_physics(
            finding.hint("a sign slip? a regrouped model in the native form says allow_unphysical = true"),
        );
        return;
    }
    let Moments { smallest, largest, sum, size } = Moments::of(link);
    let speck = link.mass.value * SPECK * SPECK;
    let place = link.inertia_location.or_else(|| link.place("mass"));
    if smallest < -(DEFINITE_TOLERANCE * size).max(speck) {
        let message = format!(
            "the inertia of link `{name}` is not positive semidefinite: its smallest principal moment is {smallest:.6e}"
        );
        let hint = match link.inertia {
            InertiaDescription::AboutOrigin(_) => "a sign slip, or the tensor is about the centre of mass: `inertia`",
            _ => "a sign slip, or the tensor is not about the centre of mass",
        };
        findings.add_physics(Diagnostic::error("inertia-indefinite", message).link(name).at(place).hint(hint));
        return;
    }
    let excess = largest - (sum - largest);
    if excess > (TRIANGLE_TOLERANCE * size).max(speck) {
        let message = format!(
            "the principal moments of link `{name}` break the triangle inequality: {largest:.6e} exceeds the sum of \
             the other two by {excess:.6e}"
        );
        let finding = Diagnostic::error("inertia-triangle", message).link(name).at(place);
        findings.add_physics(finding.hint("no distribution of mass has such moments"));
    }
}

/// The principal moments about the centre of mass, and how large the elements are that they come from.
struct Moments {
    smallest: f64,
    largest: f64,
    sum: f64,
    size: f64,
}

impl Moments {
    fn of(link: &LinkDescription) -> Self {
        let given = matrix(elements(&link.inertia));
        let about_com = about_com(link);
        // Squares of very small and very large elements would leave the range of a double.
        let unit = given.amax().max(about_com.amax());
        if unit == 0.0 {
            return Self { smallest: 0.0, largest: 0.0, sum: 0.0, size: 0.0 };
        }
        let given = given / unit;
        let Some(eigen) = spectral::symmetric(about_com / unit) else {
            // Beyond all numbers, as no body is.
            return Self { smallest: f64::NEG_INFINITY, largest: f64::INFINITY, sum: 0.0, size: 0.0 };
        };
        let moments = eigen.eigenvalues * unit;
        Self {
            smallest: moments.min(),
            largest: moments.max(),
            sum: moments.sum(),
            size: (given.diagonal().abs().sum() + given.norm()) * unit,
        }
    }
}

/// The six elements as given.
pub(super) fn elements(inertia: &InertiaDescription) -> &[Number; 6] {
    match inertia {
        InertiaDescription::AboutCom(elements)
        | InertiaDescription::AboutOrigin(elements)
        | InertiaDescription::AboutComRotated { elements, .. } => elements,
    }
}

/// xx xy xz yy yz zz as a matrix.
pub(super) fn matrix(elements: &[Number; 6]) -> Matrix3<f64> {
    let [xx, xy, xz, yy, yz, zz] = elements.map(|element| element.value);
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

pub(super) fn vector(components: &[Number; 3]) -> Vector3<f64> {
    Vector3::new(components[0].value, components[1].value, components[2].value)
}

/// About the centre of mass; in the axes that the file uses, which leaves the principal moments alone.
fn about_com(link: &LinkDescription) -> Matrix3<f64> {
    let given = matrix(elements(&link.inertia));
    match link.inertia {
        InertiaDescription::AboutOrigin(_) => {
            let cross = vector(&link.com).cross_matrix();
            given + cross * cross * link.mass.value
        }
        _ => given,
    }
}
