//! Random structures: the number of base parameters against exact ranks. The two share the way from a description to its geometry
//! and nothing else; the witness is the rank of the regressor over a field of a prime, with exact numbers.

use crate::common::random_structure::{coupled_robot, special_robot};
use crate::common::random_tree::{Random, Shape, random_description};
use crate::stage::{Setup, Worker};
use crate::tally::Tally;
use jourdain::Model;
use jourdain::parameters::exact::Prime;
use jourdain::parameters::{BaseParameters, Method, Regrouping, exact_rank};

/// The robot of a seed and what kind it is.
fn structure(seed: u64) -> (&'static str, Result<Model, String>) {
    let mut random = Random::new(0x57a7_0000_0000 + seed);
    let (kind, description) = match seed % 4 {
        0 => {
            let links = 1 + random.below(7);
            ("serial robots of special geometry", special_robot(&mut random, links, false))
        }
        1 => {
            let links = 2 + random.below(7);
            ("trees of special geometry", special_robot(&mut random, links, true))
        }
        2 => {
            let shape = Shape { mimic: false, ..Shape::random(&mut random, 6) };
            ("trees of all joint types", random_description(shape, &mut random))
        }
        _ => ("robots with coupled joints", coupled_robot(&mut random)),
    };
    (kind, Model::from_description(&description).map_err(|error| error.to_string()))
}

fn of_structure(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (kind, model) = structure(seed);
    // Couplings drawn at random may leave no robot.
    let Ok(model) = model else {
        tally.count("draws that are no robot", 1);
        return Ok(());
    };
    tally.count(kind, 1);
    let base = BaseParameters::new(&model);
    let exact = exact_rank(&model, 11 + seed);
    let apart = |count: Option<usize>| count.map_or(f64::MAX, |count| base.count().abs_diff(count) as f64);
    tally.compare("exact rank", kind, seed, apart(exact), 0.0);
    if base.method() == Method::Structural {
        let friction = base.labels().iter().filter(|label| label.starts_with("Fv") || label.starts_with("Fc")).count();
        let modulo = Regrouping::<Prime>::new(&model).map(|found| found.kept.len() + friction);
        tally.compare("regrouping modulo a prime", kind, seed, apart(modulo), 0.0);
    }
    Ok(())
}

pub fn worker(_: &Setup) -> Result<Worker, String> {
    Ok(Box::new(|seed, tally| {
        if let Err(problem) = of_structure(seed, tally) {
            tally.fail(seed, problem);
        }
    }))
}
