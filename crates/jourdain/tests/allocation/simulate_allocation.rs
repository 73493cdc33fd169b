//! That steps of a simulation allocate nothing: twice the steps, the same number of allocations.

use jourdain::elastic::ElasticModel;
use jourdain::simulate::{
    AdaptiveLaw, Elastic, Flexible, Gains, Law, Method, Options, Reference, Rigid, Simulation, System, Wrappers,
};
use jourdain::{arms, robots};
use std::ops::ControlFlow;

#[test]
fn steps_under_any_law_allocate_nothing() {
    let model = robots::load("planar2r").unwrap();
    let elastic = ElasticModel::new(&robots::load("planar2r_elastic").unwrap()).unwrap();
    let built = arms::load("two_link_flexible").unwrap();
    let (rigid, elastic, flexible) = (Rigid::new(&model), Elastic::new(&elastic), Flexible::new(&built.arm));
    let cases: [(&dyn System, Law); 6] = [
        (&rigid, Law::ComputedTorque(Gains::default())),
        (&rigid, Law::Adaptive(AdaptiveLaw::default())),
        (&elastic, Law::ExactLinearisation { poles: [[-10.0, 0.0]; 4] }),
        (&elastic, Law::PdGravity(Gains::default())),
        (&flexible, Law::ComputedTorque(Gains::default())),
        (&flexible, Law::PdGravity(Gains::uniform(1.0, 0.1))),
    ];
    for (system, law) in cases {
        for (method, wrappers) in [
            (Method::Rk4, Wrappers::default()),
            (Method::Rk4, Wrappers { noise: Some([1e-6, 1e-6]), ..Wrappers::default() }),
            (Method::adaptive(1e-8), Wrappers::default()),
        ] {
            let count = |duration: f64| {
                let mut simulation = Simulation::new(system);
                simulation.law = law.clone();
                simulation.reference = Some(Reference::Rest(vec![0.02, 0.01]));
                simulation.wrappers = wrappers;
                simulation.options = Options { duration, every: 1000, method, ..Options::default() };
                crate::counting::allocations(|| {
                    let motion = simulation.run(&mut |_| ControlFlow::Continue(()));
                    assert!(motion.is_ok(), "{} {} {method:?} {:?}", system.kind(), law.name(), motion.err());
                })
            };
            // What a model works out once, it keeps.
            count(0.01);
            let (short, long) = (count(0.1), count(0.2));
            assert_eq!(short, long, "{} {} {method:?}", system.kind(), law.name());
        }
    }
}
