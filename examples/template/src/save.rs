//! A save as a file that people can read.

use std::error::Error;
use std::fs;
use std::path::Path;

use ecs::save::Saved;

use crate::game::Game;

/// Writes the whole world. The file is replaced at once, so that a crash leaves the old save.
///
/// # Errors
/// If a value cannot be serialized, or the file cannot be written.
pub fn save(game: &Game, path: &Path) -> Result<(), Box<dyn Error>> {
    let new = path.with_extension("new");
    fs::write(&new, game.to_json()?)?;
    Ok(fs::rename(new, path)?)
}

/// Reads a world that was saved.
///
/// # Errors
/// If the file is not there, or is no save of this game: the error says where.
pub fn load(path: &Path) -> Result<Game, Box<dyn Error>> {
    Ok(Game::from_json(&fs::read_to_string(path)?)?)
}
