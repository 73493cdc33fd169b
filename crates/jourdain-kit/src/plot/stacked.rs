//! Plots as SVG: panels stacked over one axis, each with its legend beside it.

use super::Panel;
use plotters::coord::Shift;
use plotters::prelude::*;

const WIDTH: u32 = 960;
const LEGEND_WIDTH: u32 = 230;
const TITLE_HEIGHT: u32 = 36;
const PANEL_HEIGHT: u32 = 240;
const LEGEND_LINE: u32 = 15;
/// More curves than this have their legend in two columns.
const LEGEND_LINES: usize = 20;
/// Points that a curve is drawn with: two per pixel show all there is to see.
const MOST_POINTS: usize = 1600;

/// Colours that most colour-blind people tell apart (Okabe and Ito), but for the yellow, too faint on white.
pub(super) const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// Panels over the values of `x`, as SVG.
pub(super) fn svg(
    title: &str,
    x_axis: &str,
    x: &[f64],
    panels: &[Panel],
) -> Result<String, Box<dyn std::error::Error>> {
    let height = TITLE_HEIGHT + panels.iter().map(panel_height).sum::<u32>();
    let mut svg = String::new();
    draw(&mut svg, height, title, x_axis, x, panels)?;
    Ok(svg)
}

fn panel_height(panel: &Panel) -> u32 {
    PANEL_HEIGHT.max(50 + legend_lines(panel) as u32 * LEGEND_LINE)
}

fn legend_lines(panel: &Panel) -> usize {
    if panel.curves.len() > LEGEND_LINES { panel.curves.len().div_ceil(2) } else { panel.curves.len() }
}

fn draw(
    svg: &mut String,
    height: u32,
    title: &str,
    x_axis: &str,
    x: &[f64],
    panels: &[Panel],
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, mut rest) = root.split_vertically(TITLE_HEIGHT);
    head.draw(&Text::new(title.to_owned(), (16, 10), ("sans-serif", 18).into_font()))?;
    for (index, panel) in panels.iter().enumerate() {
        let (area, below) = rest.split_vertically(panel_height(panel));
        rest = below;
        let (chart, legend) = area.split_horizontally(WIDTH - LEGEND_WIDTH);
        let label = if index + 1 == panels.len() { x_axis } else { "" };
        draw_chart(&chart, label, x, panel)?;
        draw_legend(&legend, panel)?;
    }
    root.present()?;
    Ok(())
}

fn draw_chart<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    x_axis: &str,
    x: &[f64],
    panel: &Panel,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let values = || panel.curves.iter().flat_map(|curve| curve.values.iter().copied());
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(16)
        .x_label_area_size(if x_axis.is_empty() { 22 } else { 40 })
        .y_label_area_size(70)
        .build_cartesian_2d(span(x.iter().copied(), 0.0), span(values(), 0.05))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .axis_style(RGBColor(90, 90, 90))
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 13))
        .x_desc(x_axis)
        .y_desc(&panel.axis)
        .y_labels(6)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .draw()?;
    for (index, curve) in panel.curves.iter().enumerate() {
        let points = thinned(x, &curve.values);
        let style = color(index, panel.curves.len()).stroke_width(2);
        chart.draw_series(LineSeries::new(points, style))?;
    }
    Ok(())
}

fn draw_legend<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &Panel) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let lines = legend_lines(panel);
    let columns = panel.curves.len().div_ceil(lines.max(1)).max(1);
    let width = LEGEND_WIDTH as usize / columns;
    for (index, curve) in panel.curves.iter().enumerate() {
        let (x, y) = ((index / lines * width) as i32, 12 + (index % lines) as i32 * LEGEND_LINE as i32);
        let style = color(index, panel.curves.len()).stroke_width(3);
        area.draw(&PathElement::new(vec![(x, y + 5), (x + 16, y + 5)], style))?;
        // Six pixels a letter at this size.
        let name = shorten(&curve.name, (width - 26) / 6);
        area.draw(&Text::new(name, (x + 22, y), ("sans-serif", 12).into_font()))?;
    }
    Ok(())
}

/// The middle of a long name gives way to an ellipsis.
fn shorten(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let (front, back) = (most / 2, most.saturating_sub(most / 2 + 1));
    letters[..front].iter().chain(&['…']).chain(&letters[letters.len() - back..]).collect()
}

fn color(index: usize, count: usize) -> RGBColor {
    if count <= COLORS.len() {
        return COLORS[index % COLORS.len()];
    }
    // Round the circle of hues, every other one darker.
    let (r, g, b) = HSLColor(index as f64 / count as f64, 0.85, if index.is_multiple_of(2) { 0.45 } else { 0.3 }).rgb();
    RGBColor(r, g, b)
}

/// The range of the values with a margin on both sides; never empty.
pub(super) fn span(values: impl Iterator<Item = f64>, margin: f64) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    let size = high - low;
    // What varies by rounding only is shown as the constant that it is.
    if size <= 1e-9 * low.abs().max(high.abs()).max(1e-9) {
        let half = 0.1 * low.abs().max(high.abs()).max(10.0 * f64::from(size == 0.0 && low == 0.0)).max(1e-6);
        return low - half..high + half;
    }
    low - margin * size..high + margin * size
}

/// A number at an axis: short, without the noise of rounding.
pub(super) fn tick(x: &f64) -> String {
    if x.abs() >= 1e5 || (*x != 0.0 && x.abs() < 1e-4) {
        if x.abs() < 1e-14 { "0".to_owned() } else { format!("{x:.1e}") }
    } else {
        let text = format!("{x:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    }
}

/// At most so many points, the lowest and the highest of each bucket, so that no peak is lost.
fn thinned(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let points: Vec<_> = x.iter().copied().zip(y.iter().copied()).collect();
    if points.len() <= MOST_POINTS {
        return points;
    }
    let mut kept = vec![points[0]];
    for bucket in points.chunks(points.len().div_ceil(MOST_POINTS / 2)) {
        let extreme = |sign: f64| {
            let worst = |best: usize, i: usize| if sign * bucket[i].1 > sign * bucket[best].1 { i } else { best };
            (0..bucket.len()).fold(0, worst)
        };
        let (a, b) = (extreme(1.0), extreme(-1.0));
        kept.push(bucket[a.min(b)]);
        if a != b {
            kept.push(bucket[a.max(b)]);
        }
    }
    kept.extend(points.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks_and_both_ends() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y = vec![0.0; x.len()];
        y[54_321] = 7.0;
        let kept = thinned(&x, &y);
        assert!(kept.len() <= MOST_POINTS + 2 && kept.contains(&(54_321.0, 7.0)));
        assert_eq!((kept[0].0, kept[kept.len() - 1].0), (0.0, 99_999.0));
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(
            [0.0, 0.30000000000000004, -2.5, 1e6, 2e-5, -1e-17].map(|x| tick(&x)),
            ["0", "0.3", "-2.5", "1.0e6", "2.0e-5", "0"]
        );
    }

    #[test]
    fn ranges_are_never_empty() {
        for values in [vec![], vec![0.0; 3], vec![5.0, 5.0 + 1e-15], vec![-1.0, 2.0]] {
            let range = span(values.iter().copied(), 0.05);
            assert!(
                range.end > range.start && range.start.is_finite() && range.end.is_finite(),
                "{values:?} {range:?}"
            );
        }
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shorten("left_shoulder_pitch", 9), "left…itch");
        assert_eq!(shorten("elbow", 9), "elbow");
    }
}
