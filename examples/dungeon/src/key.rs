//! Keys: their meaning, and their recorded form.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::content::Source;
use crate::error::Error;
use crate::event::Order;
use crate::point::Direction;

/// The meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    Order(Order),
    Save,
    Quit,
}

/// The keys in one line.
pub const HELP: &str =
    "arrows/hjklyubn walk  g get  1-9 use  c close  . wait  < leave  S save  I inspect  Q quit";

/// The keys in a recorded game, which is saved when it is over.
pub const HELP_RECORDED: &str = "arrows/hjklyubn walk  g get  1-9 use  c close door  . wait  < leave  Q quit";

/// The meaning of a key.
pub fn meaning(key: char) -> Option<Press> {
    let order = match key {
        'h' => Order::Walk(Direction::West),
        'j' => Order::Walk(Direction::South),
        'k' => Order::Walk(Direction::North),
        'l' => Order::Walk(Direction::East),
        'y' => Order::Walk(Direction::NorthWest),
        'u' => Order::Walk(Direction::NorthEast),
        'b' => Order::Walk(Direction::SouthWest),
        'n' => Order::Walk(Direction::SouthEast),
        '.' => Order::Wait,
        'g' => Order::PickUp,
        'c' => Order::CloseDoors,
        '<' => Order::Climb,
        '1'..='9' => Order::Use(u16::from(key as u8 - b'1')),
        'S' => return Some(Press::Save),
        'Q' => return Some(Press::Quit),
        _ => return None,
    };
    Some(Press::Order(order))
}

/// The recorded form of a terminal's key: arrows are recorded as letters.
pub fn from_terminal(event: KeyEvent) -> Option<char> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Char('c') if control => Some('Q'),
        KeyCode::Char(_) if control => None,
        KeyCode::Char(key) => Some(key),
        KeyCode::Left => Some('h'),
        KeyCode::Down => Some('j'),
        KeyCode::Up => Some('k'),
        KeyCode::Right => Some('l'),
        KeyCode::Home => Some('y'),
        KeyCode::PageUp => Some('u'),
        KeyCode::End => Some('b'),
        KeyCode::PageDown => Some('n'),
        _ => None,
    }
}

/// Reads a recording: keys, any blanks and line breaks, and comments from `;` to the end of the
/// line.
///
/// # Errors
/// A key without a meaning.
pub fn read_recording(source: &Source) -> Result<Vec<(char, Press)>, Error> {
    let mut keys = Vec::new();
    for line in source.text().lines() {
        let played = line.split(';').next().unwrap_or_default();
        for (offset, key) in played.char_indices().filter(|(_, key)| !key.is_whitespace()) {
            let unknown = || source.error_at(&line[offset..], format!("key {key:?} means nothing"));
            keys.push((key, meaning(key).ok_or_else(unknown)?));
        }
    }
    Ok(keys)
}

/// Writes a recording that [`read_recording`] reads back.
pub fn write_recording(keys: &[char], seed: u64) -> String {
    let lines: Vec<String> = keys.chunks(40).map(|line| line.iter().collect()).collect();
    format!("; seed {seed}\n{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_walk_like_letters() {
        for (code, letter) in [(KeyCode::Left, 'h'), (KeyCode::Up, 'k'), (KeyCode::PageDown, 'n')] {
            assert_eq!(from_terminal(KeyEvent::from(code)), Some(letter));
            assert!(matches!(meaning(letter), Some(Press::Order(Order::Walk(_)))));
        }
    }

    #[test]
    fn control_c_quits() {
        let event = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(from_terminal(event).and_then(meaning), Some(Press::Quit));
    }
}
