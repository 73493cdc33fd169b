//! Criteria as they are asked for.

use super::setup::{Setup, number, numbers, position};
use super::target;
use crate::host::Host;
use crate::problem::Problem;
use jourdain::Model;
use jourdain::formats::suggest;
use jourdain::ik::Chain;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Manipulability, Obstacle, Obstacles, WeightedSum};
use jourdain::spatial::Vector;
use serde_json::Value;

/// The names of the criteria.
const CRITERIA: [&str; 6] = ["manipulability", "mid-range", "limit-barrier", "home", "obstacles", "none"];

impl Setup {
    /// The criterion of that name, or the weighted sum.
    pub(super) fn read_criterion(
        &self,
        model: &Model<f64>,
        chain: &Chain,
        host: &dyn Host,
    ) -> Result<Box<dyn Criterion>, Problem> {
        let names = self.criterion_name();
        if !names.contains([',', '=']) {
            return self.term(names, model, chain, host);
        }
        let mut sum = WeightedSum::default();
        for part in names.split(',') {
            let (name, weight) = match part.split_once('=') {
                Some((name, weight)) => (name.trim(), number(weight, "--criterion")?),
                None => (part.trim(), 1.0),
            };
            sum = sum.with(weight, self.term(name, model, chain, host)?);
        }
        Ok(Box::new(sum))
    }

    fn term(
        &self,
        name: &str,
        model: &Model<f64>,
        chain: &Chain,
        host: &dyn Host,
    ) -> Result<Box<dyn Criterion>, Problem> {
        Ok(match name {
            "manipulability" => Box::new(Manipulability::default()),
            "mid-range" => Box::new(Joints::mid_range(chain)),
            "limit-barrier" => Box::new(Joints::limit_barrier(chain)),
            "home" => {
                let home = match &self.home {
                    Some(home) => position(home, "--home", model, host)?,
                    None => model.neutral(),
                };
                let weights = self.weights.as_deref().map(|weights| numbers(weights, "--weights", host)).transpose()?;
                let weights = weights.unwrap_or_default();
                if home.len() != model.nq() {
                    return Err(wrong_length("--home", home.len(), model.nq()));
                }
                if !weights.is_empty() && weights.len() != model.nv() {
                    return Err(wrong_length("--weights", weights.len(), model.nv()));
                }
                Box::new(Joints::home(model, chain, &home, &weights))
            }
            "obstacles" => {
                let Some(obstacles) = &self.obstacles else {
                    return Err(Problem::usage("the criterion `obstacles` needs --obstacles"));
                };
                if self.samples == 0 || self.samples > 1000 {
                    return Err(Problem::usage(format!("{} points per link cannot be taken", self.samples)));
                }
                Box::new(Obstacles::new(chain, read_obstacles(obstacles, host)?, self.samples))
            }
            "none" => Box::new(Constant),
            _ => {
                let problem = Problem::usage(format!("there is no criterion `{name}`"));
                return Err(problem.hint(suggest::hint(name, &CRITERIA)));
            }
        })
    }
}

fn wrong_length(what: &str, found: usize, expected: usize) -> Problem {
    Problem::new("wrong-length", format!("{what} has {found} numbers, but the robot needs {expected}"))
}

fn read_obstacles(argument: &str, host: &dyn Host) -> Result<Vec<Obstacle>, Problem> {
    let value = target::read_json(argument, "--obstacles", host)?;
    let bad = |index: usize, message: &str| Problem::new("bad-obstacle", format!("obstacle {index}: {message}"));
    let Value::Array(items) = &value else {
        return Err(Problem::new("bad-obstacle", "--obstacles is not a list"));
    };
    let mut obstacles = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let triple = |key: &str| item.get(key).and_then(target::flat).and_then(|x| <[f64; 3]>::try_from(x).ok());
        let center = triple("center").ok_or_else(|| bad(index, "`center` must be three numbers"))?;
        let radii = match item.get("radii").and_then(target::scalar) {
            Some(radius) => [radius; 3],
            None => triple("radii").ok_or_else(|| bad(index, "`radii` must be a number or three"))?,
        };
        let exponent = match item.get("exponent") {
            Some(exponent) => target::scalar(exponent).ok_or_else(|| bad(index, "`exponent` must be a number"))?,
            None => 2.0,
        };
        let obstacle = Obstacle { center: Vector(center), radii: Vector(radii), exponent };
        if !obstacle.is_valid() {
            return Err(bad(index, "radii must be positive and the exponent at least 2"));
        }
        obstacles.push(obstacle);
    }
    Ok(obstacles)
}
