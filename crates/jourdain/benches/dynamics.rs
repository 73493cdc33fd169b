//! Times of the fast path: `cargo bench -p jourdain --bench dynamics -- iiwa14/mass_matrix`.
//!
//! One iteration is one call; calls go round 64 random states, so that no branch predictor learns one by heart. The
//! functions ending in `lanes4` take four states per call: divide by four. `benches/peers/run` sets the main ones beside
//! other libraries.

use criterion::{Criterion, criterion_group, criterion_main};
use jourdain::bench::random_states;
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::recursive::{self as fast, DualScratch};
use jourdain::{State, Workspace, robots};
use jourdain_symbolic::{Lanes, Scalar};
use std::hint::black_box;
use std::time::Duration;

const ROBOTS: [&str; 4] = ["puma560", "iiwa14", "humanoid25", "floating_humanoid25"];
const STATES: usize = 64;

/// Position, velocity and acceleration of four states side by side.
fn pack(four: &[State]) -> State<Lanes<4>> {
    let pack = |vector: fn(&State) -> &Vec<f64>| -> Vec<Lanes<4>> {
        (0..vector(&four[0]).len()).map(|i| Lanes(std::array::from_fn(|lane| vector(&four[lane])[i]))).collect()
    };
    State {
        q: pack(|s| &s.q),
        qd: pack(|s| &s.qd),
        qdd: pack(|s| &s.qdd),
        qddd: Vec::new(),
        qdddd: Vec::new(),
        derivatives: Vec::new(),
        qd_r: pack(|s| &s.qd_r),
        qdd_r: pack(|s| &s.qdd_r),
        qddd_r: Vec::new(),
        tau: pack(|s| &s.tau),
        wrenches: Vec::new(),
    }
}

/// A robot's functions, each under `robot/function`.
struct Group<'a> {
    criterion: &'a mut Criterion,
    robot: &'a str,
}

impl Group<'_> {
    /// Times `call`, given a state and `length` numbers to write to.
    fn add<S: Scalar>(
        &mut self,
        name: &str,
        states: &[State<S>],
        length: usize,
        mut call: impl FnMut(&State<S>, &mut [S]),
    ) {
        let mut out = vec![S::zero(); length];
        let mut next = 0;
        self.criterion.bench_function(&format!("{}/{name}", self.robot), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % states.len();
                call(black_box(&states[next]), &mut out);
                black_box(&out);
            });
        });
    }
}

fn dynamics(criterion: &mut Criterion) {
    for name in ROBOTS {
        let model = &robots::load(name).expect(name);
        let states = &random_states(model, STATES)[..];
        let four: Vec<_> = states.chunks_exact(4).map(pack).collect();
        let (n, width) = (model.nv(), fast::parameter_count(model));
        let (ws, lanes, duals) = (&mut Workspace::new(model), &mut Workspace::new(model), &mut DualScratch::new(model));
        let group = &mut Group { criterion, robot: name };

        group.add("inverse_dynamics", states, n, |s, out| {
            fast::inverse_dynamics_into(model, &s.q, &s.qd, &s.qdd, &[], ws, out);
        });
        group.add("inverse_dynamics_lanes4", &four, n, |s, out| {
            fast::inverse_dynamics_into(model, &s.q, &s.qd, &s.qdd, &[], lanes, out);
        });
        group.add("mass_matrix", states, n * n, |s, out| fast::mass_matrix_into(model, &s.q, ws, out));
        group.add("mass_matrix_lanes4", &four, n * n, |s, out| fast::mass_matrix_into(model, &s.q, lanes, out));
        group.add("gravity", states, n, |s, out| fast::gravity_into(model, &s.q, ws, out));
        group.add("dynamic_matrices", states, 2 * n * n + n, |s, out| {
            let (m, rest) = out.split_at_mut(n * n);
            let (c, g) = rest.split_at_mut(n * n);
            fast::dynamic_matrices_into(model, &s.q, &s.qd, ws, m, c, g);
        });
        group.add("gravity_partials", states, n * n, |s, out| fast::gravity_partials_into(model, &s.q, ws, out));
        group.add("inverse_dynamics_partials", states, 2 * n * n, |s, out| {
            let (dq, dqd) = out.split_at_mut(n * n);
            fast::inverse_dynamics_partials_into(model, &s.q, &s.qd, &s.qdd, &[], ws, dq, dqd);
        });
        group.add("forward_dynamics", states, n, |s, out| {
            fast::forward_dynamics_into(model, &s.q, &s.qd, &s.tau, &[], ws, out);
        });
        group.add("articulated_body", states, n, |s, out| {
            fast::articulated_body_into(model, &s.q, &s.qd, &s.tau, &[], ws, out);
        });
        group.add("mass_matrix_inverse", states, n * n, |s, out| fast::mass_matrix_inverse_into(model, &s.q, ws, out));
        group.add("forward_dynamics_partials", states, 2 * n * n, |s, out| {
            let (dq, dqd) = out.split_at_mut(n * n);
            fast::forward_dynamics_partials_into(model, &s.q, &s.qd, &s.tau, &[], ws, dq, dqd);
        });
        group.add("regressor", states, n * width, |s, out| {
            fast::regressor_into(model, &s.q, &s.qd, &s.qdd, ws, out);
        });
        group.add("slotine_li_regressor", states, n * width, |s, out| {
            fast::slotine_li_regressor_into(model, &s.q, &s.qd, &s.qd_r, &s.qdd_r, ws, out);
        });
        group.add("momentum_regressor", states, n * width, |s, out| {
            fast::momentum_regressor_into(model, &s.q, &s.qd, ws, out);
        });
        group.add("energy_regressor", states, width, |s, out| {
            fast::energy_regressor_into(model, &s.q, &s.qd, ws, out);
        });
        group.add("energies", states, 2, |s, out| {
            out[0] = fast::kinetic_energy(model, &s.q, &s.qd, ws);
            out[1] = fast::potential_energy(model, &s.q, ws);
        });
        group.add("mass_matrix_dot", states, n * n, |s, out| {
            fast::mass_matrix_dot_into(model, &s.q, &s.qd, ws, out);
        });
        group.add("gravity_dot", states, n, |s, out| fast::gravity_dot_into(model, &s.q, &s.qd, duals, out));
        group.add("mass_matrix_dq", states, n * n * n, |s, out| fast::mass_matrix_dq_into(model, &s.q, ws, out));
        for (suffix, factorization) in [("", Garofalo), ("_christoffel", Christoffel)] {
            group.add(&format!("coriolis_matrix{suffix}"), states, n * n, |s, out| {
                fast::coriolis_matrix_into(model, &s.q, &s.qd, factorization, ws, out);
            });
            group.add(&format!("coriolis_matrix_dot{suffix}"), states, n * n, |s, out| {
                fast::coriolis_matrix_dot_into(model, &s.q, &s.qd, &s.qdd, factorization, duals, out);
            });
            group.add(&format!("coriolis_matrix_dqd{suffix}"), states, n * n * n, |s, out| {
                fast::coriolis_matrix_dqd_into(model, &s.q, factorization, ws, out);
            });
            group.add(&format!("coriolis_matrix_dq{suffix}"), states, n * n * n, |s, out| {
                fast::coriolis_matrix_dq_into(model, &s.q, &s.qd, factorization, duals, out);
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .without_plots()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400));
    targets = dynamics
}
criterion_main!(benches);
