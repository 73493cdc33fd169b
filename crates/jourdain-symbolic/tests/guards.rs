//! What keeps numbers right in corners is the same on every scalar: angles ahead of others, and inverses of small pivots.

use jourdain_symbolic::expr::{self, Rules};
use jourdain_symbolic::{Ahead, Compiled, Dual, Expr, Jet, Lanes, Program, Scalar};

const LEAST: f64 = 1e-3;
const RULES: Rules = Rules { angle_sums: false, for_numbers: true };

/// 1/x guarded, by every scalar that is a number.
fn inverses(x: f64) -> [f64; 4] {
    let program = expr::scope(RULES, || {
        let symbol = Expr::symbol("x");
        Program::new(&[("x", &[symbol])], &[("out", &[symbol.inverse_above(Expr::from_f64(LEAST))])]).unwrap()
    });
    let compiled = Compiled::new(&program);
    let mut out = [0.0];
    compiled.run(&[x], &mut compiled.scratch(), &mut out);
    [
        x.inverse_above(LEAST),
        Dual::new(x, 1.0).inverse_above(LEAST).value,
        Lanes::<4>([x; 4]).inverse_above(LEAST).0[2],
        out[0],
    ]
}

#[test]
fn inverses_of_what_is_large_enough_are_exact_and_others_are_no_numbers() {
    for x in [1.0, -1.0, 0.3, -7.5, 1.1e-3, -1.1e-3, 1e40, -1e60, 1e-2] {
        for (way, found) in inverses(x).into_iter().enumerate() {
            assert_eq!(found, 1.0 / x, "1/{x} by way {way}");
        }
    }
    for x in [0.0, 1e-4, -1e-4, 9.9e-4, -1e-300, f64::NAN] {
        for (way, found) in inverses(x).into_iter().enumerate() {
            assert!(found.is_nan(), "1/{x} by way {way} is {found}");
        }
    }
}

#[test]
fn the_rate_of_a_guarded_inverse_is_that_of_the_inverse() {
    let x = 0.37;
    let rate = Dual::new(x, 1.0).inverse_above(LEAST).derivative;
    assert!((rate + 1.0 / (x * x)).abs() < 1e-14);
    let jet = Jet::<f64, 3>([x, 1.0, 0.0]).inverse_above(LEAST);
    assert!((jet.0[2] - 1.0 / (x * x * x)).abs() < 1e-12);
}

#[test]
fn angles_ahead_are_composed_and_not_added() {
    let k = 0.7_f64;
    let ahead = Ahead { angle: k, sin: k.sin(), cos: k.cos() };
    for x in [0.3_f64, 1e5, 1e8, 1e16, -123_456_789.5] {
        // The angle without its whole turns.
        let small = x.sin().atan2(x.cos());
        let (sin, cos) = x.sin_cos_ahead(x.sin_cos(), &ahead);
        assert!((sin - (small + k).sin()).abs() < 4e-16 && (cos - (small + k).cos()).abs() < 4e-16, "{x}");
        let program = expr::scope(RULES, || {
            let symbol = Expr::symbol("x");
            let (s, c) = (symbol + Expr::from_f64(k)).sin_cos();
            let (less, _) = (symbol - Expr::from_f64(k)).sin_cos();
            let (from, _) = (Expr::from_f64(k) - symbol).sin_cos();
            Program::new(&[("x", &[symbol])], &[("out", &[s, c, less, from])]).unwrap()
        });
        let mut out = [0.0; 4];
        program.run(&[x], &mut out);
        let expected = [(small + k).sin(), (small + k).cos(), (small - k).sin(), (k - small).sin()];
        for (found, expected) in out.iter().zip(expected) {
            assert!((found - expected).abs() < 6e-16, "{x}: {found}, not {expected}");
        }
    }
}

#[test]
fn for_reading_an_angle_is_one_sum_and_an_inverse_is_plain() {
    expr::scope(Rules::default(), || {
        let x = Expr::symbol("x");
        assert_eq!((x + Expr::from_f64(0.5)).sin_cos().0.to_string(), "sin(1/2 + x)");
        assert_eq!(x.inverse_above(Expr::from_f64(LEAST)), Expr::one() / x);
    });
}
