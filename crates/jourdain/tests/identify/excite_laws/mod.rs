//! Exciting motions by their laws: capsules and distances by hand, proofs about whole motions, series, limits and the search.

mod capsules;
mod clearances;
mod proofs;
mod searches;
mod series;

use crate::logs::Random;
use jourdain::Model;
use jourdain::formats::{Format, read_str};
use jourdain::identify::excite::{Bounds, Options, bounds};

/// A robot of links that are written as in a robot file, `name parent rest`, each with a mass unless it says otherwise.
fn robot(gravity: [f64; 3], links: &[(&str, &str, &str)]) -> Model<f64> {
    let mut text = format!("name = \"robot\"\ngravity = {gravity:?}\n");
    for (name, parent, rest) in links {
        let mass = if rest.contains("mass") { "" } else { "mass = 1.0\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n" };
        text += &format!("[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\n{mass}{rest}\n");
    }
    let reading = read_str(&text, Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}\n{text}", reading.diagnostics)))
}

const DOWN: [f64; 3] = [0.0, 0.0, -10.0];

/// The limits of the joints of a robot.
fn limits(model: &Model<f64>) -> Vec<Bounds> {
    bounds(model, &Options::default()).unwrap().0
}

/// Uniform between two numbers.
fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * random.uniform()
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} for {expected}");
}
