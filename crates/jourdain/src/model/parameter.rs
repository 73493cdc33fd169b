//! The standard parameters of a robot as values: which link, which of its joint's numbers, which kind.
//!
//! τ is linear in them. They are the columns of every regressor, in one order: ten inertial parameters per link, then the
//! armatures of rigid drives, the viscous and the Coulomb coefficients, each one per driven velocity number in the order of the
//! links, then √ and Stribeck friction and torque offsets of the drives that have them.
//!
//! Trap: the text of a parameter does not tell link `arm_2` from the second number of link `arm`. Text is made where it is
//! printed; only [`Parameter::parse`] reads it, and it refuses what could be two parameters.

use super::link::Column;
use super::tree::Model;
use crate::unit::Unit;
use jourdain_symbolic::Constant;

/// An inertial parameter of a link, about the link origin in link axes; products of inertia are elements of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The names are the literature's and say all there is.
pub enum Inertial {
    M,
    MX,
    MY,
    MZ,
    XX,
    XY,
    XZ,
    YY,
    YZ,
    ZZ,
}

impl Inertial {
    /// All of them in the order of the columns.
    pub const ALL: [Self; 10] =
        [Self::M, Self::MX, Self::MY, Self::MZ, Self::XX, Self::XY, Self::XZ, Self::YY, Self::YZ, Self::ZZ];

    /// The unit as generated code writes it.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::M => "kg",
            Self::MX | Self::MY | Self::MZ => "kg m",
            Self::XX | Self::XY | Self::XZ | Self::YY | Self::YZ | Self::ZZ => "kg m^2",
        }
    }

    /// What it is called.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::M => "mass",
            Self::MX | Self::MY | Self::MZ => "first moment",
            Self::XX | Self::XY | Self::XZ | Self::YY | Self::YZ | Self::ZZ => "inertia",
        }
    }
}

/// A term of a drive that τ is linear in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriveTerm {
    /// Rotor inertia at the link, inertia · ratio², of a drive without stiffness.
    Armature,
    /// Viscous friction.
    Viscous,
    /// Coulomb friction.
    Coulomb,
    /// Friction that rises with the root of the speed.
    Root,
    /// Friction that falls as speed rises.
    Stribeck,
    /// A constant torque.
    Offset,
}

impl DriveTerm {
    /// All of them in the order of the columns.
    pub const ALL: [Self; 6] = [Self::Armature, Self::Viscous, Self::Coulomb, Self::Root, Self::Stribeck, Self::Offset];

    /// Those that are functions of the velocity of their drive, in the order of the columns.
    pub const OF_VELOCITY: [Self; 5] = [Self::Viscous, Self::Coulomb, Self::Root, Self::Stribeck, Self::Offset];
}

/// What kind of parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParameterKind {
    /// Of the link's inertia.
    Inertial(Inertial),
    /// Of the drive of its joint.
    Drive(DriveTerm),
}

impl ParameterKind {
    /// The letters of the literature: `m`, `mX`, `XX`, `Ia`, `Fv`, `Fc`, `Fr`, `Fs`, `Fo`.
    #[must_use]
    pub fn letters(self) -> &'static str {
        match self {
            Self::Inertial(Inertial::M) => "m",
            Self::Inertial(Inertial::MX) => "mX",
            Self::Inertial(Inertial::MY) => "mY",
            Self::Inertial(Inertial::MZ) => "mZ",
            Self::Inertial(Inertial::XX) => "XX",
            Self::Inertial(Inertial::XY) => "XY",
            Self::Inertial(Inertial::XZ) => "XZ",
            Self::Inertial(Inertial::YY) => "YY",
            Self::Inertial(Inertial::YZ) => "YZ",
            Self::Inertial(Inertial::ZZ) => "ZZ",
            Self::Drive(DriveTerm::Armature) => "Ia",
            Self::Drive(DriveTerm::Viscous) => "Fv",
            Self::Drive(DriveTerm::Coulomb) => "Fc",
            Self::Drive(DriveTerm::Root) => "Fr",
            Self::Drive(DriveTerm::Stribeck) => "Fs",
            Self::Drive(DriveTerm::Offset) => "Fo",
        }
    }

    /// True for friction and offsets: what acts by the velocity of a drive alone.
    #[must_use]
    pub fn is_friction(self) -> bool {
        matches!(self, Self::Drive(term) if DriveTerm::OF_VELOCITY.contains(&term))
    }
}

/// A standard parameter of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Parameter {
    /// The link's index.
    pub link: usize,
    /// Which velocity number of the link's joint a drive acts on, from 0; 0 for inertial parameters.
    pub local: usize,
    /// What kind.
    pub kind: ParameterKind,
}

/// Why a text is no parameter of a robot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("{robot} has no parameter `{text}`")]
    Unknown {
        /// The text.
        text: String,
        /// The robot's name.
        robot: String,
    },
    /// Two parameters have this name.
    #[error("`{text}` could be a parameter of link `{}` or of link `{}`", .links[0], .links[1])]
    Ambiguous {
        /// The text.
        text: String,
        /// The links' names.
        links: [String; 2],
    },
}

impl Parameter {
    /// As text: `XX_upper`, `Fv_upper`; the drives of a joint with several numbers are counted from 1: `Fv_upper_2`.
    ///
    /// # Panics
    /// If it is a parameter of another robot.
    #[must_use]
    pub fn text<T: Constant>(&self, model: &Model<T>) -> String {
        let (link, letters) = (&model.links()[self.link], self.kind.letters());
        match self.kind {
            ParameterKind::Drive(_) if link.joint.nv() != 1 => format!("{letters}_{}_{}", link.name, self.local + 1),
            ParameterKind::Drive(_) | ParameterKind::Inertial(_) => format!("{letters}_{}", link.name),
        }
    }

    /// The parameter that [`text`](Self::text) makes such a text of.
    ///
    /// # Errors
    /// A text of no parameter, or of two.
    pub fn parse<T: Constant>(text: &str, model: &Model<T>) -> Result<Self, ParameterError> {
        let parameters = model.standard_parameters();
        let mut found = parameters.iter().filter(|parameter| parameter.text(model) == text);
        match (found.next(), found.next()) {
            (Some(parameter), None) => Ok(*parameter),
            (None, _) => Err(ParameterError::Unknown { text: text.to_owned(), robot: model.name().to_owned() }),
            (Some(first), Some(second)) => {
                let links = [first, second].map(|parameter| model.links()[parameter.link].name.clone());
                Err(ParameterError::Ambiguous { text: text.to_owned(), links })
            }
        }
    }

    /// Its value in the model; zero for a drive that the model does not have.
    ///
    /// # Panics
    /// If it is a parameter of another robot.
    #[must_use]
    pub fn value<T: Constant>(&self, model: &Model<T>) -> T {
        let link = &model.links()[self.link];
        let motor = link.motor.as_ref();
        match self.kind {
            ParameterKind::Inertial(which) => link.inertia.to_parameters()[which as usize],
            ParameterKind::Drive(term) => motor.and_then(|motor| motor.term(term)).unwrap_or_else(T::zero),
        }
    }

    /// The unit of its value: of a drive by whether it turns or slides.
    ///
    /// # Panics
    /// If it is a parameter of another robot.
    #[must_use]
    pub fn unit<T: Constant>(&self, model: &Model<T>) -> Unit {
        let term = match self.kind {
            ParameterKind::Inertial(Inertial::M) => return Unit::KILOGRAM,
            ParameterKind::Inertial(Inertial::MX | Inertial::MY | Inertial::MZ) => return Unit::KILOGRAM.metres(1),
            ParameterKind::Inertial(
                Inertial::XX | Inertial::XY | Inertial::XZ | Inertial::YY | Inertial::YZ | Inertial::ZZ,
            ) => return Unit::KILOGRAM.metres(2),
            ParameterKind::Drive(term) => term,
        };
        // A coupled joint may turn where its leader slides.
        let length = if model.links()[self.link].joint.slides(self.local) { 0 } else { 1 };
        match term {
            DriveTerm::Armature => Unit::KILOGRAM.metres(2 * length),
            DriveTerm::Viscous => Unit::NEWTON.metres(2 * length - 1).seconds(1),
            // Per root of a speed, but quoted as a torque: at 1 rad/s or 1 m/s.
            DriveTerm::Coulomb | DriveTerm::Root | DriveTerm::Stribeck | DriveTerm::Offset => {
                Unit::NEWTON.metres(length)
            }
        }
    }

    /// The motion that a drive acts on.
    ///
    /// # Panics
    /// If it is a parameter of another robot, or inertial of a welded link.
    #[must_use]
    pub fn column<'m, T: Constant>(&self, model: &'m Model<T>) -> &'m Column<T> {
        &model.columns()[model.columns_of(self.link)][self.local]
    }
}

impl<T: Constant> Model<T> {
    /// The inertial parameters: ten per link in the order of the links.
    #[must_use]
    pub fn inertial_parameters(&self) -> Vec<Parameter> {
        let of = |link| Inertial::ALL.map(|which| Parameter { link, local: 0, kind: ParameterKind::Inertial(which) });
        (0..self.links().len()).flat_map(of).collect()
    }

    /// The terms of the drives, in the order of their columns: armatures, viscous, Coulomb, √, Stribeck, offset.
    #[must_use]
    pub fn drive_parameters(&self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for term in DriveTerm::ALL {
            let has = |column: &&Column<T>| {
                let motor = self.links()[column.link].motor.as_ref();
                motor.is_some_and(|motor| motor.term(term).is_some())
            };
            let of = |column: &Column<T>| Parameter {
                link: column.link,
                local: column.local,
                kind: ParameterKind::Drive(term),
            };
            parameters.extend(self.columns().iter().filter(has).map(of));
        }
        parameters
    }

    /// The standard parameters: the columns of the regressor.
    #[must_use]
    pub fn standard_parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.inertial_parameters();
        parameters.extend(self.drive_parameters());
        parameters
    }
}

/// What stands for a link in the names of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LinkNumber {
    /// Moving links are numbered from 1 in the order of the model.
    Moving(usize),
    /// A link welded to another goes by its name.
    Welded(String),
}

impl<T: Constant> Model<T> {
    /// The number of every link, or the name of one that is welded to another.
    #[must_use]
    pub fn link_numbers(&self) -> Vec<LinkNumber> {
        let mut moving = 0;
        let mut number = |link: &super::Link<T>| {
            if link.joint.nv() == 0 {
                return LinkNumber::Welded(link.name.clone());
            }
            moving += 1;
            LinkNumber::Moving(moving)
        };
        self.links().iter().map(&mut number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, Format};
    use crate::robots;

    fn model(text: &str) -> Model<f64> {
        Model::from_description(&formats::read_str(text, Format::Toml).description.unwrap()).unwrap()
    }

    #[test]
    fn every_text_leads_back_to_its_parameter() {
        for name in ["puma560", "scara", "floating_humanoid25", "planar2r_elastic"] {
            let model = robots::load(name).unwrap();
            for parameter in model.standard_parameters() {
                assert_eq!(Parameter::parse(&parameter.text(&model), &model), Ok(parameter), "{name}");
            }
            assert!(matches!(Parameter::parse("XX_nobody", &model), Err(ParameterError::Unknown { .. })));
        }
    }

    #[test]
    fn a_text_of_two_parameters_is_refused() {
        let model = model(
            "name = \"r\"\n[[link]]\nname = \"arm\"\nmass = 1\njoint = { type = \"universal\" }\nmotor = { viscous = 1 }\n\
             [[link]]\nname = \"arm_2\"\nmass = 1\njoint = { type = \"revolute\" }\nmotor = { viscous = 2 }\n",
        );
        let error = Parameter::parse("Fv_arm_2", &model).unwrap_err();
        assert_eq!(error.to_string(), "`Fv_arm_2` could be a parameter of link `arm` or of link `arm_2`");
        assert_eq!(Parameter::parse("Fv_arm_1", &model).unwrap().local, 0);
    }
}
