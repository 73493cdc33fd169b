//! How pictures look: widths, sizes of words and lines, and colours in light and dark. One colour stands for one joint, everywhere.

use super::drawing::Colour;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a plot looks, as requests ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Style {
    /// Width of the plot
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, value_name = "SIZE"))]
    pub plot_size: Size,

    /// Colours of the plot
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, value_name = "THEME"))]
    pub theme: Theme,

    /// Leave the ground of the plot out, so that a page shines through
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub transparent: bool,
}

/// Widths of plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// 88 mm, a column of a paper
    Column,
    /// 180 mm, both columns
    #[default]
    Page,
    /// 720 pixels, with larger words
    Screen,
}

/// Colours on a light or a dark ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Dark ink on white
    #[default]
    Light,
    /// Light ink on black
    Dark,
}

/// Sizes of words and lines, points.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// Width of the picture.
    pub width: f64,
    /// Size of the title.
    pub title: f64,
    /// Size of labels.
    pub label: f64,
    /// Size of numbers at axes and of notes.
    pub tick: f64,
}

/// Around every picture, points.
pub const MARGIN: f64 = 8.0;
/// Width of a curve, points.
pub const LINE: f64 = 1.1;
/// Width of the curve that matters most.
pub const EMPHASIS: f64 = 1.3;
/// Width of residuals.
pub const RESIDUAL: f64 = 0.6;
/// Width of curves behind others.
pub const BEHIND: f64 = 0.8;
/// Width of grids.
pub const GRID: f64 = 0.4;
/// Width of axes.
pub const AXIS: f64 = 0.6;
/// Length of ticks.
pub const TICK: f64 = 3.0;
/// Diameter of measured points.
pub const DOT: f64 = 3.0;
/// How much a measured point covers.
pub const DOT_OPACITY: f64 = 0.42;
/// How much the tint beyond limits covers.
pub const BAND_OPACITY: f64 = 0.09;
/// Dashes of what was there before.
pub const PRIOR_DASH: [f64; 2] = [4.0, 2.5];
/// Dashes of auxiliary lines.
pub const LIMIT_DASH: [f64; 2] = [1.5, 1.5];

impl Size {
    /// Width and words.
    #[must_use]
    pub fn measures(self) -> Measures {
        match self {
            Self::Column => Measures { width: 249.45, title: 9.0, label: 8.0, tick: 7.0 },
            Self::Page => Measures { width: 510.24, title: 9.0, label: 8.0, tick: 7.0 },
            // Pixels of 1/96 inch: 720 wide, words of 13, 12 and 11.
            Self::Screen => Measures { width: 540.0, title: 9.75, label: 9.0, tick: 8.25 },
        }
    }

    /// Pixels for each point in a picture of pixels: what print needs, or two for each of a screen.
    #[must_use]
    pub fn resolution(self) -> f64 {
        match self {
            Self::Column | Self::Page => 300.0 / 72.0,
            Self::Screen => 2.0 * 96.0 / 72.0,
        }
    }

    /// Narrow panels that fit side by side.
    #[must_use]
    pub fn columns(self) -> usize {
        match self {
            Self::Column => 2,
            Self::Page | Self::Screen => 4,
        }
    }
}

/// The colours of a theme.
#[derive(Debug)]
pub struct Look {
    /// The ground.
    pub surface: Colour,
    /// Grids.
    pub line: Colour,
    /// Axes and ticks.
    pub line_strong: Colour,
    /// Titles.
    pub ink: Colour,
    /// Labels.
    pub ink_2: Colour,
    /// Notes and numbers at axes.
    pub ink_3: Colour,
    /// What is wrong.
    pub error: Colour,
    /// Beyond limits.
    pub band: Colour,
    /// What is measured.
    pub measured: Colour,
    /// Positive, kinetic.
    pub positive: Colour,
    /// Negative, potential.
    pub negative: Colour,
    /// Bodies of robots.
    pub link: Colour,
    /// Their edges.
    pub link_edge: Colour,
    /// Axes of frames: x, y, z.
    pub axes: [Colour; 3],
    /// Lines of joints.
    pub joints: [Colour; 8],
    /// Words about joints.
    pub joint_inks: [Colour; 8],
}

const fn rgb(hex: u32) -> Colour {
    Colour([(hex >> 16) as u8, (hex >> 8) as u8, hex as u8])
}

const fn rgbs(hexes: [u32; 8]) -> [Colour; 8] {
    let mut colours = [Colour([0; 3]); 8];
    let mut i = 0;
    while i < 8 {
        colours[i] = rgb(hexes[i]);
        i += 1;
    }
    colours
}

const LIGHT: Look = Look {
    surface: rgb(0xFFFFFF),
    line: rgb(0xDFE4EA),
    line_strong: rgb(0xB9C2CC),
    ink: rgb(0x14202B),
    ink_2: rgb(0x465362),
    ink_3: rgb(0x5F6C7B),
    error: rgb(0x9B1C1C),
    band: rgb(0x9B1C1C),
    measured: rgb(0x5F6C7B),
    positive: rgb(0x1F4E79),
    negative: rgb(0x9A4A1C),
    link: rgb(0xE9ECEF),
    link_edge: rgb(0x8F9AA6),
    axes: [rgb(0xB4443F), rgb(0x4B8A3F), rgb(0x3F66B0)],
    joints: rgbs([0x003CAC, 0xF06D00, 0x1EA87F, 0xA30F5A, 0x2381A2, 0x86630E, 0x9173FB, 0x822009]),
    joint_inks: rgbs([0x003CAC, 0xB45001, 0x007D5C, 0xA30F5A, 0x117697, 0x86630E, 0x7654DA, 0x822009]),
};

const DARK: Look = Look {
    surface: rgb(0x171B21),
    line: rgb(0x2A323B),
    line_strong: rgb(0x46525F),
    ink: rgb(0xE9EDF1),
    ink_2: rgb(0xB3BCC7),
    ink_3: rgb(0x8F9AA7),
    error: rgb(0xFF9C94),
    band: rgb(0xFF9C94),
    measured: rgb(0x8A95A2),
    positive: rgb(0x5B9BD8),
    negative: rgb(0xD98A55),
    link: rgb(0x77828F),
    link_edge: rgb(0xA9B3BE),
    axes: [rgb(0xE0726C), rgb(0x7DBB70), rgb(0x7F9FE0)],
    joints: rgbs([0x74A7F9, 0xFC8809, 0x88D6A3, 0xC46096, 0x69EFFE, 0xF9DC27, 0x9069F3, 0xEB5126]),
    joint_inks: rgbs([0x74A7F9, 0xFC8809, 0x88D6A3, 0xD16CA2, 0x69EFFE, 0xF9DC27, 0x9A75FF, 0xF55A30]),
};

impl Theme {
    /// Its colours.
    #[must_use]
    pub fn look(self) -> &'static Look {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

/// What a colour stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hue {
    /// The whole system.
    #[default]
    Ink,
    /// Something to compare with.
    Note,
    /// What is measured.
    Measured,
    /// Kinetic energy.
    Positive,
    /// Potential energy.
    Negative,
    /// A joint, counted from zero.
    Joint(usize),
    /// A joint of a limb of many: the limb, counted from zero, and a step of lightness.
    Limb(usize, usize),
}

/// Steps of lightness in one limb.
pub const SHADES: usize = 3;

impl Look {
    /// The colour of a line.
    #[must_use]
    pub fn line_of(&self, hue: Hue) -> Colour {
        self.colour(hue, &self.joints)
    }

    /// The colour of words.
    #[must_use]
    pub fn words_of(&self, hue: Hue) -> Colour {
        self.colour(hue, &self.joint_inks)
    }

    fn colour(&self, hue: Hue, joints: &[Colour; 8]) -> Colour {
        match hue {
            Hue::Ink => self.ink,
            Hue::Note => self.ink_3,
            Hue::Measured => self.measured,
            Hue::Positive => self.positive,
            Hue::Negative => self.negative,
            Hue::Joint(joint) => joints[joint % joints.len()],
            Hue::Limb(limb, step) => {
                let colour = joints[limb % joints.len()];
                match step % SHADES {
                    0 => colour,
                    1 => colour.towards(self.ink, 0.45),
                    _lighter => colour.towards(self.surface, 0.3),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast as the guidelines for readable pages define it.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let linear = |x: u8| {
            let x = f64::from(x) / 255.0;
            if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        };
        let light = |Colour([r, g, b]): Colour| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn words_and_lines_stand_out_from_the_ground_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let look = theme.look();
            for joint in 0..8 {
                assert!(contrast(look.words_of(Hue::Joint(joint)), look.surface) >= 4.5, "{theme:?} {joint}");
                assert!(contrast(look.line_of(Hue::Joint(joint)), look.surface) >= 2.9, "{theme:?} {joint}");
            }
            for words in [look.ink, look.ink_2, look.ink_3, look.error, look.positive, look.negative] {
                assert!(contrast(words, look.surface) >= 4.5, "{theme:?} {words:?}");
            }
        }
    }
}
