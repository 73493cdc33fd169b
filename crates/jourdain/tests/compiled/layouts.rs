//! What programs and formulas read and how it is called, on a cart of 2 kg that slides upwards: its formulas are known.

use jourdain::compile::CompiledModel;
use jourdain::derive::{DeriveOptions, derive, formula};
use jourdain::quantity::Quantity;
use jourdain::spatial::Wrench;
use jourdain::state::{Input, Inputs, LinkWrench};
use jourdain::{Model, State};
use jourdain_symbolic::collect::Notation;

fn cart() -> Model {
    let text = "name = 'lift'\ngravity = [0, 0, -10]\n[[link]]\nname = 'cart'\nmass = 2.0\n\
                joint = { type = 'prismatic', axis = [0, 0, 1], limits = [-1, 1] }\n";
    text.parse().unwrap()
}

fn quantity(name: &str) -> Quantity {
    Quantity::parse(name, &cart()).unwrap()
}

/// Torques for the outer forces alone hold against them; wrenches have two rates.
#[test]
fn symbols_say_orders_and_rates() {
    let options = DeriveOptions { loaded: vec![0], ..DeriveOptions::default() };
    for (name, text, latex) in [
        ("potential_energy", ["V", "20*q1"], ["V", "20 \\, q_{1}"]),
        ("inverse_dynamics_d3", ["tau_d31", "2*q1_d5"], ["{\\tau^{(3)}}_{1}", "2 \\, q_{1}^{(5)}"]),
        ("external_forces_dot", ["taud_ext1", "-fz1d"], ["{\\dot{\\tau}_{\\mathrm{ext}}}_{1}", "-\\dot{f}_{z,1}"]),
        ("external_forces_ddot", ["taudd_ext1", "-fz1dd"], ["{\\ddot{\\tau}_{\\mathrm{ext}}}_{1}", "-\\ddot{f}_{z,1}"]),
    ] {
        let formula = formula(&cart(), &quantity(name), &options).unwrap();
        let [equation] = &formula.equations[..] else { panic!("{name}: {:?}", formula.equations) };
        let [left] = &equation.left[..] else { panic!("{name}: {:?}", equation.left) };
        let found = [Notation::Text, Notation::Latex].map(|notation| equation.right.written(notation));
        assert_eq!([left[0].as_str(), &found[0]], text, "{name}");
        assert_eq!([left[1].as_str(), &found[1]], latex, "{name}");
    }
}

#[test]
fn a_program_tells_what_it_reads() {
    let options = DeriveOptions::default();
    for (name, reads) in [("mass_matrix", vec![(Input::Position, 1)]), ("gravity", vec![(Input::Position, 1)])] {
        let layout = derive(&cart(), &quantity(name), &options).unwrap().layout;
        assert_eq!(layout.reads(), reads, "{name}");
        assert_eq!((layout.len(), layout.is_empty()), (1, false));
    }
}

#[test]
fn what_does_not_fit_a_program_is_refused() {
    let model = cart();
    let mass = CompiledModel::new(&model, &[quantity("mass_matrix")], &DeriveOptions::default()).unwrap();
    let inputs = Inputs { q: &[0.5], ..Inputs::default() };
    let error = mass.run_one(&inputs, &mut [0.0; 3]).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), ("bad-state", "`out` has 3 numbers, but lift needs 1"));
    let mut out = [0.0];
    mass.run_one(&inputs, &mut out).unwrap();
    assert_eq!(out, [2.0]);

    let options = DeriveOptions { loaded: vec![0], ..DeriveOptions::default() };
    let forces = CompiledModel::new(&model, &[quantity("external_forces")], &options).unwrap();
    let state = State { wrenches: vec![LinkWrench::constant(9, Wrench::zero())], ..State::neutral(&model) };
    let error = forces.input(&state).unwrap_err();
    assert_eq!(error.to_string(), "a wrench acts on link number 9, but lift has 1 links");
}

#[test]
fn rows_of_states_have_equal_lengths() {
    let model = cart();
    let load = [LinkWrench::constant(0, Wrench::zero())];
    let (q, derivatives) = ([0.1, 0.2], [1.0, 2.0, 3.0, 4.0]);
    let inputs = Inputs { q: &q, derivatives: &derivatives, ..Inputs::default() };
    assert_eq!(inputs.state(&model, 1, 2).unwrap().derivatives, [[3.0], [4.0]]);
    for (inputs, message) in [
        (
            Inputs { q: &q, derivatives: &derivatives[..3], ..Inputs::default() },
            "`derivatives` has 3 numbers, but lift needs 2",
        ),
        (Inputs { q: &q, wrenches: &load, ..Inputs::default() }, "`wrenches` has 1 numbers, but lift needs 2"),
        (Inputs { q: &q, qd: &derivatives[..3], ..Inputs::default() }, "`qd` has 3 numbers, but lift needs 2"),
        (Inputs::default(), "`q` has 0 numbers, but lift needs 2"),
    ] {
        assert_eq!(inputs.state(&model, 0, 2).unwrap_err().to_string(), message);
    }
}
