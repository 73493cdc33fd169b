//! Which of many p-values are discoveries: Benjamini and Hochberg 1995.
//!
//! With m of them in rising order, all up to the last one with p₍ᵢ₎ ≤ i q/m. The expected share of false ones among these is then at most q,
//! if tests are independent or go together in the same direction.

/// Per p-value, whether it is a discovery at the level `q`.
#[must_use]
pub fn discoveries(p_values: &[f64], q: f64) -> Vec<bool> {
    let count = p_values.len() as f64;
    let mut sorted: Vec<f64> = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let holds = |(rank, p): &(usize, &f64)| **p <= (rank + 1) as f64 * q / count;
    let limit = sorted.iter().enumerate().filter(holds).map(|(_, p)| *p).next_back();
    p_values.iter().map(|p| limit.is_some_and(|limit| *p <= limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fifteen p-values of the paper's example, at 5 %: the first four.
    #[test]
    fn the_example_of_the_paper_comes_out() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        assert_eq!(discoveries(&p, 0.05).iter().filter(|found| **found).count(), 4);
        let mut turned = p;
        turned.reverse();
        assert_eq!(discoveries(&turned, 0.05).iter().rev().take(4).filter(|found| **found).count(), 4);
    }

    #[test]
    fn of_nothing_nothing_is_found() {
        assert!(discoveries(&[], 0.05).is_empty());
        assert_eq!(discoveries(&[0.2, 0.9], 0.05), [false, false]);
        assert_eq!(discoveries(&[0.049], 0.05), [true]);
    }
}
