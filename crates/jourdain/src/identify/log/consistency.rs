//! Whether the columns of a log go together.

use super::super::error::IdentifyError;
use crate::model::Model;

/// Whether velocities in a log are the rates of its positions, and accelerations those of its velocities, up to units.
pub(super) struct Consistency {
    before: Option<(f64, Vec<f64>, Vec<f64>)>,
    /// Per joint and order: Σ rate · mean, Σ mean², Σ rate².
    sums: Vec<[[f64; 3]; 2]>,
}

impl Consistency {
    pub fn new(n: usize) -> Self {
        Self { before: None, sums: vec![[[0.0; 3]; 2]; n] }
    }

    /// Takes in a row; without accelerations only velocities are judged.
    pub fn add(&mut self, t: f64, q: &[f64], qd: &[f64], qdd: Option<&[f64]>) {
        // A trapezium knows the change of a position from the velocities at both ends.
        if let Some((t0, q0, qd0)) = &mut self.before {
            let h = t - *t0;
            for (j, sums) in self.sums.iter_mut().enumerate() {
                let pairs = [
                    ((q[j] - q0[j]) / h, 0.5 * (qd[j] + qd0[j])),
                    ((qd[j] - qd0[j]) / h, qdd.map_or(0.0, |qdd| qdd[j])),
                ];
                for (sums, (rate, mean)) in sums.iter_mut().zip(pairs) {
                    sums[0] += rate * mean;
                    sums[1] += mean * mean;
                    sums[2] += rate * rate;
                }
            }
            *t0 = t;
            q0.copy_from_slice(q);
            qd0.copy_from_slice(qd);
        } else {
            self.before = Some((t, q.to_vec(), qd.to_vec()));
        }
    }

    /// Whether all are in the same units.
    pub fn check(&self, model: &Model<f64>) -> Result<(), IdentifyError> {
        const FAR: f64 = 10.0;
        for (sums, coordinate) in self.sums.iter().zip(model.velocities()) {
            for ([product, mean, rate], (what, of)) in
                sums.iter().zip([("velocities", "positions"), ("accelerations", "velocities")])
            {
                // Only where the two go together is their ratio a matter of units.
                let together = product.abs() > 0.9 * (mean * rate).sqrt();
                let ratio = product / mean;
                if together && *mean > 0.0 && (ratio.abs() > FAR || ratio.abs() < 1.0 / FAR) {
                    let evidence = format!("the rates of the {of} are {ratio:.4e} times the {what}");
                    // Who is wrong cannot be known; the limits of the joint tell of positions.
                    let joint = coordinate.to_string();
                    return Err(IdentifyError::Units { what, joint, evidence });
                }
            }
        }
        Ok(())
    }
}
