//! Random trees over all joint types, for tests.

use crate::model::description::{
    Description, InertiaDescription, JointKind, LinkDescription, MimicDescription, Orientation, Placement,
    ScrewDescription, ScrewKind, standard_gravity,
};
use crate::model::{Model, Number};
use crate::random::Random;

impl Random {
    fn numbers<const N: usize>(&mut self) -> [Number; N] {
        self.array().map(Number::from)
    }

    /// A joint of the kind numbered `kind`, 0 … 9.
    pub(crate) fn joint(&mut self, kind: usize) -> JointKind {
        let (axis, point) = (self.numbers(), self.numbers());
        match kind {
            0 => JointKind::Fixed,
            1 => JointKind::Revolute { axis, point },
            2 => JointKind::Prismatic { axis },
            3 => JointKind::Helical { axis, point, pitch: Number::from(self.signed()) },
            4 => JointKind::Spherical { point },
            5 => JointKind::Planar { axis, point },
            6 => JointKind::Free,
            7 => JointKind::Universal { axes: [axis, self.numbers()], point },
            8 => JointKind::Cylindrical { axis, point },
            _ => {
                let kinds = [ScrewKind::Revolute, ScrewKind::Helical, ScrewKind::Prismatic, ScrewKind::Revolute];
                let factor = |kind| ScrewDescription {
                    kind,
                    axis: self.numbers(),
                    point: self.numbers(),
                    pitch: Number::from(self.signed()),
                };
                JointKind::Composite { sequence: kinds.map(factor).to_vec() }
            }
        }
    }

    /// A tree of every joint type and two coupled joints, in random order and shape, possibly with several roots.
    pub(crate) fn tree(&mut self) -> Model {
        Model::from_description(&self.description()).unwrap()
    }

    /// The description of such a tree.
    pub(crate) fn description(&mut self) -> Description {
        let mut kinds: Vec<usize> = (0..10).chain([1, 2, 11, 12]).collect();
        for i in (1..kinds.len()).rev() {
            kinds.swap(i, self.below(i + 1));
        }
        let mut links: Vec<LinkDescription> = Vec::new();
        for (i, &kind) in kinds.iter().enumerate() {
            // Near the end of the tree more often than not, so that chains are long.
            let parent = match (i, self.below(8)) {
                (0, _) | (_, 0) => "base".to_owned(),
                (_, 1..=5) => format!("link{}", i - 1),
                _ => format!("link{}", self.below(i)),
            };
            let mut link = LinkDescription::new(format!("link{i}"), parent);
            link.joint.name = format!("joint{i}");
            link.placement =
                Placement::Origin { xyz: self.numbers(), orientation: Orientation::Quaternion(self.numbers()) };
            link.joint.kind = self.joint(match kind {
                11 => 1,
                12 => 3,
                kind => kind,
            });
            if kind > 10 {
                // A one-number joint leads, which may stand before or after.
                let leader = kinds.iter().position(|&k| k == kind - 10 || k == 1).unwrap_or(0);
                link.joint.mimic = Some(MimicDescription {
                    joint: format!("joint{leader}"),
                    multiplier: Number::from(self.signed()),
                    offset: Number::from(self.signed()),
                });
            }
            if kind != 0 && self.below(6) != 0 {
                link.mass = Number::from(1.5 + self.signed());
                link.com = self.numbers();
                let d = 1.0 + 0.2 * self.signed();
                link.inertia = InertiaDescription::AboutCom([d, 0.05, -0.02, 1.0, 0.03, 1.1].map(Number::from));
            }
            links.push(link);
        }
        let gravity = standard_gravity();
        Description { name: "random".to_owned(), gravity, allow_unphysical: false, links, states: Vec::new() }
    }

    /// A random position: numbers of order one, quaternions unit.
    pub(crate) fn position(&mut self, model: &Model) -> Vec<f64> {
        let mut q = self.vector(model.nq());
        q.iter_mut().for_each(|x| *x *= 3.0);
        for link in model.links().iter().filter(|link| link.mimic.is_none()) {
            let Some(start) = link.joint.quaternion().map(|at| link.q + at) else { continue };
            let norm = q[start..start + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            q[start..start + 4].iter_mut().for_each(|x| *x /= norm);
        }
        q
    }
}
