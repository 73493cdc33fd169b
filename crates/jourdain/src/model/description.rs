//! A robot as a file describes it: names instead of indices, numbers as written, a source position for every part.
//!
//! Every format reads into a [`Description`]; the check judges it and [`Model`](super::Model) is built
//! from it. Nothing here has been checked beyond its type.

use super::balance::BalanceDescription;
use super::hysteresis::Hysteresis;
use super::number::Number;
use super::shape::ShapeDescription;

pub use super::joint::{JointKind, ScrewDescription, ScrewKind};

/// The name that stands for the ground in `parent`.
pub const GROUND: &str = "base";

/// A place in a source text: which file, line and column from 1 (columns count characters), and the byte range for underlining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Which of a robot's files: 0 for the main one, then as they were included.
    pub file: u32,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// First byte of the marked text.
    pub start: usize,
    /// One past the last byte of the marked text.
    pub end: usize,
}

/// Where the parts of a link stand in the source, by field path such as `joint.axis`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<(&'static str, Location)>);

impl Places {
    /// Notes where `field` stands.
    pub fn set(&mut self, field: &'static str, location: Location) {
        self.0.push((field, location));
    }

    /// Takes in what `others` notes.
    pub fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Where `field` stands, or else the part that holds it: `joint.axis`, then `joint`.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<Location> {
        let exact = self.0.iter().find(|(name, _)| *name == field).map(|(_, location)| *location);
        exact.or_else(|| self.get(field.rsplit_once('.')?.0))
    }
}

/// A whole robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The robot's name.
    pub name: String,
    /// Gravitational acceleration in ground axes, m/s².
    pub gravity: [Number; 3],
    /// Physics errors become warnings: for regrouped models.
    pub allow_unphysical: bool,
    /// The links, in the order of `q`.
    pub links: Vec<LinkDescription>,
    /// Positions that the file gives a name to, such as `home`.
    pub states: Vec<NamedState>,
}

/// A position of the whole robot with a name; MuJoCo's keyframe.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedState {
    /// Its name.
    pub name: String,
    /// The coordinates of each joint, in their order in `q`, by the joint's name. Joints that are not named are at zero.
    pub positions: Vec<(String, Vec<f64>)>,
}

impl Description {
    /// The same robot without source positions: what two files that describe one robot have in common.
    #[must_use]
    pub fn without_locations(mut self) -> Self {
        for link in &mut self.links {
            link.location = None;
            link.inertia_location = None;
            link.places = Places::default();
            link.joint.location = None;
        }
        self
    }
}

/// Standard gravity along −z, m/s²: the default.
#[must_use]
pub fn standard_gravity() -> [Number; 3] {
    [Number::ZERO, Number::ZERO, Number::from(-9.80665)]
}

/// One link with the joint that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkDescription {
    /// Unique name.
    pub name: String,
    /// The parent link's name, or [`GROUND`].
    pub parent: String,
    /// Mass, kg.
    pub mass: Number,
    /// Centre of mass in the link frame, m.
    pub com: [Number; 3],
    /// Rotational inertia, kg m².
    pub inertia: InertiaDescription,
    /// Where the link frame is in the parent frame at zero joint position.
    pub placement: Placement,
    /// The joint between parent and link.
    pub joint: JointDescription,
    /// Drive data.
    pub motor: Option<MotorDescription>,
    /// A motor that turns with this joint and with others.
    pub shaft: Option<Box<ShaftDescription>>,
    /// What holds the joint beside its motor.
    pub balance: Option<Box<BalanceDescription>>,
    /// What shows it.
    pub shapes: Vec<ShapeDescription>,
    /// False if the file says nothing about the link's inertia (a URDF link without `<inertial>`).
    pub has_inertial: bool,
    /// Where the link stands in the source.
    pub location: Option<Location>,
    /// Where its inertia stands in the source.
    pub inertia_location: Option<Location>,
    /// Where its other parts stand in the source.
    pub places: Places,
}

impl LinkDescription {
    /// A massless link welded to `parent` with the identity placement: what all fields default to.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            joint: JointDescription::new(name.clone(), JointKind::Fixed),
            name,
            parent: parent.into(),
            mass: Number::ZERO,
            com: [Number::ZERO; 3],
            inertia: InertiaDescription::AboutCom([Number::ZERO; 6]),
            placement: Placement::Origin { xyz: [Number::ZERO; 3], orientation: Orientation::Rpy([Number::ZERO; 3]) },
            motor: None,
            shaft: None,
            balance: None,
            shapes: Vec::new(),
            has_inertial: true,
            location: None,
            inertia_location: None,
            places: Places::default(),
        }
    }

    /// Where `field` stands in the source, or else where the link does.
    #[must_use]
    pub fn place(&self, field: &str) -> Option<Location> {
        self.places.get(field).or(self.location)
    }
}

/// The inertia tensor's six elements xx xy xz yy yz zz (matrix elements) in link axes, and the point they are about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InertiaDescription {
    /// About the centre of mass.
    AboutCom([Number; 6]),
    /// About the link origin.
    AboutOrigin([Number; 6]),
    /// About the centre of mass, in axes turned against the link's by roll, pitch, yaw (rad): URDF's `<inertial>`.
    AboutComRotated {
        /// Elements in the turned axes.
        elements: [Number; 6],
        /// Orientation of those axes in the link frame.
        rpy: [Number; 3],
    },
}

/// Where the link frame is in the parent frame at zero joint position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// A translation and an orientation.
    Origin {
        /// Link origin in the parent frame, m.
        xyz: [Number; 3],
        /// Link axes in the parent frame.
        orientation: Orientation,
    },
    /// Denavit–Hartenberg parameters.
    Dh {
        /// Which of the two conventions.
        convention: DhConvention,
        /// The parameters.
        parameters: DhParameters,
    },
}

/// How an orientation is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), rad.
    Rpy([Number; 3]),
    /// Quaternion w, x, y, z, normalised on building.
    Quaternion([Number; 4]),
}

/// The Denavit–Hartenberg conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DhConvention {
    /// Craig; Khalil–Kleinfinger with γ and b: Rz(γ) Tz(b) Rx(α) Tx(a) Rz(θ) Tz(d), joint about or along the link's z.
    Modified,
    /// Denavit–Hartenberg as first published: Rz(θ) Tz(d) Tx(a) Rx(α), joint about or along the **parent's** z.
    Standard,
}

/// Denavit–Hartenberg parameters, m and rad; the joint position adds to θ (revolute) or d (prismatic).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DhParameters {
    /// Twist about x.
    pub alpha: Number,
    /// Length along x.
    pub a: Number,
    /// Angle about z at zero joint position.
    pub theta: Number,
    /// Offset along z at zero joint position.
    pub d: Number,
    /// Khalil–Kleinfinger angle about the parent's z, for branches.
    pub gamma: Number,
    /// Khalil–Kleinfinger offset along the parent's z, for branches.
    pub b: Number,
}

/// A joint as described: kind, limits, coupling.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// The joint's name; the link's where the format names none.
    pub name: String,
    /// What it does.
    pub kind: JointKind,
    /// Position limits (lower, upper), rad or m; 1-DoF joints only.
    pub limits: Option<[Number; 2]>,
    /// Velocity limit, rad/s or m/s.
    pub velocity: Option<Number>,
    /// Torque or force limit, N m or N.
    pub effort: Option<Number>,
    /// Follows another joint: q = multiplier · q_other + offset.
    pub mimic: Option<MimicDescription>,
    /// Said to have no position limits (URDF `continuous`): no warning for missing ones.
    pub continuous: bool,
    /// Where the joint stands in the source.
    pub location: Option<Location>,
}

impl JointDescription {
    /// A joint without limits or coupling.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: JointKind) -> Self {
        Self {
            name: name.into(),
            kind,
            limits: None,
            velocity: None,
            effort: None,
            mimic: None,
            continuous: false,
            location: None,
        }
    }
}

/// Coupling of a joint to another one.
#[derive(Clone, Debug, PartialEq)]
pub struct MimicDescription {
    /// Name of the joint (or of its link) that leads.
    pub joint: String,
    /// Factor.
    pub multiplier: Number,
    /// Added, rad or m.
    pub offset: Number,
}

/// A motor that turns with several joints, as in the wrists of many arms: along x = q + Σ c_j q_j, q the joint of its link. Its terms are those
/// along x, in units of that joint, and act on all of these joints.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaftDescription {
    /// The other joints (or their links) by name, with their c_j.
    pub with: Vec<(String, Number)>,
    /// Rotor, gear and friction.
    pub motor: MotorDescription,
}

/// The speed at which friction that falls with speed is half of what it was, rad/s or m/s, where a file does not say.
pub const STRIBECK_SPEED: f64 = 0.1;

/// Drive data of a joint. Inertia is the rotor's, on the motor side; stiffness, damping and friction are on the link side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorDescription {
    /// Rotor inertia, kg m² (kg for a linear drive), on the motor side.
    pub inertia: Number,
    /// Gear ratio, motor over joint.
    pub ratio: Number,
    /// Joint stiffness on the link side, N m/rad; its presence makes the joint elastic.
    pub stiffness: Option<Number>,
    /// Damping parallel to the stiffness, N m s/rad.
    pub damping: Number,
    /// Viscous friction, N m s/rad.
    pub viscous: Number,
    /// Coulomb friction, N m.
    pub coulomb: Number,
    /// Viscous friction of the rotor as it is felt at the joint, N m s/rad.
    pub rotor_viscous: Number,
    /// Coulomb friction of the rotor as it is felt at the joint, N m.
    pub rotor_coulomb: Number,
    /// Friction that rises with the root of the speed, N m at 1 rad/s.
    pub root: Option<Number>,
    /// Friction that falls as speed rises (Stribeck), N m at low speed.
    pub stribeck: Option<Number>,
    /// The speed at which it is half of that, rad/s.
    pub stribeck_speed: Number,
    /// Torque that the drive has to give beyond all else, N m.
    pub offset: Option<Number>,
    /// Friction with a memory; along a motion it takes the place of `coulomb`.
    pub hysteresis: Hysteresis,
    /// Friction that rises with the torque that the joint passes on to the links, N m per N m; along a motion only.
    pub load: Number,
    /// Direction of the rotor's axis in the link frame at zero position, fixed to the link before; without it the joint's axis.
    /// Only the complete model of elastic joints asks for it.
    pub axis: Option<[Number; 3]>,
}

impl MotorDescription {
    /// True if it does nothing, as `<dynamics damping="0" friction="0"/>`: files have such entries where there is no drive.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let Self { inertia, ratio, stiffness, damping, offset, axis: _, .. } = self;
        let terms = [Some(*inertia), Some(*damping), *offset];
        let still = terms.iter().flatten().all(|term| term.value == 0.0);
        stiffness.is_none() && ratio.value != 0.0 && still && !self.rubs()
    }

    /// True if it has friction of any kind.
    #[must_use]
    pub fn rubs(&self) -> bool {
        let Self { viscous, coulomb, rotor_viscous, rotor_coulomb, root, stribeck, load, hysteresis, .. } = self;
        let terms = [Some(*viscous), Some(*coulomb), Some(*rotor_viscous), Some(*rotor_coulomb), *root, *stribeck];
        let terms = terms.into_iter().flatten().chain([*load]).map(|term| term.value);
        terms.chain(hysteresis.elements().iter().map(|element| element.strength)).any(|term| term != 0.0)
    }

    /// The same with viscous and Coulomb friction alone, as formats share them, and without an offset.
    #[must_use]
    pub fn with_simple_friction(self) -> Self {
        let Self { viscous, coulomb, rotor_viscous, rotor_coulomb, .. } = self;
        Self { viscous, coulomb, rotor_viscous, rotor_coulomb, offset: None, ..self.without_friction() }
    }

    /// The same without friction of any kind; the offset is none.
    #[must_use]
    pub fn without_friction(self) -> Self {
        Self {
            viscous: Number::ZERO,
            coulomb: Number::ZERO,
            rotor_viscous: Number::ZERO,
            rotor_coulomb: Number::ZERO,
            root: None,
            stribeck: None,
            stribeck_speed: Self::default().stribeck_speed,
            hysteresis: Hysteresis::default(),
            load: Number::ZERO,
            ..self
        }
    }
}

impl Default for MotorDescription {
    fn default() -> Self {
        Self {
            inertia: Number::ZERO,
            ratio: Number::ONE,
            stiffness: None,
            damping: Number::ZERO,
            viscous: Number::ZERO,
            coulomb: Number::ZERO,
            rotor_viscous: Number::ZERO,
            rotor_coulomb: Number::ZERO,
            root: None,
            stribeck: None,
            stribeck_speed: Number::from(STRIBECK_SPEED),
            offset: None,
            hysteresis: Hysteresis::default(),
            load: Number::ZERO,
            axis: None,
        }
    }
}
