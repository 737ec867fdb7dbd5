//! The game on a terminal.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crossterm::event::{self, Event, KeyEventKind};
use ratatui::DefaultTerminal;

use crate::draw;
use crate::error::Error;
use crate::game::Game;
use crate::key::{self, Press};
use crate::screen::Screen;

/// Plays until the player quits, and then writes the keys to `record`, if there is one.
///
/// # Errors
/// Input or output is no terminal, the terminal fails, or the recording cannot be written. The terminal is restored in
/// every case; when the game panics, the hook that `ratatui` installs does it.
pub fn play(mut game: Game, record: Option<&Path>) -> Result<(), Error> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Error::NoTerminal);
    }
    let mut keys = Vec::new();
    {
        let mut terminal = Restored::open()?;
        run(&mut terminal.0, &mut game, &mut keys).map_err(Error::Terminal)?;
    }
    writeln!(io::stdout(), "{} The seed was {}.", game.verdict(), game.seed()).map_err(Error::Output)?;
    match record {
        Some(file) => {
            fs::write(file, key::write_recording(&keys, game.seed())).map_err(|error| Error::io(file, &error))
        }
        None => Ok(()),
    }
}

fn run(terminal: &mut DefaultTerminal, game: &mut Game, keys: &mut Vec<char>) -> io::Result<()> {
    loop {
        let screen = Screen::of(game);
        terminal.draw(|frame| draw::draw(&screen, frame))?;
        let Event::Key(event) = event::read()? else { continue };
        let Some(key) = key::from_terminal(event).filter(|_| event.kind != KeyEventKind::Release) else {
            continue;
        };
        match key::meaning(key) {
            Some(Press::Quit) => return Ok(()),
            Some(Press::Order(order)) => {
                keys.push(key);
                game.press(order);
            }
            None => {}
        }
    }
}

/// A terminal that is as it was when this is dropped.
struct Restored(DefaultTerminal);

impl Restored {
    fn open() -> Result<Self, Error> {
        ratatui::try_init().map(Self).map_err(Error::Terminal)
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        // On a panic the hook has done it, before it printed the message, which a second time would overwrite.
        if !std::thread::panicking() {
            ratatui::restore();
        }
    }
}
