//! Simulated logs: a robot with friction along a Fourier series, with noise.

// Each test file uses its own part of this.
#![allow(dead_code)]

use jourdain::dynamics::recursive;
use jourdain::{Model, Workspace, robots};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Random numbers from a seed (Splitmix64).
pub struct Random(pub u64);

impl Random {
    /// Uniform in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 + 1e-17
    }

    /// Normally distributed.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (2.0 * PI * v).cos()
    }
}

/// A built-in robot with friction at every joint.
pub fn with_friction(name: &str) -> Model<f64> {
    let mut description = robots::load(name).unwrap().description().clone();
    for (k, link) in description.links.iter_mut().enumerate() {
        if !matches!(link.joint.kind, jourdain::model::description::JointKind::Fixed) {
            let mut motor = link.motor.unwrap_or_default();
            motor.viscous = (0.3 + 0.1 * k as f64).into();
            motor.coulomb = (0.5 + 0.2 * k as f64).into();
            link.motor = Some(motor);
        }
    }
    Model::from_description(&description).unwrap()
}

/// A built-in robot that may go wherever a test takes it.
pub fn without_limits(name: &str) -> Model<f64> {
    let mut description = robots::load(name).unwrap().description().clone();
    for link in &mut description.links {
        (link.joint.limits, link.joint.velocity) = (None, None);
    }
    Model::from_description(&description).unwrap()
}

/// A motion of all joints, and the torques of a model along it.
pub struct Run {
    pub model: Model<f64>,
    workspace: Workspace<f64>,
    amplitude: f64,
    pub q: Vec<f64>,
    pub qd: Vec<f64>,
    pub qdd: Vec<f64>,
    pub tau: Vec<f64>,
}

impl Run {
    pub fn new(model: &Model<f64>, amplitude: f64) -> Self {
        let n = model.nv();
        let [q, qd, qdd, tau] = std::array::from_fn(|_| vec![0.0; n]);
        Self { model: model.clone(), workspace: Workspace::new(model), amplitude, q, qd, qdd, tau }
    }

    /// Sets the state at a time, without noise.
    pub fn at(&mut self, t: f64) {
        for j in 0..self.q.len() {
            let (mut q, mut qd, mut qdd) = (0.3, 0.0, 0.0);
            for (l, share) in [(1.0, 1.0), (2.3, 0.5), (3.7, 0.3)] {
                let w = 2.0 * PI * 0.1 * l * (1.0 + 0.13 * j as f64);
                let (sin, cos) = (w * t + l * j as f64).sin_cos();
                let a = self.amplitude * share;
                (q, qd, qdd) = (q + a * sin, qd + a * w * cos, qdd - a * w * w * sin);
            }
            (self.q[j], self.qd[j], self.qdd[j]) = (q, qd, qdd);
        }
        let Self { model, workspace, q, qd, qdd, tau, .. } = self;
        recursive::inverse_dynamics_into(model, q, qd, qdd, &[], workspace, tau);
    }
}

/// What a log has beside time, positions and torques.
#[derive(Clone, Copy, PartialEq)]
pub enum Derivatives {
    None,
    Velocities,
    All,
}

/// A log as CSV: `rows` samples at `rate`, normal noise on positions and torques.
pub fn csv(model: &Model<f64>, derivatives: Derivatives, rows: usize, rate: f64, noise: [f64; 2], seed: u64) -> String {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let mut text = heading(model.nv(), derivatives);
    for i in 0..rows {
        let t = i as f64 / rate;
        run.at(t);
        line(&mut text, t, &run, derivatives, noise, &mut random);
    }
    text
}

pub fn heading(n: usize, derivatives: Derivatives) -> String {
    let mut text = "t".to_owned();
    for letters in letters(derivatives) {
        (1..=n).for_each(|j| write!(text, ",{letters}{j}").unwrap());
    }
    text + "\n"
}

fn letters(derivatives: Derivatives) -> &'static [&'static str] {
    match derivatives {
        Derivatives::None => &["q", "tau"],
        Derivatives::Velocities => &["q", "qd", "tau"],
        Derivatives::All => &["q", "qd", "qdd", "tau"],
    }
}

pub fn line(text: &mut String, t: f64, run: &Run, derivatives: Derivatives, noise: [f64; 2], random: &mut Random) {
    write!(text, "{t}").unwrap();
    for letters in letters(derivatives) {
        let (values, noise) = match *letters {
            "q" => (&run.q, noise[0]),
            "qd" => (&run.qd, 0.0),
            "qdd" => (&run.qdd, 0.0),
            _ => (&run.tau, noise[1]),
        };
        for x in values {
            let x = if noise > 0.0 { x + noise * random.normal() } else { *x };
            write!(text, ",{x}").unwrap();
        }
    }
    text.push('\n');
}
