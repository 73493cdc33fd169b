//! Where every eliminated parameter goes, and by which equation.

use super::base::{BaseParameters, structures};
use super::exact::Certain;
use super::field::{Field, dot, largest};
use super::geometry::{Geometry, LinkGeometry};
use super::layout::Layout;
use super::nominal::nominal_description;
use super::paper;
use super::regroup::columns_of;
use super::structure::BlockStructure;
use super::subspace::NullVector;
use super::transport::{PER_LINK, generator, polar};
use crate::model::{JointType, Model};
use jourdain_symbolic::Constant;
use std::fmt;

/// Why a parameter is eliminated. GK is Gautier and Khalil 1990.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The link is welded to its parent, or to the ground.
    Welded,
    /// An equation of GK that holds for every joint of this type: (14), (15) or (16).
    Equation(u8),
    /// GK (19) or (20): a slide along the first axis of rotation.
    Slide(u8),
    /// One of the rules of GK III-B: the parameter has no effect.
    Rule(u8),
    /// A joint of another type cannot feel it, whatever moves before it.
    Joint,
    /// The joints before it do not move the link enough to show it.
    Restricted,
    /// Joints that move together do not show it.
    Coupled,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Welded => f.write_str("welded"),
            Self::Equation(number) | Self::Slide(number) => write!(f, "GK ({number})"),
            Self::Rule(number) => write!(f, "GK III-B, rule {number}"),
            Self::Joint => f.write_str("the joint cannot feel it"),
            Self::Restricted => f.write_str("the joints before it do not show it"),
            Self::Coupled => f.write_str("joints that move together do not show it"),
        }
    }
}

/// What becomes of an eliminated parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elimination {
    /// Its column.
    pub column: usize,
    /// The parameters that it is added to or subtracted from, of its own link first, then of the parent: one step of
    /// the way to the base parameters. Those without effect are left out; nothing is left for one without effect.
    pub to: Vec<usize>,
    /// Why.
    pub reason: Reason,
}

/// The eliminated parameters in the order of their columns.
#[must_use]
pub fn eliminations<T: Constant>(model: &Model<T>, base: &BaseParameters) -> Vec<Elimination> {
    let layout = Layout::new(model);
    let no_effect = base.no_effect();
    let (description, _) = nominal_description(model);
    let structures = structures(&Geometry::<Certain>::new(&description), &layout);
    let geometry = Geometry::<f64>::new(&description);
    let serial = Serial::new(model, &geometry);
    let mut eliminations = Vec::new();
    for structure in &structures {
        let columns: Vec<usize> =
            structure.links.iter().flat_map(|it| columns_of(it.link, &layout.armature_columns[it.link])).collect();
        for null in &structure.null {
            let own = (0..columns.len()).filter(|&i| i != null.pivot && !null.vector[i].is_zero());
            let mut to: Vec<usize> = own.map(|i| columns[i]).collect();
            if let Some(top) = structure.top {
                to.extend(carried(structure, null, &columns).map(|i| PER_LINK * top + i));
            }
            to.retain(|column| !no_effect.contains(column));
            let column = columns[null.pivot];
            if no_effect.contains(&column) {
                to.clear();
            }
            let reason = match &structure.links[..] {
                [one] => {
                    let vector = null.vector.iter().map(Certain::value).collect();
                    let null = NullVector { pivot: null.pivot, vector };
                    reason(model, &geometry, one.link, &null, &serial, no_effect.contains(&column))
                }
                _ => Reason::Coupled,
            };
            eliminations.push(Elimination { column, to, reason });
        }
    }
    // Friction of joints that turn together.
    for column in layout.friction.clone().filter(|column| !base.kept().contains(column)) {
        let rows = base.kept().iter().enumerate().filter(|&(row, _)| base.matrix()[(row, column)] != 0.0);
        eliminations.push(Elimination { column, to: rows.map(|(_, &kept)| kept).collect(), reason: Reason::Coupled });
    }
    eliminations.sort_by_key(|elimination| elimination.column);
    eliminations
}

/// The parameters of the top that a null vector moves to.
fn carried(
    structure: &BlockStructure<Certain>,
    null: &NullVector<Certain>,
    columns: &[usize],
) -> impl Iterator<Item = usize> {
    let mut sums = [Certain::zero(); PER_LINK];
    for (&column, n) in columns.iter().zip(&null.vector) {
        // Armatures stand behind all inertial columns and stay where they are.
        let link = structure.links.iter().find(|it| it.link == column / PER_LINK);
        let Some(link) = link.filter(|_| !n.is_zero()) else { continue };
        for (sum, l) in sums.iter_mut().zip(&link.lambda[column % PER_LINK]) {
            *sum = sum.add(&n.mul(l));
        }
    }
    (0..PER_LINK).filter(move |&i| !sums[i].is_zero())
}

fn reason<T: Constant>(
    model: &Model<T>,
    geometry: &Geometry<f64>,
    k: usize,
    null: &NullVector<f64>,
    serial: &Option<Serial>,
    no_effect: bool,
) -> Reason {
    let link = &geometry.links[k];
    if link.steps.is_empty() {
        return Reason::Welded;
    }
    if let Some(rule) = serial.as_ref().filter(|_| no_effect).and_then(|serial| serial.rule(k, null.pivot)) {
        return Reason::Rule(rule);
    }
    let kind = model.links()[k].joint.kind;
    if null.pivot < PER_LINK && never_felt(link, &null.vector[..PER_LINK]) {
        return match (kind, null.pivot) {
            (JointType::Revolute, 0) => Reason::Equation(14),
            (JointType::Revolute, _) => Reason::Equation(15),
            (JointType::Prismatic, _) => Reason::Equation(16),
            _ => Reason::Joint,
        };
    }
    let slide = serial.as_ref().filter(|_| kind == JointType::Prismatic && matches!(null.pivot, 1 | 2));
    slide.and_then(|serial| serial.slide(k, null)).map_or(Reason::Restricted, Reason::Slide)
}

/// True if the joint cannot feel the combination whatever twist and gravity its parent has.
fn never_felt(link: &LinkGeometry<f64>, null: &[f64]) -> bool {
    let unit = |i: usize| -> [f64; 6] { std::array::from_fn(|j| f64::from(u8::from(i == j))) };
    link.steps.iter().flatten().all(|one| {
        let matrix = generator(&one.twist);
        // n · A s = 0 for every s
        let rates = (0..PER_LINK).map(|c| (0..PER_LINK).map(|r| null[r] * matrix[r][c]).sum::<f64>());
        let felt = (0..6).map(|i| dot(&polar(&unit(i), &one.twist), null));
        rates.chain(felt).all(|x| x.is_negligible(largest(null)))
    })
}

/// A serial robot in the paper's frames: revolute and prismatic joints about and along their links' z.
struct Serial {
    /// The moving links.
    links: Vec<usize>,
    joints: Vec<paper::Joint<f64>>,
    gravity: [f64; 3],
    /// Cosine and sine of the twist between each link's z and the one before.
    twists: Vec<(f64, f64)>,
}

impl Serial {
    fn new<T: Constant>(model: &Model<T>, geometry: &Geometry<f64>) -> Option<Self> {
        let moving = geometry.links.iter().take_while(|link| !link.steps.is_empty()).count();
        // Links welded on behind the last joint do no harm.
        if geometry.links[moving..].iter().any(|link| !link.steps.is_empty()) {
            return None;
        }
        let mut serial =
            Self { links: (0..moving).collect(), joints: Vec::new(), gravity: geometry.gravity, twists: Vec::new() };
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (k, link) in geometry.links[..moving].iter().enumerate() {
            if link.parent != k.checked_sub(1) {
                return None;
            }
            let [[one]] = link.steps.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] else { return None };
            let revolute = match model.links()[k].joint.kind {
                JointType::Revolute => true,
                JointType::Prismatic => false,
                _ => return None,
            };
            let along = if revolute { [0.0, 0.0, 0.0, 0.0, 0.0, 1.0] } else { [0.0, 0.0, 1.0, 0.0, 0.0, 0.0] };
            if one.twist.iter().zip(along).any(|(a, b)| (a.abs() - b).abs() > 1e-9) {
                return None;
            }
            let rotation = &link.placement.rotation;
            let turned = |row: &[f64; 3], c: usize| (0..3).map(|i| row[i] * rotation[i][c]).sum::<f64>();
            axes = axes.map(|row| std::array::from_fn(|c| turned(&row, c)));
            serial.joints.push(paper::Joint { revolute, axis: axes.map(|row| row[2]) });
            serial.twists.push((rotation[2][2], rotation[1][2].hypot(rotation[0][2])));
        }
        Some(serial)
    }

    /// The rule of III-B by which a parameter, in jourdain's order, has no effect.
    fn rule(&self, link: usize, parameter: usize) -> Option<u8> {
        let at = self.links.iter().position(|&other| other == link)?;
        let parameter = paper::PLACES.iter().position(|&place| place == parameter)?;
        let found = paper::without_effect(&self.joints, &self.gravity);
        found.iter().find(|found| found.link == at && found.parameter == parameter).map(|found| found.rule)
    }

    /// GK (19) or (20), if the link slides along the first axis of rotation and nothing stays with it.
    fn slide(&self, link: usize, null: &NullVector<f64>) -> Option<u8> {
        let first = self.joints.iter().find(|joint| joint.revolute)?;
        let axis = &self.joints[link].axis;
        let (a, b) = (axis, &first.axis);
        let along = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).abs();
        let alone = (0..PER_LINK).all(|i| i == null.pivot || null.vector[i].is_negligible(1.0));
        let (cos, sin) = self.twists[link];
        match (along > 1.0 - 1e-9 && alone, sin.abs() < 1e-9, cos.abs() < 1e-9) {
            (true, true, _) => Some(19),
            (true, _, true) => Some(20),
            _ => None,
        }
    }
}
