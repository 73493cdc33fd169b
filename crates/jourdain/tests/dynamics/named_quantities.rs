//! Quantities by name, of robots and of all systems: the numbers are those of the formulas, and names that mean none are refused.

use jourdain::dynamics::recursive;
use jourdain::elastic::ElasticModel;
use jourdain::flexible::{terms, tip};
use jourdain::quantity::{Kind, Path, Quantity, QuantityError};
use jourdain::simulate::{Elastic, Flexible, Rigid, SimulationError, System, Value};
use jourdain::{State, Workspace, arms, robots};

#[test]
fn systems_evaluate_quantities_at_their_state() {
    let model = robots::load("planar2r").unwrap();
    let rigid = Rigid::new(&model);
    let (q, qd) = ([0.3, -0.7], [0.5, 0.2]);
    let x = [q, qd].concat();
    let mass = recursive::mass_matrix(&model, &q);
    let expected = Value { numbers: mass.as_slice().to_vec(), shape: vec![2, 2] };
    assert_eq!(rigid.evaluate("mass_matrix", &x).unwrap(), expected);
    assert!(rigid.quantities().iter().any(|name| name == "mass_matrix"));
    assert_eq!(rigid.model().name(), "planar2r");

    // The links of an elastic robot, wherever its motors are.
    let model = robots::load("planar2r_elastic").unwrap();
    let elastic = ElasticModel::new(&model).unwrap();
    let springs = Elastic::new(&elastic);
    let x = [q, [9.0, 9.0], qd, [9.0, 9.0]].concat();
    let gravity = recursive::gravity(&model, &q);
    assert_eq!(springs.evaluate("gravity", &x).unwrap(), Value { numbers: gravity, shape: vec![2] });
    assert_eq!(springs.quantities(), Rigid::new(&model).quantities());
    assert_eq!(springs.model().model().name(), "planar2r_elastic");

    let arm = arms::find("two_link_flexible").unwrap().read().description.unwrap().build().unwrap().arm;
    let flexible = Flexible::new(&arm);
    assert_eq!(flexible.arm().name(), "two_link_flexible");
    assert_eq!(flexible.quantities(), ["inertia", "velocity", "gravity", "forces", "tip"]);
    let (q, qd) = ([0.3, -0.7, 0.01, 0.002, 0.01, -0.001], [0.5, 0.2, 0.1, 0.0, -0.1, 0.05]);
    let x = [q, qd].concat();
    let (found, end) = (terms(&arm, &q, &qd), tip(&arm, &q));
    for (name, numbers, shape) in [
        ("inertia", found.inertia.as_slice(), vec![6, 6]),
        ("velocity", &found.velocity, vec![6]),
        ("tip", &[end.position[0], end.position[1], end.angle], vec![3]),
    ] {
        let expected = Value { numbers: numbers.to_vec(), shape };
        assert_eq!(flexible.evaluate(name, &x).unwrap(), expected, "{name}");
    }
}

#[test]
fn systems_refuse_what_they_cannot_evaluate() {
    let model = robots::load("planar2r").unwrap();
    let arm = arms::find("two_link_flexible").unwrap().read().description.unwrap().build().unwrap().arm;
    let (rigid, flexible) = (Rigid::new(&model), Flexible::new(&arm));
    let springy = robots::load("planar2r_elastic").unwrap();
    let elastic = ElasticModel::new(&springy).unwrap();
    let springs = Elastic::new(&elastic);
    let systems: [(&dyn System, &str, usize, &str, &str); 7] = [
        (&rigid, "mass_matrx", 4, "bad-quantity", "there is no quantity `mass_matrx`"),
        (&rigid, "mass_matrix", 3, "bad-state", "`state` has 3 numbers, but planar2r needs 4"),
        (&rigid, "mass_matrix", 1, "bad-state", "`state` has 1 numbers, but planar2r needs 4"),
        (&springs, "gravity", 7, "bad-state", "`state` has 7 numbers, but planar2r_elastic needs 8"),
        (&springs, "gravity", 9, "bad-state", "`state` has 9 numbers, but planar2r_elastic needs 8"),
        (
            &flexible,
            "inertias",
            12,
            "unknown-quantity",
            "two_link_flexible has no quantity `inertias`; it has inertia, velocity, gravity, forces, tip",
        ),
        (&flexible, "inertia", 11, "bad-state", "`state` has 11 numbers, but two_link_flexible needs 12"),
    ];
    for (system, name, length, kind, message) in systems {
        let error: SimulationError = system.evaluate(name, &vec![0.1; length]).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        assert!(!error.is_breakdown());
    }
}

#[test]
fn a_quantity_belongs_to_the_robot_to_a_link_or_to_a_family() {
    let refused: [(QuantityError, &str, &str, &str); 4] = [
        (
            Quantity::new(Kind::BodyJacobian).unwrap_err(),
            "link-missing",
            "`body_jacobian` belongs to a link",
            "write `body_jacobian:LINK`, such as `body_jacobian:tool`",
        ),
        (
            Quantity::new(Kind::GravityDN).unwrap_err(),
            "unknown-order",
            "`gravity_dN` has orders from 3 to 169",
            "write `gravity_d3`, or `gravity_dot` and `gravity_ddot` for the first two",
        ),
        (
            Quantity::of_link(Kind::MassMatrix, 1).unwrap_err(),
            "link-unexpected",
            "`mass_matrix` belongs to the whole robot, not to a link",
            "write `mass_matrix`",
        ),
        (
            Quantity::of_order(Kind::GravityDN, 2).unwrap_err(),
            "unknown-order",
            "`gravity_dN` has orders from 3 to 169, not 2",
            "write `gravity_d3`, or `gravity_dot` and `gravity_ddot` for the first two",
        ),
    ];
    for (error, kind, message, hint) in refused {
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        assert_eq!(error.hint().as_deref(), Some(hint));
    }
}

#[test]
fn members_of_families_carry_their_order_in_their_symbol() {
    for (kind, order, symbols) in [
        (Kind::MassMatrixDN, 3, ["M_d3", "M^{(3)}"]),
        (Kind::ExternalForcesDN, 4, ["tau_ext_d4", "{\\tau_{\\mathrm{ext}}}^{(4)}"]),
    ] {
        let quantity = Quantity::of_order(kind, order).unwrap();
        assert_eq!((quantity.kind(), quantity.order(), quantity.link()), (kind, Some(order), None));
        assert_eq!(quantity.symbol(), symbols);
    }
    let mass = Quantity::new(Kind::MassMatrix).unwrap();
    assert_eq!((mass.order(), mass.symbol()), (None, ["M", "M"].map(str::to_owned)));
}

#[test]
fn results_need_the_room_they_take() {
    let model = robots::load("planar2r").unwrap();
    let state = State::neutral(&model);
    let mut out = [0.0; 3];
    let mass = Quantity::new(Kind::MassMatrix).unwrap();
    let error = mass.evaluate_into(Path::Fast, &model, &state, &mut Workspace::new(&model), &mut out).unwrap_err();
    assert_eq!(error.to_string(), "`mass_matrix` has 4 elements, but there is room for 3");
    assert_eq!((error.kind(), error.hint()), ("wrong-length", None));
}
