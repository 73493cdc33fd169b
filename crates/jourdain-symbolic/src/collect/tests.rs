use super::*;
use crate::expr::{self, Expr};
use crate::random::{Random, assert_close, repetitions};
use crate::scalar::Scalar;

fn expanded(expr: Expr) -> Polynomial {
    Polynomial::expand(&[expr], 10_000).unwrap().remove(0)
}

fn plain(name: &str) -> Symbol {
    let role = match name {
        _ if name.starts_with('m') => Role::Linear,
        _ if name.starts_with('w') => Role::Motion { order: 1 },
        _ if name.starts_with('a') => Role::Motion { order: 2 },
        _ => Role::Parameter,
    };
    Symbol { text: name.to_owned(), latex: name.to_owned(), role }
}

/// A random polynomial of sines and cosines.
fn random_expr(random: &mut Random, depth: usize) -> Expr {
    let symbol = |random: &mut Random| Expr::symbol(["m1", "m2", "L", "w1", "a1"][random.below(5)]);
    let angle = |random: &mut Random| {
        let q = ["q1", "q2", "q3"].map(Expr::symbol);
        q[random.below(3)] + Expr::from_f64(random.below(3) as f64) * q[random.below(3)]
    };
    if depth == 0 {
        return match random.below(4) {
            0 => symbol(random),
            1 => angle(random).sin_cos().0,
            2 => angle(random).sin_cos().1,
            _ => Expr::from_f64(random.below(7) as f64 - 3.0),
        };
    }
    let (a, b) = (random_expr(random, depth - 1), random_expr(random, depth - 1));
    match random.below(4) {
        0 => a + b,
        1 => a - b,
        _ => a * b,
    }
}

#[test]
fn the_canonical_form_has_the_same_value() {
    for seed in 0..repetitions(200) {
        let mut random = Random::new(seed);
        let expr = random_expr(&mut random, 4);
        let at: Vec<(&str, f64)> =
            ["m1", "m2", "L", "w1", "a1", "q1", "q2", "q3"].map(|name| (name, random.number())).to_vec();
        let value = |expr: Expr| {
            let of = |name: &str| at.iter().find(|(known, _)| *known == name).map(|(_, x)| *x);
            expr::evaluate(&[expr], of).unwrap()[0]
        };
        let sum: f64 = expanded(expr)
            .terms()
            .map(|(term, number)| {
                let powers: f64 = term.factors.iter().map(|&(factor, power)| value(factor).powi(power)).product();
                let trigonometric = term.trigonometric.as_ref().map_or(1.0, |(sine, angle)| {
                    let angle: f64 = angle.iter().map(|&(angle, k)| k as f64 * value(angle)).sum();
                    if *sine { angle.sin() } else { angle.cos() }
                });
                number.to_f64() * powers * trigonometric
            })
            .sum();
        assert_close(sum, value(expr), 1e-11, &format!("seed {seed}"));
    }
}

#[test]
fn equal_expressions_have_one_canonical_form() {
    let [x, y, l] = ["x", "y", "L"].map(Expr::symbol);
    let ((s, c), (t, d)) = (x.sin_cos(), y.sin_cos());
    let two = Expr::from_f64(2.0);
    for (a, b) in [
        ((x + y) * (x - y), x * x - y * y),
        (c * d - s * t, (x + y).sin_cos().1),
        (two * s * c, (two * x).sin_cos().0),
        (l * s * s + l * c * c, l),
        ((s + c) * (s + c), Expr::one() + (x + x).sin_cos().0),
        (l * l * s / l, l * s),
        ((x - y).sin_cos().0, -(y - x).sin_cos().0),
    ] {
        assert_eq!(expanded(a), expanded(b), "{a} and {b}");
    }
    assert_ne!(expanded(x.sin_cos().0), expanded(x.sin_cos().1));
}

#[test]
fn what_is_too_large_is_refused_in_time() {
    let sum = (0..30).fold(Expr::zero(), |sum, i| sum + Expr::symbol(&format!("x{i}")));
    let power = (0..20).fold(Expr::one(), |power, _| power * sum);
    let limit = if cfg!(miri) { 40 } else { 1000 };
    assert_eq!(Polynomial::expand(&[power], limit), Err(TooLarge { limit }));
}

#[test]
fn motion_comes_first_and_masses_are_collected() {
    let [m1, m2, l, a, w, q] = ["m1", "m2", "L", "a", "w", "q"].map(Expr::symbol);
    let cos = q.sin_cos().1;
    let expr = w * w * l * m1 + m1 * l * l * a + a * m2 * l * l - m2 * l * cos * a - l * cos * m1;
    let tree = collect(&expanded(expr), &plain);
    assert_eq!(tree.written(Notation::Text), "((m1 + m2)*L^2 - m2*L*cos(q))*a + m1*L*w^2 - m1*L*cos(q)");
    assert_eq!(
        tree.written(Notation::Latex),
        "\\left(\\left(m1 + m2\\right) \\, L^{2} - m2 \\, L \\, \\cos q\\right) \\, a + m1 \\, L \\, w^{2} - m1 \\, L \\, \\cos q"
    );
}

#[test]
fn numbers_are_written_as_they_are_read() {
    use crate::Fraction;
    use crate::expr::Number;
    let exact = |n, d| Tree::Number(Number::Exact(Fraction::new(n, d).unwrap()));
    assert_eq!(exact(2159, 5000).written(Notation::Text), "0.4318");
    assert_eq!(exact(-1, 3).written(Notation::Latex), "-\\frac{1}{3}");
    assert_eq!(exact(1, 2).written(Notation::Text), "1/2");
    assert_eq!(Tree::Number(Number::new(1.234_567_89e-7)).written(Notation::Latex), "1.23457 \\cdot 10^{-7}");
    assert_eq!(Tree::Number(Number::new(0.866_025_403_784)).written(Notation::Latex), "0.866025");
}

#[test]
fn shared_parts_get_names_and_the_rest_is_written_in_place() {
    let [x, y, z] = ["x", "y", "z"].map(Expr::symbol);
    let part = x + y;
    let (list, trees) = definitions(&[part * z + x, part * part], &plain, &|_, _| None);
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].tree.written(Notation::Text), "x + y");
    assert_eq!(trees.iter().map(|tree| tree.written(Notation::Text)).collect::<Vec<_>>(), ["x + z*t1", "t1^2"]);
}
