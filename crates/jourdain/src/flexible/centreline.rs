//! The bent arm as lines in the plane, for drawing.

use super::arm::Kinematics;
use super::description::BuiltArm;
use super::modes::Mode;
use super::plane::Planar;
use super::quadrature::Gauss;

/// Points along each link from its joint to its end, `pieces` + 1 of them, m.
///
/// # Panics
/// If `q` does not have the arm's size.
#[must_use]
pub fn centrelines(built: &BuiltArm, q: &[f64], pieces: usize) -> Vec<Vec<[f64; 2]>> {
    let arm = &built.arm;
    assert_eq!(q.len(), arm.size(), "coordinates of the arm");
    let pieces = pieces.max(1);
    let (mut origin, mut angle, mut slopes) = (Planar::zero(), 0.0, 0.0);
    let mut frame = Planar::new(1.0, 0.0);
    let mut lines = Vec::new();
    for (i, (link, modes)) in arm.links().iter().zip(&built.modes).enumerate() {
        let deflections = &q[arm.deflections(i)];
        angle += q[i];
        frame = frame * Planar::turn(q[i]);
        let point = |x: f64| {
            let y: f64 = modes.iter().zip(deflections).map(|(mode, delta)| mode.at(x) * delta).sum();
            origin
                + match arm.kinematics() {
                    // Slopes of the links before add up, to first order.
                    Kinematics::Paper => Planar::turn(angle) * Planar::new(x, y + x * slopes),
                    Kinematics::Linear | Kinematics::Rotation => frame * Planar::new(x, y),
                    Kinematics::Stiffened => frame * Planar::new(x - shortening(modes, deflections, x), y),
                    Kinematics::Exact => frame * along(modes, deflections, x),
                }
        };
        let places = (0..=pieces).map(|k| link.length * k as f64 / pieces as f64);
        let line: Vec<Planar<f64>> = places.map(point).collect();
        let slope: f64 = link.tip_slope.iter().zip(deflections).map(|(slope, delta)| slope * delta).sum();
        slopes += slope;
        frame = frame
            * match arm.kinematics() {
                Kinematics::Rotation | Kinematics::Stiffened | Kinematics::Exact => Planar::turn(slope),
                Kinematics::Paper | Kinematics::Linear => Planar::new(1.0, slope),
            };
        origin = line[pieces];
        lines.push(line.iter().map(|p| [p.x, p.y]).collect());
    }
    lines
}

/// Weights and slopes ψ of a quadrature from the joint to x.
fn over_slopes(modes: &[Mode], deflections: &[f64], x: f64, mut add: impl FnMut(f64, f64)) {
    let Gauss { nodes, weights, .. } = Gauss::new(10 + 4 * modes.len());
    for (node, weight) in nodes.iter().zip(&weights) {
        let slope: f64 = modes.iter().zip(deflections).map(|(mode, d)| mode.derivative(x * node, 1) * d).sum();
        add(x * weight, slope);
    }
}

/// ½ ∫₀ˣ ψ²
fn shortening(modes: &[Mode], deflections: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    over_slopes(modes, deflections, x, |weight, slope| sum += 0.5 * weight * slope * slope);
    sum
}

/// ∫₀ˣ e^{iψ}
fn along(modes: &[Mode], deflections: &[f64], x: f64) -> Planar<f64> {
    let mut sum = Planar::zero();
    over_slopes(modes, deflections, x, |weight, slope| sum = sum + Planar::turn(slope).times(weight));
    sum
}

#[cfg(test)]
mod tests {
    use super::super::tests::paper;
    use super::super::tip::tip;
    use super::*;

    #[test]
    fn lines_join_and_end_at_the_tip() {
        let mut built = paper(2).build().unwrap();
        let q = [0.3, -0.8, 0.05, -0.02, 0.04, 0.003];
        for kinematics in Kinematics::ALL {
            built.arm = built.arm.with_kinematics(kinematics);
            let lines = centrelines(&built, &q, 7);
            assert_eq!((lines.len(), lines[0].len(), lines[0][0]), (2, 8, [0.0, 0.0]));
            assert_eq!(lines[0][7], lines[1][0]);
            let [x, y] = tip(&built.arm, &q).position;
            assert!((lines[1][7][0] - x).abs() < 1e-14 && (lines[1][7][1] - y).abs() < 1e-14);
        }
    }
}
