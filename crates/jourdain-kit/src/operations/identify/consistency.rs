//! What the consistent estimate rests on beside the data: how much the robot file counts, and what is known beyond it.

use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use jourdain::Model;
use jourdain::identify::{Bounds, LinkBounds};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

const BOUNDS: What = What { name: "the bounds", option: "--bounds", hint: "an object of links, as JSON" };

/// What the consistent estimate rests on beside the data.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Consistency {
    /// Weight of the robot file in the consistent estimate, in units of log-likelihood; `auto` is the one with which parts of the log
    /// tell the others best
    #[serde(default, deserialize_with = "word_or_number")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "auto|WEIGHT", allow_hyphen_values = true))]
    pub prior_weight: Option<String>,

    /// Mass of all links that move, kg; it is kept to within a hundredth
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KG", allow_negative_numbers = true))]
    pub total_mass: Option<f64>,

    /// Limits of links: {"link": {"mass": [least, largest], "com": [[x, x], [y, y], [z, z]]}}, kg and m in the link frame
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON"))]
    pub bounds: Option<String>,
}

/// Requests may have a number where the command has a word.
fn word_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Number(f64),
        Word(String),
    }
    Ok(Option::<Given>::deserialize(deserializer)?.map(|given| match given {
        Given::Number(number) => number.to_string(),
        Given::Word(word) => word,
    }))
}

/// Limits of one link as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfLink {
    mass: Option<[f64; 2]>,
    com: Option<[[f64; 2]; 3]>,
}

impl Consistency {
    /// The weight, if it is a number.
    pub(super) fn weight(&self) -> Result<Option<f64>, Problem> {
        match self.prior_weight.as_deref() {
            None | Some("auto") => Ok(None),
            Some(text) => match text.parse::<f64>().ok().filter(|weight| *weight > 0.0 && weight.is_finite()) {
                Some(weight) => Ok(Some(weight)),
                None => {
                    let message = format!("`{text}` is no weight of the robot file: `auto`, or a number above zero");
                    Err(Problem::usage(message).hint("--prior-weight 1"))
                }
            },
        }
    }

    /// True if more than the weight is given.
    pub(super) fn has_limits(&self) -> bool {
        self.total_mass.is_some() || self.bounds.is_some()
    }

    /// The limits, with links by their numbers.
    pub(super) fn bounds(&self, model: &Model<f64>, host: &dyn Host) -> Result<Bounds, Problem> {
        let mut links = Vec::new();
        if let Some(bounds) = &self.bounds {
            let given = read::given(bounds, BOUNDS, host)?;
            let bad = |message: String| {
                let problem = Problem::new("bad-bounds", message);
                given.file.iter().fold(problem, |problem, file| problem.file(file))
            };
            let read: BTreeMap<String, OfLink> = serde_json::from_str(&given.text).map_err(|error| {
                bad(format!("these are no limits of links: {error}"))
                    .hint(r#"{"link2": {"mass": [1, 3], "com": [[-0.1, 0.1], [-0.1, 0.1], [0, 0.3]]}}"#)
            })?;
            for (name, OfLink { mass, com }) in read {
                let link = model.links().iter().position(|link| link.name == name);
                let names = || model.links().iter().map(|link| link.name.as_str()).collect::<Vec<_>>().join(", ");
                let link = link.ok_or_else(|| {
                    bad(format!("the robot has no link `{name}`")).hint(format!("its links are {}", names()))
                })?;
                links.push(LinkBounds { link, mass, com });
            }
        }
        Ok(Bounds { total_mass: self.total_mass, links })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_auto_or_a_positive_number_in_words_or_as_one() {
        let of = |json: &str| serde_json::from_str::<Consistency>(json).unwrap().weight();
        assert_eq!(of("{}").unwrap(), None);
        assert_eq!(of(r#"{"prior_weight": "auto"}"#).unwrap(), None);
        assert_eq!(of(r#"{"prior_weight": 0.3}"#).unwrap(), Some(0.3));
        assert_eq!(of(r#"{"prior_weight": "2"}"#).unwrap(), Some(2.0));
        for bad in [r#"{"prior_weight": 0}"#, r#"{"prior_weight": "much"}"#, r#"{"prior_weight": "inf"}"#] {
            assert_eq!(of(bad).unwrap_err().kind(), "usage", "{bad}");
        }
    }
}
