//! How likely a better optimum is still to be found, from those that starts have led to.
//!
//! N starts have led to w different values of the criterion. If nothing is known beforehand of how many optima there are and
//! how large their basins are, the expected number of those not yet seen is w (w + 1)/(N − w − 2) (Boender and Rinnooy Kan 1987).
//! Each of them is as likely as the w others and itself to be the best, so that the chance of a better one is at most
//! w/(N − w − 2).
//!
//! Trap: only the value counts. Mirrored configurations of the same value are one optimum here.

/// Values nearer than this, relative to one, are the same.
const SAME: f64 = 1e-8;

/// The values seen.
#[derive(Clone, Debug)]
pub(super) struct Optima {
    values: Vec<f64>,
    starts: usize,
}

impl Optima {
    pub fn new() -> Self {
        Self { values: Vec::with_capacity(64), starts: 0 }
    }

    /// Forgets all, but keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.starts = 0;
    }

    /// A start has led to this value.
    pub fn saw(&mut self, value: f64) {
        self.starts += 1;
        let same = |known: &f64| (known - value).abs() <= SAME * (1.0 + value.abs());
        // Beyond its memory it only counts: the chance is above any sensible bound there.
        if !self.values.iter().any(same) && self.values.len() < self.values.capacity() {
            self.values.push(value);
        }
    }

    /// The estimated chance of a better one than the best seen, at most 1.
    pub fn chance(&self) -> f64 {
        let (n, w) = (self.starts as f64, self.values.len() as f64);
        if n <= w + 2.0 { 1.0 } else { (w / (n - w - 2.0)).min(1.0) }
    }
}

/// The estimated chance that the next start finds something new, after `starts` have found `things`: w (w + 1)/(N (N − 1)).
pub(super) fn share_unseen(things: usize, starts: usize) -> f64 {
    let (n, w) = (starts as f64, things as f64);
    if n <= w + 2.0 { 1.0 } else { w * (w + 1.0) / (n * (n - 1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_falls_with_starts_and_rises_with_optima() {
        let mut optima = Optima::new();
        assert_eq!(optima.chance(), 1.0);
        (0..103).for_each(|_| optima.saw(-2.0));
        assert!((optima.chance() - 0.01).abs() < 1e-12);
        optima.saw(-3.0);
        assert!((optima.chance() - 0.02).abs() < 1e-12);
        optima.clear();
        (0..50).for_each(|i| optima.saw(f64::from(i)));
        assert_eq!(optima.chance(), 1.0);
    }
}
