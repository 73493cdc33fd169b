//! Quantities of a robot that was read, and how far they are from those of another program.

use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};

/// The largest difference relative to the largest entry.
pub fn difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-6_f64, |largest, x| largest.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())) / scale
}

pub fn evaluate(name: &str, model: &Model, state: &State) -> Vec<f64> {
    let quantity = Quantity::parse(name, model).unwrap();
    quantity.evaluate(Path::Fast, model, state, &mut Workspace::new(model)).unwrap()
}
