//! A body's inertia: from `<inertial>` or from its geoms, then bounds, balance and the total mass.

use super::super::xml::Span;
use super::body::{Body, Tree};
use super::context::{Context, View};
use super::orientation::{Form, orientation, pose};
use super::settings::{FromGeoms, Settings};
use crate::model::Diagnostic;
use crate::spatial::{Inertia, Pose, Rotation, Symmetric, Vector};
use crate::spectral;
use nalgebra::Matrix3;

const ATTRIBUTES: [&str; 9] =
    ["pos", "quat", "mass", "diaginertia", "axisangle", "xyaxes", "zaxis", "euler", "fullinertia"];

/// The smallest mass and moment that a moving body may have: MuJoCo's bound.
pub(super) const SMALLEST: f64 = 1e-15;

/// Mass, centre of mass and inertia about it, in a body's axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mass {
    pub mass: f64,
    pub com: Vector<f64>,
    pub about_com: Symmetric<f64>,
}

/// Reads `<inertial>` that stands in a frame of its body.
pub(super) fn read(
    view: View<'_>,
    frame: &Pose<f64>,
    settings: &Settings,
    context: &mut Context<'_, '_>,
) -> Option<Mass> {
    let span = view.element.span;
    context.known_attributes(view, &ATTRIBUTES);
    for name in ["mass", "pos"] {
        if view.own(name).is_none() {
            context.error(span, "missing-attribute", format!("<inertial> has no attribute `{name}`"));
            return None;
        }
    }
    let mass = context.number(view, "mass")?;
    let placed = pose(view, settings, context);
    let turned = Form::ALL.iter().find_map(|form| view.own(form.name()));
    let about_com = match (view.own("fullinertia"), view.own("diaginertia")) {
        (Some(full), Some(_)) => {
            let hint = "keep one of them";
            let message = "`fullinertia` and `diaginertia` both give the inertia".to_owned();
            context.error_with_hint(full.span, "two-inertias", message, hint);
            return None;
        }
        (Some(full), None) if turned.is_some() => {
            let message = "`fullinertia` is in the axes of the body and takes no orientation".to_owned();
            context.error_with_hint(full.span, "two-orientations", message, "take the orientation out");
            return None;
        }
        (Some(full), None) => {
            // Trap: the order is xx yy zz xy xz yz.
            let [xx, yy, zz, xy, xz, yz]: [f64; 6] = context.numbers(full, 6, 6)?.try_into().ok()?;
            Symmetric { xx, xy, xz, yy, yz, zz }
        }
        (None, Some(_)) => {
            let [xx, yy, zz] = context.vector(view, "diaginertia")?;
            Symmetric { xx, yy, zz, ..Symmetric::zero() }.rotated(&orientation(view, settings, context))
        }
        (None, None) => Symmetric::zero(),
    };
    Some(Mass { mass, com: frame.apply(placed.translation), about_com: about_com.rotated(&frame.rotation) })
}

/// Decides for every body where its inertia comes from, and works it out.
pub(super) fn resolve(tree: &mut Tree, context: &mut Context<'_, '_>) {
    let Tree { bodies, parts, .. } = tree;
    // Only the model itself says what all of it weighs.
    let wanted = parts[0].document.settings.total_mass;
    // Bodies that move come first: a mesh that only others need may be missing.
    for moves in [true, false] {
        context.is_idle = !moves && wanted <= 0.0;
        for body in bodies.iter_mut().skip(1).filter(|body| body.moves == moves) {
            context.report.concerning(Some(&body.name), None);
            let settings = &parts[body.part].document.settings;
            body.mass = bounded(decide(body, settings, context), settings);
        }
    }
    context.is_idle = false;
    context.report.concerning(None, None);
    let total: f64 = bodies.iter().skip(1).map(|body| body.mass.mass).sum();
    if wanted > 0.0 && total > 0.0 {
        let scale = wanted / total;
        for body in bodies.iter_mut() {
            body.mass.mass *= scale;
            body.mass.about_com = Symmetric::from_array(body.mass.about_com.to_array().map(|entry| entry * scale));
        }
    }
    find_weightless(bodies, context);
}

/// The least mass and moments, and moments that no body has made equal.
fn bounded(mut mass: Mass, settings: &Settings) -> Mass {
    mass.mass = mass.mass.max(settings.least_mass);
    if settings.least_inertia > 0.0 || settings.balance {
        let (mut moments, axes) = principal(mass.about_com);
        moments = moments.map(|moment| moment.max(settings.least_inertia));
        let [a, b, c] = moments;
        if settings.balance && (a + b < c || b + c < a || c + a < b) {
            moments = [(a + b + c) / 3.0; 3];
        }
        let [xx, yy, zz] = moments;
        mass.about_com = Symmetric { xx, yy, zz, ..Symmetric::zero() }.rotated(&axes);
    }
    mass
}

fn decide(body: &Body, settings: &Settings, context: &mut Context<'_, '_>) -> Mass {
    let [low, high] = settings.groups;
    let counted: Vec<_> = body.geoms.iter().filter(|geom| (low..=high).contains(&geom.group)).collect();
    // A body without anything has its centre of mass where its own frame is in the parent's: MuJoCo takes one for the other.
    let nothing = Mass { mass: 0.0, com: body.pose.translation, about_com: Symmetric::zero() };
    match (settings.from_geoms, body.inertial) {
        (FromGeoms::Auto | FromGeoms::Never, Some(mass)) => return mass,
        (FromGeoms::Always, Some(mass)) if counted.is_empty() => return mass,
        (FromGeoms::Never, None) => return nothing,
        (FromGeoms::Auto | FromGeoms::Always, _) => {}
    }
    let total = counted.iter().filter_map(|geom| geom.inertia(context)).fold(Inertia::zero(), |sum, geom| sum + geom);
    if total.mass > 0.0 {
        let (com, about_com) = total.about_com();
        Mass { mass: total.mass, com, about_com }
    } else {
        nothing
    }
}

/// A body that moves needs mass and inertia, its own or that of a body welded to it.
fn find_weightless(bodies: &[Body], context: &mut Context<'_, '_>) {
    let mut heavy: Vec<bool> = bodies
        .iter()
        .map(|body| {
            // A negative moment is not a missing one; the check says what is wrong with it.
            let moments = principal(body.mass.about_com).0;
            body.mass.mass > SMALLEST && moments.iter().all(|moment| moment.abs() > SMALLEST)
        })
        .collect();
    for number in (1..bodies.len()).rev() {
        if bodies[number].joints.is_empty() && heavy[number] {
            heavy[bodies[number].parent] = true;
        }
    }
    for (body, _) in bodies.iter().zip(heavy).skip(1).filter(|(body, heavy)| !body.joints.is_empty() && !heavy) {
        // What is wrong with its shapes has been said.
        if context.report.has_error_about(&body.name) {
            continue;
        }
        let what = if body.mass.mass > SMALLEST { "no inertia" } else { "no mass" };
        let diagnostic = Diagnostic::error("massless-body", format!("the body `{}` moves and has {what}", body.name));
        let hint = "give it an <inertial>, or a geom";
        context.push(body.span, diagnostic.link(&body.name).hint(hint));
    }
}

/// Principal moments in falling order, and their axes as a rotation.
pub(super) fn principal(inertia: Symmetric<f64>) -> ([f64; 3], Rotation<f64>) {
    let rows = inertia.to_matrix();
    let off = [inertia.xy, inertia.xz, inertia.yz];
    let is_sorted = off == [0.0; 3] && inertia.xx >= inertia.yy && inertia.yy >= inertia.zz;
    let eigen = spectral::symmetric(Matrix3::from_fn(|i, j| rows[i][j])).filter(|_| !is_sorted);
    let Some(eigen) = eigen else { return ([inertia.xx, inertia.yy, inertia.zz], Rotation::identity()) };
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let column = |i: usize| Vector(std::array::from_fn(|row| eigen.eigenvectors[(row, order[i])]));
    let (x, y) = (column(0), column(1));
    let z = x.cross(y);
    (order.map(|i| eigen.eigenvalues[i]), Rotation(std::array::from_fn(|i| [x[i], y[i], z[i]])))
}

/// Where a body's inertia stands.
pub(super) fn place(body: &Body) -> Span {
    body.inertial_span.unwrap_or(body.span)
}
