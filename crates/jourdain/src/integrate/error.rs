//! Why an integration did not reach its end.

/// Why an integration did not reach its end; each says how far it came.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum IntegrationError {
    /// The motion has left the finite numbers.
    #[error("the motion is no longer finite at t = {t} s")]
    NotFinite {
        /// The last time with finite numbers, s.
        t: f64,
    },
    /// No step is small enough for the tolerance.
    #[error("no step is small enough for the tolerance at t = {t} s")]
    StepTooSmall {
        /// The time reached, s.
        t: f64,
    },
    /// The most steps that were allowed are taken.
    #[error("{steps} steps reached t = {t} s, and more are not allowed")]
    TooManySteps {
        /// Steps taken.
        steps: u64,
        /// The time reached, s.
        t: f64,
    },
    /// Whoever watched the progress had it stopped.
    #[error("stopped at t = {t} s")]
    Cancelled {
        /// The time reached, s.
        t: f64,
    },
}

impl IntegrationError {
    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFinite { .. } => "not-finite",
            Self::StepTooSmall { .. } => "step-too-small",
            Self::TooManySteps { .. } => "too-many-steps",
            Self::Cancelled { .. } => "cancelled",
        }
    }

    /// The time reached, s.
    #[must_use]
    pub fn reached(&self) -> f64 {
        match *self {
            Self::NotFinite { t } | Self::StepTooSmall { t } | Self::TooManySteps { t, .. } | Self::Cancelled { t } => {
                t
            }
        }
    }
}
