//! Base parameters of robots with coupled joints, from the rank of the regressor.
//!
//! A coupled joint shares its velocity with its leader, so the conditions of the two do not decouple and the structural rule
//! does not apply. Instead the columns of the regressor over random states are made orthogonal one after the other, from
//! the root outwards and in each link in the order mX, mY, ZZ, YZ, XZ, XY, XX, YY, mZ, m: a column that the ones before it
//! span is eliminated, and its coordinates say into what. The same order gives the same parameters as the structural rule
//! where that applies. Zero is decided in `f64`, relative to a column's length.

use super::base::{BaseParameters, Layout, Method};
use super::rank::{NOISE, rebuilt, stacked_regressor};
use super::regroup::columns_of;
use super::snap::Notice;
use super::structure::KEEP;
use super::transport::PER_LINK;
use crate::matrix::Matrix;
use crate::model::Description;

/// Most columns: beyond it takes more than a few seconds.
pub(super) const MOST_COLUMNS: usize = 600;

/// What is left of a column, relative to the column, when it counts as spanned by others.
const DEPENDENT: f64 = 1e-8;

/// Coordinates below this, in columns of unit length, are rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// The seed of the random states: the result must not change from run to run.
const SEED: u64 = 0x6a6f_7572_6461_696e;

pub(super) fn base_parameters(
    description: &Description,
    layout: Layout,
    labels: Vec<String>,
    notices: Vec<Notice>,
) -> BaseParameters {
    let stacked = rebuilt(description).map_or_else(|| Matrix::zeros(0, layout.width), |m| stacked_regressor(&m, SEED));
    let order = column_order(&layout);
    let Elimination { kept, coordinates } = eliminate(&stacked, &order);
    let mut sorted = kept.clone();
    sorted.sort_unstable();
    let row_of = |k: usize| sorted.binary_search(&kept[k]).unwrap_or(0);
    let mut matrix = Matrix::zeros(kept.len(), layout.width);
    for (k, &column) in kept.iter().enumerate() {
        matrix[(row_of(k), column)] = 1.0;
    }
    for (column, coordinates) in coordinates {
        for (k, coordinate) in coordinates.into_iter().enumerate() {
            matrix[(row_of(k), column)] = coordinate;
        }
    }
    let mut per_link = vec![0; layout.inertial / PER_LINK];
    sorted.iter().filter(|&&column| column < layout.inertial).for_each(|column| per_link[column / PER_LINK] += 1);
    BaseParameters {
        parameters: layout.parameters,
        labels,
        kept: sorted,
        per_link,
        matrix,
        method: Method::Rank,
        notices,
    }
}

fn column_order(layout: &Layout) -> Vec<usize> {
    let links = layout.inertial / PER_LINK;
    let mut order = Vec::with_capacity(layout.width);
    for link in 0..links {
        let columns = columns_of(link, &layout.armature_columns[link]);
        order.extend(KEEP.iter().copied().chain(PER_LINK..columns.len()).map(|i| columns[i]));
    }
    order.extend(layout.friction.clone());
    order
}

struct Elimination {
    /// The independent columns, in the order of elimination.
    kept: Vec<usize>,
    /// The others, with their coordinates in the kept columns before them.
    coordinates: Vec<(usize, Vec<f64>)>,
}

/// Gram–Schmidt with every projection done twice, and the coordinates by back substitution.
fn eliminate(matrix: &Matrix<f64>, order: &[usize]) -> Elimination {
    let rows = matrix.rows();
    let column = |c: usize| -> Vec<f64> { (0..rows).map(|r| matrix[(r, c)]).collect() };
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let longest = order.iter().fold(0.0_f64, |longest, &c| longest.max(norm(&column(c))));
    let mut directions: Vec<Vec<f64>> = Vec::new();
    // Column k of the triangular factor of the kept columns, scaled to unit length, and their lengths.
    let mut factor: Vec<Vec<f64>> = Vec::new();
    let mut lengths: Vec<f64> = Vec::new();
    let (mut kept, mut coordinates) = (Vec::new(), Vec::new());
    for &c in order {
        let mut rest = column(c);
        let length = norm(&rest);
        if length <= NOISE * longest {
            coordinates.push((c, Vec::new()));
            continue;
        }
        rest.iter_mut().for_each(|x| *x /= length);
        let mut projections = vec![0.0; directions.len()];
        for _ in 0..2 {
            for (direction, projection) in directions.iter().zip(&mut projections) {
                let part = direction.iter().zip(&rest).map(|(d, x)| d * x).sum::<f64>();
                *projection += part;
                rest.iter_mut().zip(direction).for_each(|(x, d)| *x -= part * d);
            }
        }
        let left = norm(&rest);
        if left > DEPENDENT {
            rest.iter_mut().for_each(|x| *x /= left);
            projections.push(left);
            directions.push(rest);
            factor.push(projections);
            lengths.push(length);
            kept.push(c);
        } else {
            let mut solution = projections;
            for k in (0..solution.len()).rev() {
                solution[k] /= factor[k][k];
                let value = solution[k];
                for i in 0..k {
                    solution[i] -= factor[k][i] * value;
                }
            }
            let scaled = solution.iter().zip(&lengths).map(
                |(x, kept)| {
                    if x.abs() < NEGLIGIBLE { 0.0 } else { x * length / kept }
                },
            );
            coordinates.push((c, scaled.collect()));
        }
    }
    Elimination { kept, coordinates }
}
