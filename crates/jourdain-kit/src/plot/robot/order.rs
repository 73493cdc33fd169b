//! What hides what: the painter's order of bodies in a view.
//!
//! Two bodies are compared where their middle lines are closest on the page, not by their middles: a long link that passes behind
//! a short one begins in front of it. Where bodies overlap in a ring, the one further away is drawn first.

/// A body on the page: its middle line with depths towards the eye, and its radii, all in metres.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Right, up, towards the eye.
    pub ends: [[f64; 3]; 2],
    /// How far it reaches on the page from both ends.
    pub radii: [f64; 2],
    /// How far it reaches towards the eye from both ends.
    pub thick: [f64; 2],
    /// How near it comes to the eye, for compact bodies: one number, wherever they meet others.
    pub front: Option<f64>,
    /// True for bodies that are drawn as one form with those they touch.
    pub joins: bool,
}

impl Seen {
    fn middle(&self) -> f64 {
        0.5 * (self.ends[0][2] + self.ends[1][2])
    }

    /// How near the surface comes to the eye at a share of the middle line.
    fn front(&self, share: f64) -> f64 {
        let ([a, b], [ta, tb]) = (self.ends, self.thick);
        self.front.unwrap_or(a[2] + share * (b[2] - a[2]) + ta + share * (tb - ta))
    }
}

/// Shares of both middle lines at which they are closest on the page, and the distance there.
fn closest(p: &Seen, q: &Seen) -> (f64, f64, f64) {
    let ([a, b], [c, d]) = (p.ends, q.ends);
    let (u, v, w) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]], [a[0] - c[0], a[1] - c[1]]);
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let at = |s: f64, t: f64| (w[0] + s * u[0] - t * v[0]).hypot(w[1] + s * u[1] - t * v[1]);
    let on_q = |s: f64| if vv > 0.0 { ((vw + s * uv) / vv).clamp(0.0, 1.0) } else { 0.0 };
    let on_p = |t: f64| if uu > 0.0 { ((t * uv - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    let determinant = uu * vv - uv * uv;
    let mut candidates = vec![(0.0, on_q(0.0)), (1.0, on_q(1.0)), (on_p(0.0), 0.0), (on_p(1.0), 1.0)];
    if determinant > 1e-12 * uu * vv {
        let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            candidates.push((s, t));
        }
    }
    let best = candidates.into_iter().map(|(s, t)| (s, t, at(s, t)));
    best.fold((0.0, 0.0, f64::INFINITY), |best, next| if next.2 < best.2 - 1e-15 { next } else { best })
}

/// Indices from back to front, in runs: the bodies of a run are drawn as one form. `touch` says which are of one piece.
#[must_use]
pub fn painted(bodies: &[Seen], touch: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let (hides, mut waits) = relations(bodies, touch);
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    while !left.is_empty() {
        let run: &[usize] = runs.last().map_or(&[], Vec::as_slice);
        let goes_on = |index: usize| {
            bodies[index].joins
                && run.iter().any(|other| bodies[*other].joins)
                && run.iter().all(|other| !hides[*other].contains(&index))
        };
        let rank = |index: usize| {
            let ready = waits[index] == 0;
            (!ready, !(ready && goes_on(index)), bodies[index].middle())
        };
        let best = left
            .iter()
            .map(|index| rank(*index))
            .enumerate()
            .min_by(|(_, a), (_, b)| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let Some((place, (_, breaks, _))) = best else { break };
        let index = left.remove(place);
        for fore in &hides[index] {
            waits[*fore] = waits[*fore].saturating_sub(1);
        }
        match runs.last_mut() {
            Some(run) if !breaks => run.push(index),
            Some(_) | None => runs.push(vec![index]),
        }
    }
    runs
}

/// By which bodies each one is hidden in part, and how many each one hides.
fn relations(bodies: &[Seen], touch: &dyn Fn(usize, usize) -> bool) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut hides: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    let mut waits = vec![0_usize; bodies.len()];
    for i in 0..bodies.len() {
        for j in i + 1..bodies.len() {
            if bodies[i].joins && bodies[j].joins && touch(i, j) {
                continue;
            }
            let (s, t, distance) = closest(&bodies[i], &bodies[j]);
            let reach = bodies[i].radii[0].max(bodies[i].radii[1]) + bodies[j].radii[0].max(bodies[j].radii[1]);
            let [front_i, front_j] = [bodies[i].front(s), bodies[j].front(t)];
            if distance > 1.05 * reach || (front_i - front_j).abs() < 1e-6 * reach {
                continue;
            }
            let (back, fore) = if front_i < front_j { (i, j) } else { (j, i) };
            hides[back].push(fore);
            waits[fore] += 1;
        }
    }
    (hides, waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(from: [f64; 3], to: [f64; 3]) -> Seen {
        Seen { ends: [from, to], radii: [0.1; 2], thick: [0.1; 2], front: None, joins: false }
    }

    #[test]
    fn bodies_are_compared_where_they_cross() {
        // The first is nearer in its middle, but runs behind the second where they cross.
        let slanted = body([-1.0, 0.0, 8.0], [1.0, 0.0, -6.0]);
        let short = body([0.9, -0.3, 0.0], [0.9, 0.3, 0.0]);
        assert_eq!(painted(&[slanted, short], &|_, _| false), [[0], [1]]);
        let nearer = body([-0.9, -0.3, 0.0], [-0.9, 0.3, 0.0]);
        assert_eq!(painted(&[slanted, nearer], &|_, _| false), [[1], [0]]);
    }

    #[test]
    fn a_ring_of_bodies_has_an_order_all_the_same() {
        let ring = [
            body([0.0, 0.0, 0.0], [1.0, 0.0, 1.0]),
            body([1.0, 0.0, 0.0], [0.5, 1.0, 1.0]),
            body([0.5, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ];
        let mut order: Vec<usize> = painted(&ring, &|_, _| false).concat();
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
}
