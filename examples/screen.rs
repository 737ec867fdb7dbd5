//! The picture of a small program: 80 columns and 24 rows of colored characters.

use std::{fmt, io};

use crossterm::cursor::MoveTo;
use crossterm::queue;
pub use crossterm::style::Color;
use crossterm::style::{ResetColor, SetForegroundColor};
use crossterm::terminal::{Clear, ClearType};

/// The columns of a screen.
pub const WIDTH: usize = 80;
/// The rows of a screen.
pub const HEIGHT: usize = 24;

/// A grid of characters; (0, 0) is the upper left one. Text beyond its edges is cut off.
pub struct Screen {
    cells: [[(char, Color); WIDTH]; HEIGHT],
}

impl Default for Screen {
    fn default() -> Self {
        Self { cells: [[(' ', Color::Reset); WIDTH]; HEIGHT] }
    }
}

impl Screen {
    /// Sets one character.
    pub fn put(&mut self, x: i32, y: i32, character: char, color: Color) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if let Some(cell) = self.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
            *cell = (character, color);
        }
    }

    /// Writes one line of text, to the right of a place.
    pub fn text(&mut self, x: i32, y: i32, text: &str, color: Color) {
        for (column, character) in (x..).zip(text.chars()) {
            self.put(column, y, character, color);
        }
    }

    /// Writes a line of text into the middle of the screen, with an empty line above and below it.
    pub fn banner(&mut self, text: &str) {
        let (width, middle) = (text.chars().count() as i32 + 4, HEIGHT as i32 / 2);
        let left = (WIDTH as i32 - width) / 2;
        for row in middle - 1..=middle + 1 {
            self.text(left, row, &" ".repeat(width as usize), Color::Reset);
        }
        self.text(left + 2, middle, text, Color::White);
    }

    /// The commands that draw the part of the screen that a terminal of this size has room for.
    pub(crate) fn commands(&self, columns: u16, rows: u16) -> Result<String, io::Error> {
        let mut bytes = Vec::new();
        for (y, row) in (0..rows).zip(&self.cells) {
            let mut color = Color::Reset;
            queue!(bytes, MoveTo(0, y), ResetColor)?;
            for (character, its_color) in row.iter().take(columns.into()) {
                if *its_color != color {
                    color = *its_color;
                    queue!(bytes, SetForegroundColor(color))?;
                }
                bytes.extend(character.to_string().into_bytes());
            }
            queue!(bytes, ResetColor)?;
            if usize::from(columns) > WIDTH {
                queue!(bytes, Clear(ClearType::UntilNewLine))?;
            }
        }
        String::from_utf8(bytes).map_err(io::Error::other)
    }
}

/// The characters without colors, a line for each row, without spaces at the ends of the lines.
impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.cells {
            let line: String = row.iter().map(|(character, _)| character).collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
