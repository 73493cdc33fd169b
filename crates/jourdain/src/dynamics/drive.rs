//! Motor inertia and joint friction: the terms of the drives, common to every way of computing the dynamics.
//!
//! A motor acts on each velocity number c of its joint: with rigid drive its armature Ia = inertia · ratio² adds Ia ċ,
//! friction adds Fv c + Fc c/√(c² + ε²), and where a file has them Fr c/(c² + ε²)^{1/4}, Fs c/√(c² + ε²)/(1 + c²/v²) and an offset Fo. A
//! coupled joint turns at c = f w_leader and its torque reaches the leader times f, so that armature and viscous friction enter with f².
//! Friction belongs to τ, never to C or g. All of it takes + − × ÷ and √ alone, so that every scalar and every language can have it.
//! What depends on the motion before is in [`memory`](super::memory), what depends on the position in [`balance`].
//!
//! A motor that turns with several joints, a [`Shaft`], does the same along x = c w: it adds Ia c cᵀ to M and c f(c w) to τ. Regressors have no
//! columns for it.
//!
//! Traps. The smooth Coulomb term is not ±Fc near standstill: at c = ε it is 0.71 Fc. A rotor is taken to spin about its
//! joint's axis only: the gyroscopic coupling to the link that carries it is left out.

use super::balance;
use super::series::{coefficients, power, product};
use crate::model::{Column, DriveTerm, Model, Motor, Shaft};
use jourdain_symbolic::{Constant, Scalar};

/// ε of the smooth Coulomb friction, rad/s or m/s: the speed at which it has 71 % of its full value.
pub const COULOMB_SPEED: f64 = 1e-2;

/// The columns that a motor acts on, with the motor, in the order of the columns.
pub fn driven_columns<T: Constant>(model: &Model<T>) -> impl Iterator<Item = (&Column<T>, &Motor<T>)> + '_ {
    model.columns().iter().filter_map(|column| Some((column, model.links()[column.link].motor.as_ref()?)))
}

/// The driven columns whose rotor moves with the link: those without a stiffness.
pub fn rigid_columns<T: Constant>(model: &Model<T>) -> impl Iterator<Item = &Column<T>> + '_ {
    driven_columns(model).filter(|(_, motor)| motor.stiffness.is_none()).map(|(column, _)| column)
}

/// The armatures as they stand in M: row, column and value, one entry per driven column, on the diagonal, and those of every pair of joints
/// that a shaft turns with.
pub fn armatures<T: Constant>(model: &Model<T>) -> impl Iterator<Item = (usize, usize, T)> + '_ {
    let columns = driven_columns(model)
        .map(|(column, motor)| (column.dof, column.dof, projected(column, projected(column, motor.armature()))));
    let shafts = model.shafts().flat_map(|(_, shaft)| {
        let pair =
            move |&(i, a): &(usize, T)| shaft.row.iter().map(move |&(j, b)| (i, j, a * b * shaft.motor.armature()));
        shaft.row.iter().flat_map(pair)
    });
    columns.chain(shafts).filter(|(_, _, armature)| !armature.is_zero())
}

/// Adds what all drives take beside the inertia of their rotors to `tau`: friction and offsets at the velocity `w`, and at the position `q`
/// what [balances](balance) leave to them.
pub fn add_torques<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], tau: &mut [S]) {
    balance::add_torques(model, q, tau);
    for_each_term(model, |along, motor, term, value| {
        let torque = of_velocity(term, motor, along.speed(w));
        along.each(value, |dof, value| tau[dof] += torque.scale(value));
    });
}

/// Gives row, column and value of the derivatives of friction torques by velocities: those on the diagonal, joint by joint, and those
/// of joints that a shaft turns with. What comes up several times adds up.
pub fn for_each_friction_slope<S: Scalar>(model: &Model<S::Constant>, w: &[S], mut add: impl FnMut(usize, usize, S)) {
    for_each_term(model, |along, motor, term, value| {
        let slope = match term {
            DriveTerm::Viscous => S::one(),
            DriveTerm::Offset | DriveTerm::Armature => return,
            DriveTerm::Coulomb => smooth_sign_slope(along.speed(w)),
            DriveTerm::Root => smooth_root_slope(along.speed(w)),
            DriveTerm::Stribeck => stribeck_slope(along.speed(w), motor.stribeck_speed),
        };
        along.pairs(value, |i, j, value| {
            // What does not depend on the velocity costs nothing.
            add(i, j, if term == DriveTerm::Viscous { S::constant(value) } else { slope.scale(value) });
        });
    });
}

/// Adds the time derivative of the order `order` of what [`add_torques`] adds to `tau`, from q and w, ẇ, … with at least as many orders.
pub fn add_torque_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    order: usize,
    tau: &mut [S],
) {
    balance::add_torque_derivative(model, q, derivatives, order, tau);
    for_each_term(model, |along, motor, term, value| {
        let speeds = || -> Vec<S> { derivatives[..=order].iter().map(|w| along.speed(w)).collect() };
        let torque = match term {
            DriveTerm::Viscous => along.speed(derivatives[order]),
            DriveTerm::Coulomb => derivative_of(&speeds(), Shape::Sign),
            DriveTerm::Root => derivative_of(&speeds(), Shape::Root),
            DriveTerm::Stribeck => derivative_of(&speeds(), Shape::Stribeck(motor.stribeck_speed)),
            DriveTerm::Offset if order == 0 => S::one(),
            DriveTerm::Offset | DriveTerm::Armature => return,
        };
        along.each(value, |dof, value| tau[dof] += torque.scale(value));
    });
}

/// What a drive acts along.
#[derive(Clone, Copy)]
enum Along<'m, T> {
    Column(&'m Column<T>),
    Shaft(&'m Shaft<T>),
}

impl<T: Constant> Along<'_, T> {
    /// Its speed, or a rate of it.
    fn speed<S: Scalar<Constant = T>>(self, w: &[S]) -> S {
        match self {
            Along::Column(column) => speed(column, w),
            Along::Shaft(shaft) => shaft.along(w),
        }
    }

    /// The velocities that feel it, with their share of a value.
    fn each(self, value: T, mut act: impl FnMut(usize, T)) {
        match self {
            Along::Column(column) => act(column.dof, projected(column, value)),
            Along::Shaft(shaft) => shaft.row.iter().for_each(|&(dof, factor)| act(dof, value * factor)),
        }
    }

    /// The pairs of velocities of which one feels what the other does, with their share of a value.
    fn pairs(self, value: T, mut act: impl FnMut(usize, usize, T)) {
        match self {
            Along::Column(column) => act(column.dof, column.dof, projected(column, projected(column, value))),
            Along::Shaft(_) => self.each(value, |i, value| self.each(value, |j, value| act(i, j, value))),
        }
    }
}

/// What the coefficient of a term is multiplied by at the speed c of its column; the armature's is no function of it, so zero.
pub fn of_velocity<S: Scalar>(term: DriveTerm, motor: &Motor<S::Constant>, c: S) -> S {
    match term {
        DriveTerm::Armature => S::zero(),
        DriveTerm::Viscous => c,
        DriveTerm::Coulomb => smooth_sign(c),
        DriveTerm::Root => smooth_root(c),
        DriveTerm::Stribeck => stribeck(c, motor.stribeck_speed),
        DriveTerm::Offset => S::one(),
    }
}

/// Every term of the velocity that is not zero, with what it acts along, its motor and its coefficient.
fn for_each_term<T: Constant>(model: &Model<T>, mut act: impl FnMut(Along<'_, T>, &Motor<T>, DriveTerm, T)) {
    let columns = driven_columns(model).map(|(column, motor)| (Along::Column(column), motor));
    let shafts = model.shafts().map(|(_, shaft)| (Along::Shaft(shaft), &shaft.motor));
    for (along, motor) in columns.chain(shafts) {
        for term in DriveTerm::OF_VELOCITY {
            if let Some(value) = motor.term(term).filter(|value| !value.is_zero()) {
                act(along, motor, term, value);
            }
        }
    }
}

/// A function of a speed that has no constant derivative.
enum Shape<T> {
    Sign,
    Root,
    Stribeck(T),
}

/// The highest derivative of a shape that the derivatives of c give, by power series.
fn derivative_of<S: Scalar>(derivatives: &[S], shape: Shape<S::Constant>) -> S {
    let constant = <S::Constant as Scalar>::from_f64;
    let (c, share) = coefficients(derivatives);
    let mut u: Vec<S> = (0..c.len()).map(|k| product(&c, &c, k)).collect();
    let falling = match &shape {
        // 1 + c²/v²
        Shape::Stribeck(v) => {
            let mut falling: Vec<S> = u.iter().map(|u| u.scale(constant(1.0) / (*v * *v))).collect();
            falling[0] += S::one();
            Some(power(&falling, S::one() / falling[0], -1.0))
        }
        Shape::Sign | Shape::Root => None,
    };
    u[0] += S::from_f64(COULOMB_SPEED * COULOMB_SPEED);
    let factor = match shape {
        Shape::Sign | Shape::Stribeck(_) => power(&u, S::one() / u[0].sqrt(), -0.5),
        Shape::Root => power(&u, S::one() / u[0].sqrt().sqrt(), -0.25),
    };
    let factor = match falling {
        Some(falling) => (0..c.len()).map(|k| product(&factor, &falling, k)).collect(),
        None => factor,
    };
    let last = product(&c, &factor, c.len() - 1);
    if c.len() > 2 { last.scale(constant(share)) } else { last }
}

/// c: the speed of one column, given the whole velocity.
pub(crate) fn speed<S: Scalar>(column: &Column<S::Constant>, w: &[S]) -> S {
    let own = w[column.dof];
    column.factor.map_or(own, |factor| own.scale(factor))
}

/// A column's value as its leader feels it.
pub(crate) fn projected<T: Constant>(column: &Column<T>, value: T) -> T {
    column.factor.map_or(value, |factor| value * factor)
}

/// c/√(c² + ε²): the sign of a speed, made smooth.
pub(crate) fn smooth_sign<S: Scalar>(c: S) -> S {
    c / c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED)).sqrt()
}

/// c/(c² + ε²)^{1/4}: the root of a speed with its sign, made smooth.
pub(crate) fn smooth_root<S: Scalar>(c: S) -> S {
    c / c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED)).sqrt().sqrt()
}

/// (c²/2 + ε²)/(c² + ε²)^{5/4}: its derivative.
pub(crate) fn smooth_root_slope<S: Scalar>(c: S) -> S {
    let square = c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED));
    let above = (c * c).mul_add(S::from_f64(0.5), S::from_f64(COULOMB_SPEED * COULOMB_SPEED));
    above / (square * square.sqrt().sqrt())
}

/// 1/(1 + c²/v²): what is left at a speed of what falls with it.
pub(crate) fn falling<S: Scalar>(c: S, v: S::Constant) -> S {
    let inverse = <S::Constant as Scalar>::from_f64(1.0) / (v * v);
    S::one() / (c * c).scale_add(inverse, S::one())
}

/// The smooth sign, falling with speed.
pub(crate) fn stribeck<S: Scalar>(c: S, v: S::Constant) -> S {
    smooth_sign(c) * falling(c, v)
}

/// σ′ f − 2 c σ f²/v² with the smooth sign σ and f = 1/(1 + c²/v²): its derivative.
pub(crate) fn stribeck_slope<S: Scalar>(c: S, v: S::Constant) -> S {
    let left = falling(c, v);
    let change = (c * smooth_sign(c) * left).scale(<S::Constant as Scalar>::from_f64(2.0) / (v * v));
    (smooth_sign_slope(c) - change) * left
}

/// ε²/(c² + ε²)^{3/2}: the derivative of the smooth sign.
pub(crate) fn smooth_sign_slope<S: Scalar>(c: S) -> S {
    let square = c.mul_add(c, S::from_f64(COULOMB_SPEED * COULOMB_SPEED));
    S::from_f64(COULOMB_SPEED * COULOMB_SPEED) / (square * square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain_symbolic::{Dual, Jet};

    #[test]
    fn coulomb_friction_is_odd_bounded_and_vanishes_at_rest() {
        assert_eq!(smooth_sign(0.0), 0.0);
        for c in [1e-6, 1e-2, 0.3, 40.0] {
            assert!((smooth_sign(c) + smooth_sign(-c)).abs() < 1e-16);
            assert!(smooth_sign(c) > 0.0 && smooth_sign(c) < 1.0);
        }
        assert!((smooth_sign(COULOMB_SPEED) - 0.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn derivatives_of_all_shapes_are_those_of_their_series() {
        let derivatives = [0.03, -0.7, 1.1, 0.4, -2.0];
        let jet = Jet::from_derivatives(derivatives);
        let v = 0.07;
        for (name, exact, shape) in [
            ("sign", smooth_sign(jet), (|| Shape::Sign) as fn() -> Shape<f64>),
            ("root", smooth_root(jet), || Shape::Root),
            ("stribeck", stribeck(jet, v), || Shape::Stribeck(0.07)),
        ] {
            for order in 0..derivatives.len() {
                let (found, expected) = (derivative_of(&derivatives[..=order], shape()), exact.derivative(order));
                let bound = 1e-12 * expected.abs().max(1.0);
                assert!((found - expected).abs() <= bound, "{name}, {order}: {found} and {expected}");
            }
        }
    }

    #[test]
    fn slopes_are_the_derivatives_of_their_shapes() {
        for c in [-0.7, -3e-3, 0.0, 1e-2, 2.0] {
            let at = Dual::variable(c);
            for (name, found, exact) in [
                ("sign", smooth_sign_slope(c), smooth_sign(at)),
                ("root", smooth_root_slope(c), smooth_root(at)),
                ("stribeck", stribeck_slope(c, 0.1), stribeck(at, 0.1)),
            ] {
                let exact = exact.derivative;
                assert!((found - exact).abs() <= 1e-13 * exact.abs().max(1.0), "{name} at c = {c}");
            }
        }
    }

    #[test]
    fn the_root_is_a_root_and_what_falls_is_half_at_its_speed() {
        assert_eq!((smooth_root(0.0), stribeck(0.0, 0.1)), (0.0, 0.0));
        assert!((smooth_root(4.0) - 2.0).abs() < 1e-5 && (smooth_root(-4.0) + 2.0).abs() < 1e-5);
        assert!((stribeck(0.1, 0.1) - 0.5 * smooth_sign(0.1)).abs() < 1e-16);
        assert!(stribeck(10.0, 0.1) < 1.1e-4);
    }
}
