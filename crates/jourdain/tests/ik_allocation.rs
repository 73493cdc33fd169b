//! Solving for one more target allocates nothing.

mod counting;

use counting::allocations;
use jourdain::ik::criterion::{Constant, Joints, Manipulability};
use jourdain::ik::{Chain, Options, Solver, Task};
use jourdain::kinematics;
use jourdain::robots;
use jourdain::spatial::Vector;

#[test]
fn the_counter_sees_an_allocation() {
    let model = robots::load("panda").unwrap();
    assert!(allocations(|| drop(Chain::new(&model, 7, Vector::zero()))) > 0);
}

#[test]
fn the_next_target_is_solved_without_allocation() {
    let model = robots::load("panda").unwrap();
    let link = model.links().len() - 1;
    let chain = Chain::new(&model, link, Vector::zero());
    let q = [0.3, 0.5, -0.2, -1.8, 0.4, 1.6, 0.2];
    let targets: Vec<_> = (0..20)
        .map(|i| {
            let mut q = q;
            q[0] += 0.02 * f64::from(i);
            kinematics::pose(&model, &q, link)
        })
        .collect();
    for case in 0..3 {
        let criterion: Box<dyn jourdain::ik::criterion::Criterion> = match case {
            0 => Box::new(Manipulability::default()),
            1 => Box::new(Joints::limit_barrier(&chain)),
            _ => Box::new(Constant),
        };
        let mut solver = Solver::new(&model, Task::pose(link), criterion, Options::default()).unwrap();
        let mut at = q;
        // The criteria take their memory at the first point they see.
        solver.solve_into(&targets[0], &mut at).unwrap();
        let count = allocations(|| {
            for target in &targets {
                assert!(solver.solve_into(target, &mut at).unwrap().status.is_success());
                solver.reach_into(target, &mut at).unwrap();
            }
        });
        assert_eq!(count, 0);
    }
}
