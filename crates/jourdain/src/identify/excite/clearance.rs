//! How far links are from each other and from the floor, at a posture and along a whole motion.
//!
//! Every link is a few [capsules](super::Capsule). Links that a joint joins touch anyway and are left out, and so are pairs that touch in
//! every posture that is tried; of the ground, only links that stand on it. Along a motion nothing is left to samples: between two times at most v Δt of distance is lost, v being the
//! most that the joints between two links can move them towards each other, so intervals are halved until that is enough.

use super::capsule::Capsule;
use super::limits::Bounds;
use super::series::Series;
use crate::kinematics;
use crate::model::{Link, Model, Motion, Screw};
use crate::random::Random;
use crate::spatial::{Pose, Vector};

/// How much nearer than at samples things may come before intervals are halved, m.
const TOLERANCE: f64 = 1e-3;
/// Links with more shapes than these are one capsule.
const MOST_CAPSULES: usize = 4;
/// Intervals after which a motion that is still not proved is given up: it goes on for long just where it may.
const MOST_INTERVALS: usize = 2_000_000;
/// Postures in which a pair must touch to be left out.
const POSTURES: usize = 200;

/// What to keep clear of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// Height of the floor above the origin, against gravity (along z without gravity), m; none if absent.
    pub ground: Option<f64>,
    /// True if links keep clear of each other.
    pub between_links: bool,
    /// Least distance, m.
    pub margin: f64,
    /// Radius of links without shapes, m; such links are not seen if it is absent.
    pub radius: Option<f64>,
    /// Pairs of links, by index, that may touch.
    pub ignored: Vec<[usize; 2]>,
}

/// Capsules of a robot and what they keep clear of.
#[derive(Clone, Debug)]
pub struct Clearance {
    capsules: Vec<Placed>,
    /// Pairs of capsules.
    pairs: Vec<[usize; 2]>,
    /// Capsules that keep clear of the floor.
    grounded: Vec<usize>,
    up: Vector<f64>,
    ground: f64,
    margin: f64,
    unseen: Vec<String>,
    /// Pairs that are left out.
    notices: Vec<String>,
}

/// A capsule in the frame of its link.
#[derive(Clone, Copy, Debug)]
struct Placed {
    link: usize,
    capsule: Capsule,
}

/// What comes too near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// A link.
    pub link: usize,
    /// The other; none for the floor.
    pub other: Option<usize>,
    /// Distance, m.
    pub distance: f64,
}

impl Clearance {
    /// Of a robot whose joints stay within `bounds`. `mesh` gives the points of a mesh of a link, in the frame of the shape, by the name
    /// of its file.
    #[must_use]
    pub fn new(
        model: &Model<f64>,
        bounds: &[Bounds],
        around: &Surroundings,
        mut mesh: impl FnMut(&str) -> Option<Vec<Vector<f64>>>,
    ) -> Self {
        let (mut capsules, mut unseen) = (Vec::new(), Vec::new());
        for (k, described) in model.description().links.iter().enumerate() {
            let mut found: Vec<Capsule> = Vec::new();
            let mut lost = described.shapes.is_empty();
            for shape in &described.shapes {
                let capsule = Capsule::around(shape).or_else(|| {
                    let points = scaled(&shape.form, &mut mesh)?;
                    Some(Capsule::around_points(&points)?.placed(&shape.pose()))
                });
                lost |= capsule.is_none();
                found.extend(capsule);
            }
            if lost {
                match around.radius {
                    Some(radius) => found.extend(along(model, k, radius)),
                    None if is_body(model, k) => unseen.push(model.links()[k].name.clone()),
                    None => {}
                }
            }
            if found.len() > MOST_CAPSULES {
                found = Capsule::around_all(&found).into_iter().collect();
            }
            capsules.extend(found.into_iter().map(|capsule| Placed { link: k, capsule }));
        }
        let gravity = model.gravity();
        let up = if gravity.is_zero() { Vector::unit(2) } else { gravity.times(-1.0 / gravity.norm()) };
        let mut clearance = Self {
            capsules,
            pairs: Vec::new(),
            grounded: Vec::new(),
            up,
            ground: around.ground.unwrap_or(0.0),
            margin: around.margin,
            unseen,
            notices: Vec::new(),
        };
        clearance.choose(model, bounds, around);
        clearance
    }

    /// Which capsules are kept apart: those that are not next to each other and not together in all postures.
    fn choose(&mut self, model: &Model<f64>, bounds: &[Bounds], around: &Surroundings) {
        let bodies: Vec<Option<usize>> = self.capsules.iter().map(|placed| body(model, placed.link)).collect();
        let above = |link: Option<usize>| link.map(|link| model.links()[link].parent.and_then(|p| body(model, p)));
        let count = self.capsules.len();
        if around.between_links {
            for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
                let (a, b) = (bodies[i], bodies[j]);
                let links = [self.capsules[i].link, self.capsules[j].link];
                let asked = !around.ignored.iter().any(|pair| *pair == links || [pair[1], pair[0]] == links);
                if a != b && above(a) != Some(b) && above(b) != Some(a) && asked {
                    self.pairs.push([i, j]);
                }
            }
        }
        if around.ground.is_some() {
            self.grounded = (0..count).filter(|i| bodies[*i].is_some()).collect();
        }
        let (mut apart, mut lifted) = (vec![false; self.pairs.len()], vec![false; self.grounded.len()]);
        let (mut random, mut poses) = (Random(20), vec![Pose::identity(); model.links().len()]);
        let mut now = Vec::with_capacity(count);
        for _ in 0..POSTURES {
            let q: Vec<f64> =
                bounds.iter().map(|bounds| bounds.low + random.fraction() * (bounds.high - bounds.low)).collect();
            kinematics::poses_into(model, &q, &mut poses);
            self.place(&poses, &mut now);
            for (apart, [i, j]) in apart.iter_mut().zip(&self.pairs) {
                *apart |= now[*i].distance(&now[*j]) > self.margin + TOLERANCE;
            }
            for (lifted, i) in lifted.iter_mut().zip(&self.grounded) {
                // Only what stands on the ground may always touch it: a robot that is buried is not to move.
                *lifted |= above(bodies[*i]) != Some(None) || self.height(&now[*i]) > self.margin + TOLERANCE;
            }
        }
        let name = |i: usize| model.links()[self.capsules[i].link].name.as_str();
        let mut together: Vec<String> = (self.pairs.iter().zip(&apart).filter(|(_, apart)| !**apart))
            .map(|([i, j], _)| format!("{} and {}", name(*i), name(*j)))
            .chain(
                (self.grounded.iter().zip(&lifted))
                    .filter(|(_, lifted)| !**lifted)
                    .map(|(i, _)| format!("{} and the ground", name(*i))),
            )
            .collect();
        together.dedup();
        if !together.is_empty() {
            self.notices.push(format!("these touch in every posture and may: {}", together.join("; ")));
        }
        let mut apart = apart.into_iter();
        self.pairs.retain(|_| apart.next().unwrap_or(true));
        let mut lifted = lifted.into_iter();
        self.grounded.retain(|_| lifted.next().unwrap_or(true));
    }

    /// Links that move and weigh something, but have no shape: nothing keeps them clear.
    #[must_use]
    pub fn unseen(&self) -> &[String] {
        &self.unseen
    }

    /// Which pairs are left out since they always touch.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// True if there is nothing to keep clear of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.grounded.is_empty()
    }

    /// The capsules in the world, in memory that is used again.
    fn place(&self, poses: &[Pose<f64>], now: &mut Vec<Capsule>) {
        now.clear();
        now.extend(self.capsules.iter().map(|placed| placed.capsule.placed(&poses[placed.link])));
    }

    /// Above the floor.
    fn height(&self, capsule: &Capsule) -> f64 {
        capsule.ends.iter().map(|end| end.dot(self.up)).fold(f64::INFINITY, f64::min) - capsule.radius - self.ground
    }

    /// What is nearest, given the poses of all links; `None` if there is nothing to keep clear of.
    #[must_use]
    pub fn nearest(&self, poses: &[Pose<f64>]) -> Option<Near> {
        self.nearest_in(poses, &mut Vec::with_capacity(self.capsules.len()))
    }

    fn nearest_in(&self, poses: &[Pose<f64>], now: &mut Vec<Capsule>) -> Option<Near> {
        self.place(poses, now);
        let pairs = self.pairs.iter().map(|[i, j]| Near {
            link: self.capsules[*i].link,
            other: Some(self.capsules[*j].link),
            distance: now[*i].distance(&now[*j]),
        });
        let floor = self.grounded.iter().map(|i| Near {
            link: self.capsules[*i].link,
            other: None,
            distance: self.height(&now[*i]),
        });
        pairs.chain(floor).min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// What is too near at a posture, if anything is; `now` is memory that is used again.
    pub(super) fn breach(&self, poses: &[Pose<f64>], now: &mut Vec<Capsule>) -> Option<Near> {
        self.nearest_in(poses, now).filter(|near| near.distance < self.margin + TOLERANCE)
    }

    /// Proves that nothing comes nearer than the margin at any time of a period. The result is what comes nearest at the times that
    /// were looked at, or what is in the way.
    ///
    /// # Errors
    /// What comes too near, or would if it moved as fast as it can between two times.
    pub fn prove(
        &self,
        model: &Model<f64>,
        series: &[Series],
        speeds: &[f64],
        period: f64,
    ) -> Result<Option<Near>, Near> {
        let far: Vec<f64> = series.iter().map(Series::reach).collect();
        let reach = |i: usize, to: Option<usize>| approach(model, self.capsules[i], to, speeds, &far);
        let pairs: Vec<f64> = (self.pairs.iter())
            .map(|[i, j]| {
                let common = common(model, self.capsules[*i].link, self.capsules[*j].link);
                reach(*i, common) + reach(*j, common)
            })
            .collect();
        let floor: Vec<f64> = self.grounded.iter().map(|i| reach(*i, None)).collect();
        let mut poses = vec![Pose::identity(); model.links().len()];
        let mut now = Vec::with_capacity(self.capsules.len());
        let mut q = vec![0.0; series.len()];
        let mut nearest: Option<Near> = None;
        let mut intervals: Vec<[f64; 2]> =
            (0_u8..64).rev().map(|i| [f64::from(i) / 64.0, f64::from(i + 1) / 64.0]).collect();
        let mut looked = 0;
        while let Some([from, to]) = intervals.pop() {
            looked += 1;
            if let Some(near) = nearest.filter(|_| looked > MOST_INTERVALS) {
                return Err(near);
            }
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from) * period);
            for (q, series) in q.iter_mut().zip(series) {
                *q = series.motion(middle * period, period)[0];
            }
            kinematics::poses_into(model, &q, &mut poses);
            self.place(&poses, &mut now);
            let mut settled = true;
            let mut look = |near: Near, speed: f64| {
                if near.distance < self.margin + TOLERANCE {
                    return Err(near);
                }
                settled &= near.distance - speed * half >= self.margin;
                if nearest.is_none_or(|nearest| near.distance < nearest.distance) {
                    nearest = Some(near);
                }
                Ok(())
            };
            for ([i, j], speed) in self.pairs.iter().zip(&pairs) {
                let [link, other] = [*i, *j].map(|i| self.capsules[i].link);
                look(Near { link, other: Some(other), distance: now[*i].distance(&now[*j]) }, *speed)?;
            }
            for (i, speed) in self.grounded.iter().zip(&floor) {
                look(Near { link: self.capsules[*i].link, other: None, distance: self.height(&now[*i]) }, *speed)?;
            }
            if !settled {
                intervals.extend([[middle, to], [from, middle]]);
            }
        }
        Ok(nearest)
    }
}

/// The points of a mesh with its factors.
fn scaled(
    form: &crate::model::shape::Form,
    mesh: &mut impl FnMut(&str) -> Option<Vec<Vector<f64>>>,
) -> Option<Vec<Vector<f64>>> {
    let crate::model::shape::Form::Mesh { path, scale } = form else { return None };
    let mut points = mesh(path)?;
    points.iter_mut().for_each(|p| *p = Vector(std::array::from_fn(|i| p.0[i] * scale[i])));
    Some(points)
}

/// True if a link has a body of its own, rather than being a frame alone.
fn is_body(model: &Model<f64>, link: usize) -> bool {
    model.links()[link].inertia.mass != 0.0 && body(model, link).is_some()
}

/// A link without shapes: rods from its origin to where its children begin, or to its centre of mass.
fn along(model: &Model<f64>, link: usize, radius: f64) -> Vec<Capsule> {
    let links = model.links();
    let mut ends: Vec<Vector<f64>> =
        links.iter().filter(|child| child.parent == Some(link)).map(|child| child.placement.translation).collect();
    let inertia = &links[link].inertia;
    if ends.iter().all(|end| end.norm() < 1e-6) && inertia.mass > 0.0 {
        ends.push(inertia.about_com().0);
    }
    ends.into_iter().map(|end| Capsule { ends: [Vector::zero(), end], radius }).collect()
}

/// The link that moves a link: itself, or the nearest above it with a joint that moves; none on the ground.
fn body(model: &Model<f64>, link: usize) -> Option<usize> {
    model.chain(link).find(|l| model.links()[*l].joint.nv() > 0)
}

/// The nearest link that carries both.
fn common(model: &Model<f64>, a: usize, b: usize) -> Option<usize> {
    let above: Vec<usize> = model.chain(b).collect();
    model.chain(a).find(|link| above.contains(link))
}

/// The highest speed of the points of a capsule's segment relative to a link that carries it, or to the ground.
fn approach(model: &Model<f64>, placed: Placed, to: Option<usize>, speeds: &[f64], far: &[f64]) -> f64 {
    // Farthest that the points can be from the origin of the link that is passed.
    let mut reach = placed.capsule.ends.iter().map(|end| end.norm()).fold(0.0, f64::max);
    let mut speed = 0.0;
    for k in model.chain(placed.link).take_while(|k| Some(*k) != to) {
        let link = &model.links()[k];
        if let Motion::Product(screws) = &link.joint.motion {
            for (i, screw) in screws.iter().enumerate().rev() {
                let (rate, most) = numbers(link, i, speeds, far);
                match screw {
                    Screw::Rotation { point, pitch, .. } => {
                        speed += rate * (reach + point.norm() + pitch.abs());
                        reach += 2.0 * point.norm() + pitch.abs() * most;
                    }
                    Screw::Translation { .. } => {
                        speed += rate;
                        reach += most;
                    }
                }
            }
        }
        reach += link.placement.translation.norm();
    }
    speed
}

/// Highest speed and farthest position of a number of a joint, coupled ones included.
fn numbers(link: &Link<f64>, i: usize, speeds: &[f64], far: &[f64]) -> (f64, f64) {
    match &link.mimic {
        Some(mimic) => {
            let factor = mimic.multiplier.abs();
            (factor * speeds[mimic.v], factor * far[mimic.v] + mimic.offset.abs())
        }
        None => (speeds[link.v + i], far[link.v + i]),
    }
}
