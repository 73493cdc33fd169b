//! A flexible arm as a file gives it, and the arm that comes of it.

use super::arm::{FlexibleArm, Kinematics, Link, Payload};
use super::boundary::boundaries;
use super::modes::{self, Beam, Boundary, Mode, ModesError};
use super::slopes::Slopes;

/// The body at the end of a link as far as the file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct GivenBoundary {
    /// M_L, kg
    pub mass: Option<f64>,
    /// J_L, kg m²
    pub inertia: Option<f64>,
    /// MD, kg m
    pub mass_distance: Option<f64>,
}

/// Structural damping of the modes of a link.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Damping {
    /// None.
    #[default]
    None,
    /// N s/m, one number per mode.
    Given(Vec<f64>),
    /// D = factor · √K, as in the paper.
    Factor(f64),
    /// D = 2 ζ ω m: the ratio of the beam's own modes.
    Ratio(f64),
}

impl Damping {
    /// The coefficient of a mode.
    fn of(&self, place: usize, mode: &Mode) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Given(values) => values.get(place).copied().unwrap_or(0.0),
            Self::Factor(factor) => factor * mode.stiffness.sqrt(),
            // K = ω² m
            Self::Ratio(ratio) => 2.0 * ratio * mode.stiffness / mode.omega,
        }
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkDescription {
    /// Length, density and rigidity.
    pub beam: Beam,
    /// Mass of the hub at the joint that drives this link, kg.
    pub hub_mass: f64,
    /// Inertia of that hub, which turns with this link, kg m².
    pub hub_inertia: f64,
    /// The number of modes; zero for a rigid link.
    pub modes: usize,
    /// Structural damping.
    pub damping: Damping,
    /// Joint friction, N m s.
    pub viscous: f64,
    /// The body at the end.
    pub boundary: GivenBoundary,
}

/// An arm.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmDescription {
    /// The name.
    pub name: String,
    /// The acceleration of a falling body in the plane, m/s².
    pub gravity: [f64; 2],
    /// How far deflections are kept.
    pub kinematics: Kinematics,
    /// The body at the tip.
    pub payload: Payload<f64>,
    /// Joint angles at which the bodies at the ends of the links are computed; `None`: stretched, with MD = 0.
    pub boundary_configuration: Option<Vec<f64>>,
    /// The links from the base.
    pub links: Vec<LinkDescription>,
}

/// Why there is no arm.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ArmError {
    /// No links.
    #[error("an arm needs at least one link")]
    NoLinks,
    /// A link has no modes.
    #[error("link {link}: {error}")]
    Modes {
        /// Which, counted from one.
        link: usize,
        /// Why.
        error: ModesError,
    },
    /// A number out of its range.
    #[error("the {name} must be {expected}, not {value}")]
    Number {
        /// Which.
        name: String,
        /// What it must be.
        expected: &'static str,
        /// Its value.
        value: f64,
    },
    /// A list of another length.
    #[error("{name} must have {expected} numbers, not {found}")]
    Length {
        /// Which.
        name: String,
        /// Numbers needed.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
}

/// An arm with the modes it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltArm {
    /// The arm.
    pub arm: FlexibleArm<f64>,
    /// The modes of each link.
    pub modes: Vec<Vec<Mode>>,
    /// The body at the end of each link that the modes belong to.
    pub boundaries: Vec<Boundary>,
}

impl ArmDescription {
    fn check(&self) -> Result<(), ArmError> {
        if self.links.is_empty() {
            return Err(ArmError::NoLinks);
        }
        let number = |name: String, value: f64, good: bool, expected: &'static str| {
            if good && value.is_finite() { Ok(()) } else { Err(ArmError::Number { name, expected, value }) }
        };
        let not_negative = |name: String, value: f64| number(name, value, value >= 0.0, "zero or positive");
        for g in self.gravity {
            number("gravity".to_owned(), g, true, "finite")?;
        }
        not_negative("mass of the payload".to_owned(), self.payload.mass)?;
        not_negative("inertia of the payload".to_owned(), self.payload.inertia)?;
        for (link, i) in self.links.iter().zip(1..) {
            let Beam { length, density, rigidity } = link.beam;
            number(format!("length of link {i}"), length, length > 0.0, "positive")?;
            number(format!("density of link {i}"), density, density > 0.0, "positive")?;
            number(format!("rigidity of link {i}"), rigidity, rigidity > 0.0, "positive")?;
            not_negative(format!("mass of hub {i}"), link.hub_mass)?;
            not_negative(format!("inertia of hub {i}"), link.hub_inertia)?;
            not_negative(format!("friction of joint {i}"), link.viscous)?;
            match &link.damping {
                Damping::None => {}
                Damping::Factor(x) => not_negative(format!("damping factor of link {i}"), *x)?,
                Damping::Ratio(x) => not_negative(format!("damping ratio of link {i}"), *x)?,
                Damping::Given(values) => {
                    if values.len() != link.modes {
                        let name = format!("the damping of link {i}");
                        return Err(ArmError::Length { name, expected: link.modes, found: values.len() });
                    }
                    values.iter().try_for_each(|&x| not_negative(format!("damping of link {i}"), x))?;
                }
            }
        }
        if let Some(angles) = &self.boundary_configuration {
            if angles.len() != self.links.len() {
                let name = "the boundary configuration".to_owned();
                return Err(ArmError::Length { name, expected: self.links.len(), found: angles.len() });
            }
            angles.iter().try_for_each(|&x| number("boundary configuration".to_owned(), x, true, "finite"))?;
        }
        Ok(())
    }

    /// Computes the modes and assembles the arm.
    ///
    /// # Errors
    /// Numbers that no arm has.
    pub fn build(&self) -> Result<BuiltArm, ArmError> {
        self.check()?;
        let boundaries = boundaries(self);
        let mut links = Vec::new();
        let mut all = Vec::new();
        for (i, (link, boundary)) in self.links.iter().zip(&boundaries).enumerate() {
            let (built, modes) = link.build(boundary).map_err(|error| ArmError::Modes { link: i + 1, error })?;
            links.push(built);
            all.push(modes);
        }
        let arm = FlexibleArm::new(self.name.clone(), self.gravity, self.kinematics, self.payload, links);
        Ok(BuiltArm { arm, modes: all, boundaries })
    }
}

impl LinkDescription {
    fn build(&self, boundary: &Boundary) -> Result<(Link<f64>, Vec<Mode>), ModesError> {
        let beam = &self.beam;
        // A rigid link has no boundary to satisfy.
        let found = if self.modes == 0 { Vec::new() } else { modes::modes(beam, boundary, self.modes)? };
        let of = |f: fn(&Mode) -> f64| found.iter().map(f).collect::<Vec<_>>();
        let (m, mass) = (found.len(), beam.mass());
        let mut stiffness = vec![0.0; m * m];
        for (j, mode) in found.iter().enumerate() {
            stiffness[j * m + j] = mode.stiffness;
        }
        let link = Link {
            length: beam.length,
            mass,
            first_moment: 0.5 * mass * beam.length,
            inertia: mass * beam.length * beam.length / 3.0,
            hub_mass: self.hub_mass,
            hub_inertia: self.hub_inertia,
            v: of(|mode| mode.v),
            w: of(|mode| mode.w),
            z: modes::cross_moments(beam, boundary, &found),
            stiffness,
            tip: of(|mode| mode.tip),
            tip_slope: of(|mode| mode.tip_slope),
            slopes: Slopes::of(beam, &found),
            damping: found.iter().enumerate().map(|(j, mode)| self.damping.of(j, mode)).collect(),
            viscous: self.viscous,
        };
        Ok((link, found))
    }
}
