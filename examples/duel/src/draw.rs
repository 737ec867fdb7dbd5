//! The field on the terminal.

use ecs::prelude::*;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use crate::game::{Duel, FIELD, Gift, Heading, Health, MOST_HEALTH, Place, Score, Shot, Spark, Tank, Wall};

const COLORS: [Color; 2] = [Color::LightBlue, Color::LightRed];

/// Draws the field, the health of both tanks above it, and two lines of text below it.
pub fn draw(frame: &mut Frame<'_>, duel: &Duel, news: &str, help: &str) {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(FIELD.1 as u16 + 2),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [top, field, below, last] = rows.areas(frame.area());
    frame.render_widget(Paragraph::new(healths(duel)), top);
    let field = field.intersection(Rect { width: FIELD.0 as u16 + 2, ..field });
    let block = Block::bordered();
    let inner = block.inner(field);
    frame.render_widget(block, field);
    let mut put = |place: &Place, symbol: &str, color: Color| {
        let (x, y) = place.cell();
        let at = (inner.x + x as u16, inner.y + y as u16);
        if inner.contains(at.into()) {
            frame.buffer_mut().set_string(at.0, at.1, symbol, Style::new().fg(color));
        }
    };
    for (place, health) in duel.query::<(&Place, &Health)>().filter::<With<Wall>>().iter() {
        put(place, if health.0 > 1 { "█" } else { "▒" }, Color::DarkGray);
    }
    duel.query::<&Place>().filter::<With<Gift>>().iter().for_each(|place| put(place, "+", Color::LightGreen));
    duel.query::<&Place>().filter::<With<Shot>>().iter().for_each(|place| put(place, "•", Color::Yellow));
    duel.query::<&Place>()
        .filter::<With<Spark>>()
        .iter()
        .for_each(|place| put(place, "*", Color::LightYellow));
    for (place, tank) in duel.query::<(&Place, &Tank)>().iter() {
        let symbol = match tank.heading {
            Heading::North => "▲",
            Heading::East => "▶",
            Heading::South => "▼",
            Heading::West => "◀",
        };
        put(place, symbol, COLORS[tank.player]);
    }
    frame.render_widget(Paragraph::new(news), below);
    frame.render_widget(Paragraph::new(help), last);
}

fn healths(duel: &Duel) -> Line<'static> {
    let score = duel.resource::<Score>().0;
    let mut spans = Vec::new();
    for (tank, health) in duel.query::<(&Tank, &Health)>().iter() {
        let bar = "=".repeat(health.0 as usize) + &" ".repeat((MOST_HEALTH - health.0) as usize);
        let text = format!(" player {}: {} [{bar}]   ", tank.player + 1, score[tank.player]);
        spans.push(Span::styled(text, COLORS[tank.player]));
    }
    Line::from(spans)
}
