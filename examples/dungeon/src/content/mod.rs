//! The content of a game: a folder of JSON files and a map.
//!
//! ```text
//! hero.json           the one who is played                            -> catalogue
//! monsters/*.json, items/*.json, features/*.json: what else there is   -> catalogue
//! minds/*.json        behaviour trees                                  -> minds
//! map.txt             the level, and the legend of its glyphs          -> map
//! ```
//!
//! Every other JSON file is a prefab of the library: entities by name. The entity with the name of
//! the file is the kind, the others are its possessions. The files name components and the aspects
//! in [`aspect`]. This module only reads; [`Game`](crate::game::Game) places the entities.

mod catalogue;
mod map;
mod source;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};

use crate::aspect;
use crate::component::Minds;
use crate::error::Error;

pub use self::catalogue::{Catalogue, Template};
pub use self::map::Map;
pub use self::source::Source;
pub use self::watch::Watch;

/// The name of the hero's kind and of its file.
pub const HERO: &str = "hero";

/// The content of a game: kinds, minds and map.
pub struct Content {
    pub catalogue: Catalogue,
    pub minds: Minds,
    pub map: Map,
}

impl Content {
    /// Reads the folder `data`.
    ///
    /// # Errors
    /// A file is missing or invalid; the error names the file and the position in it.
    pub fn read(data: &Path) -> Result<Self, Error> {
        let reader = aspect::reader();
        let mut catalogue = Catalogue::default();
        catalogue.add(&Source::read(&data.join(HERO).with_extension("json"))?, &reader)?;
        for folder in ["monsters", "items", "features"] {
            for file in json_files(&data.join(folder))? {
                catalogue.add(&Source::read(&file)?, &reader)?;
            }
        }

        let map = Map::read(&Source::read(&data.join("map.txt"))?, &catalogue)?;
        Ok(Self { catalogue, minds: read_minds(&data.join("minds"))?, map })
    }
}

/// Reads a behaviour tree from each file, by the name of the file.
fn read_minds(folder: &Path) -> Result<Minds, Error> {
    let mut minds = Minds::default();
    for file in json_files(folder)? {
        let tree =
            serde_json::from_str(Source::read(&file)?.text()).map_err(|error| Error::json(&file, &error))?;
        minds.insert(file.file_stem().unwrap_or_default().to_string_lossy(), tree);
    }
    Ok(minds)
}

/// The JSON files of a folder sorted by name, so that the first reported mistake is always the
/// same.
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
