//! Saved games: the world as a file.
//!
//! The library saves the whole world: entities, components, resources, unread events, and the
//! locals of systems. The content of the data folder is not in the file. Loading adds the current
//! content, so that a saved game continues with it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ecs::prelude::*;
use ecs::save::{LoadOptions, SaveError};

use crate::component::Minds;
use crate::content::Catalogue;
use crate::error::Error;
use crate::world::Dungeon;

/// Writes `world` to `file`: as JSON if the file name ends so, else in the compact form of the
/// library.
///
/// # Errors
/// The file cannot be written. `file` is unchanged then: a new file replaces it only when it is
/// complete on the disk.
pub fn write(world: &Dungeon, file: &Path) -> Result<(), Error> {
    let new = beside(file);
    let written = write_new(world, file, &new).and_then(|()| fs::rename(&new, file).map_err(SaveError::Io));
    written.map_err(|error| {
        // an error is ignored: there may be nothing to remove
        let _ = fs::remove_file(&new);
        match error {
            SaveError::Io(error) => Error::io(file, &error),
            error => Error::file(file, error.to_string()),
        }
    })
}

/// Writes the whole file under the temporary name `new`.
fn write_new(world: &Dungeon, file: &Path, new: &Path) -> Result<(), SaveError> {
    let mut out = BufWriter::new(File::create(new)?);
    if is_json(file) {
        out.write_all(world.to_json().map_err(io::Error::from)?.as_bytes())?;
    } else {
        world.save(&mut out)?;
    }
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(())
}

/// Reads a file of [`write()`], and adds the content, which is not saved.
///
/// # Errors
/// The file is missing, is not a saved game, or does not fit this game.
pub fn read(file: &Path, catalogue: Catalogue, minds: Minds) -> Result<Dungeon, Error> {
    let bytes = fs::read(file).map_err(|error| Error::io(file, &error))?;
    let options = LoadOptions::new().resource(catalogue).resource(minds);
    if !is_json(file) {
        return Dungeon::load_with(&bytes, options).map_err(|error| Error::file(file, error.to_string()));
    }
    let text = String::from_utf8(bytes).map_err(|error| Error::file(file, error.to_string()))?;
    Dungeon::from_json_with(&text, options).map_err(|error| Error::json(file, &error))
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "json")
}

/// A temporary name in the same folder.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

#[cfg(test)]
mod tests {
    use ecs::save::diff;

    use super::*;
    use crate::content::{Content, Source};
    use crate::event::Order;
    use crate::game::Game;
    use crate::key::{self, Press};
    use crate::replay::replay;

    fn data() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
    }

    fn content() -> Content {
        Content::read(&data()).expect("it ships")
    }

    /// Saves and loads a world in the compact form.
    fn compact(world: &Dungeon, Content { catalogue, minds, .. }: &Content) -> Dungeon {
        let bytes = world.to_bytes().expect("all of it can be saved");
        let options = LoadOptions::new().resource(catalogue.clone()).resource(minds.clone());
        Dungeon::load_with(&bytes, options).expect("it was just saved")
    }

    /// Saves and loads a world as JSON.
    fn readable(world: &Dungeon, Content { catalogue, minds, .. }: &Content) -> Dungeon {
        let text = world.to_json().expect("all of it can be saved");
        let options = LoadOptions::new().resource(catalogue.clone()).resource(minds.clone());
        Dungeon::from_json_with(&text, options).expect("it was just saved")
    }

    /// The output of a continued game without the heading, and the final hash of its world.
    fn rest(world: Dungeon, keys: &[(char, Press)]) -> (String, u64) {
        let mut game = Game::of(world);
        let told = game.journal().entries().len();
        let mut out = Vec::new();
        replay(&mut game, told, keys, &mut out).expect("memory takes all output");
        let text = String::from_utf8(out).expect("the game prints UTF-8");
        let (_, rest) = text.split_once('\n').expect("there is a heading");
        (rest.to_owned(), game.world().hash())
    }

    /// Asserts that a recorded game that is saved and loaded after any key continues unchanged.
    fn goes_on(name: &str, seed: u64) {
        let keys = Source::read(&data().join(name).with_extension("keys"));
        let keys = keys.and_then(|keys| key::read_recording(&keys)).expect("it ships");
        let expected = fs::read_to_string(data().join(name).with_extension("txt")).expect("it ships");
        let of = content();
        let new = || Game::new(content(), seed).expect("it ships");

        let (_, end) = rest(compact(new().world(), &of), &keys);
        let (mut game, mut saved) = (new(), new());
        for index in 0..=keys.len() {
            // This one is saved and loaded between all keys.
            saved = Game::of(compact(saved.world(), &of));
            if index % 10 == 0 {
                assert_eq!(saved.world().hash(), game.world().hash(), "{name}, after {index} keys");
            }
            if index % 50 == 0 {
                let readable = readable(game.world(), &of);
                assert!(diff(&readable, game.world()).is_empty(), "{name}, after {index} keys");
                for world in [readable, compact(game.world(), &of)] {
                    let (text, hash) = rest(world, &keys[index..]);
                    assert!(expected.ends_with(&text) && hash == end, "{name}, after {index} keys:\n{text}");
                }
            }
            if let Some((_, Press::Order(order))) = keys.get(index) {
                game.press(*order).expect("no system panics");
                saved.press(*order).expect("no system panics");
            }
        }
        assert_eq!(saved.world().hash(), end);
    }

    #[test]
    fn the_victory_continues_after_a_save_in_every_turn() {
        goes_on("victory", 1);
    }

    #[test]
    fn the_defeat_continues_after_a_save_in_every_turn() {
        goes_on("defeat", 3);
    }

    #[test]
    fn a_game_that_cannot_be_saved_leaves_the_file_as_it_was() {
        let mut game = Game::new(content(), 1).expect("it ships");
        let folder = std::env::temp_dir().join(format!("dungeon-{}", std::process::id()));
        let file = folder.join("a.save");
        fs::create_dir_all(&folder).expect("there is a folder for what is temporary");
        game.save(&file).expect("the folder was just made");
        let before = fs::read(&file).expect("it was just written");

        // a folder has the temporary name of the new file
        fs::create_dir(beside(&file)).expect("nothing stands there");
        game.press(Order::Wait).expect("no system panics");
        assert!(game.save(&file).is_err());
        assert!(fs::read(&file).is_ok_and(|after| after == before));
        fs::remove_dir_all(&folder).expect("it belongs to this test");
    }
}
