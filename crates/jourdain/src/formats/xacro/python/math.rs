//! The module `math`: the functions of the processor's library, with Python's refusals.
//!
//! A result that is no number from arguments that are numbers is a domain error; one that is infinite from finite arguments
//! is out of range.

use super::super::failure::{Failure, Outcome};
use super::function::{Arguments, Function, real, whole};
use super::number::{self, too_large};
use super::sequence;
use super::value::Value;
use std::f64::consts;
use std::rc::Rc;

pub(super) const CONSTANTS: &[(&str, f64)] =
    &[("pi", consts::PI), ("e", consts::E), ("tau", consts::TAU), ("inf", f64::INFINITY), ("nan", f64::NAN)];

pub(super) fn constant(name: &str) -> Option<Value> {
    CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| Value::Float(*value))
}

fn checked(inputs: &[f64], result: f64) -> Outcome<Value> {
    if result.is_nan() && !inputs.iter().any(|input| input.is_nan()) {
        return Err(Failure::expression("`{name}` has no value there"));
    }
    if result.is_infinite() && inputs.iter().all(|input| input.is_finite()) {
        return Err(Failure::expression("`{name}` is infinite or too large there"));
    }
    Ok(Value::Float(result))
}

fn unary(arguments: Arguments, function: fn(f64) -> f64) -> Outcome<Value> {
    let [x] = arguments.exactly()?;
    let x = real(&x)?;
    checked(&[x], function(x))
}

fn binary(arguments: Arguments, function: fn(f64, f64) -> f64) -> Outcome<Value> {
    let [x, y] = arguments.exactly()?;
    let (x, y) = (real(&x)?, real(&y)?);
    checked(&[x, y], function(x, y))
}

/// To a whole number by a rounding of real ones.
fn rounded(arguments: Arguments, function: fn(f64) -> f64) -> Outcome<Value> {
    let [x] = arguments.exactly()?;
    match x.as_int() {
        Some(whole) => Ok(Value::Int(whole)),
        None => number::to_int(function(real(&x)?)).map(Value::Int),
    }
}

fn truth(arguments: Arguments, function: fn(f64) -> bool) -> Outcome<Value> {
    let [x] = arguments.exactly()?;
    real(&x).map(function).map(Value::Bool)
}

fn reals(value: &Value) -> Outcome<Vec<f64>> {
    sequence::items(value)?.iter().map(real).collect()
}

fn tuple<const N: usize>(values: [Value; N]) -> Outcome<Value> {
    Ok(Value::Tuple(Rc::new(values.to_vec())))
}

/// A function of real numbers under its name.
macro_rules! of {
    ($kind:ident $name:literal $function:expr) => {
        Function::global($name, |_, arguments| $kind(arguments, $function))
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    of!(unary "sin" f64::sin),
    of!(unary "cos" f64::cos),
    of!(unary "tan" f64::tan),
    of!(unary "asin" f64::asin),
    of!(unary "acos" f64::acos),
    of!(unary "atan" f64::atan),
    of!(unary "sinh" f64::sinh),
    of!(unary "cosh" f64::cosh),
    of!(unary "tanh" f64::tanh),
    of!(unary "asinh" f64::asinh),
    of!(unary "acosh" f64::acosh),
    of!(unary "atanh" f64::atanh),
    of!(unary "exp" f64::exp),
    of!(unary "exp2" f64::exp2),
    of!(unary "expm1" f64::exp_m1),
    of!(unary "log1p" f64::ln_1p),
    of!(unary "log2" f64::log2),
    of!(unary "log10" f64::log10),
    of!(unary "sqrt" f64::sqrt),
    of!(unary "cbrt" f64::cbrt),
    of!(unary "fabs" f64::abs),
    of!(unary "radians" | x | x * (consts::PI / 180.0)),
    of!(unary "degrees" | x | x * (180.0 / consts::PI)),
    of!(unary "ulp" ulp),
    of!(binary "atan2" f64::atan2),
    of!(binary "copysign" f64::copysign),
    of!(binary "pow" f64::powf),
    of!(binary "fmod" | x, y | x % y),
    of!(binary "remainder" remainder),
    of!(rounded "floor" f64::floor),
    of!(rounded "ceil" f64::ceil),
    of!(rounded "trunc" f64::trunc),
    of!(truth "isnan" f64::is_nan),
    of!(truth "isinf" f64::is_infinite),
    of!(truth "isfinite" f64::is_finite),
    Function::global("log", |_, arguments| {
        let [x, base] = arguments.up_to(1)?;
        let logarithm = |value: Option<Value>| {
            let x = real(&value.unwrap_or(Value::None))?;
            checked(&[x], x.ln()).map(|_| x.ln())
        };
        let top = logarithm(x)?;
        match base {
            None => Ok(Value::Float(top)),
            Some(base) => number::divide_floats(top, logarithm(Some(base))?).map(Value::Float),
        }
    }),
    Function::global("hypot", |_, arguments| {
        let values = arguments.values.iter().map(real).collect::<Outcome<Vec<_>>>()?;
        Ok(Value::Float(length(&values)))
    }),
    Function::global("dist", |_, arguments| {
        let [p, q] = arguments.exactly()?;
        let (p, q) = (reals(&p)?, reals(&q)?);
        if p.len() != q.len() {
            return Err(Failure::expression("`dist` takes two points of the same dimension"));
        }
        Ok(Value::Float(length(&p.iter().zip(&q).map(|(p, q)| p - q).collect::<Vec<_>>())))
    }),
    Function::global("fsum", |_, arguments| {
        let [items] = arguments.exactly()?;
        Ok(Value::Float(exact_sum(&reals(&items)?)))
    }),
    Function::global("prod", |_, mut arguments| {
        let start = arguments.take("start").unwrap_or(Value::Int(1));
        let [items] = arguments.exactly()?;
        sequence::items(&items)?.iter().try_fold(start, |product, item| super::operator::binary("*", &product, item))
    }),
    Function::global("factorial", |_, arguments| {
        let [n] = arguments.exactly()?;
        let n = whole(&n)?;
        if n < 0 {
            return Err(Failure::expression("`factorial` of a negative number"));
        }
        (1..=n).try_fold(1_i128, i128::checked_mul).map(Value::Int).ok_or_else(too_large)
    }),
    Function::global("comb", |_, arguments| {
        let [n, k] = arguments.exactly()?;
        let (n, k) = (natural(&n)?, natural(&k)?);
        let step = |ways: i128, at: i128| ways.checked_mul(n - at).map(|ways| ways / (at + 1));
        let ways = if k > n { Some(0) } else { (0..k.min(n - k)).try_fold(1, step) };
        ways.map(Value::Int).ok_or_else(too_large)
    }),
    Function::global("perm", |_, arguments| {
        let [n, k] = arguments.up_to(1)?;
        let n = natural(&n.unwrap_or(Value::None))?;
        let k = k.map_or(Ok(n), |k| natural(&k))?;
        let ways = if k > n { Some(0) } else { (0..k).try_fold(1_i128, |ways, at| ways.checked_mul(n - at)) };
        ways.map(Value::Int).ok_or_else(too_large)
    }),
    Function::global("gcd", |_, arguments| {
        let values = arguments.values.iter().map(whole).collect::<Outcome<Vec<_>>>()?;
        values.iter().try_fold(0, |a, b| common_divisor(a, *b)).map(Value::Int)
    }),
    Function::global("lcm", |_, arguments| {
        let values = arguments.values.iter().map(whole).collect::<Outcome<Vec<_>>>()?;
        let common = |a: i128, b: i128| match common_divisor(a, b)? {
            0 => Ok(0),
            divisor => (a / divisor).checked_mul(b).and_then(i128::checked_abs).ok_or_else(too_large),
        };
        values.iter().try_fold(1, |a, b| common(a, *b)).map(Value::Int)
    }),
    Function::global("isqrt", |_, arguments| {
        let [n] = arguments.exactly()?;
        natural(&n).map(|n| Value::Int(n.isqrt()))
    }),
    Function::global("isclose", |_, mut arguments| {
        let tolerance = |given: Option<Value>, usual: f64| given.map_or(Ok(usual), |given| real(&given));
        let relative = tolerance(arguments.take("rel_tol"), 1e-9)?;
        let absolute = tolerance(arguments.take("abs_tol"), 0.0)?;
        let [a, b] = arguments.exactly()?;
        let (a, b) = (real(&a)?, real(&b)?);
        let reach = (relative * a.abs().max(b.abs())).max(absolute);
        Ok(Value::Bool(a == b || (a.is_finite() && b.is_finite() && (a - b).abs() <= reach)))
    }),
    Function::global("modf", |_, arguments| {
        let [x] = arguments.exactly()?;
        let x = real(&x)?;
        let fraction = if x.is_infinite() { 0.0_f64.copysign(x) } else { x.fract().copysign(x) };
        tuple([Value::Float(fraction), Value::Float(x.trunc())])
    }),
    Function::global("frexp", |_, arguments| {
        let [x] = arguments.exactly()?;
        let x = real(&x)?;
        if x == 0.0 || !x.is_finite() {
            return tuple([Value::Float(x), Value::Int(0)]);
        }
        let scaled = if x.abs() < f64::MIN_POSITIVE { x * 2.0_f64.powi(64) } else { x };
        let exponent = ((scaled.to_bits() >> 52) & 0x7ff) as i32 - 1022;
        let fraction = f64::from_bits((scaled.to_bits() & !(0x7ff << 52)) | (1022 << 52));
        tuple([Value::Float(fraction), Value::Int(i128::from(exponent - if scaled == x { 0 } else { 64 }))])
    }),
    Function::global("ldexp", |_, arguments| {
        let [x, exponent] = arguments.exactly()?;
        let x = real(&x)?;
        let exponent = whole(&exponent)?.clamp(-2200, 2200) as i32;
        let (half, rest) = (exponent / 2, exponent - exponent / 2);
        checked(&[x], x * 2.0_f64.powi(half) * 2.0_f64.powi(rest))
    }),
    Function::global("nextafter", |_, arguments| {
        let [x, towards] = arguments.exactly()?;
        let (x, towards) = (real(&x)?, real(&towards)?);
        Ok(Value::Float(if x == towards {
            towards
        } else if x.is_nan() || towards.is_nan() {
            f64::NAN
        } else if towards > x {
            x.next_up()
        } else {
            x.next_down()
        }))
    }),
];

fn natural(value: &Value) -> Outcome<i128> {
    whole(value).and_then(|n| if n < 0 { Err(Failure::expression("`{name}` of a negative number")) } else { Ok(n) })
}

fn common_divisor(a: i128, b: i128) -> Outcome<i128> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).map_err(|_| too_large())
}

fn ulp(x: f64) -> f64 {
    if !x.is_finite() {
        x.abs()
    } else if x.abs() == f64::MAX {
        x.abs() - x.abs().next_down()
    } else {
        x.abs().next_up() - x.abs()
    }
}

/// The remainder of the nearest multiple, of two the even one.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y == 0.0 || y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let (rest, size) = ((x.abs() % y.abs()), y.abs());
    let other = size - rest;
    let nearest = if rest < other {
        rest
    } else if rest > other {
        -other
    } else {
        rest - 2.0 * ((0.5 * (x.abs() - rest)) % size)
    };
    if x.is_sign_negative() { -nearest } else { nearest }
}

/// A sum that is rounded once: partial sums that do not overlap.
fn exact_sum(values: &[f64]) -> f64 {
    let mut parts: Vec<f64> = Vec::new();
    for value in values {
        let mut x = *value;
        let mut kept = 0;
        for at in 0..parts.len() {
            let y = parts[at];
            let (large, small) = if x.abs() < y.abs() { (y, x) } else { (x, y) };
            let high = large + small;
            let low = small - (high - large);
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
            x = high;
        }
        parts.truncate(kept);
        parts.push(x);
    }
    parts.iter().rev().sum()
}

/// √Σx², scaled so that squares neither overflow nor vanish.
fn length(values: &[f64]) -> f64 {
    match values {
        [] => 0.0,
        [x] => x.abs(),
        [x, y] => x.hypot(*y),
        _ if values.iter().any(|value| value.is_infinite()) => f64::INFINITY,
        _ => {
            let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            if largest == 0.0 || !largest.is_finite() {
                return largest;
            }
            let scale = 2.0_f64.powi(largest.log2().floor().clamp(-1000.0, 1000.0) as i32);
            let product = |x: f64, y: f64| [x * y, x.mul_add(y, -(x * y))];
            let mut squares: Vec<f64> = values.iter().flat_map(|value| product(value / scale, value / scale)).collect();
            let root = exact_sum(&squares).sqrt();
            // One step of Newton's method with what the root leaves over, which is exact.
            squares.extend(product(-root, root));
            (root + exact_sum(&squares) / (2.0 * root)) * scale
        }
    }
}
