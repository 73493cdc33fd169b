//! A log that is shared out over several processes or machines.

use crate::problem::Problem;
use std::ops::Range;

/// One of several equal parts of a log, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    pub part: u64,
    pub of: u64,
}

impl Shard {
    /// From `2/8`.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let number = |text: &str| text.parse::<u64>().ok();
        let parts = text.split_once('/').and_then(|(part, of)| Some(Self { part: number(part)?, of: number(of)? }));
        parts.filter(|shard| (1..=shard.of).contains(&shard.part)).ok_or_else(|| {
            Problem::usage(format!("`{text}` is no part of a log")).hint("the second of eight parts is --shard 2/8")
        })
    }

    /// Its rows out of so many: parts differ by at most one, and together they are all.
    pub fn rows(self, rows: u64) -> Range<u64> {
        let at = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(self.of)) as u64;
        at(self.part - 1)..at(self.part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_rows_once() {
        for (rows, of) in [(10, 3), (2, 5), (0, 1), (u64::MAX, 7)] {
            let mut end = 0;
            for part in 1..=of {
                let range = Shard { part, of }.rows(rows);
                assert_eq!(range.start, end, "{part}/{of} of {rows}");
                assert!(range.end - range.start <= rows / of + 1);
                end = range.end;
            }
            assert_eq!(end, rows);
        }
    }

    #[test]
    fn a_part_is_one_of_those_there_are() {
        assert_eq!(Shard::parse("2/8").unwrap(), Shard { part: 2, of: 8 });
        for text in ["0/3", "4/3", "1", "1/", "/3", "a/b", "-1/3", ""] {
            assert_eq!(Shard::parse(text).unwrap_err().kind(), "usage", "{text}");
        }
    }
}
