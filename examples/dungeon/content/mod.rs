//! The content of a game: a folder of JSON files and a map.
//!
//! ```text
//! components/*.json   the fields of every component, with defaults     -> definition
//! hero.json           the one who is played                            -> catalogue
//! monsters/*.json, items/*.json, features/*.json: what else there is   -> catalogue
//! map.txt             the level, and the legend of its glyphs          -> map
//! ```
//!
//! Every JSON file has the same form, see [`document`]. Nothing is placed here: [`Game`](crate::game::Game) does that.

mod catalogue;
mod definition;
mod document;
mod map;
mod part;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use self::definition::Definitions;
use crate::error::Error;

pub use self::catalogue::{Catalogue, Template};
pub use self::map::Map;
pub use self::source::Source;

/// The name of the kind that the player plays.
pub const HERO: &str = "hero";

/// All that a game is made of.
pub struct Content {
    pub catalogue: Catalogue,
    pub map: Map,
}

impl Content {
    /// Reads the folder `data`.
    ///
    /// # Errors
    /// A file is missing or wrong; the error names the file and the place in it.
    pub fn read(data: &Path) -> Result<Self, Error> {
        let mut definitions = Definitions::default();
        for file in json_files(&data.join("components"))? {
            definitions.add(&Source::read(&file)?)?;
        }

        let mut catalogue = Catalogue::default();
        let hero = data.join("hero.json");
        catalogue.add(&Source::read(&hero)?, &definitions)?;
        if catalogue.get(HERO).is_none() {
            return Err(Error::file(&hero, format!("the type of this file must be `{HERO}`")));
        }
        for folder in ["monsters", "items", "features"] {
            for file in json_files(&data.join(folder))? {
                catalogue.add(&Source::read(&file)?, &definitions)?;
            }
        }

        let map = Map::read(&Source::read(&data.join("map.txt"))?, &catalogue)?;
        Ok(Self { catalogue, map })
    }
}

/// The JSON files of a folder by name, so that the first mistake is always the same one.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let problem = |error| Error::io(folder, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(problem)? {
        let file = entry.map_err(problem)?.path();
        if file.extension().is_some_and(|extension| extension == "json") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
