//! The matrix of entities and components. Only the cells on the screen are read.

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectRef};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{CHOSEN, DIM, ERROR, HEADER, NOTE, block_of, grouped};
use crate::inspector::Inspector;
use crate::matrix::LIVE;
use crate::value::short;

/// The width of a cell, at most.
const WIDEST: usize = 32;

/// A column of the picture.
struct Column {
    index: usize,
    name: &'static str,
    width: usize,
    cells: Vec<Option<String>>,
}

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    inspector.matrix.refresh(world);
    let inner = block_of(2, frame, area, &title(inspector, world));
    if inner.width == 0 || inner.height < 2 {
        return;
    }
    if let Some(error) = &inspector.matrix.error {
        frame.buffer_mut().set_stringn(inner.x, inner.y, error, usize::from(inner.width), ERROR);
        return;
    }
    let pins: Vec<Entity> = inspector.pins.iter().copied().take(usize::from(inner.height / 3)).collect();
    let height = usize::from(inner.height) - 1 - pins.len();
    let rows = inspector.matrix.visible(world, height);
    let at_cursor = rows.iter().find(|(at, _)| *at == inspector.matrix.cursor).map(|(_, entity)| *entity);
    // a line that is being typed keeps its entity
    if !inspector.is_typing {
        inspector.chosen = at_cursor.or(inspector.chosen.filter(|entity| world.contains(*entity)));
    }
    let entities: Vec<Entity> = pins.iter().copied().chain(rows.iter().map(|(_, entity)| *entity)).collect();
    let labels: Vec<String> = entities.iter().map(|entity| inspector.name_of(*entity, world)).collect();
    let first = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).clamp(6, WIDEST);
    let columns = columns(inspector, world, &entities, usize::from(inner.width).saturating_sub(first + 1));

    let buffer = frame.buffer_mut();
    let mut put = |x: usize, row: usize, text: &str, width: usize, style: Style| {
        let left = usize::from(inner.width).saturating_sub(x);
        let (Ok(dx), Ok(dy)) = (u16::try_from(x), u16::try_from(row)) else { return };
        if left > 0 && dy < inner.height {
            buffer.set_stringn(inner.x + dx, inner.y + dy, text, width.min(left), style);
        }
    };
    put(0, 0, "entity", first, HEADER);
    for (row, label) in labels.iter().enumerate() {
        put(0, row + 1, label, first, if row < pins.len() { NOTE } else { Style::reset() });
    }
    let mut x = first + 1;
    for column in &columns {
        let is_chosen = column.index == inspector.matrix.column;
        put(x, 0, column.name, column.width, if is_chosen { CHOSEN } else { HEADER });
        for (row, cell) in column.cells.iter().enumerate() {
            match cell {
                Some(cell) => put(x, row + 1, cell, column.width, Style::reset()),
                None => put(x, row + 1, "·", column.width, DIM),
            }
        }
        x += column.width + 1;
    }
    let cursor = rows.iter().position(|(at, _)| *at == inspector.matrix.cursor);
    if let Some(row) = cursor.and_then(|row| u16::try_from(row + 1 + pins.len()).ok()) {
        let style = if inspector.in_values { HEADER } else { CHOSEN };
        let line = Rect { y: inner.y + row, height: 1, ..inner };
        frame.buffer_mut().set_style(line.intersection(inner), style);
    }
}

fn title(inspector: &Inspector, world: &ReflectRef<'_>) -> String {
    let matrix = &inspector.matrix;
    if !matrix.is_list() {
        return format!("entities ({})", grouped(world.len()));
    }
    let mut title = format!("entities ({} of {})", grouped(matrix.list_len()), grouped(world.len()));
    if let Some(filter) = &matrix.filter {
        title.push_str(&format!(", filter: {}", filter.text));
    }
    if let Some((path, descending)) = &matrix.sort {
        title.push_str(&format!(", sort: {path}{}", if *descending { " desc" } else { "" }));
    }
    if world.len() > LIVE {
        title.push_str(", r reads again");
    }
    title
}

/// The columns that fit, with the cells of the rows. The chosen column is one of them.
fn columns(
    inspector: &mut Inspector,
    world: &ReflectRef<'_>,
    entities: &[Entity],
    width: usize,
) -> Vec<Column> {
    let matrix = &mut inspector.matrix;
    let names = matrix.columns(world);
    matrix.column = matrix.column.min(names.len().saturating_sub(1));
    matrix.first_column = matrix.first_column.min(matrix.column);
    let mut columns: Vec<Column> = Vec::new();
    let mut used = 0;
    for (index, name) in names.iter().copied().enumerate().skip(matrix.first_column) {
        if used >= width && index > matrix.column {
            break;
        }
        let column = column(index, name, world, entities, matrix.marks);
        used += column.width + 1;
        columns.push(column);
        // the chosen column must fit: columns before it leave
        while index <= matrix.column && used > width + 1 && columns.len() > 1 {
            used -= columns.remove(0).width + 1;
        }
    }
    matrix.first_column = columns.first().map_or(0, |column| column.index);
    columns
}

fn column(
    index: usize,
    name: &'static str,
    world: &ReflectRef<'_>,
    entities: &[Entity],
    marks: bool,
) -> Column {
    let cell = |entity: &Entity| {
        if marks {
            return world.has(*entity, name).ok().filter(|has| *has).map(|_| "x".to_owned());
        }
        match world.read(*entity, name) {
            Ok(DynamicValue::Unit) => Some("x".to_owned()),
            Ok(value) => Some(short(&value, WIDEST)),
            Err(ecs::reflect::ReflectError::Value { reason, .. }) => Some(format!("!{reason}")),
            Err(_) => None,
        }
    };
    let cells: Vec<Option<String>> = entities.iter().map(cell).collect();
    let widest = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0);
    Column { index, name, width: widest.max(name.chars().count()).min(WIDEST), cells }
}
