//! The picture on the terminal: the map, the hero beside it, the journal and the keys below.

use ratatui::Frame;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::component::Colour;
use crate::journal::{Entry, Tone};
use crate::key::HELP_RECORDED;
use crate::outcome::Outcome;
use crate::point::Point;
use crate::screen::{Screen, Tile};

/// Columns of the panel beside the map.
const PANEL: u16 = 24;
/// The least number of lines for the journal.
const JOURNAL: u16 = 6;

/// Draws the whole picture, and in the last line the keys or a message.
pub fn draw(screen: &Screen, line: &str, frame: &mut Frame<'_>) {
    let journal = JOURNAL.max(frame.area().height / 4);
    let rows = [Constraint::Min(1), Constraint::Length(journal), Constraint::Length(1)];
    let [upper, middle, lower] = Layout::vertical(rows).areas(frame.area());
    let [map, panel] = Layout::horizontal([Constraint::Min(1), Constraint::Length(PANEL)]).areas(upper);

    frame.render_widget(Map(screen), map);
    frame.render_widget(Paragraph::new(status(screen)), panel);
    frame.render_widget(Paragraph::new(latest(&screen.journal, middle.height, screen.turn)), middle);
    frame.render_widget(Paragraph::new(line).style(Style::new().fg(Color::DarkGray)), lower);
}

/// The picture as text, in the size of the smallest usual terminal.
pub fn to_text(screen: &Screen) -> String {
    let backend = TestBackend::new(80, 24);
    let Ok(mut terminal) = ratatui::Terminal::new(backend);
    let Ok(_) = terminal.draw(|frame| draw(screen, HELP_RECORDED, frame));
    let buffer = terminal.backend().buffer();
    let width = usize::from(buffer.area.width.max(1));
    let row = |cells: &[ratatui::buffer::Cell]| -> String {
        let text: String = cells.iter().map(|cell| cell.symbol()).collect();
        format!("{}\n", text.trim_end())
    };
    buffer.content.chunks(width).map(row).collect()
}

/// The part of the level around the hero that fits.
struct Map<'a>(&'a Screen);

impl Widget for Map<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Self(Screen { tiles, hero, .. }) = self;
        let left = scroll(hero.x, i32::from(area.width), tiles.width());
        let top = scroll(hero.y, i32::from(area.height), tiles.height());
        for (column, x) in (area.left()..area.right()).zip(left..) {
            for (row, y) in (area.top()..area.bottom()).zip(top..) {
                if let (Some(tile), Some(cell)) =
                    (tiles.get(Point::new(x, y)), buffer.cell_mut((column, row)))
                {
                    cell.set_char(tile.symbol).set_style(style(tile));
                }
            }
        }
    }
}

/// The first row or column to show of `level` of them, so that `hero` is near the middle of
/// `shown`.
fn scroll(hero: i32, shown: i32, level: i32) -> i32 {
    (hero - shown / 2).min(level - shown).max(0)
}

fn style(tile: &Tile) -> Style {
    if tile.is_lit { Style::new().fg(colour(tile.colour)) } else { Style::new().fg(Color::DarkGray) }
}

fn colour(colour: Colour) -> Color {
    match colour {
        Colour::White => Color::White,
        Colour::Grey => Color::Gray,
        Colour::Red => Color::Red,
        Colour::Green => Color::Green,
        Colour::Yellow => Color::Yellow,
        Colour::Blue => Color::LightBlue,
        Colour::Magenta => Color::Magenta,
        Colour::Cyan => Color::Cyan,
    }
}

/// The panel: turn, experience, hit points, inventory.
fn status(screen: &Screen) -> Vec<Line<'_>> {
    let experience = screen.experience.map(|experience| format!("experience {}", experience.points));
    let mut lines = vec![
        Line::from(format!("turn {}   seed {}", screen.turn, screen.seed)),
        Line::from(experience.unwrap_or_default()),
        Line::default(),
    ];
    if let Some(health) = screen.health {
        let now = health.now();
        let tint = if now <= health.max() / 3 { Color::Red } else { Color::Green };
        let bar = "=".repeat(now as usize * 10 / health.max().max(1) as usize);
        lines.push(Line::from(vec![
            Span::from(format!("hp {now}/{} ", health.max())),
            Span::styled(format!("[{bar:10}]"), Style::new().fg(tint)),
        ]));
    }
    lines.push(match (screen.outcome, screen.is_poisoned) {
        (Outcome::Won, _) => Line::styled("*** you have won ***", Style::new().fg(Color::Yellow)),
        (Outcome::Lost, _) => Line::styled("*** you are dead ***", Style::new().fg(Color::Red)),
        (Outcome::Playing, true) => Line::styled("poisoned", Style::new().fg(Color::Magenta)),
        (Outcome::Playing, false) => Line::default(),
    });
    lines.push(Line::default());
    if screen.pack.is_empty() {
        lines.push(Line::from("You carry nothing."));
    }
    lines.extend(screen.pack.iter().map(|packed| {
        let mark = if packed.is_equipped { "*" } else { "" };
        let line = Line::from(format!("{} {}{mark}", packed.slot, packed.name));
        if packed.is_prize { line.style(Style::new().fg(Color::Yellow)) } else { line }
    }));
    lines
}

/// The last messages, those of this turn brighter than the others.
fn latest(journal: &[Entry], height: u16, turn: u64) -> Vec<Line<'_>> {
    let first = journal.len().saturating_sub(usize::from(height));
    let line = |entry: &'_ Entry| {
        let tint = match entry.tone {
            Tone::Plain => Color::White,
            Tone::Good => Color::Green,
            Tone::Bad => Color::Red,
        };
        let age = if entry.turn == turn { Modifier::BOLD } else { Modifier::DIM };
        Line::styled(entry.text.clone(), Style::new().fg(tint).add_modifier(age))
    };
    journal[first..].iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_scrolls_only_as_far_as_it_goes() {
        assert_eq!(scroll(5, 80, 40), 0);
        assert_eq!(scroll(5, 20, 100), 0);
        assert_eq!(scroll(50, 20, 100), 40);
        assert_eq!(scroll(99, 20, 100), 80);
    }
}
