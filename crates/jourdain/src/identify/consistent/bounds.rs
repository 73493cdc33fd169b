//! What is known of a robot beyond its file: how heavy it is, and between which limits masses and centres of mass lie.
//!
//! All of it is linear in the parameters of the links: a limit is a slack s = c·x + d that must stay positive. A mass is within two, a
//! centre of mass within a box if h − a m and b m − h are positive along every axis, and the mass of all links that move is within a
//! hundredth of what is given. The penalty of a slack is γ (s/s₀ − log s), s₀ being that of the prior: a barrier that leaves
//! the prior where it is, so that what the data do not show stays there.
//!
//! The prior itself must keep to the limits: masses are scaled and centres of mass are moved into them, as little as they must.

use super::super::error::IdentifyError;
use super::newton::Slack;
use super::pseudo::{parameters_of, pseudo_inertia};
use nalgebra::Vector3;

/// How far, over its width, the prior stays from the ends of a range.
const INSIDE: f64 = 0.05;
/// How well the mass of all links is known, as a share.
const TOTAL: f64 = 0.01;
/// The least share of its mass that a link without limits keeps where the robot is lighter than its file.
const LEAST_SHARE: f64 = 0.02;

/// Limits of what is to be found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The mass of all links that move together, kg.
    pub total_mass: Option<f64>,
    /// Of links, in any order.
    pub links: Vec<LinkBounds>,
}

/// Limits of one link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkBounds {
    /// Its number in the model.
    pub link: usize,
    /// Least and largest mass, kg.
    pub mass: Option<[f64; 2]>,
    /// Along x, y and z of the link frame, the least and the largest coordinate of its centre of mass, m.
    pub com: Option<[[f64; 2]; 3]>,
}

/// A free link with its prior.
pub(super) type Prior = (usize, [f64; 10]);

impl Bounds {
    /// True if nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total_mass.is_none() && self.links.is_empty()
    }

    fn of(&self, link: usize) -> impl Iterator<Item = &LinkBounds> {
        self.links.iter().filter(move |bounds| bounds.link == link)
    }

    /// The tightest range of a link's mass.
    fn mass(&self, link: usize) -> Option<[f64; 2]> {
        let ranges = self.of(link).filter_map(|bounds| bounds.mass);
        ranges.reduce(|a, b| [a[0].max(b[0]), a[1].min(b[1])])
    }

    /// Brings priors into the limits.
    pub(super) fn admit(&self, priors: &mut [Prior], name: impl Fn(usize) -> String) -> Result<(), IdentifyError> {
        for bounds in &self.links {
            let ranges = bounds.mass.iter().chain(bounds.com.iter().flatten());
            let is_range = |range: &[f64; 2]| range[0] < range[1] && range.iter().all(|x| x.is_finite());
            if !ranges.clone().all(is_range) || bounds.mass.is_some_and(|mass| mass[1] <= 0.0) {
                let message = format!("those of link `{}` are not in order", name(bounds.link));
                return Err(IdentifyError::Bounds { message });
            }
            if !priors.iter().any(|(link, _)| *link == bounds.link) {
                let message = format!("link `{}` has no mass that the motion could show", name(bounds.link));
                return Err(IdentifyError::Bounds { message });
            }
        }
        for (link, prior) in priors.iter_mut() {
            if let Some([least, most]) = self.mass(*link).map(inner) {
                if least > most {
                    let message = format!("no mass is within all that are given for link `{}`", name(*link));
                    return Err(IdentifyError::Bounds { message });
                }
                let factor = prior[0].clamp(least, most) / prior[0];
                scale(prior, factor);
            }
        }
        self.admit_total(priors)?;
        for (link, prior) in priors {
            for com in self.of(*link).filter_map(|bounds| bounds.com) {
                move_into(prior, com);
            }
        }
        Ok(())
    }

    /// Makes the links as heavy as they are together: those that may be heavier or lighter share the difference.
    fn admit_total(&self, priors: &mut [Prior]) -> Result<(), IdentifyError> {
        let Some(total) = self.total_mass else { return Ok(()) };
        if !(total > 0.0 && total.is_finite()) {
            return Err(IdentifyError::Bounds { message: format!("{total} kg is no mass of a robot") });
        }
        let missing = total - priors.iter().map(|(_, prior)| prior[0]).sum::<f64>();
        let free = priors.iter().any(|(link, _)| self.mass(*link).is_none());
        let room = |(link, prior): &Prior| match (self.mass(*link).map(inner), missing > 0.0) {
            (Some([_, most]), true) if !free => most - prior[0],
            (Some(_), true) => 0.0,
            (Some([least, _]), false) => prior[0] - least,
            (None, true) => prior[0],
            (None, false) => prior[0] * (1.0 - LEAST_SHARE),
        };
        let all: f64 = priors.iter().map(room).sum();
        let most = if missing > 0.0 && free { f64::INFINITY } else { 1.0 };
        if missing.abs() > most * all {
            let message = format!("links within their limits cannot weigh {total} kg together");
            return Err(IdentifyError::Bounds { message });
        }
        for prior in priors.iter_mut().filter(|_| missing != 0.0) {
            let factor = 1.0 + missing * room(prior) / all / prior.1[0];
            scale(&mut prior.1, factor);
        }
        Ok(())
    }

    /// The slacks of priors that keep to the limits; the parameters of the k-th prior begin at 10 k.
    pub(super) fn slacks(&self, priors: &[Prior]) -> Vec<Slack> {
        let mut slacks = Vec::new();
        let mut between = |terms: &[(usize, f64)], [least, most]: [f64; 2]| {
            let negative = terms.iter().map(|&(k, c)| (k, -c)).collect();
            slacks.push(Slack { terms: terms.to_vec(), constant: -least });
            slacks.push(Slack { terms: negative, constant: most });
        };
        for (at, (link, _)) in priors.iter().enumerate() {
            for range in self.of(*link).filter_map(|bounds| bounds.mass) {
                between(&[(10 * at, 1.0)], range);
            }
        }
        if let Some(total) = self.total_mass {
            let masses: Vec<(usize, f64)> = (0..priors.len()).map(|at| (10 * at, 1.0)).collect();
            between(&masses, [total * (1.0 - TOTAL), total * (1.0 + TOTAL)]);
        }
        for (at, (link, _)) in priors.iter().enumerate() {
            for com in self.of(*link).filter_map(|bounds| bounds.com) {
                for (axis, [least, most]) in com.into_iter().enumerate() {
                    let (mass, moment) = (10 * at, 10 * at + 1 + axis);
                    slacks.push(Slack { terms: vec![(moment, 1.0), (mass, -least)], constant: 0.0 });
                    slacks.push(Slack { terms: vec![(moment, -1.0), (mass, most)], constant: 0.0 });
                }
            }
        }
        slacks
    }
}

/// A range without its ends.
fn inner([least, most]: [f64; 2]) -> [f64; 2] {
    let least = least.max(0.0);
    let off = INSIDE * (most - least);
    [least + off, most - off]
}

/// The same body of another density.
fn scale(parameters: &mut [f64; 10], factor: f64) {
    parameters.iter_mut().for_each(|x| *x *= factor);
}

/// The same body with its centre of mass in a box.
fn move_into(parameters: &mut [f64; 10], com: [[f64; 2]; 3]) {
    let mass = parameters[0];
    let own = Vector3::new(parameters[1], parameters[2], parameters[3]) / mass;
    let moved = Vector3::from_fn(|axis, _| {
        let [least, most] = com[axis];
        let off = INSIDE * (most - least);
        own[axis].clamp(least + off, most - off)
    });
    let mut p = pseudo_inertia(parameters);
    let spread = p.fixed_view::<3, 3>(0, 0) + (moved * moved.transpose() - own * own.transpose()) * mass;
    p.fixed_view_mut::<3, 3>(0, 0).copy_from(&spread);
    for axis in 0..3 {
        (p[(axis, 3)], p[(3, axis)]) = (mass * moved[axis], mass * moved[axis]);
    }
    *parameters = parameters_of(&p);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of so many kilograms, its centre on the x axis.
    fn ball(mass: f64, x: f64) -> [f64; 10] {
        let (own, steiner) = (0.01 * mass, mass * x * x);
        [mass, mass * x, 0.0, 0.0, own, 0.0, 0.0, own + steiner, 0.0, own + steiner]
    }

    fn named(link: usize) -> String {
        format!("link{link}")
    }

    #[test]
    fn a_prior_is_brought_into_its_limits_and_no_further() {
        let mass = |link, range| LinkBounds { link, mass: Some(range), com: None };
        let com = |link, range| LinkBounds { link, mass: None, com: Some([range, [-1.0, 1.0], [-1.0, 1.0]]) };
        let bounds = Bounds { total_mass: Some(12.0), links: vec![mass(1, [1.0, 3.0]), com(2, [0.0, 0.1])] };
        let mut priors = vec![(1, ball(5.0, 0.2)), (2, ball(4.0, 0.5)), (3, ball(2.0, 0.1))];
        bounds.admit(&mut priors, named).unwrap();
        let masses: Vec<f64> = priors.iter().map(|(_, prior)| prior[0]).collect();
        assert!((masses[0] - 2.9).abs() < 1e-12 && (masses.iter().sum::<f64>() - 12.0).abs() < 1e-12, "{masses:?}");
        let center = |at: usize| priors[at].1[1] / priors[at].1[0];
        assert!(
            (center(0) - 0.2).abs() < 1e-12 && (center(1) - 0.095).abs() < 1e-12 && (center(2) - 0.1).abs() < 1e-12
        );
        // Inertia about the centre of mass is what it was, by the mass that it is of.
        assert!((priors[1].1[4] / masses[1] - 0.01).abs() < 1e-12);
        let moved = priors[1].1[7] / masses[1] - center(1).powi(2);
        assert!((moved - 0.01).abs() < 1e-12, "{moved}");
        let x: Vec<f64> = priors.iter().flat_map(|(_, prior)| *prior).collect();
        for slack in bounds.slacks(&priors) {
            let value = slack.constant + slack.terms.iter().map(|&(k, c)| c * x[k]).sum::<f64>();
            assert!(value > 0.0, "{slack:?}");
        }
    }

    #[test]
    fn limits_that_leave_nothing_are_refused() {
        let mass = |link, range| LinkBounds { link, mass: Some(range), com: None };
        let refused = |bounds: Bounds| {
            let mut priors = vec![(1, ball(5.0, 0.2)), (2, ball(4.0, 0.5))];
            bounds.admit(&mut priors, named).unwrap_err().to_string()
        };
        let two = |a, b| Bounds { total_mass: Some(30.0), links: vec![mass(1, a), mass(2, b)] };
        assert!(refused(two([1.0, 3.0], [1.0, 3.0])).contains("cannot weigh 30 kg"));
        assert!(refused(two([3.0, 1.0], [1.0, 3.0])).contains("`link1`"));
        assert!(refused(Bounds { total_mass: None, links: vec![mass(7, [1.0, 3.0])] }).contains("`link7`"));
        assert!(refused(Bounds { total_mass: Some(-1.0), links: Vec::new() }).contains("-1 kg"));
        let light = Bounds { total_mass: Some(1.0), links: vec![mass(1, [2.0, 3.0])] };
        assert!(refused(light).contains("cannot weigh 1 kg"));
    }
}
