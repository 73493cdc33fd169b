//! A place on the page that a robot is drawn in, in one view and to scale: floor, links, joints, names, paths, targets.

use super::super::drawing::{Anchor, Level, Mark, Paint, Path, Point, Rectangle, Run, Step, Stroke, Text};
use super::super::joints::COLOURED;
use super::super::look::Look;
use super::order::{self, Seen};
use super::outline;
use super::skeleton::{Material, Part, Skeleton, Solid};
use super::view::View;
use jourdain::spatial::{Pose, Vector};

/// Width of contours, points.
const CONTOUR: f64 = 0.7;
/// Height of the names of joints, points.
const NAME: f64 = 7.0;
/// A cap is looked at if its normal is closer to the eye than this cosine.
const FACING: f64 = 0.45;

/// A rectangle of the page with a scale.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// From where the robot is seen.
    pub view: View,
    /// The place on the page.
    pub frame: Rectangle,
    /// Points per metre.
    pub scale: f64,
    /// What is in the middle, right and up, m.
    pub centre: [f64; 2],
}

/// An upright box on the page, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Left and below.
    pub low: [f64; 2],
    /// Right and above.
    pub high: [f64; 2],
}

impl Bounds {
    /// Around nothing.
    pub const EMPTY: Self = Self { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    /// Takes in a disc.
    pub fn add(&mut self, at: [f64; 2], radius: f64) {
        for k in 0..2 {
            self.low[k] = self.low[k].min(at[k] - radius);
            self.high[k] = self.high[k].max(at[k] + radius);
        }
    }

    /// Width and height, m.
    #[must_use]
    pub fn extent(&self) -> [f64; 2] {
        [0, 1].map(|k| (self.high[k] - self.low[k]).max(0.0))
    }

    /// Its middle.
    #[must_use]
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|k| 0.5 * (self.high[k] + self.low[k]))
    }
}

/// What a robot takes up in a view, with its base and its names.
pub fn bounds(skeleton: &Skeleton, poses: &[Pose<f64>], view: &View, into: &mut Bounds) {
    for part in &skeleton.parts {
        let (ends, radii) = part.solid.spine();
        for (end, radius) in ends.iter().zip(radii) {
            let [x, y, _] = view.project(placed(part, poses, *end));
            into.add([x, y], 1.15 * radius);
        }
    }
}

fn placed(part: &Part, poses: &[Pose<f64>], point: Vector<f64>) -> Vector<f64> {
    part.link.map_or(point, |link| poses[link].apply(point))
}

fn turned(part: &Part, poses: &[Pose<f64>], direction: Vector<f64>) -> Vector<f64> {
    part.link.map_or(direction, |link| poses[link].rotation.apply(direction))
}

/// A filled form, with a contour if one is given.
#[must_use]
pub fn filled(steps: Vec<Step>, fill: Paint, stroke: Option<Stroke>) -> Mark {
    Mark::Path(Path { steps, fill: Some(fill), stroke })
}

/// A line.
#[must_use]
pub fn stroked(steps: Vec<Step>, width: f64, paint: Paint, dash: Option<[f64; 2]>) -> Mark {
    Mark::Path(Path { steps, fill: None, stroke: Some(Stroke { width, paint, dash }) })
}

/// A line of words of one piece.
#[must_use]
pub fn words(at: Point, anchor: Anchor, size: f64, bold: bool, paint: Paint, text: impl Into<String>) -> Mark {
    let runs = vec![Run { text: text.into(), level: Level::Base }];
    Mark::Text(Text { at, anchor, size, bold, paint, runs })
}

impl Stage {
    /// The place of a point on the page.
    #[must_use]
    pub fn at(&self, point: Vector<f64>) -> Point {
        let [x, y, _] = self.view.project(point);
        self.on_page([x, y])
    }

    fn on_page(&self, [x, y]: [f64; 2]) -> Point {
        let Rectangle { x: left, y: top, width, height } = self.frame;
        [left + 0.5 * width + (x - self.centre[0]) * self.scale, top + 0.5 * height - (y - self.centre[1]) * self.scale]
    }

    /// The robot, from back to front, with the names of its joints if there are few.
    #[must_use]
    pub fn robot(&self, skeleton: &Skeleton, poses: &[Pose<f64>], look: &Look) -> Vec<Mark> {
        let mut marks = Vec::new();
        for run in self.runs(skeleton, poses) {
            let parts: Vec<&Part> = run.iter().map(|index| &skeleton.parts[*index]).collect();
            if parts.iter().all(|part| part.material == Material::Body) {
                let edge = Stroke { width: 2.0 * CONTOUR, paint: look.link_edge.into(), dash: None };
                marks.extend(
                    parts
                        .iter()
                        .flat_map(|part| self.contours(part, poses))
                        .map(|steps| Mark::Path(Path { steps, fill: Some(look.link_edge.into()), stroke: Some(edge) })),
                );
                marks.extend(parts.iter().flat_map(|part| self.body(part, poses, look)));
            } else {
                marks.extend(parts.iter().flat_map(|part| self.part(part, poses, look)));
            }
        }
        marks.extend(self.names(skeleton, poses, look));
        marks
    }

    /// Another posture, faint: one silhouette.
    #[must_use]
    pub fn ghost(&self, skeleton: &Skeleton, poses: &[Pose<f64>], look: &Look) -> Vec<Mark> {
        let [edge, fill] = [0.55, 0.12].map(|share| look.surface.towards(look.measured, share).into());
        let moving = || skeleton.parts.iter().filter(|part| part.link.is_some());
        let outlines: Vec<Vec<Step>> = moving().flat_map(|part| self.contours(part, poses)).collect();
        let stroke = Stroke { width: 2.0 * CONTOUR, paint: edge, dash: None };
        let contour = |steps: &Vec<Step>| filled(steps.clone(), edge, Some(stroke));
        let mut marks: Vec<Mark> = outlines.iter().map(contour).collect();
        marks.extend(outlines.into_iter().map(|steps| filled(steps, fill, None)));
        marks
    }

    fn seen(&self, part: &Part, poses: &[Pose<f64>]) -> Seen {
        let (ends, radii) = part.solid.spine();
        let ends = ends.map(|end| self.view.project(placed(part, poses, end)));
        let length = (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
        let cosine = self.slant(part, poses).abs();
        let middle = 0.5 * (ends[0][2] + ends[1][2]);
        let (thick, front) = match part.solid {
            Solid::Capsule { .. } if length < 0.7 * radii[0].max(radii[1]) => {
                (radii, Some((ends[0][2] + radii[0]).max(ends[1][2] + radii[1])))
            }
            Solid::Capsule { .. } => (radii, None),
            Solid::Drum { ends: [a, b], radii, .. } => {
                // Above its middle a drum ends at its side or at its cap, whichever comes first.
                let side = radii[0].max(radii[1]) / (1.0 - cosine * cosine).sqrt().max(1e-9);
                let cap = 0.5 * (b - a).norm() / cosine.max(1e-9);
                let bias = if part.joint.is_some() { 0.3 * radii[0] } else { 0.0 };
                (radii, Some(middle + bias + side.min(cap)))
            }
            Solid::Ring { radius, .. } => (radii, Some(middle + radius)),
            Solid::Block { half, .. } if part.joint.is_some() => (radii, Some(middle + 1.2 * half)),
            Solid::Block { .. } => (radii, None),
        };
        Seen { ends, radii, thick, front, joins: part.material == Material::Body }
    }

    fn runs(&self, skeleton: &Skeleton, poses: &[Pose<f64>]) -> Vec<Vec<usize>> {
        let seen: Vec<Seen> = skeleton.parts.iter().map(|part| self.seen(part, poses)).collect();
        let near = 0.02 * skeleton.size;
        let touch = |i: usize, j: usize| {
            let gap = |a: &[f64; 3], b: &[f64; 3]| {
                ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
            };
            seen[i].ends.iter().any(|a| seen[j].ends.iter().any(|b| gap(a, b) < near))
        };
        order::painted(&seen, &touch)
    }

    /// The outlines of a part.
    fn contours(&self, part: &Part, poses: &[Pose<f64>]) -> Vec<Vec<Step>> {
        match part.solid {
            Solid::Capsule { ends, radii } => {
                let [a, b] = ends.map(|end| self.at(placed(part, poses, end)));
                vec![outline::hull(a, radii[0] * self.scale, b, radii[1] * self.scale)]
            }
            Solid::Drum { ends, radii, .. } => {
                let [a, b] = ends.map(|end| self.at(placed(part, poses, end)));
                let along = [b[0] - a[0], b[1] - a[1]];
                let radii = radii.map(|radius| radius * self.scale);
                vec![outline::discs(a, radii[0], b, radii[1], along, self.slant(part, poses).abs())]
            }
            Solid::Block { .. } => self.faces(part, poses).into_iter().map(|(steps, _)| steps).collect(),
            Solid::Ring { .. } => Vec::new(),
        }
    }

    /// The cosine between the axis of a part and the direction to the eye.
    fn slant(&self, part: &Part, poses: &[Pose<f64>]) -> f64 {
        let axis = match part.solid {
            Solid::Ring { axis, .. } => axis,
            Solid::Capsule { ends, .. } | Solid::Drum { ends, .. } | Solid::Block { ends, .. } => ends[1] - ends[0],
        };
        let axis = turned(part, poses, axis);
        let length = axis.norm();
        if length > 0.0 { (axis.dot(self.view.towards) / length).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// A link: flat, with a lighter stripe where the light comes from.
    fn body(&self, part: &Part, poses: &[Pose<f64>], look: &Look) -> Vec<Mark> {
        // On a dark page links are darker, and the same light would glare.
        let is_dark = look.surface.0.iter().all(|channel| *channel < 128);
        let shine = if is_dark { 0.14 } else { 0.55 };
        let mut marks: Vec<Mark> =
            self.contours(part, poses).into_iter().map(|steps| filled(steps, look.link.into(), None)).collect();
        if let Solid::Capsule { ends, radii } = part.solid {
            let [a, b] = ends.map(|end| self.at(placed(part, poses, end)));
            let lit = |at: Point, radius: f64| [at[0] - 0.28 * radius, at[1] - 0.34 * radius];
            let [ra, rb] = radii.map(|radius| radius * self.scale);
            let steps = outline::hull(lit(a, ra), 0.45 * ra, lit(b, rb), 0.45 * rb);
            marks.push(filled(steps, look.link.towards(LIT, shine).into(), None));
        }
        marks
    }

    fn part(&self, part: &Part, poses: &[Pose<f64>], look: &Look) -> Vec<Mark> {
        let colour = match part.material {
            Material::Body => look.link,
            Material::Foot => look.link.towards(look.link_edge, 0.34),
            Material::Tip => look.link_edge,
            Material::Joint(hue) => look.line_of(hue),
        };
        let edge = match part.material {
            Material::Joint(_) => colour.towards(look.ink, 0.35),
            Material::Body | Material::Foot | Material::Tip => look.link_edge.towards(look.ink, 0.1),
        };
        let stroke = Stroke { width: CONTOUR, paint: edge.into(), dash: None };
        let whole = |steps: Vec<Step>| filled(steps, colour.into(), Some(stroke));
        match part.solid {
            Solid::Capsule { ends, radii } => {
                let mut marks: Vec<Mark> = self.contours(part, poses).into_iter().map(whole).collect();
                if ends[0] == ends[1] && part.joint.is_some() {
                    let (at, radius) = (self.at(placed(part, poses, ends[0])), radii[0] * self.scale);
                    let ring = |along: Point| outline::discs(at, radius, at, radius, along, 0.35);
                    marks.extend([[0.3, 1.0], [1.0, -0.2]].map(|along| stroked(ring(along), 0.5, edge.into(), None)));
                }
                marks
            }
            Solid::Drum { ends, radii, capped } => {
                let slant = self.slant(part, poses);
                let mut marks: Vec<Mark> = self.contours(part, poses).into_iter().map(whole).collect();
                let [a, b] = ends.map(|end| self.at(placed(part, poses, end)));
                let along = [b[0] - a[0], b[1] - a[1]];
                let (at, radius) = if slant > 0.0 { (b, radii[1]) } else { (a, radii[0]) };
                let disc = |share: f64| {
                    let radius = share * radius * self.scale;
                    outline::discs(at, radius, at, radius, along, slant.abs())
                };
                if slant.abs() > 0.02 {
                    marks.push(filled(disc(1.0), colour.towards(LIT, 0.12).into(), Some(stroke)));
                }
                if capped && slant.abs() > FACING {
                    marks.push(filled(disc(0.62), look.surface.into(), None));
                }
                marks
            }
            Solid::Block { .. } => self
                .faces(part, poses)
                .into_iter()
                .map(|(steps, light)| filled(steps, colour.towards(LIT, 0.25 * light).into(), Some(stroke)))
                .collect(),
            Solid::Ring { centre, radius, .. } => {
                let at = self.at(placed(part, poses, centre));
                let Solid::Ring { axis, .. } = part.solid else { return Vec::new() };
                let tip = self.at(placed(part, poses, centre + axis));
                let along = [tip[0] - at[0], tip[1] - at[1]];
                let radius = radius * self.scale;
                let steps = outline::discs(at, radius, at, radius, along, self.slant(part, poses).abs());
                vec![stroked(steps, 1.0, colour.into(), Some([2.0, 1.6]))]
            }
        }
    }

    /// The faces of a block that are seen, and how much light they get.
    fn faces(&self, part: &Part, poses: &[Pose<f64>]) -> Vec<(Vec<Step>, f64)> {
        let Solid::Block { ends, half } = part.solid else { return Vec::new() };
        let [a, b] = ends.map(|end| placed(part, poses, end));
        let axis = b - a;
        let length = axis.norm();
        if length == 0.0 || !length.is_finite() {
            return Vec::new();
        }
        let axis = axis.times(1.0 / length);
        // Any direction across; the one that is least along the axis is always good.
        let least = (0..3).min_by(|i, j| axis.0[*i].abs().total_cmp(&axis.0[*j].abs())).unwrap_or(0);
        let mut helper = Vector::zero();
        helper.0[least] = 1.0;
        let side = axis.cross(helper);
        let side = side.times(1.0 / side.norm());
        let other = axis.cross(side);
        let centre = (a + b).times(0.5);
        let axes = [axis.times(0.5 * length), side.times(half), other.times(half)];
        let mut faces = Vec::new();
        for k in 0..3 {
            for sign in [1.0, -1.0] {
                let normal = axes[k].times(sign);
                let facing = normal.dot(self.view.towards) / normal.norm();
                if facing < 1e-3 {
                    continue;
                }
                let (u, v) = (axes[(k + 1) % 3], axes[(k + 2) % 3]);
                let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
                    .map(|[s, t]| self.at(centre + normal + u.times(s) + v.times(t)));
                let light = (normal.dot(self.view.up) / normal.norm()).max(0.0);
                faces.push((outline::polygon(&corners), light));
            }
        }
        faces
    }

    /// The names of joints, on their caps or beside them, where they cover least.
    fn names(&self, skeleton: &Skeleton, poses: &[Pose<f64>], look: &Look) -> Vec<Mark> {
        if skeleton.joints.len() > COLOURED {
            return Vec::new();
        }
        let seen: Vec<([Point; 2], f64)> = skeleton
            .parts
            .iter()
            .map(|part| {
                let (ends, radii) = part.solid.spine();
                (ends.map(|end| self.at(placed(part, poses, end))), radii[0].max(radii[1]) * self.scale)
            })
            .collect();
        let mut taken: Vec<Point> = Vec::new();
        let mut marks = Vec::new();
        for (index, part) in skeleton.parts.iter().enumerate() {
            let (Some(joint), Material::Joint(hue)) = (part.joint, part.material) else { continue };
            let ([a, b], radius) = seen[index];
            let slant = self.slant(part, poses);
            let on_cap = matches!(part.solid, Solid::Drum { capped: true, .. })
                && slant.abs() > FACING
                && 0.62 * radius * slant.abs() > 0.68 * NAME;
            let at = if on_cap {
                if slant > 0.0 { b } else { a }
            } else {
                self.free_place([0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])], radius, &seen, &taken)
            };
            taken.push(at);
            let name = |text: String, level: Level| Run { text, level };
            let text = Text {
                at: [at[0], at[1] + 0.3 * NAME],
                anchor: Anchor::Middle,
                size: NAME,
                bold: true,
                paint: look.words_of(hue).into(),
                runs: vec![name("q".to_owned(), Level::Base), name((joint + 1).to_string(), Level::Lowered)],
            };
            if !on_cap {
                let box_ = Rectangle { x: at[0] - 6.0, y: at[1] - 4.6, width: 12.0, height: 9.6 };
                let Rectangle { x, y, width, height } = box_;
                let corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
                marks.push(filled(outline::polygon(&corners), Paint { colour: look.surface, opacity: 0.72 }, None));
            }
            marks.push(Mark::Text(text));
        }
        marks
    }

    fn free_place(&self, at: Point, radius: f64, seen: &[([Point; 2], f64)], taken: &[Point]) -> Point {
        let Rectangle { x, y, width, height } = self.frame;
        let cost = |place: Point| {
            let over = |(ends, radius): &([Point; 2], f64)| (radius + 5.0 - distance(place, ends)).max(0.0);
            let near = |other: &Point| (12.0 - (place[0] - other[0]).hypot(place[1] - other[1])).max(0.0) * 2.0;
            let outside =
                [x + 6.0 - place[0], place[0] - x - width + 6.0, y + 6.0 - place[1], place[1] - y - height + 6.0];
            seen.iter().map(over).sum::<f64>()
                + taken.iter().map(near).sum::<f64>()
                + outside.iter().map(|d| 5.0 * d.max(0.0)).sum::<f64>()
        };
        let reach = radius + 7.0;
        let mut best = (at, f64::INFINITY);
        for turns in [1.0, 1.5] {
            for k in 0..16 {
                let angle = std::f64::consts::PI / 8.0 * f64::from(k);
                let place = [at[0] + turns * reach * angle.cos(), at[1] - turns * reach * angle.sin()];
                let found = cost(place) + 0.6 * turns;
                if found < best.1 - 1e-9 {
                    best = (place, found);
                }
            }
        }
        best.0
    }
}

/// White, which light adds.
const LIT: super::super::drawing::Colour = super::super::drawing::Colour([255; 3]);

/// From a point to a line between two.
fn distance(point: Point, [a, b]: &[Point; 2]) -> f64 {
    let (u, w) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let square = u[0] * u[0] + u[1] * u[1];
    let share = if square > 0.0 { ((u[0] * w[0] + u[1] * w[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (w[0] - share * u[0]).hypot(w[1] - share * u[1])
}
