//! Dynamics: singular mass matrices, large angles, large trees, absurd numbers.

use crate::Row;

pub fn rows() -> Vec<Row> {
    Vec::new()
}
