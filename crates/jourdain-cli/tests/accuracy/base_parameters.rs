//! Base parameters: counts, names and values.

use crate::Row;

pub fn rows() -> Vec<Row> {
    Vec::new()
}
