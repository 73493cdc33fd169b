//! The minimal model: the same robot with its base parameters for inertias.
//!
//! Eliminated parameters are zero and kept ones have their regrouped values, so every algorithm runs on fewer numbers and
//! gives the same M, g, τ, forward dynamics and Christoffel C as the nominal robot; potential energy by a constant more or less. Traps: these
//! inertias belong to no body, so wrenches inside joints, energies of single links and Garofalo's C are not the robot's.
//!
//! Two choices of what is eliminated: the literature's (m, mZ, YY of a link that turns about z), for reading; and one in the
//! pseudo-inertia E = ∫ r rᵀ dm, with m, mZ and **E_zz** zero, for computing: the moment of a link is then axial(U E − (U E)ᵀ)
//! with U = ω̇̂ + ω̂², thirteen products instead of fifteen.

use super::base::{regrouped_in, structures};
use super::exact::Certain;
use super::geometry::Geometry;
use super::layout::Layout;
use super::nominal::{nominal, nominal_description};
use super::regroup::regroup;
use super::structure::Coordinates;
use super::transport::PER_LINK;
use crate::dynamics::closed_form::parameters;
use crate::model::Model;
use crate::spatial::Inertia;
use jourdain_symbolic::Scalar;

/// Which parameters of a link are eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// m, mZ, YY first, as in the literature.
    #[default]
    Literature,
    /// m, mZ, E_zz first: fewest operations.
    PseudoInertia,
}

/// The base parameters by link, in the coordinates of their form.
pub(crate) struct MinimalParameters {
    /// m, mX, mY, mZ, then XX, XY, XZ, YY, YZ, ZZ of the inertia or of the pseudo-inertia; `None` for the eliminated ones.
    pub links: Vec<[Option<f64>; PER_LINK]>,
    /// True if the last six are those of the pseudo-inertia.
    pub pseudo_inertia: bool,
    /// The links whose rotor was regrouped.
    pub without_rotor: Vec<usize>,
}

/// The base parameters of a robot by link.
///
/// A robot with coupled joints has the literature's form whichever is asked for.
pub(crate) fn minimal_parameters(model: &Model<f64>, form: Form) -> MinimalParameters {
    let layout = Layout::new(model).of_single_drives(model);
    let form = if model.has_mimic() { Form::Literature } else { form };
    let (values, without_rotor) = regrouped_values(model, &layout, form);
    let links = values.as_chunks().0.iter().take(model.links().len()).copied().collect();
    MinimalParameters { links, pseudo_inertia: form == Form::PseudoInertia, without_rotor }
}

/// The inertia with these parameters.
pub(crate) fn inertia<S: Scalar>(parameters: [S; PER_LINK], pseudo_inertia: bool) -> Inertia<S> {
    let [m, x, y, z, xx, xy, xz, yy, yz, zz] = parameters;
    Inertia::from_parameters(if pseudo_inertia {
        // I = tr(E)·1 − E
        [m, x, y, z, yy + zz, -xy, -xz, xx + zz, -yz, xx + yy]
    } else {
        parameters
    })
}

/// The [nominal](super::nominal()) robot with base parameters for inertias. Masses may be zero or negative.
///
/// A robot with coupled joints has the literature's form whichever is asked for.
#[must_use]
pub fn minimal_model(model: &Model<f64>, form: Form) -> Model<f64> {
    let MinimalParameters { links, pseudo_inertia, without_rotor } = minimal_parameters(model, form);
    let inertias: Vec<_> =
        links.iter().map(|link| inertia(link.map(|value| value.unwrap_or(0.0)), pseudo_inertia)).collect();
    nominal(model).with_inertias(&inertias, &without_rotor)
}

/// Standard parameters in the form's coordinates, none for the eliminated ones, and the links whose rotor was regrouped.
fn regrouped_values(model: &Model<f64>, layout: &Layout, form: Form) -> (Vec<Option<f64>>, Vec<usize>) {
    let coordinates = match form {
        Form::Literature => Coordinates::Standard,
        Form::PseudoInertia => Coordinates::PseudoInertia,
    };
    let geometry = Geometry::<Certain>::new(&nominal_description(model).0);
    let kept = match coordinates {
        Coordinates::Standard => regroup(&structures(&geometry, layout), &layout.armature_columns),
        Coordinates::PseudoInertia => regrouped_in(coordinates, &geometry, layout),
    };
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
    let mut values = vec![None; layout.width];
    for kept in &kept {
        let term = |(column, x): &(usize, Certain)| x.value() * scales[kept.column] / scales[*column] * value(*column);
        values[kept.column] = Some(kept.form.iter().map(term).sum());
    }
    let is_kept = |column: &usize| kept.iter().any(|kept| kept.column == *column);
    let eliminated = layout.armature_columns.iter().enumerate();
    let eliminated = eliminated.filter(|(_, columns)| columns.iter().any(|column| !is_kept(column)));
    (values, eliminated.map(|(link, _)| link).collect())
}
