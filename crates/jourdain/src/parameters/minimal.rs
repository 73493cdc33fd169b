//! The minimal model: the same robot with its base parameters for inertias.
//!
//! Eliminated parameters are zero and kept ones have their regrouped values, so every algorithm runs on fewer numbers and
//! gives the same M, g, τ, forward dynamics and Christoffel C; potential energy by a constant more or less. Traps: these
//! inertias belong to no body, so wrenches inside joints, energies of single links and Garofalo's C are not the robot's.
//!
//! Two choices of what is eliminated: the literature's (m, mZ, YY of a link that turns about z), for reading; and one in the
//! pseudo-inertia E = ∫ r rᵀ dm, with m, mZ and **E_zz** zero, for computing: the moment of a link is then axial(U E − (U E)ᵀ)
//! with U = ω̇̂ + ω̂², thirteen products instead of fifteen.

use super::base::{BaseParameters, Layout, Method, regrouped_in};
use super::geometry::Geometry;
use super::snap::snapped;
use super::structure::Coordinates;
use super::transport::PER_LINK;
use crate::dynamics::closed_form::parameters;
use crate::model::Model;
use crate::spatial::Inertia;

/// Which parameters of a link are eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// m, mZ, YY first, as in the literature.
    #[default]
    Literature,
    /// m, mZ, E_zz first: fewest operations.
    PseudoInertia,
}

/// The robot with base parameters for inertias. Masses may be zero or negative.
///
/// A robot with coupled joints has the literature's form whichever is asked for.
#[must_use]
pub fn minimal_model(model: &Model<f64>, form: Form) -> Model<f64> {
    let layout = Layout::new(model).of_single_drives(model);
    let base = model.has_mimic().then(|| BaseParameters::new(model)).filter(|base| base.method() == Method::Rank);
    let (mut values, eliminated) = if let Some(base) = base {
        let mut values = vec![0.0; layout.width];
        for (&column, value) in base.kept().iter().zip(base.values(&parameters(model))) {
            values[column] = value;
        }
        (values, Vec::new())
    } else {
        regrouped_values(model, &layout, form)
    };
    let inertias: Vec<_> = values
        .chunks_exact_mut(PER_LINK)
        .take(model.links().len())
        .map(|chunk| {
            let mut pi = [0.0; PER_LINK];
            pi.copy_from_slice(chunk);
            Inertia::from_parameters(pi)
        })
        .collect();
    model.with_inertias(&inertias, &eliminated)
}

/// Standard parameters with the eliminated ones zero, and the links whose rotor was regrouped.
fn regrouped_values(model: &Model<f64>, layout: &Layout, form: Form) -> (Vec<f64>, Vec<usize>) {
    let coordinates = match form {
        Form::Literature => Coordinates::Standard,
        Form::PseudoInertia => Coordinates::PseudoInertia,
    };
    let geometry = Geometry::<f64>::new(&snapped(model.description()).0);
    let kept = regrouped_in(coordinates, &geometry, layout);
    let scales = layout.scales(&geometry);
    let mut given = parameters(model);
    for chunk in given[..layout.inertial].chunks_exact_mut(PER_LINK) {
        let converted = coordinates.parameters(chunk);
        chunk.copy_from_slice(&converted);
    }
    // Rotors of joints with one number are part of the regrouping; their values by link.
    let armature = |column: usize| {
        let link = layout.armature_columns.iter().position(|columns| columns.contains(&column))?;
        model.links()[link].motor.map(|motor| motor.armature())
    };
    let value = |column: usize| {
        if column < layout.inertial { given[column] } else { armature(column).unwrap_or(0.0) }
    };
    let mut values = vec![0.0; layout.width];
    for kept in &kept {
        values[kept.column] =
            kept.form.iter().map(|(column, x)| x * scales[kept.column] / scales[*column] * value(*column)).sum();
    }
    if coordinates == Coordinates::PseudoInertia {
        for chunk in values[..layout.inertial].chunks_exact_mut(PER_LINK) {
            let [xx, xy, xz, yy, yz, zz] = [chunk[4], chunk[5], chunk[6], chunk[7], chunk[8], chunk[9]];
            chunk[4..].copy_from_slice(&[yy + zz, -xy, -xz, xx + zz, -yz, xx + yy]);
        }
    }
    let is_kept = |column: &usize| kept.iter().any(|kept| kept.column == *column);
    let eliminated = layout.armature_columns.iter().enumerate();
    let eliminated = eliminated.filter(|(_, columns)| columns.iter().any(|column| !is_kept(column)));
    (values, eliminated.map(|(link, _)| link).collect())
}
