use super::*;
use crate::random::{Formula, Random, assert_close, repetitions};
use crate::{Dual, Options, Program};

/// A rule as a function over any scalar, so that the same text is run on numbers and on symbols.
macro_rules! rules {
    ($($name:ident($($x:ident),*) = $body:expr;)*) => {
        $(
            #[test]
            fn $name() {
                fn formula<S: Scalar>([$($x),*]: [S; [$(stringify!($x)),*].len()]) -> S { $body }
                const COUNT: usize = [$(stringify!($x)),*].len();
                keeps_value_and_adds_nothing(formula::<f64>, formula::<Counted>, formula::<Expr>);
                let _ = COUNT;
            }
        )*
    };
}

/// A number that counts the operations done on it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counted(f64);

thread_local! {
    static COUNT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

fn count(value: f64) -> Counted {
    COUNT.with(|count| count.set(count.get() + 1));
    Counted(value)
}

impl Add for Counted {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        count(self.0 + other.0)
    }
}
impl Sub for Counted {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        count(self.0 - other.0)
    }
}
impl Mul for Counted {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        count(self.0 * other.0)
    }
}
impl Div for Counted {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        count(self.0 / other.0)
    }
}
impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        count(-self.0)
    }
}
impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl SubAssign for Counted {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
impl Scalar for Counted {
    type Constant = f64;
    fn from_f64(value: f64) -> Self {
        Self(value)
    }
    fn constant(value: f64) -> Self {
        Self(value)
    }
    fn scale(self, factor: f64) -> Self {
        count(self.0 * factor)
    }
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
    fn scale_add(self, factor: f64, addend: Self) -> Self {
        self.scale(factor) + addend
    }
    fn sin_cos(self) -> (Self, Self) {
        (count(self.0.sin()), Self(self.0.cos()))
    }
    fn sqrt(self) -> Self {
        count(self.0.sqrt())
    }
}

fn keeps_value_and_adds_nothing<const N: usize>(
    number: fn([f64; N]) -> f64,
    counted: fn([Counted; N]) -> Counted,
    symbol: fn([Expr; N]) -> Expr,
) {
    for seed in 0..repetitions(20) {
        let mut random = Random::new(seed);
        let at: [f64; N] = core::array::from_fn(|_| random.number());
        COUNT.with(|count| count.set(0));
        let _ = counted(at.map(Counted));
        let before = COUNT.with(core::cell::Cell::get);
        for angle_sums in [false, true] {
            scope(Rules { angle_sums, for_numbers: !angle_sums }, || {
                let symbols: [Expr; N] = core::array::from_fn(|i| Expr::symbol(&format!("x{i}")));
                let expr = symbol(symbols);
                let options = Options { factor: false, fuse: false };
                let program = Program::with_options(&[("x", &symbols)], &[("y", &[expr])], options).unwrap();
                let mut out = [0.0];
                program.run(&at, &mut out);
                assert_close(out[0], number(at), 1e-13, &format!("seed {seed}"));
                let o = program.operations();
                let after = o.mul + o.add + o.div + o.sqrt + o.sincos;
                assert!(after <= before, "{after} operations instead of {before}: {expr}");
            });
        }
    }
}

fn k<S: Scalar>(value: f64) -> S {
    S::from_f64(value)
}

rules! {
    constants_fold(x) = k::<S>(2.0) * k(3.0) + x * (k::<S>(1.0) - k(1.0)) + k::<S>(8.0) / k(2.0) + k::<S>(4.0).sqrt();
    zero_and_one_vanish(x) = (x + k(0.0)) * k(1.0) - k(0.0) + x * k(0.0) + k::<S>(0.0) / (x + k(5.0));
    signs_are_pulled_out_of_products(x, y) = (-x) * y + x * y * k(-1.0) + (-x) * (-y);
    signs_are_pulled_out_of_quotients(x, y) = (-x) / (y + k(3.0)) - x / (-(y + k(3.0)));
    signs_are_pulled_out_of_sums(x, y) = (-x) + (-y) - ((-x) - y);
    opposite_differences_share_their_work(x, y, z) = (x - y) * z + (y - x) * (z * z);
    like_terms_join(x) = x + x + k::<S>(3.0) * x - k::<S>(0.5) * x;
    what_is_added_and_taken_away_cancels(x, y) = (x + y) - x + ((x - y) + y) + (x - (x - y)) + (y - (y + x));
    constants_of_sums_join(x, y) = ((x + k(1.0)) + k(2.0)) * ((k::<S>(5.0) - y) - k(1.0)) + ((x - k(1.0)) - k(2.0))
        + (k::<S>(4.0) - (k::<S>(1.0) + x)) + (k::<S>(4.0) - (k::<S>(1.0) - x)) + (k::<S>(4.0) - (x - k(1.0)))
        + ((k::<S>(1.0) - x) + k(3.0));
    constants_of_products_join(x) = k::<S>(3.0) * (k::<S>(0.7) * (x * k(-2.0)));
    a_factor_and_its_divisor_cancel(x, y) = (x * (y + k(3.0))) / (y + k(3.0)) + (x / (y + k(3.0))) * (y + k(3.0))
        + (y + k(3.0)) / (x * x * (y + k(3.0)) + (y + k(3.0)) * k(0.0) + k(1.0));
    a_square_of_a_root_is_the_radicand(x) = (x * x + k(1.0)).sqrt() * (x * x + k(1.0)).sqrt()
        + (x * x + k(1.0)) / (x * x + k(1.0)).sqrt();
    division_by_a_number_multiplies(x) = x / k(4.0) + x / k(0.1);
    squares_of_sine_and_cosine_add_to_one(x, y) = {
        let (s, c) = x.sin_cos();
        s * s + c * c + y * s * s + y * c * c + (y * s) * s + c * (c * y) + (k::<S>(1.0) - s * s) + (k::<S>(1.0) - c * c)
    };
    angles_of_products_add(x, y, z) = {
        let ((s, c), (t, d)) = (x.sin_cos(), y.sin_cos());
        (z * c * d - z * s * t) + (z * s * d + z * c * t) + (c * d + s * t) + (s * d - c * t) + (t * c - d * s)
            + (s * t - c * d) + (c * c - s * s) + (s * c + c * s)
    };
    quarter_turns_leave_the_angle(x) = {
        let quarter = core::f64::consts::FRAC_PI_2;
        let mut sum = k::<S>(0.0);
        for n in -4..5 {
            let (s, c) = (x + k(quarter * f64::from(n))).sin_cos();
            let (t, d) = (k::<S>(quarter * f64::from(n)) - x).sin_cos();
            sum += k::<S>(1.0 + f64::from(n)) * s - c * t + d;
        }
        sum
    };
    signs_leave_the_angle(x, y) = (-x).sin_cos().0 + (-x).sin_cos().1 + (x - y).sin_cos().0 * (y - x).sin_cos().0;
}

#[test]
fn random_formulas_keep_their_value() {
    for seed in 0..repetitions(300) {
        let mut random = Random::new(seed);
        let formula = Formula::random(&mut random, 4, 60);
        let at: Vec<f64> = (0..4).map(|_| random.number()).collect();
        let expected = formula.run(&at);
        scope(Rules { angle_sums: seed % 2 == 0, for_numbers: seed % 3 == 0 }, || {
            let (_, values) = formula.traced();
            let place = |name: &str| name[1..].parse::<usize>().ok();
            let found = evaluate(&values, |name| place(name).map(|i| at[i])).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                assert_close(*found, *expected, 1e-11, &format!("seed {seed}"));
            }
        });
    }
}

#[test]
fn derivatives_agree_with_duals() {
    for seed in 0..repetitions(200) {
        let mut random = Random::new(seed);
        let formula = Formula::random(&mut random, 3, 40);
        let at: Vec<f64> = (0..3).map(|_| random.number()).collect();
        scope(Rules::default(), || {
            let (symbols, values) = formula.traced();
            let last = *values.last().unwrap();
            for (i, symbol) in symbols.iter().enumerate() {
                let seeded: Vec<Dual<f64>> = at
                    .iter()
                    .enumerate()
                    .map(|(j, &x)| if i == j { Dual::variable(x) } else { Dual::from_f64(x) })
                    .collect();
                let expected = formula.run(&seeded).last().unwrap().derivative;
                let place = |name: &str| name[1..].parse::<usize>().ok();
                let found = evaluate(&[last.derivative(*symbol)], |name| place(name).map(|i| at[i])).unwrap();
                assert_close(found[0], expected, 1e-9, &format!("seed {seed}, by x{i}"));
            }
        });
    }
}

#[test]
fn substitution_replaces_and_simplifies() {
    let (x, y) = (Expr::symbol("x"), Expr::symbol("y"));
    let replaced = substitute(&[x * y + x.sin_cos().1, x], |name| (name == "x").then(Expr::zero));
    assert_eq!(replaced, [Expr::one(), Expr::zero()]);
}

#[test]
fn a_symbol_without_a_value_is_named() {
    assert_eq!(evaluate::<f64>(&[Expr::symbol("missing")], |_| None), Err("missing".to_owned()));
}

#[test]
fn decimals_of_robot_files_stay_exact() {
    let tenth = Expr::exact(Fraction { numerator: 1, denominator: 10 });
    let sum = (0..10).fold(Expr::zero(), |sum, _| sum + tenth);
    assert_eq!(sum, Expr::one());
    assert_ne!((0..10).fold(0.0, |sum, _| sum + 0.1), 1.0);
}

#[test]
fn a_scope_leaves_the_outer_graph_as_it_was() {
    let x = Expr::symbol("x");
    let inner = scope(Rules::default(), || (Expr::symbol("y") + Expr::one()).to_string());
    assert_eq!((inner.as_str(), x.name().as_deref()), ("1 + y", Some("x")));
    let panicked = std::panic::catch_unwind(|| scope(Rules::default(), || panic!("on purpose")));
    assert!(panicked.is_err() && x.name().as_deref() == Some("x"));
}

#[test]
fn text_has_parentheses_where_they_are_needed() {
    let [x, y, z] = ["x", "y", "z"].map(Expr::symbol);
    for (expr, text) in [
        ((x + y) * z, "z*(x + y)"),
        (x - (y + z), "x - (y + z)"),
        (x / (y * z), "x/(y*z)"),
        (-(x * y), "-x*y"),
        ((x + y) * (x + y), "(x + y)^2"),
        (x.sqrt() / Expr::from_f64(2.0), "1/2*sqrt(x)"),
    ] {
        assert_eq!(expr.to_string(), text);
    }
}
