//! Compiling and dropping models over and over keeps no memory. Alone in its process, whose pages it counts.

#![cfg(target_os = "linux")]

use jourdain::bench::random_states;
use jourdain::quantity::Quantity;
use jourdain::{Model, robots};

const CYCLES: usize = 1000;

/// Pages of the address space, and those in memory.
fn pages() -> [i64; 2] {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap());
    [numbers.next().unwrap(), numbers.next().unwrap()]
}

/// How many mappings the process has.
fn mappings() -> i64 {
    std::fs::read_to_string("/proc/self/maps").unwrap().lines().count() as i64
}

fn cycle(models: &[Model]) {
    for model in models {
        let quantities = ["inverse_dynamics", "mass_matrix"].map(|name| Quantity::parse(name, model).unwrap());
        let compiled = model.compile(&quantities).unwrap();
        let mut out = vec![f64::NAN; compiled.output_count()];
        compiled.run(&compiled.input(&random_states(model, 1)[0]).unwrap(), &mut compiled.scratch(), &mut out);
        assert!(out.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn a_thousand_cycles_of_compiling_and_dropping_do_not_grow_memory() {
    let models = ["iiwa14", "scara"].map(|name| robots::load(name).unwrap());
    (0..50).for_each(|_| cycle(&models));
    let (before, mapped) = (pages(), mappings());
    (0..CYCLES).for_each(|_| cycle(&models));
    let (after, still_mapped) = (pages(), mappings());
    // A lost mapping per cycle would be a page each at the least; the allocator may keep a little more than it did.
    let most = CYCLES as i64 / 4;
    let [size, resident] = [0, 1].map(|i| after[i] - before[i]);
    assert!(size < most && resident < most, "{size} more pages, {resident} more in memory");
    assert!(still_mapped - mapped < 10, "{} more mappings", still_mapped - mapped);
}
