//! [`DrawnFrame`]: a frame of the inspector as JSON, for a terminal in another process.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
#[cfg(any(feature = "attach", test))]
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use serde::{Deserialize, Serialize};

/// The largest frame, in columns and rows.
pub(crate) const LARGEST: (u16, u16) = (500, 200);

/// A frame: its rows are runs of cells with the same style.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct DrawnFrame {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The styles that the rows name by their indices.
    styles: Vec<Style>,
    /// For each row, runs from the left to the right: the symbols of the cells, and the index of
    /// their style. A cell that a wide symbol before it covers is not listed.
    rows: Vec<Vec<(String, usize)>>,
    /// The position of the cursor; `None` if it is hidden.
    pub(crate) cursor: Option<(u16, u16)>,
}

impl DrawnFrame {
    /// The frame of a buffer.
    pub(crate) fn of(buffer: &Buffer, cursor: Option<(u16, u16)>) -> Self {
        let area = buffer.area;
        // a frame has few styles: each run of text names one by its index
        let (mut styles, mut indices) = (Vec::new(), HashMap::new());
        let rows = (0..area.height).map(|y| {
            let mut runs: Vec<(String, usize)> = Vec::new();
            let mut x = 0;
            while x < area.width {
                let cell = &buffer[(x, y)];
                let style = cell.style();
                let index = *indices.entry(style).or_insert_with(|| {
                    styles.push(style);
                    styles.len() - 1
                });
                // neighbours with one style are one run
                match runs.last_mut() {
                    Some((text, last)) if *last == index => text.push_str(cell.symbol()),
                    _ => runs.push((cell.symbol().to_owned(), index)),
                }
                // a wide character takes two cells, of which the second is empty
                x += columns(cell.symbol());
            }
            runs
        });
        let rows = rows.collect();
        Self { width: area.width, height: area.height, styles, rows, cursor }
    }
}

/// The terminal that shows the frame of another process.
#[cfg(any(feature = "attach", test))]
impl DrawnFrame {
    /// Draws the frame into the upper left corner of a buffer. Parts outside of the buffer are left
    /// out.
    pub(crate) fn draw(&self, buffer: &mut Buffer) {
        let area = buffer.area.intersection(Rect::new(0, 0, self.width, self.height));
        for (row, y) in self.rows.iter().zip(area.top()..area.bottom()) {
            let mut x = area.left();
            for (text, style) in row {
                if x >= area.right() {
                    break;
                }
                let style = self.styles.get(*style).copied().unwrap_or_default();
                let left = usize::from(area.right() - x);
                (x, _) = buffer.set_stringn(x, y, text, left, style);
            }
        }
    }

    /// The cursor, if it is within an area.
    pub(crate) fn cursor_in(&self, area: Rect) -> Option<Position> {
        self.cursor.map(Position::from).filter(|at| area.contains(*at))
    }
}

/// The number of columns that a symbol covers, at least one.
fn columns(symbol: &str) -> u16 {
    u16::try_from(ratatui::text::Span::raw(symbol).width()).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier};

    #[test]
    fn a_frame_goes_through_json_unchanged() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 3));
        buffer.set_string(0, 0, "plain", Style::new());
        buffer.set_string(2, 1, "日本 x", Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD));
        buffer.set_string(9, 2, "end", Style::new().bg(Color::Blue));
        let drawn = DrawnFrame::of(&buffer, Some((3, 1)));
        let text = serde_json::to_string(&drawn).expect("a frame is JSON");
        let read: DrawnFrame = serde_json::from_str(&text).expect("it was one");
        assert_eq!(read, drawn);
        let mut again = Buffer::empty(buffer.area);
        read.draw(&mut again);
        assert_eq!(again, buffer);
        assert_eq!(read.cursor_in(buffer.area), Some(Position { x: 3, y: 1 }));
    }

    #[test]
    fn a_frame_is_cut_to_a_smaller_buffer() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 4));
        buffer.set_string(0, 0, "0123456789", Style::new());
        let drawn = DrawnFrame::of(&buffer, Some((9, 3)));
        let mut small = Buffer::empty(Rect::new(0, 0, 4, 2));
        drawn.draw(&mut small);
        assert_eq!(small[(3, 0)].symbol(), "3");
        assert_eq!(drawn.cursor_in(small.area), None);
    }

    #[test]
    fn a_hostile_frame_draws_nothing_outside() {
        let text = r#"{"width":65535,"height":65535,"styles":[],"rows":[[["abcdef",7]],[],[["x",0]]],"cursor":[9,9]}"#;
        let frame: DrawnFrame = serde_json::from_str(text).expect("it is well formed");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 2));
        frame.draw(&mut buffer);
        assert_eq!((buffer[(0, 0)].symbol(), buffer[(2, 0)].symbol()), ("a", "c"));
    }
}
