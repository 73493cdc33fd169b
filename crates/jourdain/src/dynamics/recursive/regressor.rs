//! Regressors: torques, energy and momentum as linear functions of the inertial parameters, in O(n · depth) blocks.
//!
//! For a link with twist v the torque of column s is s·Λx + s·(v ×* Λy) = s·Λx − (v × s)·Λy, linear in Λ; x is the link's
//! acceleration with gravity, y = v. The Slotine–Li regressor has the reference motion in x and y instead; see G (15). All
//! twists are in link axes at the link origin.
//!
//! Columns: ten per link (m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ about the link origin), then Ia, Fv, Fc, Fr, Fs and Fo of the drives;
//! see [`parameter_labels`](crate::dynamics::closed_form::parameter_labels).
//!
//! # Reference
//! G (13), (15), (16).

use super::composite::CommonFrame;
use super::coupling;
use crate::dynamics::drive;
use crate::kinematics::tangent;
use crate::matrix::Matrix;
use crate::model::body_tree::BodyTree;
use crate::model::{Column, DriveTerm, Model, Motor};
use crate::spatial::{Pose, Twist, Vector};
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Dual, Scalar};

/// Number of columns of the regressors.
#[must_use]
pub fn parameter_count<T: Constant>(model: &Model<T>) -> usize {
    let terms = |motor: &Motor<T>| DriveTerm::ALL.iter().filter(|term| motor.term(**term).is_some()).count();
    10 * model.links().len() + drive::driven_columns(model).map(|(_, motor)| terms(motor)).sum::<usize>()
}

/// Scratch of the regressors.
#[derive(Clone, Debug)]
pub(crate) struct RegressorScratch<S> {
    /// x of each body, in the common frame.
    x: Vec<Twist<S>>,
    /// y of each body, in the common frame.
    y: Vec<Twist<S>>,
}

impl<S: Scalar> RegressorScratch<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let rest = vec![Twist::zero(); tree.bodies.len()];
        Self { x: rest.clone(), y: rest }
    }

    /// Sums S ẇ_r + Ṡ w_r, and if `REFERENCE` also S w_r, along the tree, from the ground.
    #[inline(always)]
    fn set<const REFERENCE: bool>(
        &mut self,
        tree: &BodyTree<S::Constant>,
        common: &CommonFrame<S>,
        w_r: &[S],
        w_r_dot: &[S],
    ) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let (mut x, mut y) = match body.parent {
                Some(parent) => (self.x[parent], self.y[parent]),
                None => (common.ground(b), Twist::zero()),
            };
            for i in body.columns() {
                let column = &common.columns[i];
                x += column.s.times(w_r_dot[i]) + column.s_dot.times(w_r[i]);
                if REFERENCE {
                    y += column.s.times(w_r[i]);
                }
            }
            (self.x[b], self.y[b]) = (x, y);
        }
    }
}

/// The link's pose in the common frame.
#[inline(always)]
fn link_pose<S: Scalar>(tree: &BodyTree<S::Constant>, common: &CommonFrame<S>, link: usize, b: usize) -> Pose<S> {
    let placed = &common.bodies[b];
    Pose { rotation: placed.rotation, translation: placed.position } * tree.carriers[link].pose.lift()
}

/// How the torque of a column depends on a link's ten parameters, for a column that moves the link's origin along `e` or
/// turns the link about `e`, in link axes.
trait Coefficients<S> {
    /// Of m, mX, mY, mZ; the moments of inertia do not feel a translation.
    fn linear(&self, e: Vector<S>) -> [S; 4];
    /// Of all ten.
    fn angular(&self, e: Vector<S>) -> [S; 10];
}

/// The coefficients of XX, XY, XZ, YY, YZ, ZZ in a·I b.
#[inline(always)]
fn inertia_product<S: Scalar>(a: Vector<S>, b: Vector<S>) -> [S; 6] {
    let ([a, b, c], [u, v, w]) = (a.0, b.0);
    [a * u, a.mul_add(v, b * u), a.mul_add(w, c * u), b * v, b.mul_add(w, c * v), c * w]
}

#[inline(always)]
fn joined<S: Scalar>(m: S, h: Vector<S>, i: [S; 6]) -> [S; 10] {
    [m, h[0], h[1], h[2], i[0], i[1], i[2], i[3], i[4], i[5]]
}

/// s·Λx: the momentum for x the twist.
struct Product<S>(Twist<S>);

impl<S: Scalar> Coefficients<S> for Product<S> {
    #[inline(always)]
    fn linear(&self, e: Vector<S>) -> [S; 4] {
        let h = e.cross(self.0.angular);
        [e.dot(self.0.linear), h[0], h[1], h[2]]
    }

    #[inline(always)]
    fn angular(&self, e: Vector<S>) -> [S; 10] {
        joined(S::zero(), self.0.linear.cross(e), inertia_product(e, self.0.angular))
    }
}

/// s·Λx − (v × s)·Λy: G (15).
struct Reference<S> {
    v: Twist<S>,
    x: Product<S>,
    y: Twist<S>,
}

impl<S: Scalar> Coefficients<S> for Reference<S> {
    #[inline(always)]
    fn linear(&self, e: Vector<S>) -> [S; 4] {
        let (at_x, at_y) = (self.x.linear(e), Product(self.y).linear(self.v.angular.cross(e)));
        std::array::from_fn(|k| at_x[k] - at_y[k])
    }

    #[inline(always)]
    fn angular(&self, e: Vector<S>) -> [S; 10] {
        let at_x = self.x.angular(e);
        let at_y = product(&Twist { linear: self.v.linear.cross(e), angular: self.v.angular.cross(e) }, &self.y);
        std::array::from_fn(|k| at_x[k] - at_y[k])
    }
}

/// The ten coefficients of s·Λx.
#[inline(always)]
fn product<S: Scalar>(s: &Twist<S>, x: &Twist<S>) -> [S; 10] {
    let h = s.linear.cross(x.angular) + x.linear.cross(s.angular);
    joined(s.linear.dot(x.linear), h, inertia_product(s.angular, x.angular))
}

/// Motion of one link as the classic regressor needs it: acceleration of the origin, U = ω̇̂ + ω̂², ω̇ and ω.
struct Classic<S> {
    a: Vector<S>,
    u: [Vector<S>; 3],
    omega_dot: Vector<S>,
    omega: Vector<S>,
}

impl<S: Scalar> Classic<S> {
    #[inline(always)]
    fn new(v: &Twist<S>, x: &Twist<S>) -> Self {
        let (omega, omega_dot) = (v.angular, x.angular);
        let ([p, q, r], [dp, dq, dr]) = (omega.0, omega_dot.0);
        let (pp, qq, rr) = (-(p * p), -(q * q), -(r * r));
        let (pq, pr, qr) = (p * q, p * r, q * r);
        let u = [
            Vector([qq + rr, pq - dr, pr + dq]),
            Vector([pq + dr, pp + rr, qr - dp]),
            Vector([pr - dq, qr + dp, pp + qq]),
        ];
        Self { a: x.linear + omega.cross(v.linear), u, omega_dot, omega }
    }
}

impl<S: Scalar> Coefficients<S> for Classic<S> {
    #[inline(always)]
    fn linear(&self, e: Vector<S>) -> [S; 4] {
        let u = &self.u;
        let h = |i: usize| u[0][i].mul_add(e[0], u[1][i].mul_add(e[1], u[2][i] * e[2]));
        [e.dot(self.a), h(0), h(1), h(2)]
    }

    #[inline(always)]
    fn angular(&self, e: Vector<S>) -> [S; 10] {
        let ([a, b, c], [p, q, r]) = (e.0, self.omega_dot.0);
        let ([d, f, g], [x, y, z]) = (e.cross(self.omega).0, self.omega.0);
        let inertia = [
            a.mul_add(p, d * x),
            a.mul_add(q, b.mul_add(p, d.mul_add(y, f * x))),
            a.mul_add(r, c.mul_add(p, d.mul_add(z, g * x))),
            b.mul_add(q, f * y),
            b.mul_add(r, c.mul_add(q, f.mul_add(z, g * y))),
            c.mul_add(r, g * z),
        ];
        joined(S::zero(), self.a.cross(e), inertia)
    }
}

/// Fills the inertial columns. For each link the coefficients are found once for the three axes of the common frame through its origin;
/// those of a column of its support are then a sum of rows.
#[inline(always)]
fn fill<S: Scalar, C: Coefficients<S>>(
    tree: &BodyTree<S::Constant>,
    common: &CommonFrame<S>,
    width: usize,
    out: &mut [S],
    motion: impl Fn(usize, &Pose<S>) -> C,
) {
    out.fill(S::zero());
    for (link, carrier) in tree.carriers.iter().enumerate() {
        let Some(b) = carrier.body else { continue };
        let pose = link_pose(tree, common, link, b);
        let moving = motion(b, &pose);
        let along: [[S; 4]; 3] = std::array::from_fn(|k| moving.linear(Vector(pose.rotation.0[k])));
        let about: [[S; 10]; 3] = std::array::from_fn(|k| moving.angular(Vector(pose.rotation.0[k])));
        let mut next = Some(tree.bodies[b].columns().end - 1);
        while let Some(i) = next {
            let s = common.columns[i].s;
            let (l, a) = (s.linear - pose.translation.cross(s.angular), s.angular);
            let mut block: [S; 10] =
                std::array::from_fn(|k| about[0][k].mul_add(a[0], about[1][k].mul_add(a[1], about[2][k] * a[2])));
            for k in 0..4 {
                block[k] = along[0][k].mul_add(l[0], along[1][k].mul_add(l[1], along[2][k].mul_add(l[2], block[k])));
            }
            match &tree.coupling {
                None => out[i * width + 10 * link..][..10].copy_from_slice(&block),
                Some(map) => {
                    let (dof, factor) = map[i];
                    for (out, value) in out[dof * width + 10 * link..][..10].iter_mut().zip(block) {
                        *out += value.scale(factor);
                    }
                }
            }
            next = tree.inboard[i];
        }
    }
}

/// The drive columns of a torque regressor: Ia ċ, Fv c, Fc c/√(c² + ε²), …
fn fill_drives<S: Scalar>(model: &Model<S::Constant>, w: &[S], w_dot: &[S], width: usize, out: &mut [S]) {
    let felt = |column: &Column<S::Constant>, x: S| column.factor.map_or(x, |factor| x.scale(factor));
    let mut at = 10 * model.links().len();
    for column in drive::rigid_columns(model) {
        out[column.dof * width + at] = felt(column, drive::speed(column, w_dot));
        at += 1;
    }
    for term in DriveTerm::OF_VELOCITY {
        for (column, motor) in drive::driven_columns(model).filter(|(_, motor)| motor.term(term).is_some()) {
            out[column.dof * width + at] = felt(column, drive::of_velocity(term, motor, drive::speed(column, w)));
            at += 1;
        }
    }
}

/// Y with Y·π = M q̈ + C q̇ + g + friction, `nv` × [`parameter_count`].
///
/// # Reference
/// G (16).
pub fn regressor_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let width = parameter_count(model);
    let Workspace { positions, common, regressor, velocity, acceleration, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    let columns = coupling::spread(tree, w, velocity);
    let columns_dot = coupling::spread(tree, w_dot, acceleration);
    common.set_velocity(tree, columns);
    regressor.set::<false>(tree, common, columns, columns_dot);
    let motion = |b: usize, pose: &Pose<S>| {
        Classic::new(&pose.adjoint_inverse(common.bodies[b].twist), &pose.adjoint_inverse(regressor.x[b]))
    };
    fill(tree, common, width, out, motion);
    fill_drives(model, w, w_dot, width, out);
}

/// Y with Y·π = M q̈_r + C q̇_r + g + friction(q̇), C Garofalo's, `nv` × [`parameter_count`]. Armature multiplies q̈_r.
///
/// # Reference
/// G (15).
pub fn slotine_li_regressor_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_r: &[S],
    w_r_dot: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let width = parameter_count(model);
    let Workspace { positions, common, regressor, velocity, acceleration, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_velocity(tree, coupling::spread(tree, w, velocity));
    let columns = coupling::spread(tree, w_r, velocity);
    let columns_dot = coupling::spread(tree, w_r_dot, acceleration);
    regressor.set::<true>(tree, common, columns, columns_dot);
    let motion = |b: usize, pose: &Pose<S>| Reference {
        v: pose.adjoint_inverse(common.bodies[b].twist),
        x: Product(pose.adjoint_inverse(regressor.x[b])),
        y: pose.adjoint_inverse(regressor.y[b]),
    };
    fill(tree, common, width, out, motion);
    fill_drives(model, w, w_r_dot, width, out);
}

/// Y with Y·π = M q̇, the generalised momentum, `nv` × [`parameter_count`].
pub fn momentum_regressor_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let width = parameter_count(model);
    let Workspace { positions, common, velocity, .. } = workspace;
    positions.set(tree, q);
    common.place(tree, positions);
    common.set_velocity(tree, coupling::spread(tree, w, velocity));
    fill(tree, common, width, out, |b, pose| Product(pose.adjoint_inverse(common.bodies[b].twist)));
    for (k, column) in drive::rigid_columns(model).enumerate() {
        let c = drive::speed(column, w);
        let felt = column.factor.map_or(c, |factor| c.scale(factor));
        out[column.dof * width + 10 * model.links().len() + k] = felt;
    }
}

/// Y with Y·π = kinetic + potential energy, [`parameter_count`] numbers.
pub fn energy_regressor_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let half = S::from_f64(0.5);
    out.fill(S::zero());
    super::energy::for_each_link(model, q, w, workspace, |link, pose, v| {
        let up = (-model.gravity()).lift::<S>();
        let block = product(&v, &v);
        let weight = pose.rotation.apply_inverse(up);
        let out = &mut out[10 * link..][..10];
        for (k, out) in out.iter_mut().enumerate() {
            *out = block[k] * half;
        }
        out[0] += up.dot(pose.translation);
        for k in 0..3 {
            out[1 + k] += weight[k];
        }
    });
    for (k, column) in drive::rigid_columns(model).enumerate() {
        let c = drive::speed(column, w);
        out[10 * model.links().len() + k] = c * c * half;
    }
}

/// The time derivative of the Slotine–Li regressor, along w, ẇ and along q̇_r, q̈_r, q⃛_r: a pass on dual numbers.
///
/// # Reference
/// The rate of G (15).
#[must_use]
pub fn slotine_li_regressor_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    [w, w_dot]: [&[S]; 2],
    [w_r, w_r_dot, w_r_ddot]: [&[S]; 3],
) -> Matrix<S> {
    let position = tangent::along(model, q, w);
    let moving =
        |x: &[S], rate: &[S]| -> Vec<Dual<S>> { x.iter().zip(rate).map(|(&x, &rate)| Dual::new(x, rate)).collect() };
    let (velocity, reference, reference_dot) = (moving(w, w_dot), moving(w_r, w_r_dot), moving(w_r_dot, w_r_ddot));
    let dual = slotine_li_regressor(model, &position, &velocity, &reference, &reference_dot);
    Matrix::from_fn(dual.rows(), dual.columns(), |i, j| dual[(i, j)].derivative)
}

macro_rules! allocating_regressor {
    ($(#[$doc:meta])* $name:ident, $into:ident $(, $arg:ident)*) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name<S: Scalar>(model: &Model<S::Constant>, q: &[S] $(, $arg: &[S])*) -> Matrix<S> {
            let mut out = Matrix::zeros(model.nv(), parameter_count(model));
            $into(model, q $(, $arg)*, &mut Workspace::new(model), out.as_mut_slice());
            out
        }
    };
}

allocating_regressor!(
    /// The regressor of inverse dynamics; see [`regressor_into`].
    regressor, regressor_into, w, w_dot
);
allocating_regressor!(
    /// The Slotine–Li regressor; see [`slotine_li_regressor_into`].
    slotine_li_regressor, slotine_li_regressor_into, w, w_r, w_r_dot
);
allocating_regressor!(
    /// The regressor of the momentum; see [`momentum_regressor_into`].
    momentum_regressor, momentum_regressor_into, w
);

/// The regressor of the energy; see [`energy_regressor_into`].
#[must_use]
pub fn energy_regressor<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<S> {
    let mut out = vec![S::zero(); parameter_count(model)];
    energy_regressor_into(model, q, w, &mut Workspace::new(model), &mut out);
    out
}
