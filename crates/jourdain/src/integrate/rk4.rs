//! The classic Runge–Kutta method of order 4 with a fixed step, over any scalar.
//!
//! k₁ = f(t, y), k₂ = f(t + h/2, y + h/2 k₁), k₃ = f(t + h/2, y + h/2 k₂), k₄ = f(t + h, y + h k₃),
//! y ← y + h/6 (k₁ + 2k₂ + 2k₃ + k₄), then projected onto the surface that y has to stay on.
//!
//! On duals a run gives the sensitivity of a trajectory to its start, on lanes four trajectories at once. Trap: the order
//! is lost on a step across a jump or a kink of f; such steps have to be cut there.

use super::equations::Equations;
use jourdain_symbolic::Scalar;

/// The method with its scratch memory.
#[derive(Clone, Debug)]
pub struct Rk4<S> {
    stage: Vec<S>,
    rate: Vec<S>,
    sum: Vec<S>,
}

impl<S: Scalar> Rk4<S> {
    /// For systems of `size` numbers.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let zero = vec![S::zero(); size];
        Self { stage: zero.clone(), rate: zero.clone(), sum: zero }
    }

    /// One step of length `h` from time `t`, in place.
    ///
    /// # Panics
    /// If `y` or the system has another size than the method was made for.
    pub fn step(&mut self, equations: &mut (impl Equations<S> + ?Sized), t: f64, h: f64, y: &mut [S]) {
        let Self { stage, rate, sum } = self;
        assert_eq!((y.len(), equations.size()), (stage.len(), stage.len()), "size of the system");
        // Per stage: its place in the step, and its weight in the sum.
        let stages = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];
        sum.fill(S::zero());
        for (place, weight) in stages {
            for ((stage, &y), &rate) in stage.iter_mut().zip(y.iter()).zip(rate.iter()) {
                *stage = if place == 0.0 { y } else { rate.mul_add(S::from_f64(place * h), y) };
            }
            equations.rate_into(t + place * h, stage, rate);
            for (sum, &rate) in sum.iter_mut().zip(rate.iter()) {
                *sum = rate.mul_add(S::from_f64(weight), *sum);
            }
        }
        for (y, &sum) in y.iter_mut().zip(sum.iter()) {
            *y = sum.mul_add(S::from_f64(h / 6.0), *y);
        }
        equations.project(y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ẏ = a(t) y with a known solution.
    struct Growth;

    impl Equations<f64> for Growth {
        fn size(&self) -> usize {
            1
        }

        fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
            rate[0] = t.cos() * y[0];
        }

        fn project(&self, _: &mut [f64]) {}
    }

    #[test]
    fn halving_the_step_divides_the_error_by_sixteen() {
        let error = |steps: u32| {
            let (mut y, h) = ([1.0], 2.0 / f64::from(steps));
            let mut rk4 = Rk4::new(1);
            (0..steps).for_each(|k| rk4.step(&mut Growth, f64::from(k) * h, h, &mut y));
            (y[0] - 2.0_f64.sin().exp()).abs()
        };
        for steps in [20, 40, 80] {
            let slope = (error(steps) / error(2 * steps)).log2();
            assert!((3.8..4.3).contains(&slope), "{steps} steps: order {slope}");
        }
    }
}
