//! Movies as one page: vector drawings that it plays by itself, without a network, light and dark.
//!
//! Marks are written once; both looks make the same marks, so that a style is a pair of colours.

use super::{Movie, WIDTH, next};
use crate::host::Host;
use crate::plot::drawing::{Anchor, Colour, Level, Mark, Path, Rectangle, Step, Text};
use crate::plot::look::Theme;
use crate::plot::words;
use crate::problem::Problem;
use jourdain::model::harmless;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
/// Parts of a point that coordinates are counted in: whole numbers are short.
const UNIT: f64 = 20.0;
/// Above the stage, points: the page has title and clock in words of its own.
const HEAD: f64 = 30.0;

/// A movie as the text of a page.
///
/// # Errors
/// It is no longer wanted.
pub fn page(movie: &Movie<'_>, host: &dyn Host) -> Result<String, Problem> {
    let mut styles = Styles::default();
    let [light, dark] = [Theme::Light, Theme::Dark].map(Theme::look);
    let still = styles.marks(&(movie.still)(light), &(movie.still)(dark));
    let count = movie.timing.times.len();
    let mut frames = Vec::with_capacity(count);
    for frame in 0..count {
        next(frame, movie, host)?;
        frames.push(styles.marks(&(movie.moving)(frame, light), &(movie.moving)(frame, dark)));
    }
    let height = movie.height - HEAD;
    let data = json!({
        "width": scaled(WIDTH),
        "height": scaled(height),
        "head": scaled(HEAD),
        "delay": movie.timing.delay,
        "times": movie.timing.times,
        "clock": (0..count).map(|frame| movie.clock(frame)).collect::<Vec<_>>(),
        "small": words::SMALL,
        "lowered": words::LOWERED,
        "raised": words::RAISED,
        "styles": styles.all,
        "still": still,
        "frames": frames,
    });
    // Inside a script, `<` could end it.
    let data = data.to_string().replace('<', "\\u003c");
    let fields = [
        ("{{title}}", escaped(&movie.title)),
        ("{{notes}}", escaped(&movie.notes.join(" · "))),
        ("{{description}}", escaped(&movie.description)),
        ("{{aspect}}", format!("{:.3}", WIDTH / height)),
        ("{{data}}", data),
    ];
    // Each field is put in once, so that words of a robot file are never taken for a field.
    let (mut page, mut rest) = (String::new(), PAGE);
    while let Some(start) = rest.find("{{") {
        let (before, from) = rest.split_at(start);
        page.push_str(before);
        let Some((name, value)) = fields.iter().find(|(name, _)| from.starts_with(name)) else {
            page.push_str("{{");
            rest = &from[2..];
            continue;
        };
        page.push_str(value);
        rest = &from[name.len()..];
    }
    page.push_str(rest);
    Ok(page)
}

fn escaped(text: &str) -> String {
    let text = harmless::text(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn scaled(points: f64) -> i64 {
    if points.is_finite() { (UNIT * points).round() as i64 } else { 0 }
}

fn hex(colour: Colour) -> String {
    let [red, green, blue] = colour.0;
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// All styles of a movie, each once.
#[derive(Default)]
struct Styles {
    all: Vec<Value>,
    places: BTreeMap<String, usize>,
}

impl Styles {
    fn place(&mut self, style: Value) -> usize {
        let all = &mut self.all;
        *self.places.entry(style.to_string()).or_insert_with(|| {
            all.push(style);
            all.len() - 1
        })
    }

    fn marks(&mut self, light: &[Mark], dark: &[Mark]) -> Value {
        let mut last = String::new();
        let mut marks = Vec::with_capacity(light.len());
        for pair in light.iter().zip(dark) {
            match pair {
                (Mark::Path(light), Mark::Path(dark)) => {
                    let style = self.place(path_style(light, dark));
                    let way = way(light);
                    // A contour and its filling are one path.
                    let written = if way == last { String::new() } else { way.clone() };
                    last = way;
                    marks.push(json!([style, written]));
                }
                (Mark::Text(light), Mark::Text(dark)) => marks.push(self.text(light, dark)),
                (Mark::Clip(rectangle, light), Mark::Clip(_, dark)) => {
                    let Rectangle { x, y, width, height } = *rectangle;
                    let clip = [x, y, width, height].map(scaled);
                    marks.push(json!({ "clip": clip, "marks": self.marks(light, dark) }));
                    last.clear();
                }
                // Both looks make the same marks.
                (Mark::Path(_) | Mark::Text(_) | Mark::Clip(..), _) => {}
            }
        }
        Value::Array(marks)
    }

    fn text(&mut self, light: &Text, dark: &Text) -> Value {
        let fill = [hex(light.paint.colour), hex(dark.paint.colour)];
        let style = self.place(json!({ "fill": fill, "cover": light.paint.opacity }));
        let anchor = match light.anchor {
            Anchor::Start => 0,
            Anchor::Middle => 1,
            Anchor::End => 2,
        };
        let level = |level: Level| match level {
            Level::Base => 0,
            Level::Lowered => -1,
            Level::Raised => 1,
        };
        let runs: Vec<Value> = light.runs.iter().map(|run| json!([run.text, level(run.level)])).collect();
        let [x, y] = light.at.map(scaled);
        json!([style, x, y, anchor, scaled(light.size), u8::from(light.bold), runs])
    }
}

fn path_style(light: &Path, dark: &Path) -> Value {
    let mut style = serde_json::Map::new();
    if let (Some(light), Some(dark)) = (light.fill, dark.fill) {
        style.insert("fill".to_owned(), json!([hex(light.colour), hex(dark.colour)]));
        style.insert("cover".to_owned(), json!(light.opacity));
    }
    if let (Some(light), Some(dark)) = (light.stroke, dark.stroke) {
        style.insert("stroke".to_owned(), json!([hex(light.paint.colour), hex(dark.paint.colour)]));
        style.insert("along".to_owned(), json!(light.paint.opacity));
        style.insert("width".to_owned(), json!(scaled(light.width)));
        if let Some(dash) = light.dash {
            style.insert("dash".to_owned(), json!(dash.map(scaled)));
        }
    }
    Value::Object(style)
}

/// How a path runs.
fn way(path: &Path) -> String {
    let mut text = String::new();
    let mut place = |letter: char, points: &[[f64; 2]]| {
        let numbers = points.iter().flatten().map(|x| scaled(*x));
        for (k, number) in numbers.enumerate() {
            let gap = if k == 0 { letter } else { ' ' };
            // A sign parts numbers as well as a gap; writing to a string does not fail.
            let _ = if k > 0 && number < 0 { write!(text, "{number}") } else { write!(text, "{gap}{number}") };
        }
        if points.is_empty() {
            text.push(letter);
        }
    };
    for step in &path.steps {
        match step {
            Step::Move(to) => place('M', &[*to]),
            Step::Line(to) => place('L', &[*to]),
            Step::Curve(first, second, to) => place('C', &[*first, *second, *to]),
            Step::Close => place('Z', &[]),
        }
    }
    text
}
