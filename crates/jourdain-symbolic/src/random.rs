//! Random numbers and formulas for tests.

use crate::scalar::Scalar;

/// A small generator; the same seed gives the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Between −2 and 2.
    pub(crate) fn number(&mut self) -> f64 {
        4.0 * (self.next() >> 11) as f64 / (1_u64 << 53) as f64 - 2.0
    }
}

/// So many repetitions; a few where Miri runs them, a thousand times slower.
pub(crate) fn repetitions<T: TryFrom<u64>>(count: u64) -> T {
    let count = if cfg!(miri) { count.div_ceil(200).min(60) } else { count };
    T::try_from(count).unwrap_or_else(|_| panic!("{count} repetitions"))
}

/// A formula as a list of steps, to be run on any scalar; values stay of moderate size.
pub(crate) struct Formula {
    pub(crate) inputs: usize,
    steps: Vec<(usize, usize, usize)>,
    constants: Vec<f64>,
}

impl Formula {
    pub(crate) fn random(random: &mut Random, inputs: usize, steps: usize) -> Self {
        let steps = (0..steps)
            .map(|step| (random.below(13), random.below(inputs + step), random.below(inputs + step)))
            .collect();
        let constants = (0..8).map(|_| [0.0, 1.0, -1.0, 2.0, 0.5, -3.0, random.number()][random.below(7)]).collect();
        Self { inputs, steps, constants }
    }

    /// All values, inputs first.
    pub(crate) fn run<S: Scalar>(&self, inputs: &[S]) -> Vec<S> {
        let mut values = inputs.to_vec();
        for &(operation, a, b) in &self.steps {
            let (x, y) = (values[a], values[b]);
            let k = S::from_f64(self.constants[a % self.constants.len()]);
            // Sines keep what is built on them between −1 and 1; divisors and radicands stay away from zero.
            let bounded = |x: S| x.sin_cos().0;
            values.push(match operation {
                0 => x + y,
                1 => x - y,
                2 => bounded(x) * bounded(y),
                3 => bounded(x) * y,
                4 => -x,
                5 => bounded(x) / (bounded(y) * bounded(y) + S::one()),
                6 => x.sin_cos().0,
                7 => x.sin_cos().1,
                8 => (bounded(x) * bounded(x) + S::from_f64(0.25)).sqrt(),
                9 => bounded(x) * k,
                10 => x + k,
                11 => bounded(x).mul_add(bounded(y), k),
                _ => k - y,
            });
        }
        values
    }

    /// The symbols x0, x1, … and the values over them.
    pub(crate) fn traced(&self) -> (Vec<crate::Expr>, Vec<crate::Expr>) {
        let symbols: Vec<_> = (0..self.inputs).map(|i| crate::Expr::symbol(&format!("x{i}"))).collect();
        let values = self.run(&symbols);
        (symbols, values)
    }
}

/// That two numbers agree to a tolerance relative to their size, or to one.
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs().max(1.0), "{what}: {found} instead of {expected}");
}
