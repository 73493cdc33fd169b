//! How far links may bend before their kinematics are no longer worth their numbers.
//!
//! The measure is the largest slope ψ = |φ'ᵀδ| along a link, not only at its end: a link bent back by its higher modes may end straight.
//! Against finite elements that bend without bound the tip of fast slews errs by about c ψ² of its range, with c ≈ 1.85 for
//! kinematics of first order (0.20 at ψ = 0.33), 0.55 with ends that turn (0.06), 0.3 with links that also keep their length to
//! second order (0.005 to 0.03 up to 0.4, and where a load across a link bends it far). Exact kinematics err by their modes alone.
//! A link is out of range where that estimate exceeds 30 %, or where it points backwards.

use super::arm::{FlexibleArm, Kinematics};
use jourdain_symbolic::Constant;
use std::fmt;

/// The estimated error beyond which numbers are refused.
const LARGEST_ERROR: f64 = 0.3;

/// A slope beyond which no kinematics are trusted: the link points backwards, and few modes no longer describe it.
const STEEPEST: f64 = 1.5;

impl Kinematics {
    /// The estimated error of the tip's motion, as a part of its range, where links have slopes up to `slope`, rad.
    #[must_use]
    pub fn error_at(self, slope: f64) -> f64 {
        let factor = match self {
            Self::Paper | Self::Linear => 1.85,
            Self::Rotation => 0.55,
            Self::Stiffened => 0.3,
            Self::Exact => 0.01,
        };
        factor * slope * slope
    }

    /// The largest slope of a link that these kinematics bear, rad.
    #[must_use]
    pub fn slope_limit(self) -> f64 {
        (LARGEST_ERROR / self.error_at(1.0)).sqrt().min(STEEPEST)
    }
}

/// The largest slope along a link, rad.
///
/// # Panics
/// If `q` does not have the arm's size.
#[must_use]
pub fn largest_slope(arm: &FlexibleArm<f64>, link: usize, q: &[f64]) -> f64 {
    let deflections = &q[arm.deflections(link)];
    let link = &arm.links()[link];
    if deflections.is_empty() {
        return 0.0;
    }
    let stations = link.slopes.stations.slope.chunks_exact(deflections.len());
    let at = |slopes: &[f64]| slopes.iter().zip(deflections).map(|(slope, delta)| slope * delta).sum::<f64>().abs();
    stations.chain([&link.tip_slope[..]]).map(at).fold(0.0, |most, slope| if slope <= most { most } else { slope })
}

/// The largest slope of each mode along its link, which bounds that of the link without a look at its stations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SlopeBounds(Vec<f64>);

impl SlopeBounds {
    pub fn new(arm: &FlexibleArm<f64>) -> Self {
        let mut unit = vec![0.0; arm.size()];
        let mut bounds = Vec::with_capacity(arm.size() - arm.joints());
        for link in 0..arm.joints() {
            for c in arm.deflections(link) {
                unit[c] = 1.0;
                bounds.push(largest_slope(arm, link, &unit));
                unit[c] = 0.0;
            }
        }
        Self(bounds)
    }

    /// True if no link can be out of range.
    pub fn are_within(&self, arm: &FlexibleArm<f64>, q: &[f64]) -> bool {
        let (n, limit) = (arm.joints(), arm.slope_limit());
        (0..n).all(|link| {
            let range = arm.deflections(link);
            let bounds = &self.0[range.start - n..range.end - n];
            bounds.iter().zip(&q[range]).map(|(bound, delta)| bound * delta.abs()).sum::<f64>() <= limit
        })
    }
}

/// A link bent further than its kinematics bear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange {
    /// When, s; `None` outside a simulation.
    pub t: Option<f64>,
    /// Which, counted from one.
    pub link: usize,
    /// Its largest slope, rad.
    pub slope: f64,
    /// The largest that is borne, rad.
    pub limit: f64,
    /// The kinematics.
    pub kinematics: Kinematics,
}

impl OutOfRange {
    /// The link furthest out of range at a position, if one is.
    ///
    /// # Panics
    /// If `q` does not have the arm's size.
    #[must_use]
    pub fn at(arm: &FlexibleArm<f64>, q: &[f64], t: Option<f64>) -> Option<Self> {
        let limit = arm.slope_limit();
        let (kinematics, mut worst) = (arm.kinematics(), None);
        let mut steepest = limit;
        for link in 0..arm.joints() {
            let slope = largest_slope(arm, link, q);
            // A slope that is not a number is out of range.
            if slope > steepest || slope.is_nan() {
                steepest = slope;
                worst = Some(Self { t, link: link + 1, slope, limit, kinematics });
            }
        }
        worst
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { t, link, slope, limit, kinematics } = self;
        let (name, error) = (kinematics.name(), 100.0 * kinematics.error_at(*slope));
        if let Some(t) = t {
            write!(f, "at t = {t:.6} s ")?;
        }
        write!(f, "link {link} bends to a slope of {slope:.4} rad, and `{name}` kinematics bear {limit:.4}")?;
        match kinematics {
            Kinematics::Exact => write!(f, ": the link points backwards"),
            Kinematics::Paper | Kinematics::Linear | Kinematics::Rotation | Kinematics::Stiffened => {
                write!(f, " (estimated error {error:.0} %)")
            }
        }
    }
}

impl std::error::Error for OutOfRange {}

impl<T: Constant> FlexibleArm<T> {
    /// The same arm, trusted at every slope: simulations and linear models no longer end where it is out of range.
    #[must_use]
    pub fn without_slope_limit(mut self) -> Self {
        self.is_trusted = true;
        self
    }

    /// The same arm, trusted only as far as its kinematics bear, as it is when built.
    #[must_use]
    pub fn with_slope_limit(mut self) -> Self {
        self.is_trusted = false;
        self
    }

    /// The largest slope of a link at which simulations and linear models are trusted, rad.
    #[must_use]
    pub fn slope_limit(&self) -> f64 {
        if self.is_trusted { f64::INFINITY } else { self.kinematics().slope_limit() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::paper;
    use super::*;

    #[test]
    fn limits_follow_from_the_error_that_is_borne() {
        let limits = Kinematics::ALL.map(Kinematics::slope_limit);
        assert!(limits.windows(2).all(|pair| pair[0] <= pair[1]), "{limits:?}");
        assert!(limits[0] > 0.33 && limits[0] < 0.45, "the paper's own runs are within: {limits:?}");
        assert_eq!(limits[4], STEEPEST);
    }

    #[test]
    fn a_link_that_ends_straight_may_be_bent_out_of_range() {
        let built = paper(2).build().unwrap();
        let link = &built.arm.links()[0];
        // Two modes with opposite slopes at the end.
        let ratio = -link.tip_slope[0] / link.tip_slope[1];
        let q = [0.0, 0.0, 0.5, 0.5 * ratio, 0.0, 0.0];
        let slope = largest_slope(&built.arm, 0, &q);
        let dense = (0..=5000)
            .map(|i| {
                let x = 0.5 * f64::from(i) / 5000.0;
                built.modes[0].iter().zip(&q[2..4]).map(|(mode, d)| mode.derivative(x, 1) * d).sum::<f64>().abs()
            })
            .fold(0.0, f64::max);
        assert!(slope > 0.4 && (slope / dense - 1.0).abs() < 0.02, "{slope} {dense}");
        let found = OutOfRange::at(&built.arm, &q, Some(0.25)).unwrap();
        let text = found.to_string();
        assert!(["t = 0.25", "link 1", "`paper`"].iter().all(|part| text.contains(part)), "{text}");
        assert!(OutOfRange::at(&built.arm.clone().without_slope_limit(), &q, None).is_none());
        assert!(OutOfRange::at(&built.arm, &[0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0], None).is_some());
    }
}
