//! The game on a terminal.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ecs_inspect::{Inspector, Pace};
use ratatui::DefaultTerminal;

use crate::content::Watch;
use crate::draw;
use crate::error::Error;
use crate::game::Game;
use crate::key::{self, Press};
use crate::screen::Screen;

/// The time between two looks at watched files.
const LOOK: Duration = Duration::from_millis(300);

/// The default file name of a saved game.
const SAVE: &str = "dungeon.save";

/// The files that a game is written to.
pub struct Files {
    /// The file for the keys, which are written at the end.
    pub record: Option<PathBuf>,
    /// The file for the saved game.
    pub save: Option<PathBuf>,
    /// Whether the game is also saved at the end.
    pub at_end: bool,
}

/// Whether input and output are a terminal.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the world of a game in the inspector until the user closes it.
///
/// # Errors
/// Input or output is no terminal, or the terminal fails.
pub fn inspect_alone(game: &mut Game) -> Result<(), Error> {
    if !is_there() {
        return Err(Error::NoTerminal);
    }
    let mut terminal = Restored::open()?;
    inspect(&mut terminal.0, game, &mut new_inspector(game)).map_err(Error::Terminal)
}

/// An inspector that shows the names of things, with the world paused.
fn new_inspector(game: &Game) -> Inspector {
    Inspector::new().paused().label("Meta.name").history(game.history())
}

/// Plays until the player quits, and then writes the keys.
///
/// # Errors
/// Input or output is no terminal, the terminal fails, or the recording cannot be written. The
/// terminal is always restored; after a panic, by the hook that `ratatui` installs.
pub fn play(game: &mut Game, files: &Files, watch: Option<Watch>) -> Result<(), Error> {
    if !is_there() {
        return Err(Error::NoTerminal);
    }
    let mut keys = Vec::new();
    {
        let mut terminal = Restored::open()?;
        run(&mut terminal.0, game, &mut keys, files, watch)?;
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
    mut watch: Option<Watch>,
) -> Result<(), Error> {
    let save = |game: &Game| {
        let file = files.save.as_deref().unwrap_or(Path::new(SAVE));
        game.save(file).map(|()| format!("saved: {}", file.display()))
    };
    // the message in the last line in place of the keys, and whether it reports that saving failed
    let (mut news, mut is_lost) = (None, false);
    let mut inspector = new_inspector(game);
    loop {
        let screen = Screen::of(game);
        let line = news.as_deref().unwrap_or(key::HELP);
        terminal.draw(|frame| draw::draw(&screen, line, frame)).map_err(Error::Terminal)?;
        if let Some(watch) = &mut watch
            && !event::poll(LOOK).map_err(Error::Terminal)?
        {
            if let Some(content) = watch.changed() {
                let reloaded = content.and_then(|content| game.reload(content, watch.data()));
                news = Some(reloaded.map_or_else(
                    |error| format!("not read: {error}").replace(['\n', '\r'], " "),
                    |()| "the content was read again".to_owned(),
                ));
            }
            continue;
        }
        let Event::Key(event) = event::read().map_err(Error::Terminal)? else { continue };
        if event.code == KeyCode::Char('I') && event.kind != KeyEventKind::Release {
            inspect(terminal, game, &mut inspector).map_err(Error::Terminal)?;
            continue;
        }
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
                game.press(order)?;
                (news, is_lost) = (None, false);
            }
            None => {}
        }
    }
}

/// Shows the world in the inspector, on the same terminal, until it is closed. A tick is a turn
/// without an order, so that nobody acts: the console gives an order with `send Order = "Wait"`
/// before it.
fn inspect(terminal: &mut DefaultTerminal, game: &mut Game, inspector: &mut Inspector) -> io::Result<()> {
    inspector.open();
    while !inspector.is_closed() {
        terminal.draw(|frame| inspector.draw(frame, game.world()))?;
        inspector.handle(event::read()?, game.world_mut());
        if inspector.pace() == Pace::Step {
            game.turn_without_order();
        }
    }
    Ok(())
}

/// A terminal that is restored on drop.
struct Restored(DefaultTerminal);

impl Restored {
    fn open() -> Result<Self, Error> {
        ratatui::try_init().map(Self).map_err(Error::Terminal)
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        // after a panic the hook has restored it; a second restoration would overwrite the panic
        // message
        if !std::thread::panicking() {
            ratatui::restore();
        }
    }
}
