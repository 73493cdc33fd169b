//! Times of the analysis of base parameters: `cargo bench -p jourdain --bench base_parameters`.
//!
//! `structural` is the whole of `BaseParameters::new`: snapping, null spaces of all joints, regrouping matrix. `prime` and
//! `rational` are the regrouping in exact fields, `symbolic` that with lengths as symbols; `exact_rank` and `singular_values` are
//! the witnesses. `hand` is an arm of six joints with five fingers of three, fourteen of them coupled.

use criterion::{Criterion, criterion_group, criterion_main};
use jourdain::Model;
use jourdain::formats::{Format, read_str};
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
        group.bench_function("singular_values", |b| b.iter(|| rank::singular_values(black_box(&model), 1)));
        if model.nv() < 10 {
            group.bench_function("rational", |b| b.iter(|| Regrouping::<Rational>::new(black_box(&model))));
            group.bench_function("symbolic", |b| b.iter(|| SymbolicRegrouping::new(black_box(&model))));
        }
        group.finish();
    }
}

/// An arm with a hand whose fifteen joints follow one of them.
fn hand() -> Option<Model> {
    let link = |name: String, parent: String, axis: &str, xyz: &str, mimic: &str| {
        format!(
            "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\nmass = 1.0\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n\
             origin = {{ xyz = {xyz}, rpy = [0.1, 0.2, 0] }}\njoint = {{ type = \"continuous\", axis = {axis}{mimic} }}\n"
        )
    };
    let mut text = "name = \"hand\"\n".to_owned();
    for i in 0..6 {
        let parent = if i == 0 { "base".to_owned() } else { format!("arm{}", i - 1) };
        let axis = if i % 2 == 0 { "[0, 0, 1]" } else { "[0, 1, 0]" };
        text += &link(format!("arm{i}"), parent, axis, "[0.1, 0, 0.3]", "");
    }
    for finger in 0..5 {
        for i in 0..3 {
            let parent = if i == 0 { "arm5".to_owned() } else { format!("finger{finger}{}", i - 1) };
            let mimic = if finger + i == 0 { "" } else { ", mimic = { joint = \"finger00\", multiplier = 0.5 }" };
            text += &link(format!("finger{finger}{i}"), parent, "[0, 1, 0]", &format!("[0.0{finger}, 0, 0.04]"), mimic);
        }
    }
    read_str(&text, Format::Toml).description.map(Model::from)
}

fn coupled(criterion: &mut Criterion) {
    let Some(model) = hand() else { return };
    let mut group = criterion.benchmark_group("hand");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(20);
    group.bench_function("blocks", |b| b.iter(|| BaseParameters::new(black_box(&model))));
    group.bench_function("exact_rank", |b| b.iter(|| exact_rank(black_box(&model), 1)));
    group.finish();
}

criterion_group!(benches, analyses, coupled);
criterion_main!(benches);
