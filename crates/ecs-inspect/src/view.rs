//! Drawing: the frame around the views, the values of the chosen entity, watched values, status and
//! console.

mod components;
mod content;
mod help;
mod history;
mod matrix;
mod resources;
mod systems;
mod tree;
mod values;

use ecs::reflect::{ReflectRef, ReflectWorld};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

use crate::history::timeline_place;
use crate::inspector::{Inspector, View};
use crate::value::grouped;

pub(crate) const HEADER: Style = Style::new().add_modifier(Modifier::BOLD);
pub(crate) const DIM: Style = Style::new().fg(Color::DarkGray);
pub(crate) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);
pub(crate) const ERROR: Style = Style::new().fg(Color::Red);
pub(crate) const NOTE: Style = Style::new().fg(Color::Yellow);

/// Draws a block with a title, and returns the area in it.
pub(crate) fn block(frame: &mut Frame<'_>, area: Rect, title: &str) -> Rect {
    block_of(1, frame, area, title)
}

/// Draws a block with a title if so many rows fit into it, and returns the area in it; otherwise
/// the whole area.
pub(crate) fn block_of(rows: u16, frame: &mut Frame<'_>, area: Rect, title: &str) -> Rect {
    if area.height < rows + 2 {
        return area;
    }
    let block = Block::bordered().title(format!(" {title} ")).border_style(DIM).title_style(Style::reset());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// Draws lines, the one of the cursor with another style.
pub(crate) fn lines(
    frame: &mut Frame<'_>,
    area: Rect,
    rows: impl IntoIterator<Item = (bool, Line<'static>)>,
) {
    for ((is_chosen, line), y) in rows.into_iter().zip(area.top()..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        frame.render_widget(line, row);
        if is_chosen {
            frame.buffer_mut().set_style(row, CHOSEN);
        }
    }
}

/// Removes the characters that change the direction of the text around them: names and values of a
/// game may contain them, and would change what a terminal shows elsewhere.
fn keep_direction(buffer: &mut Buffer) {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    for cell in &mut buffer.content {
        if cell.symbol().contains(turns) {
            let kept: String = cell.symbol().chars().filter(|c| !turns(*c)).collect();
            cell.set_symbol(if kept.is_empty() { " " } else { &kept });
        }
    }
}

impl Inspector {
    /// Draws the inspector on the whole frame.
    pub fn draw(&mut self, frame: &mut Frame<'_>, world: &dyn ReflectWorld) {
        self.draw_through(frame, world.reflect());
    }

    /// [`draw`](Self::draw) through a handle.
    pub(crate) fn draw_through(&mut self, frame: &mut Frame<'_>, world: ReflectRef<'_>) {
        match self.reader(world) {
            Ok(world) => self.draw_all(frame, &world),
            Err(error) => frame.render_widget(error.to_string(), frame.area()),
        }
    }

    fn draw_all(&mut self, frame: &mut Frame<'_>, world: &ReflectRef<'_>) {
        if self.chosen.is_none() {
            self.chosen = world.entities(None, 1).first().copied();
        }
        let rows = [Constraint::Length(1), Constraint::Min(0), Constraint::Length(1), Constraint::Length(1)];
        let [header, body, status, console] = Layout::vertical(rows).areas(frame.area());
        self.draw_header(frame, header, world);
        if self.is_help {
            help::draw(self, frame, body);
        } else {
            self.draw_body(frame, body, world);
        }
        self.draw_status(frame, status);
        self.draw_console(frame, console);
        keep_direction(frame.buffer_mut());
    }

    fn draw_header(&self, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
        let mut spans = vec![Span::styled(format!(" {} ", world.name()), HEADER)];
        for (at, view) in self.views().iter().enumerate() {
            let style = if *view == self.view { CHOSEN } else { Style::reset() };
            spans.extend([Span::raw(" "), Span::styled(format!(" {} {} ", at + 1, view.title()), style)]);
        }
        frame.render_widget(Line::from(spans), area);
        let state = if self.is_paused { "paused" } else { "running" };
        let run = self.timeline_state().map(|state| format!("  {}", timeline_place(&state)));
        let text = format!(" {} entities{}  {state} ", grouped(world.len()), run.unwrap_or_default());
        let style = if self.is_paused { NOTE } else { DIM };
        let width = u16::try_from(text.len()).unwrap_or(u16::MAX).min(area.width);
        let right = Rect { x: area.right() - width, width, ..area };
        frame.render_widget(Span::styled(text, style), right);
    }

    fn draw_body(&mut self, frame: &mut Frame<'_>, area: Rect, world: &ReflectRef<'_>) {
        // views without entities have no values beside them, only the watches
        if !matches!(self.view, View::Entities | View::Relations) {
            let (area, watches) = self.with_watches(area);
            values::draw_watches(self, frame, watches, world);
            return match self.view {
                View::Systems => systems::draw(self, frame, area, world),
                View::Resources => resources::draw(self, frame, area, world),
                View::Content => content::draw(self, frame, area, world),
                View::History => history::draw(self, frame, area),
                _ => components::draw(self, frame, area, world),
            };
        }
        // a narrow terminal shows the list alone
        let side = if area.width < 60 { 0 } else { (area.width * 2 / 5).clamp(24, 56) };
        let [main, side] = Layout::horizontal([Constraint::Min(0), Constraint::Length(side)]).areas(area);
        match self.view {
            View::Entities => matrix::draw(self, frame, main, world),
            _ => tree::draw(self, frame, main, world),
        }
        let (detail, watches) = self.with_watches(side);
        values::draw(self, frame, detail, world);
        values::draw_watches(self, frame, watches, world);
    }

    /// The area above the watched values, and the area of the watched values.
    fn with_watches(&self, area: Rect) -> (Rect, Rect) {
        let watches = u16::try_from(self.watches.len()).unwrap_or(u16::MAX);
        let height = if watches == 0 { 0 } else { watches.saturating_add(2).min(area.height / 2) };
        let [above, below] = Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(area);
        (above, below)
    }

    fn draw_status(&self, frame: &mut Frame<'_>, area: Rect) {
        let completion = self.console.completion.as_ref().filter(|_| self.is_typing);
        let line = match completion {
            Some(completion) => {
                Line::from_iter(completion.candidates.iter().enumerate().map(|(at, name)| {
                    let style = if completion.chosen == Some(at) { CHOSEN } else { DIM };
                    Span::styled(format!(" {name} "), style)
                }))
            }
            None if self.status.is_error => Line::styled(format!(" {}", self.status.text), ERROR),
            None => Line::raw(format!(" {}", self.status.text)),
        };
        frame.render_widget(line, area);
    }

    fn draw_console(&self, frame: &mut Frame<'_>, area: Rect) {
        if !self.is_typing {
            let travel = if self.past.timeline.is_some() { "[ ] run  { } system  w who  " } else { "" };
            let keys = format!(
                " ? help  : console  / filter  {travel}e edit  a add  x remove  c spawn  d despawn  W watch  p pin  Space pause  n tick  s step  q close"
            );
            frame.render_widget(Span::styled(keys, DIM), area);
            return;
        }
        let before = &self.console.text[..self.console.cursor];
        let width = usize::from(area.width).saturating_sub(2);
        // the part of the line before the cursor that fits
        let mut start = 0;
        while Span::raw(&before[start..]).width() > width {
            start += before[start..].chars().next().map_or(1, char::len_utf8);
        }
        frame.render_widget(Line::from(format!(":{}", &self.console.text[start..])), area);
        let column = u16::try_from(Span::raw(&before[start..]).width()).unwrap_or(u16::MAX);
        if area.width > 0 && area.height > 0 {
            let x = area.x.saturating_add(column).saturating_add(1).min(area.right() - 1);
            frame.set_cursor_position(Position { x, y: area.y });
        }
    }
}
