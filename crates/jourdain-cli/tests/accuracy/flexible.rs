//! Flexible arms: geometric stiffness, range of validity, convergence of modes.

use crate::Row;

pub fn rows() -> Vec<Row> {
    Vec::new()
}
