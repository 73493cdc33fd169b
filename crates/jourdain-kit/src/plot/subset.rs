//! Part of a TrueType font: the outlines of the letters that occur, under the numbers that they had.
//!
//! Trap: a letter made of others would lose them. The fonts here have none such (see `font/make.py`).

/// Tables that a reader of an embedded font needs.
const TABLES: [&[u8; 4]; 6] = [b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"];

/// The font with the outlines of some letters only, and of the sign for an unknown one. A file that is no such font stays as it is.
pub(super) fn of(font: &[u8], kept: impl IntoIterator<Item = u16>) -> Vec<u8> {
    part(font, kept).unwrap_or_else(|| font.to_vec())
}

fn part(font: &[u8], kept: impl IntoIterator<Item = u16>) -> Option<Vec<u8>> {
    let mut tables = TABLES.map(|name| table(font, name).map(<[u8]>::to_vec));
    let [glyf, head, _, _, loca, maxp] = &tables;
    let (glyf, head, loca, maxp) = (glyf.as_ref()?, head.as_ref()?, loca.as_ref()?, maxp.as_ref()?);
    let is_long = word(head, 50)? != 0;
    let count = usize::from(word(maxp, 4)?);
    let place = |glyph: usize| {
        if is_long {
            long(loca, 4 * glyph).map(|at| at as usize)
        } else {
            word(loca, 2 * glyph).map(|at| 2 * usize::from(at))
        }
    };
    let mut is_kept = vec![false; count];
    *is_kept.first_mut()? = true;
    for glyph in kept {
        *is_kept.get_mut(usize::from(glyph))? = true;
    }
    let (mut outlines, mut places) = (Vec::new(), Vec::new());
    for (glyph, is_kept) in is_kept.into_iter().enumerate() {
        places.extend((outlines.len() as u32).to_be_bytes());
        if is_kept {
            outlines.extend_from_slice(glyf.get(place(glyph)?..place(glyph + 1)?)?);
            outlines.resize(outlines.len().next_multiple_of(4), 0);
        }
    }
    places.extend((outlines.len() as u32).to_be_bytes());
    let mut head = head.clone();
    head.get_mut(50..52)?.copy_from_slice(&1_u16.to_be_bytes());
    (tables[0], tables[1], tables[4]) = (Some(outlines), Some(head), Some(places));
    let tables: Vec<Vec<u8>> = tables.into_iter().collect::<Option<_>>()?;
    Some(assembled(&tables))
}

/// A font file of tables in the order of their names.
fn assembled(tables: &[Vec<u8>]) -> Vec<u8> {
    let count = tables.len() as u16;
    let power = count.ilog2();
    let range = 16 << power;
    let mut file = vec![0, 1, 0, 0];
    for number in [count, range, power as u16, 16 * count - range] {
        file.extend(number.to_be_bytes());
    }
    let mut at = 12 + 16 * tables.len();
    for (name, table) in TABLES.iter().zip(tables) {
        file.extend_from_slice(*name);
        for number in [checksum(table), at as u32, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    for table in tables {
        file.extend_from_slice(table);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

fn checksum(table: &[u8]) -> u32 {
    let word = |bytes: &[u8]| (0..4).fold(0_u32, |sum, i| sum << 8 | u32::from(bytes.get(i).copied().unwrap_or(0)));
    table.chunks(4).map(word).fold(0, u32::wrapping_add)
}

fn table<'f>(font: &'f [u8], name: &[u8; 4]) -> Option<&'f [u8]> {
    let count = usize::from(word(font, 4)?);
    let entry = (0..count).map(|k| 12 + 16 * k).find(|at| font.get(*at..at + 4) == Some(&name[..]))?;
    let (at, length) = (long(font, entry + 8)? as usize, long(font, entry + 12)? as usize);
    font.get(at..at.checked_add(length)?)
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::font::font;
    use super::*;
    use ttf_parser::{GlyphId, RawFace};

    struct Count(usize);

    impl ttf_parser::OutlineBuilder for Count {
        fn move_to(&mut self, _: f32, _: f32) {
            self.0 += 1;
        }
        fn line_to(&mut self, _: f32, _: f32) {
            self.0 += 1;
        }
        fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
            self.0 += 1;
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
            self.0 += 1;
        }
        fn close(&mut self) {}
    }

    #[test]
    fn kept_letters_look_as_before_and_others_are_empty() {
        let whole = font(false).unwrap();
        let [q, theta, other] = ['q', 'θ', 'Z'].map(|letter| whole.face.glyph_index(letter).unwrap());
        let file = of(whole.bytes, [q.0, theta.0]);
        assert!(file.len() < whole.bytes.len() / 5, "{} of {}", file.len(), whole.bytes.len());
        let face = ttf_parser::Face::from_raw_tables(tables(&RawFace::parse(&file, 0).unwrap())).unwrap();
        let outline = |face: &ttf_parser::Face<'_>, glyph: GlyphId| {
            let mut count = Count(0);
            face.outline_glyph(glyph, &mut count).map(|extent| (extent, count.0))
        };
        for glyph in [q, theta] {
            assert_eq!(outline(&face, glyph), outline(&whole.face, glyph));
            assert!(outline(&face, glyph).is_some());
        }
        assert_eq!(outline(&face, other), None);
        assert_eq!(of(b"no font", [1]), b"no font");
    }

    fn tables<'f>(raw: &RawFace<'f>) -> ttf_parser::RawFaceTables<'f> {
        let table = |name: &[u8; 4]| raw.table(ttf_parser::Tag::from_bytes(name));
        ttf_parser::RawFaceTables {
            head: table(b"head").unwrap(),
            hhea: table(b"hhea").unwrap(),
            maxp: table(b"maxp").unwrap(),
            glyf: table(b"glyf"),
            hmtx: table(b"hmtx"),
            loca: table(b"loca"),
            ..ttf_parser::RawFaceTables::default()
        }
    }
}
