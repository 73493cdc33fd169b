//! Steps by tolerance: the explicit method of Dormand and Prince of order 5(4) with dense output of order 4.
//!
//! Seven stages, the last of them the first of the next step; the difference of the two embedded solutions, measured number
//! by number against absolute + relative · |y|, chooses the step by a proportional–integral controller.
//!
//! Quaternions leave the unit sphere by no more than the tolerance and are scaled back where they are read: their rates
//! are homogeneous, so scaling commutes with the motion. Trap: an explicit method stays accurate on a stiff system, such as
//! strong Coulomb friction near standstill, but pays with very small steps.
//!
//! # Reference
//! Dormand and Prince 1980, table 2; Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.4 for the
//! first step and the controller, II.6 for the dense output.

use super::equations::Equations;
use super::error::IntegrationError;
use super::stepper::{Span, Stepper};

/// Places of the stages in the step.
const NODES: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Weights of the stages before each stage; the last row is the solution of order 5.
const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Order 5 less order 4.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The quartic term of the dense output.
const DENSE: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

const SAFETY: f64 = 0.9;
/// Share of the last error in the choice of the step.
const MEMORY: f64 = 0.04;
/// A step is at most so much shorter than the last …
const SHRINK: f64 = 5.0;
/// … and at most so much longer.
const GROW: f64 = 10.0;

/// The method on its way through smooth pieces of time.
#[derive(Clone, Debug)]
pub struct Adaptive {
    relative: f64,
    absolute: f64,
    span: Span,
    /// The step that the tolerance would allow next, kept from piece to piece; zero before the first.
    proposal: f64,
    last_error: f64,
    /// Rates at the stages of the last step; the last is that of `values`.
    rates: [Vec<f64>; 7],
    stage: Vec<f64>,
}

impl Adaptive {
    /// With these tolerances, for systems of `size` numbers.
    #[must_use]
    pub fn new(relative: f64, absolute: f64, size: usize) -> Self {
        let zero = vec![0.0; size];
        Self {
            relative,
            absolute,
            span: Span::new(size),
            proposal: 0.0,
            last_error: 1e-4,
            rates: std::array::from_fn(|_| zero.clone()),
            stage: zero,
        }
    }

    /// A guess from the sizes of the first two derivatives.
    fn first_step(&mut self, equations: &mut dyn Equations<f64>) -> f64 {
        let span = self.span.end - self.span.from;
        let [.., scratch, rate] = &mut self.rates;
        let (relative, absolute) = (self.relative, self.absolute);
        let norm = |v: &mut dyn Iterator<Item = (f64, f64)>| {
            let (sum, count) = v.fold((0.0, 0.0_f64), |(sum, count), (x, y): (f64, f64)| {
                let scaled = x / (absolute + relative * y.abs());
                (sum + scaled * scaled, count + 1.0)
            });
            (sum / count.max(1.0)).sqrt()
        };
        let y = &self.span.values;
        let size = norm(&mut y.iter().map(|&y| (y, y)));
        let slope = norm(&mut rate.iter().copied().zip(y.iter().copied()));
        let trial = if size < 1e-5 || slope < 1e-5 { 1e-6 } else { 0.01 * size / slope }.min(span);
        for ((stage, y), rate) in self.stage.iter_mut().zip(y).zip(rate.iter()) {
            *stage = y + trial * rate;
        }
        equations.rate_into(self.span.from + trial, &self.stage, scratch);
        let bend = norm(&mut scratch.iter().zip(rate.iter()).zip(y).map(|((a, b), &y)| (a - b, y))) / trial;
        let steepest = slope.max(bend);
        let guess = if steepest <= 1e-15 { (trial * 1e-3).max(1e-6) } else { (0.01 / steepest).powf(0.2) };
        // Also where the trial led out of the finite numbers.
        if guess.is_finite() { guess.min(100.0 * trial).min(span) } else { trial }
    }

    /// All stages of a step from `values`; the solution of order 5 stays in `stage`.
    fn stages(&mut self, equations: &mut dyn Equations<f64>, h: f64) {
        for i in 1..7 {
            self.stage.copy_from_slice(&self.span.values);
            for j in 0..i {
                let weight = h * STAGES[i][j];
                if weight != 0.0 {
                    self.stage.iter_mut().zip(&self.rates[j]).for_each(|(stage, rate)| *stage += weight * rate);
                }
            }
            equations.rate_into(self.span.time + NODES[i] * h, &self.stage, &mut self.rates[i]);
        }
    }

    /// The error of a step over what is allowed, root mean square; infinite if the step leaves the finite numbers.
    fn error(&self, h: f64) -> f64 {
        let mut sum = 0.0;
        for (n, (old, new)) in self.span.values.iter().zip(&self.stage).enumerate() {
            let error: f64 = (0..7).map(|i| ERROR[i] * self.rates[i][n]).sum::<f64>() * h;
            let scaled = error / (self.absolute + self.relative * old.abs().max(new.abs()));
            sum += scaled * scaled;
        }
        let error = (sum / (self.span.values.len().max(1) as f64)).sqrt();
        if error.is_finite() && self.rates[6].iter().chain(&self.stage).all(|x| x.is_finite()) {
            error
        } else {
            f64::INFINITY
        }
    }
}

impl Stepper for Adaptive {
    fn span(&self) -> &Span {
        &self.span
    }

    fn start(
        &mut self,
        equations: &mut dyn Equations<f64>,
        from: f64,
        to: f64,
        y: &[f64],
    ) -> Result<(), IntegrationError> {
        self.span.start(from, to, y);
        equations.rate_into(from, y, &mut self.rates[6]);
        if self.rates[6].iter().any(|x| !x.is_finite()) {
            return Err(IntegrationError::NotFinite { t: from });
        }
        if self.proposal == 0.0 {
            self.proposal = self.first_step(equations);
        }
        Ok(())
    }

    fn step(&mut self, equations: &mut dyn Equations<f64>) -> Result<(), IntegrationError> {
        let rest = self.span.end - self.span.time;
        let mut length = self.proposal;
        let mut rejected = false;
        self.rates.swap(0, 6);
        loop {
            // A last step that would leave a sliver takes it along.
            let is_last = length >= rest * (1.0 - 1e-9);
            let h = if is_last { rest } else { length };
            if h <= 1e-14 * self.span.time.abs().max(f64::MIN_POSITIVE) || h < 1e-30 {
                return Err(IntegrationError::StepTooSmall { t: self.span.time });
            }
            self.stages(equations, h);
            let error = self.error(h);
            if error <= 1.0 {
                let factor = error.powf(0.2 - 0.75 * MEMORY) / self.last_error.powf(MEMORY) / SAFETY;
                let next = h / factor.clamp(1.0 / GROW, SHRINK);
                let next = if rejected { next.min(h) } else { next };
                // What is left of a piece says little about the tolerance.
                self.proposal = if is_last { next.max(length) } else { next };
                self.last_error = error.max(1e-4);
                self.span.advance(h, is_last, &self.stage);
                return Ok(());
            }
            rejected = true;
            let factor = if error.is_finite() { error.powf(0.2 - 0.75 * MEMORY) / SAFETY } else { SHRINK };
            length = h / factor.min(SHRINK);
        }
    }

    fn values_at_into(&mut self, _: &mut dyn Equations<f64>, t: f64, out: &mut [f64]) {
        let [h, s] = self.span.share(t);
        for (n, out) in out.iter_mut().enumerate() {
            let difference = self.span.values[n] - self.span.before[n];
            let start = h * self.rates[0][n] - difference;
            let end = difference - h * self.rates[6][n] - start;
            let quartic = h * (0..7).map(|i| DENSE[i] * self.rates[i][n]).sum::<f64>();
            *out = self.span.before[n] + s * (difference + (1.0 - s) * (start + s * (end + (1.0 - s) * quartic)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = (sin, cos)(t²/2 + t): a turn of growing speed.
    struct Turn;

    impl Equations<f64> for Turn {
        fn size(&self) -> usize {
            2
        }

        fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
            rate.copy_from_slice(&[(t + 1.0) * y[1], -(t + 1.0) * y[0]]);
        }

        fn project(&self, _: &mut [f64]) {}
    }

    fn error(t: f64, y: &[f64]) -> f64 {
        let (sin, cos) = (0.5 * t * t + t).sin_cos();
        (y[0] - sin).abs().max((y[1] - cos).abs())
    }

    fn at(method: &mut Adaptive, t: f64) -> [f64; 2] {
        let mut y = [0.0; 2];
        method.values_at_into(&mut Turn, t, &mut y);
        y
    }

    /// One step of length h: errors at its end and at worst within.
    fn one_step(h: f64) -> [f64; 2] {
        let mut method = Adaptive::new(1.0, 1.0, 2);
        method.start(&mut Turn, 0.0, h, &[0.0, 1.0]).unwrap();
        method.proposal = h;
        method.step(&mut Turn).unwrap();
        assert_eq!(method.time(), h);
        let within =
            (1..20).map(|k| h * f64::from(k) / 20.0).map(|t| error(t, &at(&mut method, t))).fold(0.0, f64::max);
        [error(h, method.values()), within]
    }

    #[test]
    fn a_step_is_of_order_five_and_its_dense_output_of_order_four() {
        for h in [0.1, 0.05] {
            let ([end, within], [half_end, half_within]) = (one_step(h), one_step(0.5 * h));
            let orders = [(end / half_end).log2() - 1.0, (within / half_within).log2() - 1.0];
            assert!((4.7..5.4).contains(&orders[0]) && (3.7..4.4).contains(&orders[1]), "{h}: {orders:?}");
        }
    }

    #[test]
    fn the_error_follows_the_tolerance_at_the_steps_and_between() {
        for tolerance in [1e-5, 1e-8, 1e-11] {
            let mut method = Adaptive::new(tolerance, tolerance, 2);
            method.start(&mut Turn, 0.0, 5.0, &[0.0, 1.0]).unwrap();
            let mut worst = 0.0_f64;
            while method.time() < 5.0 {
                let from = method.time();
                method.step(&mut Turn).unwrap();
                for k in 1..=10 {
                    let t = from + (method.time() - from) * f64::from(k) / 10.0;
                    worst = worst.max(error(t, &at(&mut method, t)));
                }
            }
            assert!(worst < 100.0 * tolerance, "{tolerance:e}: {worst:e}");
        }
    }

    /// ẏ = y²: infinite at t = 1.
    struct Blowup;

    impl Equations<f64> for Blowup {
        fn size(&self) -> usize {
            1
        }

        fn rate_into(&mut self, _: f64, y: &[f64], rate: &mut [f64]) {
            rate[0] = y[0] * y[0];
        }

        fn project(&self, _: &mut [f64]) {}
    }

    #[test]
    fn a_pole_is_an_error_at_its_time() {
        let mut method = Adaptive::new(1e-9, 1e-9, 1);
        method.start(&mut Blowup, 0.0, 2.0, &[1.0]).unwrap();
        let error = loop {
            if let Err(error) = method.step(&mut Blowup) {
                break error;
            }
        };
        assert!(matches!(error, IntegrationError::StepTooSmall { t } if (t - 1.0).abs() < 1e-6), "{error}");
    }
}
