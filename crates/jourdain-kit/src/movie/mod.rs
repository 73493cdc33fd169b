//! Moving pictures: of robots, elastic robots and flexible arms, as HTML, SVG, GIF or APNG.
//!
//! A [`Movie`] is a drawing for each moment, before any file format; what does not move is drawn once. Its pages are in points,
//! as those of plots, and the formats make pixels of them.

#[cfg(feature = "pictures")]
mod apng;
#[cfg(feature = "pictures")]
mod colours;
pub mod flexible;
#[cfg(feature = "pictures")]
mod gif;
mod html;
pub mod robot;
pub mod strip;
mod svg;
pub mod timing;

use crate::ending;
use crate::host::Host;
use crate::plot::drawing::{Anchor, Drawing, Mark};
use crate::plot::look::{Look, Theme};
use crate::plot::robot::stage::words;
use crate::problem::Problem;
use crate::write;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use timing::Timing;

/// Width of a page, points.
pub const WIDTH: f64 = 360.0;
/// Above the stage, points.
pub const HEAD: f64 = 34.0;
/// Around everything, points.
pub const MARGIN: f64 = 8.0;

/// What is asked of an animation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Animate {
    /// Animate it: a page (.html), a picture that moves (.svg), a GIF, or an animated PNG (.png, .apng)
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.html|.svg|.gif|.png"))]
    pub animate: Option<PathBuf>,

    /// How it is shown
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub showing: Showing,
}

/// How an animation is shown.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Showing {
    /// Pictures per second of the animation, 1 to 60
    #[serde(default = "frame_rate")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = frame_rate()))]
    pub frame_rate: u32,

    /// Width of an animated GIF or PNG, 160 to 1920 pixels
    #[serde(default = "frame_width")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PIXELS", default_value_t = frame_width()))]
    pub frame_width: u32,

    /// Seconds of the motion in a second of the animation; without it 1, or a round number if that would be too short or too long
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", allow_negative_numbers = true))]
    pub playback_speed: Option<f64>,
}

fn frame_rate() -> u32 {
    25
}

fn frame_width() -> u32 {
    640
}

impl Default for Showing {
    fn default() -> Self {
        Self { frame_rate: frame_rate(), frame_width: frame_width(), playback_speed: None }
    }
}

impl Showing {
    /// An animation shown in this way.
    #[must_use]
    pub fn animate(&self, path: &Path) -> Animate {
        Animate { animate: Some(path.to_path_buf()), showing: self.clone() }
    }
}

impl Animate {
    /// Checks what can be checked before anything is computed.
    ///
    /// # Errors
    /// The name of the file ends in something else, or this build cannot write it.
    pub fn check(&self) -> Result<(), Problem> {
        self.animate.as_deref().map_or(Ok(()), |path| Format::of(path).map(drop))
    }
}

/// What a moving picture can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A page that plays it.
    Html,
    /// A picture that moves by itself.
    Svg,
    /// 256 colours, understood everywhere.
    Gif,
    /// Animated PNG.
    Apng,
}

impl Format {
    /// By the ending of a name.
    ///
    /// # Errors
    /// It is none of an animation, or this build cannot write it.
    pub fn of(path: &Path) -> Result<Self, Problem> {
        let format = match ending::ANIMATION.of(path)? {
            "html" | "htm" => Self::Html,
            "svg" => Self::Svg,
            "gif" => Self::Gif,
            "png" | "apng" => Self::Apng,
            other => return Err(Problem::usage(format!("an animation cannot be written as .{other}"))),
        };
        if cfg!(not(feature = "pictures")) && matches!(format, Self::Gif | Self::Apng) {
            let message = format!("`{}`: this build writes no pixels", path.display());
            return Err(Problem::usage(message).hint("name a file that ends in .html or .svg"));
        }
        Ok(format)
    }

    /// So many pictures at most: more only make the file larger.
    #[must_use]
    pub fn most_frames(self) -> usize {
        match self {
            Self::Html => 900,
            Self::Svg => 400,
            Self::Gif | Self::Apng => 600,
        }
    }

    /// The time for which a picture can be shown that is nearest to one, s.
    #[must_use]
    pub fn shown_for(self, seconds: f64) -> f64 {
        let (per_second, least) = self.ticks();
        (per_second * seconds).round().max(least) / per_second
    }

    /// The shortest such time that is not shorter than one, s.
    #[must_use]
    pub fn shown_at_least(self, seconds: f64) -> f64 {
        let (per_second, least) = self.ticks();
        (per_second * seconds - 1e-9).ceil().max(least) / per_second
    }

    /// Into how many parts a second is divided, and how many of them a picture is shown at least.
    fn ticks(self) -> (f64, f64) {
        match self {
            Self::Gif => (100.0, 2.0),
            Self::Html | Self::Svg | Self::Apng => (1000.0, 16.0),
        }
    }
}

/// What the clock of a movie counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clock {
    /// Time, s.
    Seconds,
    /// Points of a path: how many there are.
    Points(usize),
    /// Nothing.
    None,
}

/// What does not move, in the colours of a look.
pub type Still<'m> = Box<dyn Fn(&Look) -> Vec<Mark> + Sync + 'm>;
/// What moves, by the number of the picture.
pub type Moving<'m> = Box<dyn Fn(usize, &Look) -> Vec<Mark> + Sync + 'm>;

/// A drawing for each moment.
pub struct Movie<'m> {
    /// Who does what.
    pub title: String,
    /// How it is shown: what drives it, the scale, the speed.
    pub notes: Vec<String>,
    /// For those who do not see it.
    pub description: String,
    /// Points.
    pub height: f64,
    /// When.
    pub timing: Timing,
    /// What is counted.
    pub clock: Clock,
    /// Its colours, where the format has one set of them.
    pub theme: Theme,
    /// What does not move.
    pub still: Still<'m>,
    /// What moves, by the number of the picture; as many marks of the same kinds in all looks.
    pub moving: Moving<'m>,
}

impl Movie<'_> {
    /// Title and notes.
    fn head(&self, look: &Look) -> Vec<Mark> {
        let mut marks = vec![words([MARGIN, 16.0], Anchor::Start, 9.0, true, look.ink.into(), self.title.clone())];
        let notes = self.notes.join(" · ");
        marks.push(words([MARGIN, 27.0], Anchor::Start, 7.0, false, look.ink_3.into(), notes));
        marks
    }

    /// What the clock says at a picture.
    #[must_use]
    pub fn clock(&self, frame: usize) -> Option<String> {
        let time = self.timing.times.get(frame).copied()?;
        match self.clock {
            Clock::Seconds => {
                // As many digits as the pictures are apart.
                let gap = self.timing.delay * self.timing.speed;
                let digits = (-gap.log10()).ceil().clamp(0.0, 6.0) as usize;
                Some(format!("{time:.digits$} s"))
            }
            Clock::Points(count) => Some(format!("point {} of {count}", time as usize + 1)),
            Clock::None => None,
        }
    }

    /// One picture.
    #[must_use]
    pub fn frame(&self, frame: usize, look: &Look) -> Drawing {
        let mut marks = self.head(look);
        let clock = self
            .clock(frame)
            .map(|text| words([WIDTH - MARGIN, 16.0], Anchor::End, 9.0, false, look.ink_2.into(), text));
        marks.extend(clock);
        marks.extend((self.still)(look));
        marks.extend((self.moving)(frame, look));
        Drawing {
            width: WIDTH,
            height: self.height,
            title: self.title.clone(),
            description: self.description.clone(),
            ground: Some(look.surface),
            marks,
        }
    }

    /// Writes it, as the name of the file says.
    ///
    /// # Errors
    /// The file cannot be written, or the result is no longer wanted.
    pub fn write(&self, path: &Path, options: &Showing, host: &dyn Host) -> Result<(), Problem> {
        if self.timing.sparse {
            let rate = 1.0 / self.timing.delay;
            let count = self.timing.times.len();
            host.remark(format!("{}: {rate:.1} pictures per second, {count} in all", path.display()));
        }
        match Format::of(path)? {
            Format::Html => write::text(path, &html::page(self, host)?, host),
            Format::Svg => write::text(path, &svg::text(self, self.theme.look(), host)?, host),
            #[cfg(feature = "pictures")]
            Format::Gif => gif::write(self, path, options.frame_width, host),
            #[cfg(feature = "pictures")]
            Format::Apng => apng::write(self, path, options.frame_width, host),
            #[cfg(not(feature = "pictures"))]
            Format::Gif | Format::Apng => {
                let width = options.frame_width;
                Err(Problem::usage(format!("this build writes no pictures of {width} pixels")))
            }
        }
    }
}

/// Goes on with the next picture, and tells how far it is.
fn next(frame: usize, movie: &Movie<'_>, host: &dyn Host) -> Result<(), Problem> {
    match host.goes_on(frame as f64 / movie.timing.times.len() as f64) {
        std::ops::ControlFlow::Continue(()) => Ok(()),
        std::ops::ControlFlow::Break(()) => Err(Problem::cancelled()),
    }
}
