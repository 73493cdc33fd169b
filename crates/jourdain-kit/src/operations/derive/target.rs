//! What a derivation makes: languages, and what the robot's constants are in them.

use jourdain::derive;
use jourdain_symbolic::collect::Notation;
use jourdain_symbolic::emit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Rust without the standard library, one file
    Rust,
    /// C99, a header and a source file
    C,
    /// Python with NumPy, one module
    Python,
    /// MATLAB and Octave, a file per function
    Matlab,
    /// Equations for a paper
    Latex,
    /// Equations in plain text
    Text,
}

/// What a target makes.
pub(super) enum Form {
    Code(emit::Target),
    Equations(Notation),
}

impl Target {
    pub(super) fn form(self) -> Form {
        match self {
            Self::Rust => Form::Code(emit::Target::Rust),
            Self::C => Form::Code(emit::Target::C),
            Self::Python => Form::Code(emit::Target::Python),
            Self::Matlab => Form::Code(emit::Target::Matlab),
            Self::Latex => Form::Equations(Notation::Latex),
            Self::Text => Form::Equations(Notation::Text),
        }
    }
}

/// What the constants of the robot are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Parameters {
    /// Numbers
    #[default]
    Numeric,
    /// Named inputs
    Symbolic,
    /// The base parameters as named inputs: the fewest, and the fewest operations
    Base,
}

impl From<Parameters> for derive::Parameters {
    fn from(parameters: Parameters) -> Self {
        match parameters {
            Parameters::Numeric => Self::Numeric,
            Parameters::Symbolic => Self::Symbolic,
            Parameters::Base => Self::Base,
        }
    }
}
