//! Motion of a flexible arm in time.
//!
//! y = (q, q̇, work, impulse): the work of torques and friction and what the base torque, friction and weight add to the angular
//! momentum about the base are integrated by the same method, so that energy less work and momentum less impulse are constant
//! but for the integrator's error. Where B is not positive definite the motion stops with a diagnosis.

use super::arm::{FlexibleArm, Kinematics};
use super::energy::{base_momentum, elastic_energy, kinetic_energy, weight_energy};
use super::factor::{Indefinite, Workspace, accelerations_into};
use super::scenario::Scenario;
use super::tip::tip;
use crate::simulate::{Adaptive, Equations, Method, Rk4, Schedule, SimulationError, Torque};

/// Most numbers that a motion may hold: one gigabyte of them.
const MOST_NUMBERS: f64 = (1_u64 << 27) as f64;

/// The arm at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmSample {
    /// Time, s.
    pub t: f64,
    /// Position.
    pub q: Vec<f64>,
    /// Velocity.
    pub qd: Vec<f64>,
    /// Joint torques from this time on.
    pub torque: Vec<f64>,
    /// x and y of the tip, m.
    pub tip: [f64; 2],
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Elastic energy and that of weight, J.
    pub potential: f64,
    /// What torques have added and friction and damping have taken, J.
    pub work: f64,
    /// Angular momentum about the base, less what acted on it from outside, N m s.
    pub own_momentum: f64,
}

impl ArmSample {
    /// Kinetic and potential energy, J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// A simulated motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmMotion {
    /// The samples in the order of time.
    pub samples: Vec<ArmSample>,
    /// Steps that the integrator took.
    pub steps: u64,
}

impl ArmMotion {
    fn drift(&self, value: impl Fn(&ArmSample) -> f64) -> f64 {
        let Some(first) = self.samples.first() else { return 0.0 };
        self.samples.iter().map(|sample| (value(sample) - value(first)).abs()).fold(0.0, f64::max)
    }

    /// The largest |E(t) − E(0) − work|, J: the error of the integrator.
    #[must_use]
    pub fn energy_drift(&self) -> f64 {
        self.drift(|sample| sample.energy() - sample.work)
    }

    /// The largest |p(t) − p(0) − impulse|, N m s.
    #[must_use]
    pub fn momentum_drift(&self) -> f64 {
        self.drift(|sample| sample.own_momentum)
    }
}

/// Why an arm could not be simulated, or not to the end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// Input that does not fit, or numbers that are no longer finite.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The first-order model has left its range.
    #[error(transparent)]
    Indefinite(Box<Indefinite>),
    /// A vector of the scenario has another length than the arm.
    #[error("{name} must have {expected} numbers for {arm}, not {found}")]
    Length {
        /// Which.
        name: &'static str,
        /// The arm.
        arm: String,
        /// Numbers needed.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
}

/// The equations of motion under a torque law.
struct ArmEquations<'a> {
    arm: &'a FlexibleArm<f64>,
    torque_law: &'a Torque,
    /// A time within the piece of the torque law at hand.
    piece: f64,
    torque: Vec<f64>,
    damping: Vec<f64>,
    workspace: Workspace,
    /// Where B could not be factored.
    failed_at: Option<(f64, Vec<f64>)>,
}

impl<'a> ArmEquations<'a> {
    fn new(arm: &'a FlexibleArm<f64>, torque_law: &'a Torque) -> Self {
        Self {
            arm,
            torque_law,
            piece: 0.0,
            torque: vec![0.0; arm.joints()],
            damping: arm.damping(),
            workspace: Workspace::new(arm),
            failed_at: None,
        }
    }

    fn diagnosis(&self) -> Option<MotionError> {
        let (t, q) = self.failed_at.as_ref()?;
        Some(MotionError::Indefinite(Box::new(Indefinite::at(self.arm, q, Some(*t)))))
    }

    /// Why the adaptive method gave up. A refused step may have tried places that the motion never reaches, so that a failure
    /// there says nothing by itself; but accelerations grow without bound towards the edge of definiteness.
    fn explain(&self, error: SimulationError, t: f64, y: &[f64]) -> MotionError {
        let q = &y[..self.arm.size()];
        let straight: Vec<f64> =
            q.iter().enumerate().map(|(c, &x)| if c < self.arm.joints() { x } else { 0.0 }).collect();
        let [here, before] = [q, &straight].map(|q| Indefinite::at(self.arm, q, Some(t)));
        if here.smallest < 0.01 * before.smallest && self.arm.kinematics() == Kinematics::Paper {
            return MotionError::Indefinite(Box::new(here));
        }
        self.diagnosis().unwrap_or_else(|| error.into())
    }

    fn sample(&mut self, t: f64, y: &[f64]) -> Result<ArmSample, MotionError> {
        let (arm, size) = (self.arm, self.arm.size());
        self.torque_law.at_into(t, t, &mut self.torque);
        let (q, qd) = (&y[..size], &y[size..2 * size]);
        let terms = self.workspace.terms(arm, q, qd);
        let sample = ArmSample {
            t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            torque: self.torque.clone(),
            tip: tip(arm, q).position,
            kinetic: kinetic_energy(terms, qd),
            potential: elastic_energy(arm, q) + weight_energy(arm, q),
            work: y[2 * size],
            own_momentum: base_momentum(terms, qd) - y[2 * size + 1],
        };
        let finite = [sample.energy(), sample.own_momentum, sample.tip[0], sample.tip[1]].iter().all(|x| x.is_finite());
        if finite { Ok(sample) } else { Err(SimulationError::NotFinite { t }.into()) }
    }
}

impl Equations<f64> for ArmEquations<'_> {
    fn size(&self) -> usize {
        2 * self.arm.size() + 2
    }

    fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
        let size = self.arm.size();
        let (q, qd) = (&y[..size], &y[size..2 * size]);
        self.torque_law.at_into(t, self.piece, &mut self.torque);
        rate[..size].copy_from_slice(qd);
        let (_, accelerations) = rate.split_at_mut(size);
        let (qdd, sums) = accelerations.split_at_mut(size);
        if !accelerations_into(self.arm, q, qd, &self.torque, &mut self.workspace, qdd) {
            self.failed_at.get_or_insert_with(|| (t, q.to_vec()));
            rate.fill(f64::NAN);
            return;
        }
        let friction: f64 = self.damping.iter().zip(qd).map(|(d, v)| d * v * v).sum();
        sums[0] = self.torque.iter().zip(qd).map(|(u, v)| u * v).sum::<f64>() - friction;
        sums[1] = self.torque[0] - self.damping[0] * qd[0] - self.workspace.gravity()[0];
    }

    fn project(&self, _: &mut [f64]) {}
}

/// How the motion is integrated and sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionOptions {
    /// The integrator.
    pub method: Method,
    /// Every how many steps a sample is taken; start and end always are.
    pub every: u64,
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self { method: Method::Rk4, every: 1 }
    }
}

/// Simulates a scenario. `progress` is told the time reached.
///
/// # Errors
/// A scenario that does not fit the arm, a motion that leaves the finite numbers, or one that leaves the range in which B is
/// positive definite.
pub fn simulate(
    arm: &FlexibleArm<f64>,
    scenario: &Scenario,
    options: &MotionOptions,
    mut progress: impl FnMut(f64),
) -> Result<ArmMotion, MotionError> {
    check(arm, scenario, options)?;
    let mut equations = ArmEquations::new(arm, &scenario.torque);
    let mut y: Vec<f64> = scenario.q0.iter().chain(&scenario.qd0).copied().chain([0.0, 0.0]).collect();
    let schedule = Schedule { duration: scenario.duration, step: scenario.step, knots: scenario.torque.knots() };
    let mut motion = ArmMotion { samples: vec![equations.sample(0.0, &y)?], steps: 0 };
    match options.method {
        Method::Rk4 => fixed(&mut equations, &schedule, options.every, &mut y, &mut motion, &mut progress)?,
        Method::Adaptive { relative, absolute } => {
            let mut solver = Adaptive::new(relative, absolute, y.len());
            adaptive(&mut equations, &schedule, options.every, &mut solver, &mut y, &mut motion, &mut progress)?;
        }
    }
    Ok(motion)
}

fn check(arm: &FlexibleArm<f64>, scenario: &Scenario, options: &MotionOptions) -> Result<(), MotionError> {
    let length = |name: &'static str, found: usize, expected: usize| {
        let arm = arm.name().to_owned();
        if found == expected { Ok(()) } else { Err(MotionError::Length { name, arm, expected, found }) }
    };
    length("q0", scenario.q0.len(), arm.size())?;
    length("qd0", scenario.qd0.len(), arm.size())?;
    if let Some(found) = scenario.torque.size() {
        length("the torque", found, arm.joints())?;
    }
    let good = |name: &'static str, value: f64, good: bool, expected: &'static str| {
        let fine = good && value.is_finite();
        if fine { Ok(()) } else { Err(SimulationError::Option { name, expected, value }) }
    };
    let positive = |name: &'static str, value: f64| good(name, value, value > 0.0, "a positive number");
    positive("duration", scenario.duration)?;
    positive("step", scenario.step)?;
    positive("number of steps per sample", options.every as f64)?;
    if let Method::Adaptive { relative, absolute } = options.method {
        positive("relative tolerance", relative)?;
        positive("absolute tolerance", absolute)?;
    }
    for &x in scenario.q0.iter().chain(&scenario.qd0) {
        good("start", x, true, "a finite number")?;
    }
    if let Torque::Constant(values) = &scenario.torque {
        for &x in values {
            good("torque", x, true, "a finite number")?;
        }
    }
    let samples = (scenario.duration / scenario.step / options.every as f64).ceil() + 2.0;
    let numbers = 3 * arm.size() + 8;
    if samples * numbers as f64 > MOST_NUMBERS || scenario.duration / scenario.step > 1e12 {
        return Err(SimulationError::TooManySamples { samples, numbers }.into());
    }
    Ok(())
}

fn check_finite(equations: &ArmEquations<'_>, y: &[f64], t: f64) -> Result<(), MotionError> {
    if y.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(equations.diagnosis().unwrap_or_else(|| SimulationError::NotFinite { t }.into()))
}

fn fixed(
    equations: &mut ArmEquations<'_>,
    schedule: &Schedule<'_>,
    every: u64,
    y: &mut [f64],
    motion: &mut ArmMotion,
    progress: &mut impl FnMut(f64),
) -> Result<(), MotionError> {
    let (mut rk4, count, mut t) = (Rk4::new(y.len()), schedule.step_count(), 0.0);
    for k in 1..=count {
        let end = schedule.step_end(k);
        while t < end {
            let to = schedule.piece_end(t, end, schedule.step);
            equations.piece = 0.5 * (t + to);
            rk4.step(equations, t, to - t, y);
            motion.steps += 1;
            check_finite(equations, y, t)?;
            t = to;
        }
        if k % every == 0 || k == count {
            motion.samples.push(equations.sample(end, y)?);
        }
        progress(end);
    }
    Ok(())
}

fn adaptive(
    equations: &mut ArmEquations<'_>,
    schedule: &Schedule<'_>,
    every: u64,
    solver: &mut Adaptive,
    y: &mut [f64],
    motion: &mut ArmMotion,
    progress: &mut impl FnMut(f64),
) -> Result<(), MotionError> {
    let count = schedule.step_count();
    let (mut t, mut next) = (0.0, every.min(count));
    while t < schedule.duration {
        let to = schedule.piece_end(t, schedule.duration, schedule.step);
        equations.piece = 0.5 * (t + to);
        solver.start(equations, t, to, y).map_err(|error| equations.explain(error, t, y))?;
        while solver.time() < to {
            equations.failed_at = None;
            let reached = solver.time();
            solver.step(equations).map_err(|error| equations.explain(error, reached, y))?;
            motion.steps += 1;
            y.copy_from_slice(solver.values());
            while next < count && schedule.step_end(next) <= solver.time() {
                let time = schedule.step_end(next);
                motion.samples.push(equations.sample(time, &solver.values_at(time))?);
                next = (next + every).min(count);
            }
            progress(solver.time());
        }
        t = to;
    }
    motion.samples.push(equations.sample(schedule.duration, y)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::description::BuiltArm;
    use super::super::scenario;
    use super::super::tests::{description, link, numbers, paper, suite};
    use super::*;

    fn run(built: &BuiltArm, scenario: &Scenario) -> ArmMotion {
        simulate(&scenario.arm(built), scenario, &MotionOptions::default(), |_| ()).unwrap()
    }

    #[test]
    fn stored_traces_are_followed_to_eight_decimals() {
        let built = paper(2).build().unwrap();
        for (trace, figure) in suite()["traces"].as_array().unwrap().iter().zip(["fig5", "fig6", "fig9"]) {
            let scenario = Scenario::figure(figure).unwrap();
            assert_eq!(scenario.q0, numbers(&trace["q0"]));
            let motion = run(&built, &scenario);
            assert_eq!(motion.steps, 2000);
            for (k, sample) in motion.samples.iter().step_by(10).enumerate() {
                let found = sample.q.iter().chain(&sample.tip);
                let known = ["theta", "delta", "tip"].into_iter().flat_map(|key| numbers(&trace[key][k]));
                for (c, (a, b)) in found.zip(known).enumerate() {
                    assert!((a - b).abs() < 1e-8, "{figure} at {} [{c}]: {a} {b}", sample.t);
                }
            }
            let energies = numbers(&trace["energy_first_last"]);
            let last = motion.samples.last().unwrap();
            assert!((motion.samples[0].energy() - energies[0]).abs() < 1e-12);
            assert!((last.energy() - energies[1]).abs() < 1e-9);
        }
    }

    #[test]
    fn free_undamped_motion_keeps_energy_and_base_momentum() {
        let built = paper(2).build().unwrap();
        for figure in ["fig5", "fig6"] {
            let coarse = Scenario::figure(figure).unwrap();
            let fine = Scenario { step: 5e-4, ..coarse.clone() };
            let (coarse, fine) = (run(&built, &coarse), run(&built, &fine));
            assert!(coarse.energy_drift() <= 3e-7, "{}", coarse.energy_drift());
            let order = (coarse.energy_drift() / fine.energy_drift()).log2();
            assert!((3.7..5.3).contains(&order), "order {order}");
            assert!(coarse.momentum_drift() < 2e-8);
        }
        for figure in ["fig7", "fig8", "fig9", "fig10"] {
            let motion = run(&built, &Scenario::figure(figure).unwrap());
            let drift = [motion.energy_drift(), motion.momentum_drift()];
            assert!(drift[0] < 5e-5 && drift[1] < 5e-6, "{figure}: {drift:?}");
        }
    }

    #[test]
    fn damped_figures_settle_where_they_are_known_to() {
        let built = paper(2).build().unwrap();
        for (figure, angles) in
            [("fig7", [0.01122, 0.02906]), ("fig8", [0.02876, 1.60636]), ("fig10", [-0.0338, 0.4158])]
        {
            let last = run(&built, &Scenario::figure(figure).unwrap()).samples.pop().unwrap();
            assert!(last.q.iter().zip(angles).all(|(a, b)| (a - b).abs() < 6e-5), "{figure}: {:?}", last.q);
        }
    }

    #[test]
    fn both_methods_agree_and_stop_at_the_edge_of_validity() {
        let built = paper(2).build().unwrap();
        let scenario = Scenario::figure("fig5").unwrap();
        let options = MotionOptions { method: Method::Adaptive { relative: 1e-10, absolute: 1e-10 }, every: 10 };
        let adaptive = simulate(&built.arm, &scenario, &options, |_| ()).unwrap();
        let fixed = run(&built, &scenario);
        assert_eq!(adaptive.samples.len(), 201);
        for (a, b) in adaptive.samples.iter().zip(fixed.samples.iter().step_by(10)) {
            assert!((a.t - b.t).abs() < 1e-12 && a.q.iter().zip(&b.q).all(|(x, y)| (x - y).abs() < 2e-5), "{}", a.t);
        }
        let late = Scenario { torque: scenario::bang_bang(&[0.2, 0.2], 1.0, 2.0).unwrap(), ..Scenario::rest(6) };
        for options in [MotionOptions::default(), options] {
            match simulate(&built.arm, &late, &options, |_| ()) {
                Err(MotionError::Indefinite(diagnosis)) => {
                    let t = diagnosis.t.unwrap();
                    assert!((1.2..1.4).contains(&t), "{t}");
                    let deflection = diagnosis.deflection.unwrap();
                    assert_eq!(deflection.name, "delta11");
                    assert!(deflection.value.abs() > 0.3);
                }
                Err(other) => panic!("{other}"),
                Ok(motion) => panic!("{} steps", motion.steps),
            }
        }
        for kinematics in [Kinematics::Linear, Kinematics::Rotation] {
            let arm = built.arm.clone().with_kinematics(kinematics);
            let motion = simulate(&arm, &late, &MotionOptions::default(), |_| ()).unwrap();
            assert!(motion.energy_drift() < 1e-4, "{}", motion.energy_drift());
        }
        let damped = Scenario { damping_factor: Some(0.1), ..late };
        assert!(run(&built, &damped).samples.iter().all(|sample| sample.q.iter().all(|x| x.is_finite())));
    }

    /// A nonlinear finite-element program's motion under the torques of Fig. 9, far from small deflections.
    #[test]
    fn the_stored_large_deflection_motion_is_met_as_closely_as_the_kinematics_allow() {
        let stored = &suite()["crossval_exudyn_ancf"][0];
        let (first, second) = (numbers(&stored["th1"]), numbers(&stored["th2"]));
        let built = paper(2).build().unwrap();
        let scenario = Scenario::figure("fig9").unwrap();
        for (kinematics, bounds) in [
            (Kinematics::Paper, [0.020, 0.115]),
            (Kinematics::Linear, [0.075, 0.190]),
            (Kinematics::Rotation, [0.0070, 0.145]),
        ] {
            let arm = built.arm.clone().with_kinematics(kinematics);
            let motion = simulate(&arm, &scenario, &MotionOptions { every: 10, ..Default::default() }, |_| ()).unwrap();
            for (joint, (known, bound)) in [&first, &second].into_iter().zip(bounds).enumerate() {
                let errors = motion.samples.iter().zip(known).map(|(sample, known)| (sample.q[joint] - known).abs());
                let worst = errors.fold(0.0, f64::max);
                assert!(worst < bound && worst > 0.5 * bound, "{kinematics:?} joint {joint}: {worst}");
            }
        }
    }

    #[test]
    fn an_arm_swinging_under_gravity_keeps_its_energy() {
        let links = vec![
            link(0.4, 0.3, 20.0, [0.0, 0.02], 2),
            link(0.3, 0.2, 10.0, [0.1, 0.01], 0),
            link(0.2, 0.2, 8.0, [0.1, 0.01], 1),
        ];
        for kinematics in Kinematics::ALL {
            let mut arm = description(links.clone(), [0.05, 0.0001]);
            (arm.gravity, arm.kinematics) = ([0.0, -9.81], kinematics);
            let built = arm.build().unwrap();
            let scenario = Scenario { duration: 0.5, step: 2e-4, ..Scenario::rest(built.arm.size()) };
            let motion = run(&built, &scenario);
            let largest = motion.samples.iter().map(|sample| sample.kinetic).fold(0.0, f64::max);
            assert!(
                largest > 0.1 && motion.energy_drift() < 1e-6 * largest,
                "{kinematics:?} {}",
                motion.energy_drift()
            );
            assert!(motion.momentum_drift() < 1e-7, "{}", motion.momentum_drift());
        }
    }

    #[test]
    fn scenarios_that_do_not_fit_are_refused() {
        let built = paper(2).build().unwrap();
        let good = Scenario::rest(6);
        for bad in [
            Scenario { q0: vec![0.0; 4], ..good.clone() },
            Scenario { qd0: vec![0.0; 7], ..good.clone() },
            Scenario { duration: 0.0, ..good.clone() },
            Scenario { step: f64::NAN, ..good.clone() },
            Scenario { step: 1e-300, ..good.clone() },
            Scenario { q0: vec![f64::INFINITY; 6], ..good.clone() },
            Scenario { torque: Torque::Constant(vec![0.1; 6]), ..good.clone() },
            Scenario { torque: Torque::Constant(vec![f64::NAN; 2]), ..good.clone() },
        ] {
            assert!(simulate(&built.arm, &bad, &MotionOptions::default(), |_| ()).is_err(), "{bad:?}");
        }
        assert!(scenario::bang_bang(&[0.1], 0.5, 0.4).is_none() && scenario::bang_bang(&[0.1], 0.0, 0.4).is_none());
        assert!(Scenario::figure("fig4").is_none());
    }
}
