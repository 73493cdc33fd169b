//! What is asked for at every step of a motion allocates nothing: rates, references, torques, friction with a memory, lines of a table.

use crate::common::random_tree::for_each_tree;
use crate::counting::allocations;
use jourdain::dynamics::memory::Memory;
use jourdain::formats::table::Lines;
use jourdain::formats::{self, Format};
use jourdain::prescribed::{
    Cosine, Curve, Interpolation, PrescribedLoad, PrescribedMotion, Reference, Torque, TorqueTable,
};
use jourdain::simulate::equations::RobotDynamics;
use jourdain::spatial::Twist;
use jourdain::state::LinkWrench;
use jourdain::{Model, Workspace};

#[test]
fn rates_of_any_robot_allocate_nothing() {
    for_each_tree(20, 15, |model, s| {
        let mut dynamics = RobotDynamics::new(model);
        let x: Vec<f64> = s.q.iter().chain(&s.qd).copied().collect();
        let (mut rate, mut sums) = (vec![0.0; x.len()], vec![0.0; dynamics.sums()]);
        let (mut neutral, mut q_dot) = (vec![0.0; model.nq()], vec![0.0; model.nq()]);
        let mut columns = vec![[Twist::zero(); 3]; 6];
        // A large tree has memory from when it is first asked for.
        dynamics.rate_into(&x, &s.tau, &s.wrenches, &mut rate, &mut sums);
        let count = allocations(|| {
            dynamics.rate_into(&x, &s.tau, &s.wrenches, &mut rate, &mut sums);
            model.position_rate_into(&s.q, &s.qd, &mut q_dot);
            for link in model.links().iter().filter(|link| link.mimic.is_none()) {
                let (nq, nv) = (link.joint.nq(), link.joint.nv());
                let (q, w) = (&s.q[link.q..link.q + nq], &s.qd[link.v..link.v + nv]);
                let columns = columns.as_flattened_mut();
                let (xi, rest) = columns.split_at_mut(nv);
                let (xi_dot, rest) = rest.split_at_mut(nv);
                link.joint.subspace_into(q, xi);
                link.joint.subspace_dot_into(xi, w, xi_dot);
                link.joint.subspace_ddot_into(xi, xi_dot, w, w, &mut rest[..nv]);
                link.joint.neutral_into(&mut neutral[link.q..link.q + nq]);
                link.joint.position_rate_into(q, w, &mut q_dot[link.q..link.q + nq]);
            }
        });
        assert_eq!(count, 0);
    });
}

#[test]
fn references_and_torques_over_time_allocate_nothing() {
    let wave = Curve::Cosines { offset: 0.3, terms: vec![Cosine { amplitude: 0.4, frequency: 6.0, phase: 0.1 }] };
    let push = std::array::from_fn(|i| Curve::Polynomial(vec![1.0, i as f64]));
    let loads = vec![PrescribedLoad { link: 1, components: push }];
    let motion = PrescribedMotion { joints: vec![wave.clone(), wave], loads, start: 0.5, end: 2.5 };
    let table = TorqueTable::new([0.0, 1.0, 2.0].map(|t| (t, vec![1.0, 2.0])).to_vec(), Interpolation::Linear).unwrap();
    let torques = [Torque::None, Torque::Constant(vec![1.0, 2.0]), Torque::Table(table)];
    let mut orders: [Vec<f64>; 5] = std::array::from_fn(|_| vec![0.0; 2]);
    let (mut loads, mut rates) = (Vec::<LinkWrench<f64>>::with_capacity(1), Vec::with_capacity(1));
    let mut out = [0.0; 2];
    for reference in [Reference::Motion(&motion), Reference::Rest(vec![0.1, 0.2])] {
        let count = allocations(|| {
            for k in 0..100 {
                let t = 0.02 * f64::from(k);
                reference.at_into(t, &mut orders);
                reference.loads_into(t, &mut loads);
                reference.loads_with_rates_into(t, &mut rates);
                torques.iter().for_each(|torque| torque.at_into(t, t, &mut out));
            }
        });
        assert_eq!(count, 0, "{reference:?}");
    }
}

#[test]
fn friction_with_a_memory_allocates_nothing() {
    let text = include_str!("../../../../suite/robots/drives.toml");
    let description = formats::read_str(text, Format::Toml).description.unwrap();
    let model = Model::from_description(&description).unwrap();
    let (n, mut memory) = (model.nv(), Memory::new(&model).unwrap());
    // Joints of different speeds: a shaft that turns by the difference of two would stand still otherwise.
    let w: Vec<f64> = (0..n).map(|k| 0.3 + 0.1 * k as f64).collect();
    let (mut q, mut workspace) = (model.neutral(), Workspace::new(&model));
    let mut tau = vec![0.0; n];
    let count = allocations(|| {
        for _ in 0..50 {
            q.iter_mut().zip(&w).for_each(|(q, w)| *q += 1e-3 * w);
            memory.inverse_dynamics_into(&model, [&q, &w, &w], &[], &mut workspace, &mut tau);
        }
    });
    assert_eq!(count, 0);
    assert!(memory.elements().iter().all(|z| *z != 0.0));
}

#[test]
fn lines_of_a_table_are_read_into_the_same_memory() {
    let text = "0.25,1.5,-3\n".repeat(1000);
    let (mut lines, mut line) = (Lines::new(text.as_bytes()), Vec::with_capacity(64));
    let mut count = 0;
    let allocated = allocations(|| {
        while lines.next_into(&mut line).unwrap() {
            count += 1;
        }
    });
    assert_eq!((count, allocated), (1000, 0));
}
