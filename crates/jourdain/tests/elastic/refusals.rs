//! Robots that have no elastic model, and studies that make no sense, are refused by their reason.

use jourdain::elastic::control::Kind;
use jourdain::elastic::{ElasticError, ElasticModel, linearise, linearise_moving};
use jourdain::prescribed::{Curve, PrescribedMotion};
use jourdain::simulate::Wrappers;
use jourdain::simulate::robustness::{Spread, Study};
use jourdain::{Model, robots};

type Change = fn(&mut Study<'_>);

fn model(links: &str) -> Model {
    format!("name = 'r'\nallow_unphysical = true\n{links}").parse().unwrap()
}

/// A link of 1 kg on a joint.
fn link(name: &str, joint: &str, more: &str) -> String {
    format!(
        "[[link]]\nname = '{name}'\nmass = 1.0\ncom = [0.1, 0.2, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\njoint = {joint}\n{more}\n"
    )
}

const TURN: &str = "{ type = 'continuous' }";
const SPRING: &str = "motor = { inertia = 0.01, stiffness = 100 }";

#[test]
fn robots_without_an_elastic_model_are_refused() {
    for (links, kind, message) in [
        (link("a", TURN, ""), "no-elastic-joint", "r has no elastic joint"),
        (
            link("a", TURN, SPRING) + &link("b", "{ type = 'spherical' }", ""),
            "unsupported-joint",
            "r has the spherical or free joint `b`, which the elastic model does not take",
        ),
    ] {
        let error = ElasticModel::new(&model(&links)).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
}

#[test]
fn postures_without_a_linear_model_are_refused() {
    let planar = robots::load("planar2r_elastic").unwrap();
    let planar = ElasticModel::new(&planar).unwrap();
    let light = model(
        &(link("a", TURN, SPRING).replace("mass = 1.0", "mass = 0").replace("0.1", "0") + &link("b", TURN, SPRING)),
    );
    let negative = model(
        &link("a", TURN, SPRING)
            .replace("mass = 1.0", "mass = -1.0")
            .replace("inertia = [0.1", "inertia = [-0.1")
            .replace("0, 0.1]", "0, -0.1]"),
    );
    let (light, negative) = (ElasticModel::new(&light).unwrap(), ElasticModel::new(&negative).unwrap());
    let found: [(Result<_, ElasticError>, &str, &str); 5] = [
        (linearise(&planar, &[0.1]), "wrong-length", "the posture has 1 numbers, but planar2r_elastic needs 2"),
        (
            linearise_moving(&planar, &[0.1, 0.2], &[0.0; 3]),
            "wrong-length",
            "the velocity has 3 numbers, but planar2r_elastic needs 2",
        ),
        (
            linearise(&light, &[0.0, 0.0]),
            "singular-mass-matrix",
            "the mass matrix of `r` is singular in this position: joint `a` resists with 0.0e0",
        ),
        (
            linearise(&negative, &[0.0]),
            "not-positive-definite",
            "the mass matrix of r is not positive definite at this posture: negative masses have no small motions",
        ),
        (
            linearise_moving(&planar.with_complete_rotors(), &[0.1, 0.2], &[1.0, 0.0]),
            "unsupported",
            "planar2r_elastic with complete rotors is linearised at rest only",
        ),
    ];
    for (found, kind, message) in found {
        let error = found.unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(error.is_breakdown(), matches!(kind, "singular-mass-matrix" | "not-positive-definite"), "{error}");
    }
}

#[test]
fn studies_that_make_no_sense_are_refused() {
    let planar = robots::load("planar2r_elastic").unwrap();
    let planar = ElasticModel::new(&planar).unwrap();
    let weak = model(&(link("a", TURN, SPRING) + &link("b", TURN, SPRING)));
    let weak = ElasticModel::new(&weak).unwrap();
    let rest =
        PrescribedMotion { joints: vec![Curve::Polynomial(vec![0.0]); 2], loads: Vec::new(), start: 0.0, end: 1.0 };
    let spread = Spread::default();
    assert_eq!([spread.mass, spread.stiffness, spread.friction, spread.payload], [0.1, 0.1, 0.2, 0.0]);
    let cases: [(&ElasticModel, Change, &str, &str); 9] = [
        (&planar, |it| it.spread.mass = 1.0, "bad-option", "the spread of the mass must be from 0 to below 1, not 1"),
        (
            &planar,
            |it| it.spread.friction = -0.1,
            "bad-option",
            "the spread of the friction must be zero or a positive number, not -0.1",
        ),
        (
            &planar,
            |it| it.spread.payload = f64::INFINITY,
            "bad-option",
            "the payload must be zero or a positive number, not inf",
        ),
        (&planar, |it| it.bound = 0.0, "bad-option", "the bound must be a positive number, not 0"),
        (
            &planar,
            |it| it.step = 1e-10,
            "bad-option",
            "the step must be no less than a billionth of the duration, not 0.0000000001",
        ),
        (
            &planar,
            |it| it.offset = vec![0.1; 3],
            "wrong-length",
            "the offset has 3 numbers, but planar2r_elastic needs 2",
        ),
        (
            &weak,
            |it| it.wrappers.saturate = true,
            "no-effort-limit",
            "r gives no drive a largest torque (`effort`), so that nothing can saturate",
        ),
        (
            &planar,
            |it| it.wrappers.frequency = Some(0.0),
            "bad-option",
            "the sampling frequency must be a positive number, not 0",
        ),
        (
            &planar,
            |it| it.wrappers.noise = Some([0.0, -1.0]),
            "bad-option",
            "the standard deviation must be zero or a positive number, not -1",
        ),
    ];
    for (nominal, change, kind, message) in cases {
        let mut study = Study {
            nominal,
            kind: Kind::Linearising,
            poles: [[-12.0, 0.0]; 4],
            motion: &rest,
            offset: vec![0.0; 2],
            spread,
            samples: 1,
            seed: 1,
            duration: 1.0,
            step: 1e-3,
            bound: 1.0,
            wrappers: Wrappers::default(),
        };
        study.check().unwrap();
        change(&mut study);
        let error = study.check().unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
}
