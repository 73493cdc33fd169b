//! Pieces of identification whose answer is known by hand: what a study chooses, springs, results that no robot gives, poses.

mod chosen_poses;
mod chosen_reading;
mod found_springs;
mod no_robot;

use jourdain::Model;
use jourdain::formats::{self, Format};

/// The robot of a text.
fn robot(text: &str) -> Model<f64> {
    let reading = formats::read_str(text, Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}
