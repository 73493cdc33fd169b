//! Programs from the registry: operation counts and agreement with the library.

use jourdain::derive::{DeriveOptions, derive};
use jourdain::quantity::Quantity;
use jourdain::robots;

#[test]
fn counts() {
    for name in ["puma560", "rx90", "stanford", "kuka_lwr", "iiwa14", "ur5", "humanoid25"] {
        let model = robots::load(name).unwrap();
        let t = std::time::Instant::now();
        for q in ["inverse_dynamics", "mass_matrix", "inverse_dynamics_ddot"] {
            let quantity = Quantity::parse(q, &model).unwrap();
            let d = derive(&model, &quantity, &DeriveOptions::default()).unwrap();
            println!("{name} {q}: {} live {} {:?}", d.program.operations(), d.program.most_live(), t.elapsed());
        }
    }
}
