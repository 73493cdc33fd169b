//! Numbers: how whole and real ones compare, divide and round.

use super::super::failure::{Failure, Outcome};
use super::complex::Complex;
use super::value::Value;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive as _;
use std::cmp::Ordering;

/// The largest whole number up to which real ones have no gaps.
const EXACT: i128 = 1 << 53;

pub(super) fn too_large() -> Box<Failure> {
    Failure::expression("a whole number of more than 127 bits").hint("write it as a real number: 1.0 in place of 1")
}

fn by_zero() -> Box<Failure> {
    Failure::expression("division by zero")
}

/// The whole number that a real one is.
pub(super) fn whole(value: f64) -> Option<i128> {
    (value.fract() == 0.0 && value.abs() < 1.7e38).then_some(value as i128)
}

/// The order of two numbers; `None` if one is no number.
pub(super) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => compare_mixed(a, b.as_float()?),
        (None, Some(b)) => compare_mixed(b, a.as_float()?).map(Ordering::reverse),
        (None, None) => a.as_float()?.partial_cmp(&b.as_float()?),
    }
}

/// Exact where rounding the whole number would make two numbers equal that are not.
fn compare_mixed(a: i128, b: f64) -> Option<Ordering> {
    match whole(b) {
        Some(b) => Some(a.cmp(&b)),
        None => (a as f64).partial_cmp(&b),
    }
}

/// `a / b` of whole numbers, rounded once.
pub(super) fn divide_ints(a: i128, b: i128) -> Outcome<f64> {
    if b == 0 {
        return Err(by_zero());
    }
    if a.abs() <= EXACT && b.abs() <= EXACT {
        return Ok(a as f64 / b as f64);
    }
    Ok(Ratio::new(BigInt::from(a), BigInt::from(b)).to_f64().unwrap_or(a as f64 / b as f64))
}

pub(super) fn divide_floats(a: f64, b: f64) -> Outcome<f64> {
    if b == 0.0 { Err(by_zero()) } else { Ok(a / b) }
}

/// `a // b` and `a % b` of whole numbers: the remainder has the sign of b.
pub(super) fn floor_ints(a: i128, b: i128) -> Outcome<(i128, i128)> {
    if b == 0 {
        return Err(by_zero());
    }
    let quotient = a.checked_div(b).ok_or_else(too_large)?;
    let remainder = a - quotient * b;
    Ok(if remainder != 0 && (remainder < 0) != (b < 0) { (quotient - 1, remainder + b) } else { (quotient, remainder) })
}

/// `a // b` and `a % b` of real numbers.
pub(super) fn floor_floats(a: f64, b: f64) -> Outcome<(f64, f64)> {
    if b == 0.0 {
        return Err(by_zero());
    }
    let mut remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder == 0.0 {
        remainder = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder += b;
        quotient -= 1.0;
    }
    let floor = if quotient == 0.0 {
        0.0_f64.copysign(a / b)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    };
    Ok((floor, remainder))
}

/// `a ** b`.
pub(super) fn power(a: &Value, b: &Value) -> Outcome<Value> {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        if b >= 0 {
            // Powers of 0, 1 and −1 stay small whatever the exponent, of which only the parity counts.
            let exponent = if matches!(a, -1..=1) { b.min(2 + b % 2) } else { b };
            let power = u32::try_from(exponent).ok().and_then(|exponent| a.checked_pow(exponent));
            return power.map(Value::Int).ok_or_else(too_large);
        }
        if a == 0 {
            return Err(Failure::expression("zero has no negative power"));
        }
    }
    let (Some(x), Some(y)) = (a.as_float(), b.as_float()) else {
        return match (Complex::of(a), Complex::of(b)) {
            (Some(a), Some(b)) => a.pow(b).map(Value::Complex),
            _ => Err(super::operator::mismatch("**", a, b)),
        };
    };
    if x == 0.0 && y < 0.0 {
        return Err(Failure::expression("zero has no negative power"));
    }
    if x < 0.0 && x.is_finite() && y.is_finite() && y.fract() != 0.0 {
        return Complex { re: x, im: 0.0 }.pow(Complex { re: y, im: 0.0 }).map(Value::Complex);
    }
    let power = x.powf(y);
    if power.is_infinite() && x.is_finite() && y.is_finite() {
        return Err(Failure::expression("the power is too large for a number"));
    }
    Ok(Value::Float(power))
}

/// `round(value, digits)`: to the nearest, and of two equally near the even one.
pub(super) fn round(value: &Value, digits: Option<i128>) -> Outcome<Value> {
    let no_number = || Failure::expression(format!("`round` takes a number, not a {}", value.kind()));
    match (value.as_int(), digits) {
        (Some(whole), None | Some(0..)) => Ok(Value::Int(whole)),
        (Some(whole), Some(digits)) => Ok(Value::Int(round_to_tens(whole, false, digits.unsigned_abs()))),
        (None, _) => {
            let real = value.as_float().ok_or_else(no_number)?;
            match digits {
                None => to_int(real.round_ties_even()).map(Value::Int),
                Some(_) if !real.is_finite() => Ok(Value::Float(real)),
                Some(digits @ 0..) if digits > 330 => Ok(Value::Float(real)),
                Some(digits @ 0..) => {
                    let digits = digits as usize;
                    Ok(Value::Float(format!("{real:.digits$}").parse().unwrap_or(real)))
                }
                Some(digits) => {
                    let Some(floor) = whole(real.abs().floor()) else { return Ok(Value::Float(real)) };
                    let tens = round_to_tens(floor, real.fract() != 0.0, digits.unsigned_abs());
                    Ok(Value::Float((tens as f64).copysign(real)))
                }
            }
        }
    }
}

/// A whole number, or one and a fraction, to the nearest multiple of 10ⁿ.
fn round_to_tens(value: i128, and_more: bool, zeros: u128) -> i128 {
    let Some(unit) = u32::try_from(zeros).ok().and_then(|zeros| 10_i128.checked_pow(zeros)) else { return 0 };
    let (down, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
    let up = match (rest * 2).cmp(&unit) {
        Ordering::Less => false,
        Ordering::Equal => and_more || down % 2 != 0,
        Ordering::Greater => true,
    };
    (down + i128::from(up)).saturating_mul(unit)
}

/// The whole number of a real one, cut towards zero.
pub(super) fn to_int(value: f64) -> Outcome<i128> {
    if !value.is_finite() {
        return Err(Failure::expression(format!("{value} is no whole number")));
    }
    whole(value.trunc()).ok_or_else(too_large)
}
