//! The game on a terminal.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crossterm::event::{self, Event, KeyEventKind};
use ratatui::DefaultTerminal;

use crate::draw;
use crate::error::Error;
use crate::game::Game;
use crate::key::{self, Press};
use crate::screen::Screen;

/// Where a game is saved that has no other place.
const SAVE: &str = "dungeon.save";

/// The files that a game is written to.
pub struct Files {
    /// The keys, when it is over.
    pub record: Option<PathBuf>,
    /// The game, when the player wants it.
    pub save: Option<PathBuf>,
    /// Whether it is saved when it is over, too.
    pub at_end: bool,
}

/// Plays until the player quits, and then writes the keys.
///
/// # Errors
/// Input or output is no terminal, the terminal fails, or the recording cannot be written. The terminal is restored in
/// every case; when the game panics, the hook that `ratatui` installs does it.
pub fn play(game: &mut Game, files: &Files) -> Result<(), Error> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Error::NoTerminal);
    }
    let mut keys = Vec::new();
    {
        let mut terminal = Restored::open()?;
        run(&mut terminal.0, game, &mut keys, files).map_err(Error::Terminal)?;
    }
    writeln!(io::stdout(), "{} The seed was {}.", game.verdict(), game.seed()).map_err(Error::Output)?;
    match &files.record {
        Some(file) => {
            fs::write(file, key::write_recording(&keys, game.seed())).map_err(|error| Error::io(file, &error))
        }
        None => Ok(()),
    }
}

fn run(
    terminal: &mut DefaultTerminal,
    game: &mut Game,
    keys: &mut Vec<char>,
    files: &Files,
) -> io::Result<()> {
    let save = |game: &Game| {
        let file = files.save.as_deref().unwrap_or(Path::new(SAVE));
        game.save(file).map(|()| format!("saved: {}", file.display()))
    };
    // What the last line says instead of the keys, and whether it is that the game could not be saved.
    let (mut news, mut is_lost) = (None, false);
    loop {
        let screen = Screen::of(game);
        let line = news.as_deref().unwrap_or(key::HELP);
        terminal.draw(|frame| draw::draw(&screen, line, frame))?;
        let Event::Key(event) = event::read()? else { continue };
        let Some(key) = key::from_terminal(event).filter(|_| event.kind != KeyEventKind::Release) else {
            continue;
        };
        match key::meaning(key) {
            Some(Press::Quit) if is_lost || !files.at_end => return Ok(()),
            Some(Press::Quit) => match save(game) {
                Ok(_) => return Ok(()),
                Err(error) => {
                    news = Some(format!("not saved (Q quits all the same): {error}"));
                    is_lost = true;
                }
            },
            Some(Press::Save) => {
                let saved = save(game);
                news = Some(saved.unwrap_or_else(|error| format!("not saved: {error}")));
            }
            Some(Press::Order(order)) => {
                keys.push(key);
                game.press(order);
                (news, is_lost) = (None, false);
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
