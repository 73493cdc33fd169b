//! Pictures as pixels, and pixels as PNG.
//!
//! Words are drawn with the fonts that jourdain carries, so that a picture looks the same on every machine.

use super::drawing::{Drawing, Mark, Paint, Path, Rectangle, Step, Stroke, Text};
use super::font;
use crate::problem::Problem;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;
use tiny_skia::{FillRule, LineCap, LineJoin, Mask, PathBuilder, Pixmap, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

/// Pixels in rows from the top, each as red, green, blue and opacity (not multiplied).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes for each pixel.
    pub rgba: Vec<u8>,
}

/// A picture as pixels, so many for each point.
///
/// # Errors
/// It has no area, or more than this machine can hold.
pub fn raster(drawing: &Drawing, scale: f64) -> Result<Image, Problem> {
    let [width, height] = [drawing.width, drawing.height].map(|points| (points * scale).round() as u32);
    let mut canvas = Pixmap::new(width, height).ok_or_else(|| {
        let message = format!("cannot draw a picture of {width} × {height} pixels");
        Problem::new("cannot-plot", message).hint("ask for a smaller one, or for SVG")
    })?;
    if let Some(ground) = drawing.ground {
        canvas.fill(colour(ground.into()));
    }
    let mut raster = Raster { transform: Transform::from_scale(scale as f32, scale as f32), canvas };
    for mark in &drawing.marks {
        raster.mark(mark, None);
    }
    Ok(Image { width, height, rgba: raster.canvas.take_demultiplied() })
}

struct Raster {
    canvas: Pixmap,
    transform: Transform,
}

impl Raster {
    fn mark(&mut self, mark: &Mark, clip: Option<&Mask>) {
        match mark {
            Mark::Path(path) => self.path(path, clip),
            Mark::Text(text) => self.text(text, clip),
            Mark::Clip(rectangle, marks) => {
                if let Some(mask) = self.mask(*rectangle, clip) {
                    marks.iter().for_each(|mark| self.mark(mark, Some(&mask)));
                }
            }
        }
    }

    /// `None` for a rectangle without area, in which nothing is seen.
    fn mask(&self, rectangle: Rectangle, outer: Option<&Mask>) -> Option<Mask> {
        let Rectangle { x, y, width, height } = rectangle;
        let [x, y, width, height] = [x, y, width, height].map(|points| points as f32);
        let path = PathBuilder::from_rect(tiny_skia::Rect::from_xywh(x, y, width, height)?);
        match outer {
            Some(outer) => {
                let mut mask = outer.clone();
                mask.intersect_path(&path, FillRule::Winding, true, self.transform);
                Some(mask)
            }
            None => {
                let mut mask = Mask::new(self.canvas.width(), self.canvas.height())?;
                mask.fill_path(&path, FillRule::Winding, true, self.transform);
                Some(mask)
            }
        }
    }

    fn path(&mut self, path: &Path, clip: Option<&Mask>) {
        let mut builder = PathBuilder::new();
        for step in &path.steps {
            match *step {
                Step::Move([x, y]) => builder.move_to(x as f32, y as f32),
                Step::Line([x, y]) => builder.line_to(x as f32, y as f32),
                Step::Curve([a, b], [c, d], [x, y]) => {
                    builder.cubic_to(a as f32, b as f32, c as f32, d as f32, x as f32, y as f32);
                }
                Step::Close => builder.close(),
            }
        }
        let Some(built) = builder.finish() else { return };
        if let Some(fill) = path.fill {
            self.canvas.fill_path(&built, &paint(fill), FillRule::EvenOdd, self.transform, clip);
        }
        if let Some(Stroke { width, paint: with, dash }) = path.stroke {
            let dash = dash.and_then(|dash| StrokeDash::new(dash.map(|length| length as f32).to_vec(), 0.0));
            let stroke = tiny_skia::Stroke {
                width: width as f32,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash,
                ..tiny_skia::Stroke::default()
            };
            self.canvas.stroke_path(&built, &paint(with), &stroke, self.transform, clip);
        }
    }

    fn text(&mut self, text: &Text, clip: Option<&Mask>) {
        let Some(font) = font::font(text.bold) else { return };
        let mut outline = Outline { builder: PathBuilder::new(), at: [0.0; 2], scale: 1.0 };
        for glyph in font.glyphs(text) {
            (outline.at, outline.scale) = (glyph.at, font.scale(glyph.size));
            font.outline(glyph.id, &mut outline);
        }
        if let Some(path) = outline.builder.finish() {
            // Strokes of a letter may overlap: all of them are ink.
            self.canvas.fill_path(&path, &paint(text.paint), FillRule::Winding, self.transform, clip);
        }
    }
}

/// Outlines of letters on the page.
struct Outline {
    builder: PathBuilder,
    at: [f64; 2],
    scale: f64,
}

impl Outline {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let [left, base] = self.at;
        ((left + self.scale * f64::from(x)) as f32, (base - self.scale * f64::from(y)) as f32)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

fn colour(paint: Paint) -> tiny_skia::Color {
    let [red, green, blue] = paint.colour.0;
    let opacity = (255.0 * paint.opacity.clamp(0.0, 1.0)).round() as u8;
    tiny_skia::Color::from_rgba8(red, green, blue, opacity)
}

fn paint(with: Paint) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
    paint.set_color(colour(with));
    paint
}

/// What every PNG file begins with.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// An image as a PNG file; `scale` is the number of its pixels in a point of 1/72 inch, which tells how large it is on paper.
///
/// # Errors
/// There is not enough memory.
pub fn bytes(image: &Image, scale: f64) -> Result<Vec<u8>, Problem> {
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header(image));
    // Colours are sRGB, to be shown as they look best.
    chunk(&mut file, b"sRGB", &[0]);
    let per_metre = ((scale * 72.0 / 0.0254).round() as u32).to_be_bytes();
    chunk(&mut file, b"pHYs", &[&per_metre[..], &per_metre, &[1]].concat());
    chunk(&mut file, b"IDAT", &compressed(image)?);
    chunk(&mut file, b"IEND", &[]);
    Ok(file)
}

/// Size and kind of pixels: the contents of `IHDR`.
#[must_use]
pub fn header(image: &Image) -> Vec<u8> {
    // Eight bits, red green blue and opacity, deflate, filters, not interlaced.
    [&image.width.to_be_bytes()[..], &image.height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat()
}

/// Adds a part to a PNG file.
pub fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], contents: &[u8]) {
    file.extend((contents.len() as u32).to_be_bytes());
    let mut sum = flate2::Crc::new();
    for part in [&kind[..], contents] {
        sum.update(part);
        file.extend(part);
    }
    file.extend(sum.sum().to_be_bytes());
}

/// The pixels of an image as `IDAT` has them: each row after its filter, deflated.
///
/// # Errors
/// There is not enough memory.
pub fn compressed(image: &Image) -> Result<Vec<u8>, Problem> {
    let row_bytes = 4 * image.width as usize;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; row_bytes];
    let mut filtered = vec![0; row_bytes];
    let mut write = || -> std::io::Result<Vec<u8>> {
        for row in image.rgba.chunks_exact(row_bytes.max(1)) {
            // Most rows of a drawing repeat the one above.
            for (out, (now, before)) in filtered.iter_mut().zip(row.iter().zip(&above)) {
                *out = now.wrapping_sub(*before);
            }
            encoder.write_all(&[2])?;
            encoder.write_all(&filtered)?;
            above.copy_from_slice(row);
        }
        encoder.try_finish()?;
        Ok(std::mem::take(encoder.get_mut()))
    };
    write().map_err(|error| Problem::new("cannot-plot", format!("cannot compress the picture: {error}")))
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Anchor, Colour};
    use super::super::words;
    use super::*;
    use std::io::Read as _;

    fn drawing() -> Drawing {
        let red = Colour([200, 0, 0]);
        let ink = Colour([0, 0, 0]);
        let inside = Path::rectangle(Rectangle { x: 0.0, y: 0.0, width: 40.0, height: 40.0 }, red.into());
        let clip = Rectangle { x: 10.0, y: 5.0, width: 10.0, height: 10.0 };
        let marks = vec![
            Mark::Clip(clip, vec![Mark::Path(inside)]),
            Mark::Path(Path::dots(&[[30.0, 10.0]], 4.0, ink.into())),
            words::mark([2.0, 28.0], Anchor::Start, 9.0, false, ink, "abc"),
        ];
        let (title, description) = (String::new(), String::new());
        Drawing { width: 40.0, height: 30.0, title, description, ground: Some(Colour([255; 3])), marks }
    }

    fn pixel(image: &Image, x: u32, y: u32) -> &[u8] {
        &image.rgba[4 * (y * image.width + x) as usize..][..4]
    }

    #[test]
    fn areas_end_at_their_clip_dots_are_round_and_words_are_ink() {
        let image = raster(&drawing(), 2.0).unwrap();
        assert_eq!((image.width, image.height, image.rgba.len()), (80, 60, 80 * 60 * 4));
        assert_eq!(pixel(&image, 30, 20), [200, 0, 0, 255]);
        assert_eq!(pixel(&image, 50, 20), [255; 4]);
        assert_eq!(pixel(&image, 60, 20), [0, 0, 0, 255]);
        let dark = (0..40).flat_map(|x| (44..58).map(move |y| (x, y))).filter(|&(x, y)| pixel(&image, x, y)[0] < 128);
        assert!(dark.count() > 30);
        assert!(raster(&Drawing { width: 0.0, ..drawing() }, 2.0).is_err());
    }

    #[test]
    fn a_file_says_its_size_and_unpacks_to_its_pixels() {
        let image = raster(&drawing(), 300.0 / 72.0).unwrap();
        let file = bytes(&image, 300.0 / 72.0).unwrap();
        assert_eq!(file[..8], SIGNATURE);
        assert_eq!(file[16..24], [image.width.to_be_bytes(), image.height.to_be_bytes()].concat());
        let at = file.windows(4).position(|kind| kind == b"pHYs").unwrap();
        assert_eq!(file[at + 4..at + 8], 11811_u32.to_be_bytes());
        let mut rows = Vec::new();
        let packed = compressed(&image).unwrap();
        flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut rows).unwrap();
        let row_bytes = 1 + 4 * image.width as usize;
        assert_eq!(rows.len(), row_bytes * image.height as usize);
        let mut above = vec![0_u8; row_bytes - 1];
        for (row, pixels) in rows.chunks(row_bytes).zip(image.rgba.chunks(row_bytes - 1)) {
            above.iter_mut().zip(&row[1..]).for_each(|(up, now)| *up = up.wrapping_add(*now));
            assert_eq!((row[0], &above[..]), (2, pixels));
        }
    }
}
