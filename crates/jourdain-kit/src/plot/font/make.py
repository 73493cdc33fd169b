"""Makes the fonts of plots: python make.py Inter-Regular.woff2 Inter-SemiBold.woff2

Needs fonttools and brotli, and the files of Inter 4.1 (https://rsms.me/inter). Writes regular.ttf and semibold.ttf, of the letters
that plots need and nothing else, with digits of one width, and advances.rs, so that words can be measured without a font at hand.
"""

import sys
from fontTools import subset, ttLib
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen

LETTERS = [
    *range(0x20, 0x7F),  # ASCII
    *range(0xA0, 0x180),  # Latin-1, Latin Extended-A
    0x300, 0x301, 0x302, 0x303, 0x304, 0x307, 0x308,  # accents, dots of derivatives
    *range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA), 0x3D1, 0x3D5,  # Greek
    0x2070, *range(0x2074, 0x207C), *range(0x2080, 0x208C),  # exponents and indices
    0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2016, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x2030, 0x2032, 0x2033,
    0x2009, 0x202F, 0x2113, 0x2190, 0x2191, 0x2192, 0x2193, 0x2194,
    0x2202, 0x2206, 0x220F, 0x2211, 0x2212, 0x2215, 0x221A, 0x221E, 0x222B, 0x2248, 0x2260, 0x2264, 0x2265,
    0x25CB, 0x25CF, 0x2713, 0x2717,
]
# What browsers do for `tabular-nums`.
TABULAR = {ord("0") + i: f"{name}.tf" for i, name in enumerate("zero one two three four five six seven eight nine".split())}


def made(path):
    font = ttLib.TTFont(path, recalcTimestamp=False)
    options = subset.Options(layout_features=["tnum"], hinting=False, glyph_names=True, name_IDs=[1, 2, 5, 6, 13, 14], notdef_outline=True)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    for table in font["cmap"].tables:
        for code, glyph in TABULAR.items():
            if code in table.cmap and glyph in font.getGlyphOrder():
                table.cmap[code] = glyph
    # Without composites, a glyph stands for itself.
    glyphs = font.getGlyphSet()
    for name in font.getGlyphOrder():
        if font["glyf"][name].isComposite():
            pen = DecomposingRecordingPen(glyphs)
            glyphs[name].draw(pen)
            simple = TTGlyphPen(None)
            pen.replay(simple)
            font["glyf"][name] = simple.glyph()
    for table in ("GSUB", "GPOS", "GDEF", "STAT", "DSIG", "gasp"):
        if table in font:
            del font[table]
    font["post"].formatType = 3.0
    for name in list(font["glyf"].keys()):
        font["glyf"][name].expand(font["glyf"])
    # Only what a letter stands for: plain digits are gone.
    second = subset.Subsetter(subset.Options(hinting=False, glyph_names=False, name_IDs=[1, 2, 5, 6, 13, 14], notdef_outline=True))
    second.populate(unicodes=LETTERS)
    second.subset(font)
    return font


def main():
    fonts = [made(path) for path in sys.argv[1:3]]
    for font, name in zip(fonts, ["regular", "semibold"]):
        font.flavor = None
        font.save(f"{name}.ttf", reorderTables=True)
    tables = [font.getBestCmap() for font in fonts]
    rows = []
    for code in sorted(set(tables[0]) & set(tables[1])):
        widths = [font["hmtx"][table[code]][0] for font, table in zip(fonts, tables)]
        rows.append(f"    ('\\u{{{code:x}}}', [{widths[0]}, {widths[1]}]),\n")
    with open("advances.rs", "w") as file:
        file.write("//! Widths of letters, made by `make.py`.\n\n")
        file.write("/// Units of these widths that make one em.\n")
        file.write(f"pub(super) const EM: u16 = {fonts[0]['head'].unitsPerEm};\n\n")
        file.write("/// Letters in the order of their numbers, each with its width in the regular and the semibold font.\n")
        file.write("#[rustfmt::skip]\n")
        file.write(f"pub(super) const ADVANCES: [(char, [u16; 2]); {len(rows)}] = [\n")
        file.writelines(rows)
        file.write("];\n")
    missing = [hex(code) for code in LETTERS if code not in tables[0]]
    print("not in the font:", *missing)


main()
