//! How inertial parameters, energy derivatives and twists pass from one frame to the next, over any field.
//!
//! With π = (m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ) the energy of a body is E = ½ πᵀ b(v, v) with the polar form b below, so
//! ∂E/∂π = e(v) = ½ b(v, v) and e of the link is λ e of its parent, GK (9), where λᵀ takes the body's parameters to the
//! parent's frame: λ of GK (A2) in jourdain's order of parameters. Everything here is ring operations.

use super::field::{Field, cross, dot};
use super::geometry::Frame;

/// Inertial parameters of a link.
pub(crate) const PER_LINK: usize = 10;

/// A twist, linear part first.
pub(crate) type Twist<F> = [F; 6];

/// A 10×10 matrix, row by row.
pub(crate) type Matrix10<F> = Vec<Vec<F>>;

/// b(v, w): the coefficients of the parameters in vᵀ Λ w.
pub(crate) fn polar<F: Field>(v: &[F], w: &[F]) -> Vec<F> {
    let ((v, a), (w, b)) = (v.split_at(3), w.split_at(3));
    let (vb, wa) = (cross(v, b), cross(w, a));
    let mixed = |i: usize, j: usize| a[i].mul(&b[j]).add(&a[j].mul(&b[i]));
    let mut form = vec![dot(v, w)];
    form.extend((0..3).map(|i| vb[i].add(&wa[i])));
    form.extend([a[0].mul(&b[0]), mixed(0, 1), mixed(0, 2), a[1].mul(&b[1]), mixed(1, 2), a[2].mul(&b[2])]);
    form
}

/// ad(v) w.
pub(crate) fn bracket<F: Field>(v: &[F], w: &[F]) -> Twist<F> {
    let ((v, a), (w, b)) = (v.split_at(3), w.split_at(3));
    let (linear, other, angular) = (cross(a, w), cross(v, b), cross(a, b));
    std::array::from_fn(|i| if i < 3 { linear[i].add(&other[i]) } else { angular[i - 3].clone() })
}

/// Ad⁻¹: a twist of the parent, in the frame that `frame` places in it.
pub(crate) fn twist_in<F: Field>(frame: &Frame<F>, twist: &[F]) -> Twist<F> {
    let (v, w) = twist.split_at(3);
    let turned = cross(w, &frame.translation);
    let linear: [F; 3] = std::array::from_fn(|i| v[i].add(&turned[i]));
    let (linear, angular) = (frame.to_local(&linear), frame.to_local(w));
    std::array::from_fn(|i| if i < 3 { linear[i].clone() } else { angular[i - 3].clone() })
}

/// The 3×3 tensor of XX, XY, XZ, YY, YZ, ZZ.
fn tensor<F: Field>(elements: &[F]) -> [[F; 3]; 3] {
    const AT: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    AT.map(|row| row.map(|at| elements[at].clone()))
}

/// XX, XY, XZ, YY, YZ, ZZ of a function of row and column.
fn elements<F: Field>(f: impl Fn(usize, usize) -> F) -> [F; 6] {
    [f(0, 0), f(0, 1), f(0, 2), f(1, 1), f(1, 2), f(2, 2)]
}

/// 2 (a·b) 1 − a bᵀ − b aᵀ at (i, j).
fn steiner<F: Field>(a: &[F], b: &[F], i: usize, j: usize) -> F {
    let off = a[i].mul(&b[j]).add(&a[j].mul(&b[i]));
    if i == j {
        let product = dot(a, b);
        product.add(&product).sub(&off)
    } else {
        off.neg()
    }
}

/// λᵀ π: the parameters of a body in the parent, given those in the frame.
pub(crate) fn parameters_in_parent<F: Field>(frame: &Frame<F>, pi: &[F]) -> Vec<F> {
    let p = &frame.translation;
    let h = frame.to_parent(&pi[1..4]);
    let i = tensor(&pi[4..]);
    let half: [[F; 3]; 3] = std::array::from_fn(|r| std::array::from_fn(|c| dot(&frame.rotation[r], &i[c])));
    let square = dot(p, p);
    let rotational = elements(|r, c| {
        let mass = if r == c { square.sub(&p[r].mul(&p[c])) } else { p[r].mul(&p[c]).neg() };
        dot(&half[r], &frame.rotation[c]).add(&steiner(&h, p, r, c)).add(&pi[0].mul(&mass))
    });
    let mut out = vec![pi[0].clone()];
    out.extend((0..3).map(|k| h[k].add(&pi[0].mul(&p[k]))));
    out.extend(rotational);
    out
}

/// The rate of [`parameters_in_parent`] as the frame starts to move by the twist: ω×h + m u for the first moment, and
/// ω̂ I − I ω̂ + 2 (u·h) 1 − u hᵀ − h uᵀ for the tensor.
fn parameter_rate<F: Field>(twist: &[F], pi: &[F]) -> Vec<F> {
    let (u, w) = twist.split_at(3);
    let h = &pi[1..4];
    let turned = cross(w, h);
    let i = tensor(&pi[4..]);
    // (ω̂ I)(r, c), and I ω̂ = −(ω̂ I)ᵀ.
    let column = |c: usize| [i[0][c].clone(), i[1][c].clone(), i[2][c].clone()];
    let product: [[F; 3]; 3] = std::array::from_fn(|c| cross(w, &column(c)));
    let mut out = vec![F::zero()];
    out.extend((0..3).map(|k| turned[k].add(&pi[0].mul(&u[k]))));
    out.extend(elements(|r, c| product[c][r].add(&product[r][c]).add(&steiner(u, h, r, c))));
    out
}

/// The matrix whose transpose has the images of the unit vectors as columns: row k is the image of unit vector k.
fn transposed<F: Field>(image: impl Fn(&[F]) -> Vec<F>) -> Matrix10<F> {
    let unit = |k: usize| -> Vec<F> { (0..PER_LINK).map(|i| if i == k { F::one() } else { F::zero() }).collect() };
    (0..PER_LINK).map(|k| image(&unit(k))).collect()
}

/// λ: e of a link at zero position from e of its parent.
///
/// # Reference
/// GK (9), (A2).
pub(crate) fn lambda<F: Field>(frame: &Frame<F>) -> Matrix10<F> {
    transposed(|pi| parameters_in_parent(frame, pi))
}

/// A with dλ/dq = A λ for motion along a twist of the link.
pub(crate) fn generator<F: Field>(twist: &[F]) -> Matrix10<F> {
    transposed(|pi| parameter_rate(twist, pi))
}

/// λ e: what [`lambda`] does to one vector, in a fraction of its products. With e = (ε, f, T), T doubled off its diagonal,
/// ε′ = ε + p·f + p² tr T − pᵀ T p, f′ = Rᵀ (f + 2 tr T p − 2 T p), T′ = Rᵀ T R.
pub(crate) fn energy_in<F: Field>(frame: &Frame<F>, e: &[F]) -> Vec<F> {
    let (p, f) = (&frame.translation, &e[1..4]);
    let trace = e[4].add(&e[7]).add(&e[9]);
    let doubled = doubled(e);
    let along = |v: &[F]| -> [F; 3] { std::array::from_fn(|i| dot(&doubled[i], v)) };
    let (shifted, twice) = (along(p), trace.add(&trace));
    let mut out = vec![e[0].add(&dot(p, f)).add(&dot(p, p).mul(&trace)).sub(&quadratic(e, p))];
    let moment: [F; 3] = std::array::from_fn(|i| f[i].add(&twice.mul(&p[i])).sub(&shifted[i]));
    out.extend(frame.to_local(&moment));
    let columns: [[F; 3]; 3] = std::array::from_fn(|c| std::array::from_fn(|r| frame.rotation[r][c].clone()));
    let images: [[F; 3]; 3] = std::array::from_fn(|c| along(&columns[c]));
    out.extend(elements(|r, c| if r == c { quadratic(e, &columns[r]) } else { dot(&columns[r], &images[c]) }));
    out
}

/// A e: what [`generator`] does to one vector: ε′ = u·f, f′ = f × ω + 2 tr T u − 2 T u, T′ = T ω̂ − ω̂ T.
pub(crate) fn energy_rate<F: Field>(twist: &[F], e: &[F]) -> Vec<F> {
    let ((u, w), f) = (twist.split_at(3), &e[1..4]);
    let trace = e[4].add(&e[7]).add(&e[9]);
    let twice = trace.add(&trace);
    let doubled = doubled(e);
    let turned = cross(f, w);
    let mut out = vec![dot(u, f)];
    out.extend((0..3).map(|i| turned[i].add(&twice.mul(&u[i])).sub(&dot(&doubled[i], u))));
    // Row r of 2 T ω̂ is (row r of 2 T) × ω; with its transpose it is twice the rate of T.
    let product: [[F; 3]; 3] = std::array::from_fn(|r| cross(&doubled[r], w));
    out.extend(elements(|r, c| if r == c { product[r][r].clone() } else { product[r][c].add(&product[c][r]) }));
    out
}

/// 2 T of e = (ε, f, T).
fn doubled<F: Field>(e: &[F]) -> [[F; 3]; 3] {
    let mut doubled = tensor(&e[4..]);
    for (i, at) in [4, 7, 9].into_iter().enumerate() {
        doubled[i][i] = e[at].add(&e[at]);
    }
    doubled
}

/// vᵀ T v of e = (ε, f, T).
fn quadratic<F: Field>(e: &[F], v: &[F]) -> F {
    const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let term = |sum: F, (at, (i, j)): (usize, (usize, usize))| sum.add(&e[4 + at].mul(&v[i].mul(&v[j])));
    PAIRS.into_iter().enumerate().fold(F::zero(), term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::{Inertia, Pose, Rotation, Twist as SpatialTwist, Vector};

    const PI: [f64; 10] = [2.5, 0.3, -0.7, 1.1, 0.9, -0.2, 0.35, 1.4, 0.15, 2.2];
    const V: [f64; 6] = [0.4, -1.3, 0.8, 2.1, -0.6, 1.7];
    const W: [f64; 6] = [-0.9, 0.2, 1.1, 0.5, 1.3, -0.4];

    fn apply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
        matrix.iter().map(|row| dot(row, vector)).collect()
    }

    fn near(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13), "{a:?} {b:?}");
    }

    fn pose() -> (Pose<f64>, Frame<f64>) {
        let pose = Pose { rotation: Rotation::from_rpy(0.3, -0.8, 1.9), translation: Vector([0.2, -0.5, 0.7]) };
        (pose, Frame { rotation: pose.rotation.0, translation: pose.translation.0 })
    }

    #[test]
    fn the_polar_form_is_the_product_with_the_momentum() {
        let (v, w) = (SpatialTwist::from_array(V), SpatialTwist::from_array(W));
        let expected = v.dot(Inertia::from_parameters(PI).apply(w));
        assert!((dot(&polar(&V, &W), &PI) - expected).abs() < 1e-13);
        near(&polar(&V, &W), &polar(&W, &V));
    }

    #[test]
    fn parameters_and_twists_pass_as_in_the_spatial_algebra() {
        let (pose, frame) = pose();
        near(&parameters_in_parent(&frame, &PI), &Inertia::from_parameters(PI).transformed(&pose).to_parameters());
        near(&twist_in(&frame, &V), &pose.adjoint_inverse(SpatialTwist::from_array(V)).to_array());
        near(&bracket(&V, &W), &SpatialTwist::from_array(V).cross(SpatialTwist::from_array(W)).to_array());
        // e(v of the link) = λ e(v of the parent).
        let local = twist_in(&frame, &V);
        near(&polar(&local, &local), &apply(&lambda(&frame), &polar(&V, &V)));
    }

    #[test]
    fn single_vectors_pass_as_by_the_matrices() {
        near(&energy_in(&pose().1, &PI), &apply(&lambda(&pose().1), &PI));
        near(&energy_rate(&V, &PI), &apply(&generator(&V), &PI));
    }

    #[test]
    fn the_generator_is_the_rate_of_lambda() {
        let step = 1e-6;
        let at = |q: f64| {
            let pose = Pose::exp(SpatialTwist::from_array(V).times(q));
            apply(&lambda(&Frame { rotation: pose.rotation.0, translation: pose.translation.0 }), &PI)
        };
        let (ahead, behind, exact) = (at(step), at(-step), apply(&generator(&V), &PI));
        for k in 0..PER_LINK {
            assert!(((ahead[k] - behind[k]) / (2.0 * step) - exact[k]).abs() < 1e-7, "{k}");
        }
    }
}
