//! Robots in motion: links, joints, the way of the tool; of elastic joints the motor beside the link.

use super::strip::{self, Curve, Strip};
use super::timing::Timing;
use super::{Animate, Clock, Format, HEAD, MARGIN, Movie, WIDTH};
use crate::host::Host;
use crate::plot::drawing::Mark;
use crate::plot::look::{Look, Theme};
use crate::plot::robot::set::{Aim, round_length};
use crate::plot::robot::sheet::Shown;
use crate::plot::robot::skeleton::{Material, Part, Skeleton, Solid};
use crate::plot::robot::stage::{Stage, filled, stroked};
use crate::plot::robot::{outline, view};
use crate::problem::Problem;
use jourdain::Model;
use jourdain::kinematics;
use jourdain::simulate::{Sample, Trajectory};
use jourdain::spatial::{Pose, Rotation, Vector};

/// Most height of the stage, points.
const MOST_HEIGHT: f64 = 300.0;
/// Least height of the stage, points: a robot that lies flat has room to be seen.
const LEAST_HEIGHT: f64 = 120.0;
/// A twist of this angle is seen well, rad.
const SEEN: f64 = 0.7;
/// Points of the tool's way from one picture to the next: it is round where the pictures are far apart.
pub const TRAIL: usize = 6;
/// Pictures that decide what has to fit on the stage.
const FITTED: usize = 60;

/// A robot at the moments of a movie.
pub struct Play<'p> {
    /// The robot.
    pub model: &'p Model<f64>,
    /// Who does what.
    pub title: String,
    /// How.
    pub notes: Vec<String>,
    /// When.
    pub timing: Timing,
    /// What is counted.
    pub clock: Clock,
    /// Its positions, one for each picture.
    pub positions: Vec<Vec<f64>>,
    /// Positions for the way of the tool, [`TRAIL`] for each picture but the last; empty if the pictures are close enough.
    pub trail: Vec<Vec<f64>>,
    /// Motor less link of each velocity, one list for each picture; empty for rigid joints.
    pub twists: Vec<Vec<f64>>,
    /// Curves below.
    pub curves: Option<(&'static str, Vec<Curve>)>,
    /// What is to be reached at each picture, and whether it is.
    pub targets: Vec<(Pose<f64>, Aim, bool)>,
    /// Its colours, where the format has one set of them.
    pub theme: Theme,
    /// The link whose way is shown; the tool if none is named.
    pub link: Option<usize>,
}

impl<'p> Play<'p> {
    /// A robot with nothing but its name, which goes through no position yet.
    #[must_use]
    pub fn new(model: &'p Model<f64>, title: String, timing: Timing) -> Self {
        Self {
            model,
            title,
            notes: Vec::new(),
            timing,
            clock: Clock::Seconds,
            positions: Vec::new(),
            trail: Vec::new(),
            twists: Vec::new(),
            curves: None,
            targets: Vec::new(),
            theme: Theme::Light,
            link: None,
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// A position is not finite, the file cannot be written, or is no longer wanted.
    pub fn write(self, options: &Animate, host: &dyn Host) -> Result<(), Problem> {
        let Some(path) = &options.animate else { return Ok(()) };
        self.movie()?.write(path, &options.showing, host)
    }

    /// The drawings.
    ///
    /// # Errors
    /// A position is not finite.
    pub fn movie<'m>(self) -> Result<Movie<'m>, Problem> {
        let Self { model, title, mut notes, timing, clock, positions, trail, twists, curves, targets, theme, link } =
            self;
        for (q, time) in positions.iter().zip(&timing.times) {
            if q.iter().any(|x| !x.is_finite()) {
                let message = format!("the position at {time} s is not finite: there is no picture of it");
                return Err(Problem::new("not-finite", message).hint("--out shows where the motion breaks down"));
            }
        }
        if positions.iter().all(|q| q == &positions[0]) && targets.is_empty() {
            let message = format!("there is nothing to animate: {} does not move", model.name());
            return Err(Problem::new("nothing-moves", message)
                .hint("give it a --state that is not at rest, a --torque or a --law, or draw it with --plot"));
        }
        let skeleton = Skeleton::new(model);
        let postures: Vec<Vec<Pose<f64>>> = positions.iter().map(|q| kinematics::poses(model, q)).collect();
        let tool = link.unwrap_or(skeleton.tool);
        let place = |q: &Vec<f64>| kinematics::poses(model, q)[tool].translation;
        let (way, per_picture) = match trail.is_empty() {
            true => (postures.iter().map(|poses| poses[tool].translation).collect(), 1),
            false => (trail.iter().map(place).collect::<Vec<Vector<f64>>>(), TRAIL),
        };
        let mut points = way.clone();
        points.extend(targets.iter().map(|(pose, ..)| pose.translation));
        let step = postures.len().div_ceil(FITTED).max(1);
        let fitted: Vec<Vec<Pose<f64>>> = postures.iter().step_by(step).cloned().collect();
        let shown = Shown { skeleton: &skeleton, postures: &fitted, points: &points };
        let seen = skeleton
            .normal
            .map_or_else(|| view::all(model.gravity())[0], |normal| view::planar(normal, model.gravity()));
        let stages = shown.stages(&[seen], [MARGIN, HEAD], WIDTH - 2.0 * MARGIN, MOST_HEIGHT);
        let Some(mut stage) = stages.first().copied() else {
            return Err(Problem::new("nothing-moves", "there is nothing to be seen"));
        };
        stage.frame.width = WIDTH - 2.0 * MARGIN;
        stage.frame.height = stage.frame.height.max(LEAST_HEIGHT);
        let largest = twists.iter().flatten().fold(0.0_f64, |most, twist| most.max(twist.abs()));
        let magnified = magnification(largest);
        if !twists.is_empty() {
            notes.push(match magnified {
                _ if largest == 0.0 => "springs at rest".to_owned(),
                1.0 => "ring: motor, true to scale".to_owned(),
                factor => format!("ring: motor, twist of the springs × {factor}"),
            });
        }
        notes.extend(timing.note());
        let bottom = HEAD + stage.frame.height + MARGIN;
        let strip = curves.map(|(label, curves)| Strip { label, curves, top: bottom });
        let height = bottom + if strip.is_some() { strip::HEIGHT } else { 0.0 };
        let description = describe(&title, &timing, clock, &notes);
        let (still_skeleton, still_strip) = (skeleton.clone(), strip.clone());
        let still = move |look: &Look| {
            let mut marks = stage.floor(&still_skeleton, look);
            marks.extend(stage.legend(&still_skeleton, None, look));
            marks.extend(still_strip.iter().flat_map(|strip| strip.still(look)));
            marks
        };
        let moving = move |frame: usize, look: &Look| {
            let poses = &postures[frame];
            let mut marks = stage.robot(&skeleton, poses, look);
            if let Some(twists) = twists.get(frame) {
                marks.extend(motors(&stage, &skeleton, poses, twists, magnified, look));
            }
            marks.extend(stage.way(&way, frame * per_picture + 1, look));
            marks.extend(
                targets
                    .get(frame)
                    .iter()
                    .flat_map(|(pose, aim, reached)| stage.target(pose, *aim, *reached, 0.12 * skeleton.size, look)),
            );
            marks.extend(strip.iter().flat_map(|strip| strip.moving(frame, look)));
            marks
        };
        Ok(Movie {
            title,
            notes,
            description,
            height,
            timing,
            clock,
            theme,
            still: Box::new(still),
            moving: Box::new(moving),
        })
    }
}

/// For those who do not see it.
pub(super) fn describe(title: &str, timing: &Timing, clock: Clock, notes: &[String]) -> String {
    let last = timing.times.last().copied().unwrap_or(0.0);
    let span = match clock {
        Clock::Seconds => format!(", {} s", (1e6 * last).round() / 1e6),
        Clock::Points(count) => format!(", {count} points"),
        Clock::None => String::new(),
    };
    format!("{title}{span}, {} pictures. {}", timing.times.len(), notes.join(", "))
}

/// A round factor that makes a small angle visible; 1 for one that is.
fn magnification(largest: f64) -> f64 {
    if largest > 0.0 && largest <= 0.4 * SEEN { round_length(SEEN / largest).max(1.0) } else { 1.0 }
}

/// Motors of elastic joints: a ring round the joint with a mark where the motor is, and one where the link is.
fn motors(
    stage: &Stage,
    skeleton: &Skeleton,
    poses: &[Pose<f64>],
    twists: &[f64],
    magnified: f64,
    look: &Look,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    for part in &skeleton.parts {
        let (Some(joint), Material::Joint(hue)) = (part.joint, part.material) else { continue };
        let Some(twist) = twists.get(joint) else { continue };
        let Some((centre, axis, radius)) = ring(stage, part, poses) else { continue };
        // Any direction across the axis, the same in the link at all times.
        let least = (0..3).fold(0, |best, k| if axis.0[k].abs() < axis.0[best].abs() { k } else { best });
        let mut helper = Vector::zero();
        helper.0[least] = 1.0;
        let across = axis.cross(helper);
        let across = across.times(1.0 / across.norm());
        let local = |direction: Vector<f64>| part.link.map_or(direction, |link| poses[link].rotation.apply(direction));
        let at = |angle: f64, share: f64| {
            let direction = Rotation::about(axis, angle).apply(across).times(share * radius);
            stage.at(centre + local(direction))
        };
        let turn = std::f64::consts::TAU;
        let circle: Vec<[f64; 2]> = (0..=36).map(|k| at(turn * f64::from(k) / 36.0, 1.0)).collect();
        let angle = magnified * twist;
        let arc: Vec<[f64; 2]> = (0..=12).map(|k| at(angle * f64::from(k) / 12.0, 1.0)).collect();
        marks.push(stroked(outline::line(&circle), 0.8, look.ink_3.into(), None));
        marks.push(stroked(outline::line(&arc), 2.2, look.line_of(hue).into(), None));
        marks.push(stroked(outline::line(&[at(0.0, 0.72), at(0.0, 1.12)]), 1.2, look.line_of(hue).into(), None));
        marks.push(filled(outline::circle(at(angle, 1.0), 2.1), look.ink.into(), None));
    }
    marks
}

/// Middle, axis in the link's frame, and radius of the ring of a joint that turns.
fn ring(stage: &Stage, part: &Part, poses: &[Pose<f64>]) -> Option<(Vector<f64>, Vector<f64>, f64)> {
    let Solid::Drum { ends, radii, .. } = part.solid else { return None };
    let length = (ends[1] - ends[0]).norm();
    let axis = (length > 0.0).then(|| (ends[1] - ends[0]).times(1.0 / length))?;
    let placed = |point: Vector<f64>| part.link.map_or(point, |link| poses[link].apply(point));
    let towards = part.link.map_or(axis, |link| poses[link].rotation.apply(axis)).dot(stage.view.towards);
    let end = if towards > 0.0 { ends[1] } else { ends[0] };
    Some((placed(end), axis, 1.45 * radii[0]))
}

/// A simulated motion at the moments of a movie.
pub struct Sampled {
    /// When.
    pub timing: Timing,
    /// A sample for each picture.
    pub samples: Vec<Sample>,
    /// Positions between the pictures, as [`Play::trail`] has them.
    pub trail: Vec<Vec<f64>>,
}

/// A simulated motion at the moments of a movie, if one is asked for.
///
/// # Errors
/// Nothing moves, or an option is out of its range.
pub fn sampled(motion: &Trajectory, options: &Animate, quaternions: &[usize]) -> Result<Option<Sampled>, Problem> {
    let Some(path) = &options.animate else { return Ok(None) };
    let [first, last] = [motion.samples.first(), motion.samples.last()].map(|sample| sample.map_or(0.0, |it| it.t));
    let timing = Timing::new(&options.showing, last - first, Format::of(path)?)?;
    let sample = |t: f64| at(&motion.samples, first + t, quaternions);
    let samples = timing.times.iter().map(|t| sample(*t)).collect();
    let gap = timing.delay * timing.speed / TRAIL as f64;
    let count = (timing.times.len() - 1) * TRAIL;
    let trail = (0..=count).map(|k| sample((gap * k as f64).min(last - first)).q).collect();
    Ok(Some(Sampled { timing, samples, trail }))
}

/// The sample at a time, between two neighbours if there is none.
fn at(samples: &[Sample], time: f64, quaternions: &[usize]) -> Sample {
    let after = samples.partition_point(|sample| sample.t < time).min(samples.len() - 1);
    let (next, last) = (&samples[after], &samples[after.saturating_sub(1)]);
    let gap = next.t - last.t;
    let share = if gap > 0.0 { ((time - last.t) / gap).clamp(0.0, 1.0) } else { 1.0 };
    // A time that is sampled is taken as it is.
    if share > 1.0 - 1e-9 || next.q.len() != last.q.len() {
        return next.clone();
    }
    let between = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + share * (b - a)).collect::<Vec<f64>>();
    let mut q = between(&last.q, &next.q);
    for &start in quaternions {
        let range = start..start + 4;
        let (a, b) = (&last.q[range.clone()], &next.q[range.clone()]);
        let sign = if a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let mixed: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + share * (sign * b - a)).collect();
        let norm = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
        q[range].copy_from_slice(&mixed.iter().map(|x| x / norm).collect::<Vec<f64>>());
    }
    let number = |value: fn(&Sample) -> f64| value(last) + share * (value(next) - value(last));
    Sample { t: time, q, kinetic: number(|s| s.kinetic), potential: number(|s| s.potential), ..last.clone() }
}

/// Where the quaternions of a robot stand in its position.
#[must_use]
pub fn quaternions(model: &Model<f64>) -> Vec<usize> {
    let links = model.links().iter().filter(|link| link.mimic.is_none());
    links.filter_map(|link| Some(link.q + link.joint.quaternion()?)).collect()
}

/// Kinetic, potential and their sum.
#[must_use]
pub fn energies(samples: &[Sample]) -> (&'static str, Vec<Curve>) {
    let curve = |name, colour: fn(&Look) -> _, value: fn(&Sample) -> f64| Curve {
        name,
        colour,
        values: samples.iter().map(value).collect(),
    };
    let curves = vec![
        curve("kinetic", |look| look.positive, |sample| sample.kinetic),
        curve("potential", |look| look.negative, |sample| sample.potential),
        curve("total", |look| look.ink, Sample::energy),
    ];
    ("Energy (J)", curves)
}

#[cfg(test)]
mod tests {
    use super::super::Showing;
    use super::*;
    use jourdain::robots;

    #[test]
    fn twists_are_magnified_by_round_factors() {
        assert_eq!([0.5, 0.01, 0.0, 0.3].map(magnification), [1.0, 50.0, 1.0, 1.0]);
    }

    #[test]
    fn pictures_show_the_samples_at_their_times_and_unit_quaternions_between_them() {
        let sample = |t: f64, q: &[f64]| Sample {
            t,
            q: q.to_vec(),
            qd: Vec::new(),
            tau: Vec::new(),
            reference: Vec::new(),
            outputs: Vec::new(),
            memory: Vec::new(),
            kinetic: 0.0,
            potential: 0.0,
            work: 0.0,
            own_momentum: Vec::new(),
        };
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let samples = [
            sample(0.0, &[1.0, 0.0, 0.0, 0.0, 2.0]),
            sample(0.1, &[-half, -half, 0.0, 0.0, 3.0]),
            sample(0.2, &[0.0, 1.0, 0.0, 0.0, 9.0]),
        ];
        for (k, one) in samples.iter().enumerate() {
            assert_eq!(at(&samples, 0.1 * k as f64, &[0]).q, one.q);
        }
        let between = at(&samples, 0.05, &[0]).q;
        assert!(
            (between[..4].iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12 && between[0] > 0.9,
            "{between:?}"
        );
        assert!((between[4] - 2.5).abs() < 1e-12);
    }

    #[test]
    fn a_robot_at_rest_and_one_that_is_nowhere_are_no_movies() {
        let model = robots::load("planar2r").unwrap();
        let play = |positions: Vec<Vec<f64>>| {
            let timing = Timing::new(&Showing::default(), 2.0, Format::Html).unwrap();
            Play { positions, ..Play::new(&model, String::new(), timing) }
        };
        assert_eq!(
            play(vec![vec![0.1, 0.2]; 51]).movie().err().map(|e| e.kind().to_owned()).as_deref(),
            Some("nothing-moves")
        );
        assert_eq!(
            play(vec![vec![f64::NAN, 0.2]; 51]).movie().err().map(|e| e.kind().to_owned()).as_deref(),
            Some("not-finite")
        );
    }
}
