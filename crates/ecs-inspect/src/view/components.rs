//! The components of the world.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{HEADER, block, grouped, lines};
use crate::inspector::Inspector;
use crate::model::component_options;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    let inner = block(frame, area, "components");
    if inner.height == 0 {
        return;
    }
    let infos = world.components();
    let width = infos.iter().map(|info| info.name.chars().count()).max().unwrap_or(0).clamp(9, 32);
    let header = format!(" {:<width$} {:>12} {:>6}  options", "component", "entities", "bytes");
    frame.render_widget(Span::styled(header, HEADER), inner);
    // the header stays while the lines scroll
    let below = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
    let cursor = &mut inspector.components;
    let rows = cursor.visible(infos.len(), usize::from(below.height)).map(|at| {
        let info = &infos[at];
        let line = format!(
            " {:<width$} {:>12} {:>6}  {}",
            info.name,
            grouped(info.count),
            info.size,
            component_options(info)
        );
        (at == cursor.at, Line::raw(line))
    });
    lines(frame, below, rows);
}
