//! dynibo's functions, from the same bodies as URDF.

use crate::timing::{Call, Measured};
use crate::tree::Tree;
use dynibo::Robot;
use jourdain::state::State;
use std::error::Error;
use std::path::Path;

/// A state in dynibo's order.
pub struct Ordered {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
}

/// A robot, its states, and jourdain's index of each of its joints.
pub struct Dynibo {
    robot: Robot,
    states: Vec<Ordered>,
    order: Vec<usize>,
}

impl Dynibo {
    /// # Errors
    /// dynibo's, or why it cannot hold this robot.
    pub fn new(tree: &Tree, states: &[State], directory: &Path) -> Result<Self, Box<dyn Error>> {
        let urdf = tree.to_urdf().ok_or("its floating base has world velocities: not comparable")?;
        let path = directory.join("robot.urdf");
        std::fs::write(&path, urdf)?;
        let robot = Robot::from_urdf(&path)?;
        let index = |dof: usize| -> Result<usize, Box<dyn Error>> {
            let name = robot.joint_name(dof)?;
            Ok(tree.bodies.iter().find(|body| body.joint_name == name).ok_or("a joint went missing")?.v)
        };
        let order = (0..robot.joint_count()).map(index).collect::<Result<Vec<_>, _>>()?;
        let pick = |vector: &[f64]| order.iter().map(|&i| vector[i]).collect::<Vec<f64>>();
        // A robot without free joints has the same indices in position and velocity.
        let ordered = |s: &State| Ordered { q: pick(&s.q), v: pick(&s.qd), a: pick(&s.qdd), tau: pick(&s.tau) };
        Ok(Self { states: states.iter().map(ordered).collect(), robot, order })
    }

    /// The function behind a row of the table, if dynibo has one.
    pub fn quantity(&self, name: &str) -> Option<Box<dyn Measured + '_>> {
        let n = self.order.len();
        let states = &self.states[..];
        let mut robot = self.robot.fork();
        let vector = move |_: usize, out: &[f64]| {
            let mut sorted = vec![0.0; n];
            self.order.iter().zip(out).for_each(|(&i, &x)| sorted[i] = x);
            sorted
        };
        let matrix = move |_: usize, out: &[f64]| {
            let mut sorted = vec![0.0; n * n];
            for (k, &x) in out.iter().enumerate() {
                sorted[self.order[k % n] * n + self.order[k / n]] = x;
            }
            sorted
        };
        macro_rules! call {
            ($length:expr, $read:expr, $s:ident, $out:ident, $function:expr) => {{
                let function = move |$s: &Ordered, $out: &mut [f64]| {
                    // An error would leave zeros, which the comparison of values finds.
                    let _ = $function;
                };
                Some(Box::new(Call { states, out: vec![0.0; $length], function, read: $read }))
            }};
        }
        match name {
            "inverse_dynamics" => {
                call!(n, vector, s, out, robot.inverse_dynamics(&s.q, &s.v, &s.a, &[], out))
            }
            "mass_matrix" => call!(n * n, matrix, s, out, robot.mass_matrix(&s.q, out)),
            "gravity" => call!(n, vector, s, out, robot.gravity(&s.q, &[], out)),
            "articulated_body" => {
                call!(n, vector, s, out, robot.forward_dynamics(&s.q, &s.v, &s.tau, &[], out))
            }
            _ => None,
        }
    }
}
