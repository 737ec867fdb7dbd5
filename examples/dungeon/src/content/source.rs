//! A text file of content, and errors with a position in it.
//!
//! The parser keeps slices of the file's text until they are checked. The address of a slice gives
//! its line and column, so that no type has to store positions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Place};

/// The text of one file.
#[derive(Debug)]
pub struct Source {
    file: PathBuf,
    text: String,
}

impl Source {
    /// # Errors
    /// The file cannot be read, or is not UTF-8.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let bytes = fs::read(file).map_err(|error| Error::io(file, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let place = Place::of(&String::from_utf8_lossy(&error.as_bytes()[..valid]), valid);
            Error::Content { file: file.to_owned(), place, reason: "not UTF-8".to_owned() }
        })?;
        Ok(Self { file: file.to_owned(), text })
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error about `part`, which is a slice of [`Source::text`].
    pub fn error_at(&self, part: &str, reason: impl Into<String>) -> Error {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        self.error(Place::of(&self.text, offset), reason)
    }

    fn error(&self, place: Place, reason: impl Into<String>) -> Error {
        Error::Content { file: self.file.clone(), place, reason: reason.into() }
    }
}
