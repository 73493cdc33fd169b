//! Solving for one more target allocates nothing.

use crate::counting::allocations;
use jourdain::ik::criterion::{Constant, Joints, Manipulability};
use jourdain::ik::{Batch, Chain, Options, Solutions, Solver, Task};
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
                solver.best_into(target, &mut at, true).unwrap();
            }
        });
        assert_eq!(count, 0);
    }
}

#[test]
fn a_batch_allocates_nothing_per_target() {
    let model = robots::load("panda").unwrap();
    let link = model.links().len() - 1;
    let pose = |i: usize| {
        let x = 0.001 * i as f64;
        kinematics::pose(&model, &[0.3 + x, 0.5, -0.2, -1.8 - 0.2 * x, 0.4, 1.6, 0.2], link)
    };
    let mut targets: Vec<_> = (0..1200).map(pose).collect();
    // Some that cannot be reached: looking for a proof allocates nothing either.
    targets.iter_mut().step_by(100).for_each(|target| target.translation[0] += 3.0);
    let make = || Solver::new(&model, Task::pose(link), Box::new(Constant), Options::default());
    // Allocations are counted by thread: one does all the work here.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let (mut batch, mut found) = (Batch::new(make).unwrap(), Solutions::default());
        batch.solve_into(&targets, None, &mut found, || ()).unwrap();
        assert_eq!(found.reports().iter().filter(|report| !report.status.is_success()).count(), 12);
        let mut count = |targets: &[_]| allocations(|| batch.solve_into(targets, None, &mut found, || ()).unwrap());
        let (few, many) = (count(&targets[..12]), count(&targets));
        assert!(many <= few + 5, "{few} allocations for 12 targets, {many} for 1200");
    });
}
