//! Curves of a [`Table`] over its steps.

use ecs_inspect_egui::egui::{
    Align2, Color32, FontId, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, lerp, pos2, vec2,
};

use crate::picture::Rgb;
use crate::recorder::Table;

/// The colours of the curves, which the colour-blind tell apart.
const COLOURS: [Rgb; 6] = [Rgb::SKY, Rgb::VERMILION, Rgb::GREEN, Rgb::ORANGE, Rgb::PINK, Rgb::BLUE];

/// Draws columns over the steps, and above them their names with their last values.
pub(super) fn show(ui: &mut Ui, table: &Table, columns: &[String], height: f32) -> Response {
    let colours = COLOURS.iter().cycle().map(|&Rgb(red, green, blue)| Color32::from_rgb(red, green, blue));
    let curves: Vec<(&String, Option<&[f64]>, Color32)> =
        columns.iter().zip(colours).map(|(name, colour)| (name, table.column(name), colour)).collect();
    ui.horizontal_wrapped(|ui| {
        for (name, values, colour) in &curves {
            let error = ui.visuals().error_fg_color;
            match values {
                Some(values) => {
                    ui.colored_label(*colour, *name);
                    ui.monospace(values.last().map_or_else(String::new, |&value| number(value)));
                }
                None => drop(ui.colored_label(error, format!("the recorder has no column `{name}`"))),
            }
        }
    });
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let curves: Vec<(&String, &[f64], Color32)> =
        curves.into_iter().filter_map(|(name, values, colour)| Some((name, values?, colour))).collect();
    let Some((low, high)) = extent(curves.iter().flat_map(|(_, values, _)| *values)) else { return response };
    // the numbers are above and below the curves
    let plot = rect.shrink2(vec2(3.0, 14.0));
    for (_, values, colour) in &curves {
        for line in lines(values, plot, low, high) {
            match line[..] {
                [one] => drop(painter.circle_filled(one, 1.5, *colour)),
                _ => drop(painter.add(Shape::line(line, Stroke::new(1.5, *colour)))),
            }
        }
    }
    let (weak, font) = (ui.visuals().weak_text_color(), FontId::proportional(10.0));
    let ends = [(rect.left_top(), Align2::LEFT_TOP, high), (rect.left_bottom(), Align2::LEFT_BOTTOM, low)];
    for (at, align, value) in ends {
        painter.text(at + vec2(3.0, 0.0), align, number(value), font.clone(), weak);
    }
    let steps = table.column("step").unwrap_or_default();
    if let Some(step) = steps.last() {
        let at = rect.right_bottom() - vec2(3.0, 0.0);
        painter.text(at, Align2::RIGHT_BOTTOM, format!("step {}", number(*step)), font, weak);
    }
    let row = response.hover_pos().and_then(|at| row_at(steps.len(), plot, at.x));
    let Some(row) = row else { return response };
    let x = place(row, steps.len(), plot);
    painter.vline(x, rect.y_range(), Stroke::new(1.0, weak));
    response.on_hover_ui_at_pointer(|ui| {
        ui.weak(format!("step {}", number(steps[row])));
        for (name, values, colour) in &curves {
            ui.colored_label(*colour, format!("{name} {}", values.get(row).map_or(f64::NAN, |&value| value)));
        }
    })
}

/// The least and the greatest finite number; `None` if there is none.
fn extent<'v>(values: impl Iterator<Item = &'v f64>) -> Option<(f64, f64)> {
    let finite = values.copied().filter(|value| value.is_finite());
    finite.fold(None, |extent, value| match extent {
        Some((low, high)) => Some((value.min(low), value.max(high))),
        None => Some((value, value)),
    })
}

/// The row whose place is nearest.
fn row_at(rows: usize, plot: Rect, x: f32) -> Option<usize> {
    let last = rows.checked_sub(1)?;
    let part = if plot.width() > 0.0 { (x - plot.left()) / plot.width() } else { 0.0 };
    Some(((part.clamp(0.0, 1.0) * last as f32).round() as usize).min(last))
}

/// The place of a row, from left to right.
fn place(row: usize, rows: usize, plot: Rect) -> f32 {
    if rows < 2 { plot.left() } else { lerp(plot.x_range(), row as f32 / (rows - 1) as f32) }
}

/// The lines of a curve: a gap where a value is not finite. Of more rows than there are points, the
/// least and the greatest value of each part are drawn.
fn lines(values: &[f64], plot: Rect, low: f64, high: f64) -> Vec<Vec<Pos2>> {
    // halves, since the difference of two finite numbers may be infinite
    let span = high / 2.0 - low / 2.0;
    let part = |value: f64| if span > 0.0 { (value / 2.0 - low / 2.0) / span } else { 0.5 };
    let point = |row, value| {
        pos2(place(row, values.len(), plot), lerp(plot.bottom()..=plot.top(), part(value) as f32))
    };
    let length = values.len().div_ceil((plot.width().max(1.0) * 2.0) as usize).max(1);
    let mut lines = vec![Vec::new()];
    for (at, chunk) in values.chunks(length).enumerate() {
        let rows = || chunk.iter().enumerate().filter(|(_, value)| value.is_finite());
        let least = rows().min_by(|a, b| a.1.total_cmp(b.1));
        let greatest = rows().max_by(|a, b| a.1.total_cmp(b.1));
        if let (Some(a), Some(b)) = (least, greatest) {
            let line = lines.last_mut().expect("a line");
            line.push(point(at * length + a.0.min(b.0), chunk[a.0.min(b.0)]));
            if a.0 != b.0 {
                line.push(point(at * length + a.0.max(b.0), chunk[a.0.max(b.0)]));
            }
        }
        if rows().count() < chunk.len() {
            lines.push(Vec::new());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A number with four digits.
fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() || value == value.trunc() && size < 1e9 {
        return value.to_string();
    }
    if !(1e-3..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    let digits = (3 - size.log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Rect = Rect::from_min_max(Pos2::ZERO, pos2(100.0, 10.0));

    fn drawn(values: &[f64]) -> Vec<Vec<Pos2>> {
        let (low, high) = extent(values.iter()).expect("a finite number");
        lines(values, PLOT, low, high)
    }

    #[test]
    fn values_that_are_not_finite_are_gaps() {
        let parts = drawn(&[0.0, 1.0, f64::NAN, 1.0, f64::INFINITY, 0.5]);
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(parts[0], [pos2(0.0, 10.0), pos2(20.0, 0.0)]);
        assert_eq!(extent([f64::NAN, f64::NEG_INFINITY].iter()), None);
    }

    #[test]
    fn all_points_are_in_the_plot() {
        let many: Vec<f64> = (0..100_000).map(|i| f64::from(i % 317) - 100.0).collect();
        for values in [&[7.0][..], &[7.0, 7.0], &[f64::MIN, f64::MAX], &[1e300, 1e300], &[5e-324, 0.0], &many]
        {
            let lines = drawn(values);
            assert!(lines.iter().flatten().all(|point| PLOT.contains(*point)), "{values:?}");
            assert!(lines[0].len() <= 402);
        }
    }

    #[test]
    fn rows_are_found_by_their_places() {
        assert_eq!([-5.0, 0.0, 51.0, 100.0, 300.0].map(|x| row_at(3, PLOT, x).unwrap()), [0, 0, 1, 2, 2]);
        assert_eq!(row_at(0, PLOT, 5.0), None);
        assert_eq!(row_at(3, Rect::ZERO, 5.0), Some(0));
    }

    #[test]
    fn numbers_have_four_digits() {
        let texts = [0.0, 12.0, 0.123456, 12.3456, 123456.7, 1.5e-7, f64::NAN].map(number);
        assert_eq!(texts, ["0", "12", "0.1235", "12.35", "123457", "1.500e-7", "NaN"]);
    }
}
