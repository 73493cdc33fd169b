//! The explicit equations of an arm, for reading and for programs: its terms run on symbols.
//!
//! Constants are numbers, or the symbols of DS. The equations come from the coefficient tables or from composite bodies and are
//! never expanded from products of frame transformations, so that larger arms stay quick.
//!
//! Kinematics by quadrature have no formulas worth reading or generating: they are refused.
//!
//! # Reference
//! DS (25), (32)–(35), for any n and m.

mod constants;

use super::arm::{FlexibleArm, Kinematics};
use super::terms::{forces, terms};
use super::tip::tip;
use constants::{Names, numeric};
pub use jourdain_symbolic::collect::Notation;
use jourdain_symbolic::collect::{self, Polynomial, Role, Symbol};
pub use jourdain_symbolic::emit::Target as ArmLanguage;
use jourdain_symbolic::emit::{Case, Function, Module, Output, identifier};
use jourdain_symbolic::expr::{self, Rules};
use jourdain_symbolic::{Expr, Program, Scalar, UnknownSymbol};

/// What can be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmQuantity {
    /// B(q), N × N
    Inertia,
    /// h(q, q̇)
    Velocity,
    /// g(q)
    Gravity,
    /// B q̈ + h + g + K q + D q̇: joint torques first, then what must be zero.
    Forces,
    /// x, y and angle of the tip.
    Tip,
}

impl ArmQuantity {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Inertia, Self::Velocity, Self::Gravity, Self::Forces, Self::Tip];

    /// The name in requests and generated code.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inertia => "inertia",
            Self::Velocity => "velocity",
            Self::Gravity => "gravity",
            Self::Forces => "forces",
            Self::Tip => "tip",
        }
    }

    /// What it is, in one line.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Inertia => "inertia matrix B",
            Self::Velocity => "Coriolis and centrifugal forces h",
            Self::Gravity => "gravity forces g",
            Self::Forces => "generalised forces B qdd + h + g + K q + D qd",
            Self::Tip => "x, y and angle of the tip",
        }
    }

    /// The lengths of its axes.
    #[must_use]
    pub fn lengths(self, size: usize) -> Vec<usize> {
        match self {
            Self::Inertia => vec![size, size],
            Self::Velocity | Self::Gravity | Self::Forces => vec![size],
            Self::Tip => vec![3],
        }
    }

    /// The vectors that it reads.
    #[must_use]
    pub fn inputs(self) -> &'static [&'static str] {
        match self {
            Self::Inertia | Self::Gravity | Self::Tip => &["q"],
            Self::Velocity => &["q", "qd"],
            Self::Forces => &["q", "qd", "qdd"],
        }
    }

    /// The quantity over any scalar.
    pub fn evaluate<S: Scalar>(self, arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S], qdd: &[S]) -> Vec<S> {
        match self {
            Self::Forces => forces(arm, q, qd, qdd),
            Self::Tip => {
                let tip = tip(arm, q);
                vec![tip.position[0], tip.position[1], tip.angle]
            }
            Self::Inertia => terms(arm, q, qd).inertia.into_vec(),
            Self::Velocity => terms(arm, q, qd).velocity,
            Self::Gravity => terms(arm, q, qd).gravity,
        }
    }

    /// What the elements are called, in plain text and in LaTeX.
    fn elements(self, size: usize) -> Vec<[String; 2]> {
        let comma = if size > 9 { "," } else { "" };
        let vector = |letter: &str, latex: &str| {
            (1..=size).map(|i| [format!("{letter}{i}"), format!("{latex}_{{{i}}}")]).collect::<Vec<_>>()
        };
        match self {
            Self::Inertia => (1..=size)
                .flat_map(|i| (1..=size).map(move |j| (i, j)))
                .map(|(i, j)| [format!("B{i}{}{j}", if size > 9 { "_" } else { "" }), format!("B_{{{i}{comma}{j}}}")])
                .collect(),
            Self::Velocity => vector("h", "h"),
            Self::Gravity => vector("g", "g"),
            Self::Forces => vector("f", "f"),
            Self::Tip => ["x", "y", "alpha"].map(|name| [name.to_owned(), name.replace("alpha", "\\alpha")]).to_vec(),
        }
    }
}

/// Numbers or symbols for the constants of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ArmConstants {
    /// Folded into the formula.
    #[default]
    Numeric,
    /// Named inputs.
    Symbolic,
}

/// A constant with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmParameter {
    /// How it is written.
    pub symbol: Symbol,
    /// Its value in the arm.
    pub value: f64,
}

/// An element of a quantity, or several that are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmEquation {
    /// The elements' names.
    pub left: Vec<String>,
    /// What they are.
    pub right: String,
}

/// A program and the constants that are its last input, if there are any.
#[derive(Clone, Debug)]
pub struct ArmProgram {
    /// Inputs as [`ArmQuantity::inputs`], then `parameters`.
    pub program: Program,
    /// The constants.
    pub parameters: Vec<ArmParameter>,
}

/// Why nothing is derived.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArmDeriveError {
    /// Kinematics by quadrature.
    #[error("the kinematics `exact` integrate over each link by quadrature and have no closed form to derive")]
    Quadrature,
    /// A symbol that no input gives: none that an arm can cause.
    #[error(transparent)]
    Symbol(#[from] UnknownSymbol),
}

/// Equations with more terms than this are written in factored form.
const BEARABLE: usize = 4000;

/// The arm in symbols, the state in symbols, the elements.
struct Traced {
    parameters: Vec<ArmParameter>,
    state: [Vec<Expr>; 3],
    elements: Vec<Expr>,
}

fn trace(arm: &FlexibleArm<f64>, quantity: ArmQuantity, constants: ArmConstants) -> Result<Traced, ArmDeriveError> {
    if arm.kinematics() == Kinematics::Exact {
        return Err(ArmDeriveError::Quadrature);
    }
    let mut names = Names::default();
    let symbolic = match constants {
        ArmConstants::Numeric => numeric(arm),
        ArmConstants::Symbolic => names.arm(arm),
    };
    let state =
        ["q", "qd", "qdd"].map(|key| (0..arm.size()).map(|c| Expr::symbol(&format!("{key}[{c}]"))).collect::<Vec<_>>());
    let elements = quantity.evaluate(&symbolic, &state[0], &state[1], &state[2]);
    Ok(Traced { parameters: names.0, state, elements })
}

/// The program of a quantity.
///
/// # Errors
/// Kinematics without a closed form.
pub fn program(
    arm: &FlexibleArm<f64>,
    quantity: ArmQuantity,
    constants: ArmConstants,
) -> Result<ArmProgram, ArmDeriveError> {
    expr::scope(Rules::default(), || {
        let Traced { parameters, state, elements } = trace(arm, quantity, constants)?;
        let named: Vec<Expr> = parameters.iter().map(|parameter| Expr::symbol(&parameter.symbol.text)).collect();
        let mut inputs: Vec<(&str, &[Expr])> =
            quantity.inputs().iter().copied().zip(state.iter().map(Vec::as_slice)).collect();
        if !named.is_empty() {
            inputs.push(("parameters", &named));
        }
        Ok(ArmProgram { program: Program::new(&inputs, &[("out", &elements)])?, parameters })
    })
}

/// Source code of quantities: file names and texts. The self-test's reference values come from the arm itself, not from the
/// program.
///
/// # Errors
/// As [`program`].
pub fn package(
    arm: &FlexibleArm<f64>,
    quantities: &[ArmQuantity],
    constants: ArmConstants,
    language: ArmLanguage,
    version: &str,
) -> Result<Vec<(String, String)>, ArmDeriveError> {
    let (n, size) = (arm.joints(), arm.size());
    let vector = |phase: f64, deflection: f64| -> Vec<f64> {
        (0..size).map(|c| (phase + c as f64).sin() * if c < n { 1.0 } else { deflection }).collect()
    };
    let state = [vector(0.3, 0.02), vector(1.1, 0.3), vector(2.3, 1.0)];
    let mut functions: Vec<Function> = Vec::new();
    for (place, &quantity) in quantities.iter().enumerate() {
        if quantities[..place].contains(&quantity) {
            continue;
        }
        let ArmProgram { program, parameters } = program(arm, quantity, constants)?;
        let mut inputs: Vec<f64> = Vec::new();
        let mut about: Vec<String> = Vec::new();
        for (key, values) in quantity.inputs().iter().zip(&state) {
            inputs.extend(values);
            about.push(match *key {
                "q" => format!("coordinates {}", arm.coordinate_names().join(", ")),
                "qd" => "their rates".to_owned(),
                _ => "their accelerations".to_owned(),
            });
        }
        if !parameters.is_empty() {
            inputs.extend(parameters.iter().map(|parameter| parameter.value));
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.symbol.text.as_str()).collect();
            about.push(names.join(", "));
        }
        functions.push(Function {
            name: quantity.name().to_owned(),
            about: quantity.about().to_owned(),
            program,
            inputs: about,
            outputs: vec![Output { about: quantity.about().to_owned(), lengths: quantity.lengths(size) }],
            case: Case { inputs, outputs: quantity.evaluate(arm, &state[0], &state[1], &state[2]) },
        });
    }
    let module = Module {
        name: identifier::module(arm.name()),
        version: version.to_owned(),
        notes: vec![
            format!(
                "Flexible arm {}: {n} links, {size} coordinates, {} kinematics.",
                arm.name(),
                arm.kinematics().name()
            ),
            "De Luca and Siciliano 1991, (25), (26), (32)-(35), for any number of links and modes.".to_owned(),
        ],
        functions,
    };
    Ok(language.emit(&module).into_iter().map(|file| (file.name, file.text)).collect())
}

/// The equations of a quantity, in plain text or LaTeX: parts that have names, and the elements. Equations of large arms are in
/// factored form, those of smaller ones multiplied out and collected.
///
/// # Errors
/// As [`program`].
pub fn equations(
    arm: &FlexibleArm<f64>,
    quantity: ArmQuantity,
    constants: ArmConstants,
    notation: Notation,
) -> Result<(Vec<ArmEquation>, Vec<ArmEquation>), ArmDeriveError> {
    expr::scope(Rules::default(), || {
        let Traced { parameters, elements, .. } = trace(arm, quantity, constants)?;
        let names = arm.coordinate_names();
        let joints = arm.joints();
        let symbol = |name: &str| written(name, &names, joints, &parameters);
        let (definitions, trees) = match Polynomial::expand(&elements, BEARABLE) {
            Ok(polynomials) => {
                (Vec::new(), polynomials.iter().map(|polynomial| collect::collect(polynomial, &symbol)).collect())
            }
            Err(_) => collect::definitions(&elements, &symbol, &|_, _| None),
        };
        let pick = |pair: &[String; 2]| match notation {
            Notation::Text => pair[0].clone(),
            Notation::Latex => pair[1].clone(),
        };
        let parts = definitions.iter().map(|part| ArmEquation {
            left: vec![pick(&[part.symbol.text.clone(), part.symbol.latex.clone()])],
            right: part.tree.written(notation),
        });
        let mut equations: Vec<ArmEquation> = Vec::new();
        for (name, tree) in quantity.elements(arm.size()).iter().zip(&trees) {
            let right = tree.written(notation);
            match equations.iter_mut().find(|equation| equation.right == right) {
                Some(equation) => equation.left.push(pick(name)),
                None => equations.push(ArmEquation { left: vec![pick(name)], right }),
            }
        }
        Ok((parts.collect(), equations))
    })
}

/// How a symbol is written: `qd[2]` as the rate of δ₁₁.
fn written(name: &str, coordinates: &[String], joints: usize, parameters: &[ArmParameter]) -> Symbol {
    if let Some(known) = parameters.iter().find(|parameter| parameter.symbol.text == name) {
        return known.symbol.clone();
    }
    let place = name.split_once('[').and_then(|(key, rest)| Some((key, rest.strip_suffix(']')?.parse().ok()?)));
    let Some((key, place)) = place.filter(|&(_, place): &(&str, usize)| place < coordinates.len()) else {
        return Symbol { text: name.to_owned(), latex: name.to_owned(), role: Role::Parameter };
    };
    let coordinate = &coordinates[place];
    let (letter, index) =
        coordinate.split_at(coordinate.find(|c: char| c.is_ascii_digit()).unwrap_or(coordinate.len()));
    let index = index.replace('_', ",");
    let (dots, suffix, role) = match key {
        "qd" => (Some("\\dot"), "_dot", Role::Motion { order: 1 }),
        "qdd" => (Some("\\ddot"), "_ddot", Role::Motion { order: 2 }),
        // A deflection is written where motions are: it is a small variable, not an angle.
        _ if place >= joints => (None, "", Role::Motion { order: 0 }),
        _ => (None, "", Role::Position),
    };
    let latex = match dots {
        Some(dots) => format!("{dots}{{\\{letter}}}_{{{index}}}"),
        None => format!("\\{letter}_{{{index}}}"),
    };
    Symbol { text: format!("{coordinate}{suffix}"), latex, role }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{description, link, paper};
    use super::*;

    fn state(size: usize, joints: usize) -> [Vec<f64>; 3] {
        let vector = |phase: f64, small: f64| {
            (0..size).map(|c| (phase + 1.3 * c as f64).sin() * if c < joints { 1.4 } else { small }).collect()
        };
        [vector(0.4, 0.05), vector(1.0, 0.8), vector(2.0, 3.0)]
    }

    #[test]
    fn programs_compute_what_the_arm_does() {
        let three = vec![
            link(0.6, 0.4, 6.0, [0.0, 0.08], 2),
            link(0.5, 0.3, 3.0, [0.5, 0.04], 0),
            link(0.4, 0.2, 1.5, [0.3, 0.02], 1),
        ];
        let mut three = description(three, [0.2, 0.001]);
        (three.gravity, three.links[0].viscous) = ([0.3, -9.81], 0.2);
        for arm in [paper(2), three] {
            for kinematics in Kinematics::ALL.into_iter().filter(|&kinematics| kinematics != Kinematics::Exact) {
                let arm = arm.build().unwrap().arm.with_kinematics(kinematics);
                let [q, qd, qdd] = state(arm.size(), arm.joints());
                for quantity in ArmQuantity::ALL {
                    let known = quantity.evaluate(&arm, &q, &qd, &qdd);
                    for constants in [ArmConstants::Numeric, ArmConstants::Symbolic] {
                        let ArmProgram { program, parameters } = program(&arm, quantity, constants).unwrap();
                        let mut inputs = Vec::new();
                        for (_, vector) in quantity.inputs().iter().zip([&q, &qd, &qdd]) {
                            inputs.extend(vector);
                        }
                        inputs.extend(parameters.iter().map(|parameter| parameter.value));
                        let mut out = vec![0.0; known.len()];
                        program.run(&inputs, &mut out);
                        let scale = known.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
                        for (a, b) in out.iter().zip(&known) {
                            assert!(
                                (a - b).abs() < 1e-12 * scale,
                                "{quantity:?} {constants:?} {kinematics:?}: {a} {b}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn equations_read_like_the_paper() {
        let arm = paper(2).build().unwrap().arm;
        let (parts, equations) = equations(&arm, ArmQuantity::Inertia, ArmConstants::Symbolic, Notation::Text).unwrap();
        assert!(parts.is_empty());
        let b = |name: &str| {
            let found = equations.iter().find(|equation| equation.left.iter().any(|left| left == name));
            found.map(|equation| equation.right.clone()).unwrap_or_default()
        };
        // b_25 and b_52 are one, and constant: DS b251.
        let b25 = b("B25");
        assert!(b25.contains("w21") && b25.contains("Jp") && !b25.contains("cos"), "{b25}");
        assert_eq!(b25, b("B52"));
        let b11 = b("B11");
        assert!(b11.contains("cos(theta2)") && b11.contains("sin(theta2)") && b11.contains("delta21"), "{b11}");
        let (_, latex) =
            super::equations(&arm, ArmQuantity::Velocity, ArmConstants::Symbolic, Notation::Latex).unwrap();
        assert!(latex[0].right.contains("\\dot{\\theta}_{2}") && latex[0].right.contains("{\\phi'}_{11,e}"));
    }
}
