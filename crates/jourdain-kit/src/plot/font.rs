//! The fonts that pictures carry: regular and semibold Inter, of the letters that plots need (see `font/make.py`, licence beside it).

use super::drawing::{Anchor, Text};
use super::words;
use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder, Rect};

/// The font file of usual words.
const REGULAR: &[u8] = include_bytes!("font/regular.ttf");
/// The font file of heavier ones.
const SEMIBOLD: &[u8] = include_bytes!("font/semibold.ttf");

/// How far an accent stands above a letter, in em.
const ABOVE: f64 = 0.075;

/// A font with its file.
pub(super) struct Font {
    /// What it is called.
    pub(super) name: &'static str,
    /// The file.
    pub(super) bytes: &'static [u8],
    /// What is in it.
    pub(super) face: Face<'static>,
}

/// A letter at its place on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Its number in the font; 0 for letters that the font does not have.
    pub(super) id: u16,
    /// What it shows.
    pub(super) letter: char,
    /// Its origin.
    pub(super) at: [f64; 2],
    /// Points.
    pub(super) size: f64,
}

/// The font of usual or heavier words; `None` only if its file is damaged.
pub(super) fn font(bold: bool) -> Option<&'static Font> {
    static FONTS: [OnceLock<Option<Font>>; 2] = [const { OnceLock::new() }; 2];
    let (name, bytes) = if bold { ("Inter-SemiBold", SEMIBOLD) } else { ("Inter-Regular", REGULAR) };
    FONTS[usize::from(bold)].get_or_init(|| Some(Font { name, bytes, face: Face::parse(bytes, 0).ok()? })).as_ref()
}

impl Font {
    /// Points per unit of the font at a size.
    pub(super) fn scale(&self, size: f64) -> f64 {
        size / f64::from(self.face.units_per_em())
    }

    /// Letters of a line of words, each at its place.
    pub(super) fn glyphs(&self, text: &Text) -> Vec<Glyph> {
        let width = words::width_of(&text.runs, text.size, text.bold);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * width,
            Anchor::End => -width,
        };
        let (mut x, mut glyphs) = (text.at[0] + start, Vec::new());
        for run in &text.runs {
            let (small, below) = run.level.place();
            let (size, y) = (small * text.size, text.at[1] + below * text.size);
            for letter in run.text.chars() {
                let id = self.face.glyph_index(letter).unwrap_or_default().0;
                let before = glyphs.last().copied().filter(|_| words::is_accent(letter));
                let at = before.and_then(|under| self.over(under, id)).unwrap_or([x, y]);
                glyphs.push(Glyph { id, letter, at, size });
                x += size * words::advance(letter, text.bold);
            }
        }
        glyphs
    }

    /// Where an accent stands: in the middle of the letter before, a little above it.
    fn over(&self, under: Glyph, accent: u16) -> Option<[f64; 2]> {
        let (letter, above) = (self.extent(under.id)?, self.extent(accent)?);
        let middle = |box_: Rect| 0.5 * (f64::from(box_.x_min) + f64::from(box_.x_max));
        let scale = self.scale(under.size);
        let rise = f64::from(letter.y_max) - f64::from(above.y_min);
        Some([under.at[0] + scale * (middle(letter) - middle(above)), under.at[1] - scale * rise - ABOVE * under.size])
    }

    fn extent(&self, glyph: u16) -> Option<Rect> {
        self.face.glyph_bounding_box(GlyphId(glyph))
    }

    /// Draws the outline of a letter, in units of the font, y upwards.
    pub(super) fn outline(&self, glyph: u16, builder: &mut dyn OutlineBuilder) {
        // A space has none.
        let _extent = self.face.outline_glyph(GlyphId(glyph), builder);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Colour;
    use super::*;

    #[test]
    fn the_table_of_widths_is_that_of_the_fonts() {
        for bold in [false, true] {
            let font = font(bold).expect("the font can be read");
            for letter in "AZaz09 .,()[]·°±²µ×θτδωΣΩ−–…′√∞≈≤≥→ℓ○".chars() {
                let id = font.face.glyph_index(letter).unwrap_or_else(|| panic!("`{letter}` is in the font"));
                let width = f64::from(font.face.glyph_hor_advance(id).expect("it has a width")) * font.scale(1.0);
                assert_eq!(width, words::advance(letter, bold), "`{letter}`");
            }
        }
    }

    #[test]
    fn dots_stand_on_their_letter() {
        let font = font(false).expect("the font can be read");
        let runs = words::runs("q\u{307}_{1}");
        let paint = Colour([0; 3]).into();
        let glyphs =
            font.glyphs(&Text { at: [10.0, 20.0], anchor: Anchor::Start, size: 8.0, bold: false, paint, runs });
        assert_eq!(glyphs.len(), 3);
        assert!(glyphs[1].at[0] > 10.0 && glyphs[1].at[0] < 14.0, "{glyphs:?}");
        assert!(glyphs[2].at[1] > 20.0 && glyphs[2].size < 8.0, "{glyphs:?}");
    }
}
