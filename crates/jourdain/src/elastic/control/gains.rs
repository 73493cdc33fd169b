//! Gains from poles: the coefficients of Π (s − p_i).
//!
//! With e⁽ᴺ⁾ + K_{N−1} e⁽ᴺ⁻¹⁾ + … + K₀ e = 0 the error has exactly these poles.

use super::super::error::ElasticError;

/// A pole: real and imaginary part, rad/s.
pub type Pole = [f64; 2];

/// K₀, …, K_{N−1} of the polynomial with these poles.
///
/// # Errors
/// Poles that do not come in conjugate pairs, or of which one is not in the open left half-plane.
pub fn place<const N: usize>(poles: &[Pole; N]) -> Result<[f64; N], ElasticError> {
    if let Some([re, im]) = poles.iter().find(|[re, im]| !(re.is_finite() && im.is_finite() && *re < 0.0)) {
        return Err(ElasticError::Poles(format!("the pole {re} + {im}i is not in the left half-plane")));
    }
    // Coefficients of the product so far, lowest power first; the highest is one.
    let (mut real, mut imaginary) = ([0.0; N], [0.0; N]);
    for (degree, [re, im]) in poles.iter().enumerate() {
        for k in (0..=degree).rev() {
            let (x, y) = if k == degree { (1.0, 0.0) } else { (real[k], imaginary[k]) };
            let (lower_x, lower_y) = if k == 0 { (0.0, 0.0) } else { (real[k - 1], imaginary[k - 1]) };
            real[k] = lower_x - re * x + im * y;
            imaginary[k] = lower_y - re * y - im * x;
        }
    }
    let unpaired = |(x, y): (&f64, &f64)| y.abs() > 1e-9 * x.abs();
    if real.iter().zip(&imaginary).any(unpaired) {
        return Err(ElasticError::Poles("complex poles must come in conjugate pairs".to_owned()));
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_the_coefficients_of_the_polynomial() {
        assert_eq!(place(&[[-12.0, 0.0]; 4]).unwrap(), [20736.0, 6912.0, 864.0, 48.0]);
        assert_eq!(place(&[[-3.0, 4.0], [-3.0, -4.0]]).unwrap(), [25.0, 6.0]);
        let found = place(&[[-1.0, 0.0], [-2.0, 1.0], [-2.0, -1.0], [-5.0, 0.0]]).unwrap();
        // (s+1)(s+5)(s²+4s+5) = s⁴ + 10 s³ + 34 s² + 50 s + 25
        for (found, expected) in found.iter().zip([25.0, 50.0, 34.0, 10.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn poles_that_are_unstable_or_unpaired_are_refused() {
        assert!(place(&[[1.0, 0.0], [-1.0, 0.0]]).is_err());
        assert!(place(&[[0.0, 1.0], [0.0, -1.0]]).is_err());
        assert!(place(&[[-1.0, 1.0], [-1.0, 2.0]]).is_err());
        assert!(place(&[[f64::NAN, 0.0]]).is_err());
    }
}
