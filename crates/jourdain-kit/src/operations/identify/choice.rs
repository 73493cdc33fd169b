//! Which samples count, and what holds a free base: options of `identify`.

use jourdain::identify::log;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which samples count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Choice {
    /// What becomes of torques that the estimate shows to be faults: more than five standard deviations away
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub outliers: Outliers,

    /// What holds a free base whose torques are not in the log; without it, the wrenches of the log, if there are any
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHAT"))]
    pub base: Option<Base>,
}

/// What becomes of outliers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Outliers {
    /// They are left out, and the log is read again
    #[default]
    Drop,
    /// They count like all others
    Keep,
}

/// What a free base is held by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Nothing but the wrenches of the log
    Free,
    /// Something that was not measured: its equations are left out
    Held,
}

impl Choice {
    /// What a log is read with.
    pub(in crate::operations) fn base(self) -> Option<log::Base> {
        self.base.map(|base| match base {
            Base::Free => log::Base::Free,
            Base::Held => log::Base::Held,
        })
    }
}
