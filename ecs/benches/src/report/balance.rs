//! The picture of all wins and losses: for each workload, the time of this library divided by that
//! of the best peer.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::words;
use crate::results::{Comparison, Results};

const WIDTH: u32 = 1080;
/// The picture has this many columns of workloads, each with an axis of its own.
const COLUMNS: usize = 2;
const LINE: i32 = 15;
const TOP: i32 = 64;
/// Where the axis of a column begins, from the left of the column, and its length.
const AXIS: (i32, i32) = (224, 296);
/// The range of ratios; others are drawn at its ends.
const RANGE: (f64, f64) = (1.0 / 64.0, 32.0);
const TICKS: [(f64, &str); 5] =
    [(1.0 / 32.0, "1/32"), (1.0 / 8.0, "1/8"), (1.0, "1"), (4.0, "4"), (16.0, "16")];
const FONT: &str = "sans-serif";
const AHEAD: RGBColor = RGBColor(0, 114, 178);
const BEHIND: RGBColor = RGBColor(213, 94, 0);
const GRID: RGBColor = RGBColor(225, 225, 225);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the picture as SVG. Filled dots are of the first processor, rings of the second.
///
/// # Errors
/// When the picture cannot be drawn.
pub(crate) fn balance(speed: &Results, other: Option<&Results>) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, speed, other).map_err(|error| format!("summary.svg: {error}"))?;
    Ok(svg)
}

fn draw(svg: &mut String, speed: &Results, other: Option<&Results>) -> Result<(), Box<dyn Error>> {
    let rows: Vec<_> = speed.comparisons().collect();
    let per_column = rows.len().div_ceil(COLUMNS).max(1);
    let height = TOP + LINE * per_column as i32 + 14;
    let root = SVGBackend::with_string(svg, (WIDTH, height as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    let second = if other.is_some() { "; dots: first processor, rings: second processor" } else { "" };
    let title = format!("Time of ecs divided by the time of the best peer, for each workload{second}");
    text(&root, &title, (12, 12), HPos::Left, 16, &BLACK)?;
    for (column, rows) in rows.chunks(per_column).enumerate() {
        let left = column as i32 * (WIDTH as i32 / COLUMNS as i32);
        axis(&root, left, height - 10)?;
        for (i, comparison) in rows.iter().enumerate() {
            line(&root, (left, TOP + LINE * i as i32 + LINE / 2), comparison, other)?;
        }
    }
    root.present()?;
    Ok(())
}

/// The axis of a column, with its ticks, and the sides on which this library is ahead and behind.
fn axis(root: &Area<'_>, left: i32, bottom: i32) -> Result<(), Box<dyn Error>> {
    for (ratio, label) in TICKS {
        let x = left + position(ratio);
        let color = if ratio == 1.0 { RGBColor(90, 90, 90) } else { GRID };
        root.draw(&PathElement::new([(x, TOP - 8), (x, bottom)], color.stroke_width(1)))?;
        text(root, label, (x, TOP - 14), HPos::Center, 12, &BLACK)?;
    }
    let middle = left + position(1.0);
    text(root, "ecs is faster", (middle - 30, TOP - 30), HPos::Right, 13, &AHEAD)?;
    text(root, "a peer is faster", (middle + 30, TOP - 30), HPos::Left, 13, &BEHIND)
}

/// One workload.
fn line(
    root: &Area<'_>,
    (left, y): (i32, i32),
    comparison: &Comparison<'_>,
    other: Option<&Results>,
) -> Result<(), Box<dyn Error>> {
    let row = comparison.measured.row;
    let name = format!("{}, {}", row.workload, words::count(row.entities));
    text(root, &name, (left + AXIS.0 - 8, y), HPos::Right, 12, &BLACK)?;
    let ratio = comparison.ratio();
    let dot = (left + position(ratio), y);
    let from = (left + position(1.0), y);
    root.draw(&PathElement::new([from, dot], color(ratio).mix(0.35).stroke_width(2)))?;
    root.draw(&Circle::new(dot, 4, color(ratio).filled()))?;
    let second = other.and_then(|other| other.find(&row.workload, row.entities)?.comparison());
    if let Some(ratio) = second.map(|second| second.ratio()) {
        root.draw(&Circle::new((left + position(ratio), y), 4, color(ratio).stroke_width(1)))?;
    }
    Ok(())
}

fn text(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    side: HPos,
    size: u32,
    color: &RGBColor,
) -> Result<(), Box<dyn Error>> {
    let style = (FONT, size).into_font().color(color).pos(Pos::new(side, VPos::Center));
    root.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

fn color(ratio: f64) -> RGBColor {
    if ratio <= 1.0 { AHEAD } else { BEHIND }
}

/// The place of a ratio on the axis, from the left of the column.
fn position(ratio: f64) -> i32 {
    let (low, high) = RANGE;
    let share = (ratio.clamp(low, high) / low).ln() / (high / low).ln();
    AXIS.0 + (share * f64::from(AXIS.1)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn wins_are_left_of_losses() {
        assert!(position(0.5) < position(1.0) && position(1.0) < position(2.0));
        assert_eq!((position(0.0), position(1e9)), (AXIS.0, AXIS.0 + AXIS.1));
    }

    #[test]
    fn each_workload_has_a_dot_and_the_second_processor_a_ring() {
        let cells: &[(&str, f64)] = &[("ecs", 0.6), ("hecs", 1.0)];
        let speed = results(&[("add_remove", 10, cells), ("memory", 1_000, cells)]);
        let svg = balance(&speed, None).unwrap();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("add_remove, 10\n") && svg.contains("memory, 1,000\n"), "{svg}");
        let svg = balance(&speed, Some(&results(&[("add_remove", 10, cells)]))).unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
    }

    #[test]
    fn nothing_measured_is_a_picture_too() {
        assert!(balance(&results(&[]), None).is_ok());
    }
}
