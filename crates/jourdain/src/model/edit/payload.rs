//! Bodies added to links, and links made lighter or heavier.
//!
//! Two bodies become one about their common centre of mass: I = I₁ + I₂ + μ (d² 1 − d dᵀ), with d between the centres of
//! mass and μ = m₁ m₂ / (m₁ + m₂). Nothing cancels there, so that a point mass on a massless link has an inertia of zero and not
//! one of a rounding error. Tensors about the origin are added as they are.

use super::{EditError, Edited, names, placing};
use crate::model::description::{InertiaDescription, LinkDescription};
use crate::model::number::Number;
use crate::spatial::{Inertia, Symmetric, Vector};

/// A body to be added to a link, in the link frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payload {
    /// Mass, kg; negative for what is taken away.
    pub mass: Number,
    /// Centre of mass, m.
    pub com: [Number; 3],
    /// Rotational inertia, kg m²; zero of a point mass.
    pub inertia: InertiaDescription,
}

impl Payload {
    /// A point mass, kg, at a point of the link frame, m.
    #[must_use]
    pub fn point(mass: Number, com: [Number; 3]) -> Self {
        Self { mass, com, inertia: InertiaDescription::AboutCom([Number::ZERO; 6]) }
    }

    fn of(link: &LinkDescription) -> Self {
        Self { mass: link.mass, com: link.com, inertia: link.inertia }
    }

    fn is_finite(&self) -> bool {
        let (InertiaDescription::AboutCom(elements)
        | InertiaDescription::AboutOrigin(elements)
        | InertiaDescription::AboutComRotated { elements, .. }) = &self.inertia;
        let numbers = self.com.iter().chain(elements).chain([&self.mass]);
        numbers.into_iter().all(|x| x.value.is_finite())
    }

    fn center(&self) -> Vector<f64> {
        Vector(self.com.map(|x| x.value))
    }

    /// The tensor in link axes, and whether it is about the origin.
    fn tensor(&self) -> (Symmetric<f64>, bool) {
        let tensor = |elements: &[Number; 6]| Symmetric::from_array(elements.map(|x| x.value));
        match &self.inertia {
            InertiaDescription::AboutCom(elements) => (tensor(elements), false),
            InertiaDescription::AboutOrigin(elements) => (tensor(elements), true),
            InertiaDescription::AboutComRotated { elements, rpy } => {
                (tensor(elements).rotated(&placing::turn(*rpy)), false)
            }
        }
    }

    fn about_origin(&self) -> Symmetric<f64> {
        match self.tensor() {
            (tensor, true) => tensor,
            (tensor, false) => Inertia::from_com(self.mass.value, self.center(), tensor).rotational,
        }
    }
}

pub(super) fn add(edited: &mut Edited, name: &str, payload: &Payload) -> Result<(), EditError> {
    let at = names::link(&edited.description, name)?;
    if !payload.is_finite() {
        return Err(EditError::NotFinite { what: "a number of the payload" });
    }
    let link = &mut edited.description.links[at];
    let own = Payload::of(link);
    let mass = own.mass.plus(payload.mass);
    let com = center(&own, payload).ok_or_else(|| EditError::NoMass { link: name.to_owned() })?;
    link.inertia = match (own.tensor(), payload.tensor()) {
        ((first, false), (second, false)) => {
            let between = payload.center() - own.center();
            let reduced = if mass.value == 0.0 { 0.0 } else { own.mass.value * payload.mass.value / mass.value };
            let apart = Inertia::from_com(reduced, between, Symmetric::zero()).rotational;
            InertiaDescription::AboutCom((first + second + apart).to_array().map(Number::from))
        }
        _ => {
            InertiaDescription::AboutOrigin((own.about_origin() + payload.about_origin()).to_array().map(Number::from))
        }
    };
    (link.mass, link.com, link.has_inertial) = (mass, com, true);
    let [x, y, z] = payload.com.map(|x| x.value);
    let place = if payload.center().is_zero() { String::new() } else { format!(" at {x} {y} {z} m") };
    edited.say(format!("{} kg added to link `{name}`{place}", payload.mass.value));
    Ok(())
}

/// The centre of mass of both; `None` if they weigh nothing together but not each.
fn center(own: &Payload, payload: &Payload) -> Option<[Number; 3]> {
    let [first, second] = [own.mass.value, payload.mass.value];
    if second == 0.0 {
        return Some(own.com);
    }
    if first == 0.0 {
        return Some(payload.com);
    }
    let total = first + second;
    // Weights, not moments: where both centres of mass agree in a number, so does the common one.
    let weight = second / total;
    let step = |i: usize| (payload.com[i].value - own.com[i].value) * weight;
    (total != 0.0).then(|| {
        std::array::from_fn(|i| match step(i) {
            0.0 => own.com[i],
            step => Number::from(own.com[i].value + step),
        })
    })
}

pub(super) fn scale(edited: &mut Edited, name: Option<&str>, factor: Number) -> Result<(), EditError> {
    if !(factor.value > 0.0 && factor.value.is_finite()) {
        return Err(EditError::BadFactor { factor: factor.value });
    }
    let links = match name {
        Some(name) => {
            let at = names::link(&edited.description, name)?;
            &mut edited.description.links[at..=at]
        }
        None => &mut edited.description.links[..],
    };
    for link in links {
        link.mass = link.mass.times(factor);
        let (InertiaDescription::AboutCom(elements)
        | InertiaDescription::AboutOrigin(elements)
        | InertiaDescription::AboutComRotated { elements, .. }) = &mut link.inertia;
        for element in elements {
            *element = element.times(factor);
        }
    }
    let whose = name.map_or_else(|| "all links".to_owned(), |name| format!("link `{name}`"));
    edited.say(format!("inertia of {whose} times {}", factor.value));
    Ok(())
}
