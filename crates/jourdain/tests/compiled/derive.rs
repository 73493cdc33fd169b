//! Programs and formulas of the registry: agreement with the library, operation counts, and the 2R arm of MK §6.1.

// Measured values are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use crate::common::assert_close;
use crate::common::random_tree::{Random, for_each_tree, random_state};
use jourdain::derive::{DeriveOptions, Parameters, Simplify, derive, derive_together, document, formula};
use jourdain::formats::{Format, read_str};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace, robots};
use jourdain_symbolic::collect::{Notation, Polynomial};
use jourdain_symbolic::expr::{Rules, scope};
use jourdain_symbolic::{Expr, Scalar, Tape};

/// Every quantity of a robot; those of links for the last link.
fn quantities(model: &Model) -> Vec<Quantity> {
    Quantity::each(model.links().len() - 1)
}

fn options(state: &State, parameters: Parameters, simplify: Simplify) -> DeriveOptions {
    let loaded = state.wrenches.iter().map(|load| load.link).collect();
    DeriveOptions { loaded, parameters, simplify, ..DeriveOptions::default() }
}

/// That the program of a quantity gives what the library gives.
fn assert_program(model: &Model, quantity: &Quantity, state: &State, options: &DeriveOptions, tolerance: f64) {
    let Ok(expected) = quantity.evaluate(Path::Fast, model, state, &mut Workspace::new(model)) else {
        return;
    };
    let derivation = derive(model, quantity, options).unwrap();
    let mut out = vec![0.0; expected.len()];
    derivation.program.run(&derivation.read(state).unwrap(), &mut out);
    let what = format!("{} of {}, {options:?}", quantity.name(model), model.name());
    assert_close(&what, &out, &expected, tolerance);
}

#[test]
fn programs_of_every_quantity_of_random_robots_agree_with_the_library() {
    for_each_tree(12, 5, |model, state| {
        for quantity in quantities(model) {
            assert_program(model, &quantity, state, &options(state, Parameters::Numeric, Simplify::Standard), 1e-11);
        }
    });
}

#[test]
fn programs_with_symbolic_parameters_agree_with_the_library() {
    for_each_tree(8, 4, |model, state| {
        for quantity in quantities(model) {
            for simplify in [Simplify::None, Simplify::Full] {
                assert_program(model, &quantity, state, &options(state, Parameters::Symbolic, simplify), 1e-10);
            }
        }
    });
}

#[test]
fn built_in_robots_agree_with_the_library_in_numbers_and_symbols() {
    let names =
        ["mass_matrix", "coriolis_matrix", "gravity", "inverse_dynamics", "inverse_dynamics_ddot", "forward_dynamics"];
    for robot in ["planar2r", "scara", "puma560", "stanford", "iiwa14", "floating_humanoid25"] {
        let model = robots::load(robot).unwrap();
        let state = random_state(&model, &mut Random::new(7));
        for name in names {
            let quantity = Quantity::parse(name, &model).unwrap();
            for parameters in [Parameters::Numeric, Parameters::Symbolic] {
                assert_program(&model, &quantity, &state, &options(&state, parameters, Simplify::Standard), 1e-11);
            }
        }
    }
}

#[test]
fn quantities_together_share_their_work() {
    let model = robots::load("iiwa14").unwrap();
    let state = random_state(&model, &mut Random::new(3));
    let of = |name| Quantity::parse(name, &model).unwrap();
    let list = ["inverse_dynamics", "inverse_dynamics_dot", "inverse_dynamics_ddot"].map(|name| (name, of(name)));
    let together = derive_together(&model, &list, &DeriveOptions::default()).unwrap();
    let alone = derive(&model, &list[2].1, &DeriveOptions::default()).unwrap();
    let (t, a) = (together.program.operations(), alone.program.operations());
    assert!(t.mul + t.add <= a.mul + a.add + 70, "{t} together, {a} for the last alone");
    let state = State { wrenches: Vec::new(), ..state };
    let mut out = vec![0.0; 21];
    Tape::new(&together.program).run(
        &together.read(&state).unwrap(),
        &mut Tape::new(&together.program).scratch(),
        &mut out,
    );
    for ((name, quantity), out) in list.iter().zip(out.chunks(7)) {
        let expected = quantity.evaluate(Path::Closed, &model, &state, &mut Workspace::new(&model)).unwrap();
        assert_close(name, out, &expected, 1e-12);
    }
}

/// The most multiplications and additions of inverse dynamics with the numbers of the robot file; they may only fall.
#[test]
fn operation_counts_do_not_rise() {
    let mut too_many = false;
    for (robot, most) in [
        ("planar2r", [17, 10]),
        ("scara", [45, 36]),
        ("puma560", [179, 152]),
        ("rx90", [241, 227]),
        ("stanford", [222, 207]),
        ("kuka_lwr", [291, 274]),
        ("iiwa14", [291, 274]),
        ("humanoid25", [1069, 1010]),
    ] {
        let model = robots::load(robot).unwrap();
        let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
        let count = derive(&model, &quantity, &DeriveOptions::default()).unwrap().program.operations();
        println!("{robot}: {count}");
        too_many |= count.mul > most[0] || count.add > most[1];
    }
    assert!(!too_many, "counts above the recorded ones, see above");
}

/// Six axes of which three are parallel, by modified Denavit–Hartenberg parameters.
fn ur10() -> Model {
    let quarter = std::f64::consts::FRAC_PI_2;
    let rows = [
        [0.0, 0.0, 0.0],
        [quarter, 0.0, 0.0],
        [0.0, -0.612, 0.0],
        [0.0, -0.5723, 0.163941],
        [quarter, 0.0, 0.1157],
        [-quarter, 0.0, 0.0],
    ];
    let mut text = "name = \"ur10\"\ndh = \"modified\"\n".to_owned();
    for (i, [alpha, a, d]) in rows.iter().enumerate() {
        text += &format!(
            "[[link]]\nname = \"link{i}\"\nmass = 1.5\ncom = [0.01, 0.02, 0.03]\ninertia = [0.1, 0.01, 0.02, 0.11, 0.03, 0.12]\n\
             dh = {{ alpha = {alpha:?}, a = {a:?}, theta = 0.0, d = {d:?} }}\njoint = {{ type = \"revolute\" }}\n"
        );
    }
    let (description, _) = read_str(&text, Format::Toml).into_result("ur10").unwrap();
    Model::from_description(&description).unwrap()
}

/// The same with base parameters as inputs, all of those that the structure of the arm keeps.
#[test]
fn operation_counts_with_base_parameters_do_not_rise() {
    let mut too_many = false;
    for (robot, most) in [
        ("puma560", [254, 238]),
        ("rx90", [242, 227]),
        ("stanford", [222, 207]),
        ("kuka_lwr", [291, 274]),
        ("ur10", [252, 237]),
        // Standard Denavit–Hartenberg frames: what is combined from the parameters of two frames counts too.
        ("ur5", [258, 243]),
        ("scara", [41, 30]),
    ] {
        let model = if robot == "ur10" { ur10() } else { robots::load(robot).unwrap() };
        let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
        let options = DeriveOptions { parameters: Parameters::Base, ..DeriveOptions::default() };
        let derivation = derive(&model, &quantity, &options).unwrap();
        let count = derivation.program.operations();
        println!("{robot}: {count}, {} parameters", derivation.parameters.len());
        too_many |= count.mul > most[0] || count.add > most[1];
        let state = random_state(&model, &mut Random::new(5));
        assert_program(&model, &quantity, &State { wrenches: Vec::new(), ..state }, &options, 1e-11);
    }
    assert!(!too_many, "counts above the recorded ones, see above");
}

#[test]
fn programs_with_base_parameters_agree_with_the_library() {
    let names = [
        "mass_matrix",
        "gravity",
        "inverse_dynamics",
        "inverse_dynamics_ddot",
        "coriolis_christoffel",
        "forward_dynamics",
    ];
    for_each_tree(12, 5, |model, state| {
        for name in names {
            let quantity = Quantity::parse(name, model).unwrap();
            for path in [Path::Fast, Path::Closed] {
                let options = DeriveOptions { path, ..options(state, Parameters::Base, Simplify::Standard) };
                assert_program(model, &quantity, state, &options, 1e-9);
            }
        }
    });
}

#[test]
fn equations_in_base_parameters_have_the_names_of_the_literature() {
    let model = robots::load("planar2r").unwrap();
    let options = DeriveOptions { parameters: Parameters::Base, ..DeriveOptions::default() };
    let torque = formula(&model, &Quantity::parse("inverse_dynamics", &model).unwrap(), &options).unwrap();
    let text: Vec<String> = torque.equations.iter().map(|e| e.right.written(Notation::Text)).collect();
    insta::assert_snapshot!("base", text.join("\n"));
}

/// τ, τ̇ and τ̈ of the 2R arm as MK §6.1 prints them, corrected: over L1, L2, m1, m2, g and the motion.
fn printed_2r() -> [[Expr; 2]; 3] {
    let [l1, l2, m1, m2, g] = ["L1", "L2", "m1", "m2", "g"].map(Expr::symbol);
    let of = |i: usize| ["q", "qd", "qdd", "qddd", "qdddd"].map(|key| Expr::symbol(&format!("{key}[{i}]")));
    let ([q1, a1, a2, a3, a4], [q2, b1, b2, b3, b4]) = (of(0), of(1));
    let k = |x: f64| Expr::from_f64(x);
    let ((s1, c1), (s2, c2), (s12, c12)) = (q1.sin_cos(), q2.sin_cos(), (q1 + q2).sin_cos());
    let m = m1 + m2;
    let tau1 = m * l1 * l1 * a2
        + m2 * l2 * l2 * (a2 + b2)
        + m2 * l1 * l2 * ((k(2.0) * a2 + b2) * c2 - (k(2.0) * a1 * b1 + b1 * b1) * s2)
        + g * (m * l1 * c1 + m2 * l2 * c12);
    let tau2 = m2 * l2 * (l2 * (a2 + b2) + l1 * (a2 * c2 + a1 * a1 * s2) + g * c12);
    let dot2 = l2
        * m2
        * (l2 * (a3 + b3) + l1 * (a3 * c2 + k(2.0) * a1 * a2 * s2 - a2 * b1 * s2 + a1 * a1 * b1 * c2)
            - g * (a1 + b1) * s12);
    let dot1 = m * l1 * l1 * a3
        + m2 * l2 * l2 * (a3 + b3)
        + m2 * l1
            * l2
            * ((k(2.0) * a3 + b3) * c2
                - (k(4.0) * a2 * b1 + k(2.0) * a1 * b2 + k(3.0) * b1 * b2) * s2
                - (k(2.0) * a1 * b1 * b1 + b1 * b1 * b1) * c2)
        - g * (m * l1 * a1 * s1 + m2 * l2 * (a1 + b1) * s12);
    let square = |x: Expr| x * x;
    let ddot2 = l2
        * m2
        * (l2 * (a4 + b4)
            + l1 * (a4 * c2
                + (k(2.0) * a1 * a3 + k(2.0) * a2 * a2 - a2 * b2 - k(2.0) * a3 * b1 - square(a1) * square(b1)) * s2
                + (k(4.0) * a1 * a2 * b1 + square(a1) * b2 - a2 * square(b1)) * c2)
            - g * ((a2 + b2) * s12 + square(a1 + b1) * c12));
    let ddot1 = m * l1 * l1 * a4
        + m2 * l2 * l2 * (a4 + b4)
        + m2 * l1
            * l2
            * ((k(2.0) * a4 + b4) * c2
                - (k(6.0) * a3 * b1 + k(6.0) * a2 * b2 + k(2.0) * a1 * b3 + k(4.0) * b1 * b3 + k(3.0) * square(b2)
                    - k(2.0) * a1 * b1 * square(b1)
                    - square(square(b1)))
                    * s2
                - (k(6.0) * a2 * square(b1) + k(6.0) * a1 * b1 * b2 + k(6.0) * square(b1) * b2) * c2)
        - g * (m * l1 * (a2 * s1 + square(a1) * c1) + m2 * l2 * ((a2 + b2) * s12 + square(a1 + b1) * c12));
    [[tau1, tau2], [dot1, dot2], [ddot1, ddot2]]
}

#[test]
fn the_2r_arm_in_symbols_is_the_printed_one_term_by_term() {
    let model = robots::load("planar2r").unwrap();
    let names = ["inverse_dynamics", "inverse_dynamics_dot", "inverse_dynamics_ddot"];
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    for path in [Path::Closed, Path::Fast] {
        let options = DeriveOptions { path, ..options.clone() };
        scope(Rules::default(), || {
            for (name, printed) in names.iter().zip(printed_2r()) {
                let quantity = Quantity::parse(name, &model).unwrap();
                let found = jourdain::derive::expressions(&model, &quantity, &options).unwrap();
                let found = Polynomial::expand(&found, 100_000).unwrap();
                let printed = Polynomial::expand(&printed, 100_000).unwrap();
                assert_eq!(found, printed, "{name}, {path:?}");
                assert!(printed.iter().all(|p| p.len() > 3));
            }
        });
    }
}

#[test]
fn small_robots_read_like_a_book_and_large_ones_have_named_parts() {
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    let planar = robots::load("planar2r").unwrap();
    let torque = formula(&planar, &Quantity::parse("inverse_dynamics", &planar).unwrap(), &options).unwrap();
    assert!(torque.definitions.is_empty());
    assert_eq!(
        torque.equations[1].right.written(Notation::Text),
        "(m2*L2^2 + m2*L1*L2*cos(q2))*qdd1 + m2*L2^2*qdd2 + m2*L1*L2*sin(q2)*qd1^2 + m2*g*L2*cos(q1 + q2)"
    );
    assert_eq!(
        torque.parameters.iter().map(|p| p.symbol.text.as_str()).collect::<Vec<_>>(),
        ["g", "L1", "L2", "m1", "m2"]
    );
    let accelerations = formula(&planar, &Quantity::parse("forward_dynamics", &planar).unwrap(), &options).unwrap();
    assert!(!accelerations.definitions.is_empty());
    let arm = robots::load("iiwa14").unwrap();
    let torque = formula(&arm, &Quantity::parse("inverse_dynamics", &arm).unwrap(), &options).unwrap();
    assert!(torque.definitions.len() > 20 && torque.equations.len() == 7);
}

/// The robot of a table, and the symbols of its inverse dynamics that are lengths.
fn table_lengths(text: &str) -> (Model, Vec<String>) {
    let model = Model::from_description(&read_str(text, Format::Toml).description.unwrap()).unwrap();
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
    let derivation = derive(&model, &quantity, &options).unwrap();
    let lengths = derivation.parameters.iter().filter(|parameter| parameter.unit == "m");
    let names = lengths.map(|parameter| parameter.symbol.text.clone()).collect();
    (model, names)
}

#[test]
fn a_length_of_a_table_is_one_symbol() {
    let table = "name = \"r\"\ndh = \"standard\"\ngravity = [0, -9.81, 0]\n\
                 [[link]]\nname = \"a\"\nmass = 1\ndh = { alpha = 0, a = 0.4, theta = 0, d = 0 }\njoint = { type = \"continuous\" }\n\
                 [[link]]\nname = \"b\"\nmass = 1\ndh = { alpha = 0, a = 0.3, theta = 0, d = 0 }\njoint = { type = \"continuous\" }\n";
    let (model, lengths) = table_lengths(table);
    assert_eq!(lengths, ["L0", "L1"]);
    // M₁₁ = m1 L0² + m2 (L0² + 2 L0 L1 cos q2 + L1²)
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    scope(Rules::default(), || {
        let mass = Quantity::parse("mass_matrix", &model).unwrap();
        let found = jourdain::derive::expressions(&model, &mass, &options).unwrap();
        let terms: Vec<usize> = Polynomial::expand(&found, 1000).unwrap().iter().map(Polynomial::len).collect();
        assert_eq!(terms, [4, 2, 2, 1]);
    });
    // Oblique frames: a length has several coordinates, but is one symbol all the same.
    let oblique = table.replace("alpha = 0, a = 0.3, theta = 0, d = 0", "alpha = 0.7, a = 0.3, theta = 0.2, d = 0.1");
    assert_eq!(table_lengths(&oblique).1, ["L0", "a2", "d2"]);
    let modified = oblique.replace("standard", "modified");
    assert_eq!(table_lengths(&modified).1, ["L0", "a2", "d2"]);
}

#[test]
fn equal_elements_share_an_equation() {
    let model = robots::load("planar2r").unwrap();
    let mass = formula(&model, &Quantity::parse("mass_matrix", &model).unwrap(), &DeriveOptions::default()).unwrap();
    let left: Vec<usize> = mass.equations.iter().map(|equation| equation.left.len()).collect();
    assert_eq!(left, [1, 2, 1]);
    assert_eq!(mass.equations[2].right.written(Notation::Text), "0.24");
}

#[test]
fn documents_are_stable() {
    let model = robots::load("planar2r").unwrap();
    let list = ["mass_matrix", "gravity", "inverse_dynamics"].map(|name| Quantity::parse(name, &model).unwrap());
    let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
    for (name, notation) in [("text", Notation::Text), ("latex", Notation::Latex)] {
        insta::assert_snapshot!(name, document(&model, &list, &options, notation, "a test").unwrap());
    }
}

#[test]
fn symbols_and_base_parameters_number_links_alike() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/robots/pedestal.toml");
    let reading = read_str(&std::fs::read_to_string(path).unwrap(), Format::Toml);
    let model = Model::from_description(&reading.description.unwrap()).unwrap();
    let names = jourdain::parameters::names::standard_names(&model);
    let named: Vec<String> = names.iter().step_by(10).take(5).map(jourdain::parameters::names::Name::text).collect();
    assert_eq!(named, ["m_pedestal", "m1", "m_bracket", "m2", "m3"]);

    let value = |parameters: Parameters, text: &str| {
        let options = DeriveOptions { parameters, ..DeriveOptions::default() };
        let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
        let derivation = derive(&model, &quantity, &options).unwrap();
        derivation.parameters.iter().find(|parameter| parameter.symbol.text == text).map(|parameter| parameter.value)
    };
    let symbolic = |text: &str| value(Parameters::Symbolic, text);
    assert_eq!(["m1", "m_bracket", "m2", "m3"].map(symbolic), [Some(4.0), Some(0.5), Some(2.0), Some(1.5)]);
    assert_eq!(["fv1", "fv2", "fv3", "J1"].map(symbolic), [Some(0.2), Some(0.3), Some(0.1), Some(1e-4)]);
    assert_eq!(
        ["L1", "L_bracket", "c_bracket_x", "I2yy"].map(symbolic),
        [Some(0.4), Some(0.05), Some(0.03), Some(0.02)]
    );
    assert_eq!(["fv4", "m4", "m5"].map(symbolic), [None; 3]);
    assert_eq!(
        ["Fv1", "Fv2", "Fv3", "Fv4"].map(|text| value(Parameters::Base, text)),
        [Some(0.2), Some(0.3), Some(0.1), None]
    );

    // The symbols of welded links are still the robot's own numbers.
    for_each_state(&model, |state| {
        for parameters in [Parameters::Symbolic, Parameters::Numeric] {
            let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
            assert_program(&model, &quantity, state, &options(state, parameters, Simplify::Standard), 1e-12);
        }
    });
}

fn for_each_state(model: &Model, mut check: impl FnMut(&State)) {
    let mut random = Random::new(11);
    (0..5).for_each(|_| check(&random_state(model, &mut random)));
}

/// Without a word on wrenches, equations of wrench torques are over the wrenches of all links; with one, over those named.
#[test]
fn equations_of_external_forces_are_not_nothing() {
    let model = robots::load("planar2r").unwrap();
    let quantity = Quantity::parse("external_forces", &model).unwrap();
    let text = |loaded: Vec<usize>| {
        let options = DeriveOptions { loaded, ..DeriveOptions::default() };
        document(&model, &[quantity], &options, Notation::Text, "test").unwrap()
    };
    let all = text(Vec::new());
    assert!(all.contains("tau_ext1 = ") && all.contains("fy3") && all.contains("nz1"), "{all}");
    let tool = text(vec![2]);
    assert!(tool.contains("f1, n1: force and moment applied to tool") && !tool.contains("fy2"), "{tool}");
    assert!(tool.contains("tau_ext2 = -2/5*fy1 - nz1"), "{tool}");
}

/// The shaft of a motor between joints has symbols of its own, and links that are welded on have those of their place.
#[test]
fn shafts_and_welded_links_have_symbols_of_their_own() {
    let text = r#"
        name = "r"
        [[link]]
        name = "a"
        mass = 1
        com = [0.1, 0.2, 0]
        inertia = [0.1, 0, 0, 0.2, 0, 0.3]
        joint = { type = "continuous" }
        [[link]]
        name = "b"
        mass = 2
        com = [0.3, 0, 0.1]
        inertia = [0.1, 0, 0, 0.2, 0, 0.3]
        origin = { xyz = [0.5, 0, 0] }
        joint = { type = "continuous", axis = [0, 1, 0] }
        shaft = { with = { a = -0.5 }, inertia = 4e-4, ratio = 30 }
        [[link]]
        name = "tool"
        origin = { xyz = [0.1, 0.2, 0.3] }
        [[link]]
        name = "tool_x"
        parent = "b"
        origin = { xyz = [0.3, 0, 0] }
    "#;
    let model = Model::from(read_str(text, Format::Toml).description.unwrap());
    let state = State { q: vec![0.4, -0.7], ..State::neutral(&model) };
    for name in ["mass_matrix", "pose:tool", "pose:tool_x"] {
        let quantity = Quantity::parse(name, &model).unwrap();
        let symbolic = options(&state, Parameters::Symbolic, Simplify::Standard);
        let parameters = derive(&model, &quantity, &symbolic).unwrap().parameters;
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.symbol.text.as_str()).collect();
        let lengths = ["g", "L1", "L2_tool_x", "L2_tool_y", "L2_tool_z", "L2_tool_x_x"];
        assert_eq!((&names[..6], &names[names.len() - 2..]), (&lengths[..], &["J2s", "n2s"][..]), "{name}");
        for parameters in [Parameters::Symbolic, Parameters::Numeric] {
            assert_program(&model, &quantity, &state, &options(&state, parameters, Simplify::Standard), 1e-13);
        }
    }
}
