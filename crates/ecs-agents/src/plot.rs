//! Curves of a [`Table`] as SVG.

use plotters::prelude::*;

use crate::recorder::Table;

/// The colours of Okabe and Ito, which the colour-blind tell apart.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(240, 228, 66),
];

/// Draws columns over the steps.
pub(crate) fn curves(table: &Table, columns: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let column = |name: &str| table.column(name).ok_or_else(|| format!("the table has no column `{name}`"));
    let steps = column("step")?;
    let values = columns.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
    let [first, .., last] = *steps else { return Err("a curve has at least two rows".into()) };
    let finite = values.iter().copied().flatten().copied().filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((0.0, f64::MIN_POSITIVE), |(low, high), value| (value.min(low), value.max(high)));

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 400)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(32)
            .y_label_area_size(56)
            .build_cartesian_2d(first..last, low..high * 1.05)?;
        chart.configure_mesh().x_desc("step").light_line_style(TRANSPARENT).draw()?;
        for ((name, values), colour) in columns.iter().zip(values).zip(COLOURS.into_iter().cycle()) {
            let points =
                steps.iter().copied().zip(values.iter().copied()).filter(|(_, value)| value.is_finite());
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}
