//! Days by their labels: in order, and as numbers to compute with.
//!
//! Labels that are all dates, `2026-01-31`, count in days; any others one by one in their order.

/// The labels there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Days {
    labels: Vec<String>,
    are_dates: bool,
}

impl Days {
    pub fn new(mut labels: Vec<String>) -> Self {
        labels.sort_unstable();
        labels.dedup();
        let are_dates = labels.iter().all(|label| date(label).is_some());
        Self { labels, are_dates }
    }

    /// In order.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// When a day is, in days.
    pub fn time(&self, label: &str) -> f64 {
        let place = || self.labels.binary_search_by(|own| own.as_str().cmp(label)).unwrap_or(0) as f64;
        let [year, month, day] = match date(label) {
            Some(date) if self.are_dates => date,
            _ => return place(),
        };
        // Days from the first of March of the year 0, by Howard Hinnant's algorithm.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (century, of_year) = (year.div_euclid(400), (153 * month + 2) / 5 + day - 1);
        let in_century = year.rem_euclid(400);
        (century * 146_097 + in_century * 365 + in_century / 4 - in_century / 100 + of_year) as f64
    }

    /// What a table has for a day: 20260131 of a date, else its place from 1.
    pub fn number(&self, label: &str) -> f64 {
        match date(label) {
            Some([year, month, day]) if self.are_dates => (10_000 * year + 100 * month + day) as f64,
            _ => self.time(label) + 1.0,
        }
    }
}

/// Year, month and day of a date.
fn date(label: &str) -> Option<[i64; 3]> {
    let parts: Vec<&str> = label.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let digits = |text: &str, count: usize| {
        (text.len() == count && text.bytes().all(|c| c.is_ascii_digit())).then(|| text.parse::<i64>().ok()).flatten()
    };
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some([year, month, day])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_in_days_and_others_one_by_one() {
        let days = Days::new(["2026-03-01", "2026-02-28", "2027-02-28"].map(str::to_owned).to_vec());
        let since = |label: &str| days.time(label) - days.time("2026-02-28");
        assert_eq!((since("2026-03-01"), since("2027-02-28")), (1.0, 365.0));
        assert_eq!(days.number("2026-03-01"), 20_260_301.0);
        let leap = Days::new(["2024-02-28", "2024-03-01"].map(str::to_owned).to_vec());
        assert_eq!(leap.time("2024-03-01") - leap.time("2024-02-28"), 2.0);
        let others = Days::new(["b", "a", "c", "a"].map(str::to_owned).to_vec());
        assert_eq!((others.labels().len(), others.time("c"), others.number("b")), (3, 2.0, 2.0));
    }
}
