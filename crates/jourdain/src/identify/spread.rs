//! How far estimates scatter when errors of neighbouring samples go together.
//!
//! Leaving one block out moves the estimate by (H − H_b)⁻¹ g_b, with H = Σ_j R_jᵀR_j/σ_j², H_b the share of the block and g_b the
//! gradient of its squares; these moves scatter as estimates do, whatever the errors are like inside a block: the covariance is
//! C = (B − 1)/B · Σ_b u_b u_bᵀ. Independent samples would give H⁻¹; the ratio, averaged over what a joint feels, is κ: so many samples
//! of the joint count as one.

use super::factors::Factors;
use super::problem::Problem;
use super::triangle::Triangle;
use crate::spectral;
use nalgebra::{DMatrix, DVector};

/// Blocks below which they tell nothing.
const LEAST_BLOCKS: usize = 8;
/// Directions of a joint's own factor below this, over the largest, are not shown by its motion.
const RANK: f64 = 1e-10;

/// Rᵀ R x: the gradient of ½‖R x‖², without the last entry, which belongs to the torque.
fn gradient(triangle: &Triangle, x: &[f64]) -> Vec<f64> {
    let (r, width) = (triangle.matrix(), triangle.width());
    let product = r.apply(x);
    (0..width - 1).map(|column| (0..=column).map(|row| r[(row, column)] * product[row]).sum()).collect()
}

/// The residual of a joint as a combination of the columns of its triangle.
fn residual(problem: &Problem, joint: usize, values: &[f64]) -> Vec<f64> {
    problem.felt(joint).iter().map(|&i| values[i]).chain([-1.0]).collect()
}

/// Variances of the unknowns by blocks; `None` if there are too few. `lengths` scale the unknowns to columns of unit length.
pub(super) fn variances(
    problem: &Problem,
    factors: &Factors,
    values: &[f64],
    noise: &[f64],
    lengths: &[f64],
) -> Option<Vec<f64>> {
    let (count, p) = (factors.blocks.len(), problem.count());
    if count < LEAST_BLOCKS {
        return None;
    }
    let squares = |triangles: &[Triangle]| {
        let mut h = DMatrix::<f64>::zeros(p, p);
        for (j, triangle) in triangles.iter().enumerate() {
            let (felt, r) = (problem.felt(j), triangle.matrix());
            for (a, &to) in felt.iter().enumerate() {
                for (b, &other) in felt.iter().enumerate().take(a + 1) {
                    let product: f64 = (0..=b).map(|k| r[(k, a)] * r[(k, b)]).sum();
                    let scaled = product / (noise[j] * noise[j] * lengths[to] * lengths[other]);
                    h[(to, other)] += scaled;
                    h[(other, to)] = h[(to, other)];
                }
            }
        }
        h
    };
    let whole = squares(&factors.triangles);
    let mut sums = vec![0.0; p];
    for block in &factors.blocks {
        let mut g = DVector::<f64>::zeros(p);
        for (j, triangle) in block.triangles.iter().enumerate() {
            let own = gradient(triangle, &residual(problem, j, values));
            problem.felt(j).iter().zip(own).for_each(|(&i, x)| g[i] += x / (noise[j] * noise[j] * lengths[i]));
        }
        // A block without which the rest shows too little: the estimate hangs on it, and nothing can be said by leaving it out.
        let moved = (&whole - squares(&block.triangles)).cholesky()?.solve(&g);
        sums.iter_mut().zip(moved.iter()).for_each(|(sum, x)| *sum += x * x);
    }
    let factor = (count as f64 - 1.0) / count as f64;
    let variances: Vec<f64> = sums.iter().zip(lengths).map(|(sum, length)| factor * sum / (length * length)).collect();
    variances.iter().all(|x| x.is_finite()).then_some(variances)
}

/// κ of a joint: how many of its samples count as one, at least one. One if there are too few blocks.
pub(super) fn alike(problem: &Problem, factors: &Factors, joint: usize, values: &[f64], noise: f64) -> f64 {
    let (count, triangle) = (factors.blocks.len(), &factors.triangles[joint]);
    let width = triangle.width() - 1;
    if count < LEAST_BLOCKS || width == 0 {
        return 1.0;
    }
    // With R = U S Vᵀ of unit columns, gᵀH⁻¹g = ‖S⁻¹ Vᵀ g‖²; directions without effect are left out.
    let r =
        DMatrix::from_fn(width, width, |row, column| if column < row { 0.0 } else { triangle.matrix()[(row, column)] });
    let lengths: Vec<f64> = r.column_iter().map(|column| column.norm()).collect();
    let unit = |k: usize| if lengths[k] > 0.0 { 1.0 / lengths[k] } else { 0.0 };
    let scaled = DMatrix::from_fn(width, width, |row, column| r[(row, column)] * unit(column));
    let Some(svd) = spectral::singular(scaled, false, true) else { return 1.0 };
    let Some(directions) = svd.v_t else { return 1.0 };
    let least = RANK * svd.singular_values.max();
    let shown: Vec<usize> = (0..width).filter(|&k| svd.singular_values[k] > least).collect();
    if shown.is_empty() {
        return 1.0;
    }
    let x = residual(problem, joint, values);
    let turned = |triangle: &Triangle| {
        let g = gradient(triangle, &x);
        let g = DVector::from_fn(width, |k, _| g[k] * unit(k));
        let all = &directions * g;
        DVector::from_iterator(shown.len(), shown.iter().map(|&k| all[k] / svd.singular_values[k]))
    };
    let blocks: Vec<DVector<f64>> = factors.blocks.iter().map(|block| turned(&block.triangles[joint])).collect();
    let mean = blocks.iter().fold(DVector::zeros(shown.len()), |sum, g| sum + g) / count as f64;
    let sum: f64 = blocks.iter().map(|g| (g - &mean).norm_squared()).sum();
    let factor = count as f64 / (count as f64 - 1.0);
    (factor * sum / (noise * noise * shown.len() as f64)).max(1.0)
}
