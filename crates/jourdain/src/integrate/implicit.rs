//! Steps by tolerance for stiff systems: a linearly implicit (Rosenbrock) method of order 2(3), L-stable.
//!
//! With W = 1 − γ h J, γ = 1/(2 + √2), J = ∂f/∂y and ḟ = ∂f/∂t by differences:
//!
//! k₁ = W⁻¹ (f(t, y) + γ h ḟ), k₂ = W⁻¹ (f(t + h/2, y + h/2 k₁) − k₁) + k₁, y ← y + h k₂,
//! k₃ = W⁻¹ (f(t + h, y_new) − (6 + √2) (k₂ − f₁) − 2 (k₁ − f₀) + γ h ḟ), error h/6 (k₁ − 2 k₂ + k₃).
//!
//! The steps follow what is to be seen of the motion, not its fastest part: a vibration that the tolerance does not see is
//! damped, not followed. Within a step the numbers are read off k₁ and k₂: rates at its ends are of no use there, because a
//! stiff system turns the smallest error of a value into a large one of its rate.
//!
//! Trap: of order two, it takes many steps where the tolerance is tight. It is for systems on which explicit methods crawl.
//!
//! # Reference
//! Shampine and Reichelt 1997, The MATLAB ODE suite, (5).

use super::equations::Equations;
use super::error::IntegrationError;
use super::stepper::{Span, Stepper};
use nalgebra::{DMatrix, DVector};

/// The method on its way.
#[derive(Clone, Debug)]
pub struct Implicit {
    relative: f64,
    absolute: f64,
    span: Span,
    /// k₁ and k₂ of the last step.
    slopes: [Vec<f64>; 2],
    rate: Vec<f64>,
    proposal: f64,
}

impl Implicit {
    /// With these tolerances, for systems of `size` numbers.
    #[must_use]
    pub fn new(relative: f64, absolute: f64, size: usize) -> Self {
        let zero = vec![0.0; size];
        Self {
            relative,
            absolute,
            span: Span::new(size),
            slopes: [zero.clone(), zero.clone()],
            rate: zero,
            proposal: 0.0,
        }
    }

    fn allowed(&self, y: f64) -> f64 {
        self.absolute + self.relative * y.abs()
    }

    /// ∂f/∂y and ∂f/∂t by forward differences.
    fn jacobian(&self, equations: &mut dyn Equations<f64>) -> (DMatrix<f64>, DVector<f64>) {
        let n = self.span.values.len();
        let (mut y, mut rate) = (self.span.values.clone(), vec![0.0; n]);
        let mut jacobian = DMatrix::zeros(n, n);
        for j in 0..n {
            let step = f64::EPSILON.sqrt() * self.span.values[j].abs().max(1e-3);
            y[j] = self.span.values[j] + step;
            let step = y[j] - self.span.values[j];
            equations.rate_into(self.span.time, &y, &mut rate);
            y[j] = self.span.values[j];
            (0..n).for_each(|i| jacobian[(i, j)] = (rate[i] - self.rate[i]) / step);
        }
        let step = 1e-7 * (self.span.end - self.span.time).min(1.0);
        equations.rate_into(self.span.time + step, &y, &mut rate);
        let by_time = DVector::from_fn(n, |i, _| (rate[i] - self.rate[i]) / step);
        (jacobian, by_time)
    }
}

impl Stepper for Implicit {
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
        equations.rate_into(from, y, &mut self.rate);
        self.slopes.iter_mut().for_each(|slope| slope.copy_from_slice(&self.rate));
        if self.rate.iter().any(|x| !x.is_finite()) {
            return Err(IntegrationError::NotFinite { t: from });
        }
        if self.proposal == 0.0 {
            let largest = self.rate.iter().zip(y).map(|(r, y)| r.abs() / (self.allowed(*y) + y.abs()));
            let largest = largest.fold(0.0, f64::max);
            self.proposal = (0.01 / largest.max(1e-3)).min(to - from).max(1e-9 * (to - from));
        }
        Ok(())
    }

    fn step(&mut self, equations: &mut dyn Equations<f64>) -> Result<(), IntegrationError> {
        let n = self.span.values.len();
        let (jacobian, by_time) = self.jacobian(equations);
        let f0 = DVector::from_column_slice(&self.rate);
        let y0 = DVector::from_column_slice(&self.span.values);
        let gamma = 1.0 / (2.0 + 2.0_f64.sqrt());
        let rest = self.span.end - self.span.time;
        let mut length = self.proposal;
        let mut rejected = false;
        loop {
            let is_last = length >= rest * (1.0 - 1e-9);
            let h = if is_last { rest } else { length };
            if h <= 1e-14 * self.span.time.abs().max(f64::MIN_POSITIVE) || h < 1e-30 {
                return Err(IntegrationError::StepTooSmall { t: self.span.time });
            }
            let drift = &by_time * (gamma * h);
            let factor = (DMatrix::identity(n, n) - &jacobian * (gamma * h)).lu();
            let attempt = (|| {
                let k1 = factor.solve(&(&f0 + &drift))?;
                let f1 = rate_at(equations, self.span.time + 0.5 * h, &(&y0 + &k1 * (0.5 * h)));
                let k2 = factor.solve(&(&f1 - &k1))? + &k1;
                let new = &y0 + &k2 * h;
                let f2 = rate_at(equations, self.span.time + h, &new);
                let right = &f2 - (&k2 - &f1) * (6.0 + 2.0_f64.sqrt()) - (&k1 - &f0) * 2.0 + &drift;
                let k3 = factor.solve(&right)?;
                let error = (&k1 - &k2 * 2.0 + k3) * (h / 6.0);
                Some((new, f2, error, [k1, k2]))
            })();
            let error = attempt.as_ref().map_or(f64::INFINITY, |(new, f2, error, _)| {
                let scaled = |i: usize| error[i] / self.allowed(y0[i].abs().max(new[i].abs()));
                let sum: f64 = (0..n).map(|i| scaled(i) * scaled(i)).sum();
                let error = (sum / n.max(1) as f64).sqrt();
                if error.is_finite() && f2.iter().all(|x| x.is_finite()) { error } else { f64::INFINITY }
            });
            if let (Some((new, rate, _, slopes)), true) = (attempt, error <= 1.0) {
                let grown = h * (0.8 * error.max(1e-8).powf(-1.0 / 3.0)).clamp(0.2, 5.0);
                let next = if rejected { grown.min(h) } else { grown };
                self.proposal = if is_last { next.max(length) } else { next };
                for (kept, slope) in self.slopes.iter_mut().zip(&slopes) {
                    kept.copy_from_slice(slope.as_slice());
                }
                self.span.advance(h, is_last, new.as_slice());
                self.rate.copy_from_slice(rate.as_slice());
                return Ok(());
            }
            rejected = true;
            length = h * if error.is_finite() { (0.8 * error.powf(-1.0 / 3.0)).clamp(0.1, 0.9) } else { 0.1 };
        }
    }

    fn values_at_into(&mut self, _: &mut dyn Equations<f64>, t: f64, out: &mut [f64]) {
        let [h, s] = self.span.share(t);
        // y + h (s (1 − s) k₁ + s (s − 2γ) k₂)/(1 − 2γ), of order two; at s = 1 it is the step.
        let gamma = 1.0 / (2.0 + 2.0_f64.sqrt());
        let weights = [s * (1.0 - s), s * (s - 2.0 * gamma)].map(|weight| h * weight / (1.0 - 2.0 * gamma));
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.span.before[i] + weights[0] * self.slopes[0][i] + weights[1] * self.slopes[1][i];
        }
    }
}

fn rate_at(equations: &mut dyn Equations<f64>, t: f64, y: &DVector<f64>) -> DVector<f64> {
    let mut rate = DVector::zeros(y.len());
    equations.rate_into(t, y.as_slice(), rate.as_mut_slice());
    rate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ẏ = −λ (y − cos t): follows the cosine however large λ is.
    struct Relaxation(f64);

    impl Equations<f64> for Relaxation {
        fn size(&self) -> usize {
            1
        }

        fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
            rate[0] = -self.0 * (y[0] - t.cos());
        }

        fn project(&self, _: &mut [f64]) {}
    }

    impl Relaxation {
        fn exact(&self, t: f64) -> f64 {
            let l = self.0;
            let wave = |t: f64| l * (l * t.cos() + t.sin()) / (l * l + 1.0);
            wave(t) + (2.0 - wave(0.0)) * (-l * t).exp()
        }
    }

    fn solve(rate: f64, tolerance: f64) -> (f64, u32) {
        let mut system = Relaxation(rate);
        let mut method = Implicit::new(tolerance, tolerance, 1);
        method.start(&mut system, 0.0, 2.0, &[2.0]).unwrap();
        let (mut worst, mut steps) = (0.0_f64, 0);
        while method.time() < 2.0 {
            let from = method.time();
            method.step(&mut system).unwrap();
            steps += 1;
            for t in [0.5 * (from + method.time()), method.time()] {
                let mut y = [0.0];
                method.values_at_into(&mut system, t, &mut y);
                worst = worst.max((y[0] - system.exact(t)).abs());
            }
        }
        (worst, steps)
    }

    #[test]
    fn steps_follow_the_motion_and_not_its_stiffness() {
        let (slow_error, slow) = solve(2.0, 1e-6);
        let (stiff_error, stiff) = solve(1e4, 1e-6);
        let (stiffer_error, stiffer) = solve(1e8, 1e-6);
        let worst = slow_error.max(stiff_error).max(stiffer_error);
        assert!(worst < 1e-4, "{slow_error:e} {stiff_error:e} {stiffer_error:e}");
        // A forced stiff system shows the method at order one: more steps than a slow one takes, but not more the stiffer it
        // is. An explicit method would need 10⁸.
        assert!(stiff < 30 * slow && stiffer < 30 * slow, "{slow}, {stiff}, {stiffer} steps");
    }

    #[test]
    fn the_error_follows_the_tolerance() {
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (error, _) = solve(5.0, tolerance);
            // The error of a step is held below the tolerance; there are more of them, the smaller it is.
            assert!(error < 300.0 * tolerance, "{tolerance:e}: {error:e}");
        }
    }
}
