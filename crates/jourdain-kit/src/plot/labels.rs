//! Words that must not meet: labels at the ends of curves, and lines that are too long.

use super::words;

/// Heights of labels, moved as little as possible so that no two are closer than `apart`, and inside `low` … `high` if they fit.
///
/// Labels that meet form a group about the middle of where they want to be; groups that meet become one.
#[must_use]
pub fn spread(wanted: &[f64], apart: f64, [low, high]: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|i, j| wanted[*i].total_cmp(&wanted[*j]));
    // Each group: the sum of where its labels want the first of it to be, and how many they are.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let room = |count: usize| (count.saturating_sub(1)) as f64 * apart;
    let first = |(sum, count): (f64, usize)| {
        let highest = (high - room(count)).max(low);
        (sum / count as f64).clamp(low, highest)
    };
    for &index in &order {
        groups.push((wanted[index], 1));
        while let [.., before, last] = groups[..] {
            if first(before) + before.1 as f64 * apart <= first(last) {
                break;
            }
            groups.truncate(groups.len() - 2);
            groups.push((before.0 + last.0 - room(2) * (before.1 * last.1) as f64, before.1 + last.1));
        }
    }
    let mut places = vec![0.0; wanted.len()];
    let mut rest = order.into_iter();
    for group in groups {
        for (k, index) in rest.by_ref().take(group.1).enumerate() {
            places[index] = first(group) + k as f64 * apart;
        }
    }
    places
}

/// Lines that are at most so wide, broken between parts if possible, otherwise between words. Parts are joined by a dot.
#[must_use]
pub fn wrapped(parts: &[String], most: f64, size: f64, bold: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let fits = |line: &str| words::width(line, size, bold) <= most;
    for part in parts.iter().filter(|part| !part.is_empty()) {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} · {part}")) => {
                line.push_str(" · ");
                line.push_str(part);
            }
            Some(_) | None if fits(part) => lines.push(part.clone()),
            Some(_) | None => {
                let mut line = String::new();
                for word in part.split(' ') {
                    let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                    if !line.is_empty() && !fits(&longer) {
                        lines.push(std::mem::replace(&mut line, word.to_owned()));
                    } else {
                        line = longer;
                    }
                }
                lines.push(line);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    #[test]
    fn labels_never_meet_and_stay_near() {
        for seed in 1..500_u64 {
            let mut random = random::numbers(seed);
            let count = 1 + (random() * 5.0) as usize;
            let wanted: Vec<f64> = (0..count).map(|_| 60.0 * random()).collect();
            let places = spread(&wanted, 9.5, [0.0, 60.0]);
            let mut sorted = places.clone();
            sorted.sort_by(f64::total_cmp);
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 9.5 - 1e-9), "seed {seed}: {places:?}");
            assert!(sorted.iter().all(|y| (-1e-9..=60.0 + 1e-9).contains(y)), "seed {seed}: {places:?}");
            for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                assert!(wanted[i] >= wanted[j] || places[i] < places[j], "seed {seed}: order of {wanted:?}");
            }
        }
        assert_eq!(spread(&[5.0, 30.0], 9.5, [0.0, 60.0]), [5.0, 30.0]);
        assert_eq!(spread(&[], 9.5, [0.0, 60.0]), [0.0; 0]);
    }

    #[test]
    fn long_lines_break_between_parts_then_between_words() {
        let parts =
            ["joint 4 passes its limit".to_owned(), "Runge–Kutta 4".to_owned(), String::new(), "step 1 ms".to_owned()];
        let lines = wrapped(&parts, 100.0, 7.0, false);
        assert_eq!(lines, ["joint 4 passes its limit", "Runge–Kutta 4 · step 1 ms"]);
        let narrow = wrapped(&parts, 50.0, 7.0, false);
        assert!(narrow.len() > 3 && narrow.iter().all(|line| words::width(line, 7.0, false) <= 50.0), "{narrow:?}");
    }
}
