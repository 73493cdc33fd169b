//! Linear models of an arm with as many modes as its frequencies need, and how far off those are.
//!
//! A frequency of the assembled arm is that of a Ritz basis, so that more modes can only lower it: what two more modes per link
//! change is an estimate of its error. Where a file leaves the modes open, they are added until the frequencies that two per
//! link would give have come to rest.

use super::ChangedArm;
use crate::problem::Problem;
use jourdain::flexible::modes::MOST_MODES;
use jourdain::flexible::{ArmDescription, Damping, FlexibleArm, Linearisation, linearise, linearise_moving, scenario};
use jourdain::formats::Stated;

/// Modes that are added to estimate an error.
const SPARE: usize = 2;
/// Changes of a frequency that are at rest.
const AT_REST: f64 = 1e-3;
/// Most modes per link that are added to two where the file leaves them open.
const MOST_ADDED: usize = 6;

/// What the linear model is about.
pub(super) struct About<'r> {
    pub arm: &'r ChangedArm,
    /// Joint angles, or all coordinates of the arm, perhaps with fewer modes.
    pub position: &'r [f64],
    /// Rates of the joints; none at rest.
    pub spin: &'r [f64],
    /// Whether links may bend further than the kinematics bear.
    pub beyond_validity: bool,
}

/// A linear model and what its frequencies are worth.
pub(super) struct Converged {
    pub arm: FlexibleArm<f64>,
    pub model: Linearisation,
    pub locked: Squares,
    pub free: Squares,
}

/// ω² that are reported, and the estimated relative error of each frequency; `None` where there is no estimate or no frequency.
pub(super) struct Squares {
    pub values: Vec<f64>,
    pub errors: Vec<Option<f64>>,
}

impl Squares {
    fn new(mut values: Vec<f64>, against: &[f64], most: usize) -> Self {
        values.truncate(most);
        let error = |(place, &value): (usize, &f64)| {
            let other = *against.get(place)?;
            (value > 0.0 && other > 0.0).then(|| ((value / other).sqrt() - 1.0).abs())
        };
        let errors = values.iter().enumerate().map(error).collect();
        Self { values, errors }
    }

    fn is_at_rest(&self) -> bool {
        self.errors.iter().flatten().all(|error| *error <= AT_REST)
    }
}

impl About<'_> {
    /// The arm of a description, and its linear model.
    pub fn model(&self, description: &ArmDescription) -> Result<(FlexibleArm<f64>, Linearisation), Problem> {
        let arm = self.arm.finish(description)?.arm;
        let arm = if self.beyond_validity { arm.without_slope_limit() } else { arm };
        let n = arm.joints();
        if !self.spin.is_empty() && self.spin.len() != n {
            let message = format!("--spin must have {n} joint rates for {}, not {}", arm.name(), self.spin.len());
            return Err(Problem::new("wrong-length", message));
        }
        let fitted = if self.position.len() == n { None } else { scenario::fitted(self.position, &arm) };
        let position = fitted.as_deref().unwrap_or(self.position);
        let model = if self.spin.iter().all(|&rate| rate == 0.0) {
            linearise(&arm, position)?
        } else {
            let mut qd = self.spin.to_vec();
            qd.resize(arm.size(), 0.0);
            linearise_moving(&arm, position, &qd)?
        };
        Ok((arm, model))
    }

    /// The linear model with the modes of the description, or more where they were not stated.
    pub fn converged(&self, description: &ArmDescription, stated: &Stated) -> Result<Converged, Problem> {
        let is_open = |link: usize| stated.modes.get(link) == Some(&false);
        let any_open = (0..description.links.len()).any(is_open);
        let (mut arm, mut model) = self.model(description)?;
        let most = [model.locked_squares().len(), model.free_squares().len()];
        let mut added = 0;
        loop {
            let enriched = with_modes(description, |link| if is_open(link) { added } else { 0 });
            if added > 0 {
                (arm, model) = self.model(&enriched)?;
            }
            let against = self.model(&with_modes(&enriched, |_| SPARE)).map(|(_, model)| model).ok();
            let of = |squares: fn(&Linearisation) -> Vec<f64>, most: usize| {
                let known = against.as_ref().map(squares).unwrap_or_default();
                Squares::new(squares(&model), &known, most)
            };
            let locked = of(Linearisation::locked_squares, most[0]);
            let free = of(Linearisation::free_squares, most[1]);
            if !any_open || added == MOST_ADDED || (locked.is_at_rest() && free.is_at_rest()) {
                return Ok(Converged { arm, model, locked, free });
            }
            added += 1;
        }
    }
}

/// The same arm with more modes in the links that have any.
fn with_modes(description: &ArmDescription, extra: impl Fn(usize) -> usize) -> ArmDescription {
    let mut richer = description.clone();
    for (i, link) in richer.links.iter_mut().enumerate().filter(|(_, link)| link.modes > 0) {
        let modes = (link.modes + extra(i)).min(MOST_MODES);
        // Damping given mode by mode does not say that of others; frequencies are without it.
        if modes != link.modes && matches!(link.damping, Damping::Given(_)) {
            link.damping = Damping::None;
        }
        link.modes = modes;
    }
    richer
}
