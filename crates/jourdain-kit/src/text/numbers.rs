//! Numbers and columns as people read them.

/// Significant digits of the largest number of an array.
const DIGITS: i32 = 6;

/// A single number: all its digits if they are few, six otherwise.
pub fn short(x: f64) -> String {
    let exact = format!("{x}");
    if exact.len() <= 10 { exact } else { format(x, &Notation::of([x])) }
}

/// How the numbers of one array are written: all with the same decimals, so that their points line up.
pub enum Notation {
    /// Digits after the point.
    Decimals(usize),
    /// Powers of ten; what is smaller than this against the largest number is rounding.
    Exponent(f64),
}

impl Notation {
    /// What suits the largest of the numbers.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let largest = values.into_iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let magnitude = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
        if (-4..=7).contains(&magnitude) {
            Self::Decimals(usize::try_from(DIGITS - 1 - magnitude).unwrap_or(0))
        } else {
            Self::Exponent(1e-14 * largest)
        }
    }
}

/// The number in that notation; what rounds to zero is a bare `0`, so that structure shows.
pub fn format(x: f64, notation: &Notation) -> String {
    let text = match *notation {
        Notation::Exponent(smallest) if x.abs() < smallest => String::new(),
        Notation::Exponent(_) => format!("{x:.5e}"),
        Notation::Decimals(decimals) => format!("{x:.decimals$}"),
    };
    if text.chars().all(|c| matches!(c, '-' | '0' | '.')) { "0".to_owned() } else { text }
}

/// Rows of cells as lines, the first column flush left and the others flush right.
pub fn align_right(rows: &[Vec<String>]) -> Vec<String> {
    let widths = widths(rows.iter().map(|row| row.iter().map(String::as_str)));
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Rows of cells as lines, all columns flush left.
pub fn align_left(rows: &[Vec<&str>]) -> Vec<String> {
    let widths = widths(rows.iter().map(|row| row.iter().copied()));
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn widths<'a>(rows: impl Iterator<Item = impl Iterator<Item = &'a str>>) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        for (column, cell) in row.enumerate() {
            widths.resize(widths.len().max(column + 1), 0);
            widths[column] = widths[column].max(cell.chars().count());
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_an_array_share_their_decimals_and_zero_stands_out() {
        let values = [31.639_901, -0.000_000_4, 0.0, -6.035_1];
        let notation = Notation::of(values);
        assert_eq!(values.map(|x| format(x, &notation)), ["31.6399", "0", "0", "-6.0351"]);
        let tiny = [1.5e-9, -1e-26];
        assert_eq!(tiny.map(|x| format(x, &Notation::of(tiny))), ["1.50000e-9", "0"]);
        assert_eq!(format(0.0, &Notation::of([0.0])), "0");
    }

    #[test]
    fn short_numbers_keep_what_they_are() {
        assert_eq!([0.0, 17.4, -9.80665, 0.1 + 0.2].map(short), ["0", "17.4", "-9.80665", "0.300000"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "-20".to_owned()]];
        assert_eq!(align_right(&rows), ["a      1", "bcd  -20"]);
    }
}
