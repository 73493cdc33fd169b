//! Flexible arms in motion, and their modes.

use super::robot::{Sampled, TRAIL, describe, energies, sampled};
use super::strip::{self, Strip};
use super::timing::Timing;
use super::{Animate, Clock, Format, HEAD, MARGIN, Movie, Showing, WIDTH};
use crate::host::Host;
use crate::plot::drawing::{Anchor, Mark, Point, Rectangle, Stroke};
use crate::plot::look::{Look, Theme};
use crate::plot::robot::stage::{filled, stroked, words};
use crate::plot::robot::{Bounds, Skeleton, Stage, outline, view};
use crate::problem::Problem;
use jourdain::flexible::{BuiltArm, centrelines};
use jourdain::simulate::Trajectory;
use jourdain::spatial::Vector;

/// Pieces that a link is drawn with.
const PIECES: usize = 24;
/// Width of a link, points.
const LINK: f64 = 3.4;
/// Height of the stage, points.
const HEIGHTS: [f64; 2] = [130.0, 280.0];
/// Most cells of a picture of modes.
const MOST_MODES: usize = 12;
/// Deflection of a mode that is shown, a share of the link's length.
const SWING: f64 = 0.18;
/// How long a mode takes to swing, s.
const PERIOD: f64 = 2.0;

/// The middle lines of all links.
type Lines = Vec<Vec<[f64; 2]>>;

/// A flexible arm without its links: what floors and legends need to know.
fn bare(built: &BuiltArm) -> Skeleton {
    let size: f64 = built.arm.links().iter().map(|link| link.length).sum();
    Skeleton::bare(if size > 0.0 { size } else { 1.0 })
}

/// Deflections times a factor.
fn magnified(built: &BuiltArm, q: &[f64], factor: f64) -> Vec<f64> {
    let joints = built.arm.joints();
    q.iter().enumerate().map(|(k, x)| if k < joints { *x } else { factor * x }).collect()
}

/// Writes the motion of an arm; deflections are drawn so many times as large as they are.
///
/// # Errors
/// Nothing moves, an option is out of its range, or the file cannot be written.
pub fn write(
    built: &BuiltArm,
    motion: &Trajectory,
    title: String,
    notes: Vec<String>,
    magnify: f64,
    theme: Theme,
    options: &Animate,
    host: &dyn Host,
) -> Result<Option<Timing>, Problem> {
    let Some(path) = &options.animate else { return Ok(None) };
    let Some(movie) = motion_movie(built, motion, title, notes, magnify, theme, options)? else { return Ok(None) };
    movie.write(path, &options.showing, host)?;
    Ok(Some(movie.timing))
}

fn motion_movie<'m>(
    built: &BuiltArm,
    motion: &Trajectory,
    title: String,
    mut notes: Vec<String>,
    magnify: f64,
    theme: Theme,
    options: &Animate,
) -> Result<Option<Movie<'m>>, Problem> {
    if !(magnify > 0.0 && magnify.is_finite()) {
        let message = format!("--magnify {magnify}: deflections cannot be drawn so many times as large");
        return Err(Problem::usage(message).hint("1 is true to scale, 10 shows small deflections"));
    }
    let Some(Sampled { timing, samples, trail }) = sampled(motion, options, &[])? else { return Ok(None) };
    if let Some(sample) = samples.iter().find(|sample| sample.q.iter().any(|x| !x.is_finite())) {
        let message = format!("the position at {} s is not finite: there is no picture of it", sample.t);
        return Err(Problem::new("not-finite", message).hint("--out shows where the motion breaks down"));
    }
    if samples.iter().all(|sample| sample.q == samples[0].q) {
        let message = format!("there is nothing to animate: {} does not move", built.arm.name());
        return Err(Problem::new("nothing-moves", message).hint("give it a --scenario or a --law that moves it"));
    }
    let bent: Vec<Lines> =
        samples.iter().map(|sample| centrelines(built, &magnified(built, &sample.q, magnify), PIECES)).collect();
    let rigid: Vec<Lines> =
        samples.iter().map(|sample| centrelines(built, &magnified(built, &sample.q, 0.0), 1)).collect();
    let skeleton = bare(built);
    let mut bounds = Bounds::EMPTY;
    bounds.add([0.0; 2], 0.06 * skeleton.size);
    for point in bent.iter().flatten().flatten() {
        bounds.add(*point, 0.06 * skeleton.size);
    }
    let stage = stage(&bounds, Rectangle { x: MARGIN, y: HEAD, width: WIDTH - 2.0 * MARGIN, height: HEIGHTS[1] });
    notes.push(if magnify == 1.0 { "true to scale".to_owned() } else { format!("deflections × {magnify}") });
    notes.extend(timing.note());
    let bottom = HEAD + stage.frame.height + MARGIN;
    let (label, curves) = energies(&samples);
    let strip = Strip { label, curves, top: bottom };
    let height = bottom + strip::HEIGHT;
    let description = describe(&title, &timing, Clock::Seconds, &notes);
    let tip = |q: &Vec<f64>| centrelines(built, &magnified(built, q, magnify), 1).last()?.last().map(flat);
    let tips: Vec<Vector<f64>> = trail.iter().filter_map(tip).collect();
    let still_strip = strip.clone();
    let still = move |look: &Look| {
        let mut marks = stage.floor(&skeleton, look);
        marks.extend(stage.legend(&skeleton, None, look));
        marks.extend(still_strip.still(look));
        marks
    };
    let moving = move |frame: usize, look: &Look| {
        let mut marks = stage.way(&tips, frame * TRAIL + 1, look);
        marks.extend(rigid_line(&stage, &rigid[frame], look));
        marks.extend(arm(&stage, &bent[frame], look));
        marks.extend(strip.moving(frame, look));
        marks
    };
    let (still, moving) = (Box::new(still), Box::new(moving));
    Ok(Some(Movie { title, notes, description, height, timing, clock: Clock::Seconds, theme, still, moving }))
}

fn flat(point: &[f64; 2]) -> Vector<f64> {
    Vector([point[0], point[1], 0.0])
}

/// A stage that these bounds fit in, not higher than the frame.
fn stage(bounds: &Bounds, frame: Rectangle) -> Stage {
    const FOOT: f64 = 22.0;
    let [width, height] = bounds.extent();
    let scale = (frame.width / width).min((frame.height - FOOT) / height);
    let high = (scale * height + FOOT).max(HEIGHTS[0]).min(frame.height);
    let [x, y] = bounds.middle();
    let view = view::planar(Vector([0.0, 0.0, 1.0]), Vector::zero());
    Stage { view, frame: Rectangle { height: high, ..frame }, scale, centre: [x, y - 0.5 * FOOT / scale] }
}

fn rigid_line(stage: &Stage, lines: &Lines, look: &Look) -> Vec<Mark> {
    let points: Vec<Point> = lines.iter().flatten().map(|point| stage.at(flat(point))).collect();
    vec![stroked(outline::line(&points), 0.7, look.ink_3.into(), Some([3.0, 2.5]))]
}

/// Links as strokes in the colours of their joints, rings for joints, a dot for the tip.
fn arm(stage: &Stage, lines: &Lines, look: &Look) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let points: Vec<Point> = line.iter().map(|point| stage.at(flat(point))).collect();
        marks.push(stroked(outline::line(&points), LINK, look.joints[index % 8].into(), None));
    }
    for (index, line) in lines.iter().enumerate() {
        let Some(start) = line.first().map(|point| stage.at(flat(point))) else { continue };
        let ring = Stroke { width: 1.9, paint: look.joints[index % 8].into(), dash: None };
        marks.push(filled(outline::circle(start, 4.2), look.surface.into(), Some(ring)));
    }
    if let Some(tip) = lines.last().and_then(|line| line.last()) {
        marks.push(filled(outline::circle(stage.at(flat(tip)), 2.6), look.ink.into(), None));
    }
    marks
}

/// A mode in its cell.
struct Cell {
    stage: Stage,
    name: String,
    /// The number of the coordinate that swings.
    coordinate: usize,
    /// How far.
    amplitude: f64,
}

/// Writes the modes of an arm, all swinging in the same time.
///
/// # Errors
/// The arm has no mode, or the file cannot be written.
pub fn write_modes(built: &BuiltArm, theme: Theme, options: &Animate, host: &dyn Host) -> Result<(), Problem> {
    let Some(path) = &options.animate else { return Ok(()) };
    if options.showing.playback_speed.is_some() {
        return Err(Problem::usage(
            "all modes are shown swinging in the same time, so that --playback-speed says nothing here",
        ));
    }
    let steady = Showing { playback_speed: Some(1.0), ..options.showing.clone() };
    let mut timing = Timing::new(&steady, PERIOD, Format::of(path)?)?;
    // The last picture is the first one again.
    timing.times.pop();
    modes_movie(built, timing, theme)?.write(path, &options.showing, host)
}

fn modes_movie(built: &BuiltArm, timing: Timing, theme: Theme) -> Result<Movie<'_>, Problem> {
    let mut named = Vec::new();
    for (i, modes) in built.modes.iter().enumerate() {
        let range = built.arm.deflections(i);
        for (j, (mode, coordinate)) in modes.iter().zip(range).enumerate() {
            let length = built.arm.links()[i].length;
            let most = (0..=40).map(|k| mode.at(length * f64::from(k) / 40.0).abs()).fold(0.0, f64::max);
            let amplitude = if most > 0.0 { SWING * length / most } else { 0.0 };
            named.push((format!("link {}, mode {}: {:.3} Hz", i + 1, j + 1, mode.frequency()), coordinate, amplitude));
        }
    }
    let total = named.len();
    if total == 0 {
        let message = format!("there is nothing to animate: {} has no flexible link", built.arm.name());
        return Err(Problem::new("nothing-moves", message));
    }
    named.truncate(MOST_MODES);
    let skeleton = bare(built);
    let at = |coordinate: usize, deflection: f64| {
        let mut q = vec![0.0; built.arm.size()];
        q[coordinate] = deflection;
        centrelines(built, &q, PIECES)
    };
    let mut bounds = Bounds::EMPTY;
    for (_, coordinate, amplitude) in &named {
        for sign in [1.0, -1.0] {
            for point in at(*coordinate, sign * amplitude).iter().flatten() {
                bounds.add(*point, 0.05 * skeleton.size);
            }
        }
    }
    let columns = if named.len() > 1 { 2 } else { 1 };
    let (gap, head) = (12.0, 14.0);
    let width = (WIDTH - 2.0 * MARGIN - gap * (columns - 1) as f64) / columns as f64;
    let [wide, high] = bounds.extent();
    let high = (width * high / wide).clamp(40.0, 120.0);
    let mut cells = Vec::new();
    for (k, (name, coordinate, amplitude)) in named.into_iter().enumerate() {
        let x = MARGIN + (width + gap) * (k % columns) as f64;
        let y = HEAD + head + (high + head + 6.0) * (k / columns) as f64;
        let scale = (width / wide).min(high / bounds.extent()[1]);
        let view = view::planar(Vector([0.0, 0.0, 1.0]), Vector::zero());
        let stage = Stage { view, frame: Rectangle { x, y, width, height: high }, scale, centre: bounds.middle() };
        cells.push(Cell { stage, name, coordinate, amplitude });
    }
    let rows = cells.len().div_ceil(columns) as f64;
    let height = HEAD + (high + head + 6.0) * rows + MARGIN;
    let title = format!("{} · modes of the links", built.arm.name());
    let mut notes = vec![
        format!("deflections magnified to {:.0} % of the link", 100.0 * SWING),
        format!("each mode is shown swinging in {PERIOD} s"),
    ];
    if total > MOST_MODES {
        notes.push(format!("the first {MOST_MODES} of {total}"));
    }
    let description = describe(&title, &timing, Clock::None, &notes);
    let count = timing.times.len() as f64;
    let rigid: Lines = centrelines(built, &vec![0.0; built.arm.size()], 1);
    let frozen: Vec<(Stage, String, [Lines; 2])> = cells
        .iter()
        .map(|cell| (cell.stage, cell.name.clone(), [1.0, -1.0].map(|sign| at(cell.coordinate, sign * cell.amplitude))))
        .collect();
    let still = move |look: &Look| {
        let mut marks = Vec::new();
        for (stage, name, extremes) in &frozen {
            let Rectangle { x, y, .. } = stage.frame;
            marks.push(words([x, y - 5.0], Anchor::Start, 8.0, true, look.ink.into(), name.clone()));
            for lines in extremes {
                for (index, line) in lines.iter().enumerate() {
                    let points: Vec<Point> = line.iter().map(|point| stage.at(flat(point))).collect();
                    let faint = look.surface.towards(look.joints[index % 8], 0.22);
                    marks.push(stroked(outline::line(&points), 0.7 * LINK, faint.into(), None));
                }
            }
            marks.extend(rigid_line(stage, &rigid, look));
        }
        marks
    };
    let swinging: Vec<Vec<Lines>> = (0..timing.times.len())
        .map(|frame| {
            let swing = (std::f64::consts::TAU * frame as f64 / count).sin();
            cells.iter().map(|cell| at(cell.coordinate, swing * cell.amplitude)).collect()
        })
        .collect();
    let moving = move |frame: usize, look: &Look| {
        cells.iter().zip(&swinging[frame]).flat_map(|(cell, lines)| arm(&cell.stage, lines, look)).collect()
    };
    let (still, moving) = (Box::new(still), Box::new(moving));
    Ok(Movie { title, notes, description, height, timing, clock: Clock::None, theme, still, moving })
}
