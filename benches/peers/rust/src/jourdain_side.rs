//! jourdain's functions on the runtime model, one state or four at a time.

use crate::timing::{Call, Measured};
use jourdain::dynamics::Factorization;
use jourdain::dynamics::recursive as fast;
use jourdain::dynamics::recursive::TableScratch;
use jourdain::state::State;
use jourdain::{Model, Scalar, Workspace};
use jourdain_symbolic::{Jet, Lanes};

/// A scalar whose lanes can be read.
pub trait Lane: Scalar<Constant = f64> {
    fn lane(self, index: usize) -> f64;
}

impl Lane for f64 {
    fn lane(self, _: usize) -> f64 {
        self
    }
}

impl Lane for Lanes<4> {
    fn lane(self, index: usize) -> f64 {
        self.0[index % 4]
    }
}

/// Four states side by side.
pub fn pack(states: &[State]) -> Vec<State<Lanes<4>>> {
    let pack = |four: &[State], vector: fn(&State) -> &Vec<f64>| -> Vec<Lanes<4>> {
        (0..vector(&four[0]).len()).map(|i| Lanes(std::array::from_fn(|lane| vector(&four[lane])[i]))).collect()
    };
    let state = |four: &[State]| State {
        q: pack(four, |s| &s.q),
        qd: pack(four, |s| &s.qd),
        qdd: pack(four, |s| &s.qdd),
        qddd: pack(four, |s| &s.qddd),
        qdddd: pack(four, |s| &s.qdddd),
        derivatives: Vec::new(),
        qd_r: pack(four, |s| &s.qd_r),
        qdd_r: pack(four, |s| &s.qdd_r),
        tau: pack(four, |s| &s.tau),
        wrenches: Vec::new(),
    };
    states.chunks_exact(4).map(state).collect()
}

/// The function behind a row of the table.
pub fn quantity<'a, S: Lane>(
    name: &str,
    model: &'a Model,
    states: &'a [State<S>],
    single: &'a [State],
) -> Option<Box<dyn Measured + 'a>> {
    let n = model.nv();
    let nn = n * n;
    let mut ws = Workspace::<S>::new(model);
    let all = |index: usize, out: &[S]| out.iter().map(|x| x.lane(index)).collect::<Vec<f64>>();
    // Factorisations of the Coriolis forces differ between libraries; their product with the velocity does not.
    let times_velocity = move |index: usize, c: &[f64]| -> Vec<f64> {
        let v = &single[index].qd;
        c.chunks(n).map(|row| row.iter().zip(v).map(|(c, v)| c * v).sum()).collect()
    };
    macro_rules! call {
        ($length:expr, $function:expr) => {
            call!($length, $function, all)
        };
        ($length:expr, $function:expr, $read:expr) => {
            Box::new(Call { states, out: vec![S::zero(); $length], function: $function, read: $read })
        };
    }
    Some(match name {
        "inverse_dynamics" => call!(n, move |s: &State<S>, out: &mut [S]| {
            fast::inverse_dynamics_into(model, &s.q, &s.qd, &s.qdd, &[], &mut ws, out);
        }),
        "inverse_dynamics_rates" => {
            let mut scratch = TableScratch::<S, 3>::new(model);
            let function = move |s: &State<S>, out: &mut [Jet<S, 3>]| {
                let derivatives = [&s.qd[..], &s.qdd, &s.qddd, &s.qdddd];
                fast::inverse_dynamics_tables_into(model, &s.q, &derivatives, &[], &mut scratch, out);
            };
            // The series' coefficients; derivatives are multiples of them.
            let read = |index: usize, out: &[Jet<S, 3>]| {
                (0..3).flat_map(|order| out.iter().map(move |jet| jet.derivative(order).lane(index))).collect()
            };
            Box::new(Call { states, out: vec![Jet::fixed(S::zero()); n], function, read })
        }
        "mass_matrix" => call!(nn, move |s: &State<S>, out: &mut [S]| {
            fast::mass_matrix_into(model, &s.q, &mut ws, out);
        }),
        "gravity" => call!(n, move |s: &State<S>, out: &mut [S]| {
            fast::gravity_into(model, &s.q, &mut ws, out);
        }),
        "coriolis_matrix" => call!(
            nn,
            move |s: &State<S>, out: &mut [S]| {
                fast::coriolis_matrix_into(model, &s.q, &s.qd, Factorization::Garofalo, &mut ws, out);
            },
            move |index, out: &[S]| times_velocity(index, &all(index, out))
        ),
        "coriolis_matrix_christoffel" => call!(
            nn,
            move |s: &State<S>, out: &mut [S]| {
                fast::coriolis_matrix_into(model, &s.q, &s.qd, Factorization::Christoffel, &mut ws, out);
            },
            move |index, out: &[S]| times_velocity(index, &all(index, out))
        ),
        "dynamic_matrices" => call!(
            2 * nn + n,
            move |s: &State<S>, out: &mut [S]| {
                let (m, rest) = out.split_at_mut(nn);
                let (c, g) = rest.split_at_mut(nn);
                fast::dynamic_matrices_into(model, &s.q, &s.qd, &mut ws, m, c, g);
            },
            move |index, out: &[S]| {
                let out = all(index, out);
                [&out[..nn], &times_velocity(index, &out[nn..2 * nn]), &out[2 * nn..]].concat()
            }
        ),
        "inverse_dynamics_partials" => call!(2 * nn, move |s: &State<S>, out: &mut [S]| {
            let (dq, dqd) = out.split_at_mut(nn);
            fast::inverse_dynamics_partials_into(model, &s.q, &s.qd, &s.qdd, &[], &mut ws, dq, dqd);
        }),
        "articulated_body" => call!(n, move |s: &State<S>, out: &mut [S]| {
            fast::articulated_body_into(model, &s.q, &s.qd, &s.tau, &[], &mut ws, out);
        }),
        "forward_dynamics" => call!(n, move |s: &State<S>, out: &mut [S]| {
            fast::forward_dynamics_into(model, &s.q, &s.qd, &s.tau, &[], &mut ws, out);
        }),
        "mass_matrix_inverse" => call!(nn, move |s: &State<S>, out: &mut [S]| {
            fast::mass_matrix_inverse_into(model, &s.q, &mut ws, out);
        }),
        "forward_dynamics_partials" => call!(2 * nn, move |s: &State<S>, out: &mut [S]| {
            let (dq, dqd) = out.split_at_mut(nn);
            fast::forward_dynamics_partials_into(model, &s.q, &s.qd, &s.tau, &[], &mut ws, dq, dqd);
        }),
        "regressor" => {
            let width = fast::parameter_count(model);
            let parameters: Vec<f64> = model.links().iter().flat_map(|link| link.inertia.to_parameters()).collect();
            call!(
                n * width,
                move |s: &State<S>, out: &mut [S]| {
                    fast::regressor_into(model, &s.q, &s.qd, &s.qdd, &mut ws, out);
                },
                // Columns of friction follow those of the links; there is none here.
                move |index, out: &[S]| {
                    let product = |row: &[f64]| row.iter().zip(&parameters).map(|(y, p)| y * p).sum();
                    all(index, out).chunks(width).map(product).collect()
                }
            )
        }
        _ => return None,
    })
}
