//! The keys and the commands.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{DIM, HEADER, block, lines};
use crate::inspector::Inspector;
use crate::keys::KEYS;
use crate::verbs::COMMANDS;

pub(super) fn draw(inspector: &mut Inspector, frame: &mut Frame<'_>, area: Rect) {
    let inner = block(frame, area, "help: arrows scroll, any other key closes");
    let row = |left: String, right: &'static str| {
        (false, Line::from(vec![Span::raw(format!(" {left:<37} ")), Span::styled(right, DIM)]))
    };
    let title = |text: &'static str| (false, Line::styled(text, HEADER));
    // keys, commands and forms of values, from the tables that the program itself uses
    let mut rows = vec![title(" keys")];
    rows.extend(KEYS.iter().map(|(keys, effect)| row((*keys).to_owned(), effect)));
    rows.push(title(""));
    rows.push(title(" commands, about the chosen entity or that of an ID such as 12v3"));
    rows.extend(
        COMMANDS.iter().map(|command| row(format!("{} {}", command.name, command.usage), command.help)),
    );
    rows.push(title(""));
    rows.push(title(
        " values: 3, 0.5, \"text\", [1, 2], {\"now\": 3}, none, (), 12v3, the name of a variant",
    ));
    // the last page is full
    let last = rows.len().saturating_sub(usize::from(inner.height));
    inspector.help.at = inspector.help.at.min(last);
    lines(frame, inner, rows.into_iter().skip(inspector.help.at));
}
