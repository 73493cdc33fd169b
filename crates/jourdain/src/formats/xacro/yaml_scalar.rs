//! Unquoted scalars of YAML 1.1: what is a number, a truth value or nothing, and what is a text.

use super::python::Value;

/// What an unquoted scalar is by the rules of YAML 1.1.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::None,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => return Value::Bool(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => return Value::Bool(false),
        _ => {}
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Value::Float(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if digits.len() == text.len() => return Value::Float(f64::NAN),
        _ => {}
    }
    let number = whole(digits).map(|number| Value::Int(number * sign as i128));
    let number = number.or_else(|| real(digits).map(|number| Value::Float(sign * number)));
    number.unwrap_or_else(|| Value::text(text))
}

fn whole(digits: &str) -> Option<i128> {
    let bare = digits.replace('_', "");
    let in_base = |digits: &str, base| i128::from_str_radix(digits, base).ok();
    match bare.as_bytes() {
        [b'0', b'b', ..] => in_base(&bare[2..], 2),
        [b'0', b'x', ..] => in_base(&bare[2..], 16),
        [b'0'] if digits == "0" => Some(0),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(|byte| (b'0'..=b'7').contains(byte)) => {
            in_base(&bare[1..], 8)
        }
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => bare.parse().ok(),
        [b'1'..=b'9', ..] => sixties(&bare)?.parse::<f64>().ok().map(|number| number as i128),
        _ => None,
    }
}

/// A point must be there, and a sign in the exponent.
fn real(digits: &str) -> Option<f64> {
    let bare = digits.replace('_', "");
    let (mantissa, exponent) = match bare.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (bare.as_str(), None),
    };
    let (before, after) = mantissa.split_once('.')?;
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_sign = exponent.is_none_or(|exponent| {
        exponent.strip_prefix(['+', '-']).is_some_and(|digits| !digits.is_empty() && all_digits(digits))
    });
    if before.contains(':') && exponent.is_none() && all_digits(after) {
        let whole: f64 = sixties(before)?.parse().ok()?;
        return format!("0.{after}").parse::<f64>().ok().map(|fraction| whole + fraction);
    }
    let is_number = all_digits(before) && all_digits(after) && !(before.is_empty() && after.is_empty());
    (is_number && has_sign).then(|| bare.parse().ok()).flatten()
}

/// `1:30` is ninety: digits of base sixty.
fn sixties(text: &str) -> Option<String> {
    let mut total = 0.0;
    for (at, part) in text.split(':').enumerate() {
        let digit: f64 = part.parse::<u64>().ok()? as f64;
        if (at > 0 && (digit > 59.0 || part.len() > 2)) || !text.contains(':') {
            return None;
        }
        total = total * 60.0 + digit;
    }
    Some(total.to_string())
}
