//! Texts to numbers, as `int` and `float` of Python read them.

/// A whole number in a base, with spaces around, a sign, and single underscores between digits.
pub(in super::super) fn parse_int(text: &str, base: u32) -> Option<i128> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_digit(base)) {
        return None;
    }
    i128::from_str_radix(&format!("{sign}{}", without_underscores(digits)?), base).ok()
}

/// A real number, `inf` and `nan` among them.
pub(in super::super) fn parse_float(text: &str) -> Option<f64> {
    let text = without_underscores(text.trim())?;
    let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let is_word = matches!(bare.as_str(), "inf" | "infinity" | "nan");
    if !is_word && !bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    text.parse().ok()
}

/// Underscores may stand between two digits, nowhere else.
pub(super) fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let fits = |(at, byte): (usize, &u8)| *byte != b'_' || (is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
    bytes.iter().enumerate().all(fits).then(|| text.replace('_', ""))
}
