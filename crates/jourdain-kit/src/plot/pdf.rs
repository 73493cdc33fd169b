//! Pictures as PDF: one page of the size of the picture, lines as lines, words as words that can be selected and searched.
//!
//! The fonts are embedded, of each only the letters that occur. The same picture is the same file, byte for byte: nothing tells when
//! it was made.

use super::drawing::{Colour, Drawing, Mark, Paint, Path, Rectangle, Step, Stroke, Text};
use super::font::{Font, font};
use super::subset;
use crate::problem::Problem;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write as _;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
/// Five numbers for each of the two fonts.
const FONTS: i32 = 6;
/// One number for each opacity.
const OPACITIES: i32 = 16;

const IDENTITY: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
const UNICODE: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 };

/// A picture as the bytes of a PDF file.
///
/// # Errors
/// There is not enough memory.
pub fn bytes(drawing: &Drawing) -> Result<Vec<u8>, Problem> {
    let mut sheet = Sheet { content: Content::new(), letters: Default::default(), opacities: Vec::new() };
    // y runs down, as everywhere in a drawing.
    sheet.content.transform([1.0, 0.0, 0.0, -1.0, 0.0, drawing.height as f32]);
    sheet.content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
    if let Some(ground) = drawing.ground {
        let area = Rectangle { x: 0.0, y: 0.0, width: drawing.width, height: drawing.height };
        sheet.path(&Path::rectangle(area, ground.into()));
    }
    drawing.marks.iter().for_each(|mark| sheet.mark(mark));
    let Sheet { content, letters, opacities } = sheet;
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES).lang(TextStr("en"));
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.parent(PAGES).contents(CONTENT);
    page.media_box(Rect::new(0.0, 0.0, drawing.width as f32, drawing.height as f32));
    let mut resources = page.resources();
    let mut names = resources.fonts();
    for (bold, used) in letters.iter().enumerate().filter(|(_, used)| !used.is_empty()) {
        names.pair(font_name(bold == 1), font_ref(bold, 0));
        debug_assert!(!used.is_empty());
    }
    names.finish();
    let mut states = resources.ext_g_states();
    for (index, _) in opacities.iter().enumerate() {
        states.pair(Name(opacity_name(index).as_bytes()), Ref::new(OPACITIES + index as i32));
    }
    states.finish();
    resources.finish();
    page.finish();
    for (index, opacity) in opacities.iter().enumerate() {
        let opacity = f32::from(*opacity) / 1000.0;
        pdf.ext_graphics(Ref::new(OPACITIES + index as i32)).stroking_alpha(opacity).non_stroking_alpha(opacity);
    }
    for (bold, used) in letters.iter().enumerate().filter(|(_, used)| !used.is_empty()) {
        if let Some(font) = font(bold == 1) {
            embed(&mut pdf, font, bold, used)?;
        }
    }
    pdf.stream(CONTENT, &deflated(content.finish().as_slice())?).filter(Filter::FlateDecode);
    let mut info = pdf.document_info(INFO);
    info.title(TextStr(&drawing.title)).subject(TextStr(&drawing.description)).creator(TextStr("jourdain"));
    info.finish();
    Ok(pdf.finish())
}

/// What a page is written with, and what it needs.
struct Sheet {
    content: Content,
    /// Letters that occur, in the regular and the semibold font, by their number in it.
    letters: [BTreeMap<u16, char>; 2],
    /// Opacities that occur, in thousandths.
    opacities: Vec<u16>,
}

impl Sheet {
    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Path(path) => self.path(path),
            Mark::Text(text) => self.text(text),
            Mark::Clip(rectangle, marks) => {
                let Rectangle { x, y, width, height } = *rectangle;
                self.content.save_state();
                self.content.rect(x as f32, y as f32, width as f32, height as f32).clip_nonzero().end_path();
                marks.iter().for_each(|mark| self.mark(mark));
                self.content.restore_state();
            }
        }
    }

    fn path(&mut self, path: &Path) {
        if let Some(fill) = path.fill {
            self.opacity(fill.opacity);
            let [red, green, blue] = shares(fill.colour);
            self.content.set_fill_rgb(red, green, blue);
            self.steps(path);
            self.content.fill_even_odd();
        }
        if let Some(Stroke { width, paint, dash }) = path.stroke {
            self.opacity(paint.opacity);
            let [red, green, blue] = shares(paint.colour);
            self.content.set_stroke_rgb(red, green, blue).set_line_width(hundredths(width));
            self.content.set_dash_pattern(dash.iter().flatten().map(|length| *length as f32), 0.0);
            self.steps(path);
            self.content.stroke();
        }
    }

    fn steps(&mut self, path: &Path) {
        for step in &path.steps {
            match *step {
                Step::Move([x, y]) => self.content.move_to(hundredths(x), hundredths(y)),
                Step::Line([x, y]) => self.content.line_to(hundredths(x), hundredths(y)),
                Step::Curve(a, b, c) => {
                    let [a, b, c] = [a, b, c].map(|place| place.map(hundredths));
                    self.content.cubic_to(a[0], a[1], b[0], b[1], c[0], c[1])
                }
                Step::Close => self.content.close_path(),
            };
        }
    }

    fn text(&mut self, text: &Text) {
        let Some(font) = font(text.bold) else { return };
        let Paint { colour, opacity } = text.paint;
        self.opacity(opacity);
        let [red, green, blue] = shares(colour);
        self.content.set_fill_rgb(red, green, blue).begin_text();
        let glyphs = font.glyphs(text);
        let mut rest = &glyphs[..];
        // Letters on one line and of one size are one piece; each accent has a place of its own.
        while let Some(first) = rest.first() {
            let same = |glyph: &&super::font::Glyph| glyph.at[1] == first.at[1] && glyph.size == first.size;
            let count = rest.iter().take_while(same).count();
            let (piece, after) = rest.split_at(count);
            rest = after;
            self.content.set_font(font_name(text.bold), hundredths(first.size));
            self.content.set_text_matrix([1.0, 0.0, 0.0, -1.0, hundredths(first.at[0]), hundredths(first.at[1])]);
            let mut codes = Vec::with_capacity(2 * count);
            for glyph in piece {
                self.letters[usize::from(text.bold)].insert(glyph.id, glyph.letter);
                codes.extend(glyph.id.to_be_bytes());
            }
            self.content.show(Str(&codes));
        }
        self.content.end_text();
    }

    fn opacity(&mut self, opacity: f64) {
        let thousandths = (1000.0 * opacity.clamp(0.0, 1.0)).round() as u16;
        let index = self.opacities.iter().position(|other| *other == thousandths).unwrap_or_else(|| {
            self.opacities.push(thousandths);
            self.opacities.len() - 1
        });
        self.content.set_parameters(Name(opacity_name(index).as_bytes()));
    }
}

/// Writes a font with the letters that occur.
fn embed(pdf: &mut Pdf, font: &Font, bold: usize, used: &BTreeMap<u16, char>) -> Result<(), Problem> {
    let [whole, descendant, descriptor, file, unicode] = [0, 1, 2, 3, 4].map(|k| font_ref(bold, k));
    // A font that is only part of itself has six letters before its name.
    let name = format!("JRDAIN+{}", font.name);
    let name = Name(name.as_bytes());
    pdf.type0_font(whole)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(descendant)
        .to_unicode(unicode);
    let per_em = |units: f64| (1000.0 * units * font.scale(1.0)) as f32;
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2).base_font(name).system_info(IDENTITY).font_descriptor(descriptor);
    cid.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for id in used.keys() {
        let advance = font.face.glyph_hor_advance(ttf_parser::GlyphId(*id)).unwrap_or(0);
        widths.consecutive(*id, [per_em(f64::from(advance))]);
    }
    widths.finish();
    cid.finish();
    let face = &font.face;
    let extent = face.global_bounding_box();
    let corner = |x: i16| per_em(f64::from(x));
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(corner(extent.x_min), corner(extent.y_min), corner(extent.x_max), corner(extent.y_max)))
        .italic_angle(0.0)
        .ascent(corner(face.ascender()))
        .descent(corner(face.descender()))
        .cap_height(corner(face.capital_height().unwrap_or(face.ascender())))
        .stem_v(if bold == 1 { 120.0 } else { 80.0 })
        .font_file2(file);
    let part = subset::of(font.bytes, used.keys().copied());
    pdf.stream(file, &deflated(&part)?).filter(Filter::FlateDecode).pair(Name(b"Length1"), part.len() as i32);
    let mut map = UnicodeCmap::new(Name(b"Custom"), UNICODE);
    used.iter().for_each(|(id, letter)| map.pair(*id, *letter));
    pdf.cmap(unicode, map.finish().as_slice());
    Ok(())
}

fn font_name(bold: bool) -> Name<'static> {
    Name(if bold { b"B" } else { b"R" })
}

fn font_ref(bold: usize, part: i32) -> Ref {
    Ref::new(FONTS + 5 * bold as i32 + part)
}

fn opacity_name(index: usize) -> String {
    format!("o{index}")
}

fn shares(Colour(rgb): Colour) -> [f32; 3] {
    rgb.map(|part| f32::from(part) / 255.0)
}

/// To a hundredth of a point; what is not finite has no place.
fn hundredths(x: f64) -> f32 {
    if x.is_finite() { ((100.0 * x).round() / 100.0) as f32 } else { 0.0 }
}

fn deflated(bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_err(|error| Problem::new("cannot-plot", format!("cannot compress the picture: {error}")))
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Anchor;
    use super::super::words;
    use super::*;
    use std::io::Read as _;

    fn picture() -> Drawing {
        let ink = Colour([0; 3]);
        let area = Rectangle { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        let marks = vec![
            words::mark([10.0, 20.0], Anchor::Start, 9.0, true, ink, "panda · q\u{307}_{1}"),
            words::mark([10.0, 40.0], Anchor::End, 9.0, false, ink, "time (s)"),
            Mark::Clip(area, vec![Mark::Path(Path::rectangle(area, ink.at(0.5)))]),
            Mark::Path(Path::dots(&[[1.0, f64::NAN]], 2.0, ink.into())),
        ];
        let (title, description) = ("panda".to_owned(), "falls".to_owned());
        Drawing { width: 100.0, height: 50.0, title, description, ground: Some(Colour([255; 3])), marks }
    }

    /// The contents of all streams, unpacked where they are packed.
    fn streams(file: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let position =
            |from: usize, what: &[u8]| file[from..].windows(what.len()).position(|it| it == what).map(|at| from + at);
        let mut from = 0;
        while let Some(start) = position(from, b"stream\n") {
            let end = position(start, b"\nendstream").expect("a stream ends");
            let packed = &file[start + 7..end];
            let mut bytes = Vec::new();
            if flate2::read::ZlibDecoder::new(packed).read_to_end(&mut bytes).is_err() {
                bytes = packed.to_vec();
            }
            found.push(bytes);
            from = end + 10;
        }
        found
    }

    #[test]
    fn a_page_has_the_size_of_the_picture_and_its_words_can_be_found() {
        let file = bytes(&picture()).unwrap();
        assert!(file.starts_with(b"%PDF-1."));
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains("/MediaBox [0 0 100 50]") && text.trim_end().ends_with("%%EOF"), "{text}");
        let streams = streams(&file);
        let maps: Vec<String> = streams
            .iter()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .filter(|text| text.contains("beginbfchar"))
            .collect();
        assert_eq!(maps.len(), 2);
        for letter in "pand·q\u{307}1".chars() {
            let code = format!("<{:04X}>", u32::from(letter));
            assert!(maps.iter().any(|map| map.contains(&code)), "{letter} of {maps:?}");
        }
        assert_eq!(file, bytes(&picture()).unwrap());
    }

    #[test]
    fn every_object_is_where_the_file_says() {
        let file = bytes(&picture()).unwrap();
        let text = |from: usize| String::from_utf8_lossy(&file[from..]).into_owned();
        let start: usize = text(0).rsplit("startxref").next().unwrap().trim().lines().next().unwrap().parse().unwrap();
        let table = text(start);
        assert!(table.starts_with("xref"), "{table}");
        let entries = table.lines().skip(2).take_while(|line| line.len() >= 18);
        let in_use = entries.enumerate().filter(|(_, line)| line.contains(" n"));
        let mut count = 0;
        for (number, line) in in_use {
            let at: usize = line[..10].parse().unwrap();
            assert!(text(at).starts_with(&format!("{number} 0 obj")), "object {number}");
            count += 1;
        }
        assert!(count > 10);
    }
}
