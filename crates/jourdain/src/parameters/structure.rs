//! Which parameters the motion of a tree cannot tell apart, joint by joint.
//!
//! From the root outwards each link carries three spaces: V, spanned by the twists it can have; S, by the values of
//! e = ∂E/∂π; G, by those of ∂U/∂π. A joint with generators Φ_i closes them under its motion (generators ad Φ_i on V and A_i
//! on S and G, dλ/dq = A λ) and adds Φ_i to V and b(v, Φ_i) to S. Parameters π of the link and armatures Ia_i of its joint
//! have no part in the joint's own equation if
//!
//! - π · b(v, Φ_i) = 0 for all twists v that the parent can give the link, and π · b(Φ_i, Φ_k) + δ_ik Ia_i = 0
//! - π · A_i s = 0 and π · A_i g = 0: what is left does not depend on the joint's position
//!
//! and then act as λᵀ π on the parent. Taken from the leaves inwards the conditions decouple, so the number of base
//! parameters is the sum of the ranks of these rows, exactly, for any tree and any gravity. Generalises GK (14)–(20).
//!
//! Traps. Joints must move independently: a coupled joint shares its velocity with another one and its conditions are those of
//! its block; see `coupled`. And the energy ½ Σ Ia_i ξ_i² of rotors is not all of their torque where the velocities ξ of a
//! joint are no rates of coordinates: spherical and free joints have [further conditions](rotor_conditions).

use super::field::{Field, largest};
use super::geometry::{Generator, Geometry, LinkGeometry};
use super::subspace::{NullVector, Subspace};
use super::transport::{Matrix10, PER_LINK, bracket, energy_in, energy_rate, lambda, polar, twist_in};

/// The order in which a link's parameters are kept: mX, mY, ZZ, YZ, XZ, XY, XX, YY, mZ, m. What is eliminated comes from the
/// back, as in GK: m, mZ, YY.
pub(super) const KEEP: [usize; PER_LINK] = [1, 2, 9, 8, 6, 5, 4, 7, 3, 0];

/// The coordinates that a body's inertia is eliminated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ.
    Standard,
    /// m, mX, mY, mZ and E = ∫ r rᵀ dm = ½ tr(I)·1 − I: Exx, Exy, Exz, Eyy, Eyz, Ezz.
    PseudoInertia,
}

impl Coordinates {
    /// The order in which parameters are kept.
    fn order(self) -> [usize; PER_LINK] {
        match self {
            Self::Standard => KEEP,
            // hX, hY, Exx, Exy, Eyy, Exz, Eyz, Ezz, hZ, m
            Self::PseudoInertia => [1, 2, 4, 5, 7, 6, 8, 9, 3, 0],
        }
    }

    /// A linear form in the standard parameters as one in these: I = tr(E)·1 − E.
    fn form<F: Field>(self, form: &[F]) -> Vec<F> {
        match self {
            Self::Standard => form.to_vec(),
            Self::PseudoInertia => {
                let mut out = form.to_vec();
                (out[4], out[7], out[9]) = (form[7].add(&form[9]), form[4].add(&form[9]), form[4].add(&form[7]));
                for i in [5, 6, 8] {
                    out[i] = form[i].neg();
                }
                out
            }
        }
    }

    /// Standard parameters in these coordinates.
    pub fn parameters<F: Field>(self, pi: &[F]) -> Vec<F> {
        match self {
            Self::Standard => pi.to_vec(),
            Self::PseudoInertia => {
                let half = F::integer(2).inverse();
                let trace = pi[4].add(&pi[7]).add(&pi[9]).mul(&half);
                let mut out: Vec<F> = pi.to_vec();
                for i in [4, 7, 9] {
                    out[i] = trace.sub(&pi[i]);
                }
                for i in [5, 6, 8] {
                    out[i] = pi[i].neg();
                }
                out
            }
        }
    }

    /// λ such that λᵀ takes a body's parameters, in these coordinates, to the parent.
    fn lambda<F: Field>(self, lambda: Matrix10<F>) -> Matrix10<F> {
        if self == Self::Standard {
            return lambda;
        }
        let columns: Vec<Vec<F>> =
            (0..PER_LINK).map(|c| self.form(&lambda.iter().map(|row| row[c].clone()).collect::<Vec<_>>())).collect();
        (0..PER_LINK)
            .map(|r| self.parameters(&columns.iter().map(|column| column[r].clone()).collect::<Vec<_>>()))
            .collect()
    }
}

/// What is known of joints that are taken together: one, or coupled ones.
#[derive(Clone, Debug)]
pub(crate) struct BlockStructure<F> {
    /// The link that they hang on; `None` for the ground.
    pub top: Option<usize>,
    /// Their links, parents first.
    pub links: Vec<BlockLink<F>>,
    /// Combinations of the parameters and armatures of all of them, link by link, that move to the top, in reduced form.
    pub null: Vec<NullVector<F>>,
}

/// A link of a block.
#[derive(Clone, Debug)]
pub(crate) struct BlockLink<F> {
    pub link: usize,
    /// λ of its frame in the top's, all joints at zero.
    pub lambda: Matrix10<F>,
}

/// The spaces of a link.
#[derive(Clone, Debug)]
pub(super) struct Reach<F> {
    pub twists: Subspace<F>,
    pub kinetic: Subspace<F>,
    pub potential: Subspace<F>,
}

impl<F: Field> Reach<F> {
    /// The ground: at rest, GK (A10), with ∂U/∂π of gravity, GK (A12).
    pub fn ground(gravity: &[F; 3]) -> Self {
        let mut potential = Subspace::empty();
        let mut row = vec![F::zero(); PER_LINK];
        row[1..4].clone_from_slice(gravity);
        potential.insert(row, 0.0);
        Self { twists: Subspace::empty(), kinetic: Subspace::empty(), potential }
    }

    /// The same spaces in the frame of the next link, at zero position.
    fn placed(&self, link: &LinkGeometry<F>) -> Self {
        // Placements are invertible: all that a link can do, the next can.
        let carry = |space: &Subspace<F>, width: usize, map: &dyn Fn(&[F]) -> Vec<F>| {
            if space.is_full(width) {
                return Subspace::full(width);
            }
            let mut carried = Subspace::empty();
            for row in space.rows() {
                carried.insert(map(row), largest(row));
            }
            carried
        };
        let energy = |row: &[F]| energy_in(&link.placement, row);
        Self {
            twists: carry(&self.twists, 6, &|row| twist_in(&link.placement, row).to_vec()),
            kinetic: carry(&self.kinetic, PER_LINK, &energy),
            potential: carry(&self.potential, PER_LINK, &energy),
        }
    }

    /// Moves on by one step of a joint and adds its conditions; `armatures` are the columns behind the ten, if any.
    fn step(&mut self, generators: &[Generator<F>], armatures: &[Option<usize>], rows: &mut Subspace<F>, width: usize) {
        let brackets: Vec<_> = generators.iter().map(|g| |v: &[F]| bracket(&g.twist, v).to_vec()).collect();
        let rates: Vec<_> = generators.iter().map(|g| |e: &[F]| energy_rate(&g.twist, e)).collect();
        let twist_size = generators.iter().fold(0.0, |size: f64, g| size.max(largest(&g.twist)));
        let rate_size = 2.0 * twist_size;
        self.twists.close_under(&brackets, twist_size);
        self.kinetic.close_under(&rates, rate_size);
        self.potential.close_under(&rates, rate_size);

        let mut condition = |mut row: Vec<F>, scale: f64, armature: Option<(usize, F)>| {
            row.resize(width, F::zero());
            if let Some((column, square)) = armature {
                row[column] = square;
            }
            rows.insert(row, scale);
        };
        for (i, one) in generators.iter().enumerate() {
            for v in self.twists.rows() {
                condition(polar(v, &one.twist), largest(v) * twist_size, None);
            }
            for (k, other) in generators.iter().enumerate().skip(i) {
                let armature = armatures[i].filter(|_| i == k).map(|column| (column, one.square.clone()));
                condition(polar(&one.twist, &other.twist), twist_size * twist_size, armature);
            }
            for e in self.kinetic.rows().iter().chain(self.potential.rows()) {
                condition(rates[i](e), rate_size * largest(e), None);
            }
        }

        for terms in rotor_conditions(generators.len()) {
            let mut row = vec![F::zero(); width];
            for (i, sign) in terms {
                if let Some(column) = armatures[i] {
                    row[column] = F::integer(sign);
                }
            }
            condition(row, 1.0, None);
        }

        for one in generators {
            self.twists.insert(one.twist.to_vec(), twist_size);
        }
        for one in generators {
            for v in self.twists.rows() {
                self.kinetic.insert(polar(v, &one.twist), largest(v) * twist_size);
            }
        }
    }
}

/// What rotors of one step must satisfy besides the conditions of the energy, as sums of ± Ia that vanish.
///
/// A rotor adds Ia_i ξ̇_i to the torque and no gyroscopic term. A link inertia with the same energy adds the terms of Poincaré's
/// equations as well, so the two cancel only if those vanish: c_il^k Ia_k + c_ik^l Ia_l = 0 with [Φ_i, Φ_l] = Σ c_il^k Φ_k. For
/// three rotations these are Ia_x = Ia_y = Ia_z; for a free joint, slides first, the three of the slides are zero too. Joints
/// whose velocities are rates of coordinates have steps of one generator, and no such condition.
pub(super) fn rotor_conditions(generators: usize) -> Vec<Vec<(usize, i32)>> {
    let equal = |i: usize| vec![(i, 1), (i + 1, -1)];
    match generators {
        3 => vec![equal(0), equal(1)],
        6 => vec![vec![(0, 1)], vec![(1, 1)], vec![(2, 1)], equal(3), equal(4)],
        _ => Vec::new(),
    }
}

/// The columns behind the ten of the armatures of every step of a joint; `armatures` are the velocity numbers that have one.
pub(super) fn armature_columns<F>(link: &LinkGeometry<F>, armatures: &[usize]) -> Vec<Vec<Option<usize>>> {
    let column = |local: usize| armatures.iter().position(|&other| other == local).map(|at| PER_LINK + at);
    let mut first = 0;
    let mut of_step = |step: &Vec<Generator<F>>| {
        first += step.len();
        (first - step.len()..first).map(column).collect()
    };
    link.steps.iter().map(&mut of_step).collect()
}

/// The spaces of a link whose joint moves independently of those before it, and the conditions of the joint.
pub(super) fn move_on<F: Field>(
    parent: &Reach<F>,
    link: &LinkGeometry<F>,
    armatures: &[usize],
) -> (Reach<F>, Subspace<F>) {
    let mut reach = parent.placed(link);
    let mut rows = Subspace::empty();
    for (step, columns) in link.steps.iter().zip(armature_columns(link, armatures)) {
        reach.step(step, &columns, &mut rows, PER_LINK + armatures.len());
    }
    (reach, rows)
}

/// A block of one joint, out of its conditions.
pub(super) fn single<F: Field>(
    at: usize,
    link: &LinkGeometry<F>,
    width: usize,
    mut rows: Subspace<F>,
    coordinates: Coordinates,
) -> BlockStructure<F> {
    if coordinates != Coordinates::Standard {
        let forms: Vec<_> = rows.rows().iter().map(|row| coordinates.form(row)).collect();
        rows = Subspace::empty();
        for form in forms {
            rows.insert(form, 0.0);
        }
    }
    let order: Vec<usize> = coordinates.order().into_iter().chain(PER_LINK..width).collect();
    let lambda = coordinates.lambda(lambda(&link.placement));
    BlockStructure {
        top: link.parent,
        links: vec![BlockLink { link: at, lambda }],
        null: rows.null_vectors(width, &order),
    }
}

/// The structure of every joint of a robot whose joints are not coupled. `armatures` has, per link, the velocity numbers of
/// its joint that have one.
pub(crate) fn analyse<F: Field>(
    geometry: &Geometry<F>,
    armatures: &[Vec<usize>],
    coordinates: Coordinates,
) -> Vec<BlockStructure<F>> {
    let ground = Reach::ground(&geometry.gravity);
    let mut reaches: Vec<Reach<F>> = Vec::with_capacity(geometry.links.len());
    let mut structures = Vec::with_capacity(geometry.links.len());
    for (at, (link, armatures)) in geometry.links.iter().zip(armatures).enumerate() {
        let parent = link.parent.map_or(&ground, |parent| &reaches[parent]);
        let (reach, rows) = move_on(parent, link, armatures);
        structures.push(single(at, link, PER_LINK + armatures.len(), rows, coordinates));
        reaches.push(reach);
    }
    structures
}
