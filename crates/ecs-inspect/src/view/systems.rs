//! Schedules and their systems: accesses, run times, the step cursor, and the systems that touch
//! the chosen entity.

use ecs::reflect::ReflectRef;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{DIM, ERROR, HEADER, NOTE, block, lines};
use crate::inspector::Inspector;
use crate::systems::{SystemLine, micros};

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    let systems = inspector.system_lines(world);
    let inner = block(frame, area, &title(inspector, world));
    if inner.height == 0 {
        return;
    }
    let width = systems.iter().map(|line| line.info.system.chars().count()).max().unwrap_or(0).clamp(6, 32);
    let header = format!("       {:<width$} {:>7} {:>9} {:>9}  accesses", "system", "runs", "last", "mean");
    frame.render_widget(Span::styled(header, HEADER), inner);
    let below = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };

    // a schedule's name stands above its first system
    let mut rows: Vec<(bool, Line<'static>)> = Vec::new();
    let mut at_cursor = 0;
    inspector.systems.at = inspector.systems.at.min(systems.len().saturating_sub(1));
    for (at, system) in systems.iter().enumerate() {
        let info = &system.info;
        let before = at.checked_sub(1).map(|at| &systems[at].info);
        if before.is_none_or(|before| before.schedule != info.schedule) {
            rows.push((false, Line::styled(format!(" {}", info.schedule), HEADER)));
        }
        if at == inspector.systems.at {
            at_cursor = rows.len();
        }
        let is_new_stage =
            before.is_none_or(|before| before.stage != info.stage || before.schedule != info.schedule);
        rows.push((at == inspector.systems.at, line(system, width, is_new_stage)));
        if let Some(failure) = &system.failure {
            let reason = failure.lines().next().unwrap_or_default();
            rows.push((false, Line::styled(format!("        last failure: {reason}"), ERROR)));
        }
    }
    let height = usize::from(below.height);
    let cursor = &mut inspector.systems;
    cursor.top = cursor.top.min(at_cursor.saturating_sub(1)).max((at_cursor + 1).saturating_sub(height));
    lines(frame, below, rows.into_iter().skip(cursor.top));
}

fn title(inspector: &Inspector, world: &ReflectRef<'_>) -> String {
    let timed = if world.timings().is_empty() { "t measures run times" } else { "t stops measuring" };
    match inspector.chosen.filter(|entity| world.contains(*entity)) {
        Some(entity) => format!("systems; * names components of {entity}; {timed}"),
        None => format!("systems; {timed}"),
    }
}

fn line(system: &SystemLine, width: usize, is_new_stage: bool) -> Line<'static> {
    let info = &system.info;
    let step = if system.is_next { "▶" } else { " " };
    let stage = if is_new_stage { format!("{:>3}", info.stage) } else { "   ".to_owned() };
    let touch = if system.touches { "*" } else { " " };
    let times = match &system.timing {
        Some(timing) => {
            let mean = system.mean().unwrap_or_default();
            format!("{:>7} {:>9} {:>9}", timing.runs, micros(timing.last), micros(mean))
        }
        None => " ".repeat(27),
    };
    let style = if info.enabled { Style::reset() } else { DIM };
    let off = if info.enabled { "" } else { "off " };
    // from left to right: next step, stage, mark of the chosen entity, name, times, accesses
    Line::from(vec![
        Span::styled(format!(" {step}"), NOTE),
        Span::styled(stage, DIM),
        Span::styled(format!(" {touch}"), NOTE),
        Span::styled(format!("{:<width$} {times}  {off}", info.system), style),
        Span::styled(system.accesses(), DIM),
    ])
}
