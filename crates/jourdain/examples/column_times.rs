//! How long the library takes for many states that are given column by column: `column_times ROBOT STATES QUANTITY…` prints
//! nanoseconds per state on all cores, as JSON. The output is written over again, and the smallest time counts.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::quantity::Quantity;
use jourdain::state::Inputs;
use jourdain::{State, bench, robots};
use std::error::Error;
use std::time::Instant;

/// States that differ; the others repeat them.
const DIFFERENT: usize = 1000;
/// Times that are taken.
const TIMES: usize = 7;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "planar2r".to_owned());
    let robot = robots::load(&name).ok_or("no such robot")?;
    let states: usize = words.next().map_or(Ok(DIFFERENT), |word| word.parse())?;
    let mut names: Vec<String> = words.collect();
    if names.is_empty() {
        names.push("inverse_dynamics".to_owned());
    }

    let some = bench::random_states(&robot, DIFFERENT);
    let column = |of: fn(&State) -> &Vec<f64>| -> Vec<f64> {
        some.iter().cycle().take(states).flat_map(|state| of(state).iter().copied()).collect()
    };
    let (q, qd, qdd) = (column(|state| &state.q), column(|state| &state.qd), column(|state| &state.qdd));
    let inputs = Inputs { q: &q, qd: &qd, qdd: &qdd, ..Inputs::default() };
    let mut times = Vec::new();
    for name in &names {
        let compiled = robot.compile(&[Quantity::parse(name, &robot)?])?;
        let mut out = vec![0.0; states * compiled.output_count()];
        let mut least = f64::INFINITY;
        for _ in 0..TIMES {
            let start = Instant::now();
            compiled.run_columns(&inputs, &mut out)?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        times.push(format!("\"{name}\": {:.3}", least * 1e9 / states as f64));
    }
    println!("{{{}}}", times.join(", "));
    Ok(())
}
