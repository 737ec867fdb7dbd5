//! The files of a content, looked at while the game runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Content;
use crate::error::Error;

/// The folder of a content, and the state of its files when it was last read.
pub struct Watch {
    data: PathBuf,
    seen: Vec<FileState>,
}

/// The name of a file, the time of its last change and its length.
type FileState = (PathBuf, Option<SystemTime>, u64);

impl Watch {
    pub fn new(data: &Path) -> Self {
        Self { data: data.to_owned(), seen: states(data) }
    }

    /// The folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The content, if a file has changed since the last call: read as a whole, or the first
    /// mistake in it.
    pub fn changed(&mut self) -> Option<Result<Content, Error>> {
        let now = states(&self.data);
        if now == self.seen {
            return None;
        }
        self.seen = now;
        Some(Content::read(&self.data))
    }
}

/// The files of a folder and of the folders in it, sorted by name.
fn states(folder: &Path) -> Vec<FileState> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, about) = (entry.path(), entry.metadata());
        match about {
            Ok(about) if about.is_dir() => files.extend(states(&path)),
            Ok(about) => files.push((path, about.modified().ok(), about.len())),
            Err(_) => files.push((path, None, 0)),
        }
    }
    files.sort();
    files
}
