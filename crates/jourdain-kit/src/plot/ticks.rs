//! Numbers at axes. A tick is a whole number of steps of 1, 2 or 5 times a power of ten, so that what is written is exactly where it
//! stands.

use super::figure::Scale;

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where.
    pub value: f64,
    /// What is written there; nothing at minor ticks.
    pub label: String,
    /// Ends a decade, or is any tick of an axis without decades.
    pub major: bool,
}

/// Ticks of an axis from `low` to `high`, at most so many with a label.
#[must_use]
pub fn ticks(scale: Scale, [low, high]: [f64; 2], most: usize) -> Vec<Tick> {
    match scale {
        Scale::Linear => linear(low, high, most),
        Scale::Degrees => degrees(low, high, most),
        Scale::Logarithmic => logarithmic(low, high, most),
    }
}

fn linear(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let most = most.max(2);
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    // One number alone does not tell a scale; of five there are always two.
    let ticks = finest(low, high, most);
    if ticks.len() < 2 { finest(low, high, most.max(5)) } else { ticks }
}

/// The finest multiples of 1, 2 or 5 times a power of ten that are not too many.
fn finest(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let mut exponent = ((high - low) / most as f64).log10().floor() as i32 - 1;
    loop {
        for factor in [1, 2, 5] {
            if let Some(ticks) = multiples(low, high, factor, exponent, most) {
                return ticks;
            }
        }
        exponent += 1;
    }
}

fn degrees(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let steps = [5, 10, 15, 30, 45, 90, 180, 360, 720, 1440];
    // Where it is about quarters of a turn, parts of them say nothing.
    let least = if high - low >= 150.0 { 90 } else { 5 };
    let fitting = steps.into_iter().filter(|step| *step >= least);
    fitting.into_iter().find_map(|step| multiples(low, high, step, 0, most)).unwrap_or_else(|| linear(low, high, most))
}

/// Multiples of `factor` · 10^`exponent`, if they are not too many.
fn multiples(low: f64, high: f64, factor: i64, exponent: i32, most: usize) -> Option<Vec<Tick>> {
    let step = exact(factor, exponent);
    // What rounding has moved across the end of the axis still belongs to it.
    let slack = 1e-9 * (high - low) / step;
    let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
    if last - first >= most as f64 || first.abs() > 1e15 || last.abs() > 1e15 {
        return None;
    }
    let tick = |k: i64| Tick { value: exact(k * factor, exponent), label: decimal(k * factor, exponent), major: true };
    Some((first as i64..=last as i64).map(tick).collect())
}

/// The number nearest to `digits` · 10^`exponent`.
fn exact(digits: i64, exponent: i32) -> f64 {
    let power = 10_f64.powi(exponent.abs());
    if exponent < 0 { digits as f64 / power } else { digits as f64 * power }
}

/// `digits` · 10^`exponent` in decimals, with a true minus.
fn decimal(digits: i64, exponent: i32) -> String {
    let sign = if digits < 0 { "−" } else { "" };
    let digits = digits.unsigned_abs();
    if exponent >= 0 {
        let zeros = if digits == 0 { 0 } else { exponent as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let places = exponent.unsigned_abs() as usize;
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = padded.split_at(padded.len() - places);
    if digits == 0 { "0".to_owned() } else { format!("{sign}{whole}.{part}") }
}

fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    if !(low > 0.0 && high > low && high.is_finite()) {
        return Vec::new();
    }
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |value: f64| value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9);
    let decades = (first..=last).filter(|e| inside(exact(1, *e))).count();
    // Every decade, or every second, third … one; with hardly any, what is between them too.
    let stride = decades.div_ceil(most.max(1)).max(1) as i32;
    let named: &[i64] = match decades {
        0 => &[1, 2, 3, 5, 7],
        1 => &[1, 2, 5],
        _more => &[1],
    };
    let mut ticks = Vec::new();
    for exponent in first..=last {
        for factor in 1..10 {
            let value = exact(factor, exponent);
            if inside(value) {
                let label = match (named.contains(&factor), exponent.rem_euclid(stride)) {
                    (true, 0) if factor == 1 => power(exponent),
                    (true, 0) => small(factor, exponent),
                    (true, _) | (false, _) => String::new(),
                };
                ticks.push(Tick { value, label, major: factor == 1 });
            }
        }
    }
    ticks
}

/// A power of ten: 0.1, 1, 10, 100, and others with an exponent.
#[must_use]
pub fn power(exponent: i32) -> String {
    match exponent {
        -2..=3 => decimal(1, exponent),
        _far if exponent < 0 => format!("10^{{−{}}}", exponent.unsigned_abs()),
        _far => format!("10^{{{exponent}}}"),
    }
}

fn small(factor: i64, exponent: i32) -> String {
    match exponent {
        -3..=3 => decimal(factor, exponent),
        _far => format!("{factor}·{}", power(exponent)),
    }
}

/// The power of a thousand by which numbers of this size are divided, so that they can be read: 0 if they can as they are.
#[must_use]
pub fn thousands(largest: f64) -> i32 {
    if !(largest > 0.0 && largest.is_finite()) || (1e-2..2e4).contains(&largest) {
        return 0;
    }
    3 * (largest.log10() / 3.0 + 1e-12).floor() as i32
}

/// A number with so many digits that count, as it is written in a plot: a true minus, no exponent in letters.
#[must_use]
pub fn number(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { "∞".to_owned() };
    }
    let exponent = x.abs().log10().floor() as i32;
    if !(-4..6).contains(&exponent) {
        let text = format!("{x:.*e}", digits.saturating_sub(1));
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}·10^{{{}}}", mantissa.replace('-', "−"), power.replace('-', "−"));
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    format!("{x:.places$}").replace('-', "−")
}

/// A number with three digits that count, and no zeros after them.
#[must_use]
pub fn short(x: f64) -> String {
    let text = number(x, 3);
    if text.contains('.') && !text.contains('^') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    fn labels(scale: Scale, range: [f64; 2], most: usize) -> Vec<String> {
        ticks(scale, range, most).into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn what_is_written_is_where_it_stands() {
        // Random axes from a seed that a failure tells.
        for seed in 1..2000_u64 {
            let mut random = random::numbers(seed);
            let size = 10_f64.powf(16.0 * random() - 8.0);
            let low = (random() - 0.5) * size;
            let high = low + random() * size + 1e-3 * size;
            for most in 2..7 {
                let ticks = ticks(Scale::Linear, [low, high], most);
                let (least, most) = (2, most.max(5));
                assert!((least..=most).contains(&ticks.len()), "seed {seed}: {} ticks of {most}", ticks.len());
                for tick in &ticks {
                    let read: f64 = tick.label.replace('−', "-").parse().expect("a number");
                    assert_eq!(read, tick.value, "seed {seed}: {tick:?}");
                    assert!((low - 1e-6 * size..=high + 1e-6 * size).contains(&tick.value), "seed {seed}: {tick:?}");
                }
            }
        }
    }

    #[test]
    fn quarters_keep_their_digits_and_zero_is_zero() {
        assert_eq!(labels(Scale::Linear, [-0.3, 0.8], 6), ["−0.2", "0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(Scale::Linear, [0.0, 0.1], 3), ["0", "0.05", "0.10"]);
        assert_eq!(labels(Scale::Linear, [0.0, 40000.0], 3), ["0", "20000", "40000"]);
        assert_eq!(labels(Scale::Degrees, [-580.0, 20.0], 5), ["−540", "−360", "−180", "0"]);
    }

    #[test]
    fn decades_have_names_and_their_parts_do_not() {
        let ticks = ticks(Scale::Logarithmic, [0.1, 100.0], 7);
        assert_eq!(labels(Scale::Logarithmic, [0.1, 100.0], 7), ["0.1", "1", "10", "100"]);
        assert_eq!(ticks.len(), 28);
        assert_eq!(labels(Scale::Logarithmic, [1e-6, 1e6], 5), ["10^{−6}", "10^{−3}", "1", "1000", "10^{6}"]);
        assert_eq!(labels(Scale::Logarithmic, [2.0, 7.0], 5), ["2", "3", "5", "7"]);
        assert_eq!(labels(Scale::Logarithmic, [0.5, 30.0], 5), ["1", "10"]);
        assert!(labels(Scale::Logarithmic, [0.0, 1.0], 5).is_empty());
    }

    #[test]
    fn numbers_are_short_and_never_computer_like() {
        let all = [0.0, 0.203, -12.34, 2.7e-6, 1.5e9, 100.0].map(|x| number(x, 2));
        assert_eq!(all, ["0", "0.20", "−12", "2.7·10^{−6}", "1.5·10^{9}", "100"]);
        assert_eq!([3e-6, 0.5, 2e-3, 7e4].map(thousands), [-6, 0, -3, 3]);
    }
}
