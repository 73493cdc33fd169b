//! Pictures as SVG: text stays text, coordinates have two decimals, one path per line, nothing but shapes and words.
//!
//! The same picture is the same file, byte for byte. Clips are named after their rectangle, so that several pictures in one page may
//! share a name without harm.

use super::drawing::{Anchor, Drawing, Level, Mark, Paint, Path, Rectangle, Step, Stroke, Text};
use jourdain::model::harmless::{REPLACEMENT, is_harmful};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The font that pictures are made for, and what takes its place.
const FAMILY: &str = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";

/// A picture as the text of an SVG file.
#[must_use]
pub fn text(drawing: &Drawing) -> String {
    let (width, height) = (number(drawing.width), number(drawing.height));
    let [wide, high] = [drawing.width, drawing.height].map(|points| number(points * 25.4 / 72.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"{FAMILY}\" style=\"font-variant-numeric:tabular-nums\">\n<title>{}</title>\n<desc>{}</desc>\n",
        escaped(&drawing.title),
        escaped(&drawing.description)
    );
    if let Some(ground) = drawing.ground {
        push(&mut svg, format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", hex(ground.into())));
    }
    let mut clips = BTreeSet::new();
    for mark in &drawing.marks {
        write_mark(&mut svg, mark, &mut clips);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Marks as what stands inside an SVG file.
#[must_use]
pub fn inside(marks: &[Mark]) -> String {
    let (mut svg, mut clips) = (String::new(), BTreeSet::new());
    for mark in marks {
        write_mark(&mut svg, mark, &mut clips);
    }
    svg
}

fn write_mark(svg: &mut String, mark: &Mark, clips: &mut BTreeSet<String>) {
    match mark {
        Mark::Path(path) => write_path(svg, path),
        Mark::Text(text) => write_text(svg, text),
        Mark::Clip(rectangle, marks) => {
            let Rectangle { x, y, width, height } = *rectangle;
            let [x, y, width, height] = [x, y, width, height].map(number);
            let name = format!("clip-{x}-{y}-{width}-{height}");
            if clips.insert(name.clone()) {
                let rectangle = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>");
                push(svg, format_args!("<clipPath id=\"{name}\">{rectangle}</clipPath>\n"));
            }
            push(svg, format_args!("<g clip-path=\"url(#{name})\">\n"));
            for mark in marks {
                write_mark(svg, mark, clips);
            }
            svg.push_str("</g>\n");
        }
    }
}

fn write_path(svg: &mut String, path: &Path) {
    svg.push_str("<path d=\"");
    for step in &path.steps {
        match step {
            Step::Move([x, y]) => push(svg, format_args!("M{} {}", number(*x), number(*y))),
            Step::Line([x, y]) => push(svg, format_args!("L{} {}", number(*x), number(*y))),
            Step::Curve(first, second, [x, y]) => {
                let [a, b, c, d] = [first[0], first[1], second[0], second[1]].map(number);
                push(svg, format_args!("C{a} {b} {c} {d} {} {}", number(*x), number(*y)));
            }
            Step::Close => svg.push('Z'),
        }
    }
    svg.push('"');
    match path.fill {
        Some(paint) => {
            push(svg, format_args!(" fill=\"{}\" fill-rule=\"evenodd\"", hex(paint)));
            write_opacity(svg, "fill-opacity", paint);
        }
        None => svg.push_str(" fill=\"none\""),
    }
    if let Some(Stroke { width, paint, dash }) = path.stroke {
        let (colour, width) = (hex(paint), number(width));
        push(
            svg,
            format_args!(
                " stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
            ),
        );
        write_opacity(svg, "stroke-opacity", paint);
        if let Some([on, off]) = dash {
            push(svg, format_args!(" stroke-dasharray=\"{} {}\"", number(on), number(off)));
        }
    }
    svg.push_str("/>\n");
}

fn write_text(svg: &mut String, text: &Text) {
    let ([x, y], size) = (text.at.map(number), number(text.size));
    push(svg, format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"", hex(text.paint)));
    write_opacity(svg, "fill-opacity", text.paint);
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => svg.push_str(" text-anchor=\"middle\""),
        Anchor::End => svg.push_str(" text-anchor=\"end\""),
    }
    if text.bold {
        svg.push_str(" font-weight=\"600\"");
    }
    svg.push('>');
    // `dy` moves what follows too: each piece starts from where the one before it stands.
    let mut down = 0.0;
    for run in &text.runs {
        let (small, below) = run.level.place();
        let words = escaped(&run.text);
        let shift = text.size * (below - down);
        down = below;
        match run.level {
            Level::Base if shift == 0.0 => svg.push_str(&words),
            Level::Base => push(svg, format_args!("<tspan dy=\"{}\">{words}</tspan>", number(shift))),
            Level::Lowered | Level::Raised => {
                let (shift, size) = (number(shift), number(small * text.size));
                push(svg, format_args!("<tspan dy=\"{shift}\" font-size=\"{size}\">{words}</tspan>"));
            }
        }
    }
    svg.push_str("</text>\n");
}

fn write_opacity(svg: &mut String, name: &str, paint: Paint) {
    if paint.opacity < 1.0 {
        push(svg, format_args!(" {name}=\"{}\"", number(paint.opacity)));
    }
}

fn hex(paint: Paint) -> String {
    let [red, green, blue] = paint.colour.0;
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// To a hundredth, without zeros at the end; what is not finite has no place and becomes zero.
pub(super) fn number(x: f64) -> String {
    if !x.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{:.2}", x);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Some are not allowed in XML at all.
            letter if is_harmful(letter) && !matches!(letter, '\t' | '\n') => safe.push(REPLACEMENT),
            letter => safe.push(letter),
        }
    }
    safe
}

fn push(svg: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _written = svg.write_fmt(words);
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Colour, Run};
    use super::*;

    #[test]
    fn numbers_have_two_decimals_at_most() {
        let all = [0.0, -0.001, 1.5, 12.345_678, -3.0, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(all, ["0", "0", "1.5", "12.35", "-3", "0", "0"]);
    }

    #[test]
    fn text_stays_text_and_words_cannot_become_marks() {
        let run = |text: &str, level| Run { text: text.to_owned(), level };
        let words = Text {
            at: [1.0, 2.0],
            anchor: Anchor::Middle,
            size: 10.0,
            bold: true,
            paint: Colour([1, 2, 255]).into(),
            runs: vec![run("a<b&", Level::Base), run("1", Level::Lowered), run(" c\u{1}", Level::Base)],
        };
        let clip = Rectangle { x: 0.0, y: 0.0, width: 5.0, height: 5.0 };
        let marks = vec![Mark::Clip(clip, vec![Mark::Text(words.clone())]), Mark::Clip(clip, vec![])];
        let title = "\"<x>\"".to_owned();
        let svg = text(&Drawing { width: 72.0, height: 36.0, title, description: String::new(), ground: None, marks });
        assert!(svg.contains("width=\"25.4mm\" height=\"12.7mm\" viewBox=\"0 0 72 36\""), "{svg}");
        assert!(
            svg.contains(
                ">a&lt;b&amp;<tspan dy=\"2.2\" font-size=\"7.2\">1</tspan><tspan dy=\"-2.2\"> c\u{fffd}</tspan><"
            ),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#0102FF\" text-anchor=\"middle\" font-weight=\"600\""), "{svg}");
        assert_eq!(svg.matches("<clipPath").count(), 1);
    }
}
