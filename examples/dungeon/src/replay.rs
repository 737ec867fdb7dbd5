//! Recorded games, played without a terminal.

use std::io::Write;

use crate::draw;
use crate::error::Error;
use crate::game::Game;
use crate::journal::Entry;
use crate::key::Press;
use crate::outcome::Outcome;
use crate::screen::Screen;

/// Plays `keys` and writes the log of every turn, the last screen and the verdict. Skips the first
/// `told` messages of the journal, which were written before the game was saved.
///
/// # Errors
/// A turn fails, or the output cannot be written.
pub fn replay(
    game: &mut Game,
    mut told: usize,
    keys: &[(char, Press)],
    out: &mut impl Write,
) -> Result<(), Error> {
    let continued = if told > 0 { format!(", continued after turn {}", game.turn()) } else { String::new() };
    let mut tell = |game: &Game, heading: &str| {
        let entries = game.journal().entries();
        let news = &entries[told..];
        told = entries.len();
        write(out, heading, news)
    };

    tell(game, &format!("seed {}{continued}", game.seed()))?;
    for (index, (key, press)) in keys.iter().enumerate() {
        let order = match press {
            Press::Order(order) => order,
            Press::Save => continue, // the game is saved when the recording is over
            Press::Quit => break,
        };
        if game.outcome() != Outcome::Playing {
            tell(game, &format!("{} more keys after the end", keys.len() - index))?;
            break;
        }
        game.press(*order)?;
        let health = game.health().map(|health| format!("{}/{}", health.now(), health.max()));
        tell(game, &format!("{key}  turn {}  hp {}", game.turn(), health.unwrap_or_default()))?;
    }
    let screen = draw::to_text(&Screen::of(game));
    write!(out, "\n{screen}\n{}\n", game.verdict()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// A heading, and under it the messages.
fn write(out: &mut impl Write, heading: &str, entries: &[Entry]) -> Result<(), Error> {
    writeln!(out, "{heading}").map_err(Error::Output)?;
    entries.iter().try_for_each(|entry| writeln!(out, "    {}", entry.text)).map_err(Error::Output)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use ecs::schedule::Parallelism;

    use super::*;
    use crate::content::{Content, Source};
    use crate::key::read_recording;

    /// The output of a recording with the shipped content.
    fn played(data: &Path, name: &str, seed: u64, parallelism: Parallelism) -> Vec<u8> {
        let keys =
            Source::read(&data.join(name).with_extension("keys")).and_then(|keys| read_recording(&keys));
        let mut game = Content::read(data).and_then(|content| Game::new(content, seed)).expect("it ships");
        game.set_parallelism(parallelism);
        let mut out = Vec::new();
        replay(&mut game, 0, &keys.expect("it ships"), &mut out).expect("memory takes all output");
        out
    }

    #[test]
    fn any_number_of_threads_plays_the_same_game() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        for (name, seed) in [("victory", 1), ("defeat", 3)] {
            let expected = fs::read(data.join(name).with_extension("txt")).expect("it ships");
            assert!(played(&data, name, seed, Parallelism::Never) == expected, "{name}, one after the other");
            for threads in [1, 2, 4, 16] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let out =
                    pool.expect("so many threads").install(|| played(&data, name, seed, Parallelism::Always));
                assert!(out == expected, "{name}, {threads} threads");
            }
        }
    }
}
