//! Schedules and their systems: accesses, run times, the step cursor, and the systems that touch
//! the chosen entity.

use std::time::Duration;

use ecs::reflect::{ReflectRef, SystemInfo};
use ecs::schedule::Timing;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{DIM, ERROR, HEADER, NOTE, block, lines};
use crate::inspector::Inspector;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
    let systems = world.systems();
    let (timings, failures) = (world.timings(), world.failures());
    let inner = block(frame, area, &title(inspector, &timings, world));
    if inner.height == 0 {
        return;
    }
    let width = systems.iter().map(|info| info.system.chars().count()).max().unwrap_or(0).clamp(6, 32);
    let header = format!("       {:<width$} {:>7} {:>9} {:>9}  accesses", "system", "runs", "last", "mean");
    frame.render_widget(Span::styled(header, HEADER), inner);
    let below = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
    let held = inspector.chosen.and_then(|entity| world.components_of(entity).ok()).unwrap_or_default();

    // a schedule's name stands above its first system
    let mut rows: Vec<(bool, Line<'static>)> = Vec::new();
    let mut at_cursor = 0;
    let next = next_step(inspector, &systems);
    inspector.systems.at = inspector.systems.at.min(systems.len().saturating_sub(1));
    for (at, info) in systems.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &systems[at]);
        if before.is_none_or(|before| before.schedule != info.schedule) {
            rows.push((false, Line::styled(format!(" {}", info.schedule), HEADER)));
        }
        if at == inspector.systems.at {
            at_cursor = rows.len();
        }
        let is_new_stage =
            before.is_none_or(|before| before.stage != info.stage || before.schedule != info.schedule);
        // places of one system in a schedule have one time each, in the same order
        let number = systems[..at].iter().filter(|other| is_same(other, info)).count();
        let of_system = |timing: &&Timing| timing.schedule == info.schedule && timing.system == info.system;
        let timing = timings.iter().filter(of_system).nth(number);
        let line = line(info, width, timing, is_new_stage, next == Some(at), &held);
        rows.push((at == inspector.systems.at, line));
        let failure = failures
            .iter()
            .rfind(|failure| failure.schedule == info.schedule && failure.system == info.system);
        if let Some(failure) = failure.filter(|_| number == 0) {
            let reason = failure.reason.lines().next().unwrap_or_default();
            rows.push((false, Line::styled(format!("        last failure: {reason}"), ERROR)));
        }
    }
    let height = usize::from(below.height);
    let cursor = &mut inspector.systems;
    cursor.top = cursor.top.min(at_cursor.saturating_sub(1)).max((at_cursor + 1).saturating_sub(height));
    lines(frame, below, rows.into_iter().skip(cursor.top));
}

fn is_same(a: &SystemInfo, b: &SystemInfo) -> bool {
    a.schedule == b.schedule && a.system == b.system
}

fn title(inspector: &Inspector, timings: &[Timing], world: &ReflectRef<'_>) -> String {
    let timed = if timings.is_empty() { "t measures run times" } else { "t stops measuring" };
    match inspector.chosen.filter(|entity| world.contains(*entity)) {
        Some(entity) => format!("systems; * names components of {entity}; {timed}"),
        None => format!("systems; {timed}"),
    }
}

/// The index of the system that the next step runs, while a schedule is stepped through.
fn next_step(inspector: &Inspector, systems: &[SystemInfo]) -> Option<usize> {
    let steps = &inspector.steps;
    let is_next =
        |info: &SystemInfo| info.schedule == steps.schedule && info.index >= steps.done && info.enabled;
    systems.iter().position(is_next).filter(|_| steps.done > 0)
}

fn line(
    info: &SystemInfo,
    width: usize,
    timing: Option<&Timing>,
    is_new_stage: bool,
    is_next: bool,
    held: &[&'static str],
) -> Line<'static> {
    let touches = touches(info, held);
    let step = if is_next { "▶" } else { " " };
    let stage = if is_new_stage { format!("{:>3}", info.stage) } else { "   ".to_owned() };
    let touch = if touches { "*" } else { " " };
    let times = match timing {
        Some(timing) => {
            let mean =
                timing.total.checked_div(u32::try_from(timing.runs).unwrap_or(u32::MAX)).unwrap_or_default();
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
        Span::styled(accesses(info), DIM),
    ])
}

/// Whether a system reads, writes, or filters by a component of an entity.
pub(super) fn touches(info: &SystemInfo, held: &[&'static str]) -> bool {
    info.reads.iter().chain(&info.writes).chain(&info.filters).any(|name| held.contains(name))
}

fn micros(time: Duration) -> String {
    format!("{:.1}µs", time.as_nanos() as f64 / 1000.0)
}

fn accesses(info: &SystemInfo) -> String {
    // it accesses everything, so the lists would be empty or wrong
    if info.exclusive {
        return match info.condition.as_str() {
            "" => "the whole world".to_owned(),
            condition => format!("the whole world; if {condition}"),
        };
    }
    let lists = [
        ("reads", info.reads.iter().chain(&info.resources_read).chain(&info.events_read).collect::<Vec<_>>()),
        ("writes", info.writes.iter().chain(&info.resources_written).collect()),
        ("filters", info.filters.iter().collect()),
        ("sends", info.events_sent.iter().collect()),
    ];
    let mut parts = Vec::new();
    for (verb, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        let names: Vec<&str> = names.into_iter().copied().collect();
        parts.push(format!("{verb} {}", names.join(", ")));
    }
    if !info.condition.is_empty() {
        parts.push(format!("if {}", info.condition));
    }
    parts.join("; ")
}
