//! Movies as SVG that moves by itself: every picture is a group that is seen in its time.

use super::{Movie, WIDTH, next};
use crate::host::Host;
use crate::plot::drawing::Drawing;
use crate::plot::look::Look;
use crate::plot::robot::stage::words;
use crate::plot::svg;
use crate::problem::Problem;
use std::fmt::Write as _;

/// A movie as the text of an SVG file.
///
/// # Errors
/// It is no longer wanted.
pub fn text(movie: &Movie<'_>, look: &Look, host: &dyn Host) -> Result<String, Problem> {
    let mut marks = movie.head(look);
    marks.extend((movie.still)(look));
    let drawing = Drawing {
        width: WIDTH,
        height: movie.height,
        title: movie.title.clone(),
        description: movie.description.clone(),
        ground: Some(look.surface),
        marks,
    };
    let mut text = svg::text(&drawing);
    text.truncate(text.rfind("</svg>").unwrap_or(text.len()));
    let count = movie.timing.times.len();
    let lasts = movie.timing.delay * count as f64;
    for frame in 0..count {
        next(frame, movie, host)?;
        let mut marks = (movie.moving)(frame, look);
        marks.extend(movie.clock(frame).map(|clock| {
            let at = [WIDTH - super::MARGIN, 16.0];
            words(at, crate::plot::drawing::Anchor::End, 9.0, false, look.ink_2.into(), clock)
        }));
        let [from, to] = [frame, frame + 1].map(|k| k as f64 / count as f64);
        let (values, times) = match (frame, frame + 1 == count) {
            (_, true) => ("none;inline".to_owned(), format!("0;{from:.6}")),
            (0, false) => ("inline;none".to_owned(), format!("0;{to:.6}")),
            (_, false) => ("none;inline;none".to_owned(), format!("0;{from:.6};{to:.6}")),
        };
        // The first is seen where nothing moves.
        let shown = if frame == 0 { "inline" } else { "none" };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "<g display=\"{shown}\"><animate attributeName=\"display\" dur=\"{lasts:.3}s\" repeatCount=\"indefinite\" \
             calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\"/>\n{}</g>\n",
            svg::inside(&marks)
        );
    }
    text.push_str("</svg>\n");
    Ok(text)
}
