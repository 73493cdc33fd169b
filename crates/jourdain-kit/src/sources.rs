//! What schemas say of a field that a file of samples, states or targets may stand in: that a [table in memory](crate::host::Host::table)
//! may stand there too, and how front ends tell it from a document.
//!
//! `"x-table"` has the words of documents that may stand in the same place, each with the number of axes that an array of this
//! name has in a table; 0 for a word that no table has. `"x-words"` has what a request says before a table and before numbers.

use crate::operations::ik::{DOCUMENT, GROUPS};
use jourdain::quantity::Input;
use serde_json::{Map, Value, json};

/// Of samples over time: a document has curves or points.
pub(crate) fn samples() -> Value {
    json!({ "joints": 0, "points": 0 })
}

/// Of states: a vector of one state has one axis, of many two.
pub(crate) fn states() -> Value {
    let vectors = Input::vectors().map(|input| (input.key().to_owned(), json!(2)));
    let others = ["derivatives", "wrenches"].map(|word| (word.to_owned(), json!(0)));
    Value::Object(vectors.chain(others).collect::<Map<_, _>>())
}

/// Of targets: a vector for each is an array of two axes, a pose for each one of three.
pub(crate) fn targets() -> Value {
    let vectors = GROUPS.iter().map(|(word, _)| (*word, 2));
    let words = DOCUMENT.iter().map(|word| (*word, 0)).chain(vectors).chain([("pose", 3)]);
    Value::Object(words.map(|(word, axes)| (word.to_owned(), json!(axes))).collect::<Map<_, _>>())
}

/// Of torques.
pub(crate) fn torques() -> Value {
    json!({ "table": "table", "numbers": "constant" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_target_of_each_form_is_told_from_a_table() {
        let words = super::targets();
        assert_eq!((&super::states()["q"], &super::states()["wrenches"]), (&2.into(), &0.into()));
        assert_eq!((&words["position"], &words["pose"], &words["points"]), (&2.into(), &3.into(), &0.into()));
    }
}
