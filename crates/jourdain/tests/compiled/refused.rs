//! Formulas that would hold what is no number are refused, and the number of the robot that is to blame is named.

use jourdain::derive::{DeriveError, DeriveOptions, Parameters, derive, formula};
use jourdain::quantity::Quantity;
use jourdain::{Model, robots};

/// Two links; 7 stands for a number that no file may hold, and so does what is computed from it.
fn arm(second: &str, value: f64) -> Model {
    let text = format!(
        "name = 'far'\n[[link]]\nname = 'a'\nmass = 1.0\ncom = [0.1, 0, 0]\njoint = {{ type = 'continuous', axis = [0, 1, 0] }}\n\
         [[link]]\nname = 'b'\njoint = {{ type = 'continuous', axis = [0, 1, 0] }}\n{second}\n"
    );
    let model: Model = text.parse().unwrap();
    model.map(&mut |x| if x >= 7.0 { value } else { x })
}

#[test]
fn constants_that_are_no_numbers_are_refused_with_the_cause() {
    for (second, parameter, value) in [
        ("mass = 2.0\norigin = { xyz = [7, 0, 0] }", "place", f64::INFINITY),
        ("mass = 7.0\ncom = [100, 0, 0]", "mass", f64::INFINITY),
        ("mass = 2.0\nmotor = { inertia = 1e-3, ratio = 7.0 }", "motor", f64::INFINITY),
        ("mass = 2.0\nmotor = { inertia = 1e-3, ratio = 7.0 }", "motor", 1e180),
    ] {
        let model = arm(second, value);
        let mass = Quantity::parse("mass_matrix", &model).unwrap();
        let expected =
            DeriveError::NotFinite { quantity: "mass_matrix".to_owned(), link: "b".to_owned(), parameter, value };
        assert_eq!(derive(&model, &mass, &DeriveOptions::default()).unwrap_err(), expected, "{parameter}");
        assert_eq!(formula(&model, &mass, &DeriveOptions::default()).unwrap_err(), expected, "{parameter}");
    }
}

#[test]
fn base_parameters_do_not_say_where_each_mass_is() {
    let model = robots::load("planar2r").unwrap();
    let options = DeriveOptions { parameters: Parameters::Base, ..DeriveOptions::default() };
    for name in ["com", "potential_energy"] {
        let quantity = Quantity::parse(name, &model).unwrap();
        let error = derive(&model, &quantity, &options).unwrap_err();
        let message = format!(
            "`{name}` depends on where each mass is, which base parameters do not say; derive it with numeric or symbolic \
             parameters"
        );
        assert_eq!(error.to_string(), message);
    }
}
