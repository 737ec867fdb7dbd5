//! Resources with their values, and events.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{DIM, block, lines, values};
use crate::inspector::Inspector;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    let inner = block(frame, area, "resources and events");
    let resources = inspector.resource_lines(world);
    let events = world.events();
    let cursor = &mut inspector.resources;
    // one list: the resources with their values, then the events
    let range = cursor.visible(resources.len() + events.len(), usize::from(inner.height));
    let rows = range.map(|at| {
        let line = match resources.get(at) {
            Some(line) => values::line(line),
            None => Line::from(vec![
                Span::raw(format!(" {}", events[at - resources.len()].name)),
                Span::styled("  event, Enter sends one", DIM),
            ]),
        };
        (at == cursor.at, line)
    });
    lines(frame, inner, rows);
}
