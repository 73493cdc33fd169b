//! A figure on a page: title, legend, and blocks of panels from top to bottom, all over one axis.

use super::drawing::{Anchor, Drawing, Mark, Path, Rectangle, Stroke};
use super::figure::{Axis, Block, Figure, Height, Kind, Panel, Role, Sample, Scale, extent};
use super::labels::wrapped;
use super::look::{
    BAND_OPACITY, BEHIND, DOT, DOT_OPACITY, EMPHASIS, LINE, Look, MARGIN, Measures, PRIOR_DASH, RESIDUAL, Size, Style,
    TICK,
};
use super::panel::{BESIDE, Place, Scaled};
use super::words;

/// Room between panels side by side.
const GAP: f64 = 12.0;
/// Room between the numbers of one panel and the name of the next.
const BETWEEN: f64 = 7.0;
/// Length of a sample of the legend.
const SAMPLE: f64 = 15.0;

impl Figure {
    /// The figure as marks on a page.
    #[must_use]
    pub fn drawing(&self, style: Style) -> Drawing {
        let look = style.theme.look();
        let mut page =
            Page { measures: style.plot_size.measures(), size: style.plot_size, look, y: MARGIN, marks: Vec::new() };
        page.heading(self);
        page.blocks(self);
        Drawing {
            width: page.measures.width,
            height: page.y + MARGIN,
            title: words::plain(&self.title),
            description: words::plain(&self.description),
            ground: (!style.transparent).then_some(look.surface),
            marks: page.marks,
        }
    }
}

struct Page<'l> {
    measures: Measures,
    size: Size,
    look: &'l Look,
    /// How far down the page is used.
    y: f64,
    marks: Vec<Mark>,
}

/// A block with its panels scaled, before they have their places.
struct Cells<'f> {
    block: &'f Block,
    columns: usize,
    cells: Vec<Vec<(Scaled<'f>, f64)>>,
}

impl Page<'_> {
    fn room(&self) -> f64 {
        self.measures.width - 2.0 * MARGIN
    }

    fn words(&mut self, x: f64, size: f64, bold: bool, colour: super::drawing::Colour, text: &str) {
        self.marks.push(words::mark([x, self.y], Anchor::Start, size, bold, colour, text));
    }

    fn heading(&mut self, figure: &Figure) {
        let Measures { title, tick, .. } = self.measures;
        for line in wrapped(std::slice::from_ref(&figure.title), self.room(), title, true) {
            self.y += title + 1.0;
            self.words(MARGIN, title, true, self.look.ink, &line);
        }
        for line in wrapped(&figure.notes, self.room(), tick, false) {
            self.y += tick + 3.0;
            self.words(MARGIN, tick, false, self.look.ink_3, &line);
        }
        self.y += 4.0;
        self.legend(figure);
    }

    fn legend(&mut self, figure: &Figure) {
        let Measures { label, .. } = self.measures;
        let mut roles = figure.legend.clone();
        let panels = || figure.blocks.iter().flat_map(|block| block.cells.iter().flatten());
        if !panels().any(|panel| Scaled::new(panel, 50.0).is_tinted()) {
            roles.retain(|role| role.sample != Sample::Beyond);
        }
        if figure.blocks.iter().any(has_own_scales) {
            roles.push(Role { sample: Sample::Nothing, text: "each panel has its own scale".to_owned() });
        }
        if roles.is_empty() {
            return;
        }
        let size = self.measures.tick;
        self.y += label + 5.0;
        let mut x = MARGIN;
        for role in &roles {
            let before = if role.sample == Sample::Nothing { 0.0 } else { SAMPLE + 4.0 };
            let wide = before + words::width(&role.text, size, false);
            if x > MARGIN && x + wide > self.measures.width - MARGIN {
                x = MARGIN;
                self.y += size + 4.0;
            }
            self.sample(&role.sample, x);
            let colour = if role.sample == Sample::Nothing { self.look.ink_3 } else { self.look.ink_2 };
            self.words(x + before, size, false, colour, &role.text);
            x += wide + 1.6 * label;
        }
        self.y += 2.0;
    }

    fn sample(&mut self, sample: &Sample, x: f64) {
        let y = self.y - 0.34 * self.measures.tick;
        match sample {
            Sample::Line(kind, hues) => {
                let part = SAMPLE / hues.len().max(1) as f64;
                for (k, hue) in hues.iter().enumerate() {
                    let colour = self.look.line_of(*hue);
                    let (from, to) = (
                        [x + k as f64 * part, y],
                        [x + (k + 1) as f64 * part - if hues.len() > 1 { 1.2 } else { 0.0 }, y],
                    );
                    let path = match kind {
                        Kind::Line => Path::line(from, to, Stroke::new(LINE + 0.3, colour)),
                        Kind::Emphasis => Path::line(from, to, Stroke::new(EMPHASIS + 0.3, colour)),
                        Kind::Residual => Path::line(from, to, Stroke::new(RESIDUAL, colour)),
                        Kind::Dashed => Path::line(from, to, Stroke::new(BEHIND, colour).dashed(PRIOR_DASH)),
                        Kind::Dots => {
                            let places: Vec<_> = (0..4).map(|i| [x + 1.5 + 4.0 * f64::from(i), y]).collect();
                            Path::dots(&places, DOT, colour.at(DOT_OPACITY))
                        }
                    };
                    self.marks.push(Mark::Path(path));
                }
            }
            Sample::Beyond => {
                let area = Rectangle { x, y: y - 3.5, width: SAMPLE, height: 7.0 };
                self.marks.push(Mark::Path(Path::rectangle(area, self.look.band.at(1.6 * BAND_OPACITY))));
            }
            Sample::Passed => {
                let (fill, stroke) = (self.look.surface.into(), Stroke::new(1.0, self.look.error));
                self.marks.push(Mark::Path(Path::circle([x + 0.5 * SAMPLE, y], 2.1, Some(fill), Some(stroke))));
            }
            Sample::Nothing => {}
        }
    }

    fn blocks(&mut self, figure: &Figure) {
        let measures = self.measures;
        let scaled: Vec<Cells<'_>> =
            figure.blocks.iter().filter(|block| !block.cells.is_empty()).map(|block| self.scaled(block)).collect();
        let panels = || scaled.iter().flat_map(|block| block.cells.iter().flatten().map(|(panel, _)| panel));
        let gutter = panels().map(|panel| panel.numbers(measures)).fold(0.0, f64::max) + 4.0;
        // Panels over the whole width end at one line.
        let whole = || scaled.iter().filter(|block| block.columns == 1);
        let ends =
            |block: &Cells<'_>| block.cells.iter().flatten().map(|(panel, _)| panel.ends(measures)).fold(0.0, f64::max);
        let margin = whole().map(ends).fold(0.0, f64::max);
        let common = common_range(figure);
        let count = scaled.len();
        for (index, block) in scaled.iter().enumerate() {
            let is_last = index + 1 == count;
            let next_is_alike = scaled.get(index + 1).is_some_and(|next| next.columns == 1 && block.columns == 1);
            // Half of the last number at the foot stands beyond the panel.
            let after = if block.columns == 1 { margin } else { ends(block) }.max(0.7 * measures.tick);
            self.block(block, figure, &common, [gutter, after], is_last, next_is_alike);
        }
    }

    fn scaled<'f>(&self, block: &'f Block) -> Cells<'f> {
        let fits = match (block.wide, self.size) {
            (true, Size::Column) => 1,
            (true, Size::Page | Size::Screen) => 2,
            (false, size) => size.columns(),
        };
        let columns = block.cells.len().min(fits);
        let is_plane = block.cells.iter().flatten().any(|panel| panel.own.is_some());
        let usual = match (columns, block.wide) {
            (_, _) if is_plane => 0.8 * (self.room() - GAP * (columns as f64 - 1.0)) / columns as f64,
            (1, _) => 62.0,
            (_, true) => 72.0,
            (_, false) if self.size == Size::Column => 38.0,
            (_, false) => 52.0,
        };
        let height = |panel: &Panel| match panel.height {
            Height::Usual => usual,
            Height::Tall => 104.0,
            Height::Low => {
                if block.wide || columns == 1 {
                    0.4 * 104.0
                } else {
                    0.4 * usual
                }
            }
        };
        let cell = |cell: &'f Vec<Panel>| {
            cell.iter().map(|panel| (Scaled::new(panel, height(panel)), height(panel))).collect()
        };
        Cells { block, columns, cells: block.cells.iter().map(cell).collect() }
    }

    fn block(
        &mut self,
        scaled: &Cells<'_>,
        figure: &Figure,
        common: &[f64; 2],
        [gutter, after]: [f64; 2],
        is_last: bool,
        next_is_alike: bool,
    ) {
        let Measures { label, tick, .. } = self.measures;
        let columns = scaled.columns;
        let cell_width = (self.room() - GAP * (columns as f64 - 1.0)) / columns as f64;
        let header = label + BESIDE + 3.0;
        let rows = scaled.cells.len().div_ceil(columns);
        for (row, cells) in scaled.cells.chunks(columns).enumerate() {
            let top = self.y + BETWEEN;
            let mut bottom = top;
            for (column, cell) in cells.iter().enumerate() {
                let below = row + 1 < rows && scaled.cells.len() > (row + 1) * columns + column;
                let mut y = top;
                for (k, (panel, height)) in cell.iter().enumerate() {
                    let lowest = k + 1 == cell.len();
                    let own = panel.panel.own.as_ref();
                    let area = Rectangle {
                        x: MARGIN + column as f64 * (cell_width + GAP) + gutter,
                        y: y + header,
                        width: (cell_width - gutter - after).max(20.0),
                        height: *height,
                    };
                    let numbered = own.is_some() || (lowest && !below && !next_is_alike);
                    let named = own.is_some() || (is_last && lowest && !below && self.is_named(scaled, row, column));
                    let (panel, x) = match own {
                        Some(plane) => squared(panel, plane.equal, area),
                        None => (panel.clone(), *common),
                    };
                    let axis: &Axis = own.map_or(&figure.x, |plane| &plane.x);
                    let place = Place { area, x, axis, numbered, named };
                    panel.draw(&place, self.measures, self.look, &mut self.marks);
                    let poles = !panel.panel.roots.is_empty();
                    let foot = if named {
                        TICK + 2.0 * tick + 7.0
                    } else if numbered || poles {
                        TICK + tick + 4.0
                    } else {
                        TICK
                    };
                    y = area.bottom() + foot + if lowest { 0.0 } else { BETWEEN };
                }
                bottom = bottom.max(y);
            }
            self.y = bottom;
        }
    }

    /// The name of the axis stands once, at the end of the last row; where cells are wide, below each.
    fn is_named(&self, scaled: &Cells<'_>, row: usize, column: usize) -> bool {
        let last = scaled.cells.len() - 1;
        scaled.block.wide || row * scaled.columns + column == last
    }
}

/// Panels side by side that do not show the same range.
fn has_own_scales(block: &Block) -> bool {
    let mut ranges = block.cells.iter().filter_map(|cell| cell.first()).map(|panel| Scaled::new(panel, 50.0).range());
    let first = ranges.next();
    !block.wide
        && block.cells.len() > 1
        && ranges.any(|range| Some(range) != first)
        && block.cells.iter().flatten().all(|panel| panel.own.is_none())
}

/// What is seen of the common axis: all of it.
fn common_range(figure: &Figure) -> [f64; 2] {
    let panels = figure.blocks.iter().flat_map(|block| block.cells.iter().flatten());
    let curves = panels.filter(|panel| panel.own.is_none()).flat_map(|panel| &panel.curves);
    let places = curves.flat_map(|curve| curve.x.iter().copied());
    match figure.x.scale {
        Scale::Linear | Scale::Degrees => match extent(places) {
            Some([low, high]) if low < high => [low, high],
            Some([low, _]) => [low - 0.5, low + 0.5],
            None => [0.0, 1.0],
        },
        Scale::Logarithmic => match extent(places.filter(|x| *x > 0.0)) {
            Some([low, high]) if low < high => [low, high],
            Some([low, _]) => [0.5 * low, 2.0 * low],
            None => [1.0, 10.0],
        },
    }
}

/// A panel with an axis of its own, and what is seen of it; both as long for one unit if they are to be.
fn squared<'p>(panel: &Scaled<'p>, equal: bool, area: Rectangle) -> (Scaled<'p>, [f64; 2]) {
    let places = panel.panel.curves.iter().flat_map(|curve| curve.x.iter().copied());
    let [low, high] = extent(places).unwrap_or([0.0, 1.0]);
    let air = if high > low { 0.05 * (high - low) } else { 0.5 };
    let x = [low - air, high + air];
    if !equal {
        return (panel.clone(), x);
    }
    let y = panel.range();
    let scale = ((x[1] - x[0]) / area.width).max((y[1] - y[0]) / area.height);
    let widened = |[low, high]: [f64; 2], length: f64| {
        let middle = 0.5 * (low + high);
        [middle - 0.5 * scale * length, middle + 0.5 * scale * length]
    };
    (panel.clone().widened(widened(y, area.height)), widened(x, area.width))
}
