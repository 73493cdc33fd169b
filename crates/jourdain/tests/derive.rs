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

#[test]
fn show() {
    use jourdain::derive::{Parameters, formula};
    use jourdain_symbolic::collect::Notation;
    let model = robots::load("planar2r").unwrap();
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    for name in [
        "mass_matrix",
        "coriolis_matrix",
        "inverse_dynamics",
        "inverse_dynamics_dot",
        "inverse_dynamics_ddot",
        "jacobian:tool",
        "kinetic_energy",
        "forward_dynamics",
    ] {
        let f = formula(&model, &Quantity::parse(name, &model).unwrap(), &options).unwrap();
        for d in &f.definitions {
            println!("{} := {}", d.symbol.text, d.tree.written(Notation::Text));
        }
        for e in &f.equations {
            println!("{:?} = {}", e.left, e.right.written(Notation::Text));
            println!("     {}", e.right.written(Notation::Latex));
        }
    }
}
