//! When the columns of a log were measured.

use crate::problem::Problem;
use jourdain::Model;
use jourdain::formats::table::{POSITIONS, TORQUES, Vocabulary};
use jourdain::identify::log::Late;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most seconds that a column may be late by.
const MOST: f64 = 1.0;

/// When the columns of a log were measured.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Timing {
    /// Seconds by which a column of positions or torques is late, its values belonging to times before their stamps; once per column
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN=SECONDS"))]
    pub column_delay: Vec<String>,
}

impl Timing {
    /// How late the columns of all joints are.
    pub(in crate::operations) fn late(&self, model: &Model<f64>) -> Result<Late, Problem> {
        if self.column_delay.is_empty() {
            return Ok(Late::default());
        }
        let vocabulary = Vocabulary::new(model, &[POSITIONS, TORQUES]);
        let mut late = Late { positions: vec![0.0; model.nq()], torques: vec![0.0; model.nv()] };
        for text in &self.column_delay {
            let bad = |message: String| Problem::usage(message).hint("--column-delay tau3=0.004");
            let parts = text.rsplit_once('=').map(|(column, seconds)| (column.trim(), seconds.trim().parse::<f64>()));
            let Some((column, Ok(seconds))) = parts.filter(|(_, late)| late.as_ref().is_ok_and(|x| x.abs() <= MOST))
            else {
                return Err(bad(format!("`{text}` is no delay of a column: COLUMN=SECONDS, a second at most")));
            };
            match vocabulary.number(column) {
                Some((letters, joint)) if letters == POSITIONS.letters => late.positions[joint] = seconds,
                Some((_, joint)) => late.torques[joint] = seconds,
                None => return Err(bad(format!("`{column}` is no column of positions or torques of this robot"))),
            }
        }
        Ok(late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain::robots;

    #[test]
    fn delays_of_columns_are_by_number_or_name() {
        let model = robots::load("planar2r").unwrap();
        let of = |texts: &[&str]| Timing { column_delay: texts.iter().map(|x| (*x).to_owned()).collect() }.late(&model);
        assert_eq!(of(&[]).unwrap(), Late::default());
        let late = of(&["tau2=0.004", "q[link1]=-2e-3"]).unwrap();
        assert_eq!((late.positions, late.torques), (vec![-2e-3, 0.0], vec![0.0, 0.004]));
        for bad in ["tau2", "tau9=1", "qd1=0.1", "tau1=soon", "tau1=2", "tau1=NaN"] {
            assert_eq!(of(&[bad]).unwrap_err().kind(), "usage", "{bad}");
        }
    }
}
