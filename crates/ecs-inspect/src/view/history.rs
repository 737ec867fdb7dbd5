//! The history: the time line, the steps of the run that the world is inside of, and the answer to
//! the last question.

use ecs_history::TimelineState;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{DIM, ERROR, HEADER, NOTE, block, lines};
use crate::history::timeline_title;
use crate::inspector::Inspector;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect) {
    let Some(state) = inspector.timeline_state() else {
        let inner = block(frame, area, "history");
        frame.render_widget(
            Span::styled(" this inspector has no history: see `Inspector::history`", DIM),
            inner,
        );
        return;
    };
    let [above, below] = Layout::vertical([Constraint::Length(4), Constraint::Min(0)]).areas(area);
    let inner = block(frame, above, &timeline_title(&state));
    let [bar, ends] = Layout::vertical([Constraint::Length(1), Constraint::Length(1)]).areas(inner);
    frame.render_widget(time_line(inspector, &state, bar.width), bar);
    let marks = "● here  ! failed  ◆ in the answer  [ ] a run  { } a system  Enter goes to the line";
    frame.render_widget(Span::styled(format!(" {marks}"), DIM), ends);

    // the steps and the answer side by side
    let side = (below.width / 3).clamp(20, 40).min(below.width);
    let [left, right] = Layout::horizontal([Constraint::Length(side), Constraint::Min(0)]).areas(below);
    let steps = block(frame, left, &format!("steps of run {}", state.place.run));
    let past = &mut inspector.past;
    let visible = past.steps.visible(state.steps.len(), usize::from(steps.height));
    let rows = visible.map(|at| {
        let style = if at < state.place.step { ratatui::style::Style::reset() } else { DIM };
        let mark = if at + 1 == state.place.step { "●" } else { " " };
        let text = Span::styled(format!("{mark}{:>3} {}", at + 1, state.steps[at]), style);
        (!past.in_answer && at == past.steps.at, Line::from(text))
    });
    lines(frame, steps, rows.collect::<Vec<_>>());
    let answer = block(frame, right, if past.title.is_empty() { "who, diff, verify" } else { &past.title });
    let visible = past.lines.visible(past.answer.len(), usize::from(answer.height));
    let rows = visible
        .map(|at| (past.in_answer && at == past.lines.at, Line::raw(format!(" {}", past.answer[at].text))));
    lines(frame, answer, rows.collect::<Vec<_>>());
}

/// All runs from left to right, each column a part of them.
fn time_line(inspector: &Inspector, state: &TimelineState, width: u16) -> Line<'static> {
    let count = state.runs.end - state.runs.start + 1;
    let width = u64::from(width.max(1));
    let column = |run: u64| (run.saturating_sub(state.runs.start)) * width / count;
    let mut cells = vec![("─", DIM); width as usize];
    let mut mark = |run: u64, cell| {
        if let Some(found) = cells.get_mut(column(run) as usize).filter(|_| state.runs.contains(&run)) {
            *found = cell;
        }
    };
    let changed = inspector.past.answer.iter().filter_map(|line| line.place);
    changed.for_each(|place| mark(place.run, ("◆", NOTE)));
    state.failed.iter().for_each(|&run| mark(run, ("!", ERROR)));
    if let Some(here) = cells.get_mut(column(state.place.run) as usize) {
        *here = ("●", HEADER);
    }
    cells.into_iter().map(|(text, style)| Span::styled(text, style)).collect()
}
