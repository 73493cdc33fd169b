//! One panel on the page: grid, tints, curves, marks and words at their ends.

use super::drawing::{Anchor, Mark, Path, Point, Rectangle, Stroke};
use super::figure::{Axis, Curve, Kind, Panel, Root, RootKind, Scale, Spot, extent};
use super::labels::spread;
use super::look::{
    AXIS, BAND_OPACITY, BEHIND, DOT, DOT_OPACITY, EMPHASIS, GRID, Hue, LIMIT_DASH, LINE, Look, Measures, PRIOR_DASH,
    RESIDUAL, TICK,
};
use super::ticks::{self, Tick, ticks};
use super::{thin, words};

/// Room between a panel and the words beside it.
pub(super) const BESIDE: f64 = 5.0;

/// How much of the height is left free above and below curves.
const AIR: f64 = 0.07;

/// Curves that fill less than this share of what limits enclose are shown without them.
const FILLED: f64 = 0.25;

/// How a panel is scaled.
#[derive(Clone, Debug)]
pub(super) struct Scaled<'p> {
    pub(super) panel: &'p Panel,
    /// What is seen of its numbers.
    range: [f64; 2],
    /// Numbers are divided by this power of ten.
    power: i32,
    /// At the axis, values as they are written.
    pub(super) ticks: Vec<Tick>,
    /// Limits that are not seen are said.
    off_scale: bool,
}

/// Where a panel is, and what is written at its foot.
pub(super) struct Place<'p> {
    pub(super) area: Rectangle,
    /// What is seen of the axis to the right.
    pub(super) x: [f64; 2],
    pub(super) axis: &'p Axis,
    /// Numbers stand at the foot.
    pub(super) numbered: bool,
    /// The name of the axis stands there too.
    pub(super) named: bool,
}

impl<'p> Scaled<'p> {
    /// Range and ticks of a panel so high.
    pub(super) fn new(panel: &'p Panel, height: f64) -> Self {
        let data = extent(
            panel.curves.iter().flat_map(|curve| curve.y.iter().copied()).chain(panel.strip.into_iter().flatten()),
        );
        let (range, off_scale) = panel.range.map_or_else(|| seen(panel, data), |range| (range, false));
        let power = match panel.scale {
            Scale::Linear => ticks::thousands(range[0].abs().max(range[1].abs())),
            Scale::Degrees | Scale::Logarithmic => 0,
        };
        let most = ((height / 10.0) as usize).clamp(2, 5);
        let mut scaled = Self { panel, range, power, ticks: Vec::new(), off_scale };
        scaled.ticks = ticks(panel.scale, range.map(|x| x / scaled.factor()), most);
        scaled
    }

    /// The same with another range, for axes of equal scale.
    pub(super) fn widened(mut self, range: [f64; 2]) -> Self {
        self.range = range;
        self.ticks = ticks(self.panel.scale, range.map(|x| x / self.factor()), 6);
        self
    }

    pub(super) fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Whether tints beyond limits are seen.
    pub(super) fn is_tinted(&self) -> bool {
        self.panel.limits.is_some() && !self.off_scale
    }

    fn factor(&self) -> f64 {
        10_f64.powi(self.power)
    }

    /// Width of the numbers at the axis.
    pub(super) fn numbers(&self, measures: Measures) -> f64 {
        self.ticks.iter().map(|tick| words::width(&tick.label, measures.tick, false)).fold(0.0, f64::max)
    }

    /// Width of the words at the ends of curves.
    pub(super) fn ends(&self, measures: Measures) -> f64 {
        let ends = self.panel.curves.iter().filter(|curve| !curve.label.is_empty());
        ends.map(|curve| BESIDE + words::width(&curve.label, measures.label, false)).fold(0.0, f64::max)
    }

    /// The unit as it is written, with the power of ten.
    fn unit(&self) -> String {
        let power = if self.power == 0 { String::new() } else { ticks::power(self.power) };
        let parts = [power.as_str(), self.panel.unit.as_str()];
        let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if text.is_empty() { text } else { format!("({text})") }
    }

    /// Draws it.
    pub(super) fn draw(&self, place: &Place<'_>, measures: Measures, look: &Look, marks: &mut Vec<Mark>) {
        let pen = Pen { scaled: self, place, measures, look };
        pen.heading(marks);
        pen.tints(marks);
        pen.rows(marks);
        pen.foot(marks);
        // Half of a line at the edge is still the line.
        let Rectangle { x, y, width, height } = place.area;
        let around = Rectangle { x: x - 1.0, y: y - 1.0, width: width + 2.0, height: height + 2.0 };
        let mut curves = Vec::new();
        pen.verticals(&mut curves);
        self.panel.curves.iter().for_each(|curve| pen.curve(curve, &mut curves));
        marks.push(Mark::Clip(around, curves));
        pen.roots(marks);
        self.panel.spots.iter().for_each(|spot| pen.spot(spot, marks));
        pen.ends(marks);
    }
}

/// What is seen of a panel, and whether limits are out of sight.
fn seen(panel: &Panel, data: Option<[f64; 2]>) -> ([f64; 2], bool) {
    let Some([low, high]) = data else { return ([0.0, 1.0], false) };
    if panel.scale == Scale::Logarithmic {
        let positive = extent(panel.curves.iter().flat_map(|curve| curve.y.iter().copied()).filter(|y| *y > 0.0));
        let [low, high] = positive.unwrap_or([0.1, 1.0]);
        return ([10_f64.powf(low.log10().floor()), 10_f64.powf((high * 1.001).log10().ceil())], false);
    }
    let (mut range, mut off_scale) = ([low, high], false);
    if let Some([lower, upper]) = panel.limits {
        let both = [low.min(lower), high.max(upper)];
        let near = high - low >= FILLED * (both[1] - both[0]);
        off_scale = !near && low >= lower && high <= upper;
        if !off_scale {
            range = both;
        }
    }
    let size = range[1] - range[0];
    let largest = range[0].abs().max(range[1].abs());
    // What varies by rounding only is shown as the constant that it is.
    if size <= 1e-9 * largest || size <= panel.least {
        let half = if largest <= panel.least { 1.0 } else { 0.1 * largest };
        return ([range[0] - half, range[1] + half], off_scale);
    }
    ([range[0] - AIR * size, range[1] + AIR * size], off_scale)
}

/// A share of an axis, 0 … 1 inside.
pub(super) fn share(scale: Scale, [low, high]: [f64; 2], value: f64) -> f64 {
    match scale {
        Scale::Linear | Scale::Degrees => (value - low) / (high - low),
        Scale::Logarithmic if value > 0.0 => (value / low).ln() / (high / low).ln(),
        Scale::Logarithmic => f64::NAN,
    }
}

struct Pen<'d, 'p> {
    scaled: &'d Scaled<'p>,
    place: &'d Place<'p>,
    measures: Measures,
    look: &'d Look,
}

impl Pen<'_, '_> {
    fn panel(&self) -> &Panel {
        self.scaled.panel
    }

    fn x(&self, value: f64) -> f64 {
        self.place.area.x + self.place.area.width * share(self.place.axis.scale, self.place.x, value)
    }

    fn y(&self, value: f64) -> f64 {
        self.place.area.bottom() - self.place.area.height * share(self.panel().scale, self.scaled.range, value)
    }

    fn inside(&self, y: f64) -> f64 {
        y.clamp(self.place.area.y, self.place.area.bottom())
    }

    fn words(&self, at: Point, anchor: Anchor, hue: Hue, text: &str) -> Mark {
        words::mark(at, anchor, self.measures.tick, false, self.look.words_of(hue), text)
    }

    /// Name, unit, note and result above the panel, from the left as far as there is room.
    fn heading(&self, marks: &mut Vec<Mark>) {
        let (panel, Measures { label, tick, .. }) = (self.panel(), self.measures);
        let (mut x, y) = (self.place.area.x, self.place.area.y - BESIDE);
        let mut end = self.place.area.right() + self.scaled.ends(self.measures);
        if !panel.aside.is_empty() {
            let paint = self.look.words_of(panel.hue);
            marks.push(words::mark([end, y], Anchor::End, label, true, paint, &panel.aside));
            end -= words::width(&panel.aside, label, true) + label;
        }
        let unit = self.scaled.unit();
        let room = end - x;
        let name = if panel.name.contains('{') {
            panel.name.clone()
        } else {
            words::shortened(&panel.name, room, label, true)
        };
        let paint = self.look.words_of(panel.hue);
        marks.push(words::mark([x, y], Anchor::Start, label, true, paint, &name));
        x += words::width(&name, label, true) + 0.35 * label;
        if !unit.is_empty() {
            marks.push(words::mark([x, y], Anchor::Start, tick, false, self.look.ink_3, &unit));
            x += words::width(&unit, tick, false) + 0.7 * label;
        }
        let off_scale = panel.limits.filter(|_| self.scaled.off_scale).map(limits_text).unwrap_or_default();
        let notes = [panel.note.as_str(), off_scale.as_str()];
        for note in notes.into_iter().filter(|note| !note.is_empty()) {
            // A word or two are no help where the rest is cut away.
            let text = if note.contains('{') { note.to_owned() } else { words::shortened(note, end - x, tick, false) };
            let wide = words::width(&text, tick, false);
            if wide <= end - x && (text == note || text.chars().count() > 8) {
                marks.push(words::mark([x, y], Anchor::Start, tick, false, self.look.ink_3, &text));
                x += wide + 0.7 * label;
            }
        }
    }

    /// What lies beyond limits, and strips.
    fn tints(&self, marks: &mut Vec<Mark>) {
        let Rectangle { x, width, .. } = self.place.area;
        let mut tint = |from: f64, to: f64, paint| {
            let (top, bottom) = (self.inside(from.min(to)), self.inside(from.max(to)));
            if bottom - top > 0.1 {
                marks.push(Mark::Path(Path::rectangle(Rectangle { x, y: top, width, height: bottom - top }, paint)));
            }
        };
        if let Some([lower, upper]) = self.panel().limits {
            let paint = self.look.band.at(BAND_OPACITY);
            tint(self.place.area.y, self.y(upper), paint);
            tint(self.y(lower), self.place.area.bottom(), paint);
        }
        if let Some([low, high]) = self.panel().strip {
            tint(self.y(high), self.y(low), self.look.line_of(self.panel().hue).at(0.13));
        }
    }

    /// Lines across, with their numbers.
    fn rows(&self, marks: &mut Vec<Mark>) {
        let Rectangle { x, .. } = self.place.area;
        let half = 0.36 * self.measures.tick;
        for tick in &self.scaled.ticks {
            let y = self.y(tick.value * self.scaled.factor());
            let at_zero = tick.value == 0.0 && self.panel().scale != Scale::Logarithmic;
            if tick.major {
                let stroke =
                    if at_zero { Stroke::new(AXIS, self.look.line_strong) } else { Stroke::new(GRID, self.look.line) };
                marks.push(Mark::Path(Path::line([x, y], [self.place.area.right(), y], stroke)));
            }
            if !tick.label.is_empty() {
                let degree = if self.panel().scale == Scale::Degrees { "°" } else { "" };
                let label = format!("{}{degree}", tick.label);
                marks.push(self.words([x - 4.0, y + half], Anchor::End, Hue::Note, &label));
            }
        }
    }

    /// The axis with ticks, numbers and name.
    fn foot(&self, marks: &mut Vec<Mark>) {
        let (area, tick) = (self.place.area, self.measures.tick);
        let stroke = Stroke::new(AXIS, self.look.line_strong);
        let mut lines = Path::line([area.x, area.bottom()], [area.right(), area.bottom()], stroke);
        let mut clear = f64::NEG_INFINITY;
        for place in ticks(self.place.axis.scale, self.place.x, x_ticks(self.place, self.measures)) {
            let x = self.x(place.value);
            let length = if place.major { TICK } else { 0.55 * TICK };
            lines.steps.extend(Path::line([x, area.bottom()], [x, area.bottom() + length], stroke).steps);
            let half = 0.5 * words::width(&place.label, tick, false);
            if self.place.numbered && !place.label.is_empty() && x - half > clear {
                clear = x + half + 0.4 * tick;
                marks.push(self.words([x, area.bottom() + TICK + tick + 1.0], Anchor::Middle, Hue::Note, &place.label));
            }
        }
        marks.push(Mark::Path(lines));
        if self.place.named {
            let y = area.bottom() + TICK + 2.0 * tick + 5.0;
            let paint = self.look.ink_2;
            let name = self.place.axis.text();
            marks.push(words::mark([area.right(), y], Anchor::End, self.measures.label, false, paint, &name));
        }
    }

    /// Lines upwards at decades, and at poles.
    fn verticals(&self, marks: &mut Vec<Mark>) {
        let area = self.place.area;
        let upright = |x: f64, top: f64, stroke: Stroke| Mark::Path(Path::line([x, top], [x, area.bottom()], stroke));
        if self.place.axis.scale == Scale::Logarithmic || self.panel().own.is_some() {
            let places = ticks(self.place.axis.scale, self.place.x, x_ticks(self.place, self.measures));
            let edge = |x: f64| x - area.x < 0.5 || area.right() - x < 0.5;
            for place in places.iter().filter(|place| place.major) {
                let x = self.x(place.value);
                if !edge(x) {
                    marks.push(upright(x, area.y, Stroke::new(GRID, self.look.line)));
                }
            }
        }
        for root in self.panel().roots.iter().filter(|root| root.kind == RootKind::Pole) {
            let stroke = Stroke::new(AXIS, self.look.line_strong).dashed(LIMIT_DASH);
            marks.push(upright(self.x(root.at), area.y + 11.0, stroke));
        }
    }

    fn curve(&self, curve: &Curve, marks: &mut Vec<Mark>) {
        let colour = self.look.line_of(curve.hue);
        let places = curve.x.iter().zip(&curve.y).map(|(x, y)| [self.x(*x), self.y(*y)]);
        let stroke = match curve.kind {
            Kind::Line => Stroke::new(LINE, colour),
            Kind::Emphasis => Stroke::new(EMPHASIS, colour),
            Kind::Residual => Stroke::new(RESIDUAL, colour),
            Kind::Dashed => Stroke::new(BEHIND, colour).dashed(PRIOR_DASH),
            Kind::Dots => {
                let kept = thin::dots(places, 0.7 * DOT);
                marks.push(Mark::Path(Path::dots(&kept, DOT, colour.at(DOT_OPACITY))));
                return;
            }
        };
        let steps = if self.panel().own.is_some() { thin::path(places) } else { thin::line(places) };
        marks.push(Mark::Path(Path { steps, fill: None, stroke: Some(stroke) }));
    }

    /// Poles along the top, zeros along the foot, each with its place as far as there is room.
    fn roots(&self, marks: &mut Vec<Mark>) {
        let (area, tick) = (self.place.area, self.measures.tick);
        let (mut poles_end, mut zeros_end) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut roots: Vec<&Root> = self.panel().roots.iter().collect();
        roots.sort_by(|a, b| a.at.total_cmp(&b.at));
        for root in roots {
            let x = self.x(root.at);
            if !(area.x..=area.right()).contains(&x) {
                continue;
            }
            let text = ticks::number(root.at, 3);
            let half = 0.5 * words::width(&text, tick, false);
            let stroke = Stroke::new(LINE, self.look.words_of(root.hue));
            match root.kind {
                RootKind::Pole => {
                    let (y, r) = (area.y + 5.0, 2.3);
                    let mut cross = Path::line([x - r, y - r], [x + r, y + r], stroke);
                    cross.steps.extend(Path::line([x - r, y + r], [x + r, y - r], stroke).steps);
                    marks.push(Mark::Path(cross));
                    if x - half > poles_end && !self.place.numbered {
                        poles_end = x + half + 0.5 * tick;
                        marks.push(self.words([x, area.bottom() + TICK + tick], Anchor::Middle, Hue::Note, &text));
                    }
                }
                RootKind::Zero => {
                    let y = area.bottom() - 5.0;
                    marks.push(Mark::Path(Path::circle([x, y], 2.3, Some(self.look.surface.into()), Some(stroke))));
                    if x - 2.0 * half - 5.0 > zeros_end.max(area.x) {
                        marks.push(self.words([x - 5.0, y + 0.36 * tick], Anchor::End, root.hue, &text));
                    }
                    zeros_end = x + 3.0;
                }
            }
        }
    }

    fn spot(&self, spot: &Spot, marks: &mut Vec<Mark>) {
        let (area, tick) = (self.place.area, self.measures.tick);
        let [x, y] = [self.x(spot.at[0]), self.y(spot.at[1])];
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        let colour = spot.hue.map_or(self.look.error, |hue| self.look.words_of(hue));
        let stroke = Stroke::new(1.0, colour);
        marks.push(Mark::Path(Path::circle([x, y], 2.1, Some(self.look.surface.into()), Some(stroke))));
        if spot.text.is_empty() {
            return;
        }
        // Beside the mark, on that of the four sides where curves are in the way least.
        let wide = words::width(&spot.text, tick, false);
        let beside = |&(right, below): &(bool, bool)| {
            let left = if right { x + 4.0 } else { x - 4.0 - wide };
            let top = if below { y + 0.35 * tick } else { y - 4.0 - 0.8 * tick };
            Rectangle { x: left, y: top, width: wide, height: 0.9 * tick }
        };
        let fits = |words: &Rectangle| {
            words.x >= area.x
                && words.right() <= area.right() + 2.0
                && words.y >= area.y
                && words.bottom() <= area.bottom()
        };
        let covered = |words: &Rectangle| {
            let inside = |[x, y]: [f64; 2]| {
                (words.x - 1.0..=words.right() + 1.0).contains(&x)
                    && (words.y - 1.0..=words.bottom() + 1.0).contains(&y)
            };
            let places = |curve: &Curve| {
                curve.x.iter().zip(&curve.y).filter(|(x, y)| inside([self.x(**x), self.y(**y)])).count()
            };
            self.panel().curves.iter().map(places).sum::<usize>()
        };
        let sides = [(true, spot.below), (true, !spot.below), (false, spot.below), (false, !spot.below)];
        let places = sides.iter().map(beside).filter(fits).map(|words| (covered(&words), words));
        if let Some((_, words)) = places.min_by_key(|(covered, _)| *covered) {
            let at = [words.x, words.y + 0.8 * tick];
            marks.push(words::mark(at, Anchor::Start, tick, false, colour, &spot.text));
        }
    }

    /// Words at the ends of curves.
    fn ends(&self, marks: &mut Vec<Mark>) {
        let (area, label) = (self.place.area, self.measures.label);
        let named: Vec<&Curve> = self.panel().curves.iter().filter(|curve| !curve.label.is_empty()).collect();
        let last = |curve: &&Curve| {
            let mut places = curve.x.iter().zip(&curve.y).map(|(x, y)| [self.x(*x), self.y(*y)]);
            let end = places.rfind(|place| place.iter().all(|x| x.is_finite()));
            self.inside(end.map_or(area.bottom(), |[_, y]| y))
        };
        let wanted: Vec<f64> = named.iter().map(last).collect();
        for (curve, y) in named.iter().zip(spread(&wanted, label + 1.5, [area.y, area.bottom()])) {
            let colour = self.look.words_of(curve.hue);
            let at = [area.right() + BESIDE, y + 0.34 * label];
            marks.push(words::mark(at, Anchor::Start, label, false, colour, &curve.label));
        }
    }
}

/// How many numbers have room at the foot.
fn x_ticks(place: &Place<'_>, measures: Measures) -> usize {
    ((place.area.width / (4.2 * measures.tick)) as usize).clamp(3, 8)
}

fn limits_text([lower, upper]: [f64; 2]) -> String {
    if lower == -upper {
        return format!("limits ±{} off scale", ticks::short(upper));
    }
    let one = |x: f64| if x.is_finite() { ticks::short(x) } else { "none".to_owned() };
    format!("limits {} … {} off scale", one(lower), one(upper))
}
