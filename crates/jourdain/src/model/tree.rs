//! The model: a tree of links, its numbering, and the names to find things by.
//!
//! Links stand in the order of `q`, parents before children; several may stand on the ground. A *column* is one velocity
//! number of one joint; without coupled joints columns and velocities are the same thing.

use super::body_tree::BodyTree;
use super::description::Description;
use super::formula::Formula;
use super::link::{Column, Link, Shaft};
use crate::spatial::{Inertia, Vector};
use jourdain_symbolic::{Constant, Scalar};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Angles this near to a multiple of 15° count as that multiple in everything about base parameters, rad, unless somebody
/// asks for something else.
pub const SNAP: f64 = 1e-5;

/// What a model was built from, and what has been found out about its geometry since. It is shared by all copies of the
/// model and is no part of what makes two models equal.
#[derive(Clone, Debug)]
pub(super) struct Source {
    description: Arc<Description>,
    names: Arc<Names>,
    /// How near to a special angle one is taken as that for base parameters, rad.
    snap: f64,
    base_columns: Arc<OnceLock<Vec<usize>>>,
    base_labels: Arc<OnceLock<Vec<String>>>,
}

impl Source {
    /// The description, its links in the order of the model's.
    pub fn new(description: Description) -> Self {
        let names = Arc::new(Names::new(&description));
        Self {
            description: Arc::new(description),
            names,
            snap: SNAP,
            base_columns: Arc::default(),
            base_labels: Arc::default(),
        }
    }
}

/// Links by name and by the name of their joint.
#[derive(Debug)]
struct Names {
    links: HashMap<Box<str>, usize>,
    /// Those joints that are not called as their link.
    joints: HashMap<Box<str>, usize>,
}

impl Names {
    fn new(description: &Description) -> Self {
        let links = || description.links.iter().enumerate();
        let named = links().filter(|(_, link)| link.joint.name != link.name);
        Self {
            links: links().map(|(number, link)| (link.name.as_str().into(), number)).collect(),
            joints: named.map(|(number, link)| (link.joint.name.as_str().into(), number)).collect(),
        }
    }
}

impl PartialEq for Source {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A tree robot. `T` is what its constants are made of: `f64`, or symbols.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<T = f64> {
    name: String,
    gravity: Vector<T>,
    links: Vec<Link<T>>,
    columns: Vec<Column<T>>,
    nq: usize,
    nv: usize,
    body_tree: BodyTree<T>,
    source: Source,
    nominal: Nominal<T>,
}

/// The robot that base parameters are about, where it is another one, once it is known; no part of what makes two models
/// equal.
#[derive(Clone, Debug)]
struct Nominal<T>(Arc<OnceLock<Option<Box<Model<T>>>>>);

impl<T> Default for Nominal<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> PartialEq for Nominal<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T: Constant> Model<T> {
    /// Numbers the positions, velocities and columns of links that stand in order.
    pub(super) fn assemble(name: String, gravity: Vector<T>, mut links: Vec<Link<T>>, source: Source) -> Self {
        let (mut nq, mut nv, mut columns) = (0, 0, Vec::new());
        for i in 0..links.len() {
            let link = &mut links[i];
            (link.q, link.v, link.column) = (nq, nv, columns.len());
            if link.mimic.is_none() {
                nq += link.joint.nq();
                nv += link.joint.nv();
            }
        }
        for i in 0..links.len() {
            let leader = links[i].mimic.map(|mimic| (links[mimic.leader].q, links[mimic.leader].v));
            let link = &mut links[i];
            link.column = columns.len();
            if let (Some(mimic), Some((q, v))) = (&mut link.mimic, leader) {
                (mimic.q, mimic.v) = (q, v);
            }
            let own = link.v;
            if let Some(shaft) = &mut link.shaft {
                (shaft.row, shaft.q) = (vec![(own, T::from_f64(1.0))], vec![link.q]);
            }
            for local in 0..link.joint.nv() {
                let (dof, factor) = match &link.mimic {
                    Some(mimic) => (mimic.v, Some(mimic.multiplier)),
                    None => (link.v + local, None),
                };
                columns.push(Column { link: i, local, dof, factor });
            }
        }
        let first: Vec<[usize; 2]> = links.iter().map(|link| [link.q, link.v]).collect();
        for shaft in links.iter_mut().filter_map(|link| link.shaft.as_mut()) {
            for (link, factor) in &shaft.with {
                let [q, v] = first[*link];
                shaft.q.push(q);
                shaft.row.push((v, *factor));
            }
        }
        Self {
            name,
            gravity,
            links,
            columns,
            nq,
            nv,
            body_tree: BodyTree::empty(),
            source,
            nominal: Nominal::default(),
        }
    }

    /// The same robot with other constants for its links, which stay in their order. Directions are numbers, all else may
    /// be symbols.
    pub(crate) fn rebuilt<U: Constant>(&self, gravity: Vector<U>, links: Vec<Link<U>>) -> Model<U> {
        let model = Model::assemble(self.name.clone(), gravity, links, self.source.clone());
        let tree = BodyTree::new(&model);
        model.with_body_tree(tree)
    }

    /// The copy that the fast algorithms run on.
    #[must_use]
    pub fn body_tree(&self) -> &BodyTree<T> {
        &self.body_tree
    }

    pub(super) fn with_body_tree(mut self, tree: BodyTree<T>) -> Self {
        self.body_tree = tree;
        self
    }

    /// The robot's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gravitational acceleration in ground axes, m/s².
    #[must_use]
    pub fn gravity(&self) -> Vector<T> {
        self.gravity
    }

    /// The links in the order of `q`.
    #[must_use]
    pub fn links(&self) -> &[Link<T>] {
        &self.links
    }

    /// The columns: every velocity number of every joint, coupled joints included.
    #[must_use]
    pub fn columns(&self) -> &[Column<T>] {
        &self.columns
    }

    /// The columns of one link's joint.
    #[must_use]
    pub fn columns_of(&self, link: usize) -> std::ops::Range<usize> {
        let start = self.links[link].column;
        start..start + self.links[link].joint.nv()
    }

    /// Length of `q`.
    #[must_use]
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Length of the velocity: the degrees of freedom.
    #[must_use]
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// True if some joint is coupled to another.
    #[must_use]
    pub fn has_mimic(&self) -> bool {
        self.columns.iter().any(|column| column.factor.is_some())
    }

    /// Index of the link of that name.
    #[must_use]
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.source.names.links.get(name).copied()
    }

    /// Index of the link whose joint has that name.
    #[must_use]
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        let named = self.source.names.joints.get(name).copied();
        named.or_else(|| self.link_index(name).filter(|&link| self.links[link].joint_name == name))
    }

    /// The link and its ancestors, from the link to the root.
    pub fn chain(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(link), |&i| self.links[i].parent)
    }

    /// Sum of all masses, kg.
    #[must_use]
    pub fn total_mass(&self) -> T {
        self.links.iter().fold(T::zero(), |sum, link| sum + link.inertia.mass)
    }

    /// The position with every joint at zero and every quaternion at the identity.
    #[must_use]
    pub fn neutral<S: Scalar>(&self) -> Vec<S> {
        let mut q = vec![S::zero(); self.nq];
        for link in self.links.iter().filter(|link| link.mimic.is_none()) {
            link.joint.neutral_into(&mut q[link.q..link.q + link.joint.nq()]);
        }
        q
    }

    /// The motors that turn with several joints, with the links that they belong to.
    pub fn shafts(&self) -> impl Iterator<Item = (&Link<T>, &Shaft<T>)> + '_ {
        self.links.iter().filter_map(|link| Some((link, link.shaft.as_deref()?)))
    }

    /// What holds joints beside their motors, with the links that they belong to.
    pub fn balances(&self) -> impl Iterator<Item = (&Link<T>, &Formula)> + '_ {
        self.links.iter().filter_map(|link| Some((link, link.balance.as_deref()?)))
    }

    /// The rates of the position numbers for a velocity `w`: `w` itself but for spherical and free joints.
    pub fn position_rate_into<S: Scalar<Constant = T>>(&self, q: &[S], w: &[S], rate: &mut [S]) {
        for link in self.links.iter().filter(|link| link.mimic.is_none()) {
            let (nq, nv) = (link.joint.nq(), link.joint.nv());
            let positions = link.q..link.q + nq;
            link.joint.position_rate_into(&q[positions.clone()], &w[link.v..link.v + nv], &mut rate[positions]);
        }
    }

    /// The same model with every constant mapped: numbers to symbols, or to another kind of number.
    #[must_use]
    pub fn map<U: Constant>(&self, f: &mut impl FnMut(T) -> U) -> Model<U> {
        super::map::map(self, f)
    }

    pub(super) fn parts(&self) -> (&str, Vector<T>, &[Link<T>], &Source) {
        (&self.name, self.gravity, &self.links, &self.source)
    }

    /// The description that the model was built from, its links in the order of the model's. Of a regrouped model it is
    /// the original's, which has the same geometry.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.source.description
    }

    /// How near to a multiple of 15° an angle counts as that multiple in everything about base parameters, rad.
    #[must_use]
    pub fn snap(&self) -> f64 {
        self.source.snap
    }

    /// The same robot with another distance within which angles count as special; with 0 they are as written.
    #[must_use]
    pub fn with_snap(mut self, distance: f64) -> Self {
        self.source.snap = distance;
        (self.source.base_columns, self.source.base_labels) = (Arc::default(), Arc::default());
        self.nominal = Nominal::default();
        self
    }

    /// The robot that base parameters are about; `find` is asked the first time, and has none if it is this one.
    pub(crate) fn nominal_or(&self, find: impl FnOnce() -> Option<Self>) -> &Self {
        self.nominal.0.get_or_init(|| find().map(Box::new)).as_deref().unwrap_or(self)
    }

    /// The same with the robot that base parameters are about, if it is another one.
    pub(crate) fn with_nominal(mut self, nominal: Option<Self>) -> Self {
        self.nominal = Nominal(Arc::new(OnceLock::from(nominal.map(Box::new))));
        self
    }

    /// The regressor columns that base parameters keep; `find` is asked the first time.
    pub(crate) fn base_columns_or(&self, find: impl FnOnce() -> Vec<usize>) -> &[usize] {
        self.source.base_columns.get_or_init(find)
    }

    /// The names of the base parameters; `find` is asked the first time.
    pub(crate) fn base_labels_or(&self, find: impl FnOnce() -> Vec<String>) -> &[String] {
        self.source.base_labels.get_or_init(find)
    }
}

impl Model<f64> {
    /// The same robot with other inertias, one per link, and rotors of some drives taken away.
    pub(crate) fn with_inertias(&self, inertias: &[Inertia<f64>], without_rotor: &[usize]) -> Self {
        let mut links = self.links.clone();
        for (index, (link, inertia)) in links.iter_mut().zip(inertias).enumerate() {
            link.inertia = *inertia;
            if let Some(motor) = link.motor.as_mut().filter(|_| without_rotor.contains(&index)) {
                motor.inertia = 0.0;
            }
        }
        self.rebuilt(self.gravity, links)
    }

    /// The position reached from `q` by the motion T·exp(δ) of each joint, in place.
    pub fn retract(&self, q: &mut [f64], delta: &[f64]) {
        for link in self.links.iter().filter(|link| link.mimic.is_none()) {
            let (nq, nv) = (link.joint.nq(), link.joint.nv());
            link.joint.retract(&mut q[link.q..link.q + nq], &delta[link.v..link.v + nv]);
        }
    }
}
