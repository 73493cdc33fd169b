//! The arm: a chain of flexible links in a plane with hubs at its joints and a payload at its tip, as the constants that its
//! equations are made of.
//!
//! q = (θ₁ … θₙ, δ₁₁ … δ₁ₘ, …, δₙ₁ … δₙₘ): first all joint angles, then the deflections of link after link. A link without
//! modes is rigid. Constants may be numbers or symbols; nothing is assumed of the mode shapes but that they are clamped, so
//! that shapes of other bases than [`modes`](super::modes) work as well.

use super::slopes::Slopes;
use super::tables::Tables;
use jourdain_symbolic::Constant;
use std::ops::Range;

/// How far deflections are kept in the kinematics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kinematics {
    /// As in the paper: linear frame transformations, the inertia matrix to first order in the deflections.
    #[default]
    Paper,
    /// Linear frame transformations, nothing dropped.
    Linear,
    /// The frame at the end of a link turned by the slope, nothing dropped.
    Rotation,
    /// As `Rotation`, and links keep their length to second order in the deflections: geometric stiffness.
    Stiffened,
    /// As `Rotation`, and links keep their length exactly, by quadrature: for numbers, not for formulas.
    Exact,
}

impl Kinematics {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Paper, Self::Linear, Self::Rotation, Self::Stiffened, Self::Exact];

    /// The word that files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Linear => "linear",
            Self::Rotation => "rotation",
            Self::Stiffened => "stiffened",
            Self::Exact => "exact",
        }
    }

    /// True if links keep their length, without which spin does not stiffen them nor load make them buckle.
    #[must_use]
    pub fn is_stiffened(self) -> bool {
        match self {
            Self::Paper | Self::Linear | Self::Rotation => false,
            Self::Stiffened | Self::Exact => true,
        }
    }
}

/// A body at the tip of the last link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payload<T> {
    /// kg
    pub mass: T,
    /// About the tip, kg m².
    pub inertia: T,
}

/// The constants of a link, DS (24), with those of the hub that drives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link<T> {
    /// ℓ, m
    pub length: T,
    /// m, DS (24a), kg
    pub mass: T,
    /// m d, DS (24b), kg m
    pub first_moment: T,
    /// J_o about the joint, DS (24c), kg m²
    pub inertia: T,
    /// m_h, kg
    pub hub_mass: T,
    /// J_h, kg m²
    pub hub_inertia: T,
    /// v of each mode, DS (24d), kg
    pub v: Vec<T>,
    /// w of each mode, DS (24e), kg m
    pub w: Vec<T>,
    /// z of all pairs of modes, DS (24f), row by row, kg
    pub z: Vec<T>,
    /// k of all pairs of modes, DS (24g), row by row, N/m
    pub stiffness: Vec<T>,
    /// φ at the end, of each mode
    pub tip: Vec<T>,
    /// φ' at the end, of each mode, 1/m
    pub tip_slope: Vec<T>,
    /// Integrals over the slopes of the modes; [`Slopes::none`] serves kinematics without foreshortening.
    pub slopes: Slopes<T>,
    /// Structural damping of each mode, N s/m
    pub damping: Vec<T>,
    /// Friction of the joint that drives the link, N m s
    pub viscous: T,
}

impl<T: Constant> Link<T> {
    /// The number of modes.
    #[must_use]
    pub fn mode_count(&self) -> usize {
        self.tip.len()
    }
}

/// A planar arm with flexible links.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleArm<T> {
    name: String,
    gravity: [T; 2],
    kinematics: Kinematics,
    payload: Payload<T>,
    links: Vec<Link<T>>,
    /// Where the deflections of each link stand in q.
    starts: Vec<usize>,
    tables: Tables<T>,
    /// Whether slopes beyond what the kinematics bear are accepted.
    pub(super) is_trusted: bool,
}

impl<T: Constant> FlexibleArm<T> {
    /// Assembles an arm; `gravity` is the acceleration of a falling body in the plane.
    ///
    /// # Panics
    /// If the lists of a link differ in their number of modes.
    #[must_use]
    pub fn new(
        name: String,
        gravity: [T; 2],
        kinematics: Kinematics,
        payload: Payload<T>,
        links: Vec<Link<T>>,
    ) -> Self {
        let mut starts = vec![links.len()];
        for link in &links {
            let m = link.mode_count();
            let lengths = [link.v.len(), link.w.len(), link.tip_slope.len(), link.damping.len()];
            assert!(lengths.iter().all(|&length| length == m), "modes of a link");
            assert!(link.z.len() == m * m && link.stiffness.len() == m * m, "pairs of modes of a link");
            assert!(link.slopes.fits(m), "slopes of the modes of a link");
            starts.push(starts[starts.len() - 1] + m);
        }
        let tables = Tables::new(&links, &payload, &starts);
        Self { name, gravity, kinematics, payload, links, starts, tables, is_trusted: false }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The acceleration of a falling body, m/s².
    #[must_use]
    pub fn gravity(&self) -> [T; 2] {
        self.gravity
    }

    /// True if gravity acts in the plane.
    #[must_use]
    pub fn has_gravity(&self) -> bool {
        self.gravity.iter().any(|g| !g.is_zero())
    }

    /// How far deflections are kept.
    #[must_use]
    pub fn kinematics(&self) -> Kinematics {
        self.kinematics
    }

    /// The body at the tip.
    #[must_use]
    pub fn payload(&self) -> &Payload<T> {
        &self.payload
    }

    /// The links from the base to the tip.
    #[must_use]
    pub fn links(&self) -> &[Link<T>] {
        &self.links
    }

    /// n, the number of joints.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.links.len()
    }

    /// N, the number of coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        self.starts[self.links.len()]
    }

    /// Where the deflections of a link stand in q.
    #[must_use]
    pub fn deflections(&self, link: usize) -> Range<usize> {
        self.starts[link]..self.starts[link + 1]
    }

    /// The coefficients of the inertia matrix.
    #[must_use]
    pub fn tables(&self) -> &Tables<T> {
        &self.tables
    }

    /// The same arm with other kinematics.
    #[must_use]
    pub fn with_kinematics(mut self, kinematics: Kinematics) -> Self {
        self.kinematics = kinematics;
        self
    }

    /// The same mode shapes with another payload: cheap, and every deflection keeps its meaning.
    #[must_use]
    pub fn with_payload(self, payload: Payload<T>) -> Self {
        let is_trusted = self.is_trusted;
        Self { is_trusted, ..Self::new(self.name, self.gravity, self.kinematics, payload, self.links) }
    }

    /// The same arm with other structural damping.
    #[must_use]
    pub fn with_damping(mut self, damping: impl Fn(usize, usize) -> T) -> Self {
        for (i, link) in self.links.iter_mut().enumerate() {
            link.damping = (0..link.mode_count()).map(|j| damping(i, j)).collect();
        }
        self
    }

    /// D, which is diagonal: joint friction, then structural damping.
    #[must_use]
    pub fn damping(&self) -> Vec<T> {
        let joints = self.links.iter().map(|link| link.viscous);
        joints.chain(self.links.iter().flat_map(|link| link.damping.iter().copied())).collect()
    }

    /// The entries of K that are not zero: row, column, value.
    pub fn stiffness(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        self.links.iter().enumerate().flat_map(move |(i, link)| {
            let (m, start) = (link.mode_count(), self.starts[i]);
            let all = link.stiffness.iter().enumerate();
            all.filter(|(_, k)| !k.is_zero()).map(move |(place, &k)| (start + place / m, start + place % m, k))
        })
    }

    /// What the coordinates are called: `theta1`, …, `delta11`, …; from the tenth link or mode on `delta1_10`.
    #[must_use]
    pub fn coordinate_names(&self) -> Vec<String> {
        let wide = self.links.len() > 9 || self.links.iter().any(|link| link.mode_count() > 9);
        let separator = if wide { "_" } else { "" };
        let mut names: Vec<String> = (1..=self.links.len()).map(|i| format!("theta{i}")).collect();
        for (link, i) in self.links.iter().zip(1..) {
            names.extend((1..=link.mode_count()).map(|j| format!("delta{i}{separator}{j}")));
        }
        names
    }
}
