//! Recorded games, played without a terminal.

use std::io::Write;

use crate::clock::Outcome;
use crate::draw;
use crate::error::Error;
use crate::game::Game;
use crate::journal::Entry;
use crate::key::Press;
use crate::screen::Screen;

/// Plays `keys` and writes the log of every turn, the last screen and the verdict.
///
/// # Errors
/// The output cannot be written.
pub fn replay(mut game: Game, keys: &[(char, Press)], out: &mut impl Write) -> Result<(), Error> {
    let mut told = 0;
    let mut tell = |game: &Game, heading: &str| {
        let entries = game.journal().entries();
        let news = &entries[told..];
        told = entries.len();
        write(out, heading, news)
    };

    tell(&game, &format!("seed {}", game.seed()))?;
    for (index, (key, press)) in keys.iter().enumerate() {
        let Press::Order(order) = press else { break };
        if game.outcome() != Outcome::Playing {
            tell(&game, &format!("{} more keys after the end", keys.len() - index))?;
            break;
        }
        game.press(*order);
        let health = game.health().map(|health| format!("{}/{}", health.now(), health.max));
        tell(&game, &format!("{key}  turn {}  hp {}", game.turn(), health.unwrap_or_default()))?;
    }
    let screen = draw::to_text(&Screen::of(&game));
    write!(out, "\n{screen}\n{}\n", game.verdict()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// A heading, and under it the messages.
fn write(out: &mut impl Write, heading: &str, entries: &[Entry]) -> Result<(), Error> {
    writeln!(out, "{heading}").map_err(Error::Output)?;
    entries.iter().try_for_each(|entry| writeln!(out, "    {}", entry.text)).map_err(Error::Output)
}
