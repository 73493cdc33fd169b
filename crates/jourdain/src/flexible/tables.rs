//! The coefficients of the inertia matrix to first order in the deflections, for any number of links and modes.
//!
//! B(q) = B₀ + Σ_{a<b} [ cos T_ab C_ab + sin T_ab Σ_k δ_k S_ab,k ],   T_ab = θ_{a+1} + … + θ_b
//!
//! With plane vectors as complex numbers a column of the Jacobian of any point is Σ_a e^{iΘ_a} (i U_a + V_a), where a counts the
//! links up to the point, U_a is constant and V_a linear in the deflections. The square of that is B; what U U leaves at
//! a = b is B₀, at a < b C_ab, and U V − V U makes S_ab. Products V V are of second order and dropped. Hence deflections
//! always come with a sine, as DS remark under (32) for two links.
//!
//! Only the end of link a counts for what lies beyond it, so that with u, v the U, V of its end and P_b, Q_b the first moments of
//! all that link b carries, itself included,
//!
//! C_ab = u_a P_bᵀ + P_b u_aᵀ,   S_ab,k = u_a Q_b,kᵀ − v_a,k P_bᵀ + transposed.
//!
//! Trap: frame transformations are linear, DS (1), (7), so that in V the derivative by a deflection of link s leaves the slope
//! of link s out. With it one gets the first order of exact rotations, which is another model.
//!
//! # Reference
//! DS (1)–(11), (32); the general form is the same rule for any n.

use super::arm::{Link, Payload};
use jourdain_symbolic::Constant;
use std::ops::Range;

/// An entry of a symmetric matrix, row ≤ column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<T> {
    /// Row.
    pub row: usize,
    /// Column.
    pub column: usize,
    /// Value.
    pub value: T,
}

/// An entry of S_ab: its coefficients by deflection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SineEntry {
    /// Row.
    pub row: usize,
    /// Column.
    pub column: usize,
    /// Where its terms stand in [`Pair::sine_terms`].
    pub terms: Range<usize>,
}

/// What a pair of links gives to B.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<T> {
    /// Link a.
    pub inner: usize,
    /// Link b > a.
    pub outer: usize,
    /// C_ab, upper triangle without zeros.
    pub cosine: Vec<Entry<T>>,
    /// S_ab, upper triangle without zeros.
    pub sine: Vec<SineEntry>,
    /// Deflection (its place in q) and coefficient of each term of S_ab.
    pub sine_terms: Vec<(usize, T)>,
}

/// B₀, C_ab, S_ab and the first moments that gravity acts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables<T> {
    /// B₀, upper triangle without zeros.
    pub constant: Vec<Entry<T>>,
    /// The pairs a < b.
    pub pairs: Vec<Pair<T>>,
    /// u of the end of link a, one number per coordinate: its columns over the straight arm, without the factor i e^{iΘ}.
    pub ends: Vec<Vec<T>>,
    /// P of all that link a carries, itself included: the same of its first moment.
    pub carried: Vec<Vec<T>>,
    /// Mass of all that lies beyond link a: hubs, links and payload.
    pub masses: Vec<T>,
    /// First moment along link a of all that it carries, itself included.
    pub moments: Vec<T>,
    /// First moment across link a: deflection (its place in q) and coefficient, without zeros.
    pub cross_moments: Vec<Vec<(usize, T)>>,
}

/// Which link each coordinate belongs to, and how much it turns the end of that link.
struct Layout<'a, T> {
    links: &'a [Link<T>],
    starts: &'a [usize],
    size: usize,
    link: Vec<usize>,
    /// φ' at the end of the link for a deflection, zero for a joint.
    slope: Vec<T>,
}

impl<'a, T: Constant> Layout<'a, T> {
    fn new(links: &'a [Link<T>], starts: &'a [usize]) -> Self {
        let size = starts[links.len()];
        let (mut link, mut slope): (Vec<usize>, _) = ((0..links.len()).collect(), vec![T::zero(); links.len()]);
        for (i, one) in links.iter().enumerate() {
            link.extend(std::iter::repeat_n(i, one.mode_count()));
            slope.extend(&one.tip_slope);
        }
        Self { links, starts, size, link, slope }
    }

    fn is_joint(&self, c: usize) -> bool {
        c < self.links.len()
    }

    /// The angle of the frame at the beginning of link a by each coordinate, DS (4).
    fn turn(&self, a: usize) -> Vec<T> {
        let turn = |c: usize| match (self.is_joint(c), self.link[c]) {
            (true, t) if t <= a => T::one(),
            (false, s) if s < a => self.slope[c],
            _ => T::zero(),
        };
        (0..self.size).map(turn).collect()
    }
}

/// U and V of one link: by coordinate, and by coordinate and deflection.
struct Columns<T> {
    u: Vec<T>,
    /// `[coordinate][deflection]`, both by their place in q.
    v: Vec<Vec<T>>,
}

impl<T: Constant> Columns<T> {
    /// Columns of link a where a point is `along` the link and `across` it for each of its modes. Both may be numbers at the
    /// end or integrals over masses: the columns are linear in them.
    fn new(layout: &Layout<'_, T>, a: usize, along: T, across: &[T]) -> Self {
        let Layout { links, starts, size, link, slope } = layout;
        let mut u: Vec<T> = layout.turn(a).into_iter().map(|turn| turn * along).collect();
        u[starts[a]..starts[a + 1]].copy_from_slice(across);
        let mut v = vec![vec![T::zero(); *size]; *size];
        for c in (0..*size).filter(|&c| link[c] <= a) {
            for k in (links.len()..*size).filter(|&k| link[k] <= a) {
                v[c][k] = if layout.is_joint(c) {
                    -u[k]
                } else if link[c] < a {
                    // The linear transformation has no second derivative by the slope of one link.
                    if link[k] == link[c] { T::zero() } else { -(slope[c] * u[k]) }
                } else if link[k] < a {
                    -(u[c] * slope[k])
                } else {
                    T::zero()
                };
            }
        }
        Self { u, v }
    }
}

impl<T: Constant> Tables<T> {
    pub(super) fn new(links: &[Link<T>], payload: &Payload<T>, starts: &[usize]) -> Self {
        let (n, size) = (links.len(), starts[links.len()]);
        // Mass beyond each link.
        let mut beyond = vec![payload.mass; n];
        for i in (0..n.saturating_sub(1)).rev() {
            beyond[i] = beyond[i + 1] + links[i + 1].mass + links[i + 1].hub_mass;
        }
        let layout = Layout::new(links, starts);
        let ends: Vec<Columns<T>> = (0..n).map(|a| Columns::new(&layout, a, links[a].length, &links[a].tip)).collect();
        let carried: Vec<Columns<T>> = (0..n)
            .map(|a| {
                let link = &links[a];
                let along = link.first_moment + beyond[a] * link.length;
                let across: Vec<T> = link.v.iter().zip(&link.tip).map(|(&v, &tip)| v + beyond[a] * tip).collect();
                Columns::new(&layout, a, along, &across)
            })
            .collect();
        let mut pairs = Vec::new();
        for inner in 0..n {
            for outer in inner + 1..n {
                pairs.push(pair(inner, outer, &ends[inner], &carried[outer], n, size));
            }
        }
        let cross = |a: usize| {
            let row = carried[a].v[a].iter().enumerate().skip(n);
            row.filter(|(_, x)| !x.is_zero()).map(|(k, &x)| (k, -x)).collect()
        };
        Self {
            constant: constant(&layout, payload, &ends, &beyond),
            pairs,
            masses: beyond,
            moments: (0..n).map(|a| carried[a].u[a]).collect(),
            cross_moments: (0..n).map(cross).collect(),
            ends: ends.into_iter().map(|columns| columns.u).collect(),
            carried: carried.into_iter().map(|columns| columns.u).collect(),
        }
    }
}

fn pair<T: Constant>(a: usize, b: usize, end: &Columns<T>, carried: &Columns<T>, n: usize, size: usize) -> Pair<T> {
    let (u, p) = (&end.u, &carried.u);
    let mut pair = Pair { inner: a, outer: b, cosine: Vec::new(), sine: Vec::new(), sine_terms: Vec::new() };
    for row in 0..size {
        for column in row..size {
            let value = u[row] * p[column] + u[column] * p[row];
            if !value.is_zero() {
                pair.cosine.push(Entry { row, column, value });
            }
            let start = pair.sine_terms.len();
            for k in n..size {
                let half = |c: usize, d: usize| u[c] * carried.v[d][k] - end.v[c][k] * p[d];
                let value = half(row, column) + half(column, row);
                if !value.is_zero() {
                    pair.sine_terms.push((k, value));
                }
            }
            let terms = start..pair.sine_terms.len();
            if !terms.is_empty() {
                pair.sine.push(SineEntry { row, column, terms });
            }
        }
    }
    pair
}

/// B₀: each link against itself, and all that turns.
fn constant<T: Constant>(
    layout: &Layout<'_, T>,
    payload: &Payload<T>,
    ends: &[Columns<T>],
    beyond: &[T],
) -> Vec<Entry<T>> {
    let Layout { links, starts, size, .. } = layout;
    let turns: Vec<Vec<T>> = (0..=links.len()).map(|a| layout.turn(a)).collect();
    let mut entries = Vec::new();
    for row in 0..*size {
        for column in row..*size {
            // α̇ of the payload, DS (11).
            let end = &turns[links.len()];
            let mut value = payload.inertia * end[row] * end[column];
            for (a, link) in links.iter().enumerate() {
                let own = |c: usize| (starts[a]..starts[a + 1]).contains(&c).then(|| c - starts[a]);
                let turn = &turns[a];
                // What the link carries as a point at its end, the hub before it, DS (9), and ⟨x, x⟩ of the link.
                value += beyond[a] * ends[a].u[row] * ends[a].u[column];
                value += (link.hub_inertia + link.inertia) * turn[row] * turn[column];
                // ⟨φ, φ⟩ and ⟨x, φ⟩. No deflection after those of the link turns its frame.
                match (own(row), own(column)) {
                    (Some(j), Some(k)) => value += link.z[j * link.mode_count() + k],
                    (None, Some(k)) => value += turn[row] * link.w[k],
                    (_, None) => {}
                }
            }
            if !value.is_zero() {
                entries.push(Entry { row, column, value });
            }
        }
    }
    entries
}
