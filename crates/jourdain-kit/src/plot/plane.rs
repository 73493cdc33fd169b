//! Plots as SVG: lines in planes, two planes side by side, axes of equal scale where shapes matter.

use super::stacked::{COLORS, span, tick};
use super::{Line, Plane};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

const WIDTH: u32 = 1080;
const CELL_WIDTH: u32 = WIDTH / 2;
const CELL_HEIGHT: u32 = 460;
const TITLE_HEIGHT: u32 = 36;
const LEGEND_LINE: u32 = 16;
const LEGEND_LEFT: i32 = 82;
/// Pixels that margins, labels and the caption take of a cell, the legend apart.
const FRAME: [u32; 2] = [94, 76];

/// Planes, two in a row, as SVG.
pub(super) fn svg(title: &str, planes: &[Plane]) -> Result<String, Box<dyn std::error::Error>> {
    let rows = planes.len().div_ceil(2) as u32;
    let mut svg = String::new();
    draw_all(&mut svg, TITLE_HEIGHT + rows * CELL_HEIGHT, title, planes)?;
    Ok(svg)
}

fn draw_all(svg: &mut String, height: u32, title: &str, planes: &[Plane]) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, mut rest) = root.split_vertically(TITLE_HEIGHT);
    head.draw(&Text::new(title.to_owned(), (16, 10), ("sans-serif", 18).into_font()))?;
    for pair in planes.chunks(2) {
        let (row, below) = rest.split_vertically(CELL_HEIGHT);
        rest = below;
        let (left, right) = row.split_horizontally(CELL_WIDTH);
        for (area, plane) in [left, right].iter().zip(pair) {
            draw_plane(area, plane)?;
        }
    }
    root.present()?;
    Ok(())
}

fn draw_plane<B: DrawingBackend>(area: &DrawingArea<B, Shift>, plane: &Plane) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let (places, legend_height) = legend(plane);
    let points = || plane.lines.iter().flat_map(|line| line.points.iter().copied());
    let mut x = span(points().map(|point| point.0), 0.05);
    let mut y = span(points().map(|point| point.1), 0.05);
    if plane.equal {
        let inside = [CELL_WIDTH - FRAME[0], CELL_HEIGHT - FRAME[1] - legend_height].map(f64::from);
        let scale = ((x.end - x.start) / inside[0]).max((y.end - y.start) / inside[1]);
        (x, y) = (widened(&x, scale * inside[0]), widened(&y, scale * inside[1]));
    }
    area.draw(&Text::new(plane.title.clone(), (LEGEND_LEFT, 6), ("sans-serif", 15).into_font()))?;
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(16)
        .margin_top(28 + legend_height)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .axis_style(RGBColor(90, 90, 90))
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 13))
        .x_desc(&plane.x_axis)
        .y_desc(&plane.y_axis)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .draw()?;
    for line in &plane.lines {
        let color = COLORS[line.color % COLORS.len()];
        chart.draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(line.width)))?;
        if line.dots {
            chart.draw_series(line.points.iter().map(|point| Circle::new(*point, 2, color.filled())))?;
        }
    }
    for (line, (x, y)) in places {
        let color = COLORS[line.color % COLORS.len()];
        area.draw(&PathElement::new(vec![(x, y + 5), (x + 16, y + 5)], color.stroke_width(3)))?;
        let name = line.name.clone().unwrap_or_default();
        area.draw(&Text::new(name, (x + 22, y), ("sans-serif", 12).into_font()))?;
    }
    Ok(())
}

/// Where the names of lines stand, in rows between title and chart, and the height that they take.
#[allow(clippy::type_complexity)]
fn legend(plane: &Plane) -> (Vec<(&Line, (i32, i32))>, u32) {
    let (mut places, mut x, mut row) = (Vec::new(), LEGEND_LEFT, 0);
    for line in &plane.lines {
        let Some(name) = &line.name else { continue };
        // Seven pixels a letter at this size.
        let width = 36 + 7 * name.chars().count() as i32;
        if x + width > CELL_WIDTH as i32 && x > LEGEND_LEFT {
            (x, row) = (LEGEND_LEFT, row + 1);
        }
        places.push((line, (x, 26 + row * LEGEND_LINE as i32)));
        x += width;
    }
    (places, LEGEND_LINE * (row as u32 + 1))
}

/// The range with the same middle and a given length.
fn widened(range: &Range<f64>, length: f64) -> Range<f64> {
    let middle = 0.5 * (range.start + range.end);
    middle - 0.5 * length..middle + 0.5 * length
}
