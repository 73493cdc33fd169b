//! Modes of a uniform Euler–Bernoulli beam that is clamped at one end and carries a body at the other, DS (14)–(24).
//!
//! The body has a mass M, a moment of inertia J about the end of the beam and a first moment MD along the beam, DS (16). A
//! beam without a body is clamped–free. Modes are orthogonal and scaled in the mass-including sense,
//!
//! ∫ρ φⱼφₖ dx + M φⱼφₖ + J φ'ⱼφ'ₖ + MD (φⱼφ'ₖ + φₖφ'ⱼ) = m [j = k] (functions outside the integral at the end, m = ρℓ),
//!
//! and the beam bends upwards at the clamp. Trap: DS (30) reads as if ∫ρφ² alone were m; the numbers printed in the paper
//! are those of the scaling above.
//!
//! # Reference
//! DS (14)–(24), (27)–(30), with (24g), (27) and (30) corrected.

mod frequency;
mod krylov;
mod shape;

use frequency::TipBody;
use shape::UnitShape;

/// The most modes of one link.
pub const MOST_MODES: usize = 20;

/// Two roots that differ by less than this share are told apart by orthogonality: what the forces at the end say of their shapes has
/// lost as many digits.
const NEAR: f64 = 1e-3;

/// A uniform beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Length ℓ, m.
    pub length: f64,
    /// Mass per length ρ, kg/m.
    pub density: f64,
    /// Flexural rigidity EI, N m².
    pub rigidity: f64,
}

impl Beam {
    /// ρℓ, DS (24a).
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.density * self.length
    }
}

/// The body at the end of a beam, DS (16).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Boundary {
    /// Mass M, kg.
    pub mass: f64,
    /// Moment of inertia J about the end of the beam, kg m².
    pub inertia: f64,
    /// First moment MD along the beam, kg m.
    pub mass_distance: f64,
}

/// One mode and its integrals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    shape: UnitShape,
    length: f64,
    /// β, 1/m
    pub beta: f64,
    /// Natural frequency ω of the beam with its body, rad/s.
    pub omega: f64,
    /// φ at the end.
    pub tip: f64,
    /// φ' at the end, 1/m.
    pub tip_slope: f64,
    /// v = ∫ρφ dx, DS (24d), kg.
    pub v: f64,
    /// w = ∫ρφx dx, DS (24e), kg m.
    pub w: f64,
    /// k = ∫EI φ''² dx = ω² m, DS (24g) corrected, N/m. Between different modes the integral vanishes.
    pub stiffness: f64,
}

/// Why a beam has no modes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModesError {
    /// A number that must be positive is not.
    #[error("the {name} of a flexible link must be a positive number, not {value}")]
    NotPositive {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number of the body at the end that must not be negative is.
    #[error("the boundary {name} must not be negative or infinite, but is {value}")]
    Negative {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// No body has these moments.
    #[error(
        "no body of mass {mass} kg and inertia {inertia} kg m² about the end of the link has the mass-distance {offset} kg m: \
         its square must not exceed their product"
    )]
    Offset {
        /// M
        mass: f64,
        /// J
        inertia: f64,
        /// MD
        offset: f64,
    },
    /// More modes than are offered.
    #[error("{count} modes are too many: at most {MOST_MODES}")]
    TooMany {
        /// Modes asked for.
        count: usize,
    },
    /// Numbers so far apart that the results are not finite.
    #[error("the modes of a link of length {} m, density {} kg/m and rigidity {} N m² are not finite numbers", .beam.length, .beam.density, .beam.rigidity)]
    NotFinite {
        /// The beam.
        beam: Beam,
    },
}

impl Boundary {
    fn checked(&self) -> Result<(), ModesError> {
        for (name, value) in [("mass", self.mass), ("inertia", self.inertia)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ModesError::Negative { name, value });
            }
        }
        let Self { mass, inertia, mass_distance: offset } = *self;
        // A little more than exact: a point mass off the end has M J = MD² up to rounding.
        if offset * offset <= mass * inertia * (1.0 + 1e-9) {
            Ok(())
        } else {
            Err(ModesError::Offset { mass, inertia, offset })
        }
    }
}

/// The first `count` modes of a beam with a body at its end, by ascending frequency.
///
/// ```
/// use jourdain::flexible::modes::{Beam, Boundary, modes};
///
/// let beam = Beam { length: 0.5, density: 0.2, rigidity: 1.0 };
/// let payload = Boundary { mass: 0.1, inertia: 0.0005, mass_distance: 0.0 };
/// let hertz: Vec<_> = modes(&beam, &payload, 2)?.iter().map(|mode| format!("{:.2}", mode.frequency())).collect();
/// assert_eq!(hertz, ["2.18", "15.91"]);
/// # Ok::<(), jourdain::flexible::modes::ModesError>(())
/// ```
///
/// # Errors
/// Numbers that are no beam or no body, or too many modes.
///
/// # Reference
/// DS (14)–(24), (30).
pub fn modes(beam: &Beam, boundary: &Boundary, count: usize) -> Result<Vec<Mode>, ModesError> {
    for (name, value) in [("length", beam.length), ("density", beam.density), ("rigidity", beam.rigidity)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(ModesError::NotPositive { name, value });
        }
    }
    boundary.checked()?;
    if count > MOST_MODES {
        return Err(ModesError::TooMany { count });
    }
    let (length, mass) = (beam.length, beam.mass());
    let body = TipBody {
        mass: boundary.mass / mass,
        inertia: boundary.inertia / (mass * length * length),
        offset: boundary.mass_distance / (mass * length),
    };
    let sound = [body.mass, body.inertia, body.offset].iter().all(|x| x.is_finite()) && mass > 0.0;
    let mut modes: Vec<Mode> = Vec::new();
    for order in (1..=count).filter(|_| sound) {
        modes.push(mode(beam, &body, order, modes.last()));
    }
    let finite = |mode: &Mode| {
        [mode.omega, mode.tip, mode.tip_slope, mode.v, mode.w, mode.stiffness].iter().all(|x| x.is_finite())
            && mode.stiffness > 0.0
    };
    if modes.len() == count && modes.iter().all(finite) {
        Ok(modes)
    } else {
        Err(ModesError::NotFinite { beam: *beam })
    }
}

fn mode(beam: &Beam, body: &TipBody, order: usize, before: Option<&Mode>) -> Mode {
    let x = body.root(order);
    let shape = match before.map(|mode| mode.shape) {
        Some(other) if x - other.x < NEAR * x => UnitShape::beside(&other, x, body),
        _ => UnitShape::at_root(x, body),
    };
    let [tip, slope] = shape.end(body);
    // The generalised mass over ρℓ, which the scaling makes one.
    let total = shape.square() + body.mass * tip * tip + body.inertia * slope * slope + 2.0 * body.offset * tip * slope;
    let scale = 1.0 / total.sqrt();
    let shape = shape.scaled(scale);
    let (length, mass) = (beam.length, beam.mass());
    let beta = x / length;
    let omega = beta * beta * (beam.rigidity / beam.density).sqrt();
    let [zeroth, first] = shape.moments();
    Mode {
        shape,
        length,
        beta,
        omega,
        tip: tip * scale,
        tip_slope: slope * scale / length,
        v: mass * zeroth,
        w: mass * length * first,
        stiffness: omega * omega * mass,
    }
}

impl Mode {
    /// ω/2π, Hz.
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.omega / std::f64::consts::TAU
    }

    /// φ at a distance from the clamp, m.
    #[must_use]
    pub fn at(&self, distance: f64) -> f64 {
        self.derivative(distance, 0)
    }

    /// The derivative of φ of any order at a distance from the clamp, m.
    #[must_use]
    pub fn derivative(&self, distance: f64, order: usize) -> f64 {
        self.shape.derivative(distance / self.length, order) / self.length.powi(order as i32)
    }

    /// C₁ and C₂ of DS (19).
    #[must_use]
    pub fn constants(&self) -> [f64; 2] {
        [self.shape.c1, self.shape.c2]
    }

    /// Where the beam stands still between clamp and end, m from the clamp.
    #[must_use]
    pub fn nodes(&self) -> Vec<f64> {
        self.shape.nodes().iter().map(|place| place * self.length).collect()
    }
}

/// z = ∫ρφⱼφₖ dx of all pairs, DS (24f), row by row, kg.
///
/// Between different modes from the orthogonality, so that only the end of the beam is needed.
#[must_use]
pub fn cross_moments(beam: &Beam, boundary: &Boundary, modes: &[Mode]) -> Vec<f64> {
    let mut z = Vec::with_capacity(modes.len() * modes.len());
    for (j, a) in modes.iter().enumerate() {
        for (k, b) in modes.iter().enumerate() {
            z.push(if j == k {
                beam.mass() * a.shape.square()
            } else {
                -(boundary.mass * a.tip * b.tip
                    + boundary.inertia * a.tip_slope * b.tip_slope
                    + boundary.mass_distance * (a.tip * b.tip_slope + b.tip * a.tip_slope))
            });
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn number(value: &Value) -> f64 {
        value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
    }

    /// Stored modes, computed at 40 digits by another program.
    fn cases() -> Vec<Value> {
        let text =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/flexible_arm.json")).unwrap();
        let suite: Value = serde_json::from_str(&text).unwrap();
        suite["modes"].as_array().unwrap().clone()
    }

    fn beam_of(case: &Value) -> (Beam, Boundary) {
        let beam = Beam { length: number(&case["l"]), density: number(&case["rho"]), rigidity: number(&case["EI"]) };
        let boundary =
            Boundary { mass: number(&case["M_L"]), inertia: number(&case["J_L"]), mass_distance: number(&case["MD"]) };
        (beam, boundary)
    }

    #[test]
    fn modes_are_the_stored_ones_to_twelve_digits() {
        for case in cases() {
            let (beam, boundary) = beam_of(&case);
            let count = case["beta"].as_array().unwrap().len();
            let modes = modes(&beam, &boundary, count).unwrap();
            let z = cross_moments(&beam, &boundary, &modes);
            let close = |what: &str, found: f64, known: f64, scale: f64| {
                assert!((found - known).abs() <= 1e-12 * scale, "{} {what}: {found} for {known}", case["name"]);
            };
            for (j, mode) in modes.iter().enumerate() {
                let found = [mode.beta, mode.omega, mode.frequency(), mode.constants()[0], mode.constants()[1]];
                let found = found.into_iter().chain([mode.tip, mode.tip_slope, mode.v, mode.w]);
                let names = ["beta", "omega", "f_hz", "C1", "C2", "phi_e", "dphi_e", "v", "w"];
                for (name, found) in names.into_iter().zip(found) {
                    let known = number(&case[name][j]);
                    close(name, found, known, known.abs());
                }
                for k in 0..count {
                    let (known_z, known_k) = (number(&case["z"][j][k]), number(&case["k"][j][k]));
                    let size = number(&case["z"][j][j]).abs().max(number(&case["z"][k][k]).abs());
                    close("z", z[j * count + k], known_z, if j == k { known_z } else { size });
                    if j == k {
                        close("k", mode.stiffness, known_k, known_k);
                    }
                }
            }
        }
    }

    /// Gauss–Legendre of order 5 on many pieces: knows nothing of the closed forms.
    fn integral(length: f64, f: impl Fn(f64) -> f64) -> f64 {
        let nodes = [
            (0.0, 128.0 / 225.0),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let pieces = 200;
        let half = 0.5 * length / f64::from(pieces);
        (0..pieces)
            .map(|i| {
                let centre = half * f64::from(2 * i + 1);
                let pair = |&(node, weight): &(f64, f64)| {
                    let sum = if node == 0.0 { f(centre) } else { f(centre - half * node) + f(centre + half * node) };
                    weight * sum
                };
                half * nodes.iter().map(pair).sum::<f64>()
            })
            .sum()
    }

    #[test]
    fn integrals_and_orthogonality_hold_up_to_the_twentieth_mode() {
        let beam = Beam { length: 0.7, density: 0.3, rigidity: 2.0 };
        let bodies = [
            Boundary::default(),
            Boundary { mass: 0.4, inertia: 0.01, mass_distance: -0.03 },
            Boundary { mass: 300.0, inertia: 20.0, mass_distance: 0.0 },
            Boundary { mass: 0.0, inertia: 0.2, mass_distance: 0.0 },
        ];
        for boundary in bodies {
            let all = modes(&beam, &boundary, MOST_MODES).unwrap();
            let z = cross_moments(&beam, &boundary, &all);
            for (j, a) in all.iter().enumerate() {
                let density = beam.density;
                let largest = (0..=50).map(|i| a.at(f64::from(i) * 0.014).abs()).fold(0.0, f64::max);
                let close = |what: &str, found: f64, known: f64, size: f64| {
                    assert!((found - known).abs() < 2e-11 * size, "{boundary:?} mode {j} {what}: {found} {known}");
                };
                close("v", a.v, integral(0.7, |x| density * a.at(x)), 0.2 * largest);
                close("w", a.w, integral(0.7, |x| density * x * a.at(x)), 0.1 * largest);
                close("z", z[j * 20 + j], integral(0.7, |x| density * a.at(x).powi(2)), 0.2 * largest * largest);
                let bend = integral(0.7, |x| beam.rigidity * a.derivative(x, 2).powi(2));
                close("k", a.stiffness, bend, a.stiffness);
                for (k, b) in all.iter().enumerate().take(j) {
                    let cross = integral(0.7, |x| density * a.at(x) * b.at(x));
                    close("cross", z[j * 20 + k], cross, 0.2);
                }
                // The end by the other formula, the clamp, and the balance of moment and shear at the end, DS (16).
                let square = a.omega * a.omega;
                let [bend, shear] = [2, 3].map(|order| a.derivative(0.7, order));
                let (y, slope) = (a.tip, a.tip_slope);
                close("tip", y, a.at(0.7), largest);
                close("slope", slope, a.derivative(0.7, 1), a.beta * largest);
                let (m, inertia, offset) = (boundary.mass, boundary.inertia, boundary.mass_distance);
                let terms = [beam.rigidity * bend, square * inertia * slope, square * offset * y];
                let scale = beam.rigidity * a.beta.powi(2) * largest + terms.iter().map(|x| x.abs()).sum::<f64>();
                close("moment", terms[0], terms[1] + terms[2], scale);
                let terms = [beam.rigidity * shear, square * m * y, square * offset * slope];
                let scale = beam.rigidity * a.beta.powi(3) * largest + terms.iter().map(|x| x.abs()).sum::<f64>();
                close("shear", terms[0], -terms[1] - terms[2], scale);
                assert!(a.at(0.0).abs() < 1e-13 * largest && a.derivative(0.0, 1).abs() < 1e-12 * a.beta * largest);
                assert!(a.derivative(0.0, 2) > 0.0);
            }
        }
    }

    #[test]
    fn the_node_of_the_forearm_wanders_out_with_the_payload() {
        let beam = Beam { length: 0.5, density: 0.2, rigidity: 1.0 };
        let node = |scale: f64| {
            let boundary = Boundary { mass: 0.1 * scale, inertia: 0.0005 * scale, mass_distance: 0.0 };
            modes(&beam, &boundary, 2).unwrap()[1].nodes()
        };
        assert!((node(0.0)[0] / 0.5 - 0.783_44).abs() < 1e-4, "{:?}", node(0.0));
        assert!((node(1.0)[0] / 0.5 - 0.987_02).abs() < 1e-4, "{:?}", node(1.0));
        assert!(node(2.0).is_empty());
        let free = modes(&beam, &Boundary::default(), 10).unwrap();
        assert!(free.iter().enumerate().all(|(j, mode)| mode.nodes().len() == j));
    }

    #[test]
    fn what_is_no_beam_or_no_body_is_refused() {
        let beam = Beam { length: 0.5, density: 0.2, rigidity: 1.0 };
        for (bad, name) in [
            (Beam { length: 0.0, ..beam }, "length"),
            (Beam { density: -0.2, ..beam }, "density"),
            (Beam { rigidity: f64::NAN, ..beam }, "rigidity"),
        ] {
            let error = modes(&bad, &Boundary::default(), 1).unwrap_err();
            assert!(matches!(error, ModesError::NotPositive { name: found, .. } if found == name), "{error}");
        }
        let bodies = [
            Boundary { mass: -1.0, inertia: 0.0, mass_distance: 0.0 },
            Boundary { mass: 1.0, inertia: f64::INFINITY, mass_distance: 0.0 },
            Boundary { mass: 1.0, inertia: 1.0, mass_distance: 1.1 },
            Boundary { mass: 0.0, inertia: 0.0, mass_distance: 1e-3 },
        ];
        assert!(bodies.iter().all(|body| modes(&beam, body, 2).is_err()));
        assert!(modes(&beam, &Boundary::default(), 21).is_err());
        assert!(modes(&beam, &Boundary::default(), 0).unwrap().is_empty());
        let extreme = Beam { length: 1e-200, density: 1e-200, rigidity: 1e300 };
        assert!(matches!(modes(&extreme, &Boundary::default(), 2), Err(ModesError::NotFinite { .. })));
    }
}
