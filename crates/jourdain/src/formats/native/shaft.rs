//! Motors that turn with several joints: `shaft` of a link, or the matrix `coupling` of a robot.
//!
//! `coupling` leads from motor to joint velocities, q̇ = A ṁ, as transmissions are published. Motor k turns along row k of A⁻¹; in units of its own joint,
//! so that gears belong to `ratio` whether the matrix has them or not. The `motor` of a link whose motor turns with other joints
//! becomes its `shaft`.

use super::link::read_motor;
use super::table::{Context, Table, list, number};
use super::tree::Node;
use crate::model::Number;
use crate::model::description::{LinkDescription, MotorDescription, Places, ShaftDescription};

/// Shares below this are what an inversion leaves of zero.
const DUST: f64 = 1e-12;

/// `{ with = { joint = factor, … }, … }` with the keys of a motor.
pub(super) fn read(mut table: Table<'_>, context: &mut Context<'_>) -> ShaftDescription {
    table.require("with", context);
    let mut with = Vec::new();
    for entry in table.table("with", context).iter().flat_map(|others| others.entries()) {
        if let Some(factor) = number(&entry.node, "with", context) {
            with.push((entry.key.clone(), factor));
        }
    }
    let motor = read_motor(table, MotorDescription::default(), &mut Places::default(), context);
    ShaftDescription { with, motor }
}

/// Turns motors into shafts by the matrix from motor to joint velocities.
pub(super) fn couple(node: &Node, links: &mut [LinkDescription], context: &mut Context<'_>) {
    let Some(rows) = list(node, "coupling", context) else { return };
    let mut matrix = Vec::new();
    for row in rows {
        let Some(items) = list(row, "coupling", context) else { return };
        let numbers: Vec<Number> = items.iter().filter_map(|item| number(item, "coupling", context)).collect();
        matrix.push(numbers.iter().map(|x| x.value).collect::<Vec<f64>>());
    }
    // The link of each velocity.
    let leads = |link: &LinkDescription| link.joint.mimic.is_none();
    let moving = links.iter().enumerate().filter(|(_, link)| leads(link));
    let owners: Vec<usize> =
        moving.flat_map(|(at, link)| std::iter::repeat_n(at, link.joint.kind.degrees_of_freedom())).collect();
    let Some(rows) = shaft_rows(owners.len(), &matrix) else {
        let message = format!("`coupling` is no matrix from {0} motors to {0} joint velocities", owners.len());
        let hint = "a list of as many rows as the robot has velocities, joints in their order, that can be inverted: each motor turns its \
                    own joint, and may turn others";
        context.error_with_hint(node, "coupling", message, Some(hint.to_owned()));
        return;
    };
    for (k, row) in rows.iter().enumerate() {
        let others = row.iter().enumerate().filter(|(j, factor)| *j != k && **factor != 0.0);
        let with: Vec<(String, Number)> =
            others.map(|(j, factor)| (links[owners[j]].joint.name.clone(), Number::from(*factor))).collect();
        if with.is_empty() {
            continue;
        }
        let link = &mut links[owners[k]];
        if link.shaft.is_some() {
            let message = format!("the link `{}` has a `shaft`, and `coupling` gives it another", link.name);
            context.error_with_hint(node, "coupling", message, Some("give one of the two".to_owned()));
            return;
        }
        link.places.set("shaft", context.locate(node));
        link.shaft = Some(Box::new(ShaftDescription { with, motor: link.motor.take().unwrap_or_default() }));
    }
}

/// Row by row what each motor turns along, in units of its own joint; `None` for a matrix of another size, or singular, or with a motor that
/// does not turn its own joint.
fn shaft_rows(count: usize, matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    if matrix.len() != count || matrix.iter().any(|row| row.len() != count) {
        return None;
    }
    let inverse = nalgebra::DMatrix::from_fn(count, count, |i, j| matrix[i][j]).try_inverse()?;
    let row = |k: usize| {
        let (own, largest) = (inverse[(k, k)], inverse.row(k).amax());
        if own.abs() <= DUST * largest || !largest.is_finite() {
            return None;
        }
        // Shares of whole gears are whole again: what an inversion leaves is rounding.
        let tidy = |x: f64| if (x - x.round()).abs() < DUST { x.round() } else { x };
        Some((0..count).map(|j| tidy(inverse[(k, j)] / own)).collect())
    };
    (0..count).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gears 45 and 32, as published for the wrist of the Stäubli TX40: its last motor turns with the sum of both joints.
    #[test]
    fn rows_are_in_units_of_their_own_joints_whatever_the_gears() {
        let gears = nalgebra::Matrix2::new(45.0, 0.0, 32.0, 32.0).try_inverse().unwrap();
        let matrix: Vec<Vec<f64>> = (0..2).map(|i| (0..2).map(|j| gears[(i, j)]).collect()).collect();
        assert_eq!(shaft_rows(2, &matrix), Some(vec![vec![1.0, 0.0], vec![1.0, 1.0]]));
        assert_eq!(shaft_rows(2, &[vec![1.0, 0.0], vec![-1.0, 1.0]]), Some(vec![vec![1.0, 0.0], vec![1.0, 1.0]]));
        assert_eq!(shaft_rows(2, &[vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(shaft_rows(2, &[vec![0.0, 1.0], vec![1.0, 0.0]]), None);
        assert_eq!(shaft_rows(3, &matrix), None);
    }
}
