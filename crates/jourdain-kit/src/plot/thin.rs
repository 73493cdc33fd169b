//! Points of a curve on the page: no more than can be seen, and no peak lost.

use super::drawing::{Point, Step};

/// Width of what is drawn by one point, points of the page.
const APART: f64 = 0.35;

/// How far beyond the page a line may run: further off is not seen, and some viewers stumble over it.
const FAR: f64 = 4000.0;

/// Steps of a line through places that run to the right, with gaps where a place is not finite. Of places closer than can be seen
/// the first, the lowest, the highest and the last are kept.
#[must_use]
pub fn line(places: impl IntoIterator<Item = Point>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut bucket: Vec<Point> = Vec::new();
    let mut pen = false;
    for [x, y] in places {
        if !(x.is_finite() && y.is_finite()) {
            empty(&mut bucket, &mut steps, &mut pen);
            pen = false;
            continue;
        }
        let place = [x.clamp(-FAR, FAR), y.clamp(-FAR, FAR)];
        if bucket.first().is_some_and(|first| place[0] - first[0] >= APART || place[0] < first[0]) {
            empty(&mut bucket, &mut steps, &mut pen);
        }
        bucket.push(place);
    }
    empty(&mut bucket, &mut steps, &mut pen);
    steps
}

fn empty(bucket: &mut Vec<Point>, steps: &mut Vec<Step>, pen: &mut bool) {
    let by = |i: &usize, j: &usize| bucket[*i][1].total_cmp(&bucket[*j][1]);
    let Some(last) = bucket.len().checked_sub(1) else { return };
    let lowest = (0..=last).min_by(by).unwrap_or(0);
    let highest = (0..=last).max_by(by).unwrap_or(0);
    let mut kept = [0, lowest, highest, last];
    kept.sort_unstable();
    let mut before = None;
    for at in kept {
        if before != Some(at) {
            steps.push(if *pen { Step::Line(bucket[at]) } else { Step::Move(bucket[at]) });
            *pen = true;
            before = Some(at);
        }
    }
    bucket.clear();
}

/// Steps of a line through places in any order, all of them.
#[must_use]
pub fn path(places: impl IntoIterator<Item = Point>) -> Vec<Step> {
    let mut pen = false;
    let step = |place: Point| {
        let finite = place.iter().all(|x| x.is_finite());
        let step = if pen { Step::Line(place) } else { Step::Move(place) };
        pen = finite;
        finite.then_some(step)
    };
    places.into_iter().filter_map(step).collect()
}

/// Places of dots that can be told from the one before.
#[must_use]
pub fn dots(places: impl IntoIterator<Item = Point>, apart: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for [x, y] in places.into_iter().filter(|place| place.iter().all(|x| x.is_finite())) {
        if kept.last().is_none_or(|[a, b]| (x - a).hypot(y - b) >= apart) {
            kept.push([x, y]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks_and_both_ends() {
        let y = |i: u32| if i == 54_321 { 7.0 } else { 0.0 };
        let steps = line((0..100_000_u32).map(|i| [f64::from(i) * 0.004, y(i)]));
        assert!(steps.len() < 4 * 1200, "{}", steps.len());
        let place = |step: &Step| match step {
            Step::Move(place) | Step::Line(place) => *place,
            Step::Curve(..) | Step::Close => unreachable!("lines only"),
        };
        assert!(steps.iter().map(place).any(|[_, y]| y == 7.0));
        assert_eq!((place(&steps[0])[0], place(&steps[steps.len() - 1])[0]), (0.0, 399.996));
        assert_eq!(steps.iter().filter(|step| matches!(step, Step::Move(_))).count(), 1);
    }

    #[test]
    fn what_is_not_finite_is_a_gap() {
        let steps = line([[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 3.0], [4.0, f64::INFINITY], [5.0, 5.0]]);
        let moves = steps.iter().filter(|step| matches!(step, Step::Move(_))).count();
        assert_eq!((moves, steps.len()), (3, 4));
        assert_eq!(path([[0.0, 0.0], [f64::NAN, 1.0], [2.0, 2.0], [1.0, 1.0]]).len(), 3);
        assert!(line([]).is_empty() && dots([[f64::NAN, 0.0]], 1.0).is_empty());
    }
}
