//! `jourdain robots`: the built-in robots and where their numbers come from.

use crate::failure::Failure;
use crate::output::Output;
use crate::table;
use jourdain::robots;
use serde_json::{Value, json};

/// List the built-in robots
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_: &Arguments, output: &Output) -> Result<u8, Failure> {
    let mut rows = Vec::new();
    for robot in robots::ALL {
        let model = robots::load(robot.name)
            .ok_or_else(|| Failure::new("internal", format!("the built-in robot {} does not load", robot.name)))?;
        rows.push((robot.name, model.nv(), robot.source()));
    }
    if output.is_json() {
        let list = rows.iter().map(|(name, dof, source)| json!({ "name": name, "dof": dof, "source": source }));
        output.json(&Value::Array(list.collect()))?;
    } else {
        let rows = rows.into_iter().map(|(name, dof, source)| [name.to_owned(), dof.to_string(), source]);
        output.text(&table::render(["robot", "dof", "source"], rows, &[1]))?;
    }
    Ok(0)
}
