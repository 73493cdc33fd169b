//! Random small robots as generated C: every quantity, compiled by gcc with all warnings as errors, self-tested and run.

use crate::common::error;
use crate::common::random_tree::{Random, random_state, random_tree};
use crate::generated::{Job, Language, compiler};
use crate::robots::{LIMIT, condition};
use crate::stage::{Setup, Worker};
use crate::tally::Tally;
use jourdain::derive::{PackageOptions, package};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, Workspace};

fn of_robot(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let model: Model = random_tree(0xc0de_0000 + seed, 3);
    let mut random = Random::new(!seed);
    let state = random_state(&model, &mut random);
    let mut workspace = Workspace::new(&model);
    let condition = condition(&model, &state, &mut workspace).ok_or("no mass matrix")?.max(1.0);
    let mut quantities = Quantity::each(random.below(model.links().len()));
    quantities.retain(|quantity| quantity.evaluate(Path::Fast, &model, &state, &mut workspace).is_ok());
    let mut options = PackageOptions::default();
    options.derive.loaded = state.wrenches.iter().map(|load| load.link).collect();
    options.derive.loaded.sort_unstable();
    options.derive.loaded.dedup();
    let package = package(&model, &quantities, &options).map_err(|error| error.to_string())?;
    let (states, language) = (&[state], Language::C);
    let job = Job { language, model: &model, package: &package, quantities: &quantities, states };
    tally.count("robots", 1);
    for (quantity, found, expected) in job.run() {
        let scale = if quantity.inverts() { condition } else { 1.0 };
        tally.compare("generated C", quantity.entry().name, seed, error(&found, &expected) / scale, LIMIT);
    }
    Ok(())
}

pub fn worker(_: &Setup) -> Result<Worker, String> {
    if !compiler(Language::C) {
        return Err("there is no gcc".to_owned());
    }
    Ok(Box::new(|seed, tally| {
        if let Err(problem) = of_robot(seed, tally) {
            tally.fail(seed, problem);
        }
    }))
}
