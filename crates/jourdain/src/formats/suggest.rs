//! "Did you mean": the known word nearest to an unknown one.

/// The hint for an unknown `word`: the nearest of `known` if one is near, otherwise all of them.
#[must_use]
pub fn hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}

/// The nearest of `known` by edit distance, if it takes at most a third of the letters.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    let scored = known.iter().take(2000).map(|candidate| (distance(&word, &candidate.to_lowercase()), *candidate));
    let (distance, near) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= word.chars().count().max(near.chars().count()).div_ceil(3)).then_some(near)
}

/// Levenshtein distance with swapped neighbours counted as one edit.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_find_the_word_meant() {
        let known = ["name", "parent", "mass", "com", "inertia", "inertia_origin"];
        for (slip, meant) in [("nmae", "name"), ("Mass", "mass"), ("parents", "parent"), ("intertia", "inertia")] {
            assert_eq!(nearest(slip, &known), Some(meant));
        }
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("", &[]), None);
    }
}
