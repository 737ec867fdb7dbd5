//! The values of the chosen entity, and the watched values.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{DIM, HEADER, block, lines};
use crate::inspector::Inspector;
use crate::systems::systems_of;
use crate::value::ValueLine;

/// A line of a value, with its depth as an indent.
pub(super) fn line(line: &ValueLine) -> Line<'static> {
    let indent = "  ".repeat(line.depth);
    let style = if line.depth == 0 { HEADER } else { DIM };
    let mut spans = vec![Span::raw(format!(" {indent}")), Span::styled(line.label.clone(), style)];
    match &line.text {
        Some(text) if line.depth == 0 && text == "()" => {}
        Some(text) => spans.push(Span::raw(format!(" {text}"))),
        None => {}
    }
    Line::from(spans)
}

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    if area.is_empty() {
        return;
    }
    // the entity may have been despawned since it was chosen
    let Some(entity) = inspector.chosen else {
        block(frame, area, "no entity");
        return;
    };
    let inner = block(frame, area, &inspector.name_of(entity, world));
    if !world.contains(entity) {
        frame.render_widget(Span::styled(" not alive", DIM), inner);
        return;
    }
    // above the values; below them the aspects that it has and the systems that run for it
    let values = inspector.value_lines(world);
    let systems = systems_of(entity, world);
    let aspects = world.aspects_of(entity).unwrap_or_default();
    let notes = [("aspects", aspects), ("systems", systems)];
    let notes = notes.iter().filter(|(_, names)| !names.is_empty());
    let notes: Vec<Line<'static>> =
        notes.map(|(noun, names)| Line::styled(format!(" {noun}: {}", names.join(", ")), DIM)).collect();
    // values come first where there is little room
    let below = if inner.height > 4 { notes.len() as u16 } else { 0 };
    let [above, last] = ratatui::layout::Layout::vertical([
        ratatui::layout::Constraint::Min(0),
        ratatui::layout::Constraint::Length(below),
    ])
    .areas(inner);
    let range = inspector.values.visible(values.len(), usize::from(above.height));
    let rows = range.map(|at| (inspector.in_values && at == inspector.values.at, line(&values[at])));
    lines(frame, above, rows);
    lines(frame, last, notes.into_iter().map(|note| (false, note)));
}

pub(super) fn draw_watches(inspector: &Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    if area.is_empty() {
        return;
    }
    let inner = block(frame, area, "watch");
    let rows = inspector.watch_lines(world).into_iter().enumerate().map(|(at, text)| {
        let number = Span::styled(format!(" {} ", at + 1), DIM);
        (false, Line::from(vec![number, Span::raw(text)]))
    });
    lines(frame, inner, rows);
}
