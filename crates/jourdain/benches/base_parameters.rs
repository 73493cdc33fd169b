//! Times of the analysis of base parameters: `cargo bench -p jourdain --bench base_parameters`.
//!
//! `structural` is the whole of `BaseParameters::new`: snapping, null spaces of all joints, regrouping matrix. `prime` and
//! `rational` are the regrouping in exact fields, `symbolic` that with lengths as symbols; `exact_rank` and `numeric_rank` are
//! the witnesses.

use criterion::{Criterion, criterion_group, criterion_main};
use jourdain::parameters::exact::{Prime, Rational};
use jourdain::parameters::symbolic::SymbolicRegrouping;
use jourdain::parameters::{BaseParameters, Regrouping, exact_rank, rank};
use jourdain::robots;
use std::hint::black_box;
use std::time::Duration;

fn analyses(criterion: &mut Criterion) {
    for name in ["puma560", "iiwa14", "humanoid25", "floating_humanoid25"] {
        let Some(model) = robots::load(name) else { continue };
        let mut group = criterion.benchmark_group(name);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(20);
        group.bench_function("structural", |b| b.iter(|| BaseParameters::new(black_box(&model))));
        group.bench_function("prime", |b| b.iter(|| Regrouping::<Prime>::new(black_box(&model))));
        group.bench_function("exact_rank", |b| b.iter(|| exact_rank(black_box(&model), 1)));
        group.bench_function("numeric_rank", |b| b.iter(|| rank::numeric_rank(black_box(&model), 1)));
        if model.nv() < 10 {
            group.bench_function("rational", |b| b.iter(|| Regrouping::<Rational>::new(black_box(&model))));
            group.bench_function("symbolic", |b| b.iter(|| SymbolicRegrouping::new(black_box(&model))));
        }
        group.finish();
    }
}

criterion_group!(benches, analyses);
criterion_main!(benches);
