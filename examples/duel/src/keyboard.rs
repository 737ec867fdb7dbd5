//! The keys of one or two players at one keyboard.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::game::{Heading, Keys};

/// The frames for which a pressed key counts as held: most terminals tell only when a key is
/// pressed and when it repeats.
const HELD: u32 = 10;

/// The keys that are held now.
#[derive(Default)]
pub struct Keyboard {
    players: [Held; 2],
    pub quit: bool,
}

#[derive(Clone, Copy, Default)]
struct Held {
    drive: Option<(Heading, u32)>,
    fire: u32,
}

enum Action {
    Drive(usize, Heading),
    Fire(usize),
    Quit,
}

fn action(key: KeyEvent) -> Option<Action> {
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Action::Quit,
        KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
        KeyCode::Char('w') => Action::Drive(0, Heading::North),
        KeyCode::Char('d') => Action::Drive(0, Heading::East),
        KeyCode::Char('s') => Action::Drive(0, Heading::South),
        KeyCode::Char('a') => Action::Drive(0, Heading::West),
        KeyCode::Char(' ') => Action::Fire(0),
        KeyCode::Up => Action::Drive(1, Heading::North),
        KeyCode::Right => Action::Drive(1, Heading::East),
        KeyCode::Down => Action::Drive(1, Heading::South),
        KeyCode::Left => Action::Drive(1, Heading::West),
        KeyCode::Enter => Action::Fire(1),
        _ => return None,
    })
}

impl Keyboard {
    /// Reads the keys that were pressed since the last frame.
    pub fn read(&mut self) -> io::Result<()> {
        for held in &mut self.players {
            held.fire = held.fire.saturating_sub(1);
            held.drive = held.drive.and_then(|(heading, left)| Some((heading, left.checked_sub(1)?)));
        }
        while event::poll(Duration::ZERO)? {
            let Event::Key(key) = event::read()? else { continue };
            self.press(key);
        }
        Ok(())
    }

    fn press(&mut self, key: KeyEvent) {
        let is_down = key.kind != KeyEventKind::Release;
        match action(key) {
            Some(Action::Quit) => self.quit = true,
            Some(Action::Fire(player)) => self.players[player].fire = if is_down { HELD } else { 0 },
            Some(Action::Drive(player, heading)) => {
                let drive = &mut self.players[player].drive;
                match is_down {
                    true => *drive = Some((heading, HELD)),
                    false if drive.is_some_and(|(held, _)| held == heading) => *drive = None,
                    false => {}
                }
            }
            None => {}
        }
    }

    /// The keys of the player at the left half of the keyboard (0), or at the right half (1).
    pub fn keys(&self, half: usize) -> Keys {
        let Held { drive, fire } = self.players[half];
        Keys { drive: drive.map(|(heading, _)| heading), fire: fire > 0 }
    }

    /// The keys of a player who has the keyboard alone, and may use both halves.
    pub fn both(&self) -> Keys {
        let (left, right) = (self.keys(0), self.keys(1));
        Keys { drive: left.drive.or(right.drive), fire: left.fire || right.fire }
    }
}
