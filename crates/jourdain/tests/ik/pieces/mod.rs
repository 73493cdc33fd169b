//! Pieces of inverse kinematics that a wrong number could hide in, each on an arm small enough to do by hand.

mod chains;
mod criteria;
mod papers;
mod paths;
mod proofs;
mod tasks;

use crate::common::random_tree::Random;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Options, Solver, Task};
use jourdain::spatial::{Pose, Vector};
use jourdain::{Model, formats};

const TURN: &str = "type = \"revolute\"";
const SLIDE: &str = "type = \"prismatic\", axis = [1, 0, 0]";

/// An arm of links, each given by its place on the one before and its joint.
fn arm(links: &[(&str, &str)]) -> Model {
    let mut text = String::from("name = \"arm\"\n");
    for (i, (origin, joint)) in links.iter().enumerate() {
        text += &format!("[[link]]\nname = \"l{i}\"\norigin = {{ xyz = {origin} }}\n");
        if !joint.is_empty() {
            text += &format!("joint = {{ {joint} }}\n");
        }
    }
    let reading = formats::read_str(&text, formats::Format::Toml);
    Model::from_description(&reading.description.expect("a robot")).unwrap()
}

fn last(model: &Model) -> usize {
    model.links().len() - 1
}

fn at(x: f64, y: f64, z: f64) -> Pose<f64> {
    Pose::translation(Vector([x, y, z]))
}

fn along_x(link: usize) -> Task {
    Task::rows(link, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
}

/// Without a criterion.
fn plain(model: &Model, task: Task, options: Options) -> Solver<'_> {
    Solver::new(model, task, Box::new(Constant), options).unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}
