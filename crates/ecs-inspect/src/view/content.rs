//! The aspects and the prefabs of the world.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{DIM, block, grouped, lines};
use crate::inspector::Inspector;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    let inner = block(
        frame,
        area,
        "aspects and prefabs; Enter adds an aspect to the chosen entity, or spawns a prefab",
    );
    let (aspects, prefabs) = (world.aspects(), world.prefabs());
    if aspects.is_empty() && prefabs.is_empty() {
        let text = " no aspect has a name (`AspectNames`), and no resource is a `PrefabLibrary`";
        return frame.render_widget(Span::styled(text, DIM), inner);
    }
    // one list: the aspects, then the prefabs
    let width = aspects.iter().map(|info| info.name.chars().count()).max().unwrap_or(0).clamp(6, 32);
    let cursor = &mut inspector.content;
    let range = cursor.visible(aspects.len() + prefabs.len(), usize::from(inner.height));
    let rows = range.map(|at| {
        let line = match aspects.get(at) {
            Some(info) => Line::from(vec![
                Span::raw(format!(
                    " {:<width$} {:>9}  {}",
                    info.name,
                    grouped(info.count),
                    info.components.join(" ")
                )),
                Span::styled(format!("  {}", info.docs.lines().next().unwrap_or_default()), DIM),
            ]),
            None => Line::from(vec![
                Span::raw(format!(" {}", prefabs[at - aspects.len()])),
                Span::styled("  prefab", DIM),
            ]),
        };
        (at == cursor.at, line)
    });
    lines(frame, inner, rows);
}
