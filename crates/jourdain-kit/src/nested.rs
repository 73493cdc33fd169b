//! Arrays of any rank as nested lists, without a copy.

use jourdain::Matrix;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use std::borrow::Cow;

/// Row-major numbers with the lengths of their axes: a number without axes, a list with one, lists of lists with more.
#[derive(Clone, Debug, PartialEq)]
pub struct Nested<'a> {
    /// The lengths of the axes, outermost first.
    pub lengths: Cow<'a, [usize]>,
    /// The numbers, the last axis running fastest.
    pub values: Cow<'a, [f64]>,
}

impl<'a> Nested<'a> {
    /// Numbers that stand elsewhere.
    #[must_use]
    pub fn new(lengths: &'a [usize], values: &'a [f64]) -> Self {
        Self { lengths: Cow::Borrowed(lengths), values: Cow::Borrowed(values) }
    }
}

impl From<&Matrix<f64>> for Nested<'static> {
    fn from(matrix: &Matrix<f64>) -> Self {
        Self { lengths: vec![matrix.rows(), matrix.columns()].into(), values: matrix.as_slice().to_vec().into() }
    }
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&*self.lengths, &*self.values) {
            ([], values) => values.first().serialize(serializer),
            ([_], values) => values.serialize(serializer),
            ([rows, rest @ ..], values) => {
                let size = values.len() / (*rows).max(1);
                let mut list = serializer.serialize_seq(Some(*rows))?;
                for row in 0..*rows {
                    list.serialize_element(&Nested::new(rest, &values[row * size..(row + 1) * size]))?;
                }
                list.end()
            }
        }
    }
}

impl JsonSchema for Nested<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Nested".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let inner = generator.subschema_for::<Self>();
        json_schema!({
            "description": "A number, or lists of numbers, row-major",
            "anyOf": [{ "type": "number" }, { "type": "array", "items": inner }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_array_of_any_rank_is_lists_in_lists() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(json!(Nested::new(&[], &values[..1])), json!(1.0));
        assert_eq!(json!(Nested::new(&[4], &values)), json!([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(json!(Nested::new(&[2, 1, 2], &values)), json!([[[1.0, 2.0]], [[3.0, 4.0]]]));
        assert_eq!(json!(Nested::new(&[0, 3], &[])), json!([]));
    }
}
