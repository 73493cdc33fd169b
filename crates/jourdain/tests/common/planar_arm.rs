//! Brute force for a planar arm of three joints, as Chang's: a witness for inverse kinematics that knows nothing of derivatives.

/// The arm in closed form, its links this long: extrema of −log w along each closed curve of configurations, the first angle given in so
/// many steps. Where a curve turns back its first angle stands still, and steps along it are long.
pub fn brute_force_extrema(lengths: [f64; 3], x: f64, y: f64, count: usize) -> Vec<f64> {
    let h = |angles: [f64; 3]| {
        // Angles from the y axis, as in the paper; columns of the Jacobian from the tip inwards.
        let column = |k: usize| -> [f64; 2] {
            [
                (k..3).map(|i| lengths[i] * angles[i].cos()).sum(),
                -(k..3).map(|i| lengths[i] * angles[i].sin()).sum::<f64>(),
            ]
        };
        let columns = [column(0), column(1), column(2)];
        // Positions count by the default length of a task, half a metre.
        let g = |i: usize, j: usize| columns.iter().map(|c| c[i] * c[j]).sum::<f64>() * 4.0;
        -0.5 * (g(0, 0) * g(1, 1) - g(0, 1) * g(0, 1)).ln()
    };
    let branch = |sign: f64, i: usize| -> Option<f64> {
        let first = std::f64::consts::TAU * (i % count) as f64 / count as f64;
        let (u, v) = (x - lengths[0] * first.sin(), y - lengths[0] * first.cos());
        let square = u * u + v * v;
        let cosine = (square - lengths[1] * lengths[1] - lengths[2] * lengths[2]) / (2.0 * lengths[1] * lengths[2]);
        (cosine.abs() <= 1.0).then(|| {
            let bend = sign * cosine.acos();
            let second = u.atan2(v) - (lengths[2] * bend.sin()).atan2(lengths[1] + lengths[2] * bend.cos());
            h([first, second, second + bend])
        })
    };
    let mut curves: Vec<Vec<f64>> = Vec::new();
    let gap = (0..count).find(|&i| branch(1.0, i).is_none());
    match gap {
        None => curves.extend([1.0, -1.0].map(|sign| (0..count).filter_map(|i| branch(sign, i)).collect())),
        Some(gap) => {
            // Arcs between gaps, there with one bend and back with the other.
            let mut arc: Vec<usize> = Vec::new();
            for i in gap..=gap + count {
                if branch(1.0, i).is_some() {
                    arc.push(i);
                } else if !arc.is_empty() {
                    let there = arc.iter().filter_map(|&i| branch(1.0, i));
                    curves.push(there.chain(arc.iter().rev().filter_map(|&i| branch(-1.0, i))).collect());
                    arc.clear();
                }
            }
        }
    }
    let mut extrema = Vec::new();
    for curve in curves {
        let n = curve.len();
        for i in 0..n {
            let (a, b, c) = (curve[i], curve[(i + 1) % n], curve[(i + 2) % n]);
            if (b > a && b >= c) || (b < a && b <= c) {
                extrema.push(b);
            }
        }
    }
    extrema
}
