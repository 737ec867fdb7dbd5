//! A plot of a swept workload: nanoseconds for each entity, by the number of entities, both by
//! powers of ten.
//!
//! The background is a white rectangle, so that the plot reads on a dark page. Lines are told apart
//! by three things: colours of Okabe and Ito, which also those see apart who see fewer colours;
//! dashes; and markers. The names stand beside the plot, in the order in which the lines end.

use std::collections::BTreeSet;
use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::words;
use crate::library::Role;
use crate::results::{Library, Results};

const SIZE: (u32, u32) = (960, 540);
/// Where the names begin.
const NAMES_AT: i32 = 760;
const LINE: i32 = 26;
const FONT: &str = "sans-serif";

/// Okabe and Ito's, without black, which is ours, and yellow, which is lost on white.
const COLORS: [RGBColor; 6] = [
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
];
const GREY: RGBColor = RGBColor(120, 120, 120);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Point = (f64, f64);

/// The color, width, dashes and marker of a library's line, the same in every plot.
#[derive(Clone, Copy)]
struct Look {
    color: RGBColor,
    width: u32,
    /// The lengths of dashes and gaps; none for a line without gaps.
    dashes: Option<(i32, i32)>,
    marker: Marker,
}

#[derive(Clone, Copy)]
enum Marker {
    None,
    Circle,
    Triangle,
    Cross,
}

/// A library's line.
struct Line<'a> {
    entrant: &'a Library,
    look: Look,
    points: Vec<Point>,
}

/// Draws a workload as SVG.
///
/// # Errors
/// When the plot cannot be drawn.
pub(crate) fn plot(results: &Results, workload: &str) -> Result<String, String> {
    let lines = lines(results, workload);
    let what = results.rows.iter().find(|row| row.workload == workload).map_or("", |row| &row.what);
    let mut svg = String::new();
    let counts: Vec<f64> = counts(results).map(f64::from).collect();
    draw(&mut svg, &format!("{workload}: {what}"), &lines, &counts)
        .map_err(|error| format!("{workload}.svg: {error}"))?;
    Ok(svg)
}

/// The lines, the one that ends highest first.
fn lines<'a>(results: &'a Results, workload: &str) -> Vec<Line<'a>> {
    let mut peers = 0;
    let mut lines = Vec::new();
    for library in &results.libraries {
        let look = look(library, peers);
        peers += usize::from(library.is_peer());
        let point = |count: u32| {
            let (_, cell) = results.find(workload, count)?.best(|other| other == library)?;
            // there is no place for less than nothing where powers of ten are
            (cell.median > 0.0).then_some((f64::from(count), cell.median))
        };
        let points: Vec<_> = counts(results).filter_map(point).collect();
        if !points.is_empty() {
            lines.push(Line { entrant: library, look, points });
        }
    }
    let end = |line: &Line<'_>| line.points.last().map_or(0.0, |point| point.1);
    lines.sort_by(|a, b| end(b).total_cmp(&end(a)));
    lines
}

/// The numbers of entities of the measured rows, in ascending order.
fn counts(results: &Results) -> impl Iterator<Item = u32> {
    results.rows.iter().map(|row| row.entities).collect::<BTreeSet<_>>().into_iter()
}

/// The look of a library before which there are so many peers.
fn look(library: &Library, peers: usize) -> Look {
    let (dashes, marker) = match peers / COLORS.len() {
        0 => (None, Marker::Circle),
        1 => (Some((8, 4)), Marker::Triangle),
        _ => (Some((2, 4)), Marker::Cross),
    };
    let plain = Look { color: GREY, width: 2, dashes: Some((8, 5)), marker: Marker::None };
    match library.role {
        Role::Subject => Look { color: BLACK, width: 4, dashes: None, ..plain },
        Role::Limit => plain,
        Role::Baseline => Look { dashes: Some((3, 4)), ..plain },
        Role::Peer => Look { color: COLORS[peers % COLORS.len()], dashes, marker, ..plain },
    }
}

fn draw(svg: &mut String, title: &str, lines: &[Line<'_>], counts: &[f64]) -> Result<(), Box<dyn Error>> {
    let most = counts.last().copied().unwrap_or(1.0);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(title.to_owned(), (16, 14), (FONT, 17).into_font().color(&BLACK)))?;
    let (left, right) = root.split_horizontally(NAMES_AT);
    let figures = || lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let low = figures().fold(f64::INFINITY, f64::min).min(1e12);
    let high = figures().fold(low, f64::max);
    let mut chart = ChartBuilder::on(&left)
        .margin_top(44)
        .margin_left(10)
        .margin_right(14)
        .margin_bottom(8)
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(
            (0.8..most * 1.25).log_scale().with_key_points(counts.to_vec()),
            (low / 1.3..high * 1.3).log_scale().with_key_points(ticks(low / 1.3, high * 1.3)),
        )?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .axis_style(RGBColor(90, 90, 90))
        .label_style((FONT, 15).into_font().color(&BLACK))
        .axis_desc_style((FONT, 16).into_font().color(&BLACK))
        .x_desc("entities")
        .y_desc("nanoseconds per entity")
        .x_label_formatter(&|count| short(*count))
        .y_label_formatter(&|figure| short(*figure))
        .draw()?;
    // ours is drawn last, over the others
    let (ours, others): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.entrant.role == Role::Subject);
    for Line { look, points, .. } in others.into_iter().chain(ours) {
        let points = points.iter().copied();
        match look.dashes {
            None => chart.draw_series(LineSeries::new(points.clone(), look.stroke()))?,
            Some((dash, gap)) => {
                chart.draw_series(DashedLineSeries::new(points.clone(), dash, gap, look.stroke()))?
            }
        };
        match look.marker {
            Marker::None => {}
            Marker::Circle => {
                chart.draw_series(points.map(|at| Circle::new(at, 4, look.color.filled())))?;
            }
            Marker::Triangle => {
                chart.draw_series(points.map(|at| TriangleMarker::new(at, 6, look.color.filled())))?;
            }
            Marker::Cross => {
                chart.draw_series(points.map(|at| Cross::new(at, 4, look.stroke())))?;
            }
        }
    }
    names(&right, lines)?;
    root.present()?;
    Ok(())
}

/// The names beside the plot.
fn names(area: &Area<'_>, lines: &[Line<'_>]) -> Result<(), Box<dyn Error>> {
    for (i, Line { entrant: library, look, .. }) in lines.iter().enumerate() {
        let y = 60 + LINE * i as i32;
        let (from, middle, to) = ((4, y), (22, y), (40, y));
        match look.dashes {
            None => area.draw(&PathElement::new([from, to], look.stroke()))?,
            Some((dash, gap)) => {
                area.draw(&DashedPathElement::new([from, to], dash, gap, look.stroke()))?;
            }
        }
        match look.marker {
            Marker::None => {}
            Marker::Circle => area.draw(&Circle::new(middle, 4, look.color.filled()))?,
            Marker::Triangle => area.draw(&TriangleMarker::new(middle, 6, look.color.filled()))?,
            Marker::Cross => area.draw(&Cross::new(middle, 4, look.stroke()))?,
        }
        let font = (FONT, 16).into_font();
        let font = if library.role == Role::Subject { font.style(FontStyle::Bold) } else { font };
        let style = font.color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(library.title(), (48, y), style))?;
    }
    Ok(())
}

impl Look {
    fn stroke(self) -> ShapeStyle {
        self.color.stroke_width(self.width)
    }
}

/// The powers of ten within a range; with two and five times each where these are few.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let of = |steps: &[f64]| -> Vec<f64> {
        let powers = (-3..10).map(|power| 10_f64.powi(power));
        let ticks = powers.flat_map(|power| steps.iter().map(move |step| step * power));
        ticks.filter(|tick| (low..=high).contains(tick)).collect()
    };
    if high / low < 3_000.0 { of(&[1.0, 2.0, 5.0]) } else { of(&[1.0]) }
}

/// `0.05`, `5`, `10`, `1,000`, `100k`, `1M`.
fn short(figure: f64) -> String {
    match figure {
        figure if figure < 1.0 => {
            let text = format!("{figure:.3}");
            text.trim_end_matches('0').to_owned()
        }
        figure if figure < 10_000.0 => words::count(figure.round() as u32),
        figure if figure < 1_000_000.0 => format!("{:.0}k", figure / 1e3),
        figure => format!("{:.0}M", figure / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn plot_has_a_name_for_each_line_and_is_the_same_every_time() {
        let cells: &[(&str, f64)] = &[("arrays", 0.5), ("ecs", 0.6), ("hecs", 1.0), ("sparsey", 12.0)];
        let results = results(&[("add_remove", 1, cells), ("add_remove", 1_000_000, cells)]);
        let svg = plot(&results, "add_remove").unwrap();
        for name in ["arrays", "ecs 1.2.3", "hecs 1.2.3", "sparsey 1.2.3", "1M", "nanoseconds per entity"] {
            assert!(svg.contains(&format!("\n{name}\n")), "{name}: {svg}");
        }
        assert!(!svg.contains("gecs"));
        assert!(svg.contains("fill=\"#FFFFFF\""), "a white background");
        assert_eq!(plot(&results, "add_remove").unwrap(), svg);
    }

    #[test]
    fn plot_of_nothing_is_empty() {
        assert!(plot(&results(&[]), "add_remove").is_ok());
        assert!(plot(&results(&[("add_remove", 1, &[("ecs", 0.0)])]), "add_remove").is_ok());
    }

    #[test]
    fn ticks_are_within_and_not_too_many() {
        assert_eq!(ticks(0.4, 6.0), [0.5, 1.0, 2.0, 5.0]);
        assert_eq!(ticks(0.4, 90_000.0), [1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
        assert_eq!([0.05, 2.0, 5_000.0, 10_000.0, 1e6].map(short), ["0.05", "2", "5,000", "10k", "1M"]);
    }
}
