//! The tree of a relation.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{DIM, ERROR, block, grouped, lines};
use crate::inspector::Inspector;
use crate::tree::relations;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    // read the relation before the title, which has its counts
    let refreshed = inspector.tree.refresh(world);
    let Some(name) = inspector.tree.name(world) else {
        let inner = block(frame, area, "relations");
        frame.render_widget(Span::styled(" the world has no relation", DIM), inner);
        return;
    };
    let (count, more) = inspector.tree.count();
    let others = relations(world).len() - 1;
    let title = format!(
        "{name}: {}{} entities{}",
        if more { "the first " } else { "" },
        grouped(count),
        if others > 0 { format!(", < > {others} more relation(s)") } else { String::new() }
    );
    let inner = block(frame, area, &title);
    if let Err(error) = refreshed {
        frame.render_widget(Span::styled(error.to_string(), ERROR), inner);
        return;
    }
    // only the lines on the screen are made, and their components read
    let rows = inspector.tree.visible(usize::from(inner.height));
    // moving in the tree chooses an entity, but not while a command for another one is typed
    if let Some((_, row)) = rows.iter().find(|(at, _)| *at == inspector.tree.cursor)
        && !inspector.is_typing
    {
        inspector.chosen = Some(row.entity);
    }
    let cursor = inspector.tree.cursor;
    let rows: Vec<(bool, Line<'static>)> = rows
        .iter()
        .map(|(at, row)| {
            let sign = match row {
                row if row.is_repeated => "↺ ",
                row if row.sources == 0 => "  ",
                row if row.is_collapsed => "▸ ",
                _ => "▾ ",
            };
            let indent = "  ".repeat(row.depth.min(usize::from(inner.width / 2)));
            let held = world.components_of(row.entity).unwrap_or_default();
            let count = if row.sources > 0 { format!(" ({})", row.sources) } else { String::new() };
            let line = Line::from(vec![
                Span::raw(format!(" {indent}{sign}{}{count}", inspector.name_of(row.entity, world))),
                Span::styled(format!("  {}", held.join(" ")), DIM),
            ]);
            (*at == cursor && !inspector.in_values, line)
        })
        .collect();
    lines(frame, inner, rows);
}
