//! A bent link in the frame at its joint: where its points are, how they move with its deflections, and the integrals of that.
//!
//! A point is z(x; δ), its columns are d_k = ∂z/∂δ_k, and z̈ is its acceleration at δ̈ = 0. Two kinematics keep the length of a link:
//!
//! - to second order, z = x − ½ δᵀN(x)δ + i φᵀδ, whose integrals are polynomials in δ over the constants of [`Slopes`];
//! - exactly, z = ∫₀ˣ e^{iψ}, ψ = φ'ᵀδ, by quadrature over the stations.
//!
//! In both δ is a coordinate of the tangent's angle ψ, so that the bending energy ½ δᵀKδ and the turn of the end are exact.
//!
//! Trap: J is quartic in δ. Cut at the second degree, the inertia matrix of a slightly bent arm is indefinite.

use super::arm::{Kinematics, Link};
use super::plane::Planar;
use super::slopes::{Slopes, pair, pairs};
use jourdain_symbolic::{Constant, Scalar};

/// A point, or an integral of points: value, rate, acceleration at δ̈ = 0, derivatives by the link's deflections.
#[derive(Clone, Debug)]
pub(super) struct Place<S> {
    pub value: Planar<S>,
    pub rate: Planar<S>,
    pub second: Planar<S>,
    pub columns: Vec<Planar<S>>,
}

impl<S: Scalar> Place<S> {
    fn new(m: usize) -> Self {
        let zero = Planar::zero();
        Self { value: zero, rate: zero, second: zero, columns: vec![zero; m] }
    }

    /// along − ½ xᵀSx + i acrossᵀx
    fn set_second_order(
        &mut self,
        along: S::Constant,
        across: &[S::Constant],
        short: &[S::Constant],
        x: &[S],
        y: &[S],
    ) {
        let m = x.len();
        let (mut half, mut rate, mut second) = (S::zero(), S::zero(), S::zero());
        for (k, column) in self.columns.iter_mut().enumerate() {
            let row = &short[k * m..(k + 1) * m];
            let (sx, sy) = (weighted(row, x), weighted(row, y));
            *column = Planar::new(-sx, S::constant(across[k]));
            half = x[k].mul_add(sx, half);
            rate = y[k].mul_add(sx, rate);
            second = y[k].mul_add(sy, second);
        }
        self.value = Planar::new(S::constant(along) - half * S::from_f64(0.5), weighted(across, x));
        self.rate = Planar::new(-rate, weighted(across, y));
        self.second = Planar::new(-second, S::zero());
    }
}

/// Σ weight · value
pub(super) fn weighted<S: Scalar>(weights: &[S::Constant], values: &[S]) -> S {
    weights.iter().zip(values).fold(S::zero(), |sum, (&weight, &x)| x.scale_add(weight, sum))
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| a.mul_add(b, sum))
}

/// The integrals of a bent link; ⟨a, b⟩ = ∫ conj(a) b dm.
#[derive(Clone, Debug)]
pub(super) struct Bent<S> {
    /// Its end, m.
    pub end: Place<S>,
    /// Its first moment, kg m.
    pub moment: Place<S>,
    /// ⟨z, z⟩
    pub inertia: S,
    /// Re ⟨z, ż⟩
    pub inertia_rate: S,
    /// Im ⟨z, z̈⟩
    pub twist: S,
    /// Im ⟨z, d_k⟩
    pub swing: Vec<S>,
    /// Re ⟨d_j, d_k⟩, row by row
    pub mass: Vec<S>,
    /// Re ⟨d_k, z⟩
    pub stretch: Vec<S>,
    /// Im ⟨d_k, ż⟩
    pub drag: Vec<S>,
    /// Re ⟨d_k, z̈⟩
    pub push: Vec<S>,
    room: Room<S>,
}

/// Scratch of both kinematics.
#[derive(Clone, Debug)]
struct Room<S> {
    /// F(j; e_k, x) and Σ_j x_j F(j; e_k, e_l), row by row.
    across: [Vec<S>; 2],
    /// Q(e_k, x; c, d), pair by pair.
    square: Vec<S>,
    /// e^{iψ}, z, z̈ and all d at the stations.
    turns: Vec<Planar<S>>,
    places: Vec<Planar<S>>,
    seconds: Vec<Planar<S>>,
    columns: Vec<Planar<S>>,
    weights: Vec<S>,
}

impl<S: Scalar> Bent<S> {
    pub fn new<T: Constant>(link: &Link<T>) -> Self {
        let (m, stations) = (link.mode_count(), link.slopes.stations.mass.len());
        let zeros = |count: usize| vec![S::zero(); count];
        let planes = |count: usize| vec![Planar::zero(); count];
        Self {
            end: Place::new(m),
            moment: Place::new(m),
            inertia: S::zero(),
            inertia_rate: S::zero(),
            twist: S::zero(),
            swing: zeros(m),
            mass: zeros(m * m),
            stretch: zeros(m),
            drag: zeros(m),
            push: zeros(m),
            room: Room {
                across: [zeros(m * m), zeros(m * m)],
                square: zeros(m * pairs(m)),
                turns: planes(stations),
                places: planes(stations),
                seconds: planes(stations),
                columns: planes(m * stations),
                weights: zeros(stations),
            },
        }
    }

    /// Bends the link to the deflections `x` with rates `y`.
    pub fn set(&mut self, link: &Link<S::Constant>, kinematics: Kinematics, x: &[S], y: &[S]) {
        // A rigid link is the same in both.
        if kinematics == Kinematics::Exact && !x.is_empty() {
            self.set_exact(link, x, y);
        } else {
            self.set_second_order(link, x, y);
        }
    }

    fn set_second_order(&mut self, link: &Link<S::Constant>, x: &[S], y: &[S]) {
        let (m, half) = (x.len(), S::from_f64(0.5));
        let slopes = &link.slopes;
        self.end.set_second_order(link.length, &link.tip, &slopes.end, x, y);
        self.moment.set_second_order(link.first_moment, &link.v, &slopes.zeroth, x, y);
        self.contract(slopes, x);
        let Room { across: [of_shape, of_pair], square, .. } = &self.room;

        // −(G₁ − z) x, then with ½ Q(e_k, x, x, x) half the derivative of J.
        for (k, stretch) in self.stretch.iter_mut().enumerate() {
            let row = k * m..(k + 1) * m;
            *stretch = weighted(&link.z[row.clone()], x) - weighted(&slopes.first[row.clone()], x);
        }
        let quadratic = dot(&self.stretch, x);
        for (k, stretch) in self.stretch.iter_mut().enumerate() {
            let fourth = &self.mass[k * m..(k + 1) * m];
            *stretch += dot(fourth, x) * half;
        }
        let all = dot(&self.stretch, x);
        // J = J₀ + xᵀ(z − G₁)x + ¼ Q(x,x,x,x), and x·stretch has the first once and the second half.
        self.inertia = S::constant(link.inertia) + (quadratic + all) * half;
        self.inertia_rate = dot(&self.stretch, y);
        self.twist = S::zero();
        for k in 0..m {
            let row = k * m..(k + 1) * m;
            let (shape, of_pair) = (&of_shape[row.clone()], &of_pair[row]);
            self.swing[k] = S::constant(link.w[k]) + dot(of_pair, x) - dot(shape, x) * half;
            self.twist = y[k].mul_add(dot(of_pair, y), self.twist);
            let along = (0..m).fold(S::zero(), |sum, l| y[l].mul_add(of_shape[l * m + k], sum));
            self.drag[k] = dot(shape, y) - along;
            self.push[k] = (0..m).fold(S::zero(), |sum, c| {
                let row = (0..m).fold(S::zero(), |sum, d| y[d].mul_add(square[k * pairs(m) + pair(c, d)], sum));
                y[c].mul_add(row, sum)
            });
        }
        for (mass, &z) in self.mass.iter_mut().zip(&link.z) {
            *mass += S::constant(z);
        }
    }

    /// F and Q with x in one or two of their places; `mass` becomes Q(e_k, x, e_l, x).
    fn contract(&mut self, slopes: &Slopes<S::Constant>, x: &[S]) {
        let m = x.len();
        let Room { across: [of_shape, of_pair], square, .. } = &mut self.room;
        let across = |j: usize, p: usize| slopes.across[j * pairs(m) + p];
        for k in 0..m {
            for l in 0..m {
                of_shape[k * m + l] = (0..m).fold(S::zero(), |sum, b| x[b].scale_add(across(k, pair(l, b)), sum));
                of_pair[k * m + l] = if l < k {
                    of_pair[l * m + k]
                } else {
                    (0..m).fold(S::zero(), |sum, j| x[j].scale_add(across(j, pair(k, l)), sum))
                };
            }
            for p in 0..pairs(m) {
                square[k * pairs(m) + p] =
                    (0..m).fold(S::zero(), |sum, b| x[b].scale_add(slopes.square[pair(k, b) * pairs(m) + p], sum));
            }
        }
        for k in 0..m {
            for l in k..m {
                let sum = (0..m).fold(S::zero(), |sum, d| x[d].mul_add(square[k * pairs(m) + pair(l, d)], sum));
                self.mass[k * m + l] = sum;
                self.mass[l * m + k] = sum;
            }
        }
    }

    fn set_exact(&mut self, link: &Link<S::Constant>, x: &[S], y: &[S]) {
        let (m, stations) = (x.len(), &link.slopes.stations);
        let count = stations.mass.len();
        let Room { turns, places, seconds, columns, weights, .. } = &mut self.room;
        let zero = Planar::zero();
        // Tangents, and ψ̇² as what z̈ is made of.
        for g in 0..count {
            let slopes = &stations.slope[g * m..(g + 1) * m];
            turns[g] = Planar::turn(weighted(slopes, x));
            let rate = weighted(slopes, y);
            weights[g] = rate * rate;
        }
        for g in 0..count {
            let row = &stations.running[g * count..(g + 1) * count];
            let own = &mut columns[g * m..(g + 1) * m];
            [places[g], seconds[g]] = integrate(row, turns, weights, &stations.slope, own);
        }
        let end = &mut self.end.columns;
        [self.end.value, self.end.second] = integrate(&stations.length, turns, weights, &stations.slope, end);
        self.end.rate = moved(end, y);

        [self.moment.value, self.moment.rate, self.moment.second] = [zero; 3];
        self.moment.columns.fill(zero);
        [self.inertia, self.inertia_rate, self.twist] = [S::zero(); 3];
        for list in [&mut self.swing, &mut self.mass, &mut self.stretch, &mut self.drag, &mut self.push] {
            list.fill(S::zero());
        }
        for (g, &weight) in stations.mass.iter().enumerate() {
            let own = &columns[g * m..(g + 1) * m];
            let (place, rate, second) =
                (places[g].scale(weight), moved(own, y).scale(weight), seconds[g].scale(weight));
            self.moment.value = self.moment.value + place;
            self.moment.rate = self.moment.rate + rate;
            self.moment.second = self.moment.second + second;
            self.inertia += places[g].dot(place);
            self.inertia_rate += places[g].dot(rate);
            self.twist += places[g].cross(second);
            for (k, &column) in own.iter().enumerate() {
                self.moment.columns[k] = self.moment.columns[k] + column.scale(weight);
                self.swing[k] += place.cross(column);
                self.stretch[k] += column.dot(place);
                self.drag[k] += column.cross(rate);
                self.push[k] += column.dot(second);
                for (mass, &other) in self.mass[k * m..].iter_mut().zip(own) {
                    *mass += column.dot(other).scale(weight);
                }
            }
        }
    }
}

/// ∫e^{iψ} and −∫ψ̇²e^{iψ}, and to `columns` ∫iφ'_k e^{iψ}, with these weights of the stations.
fn integrate<S: Scalar>(
    weights: &[S::Constant],
    turns: &[Planar<S>],
    squares: &[S],
    slopes: &[S::Constant],
    columns: &mut [Planar<S>],
) -> [Planar<S>; 2] {
    let (mut value, mut second) = (Planar::zero(), Planar::zero());
    columns.fill(Planar::zero());
    for ((&weight, slopes), (turn, &square)) in
        weights.iter().zip(slopes.chunks_exact(columns.len())).zip(turns.iter().zip(squares))
    {
        let turn = turn.scale(weight);
        value = value + turn;
        second = second - turn.times(square);
        for (column, &slope) in columns.iter_mut().zip(slopes) {
            *column = *column + turn.left().scale(slope);
        }
    }
    [value, second]
}

/// Σ y_k d_k
fn moved<S: Scalar>(columns: &[Planar<S>], y: &[S]) -> Planar<S> {
    columns.iter().zip(y).fold(Planar::zero(), |sum, (column, &y)| sum + column.times(y))
}
