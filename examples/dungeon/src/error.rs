//! The errors before the first turn and after the last. Each is one line that names a file and a
//! position in it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use ecs::prefab::PrefabError;
use ecs_inspect::ecs_history::FailedRun;

/// The reason why the game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An invalid command line.
    #[error("{0}; try --help")]
    Usage(#[from] lexopt::Error),

    /// An error about a whole file or folder: it is missing, unreadable, or incomplete.
    #[error("{}: {reason}", file.display())]
    File { file: PathBuf, reason: String },

    /// An entity in a file of content.
    #[error(transparent)]
    Prefab(#[from] PrefabError),

    /// An error at a position of another file.
    #[error("{}:{place}: {reason}", file.display())]
    Content { file: PathBuf, place: Place, reason: String },

    /// A turn has failed.
    #[error("{0}; `--replay FILE` opens the file")]
    Turn(#[source] FailedRun),

    /// The interactive game was started, but its input or output is not a terminal.
    #[error("the game needs a terminal; `--keys FILE` plays a recording without one")]
    NoTerminal,

    /// The terminal failed while the game was running.
    #[error("terminal: {0}")]
    Terminal(#[source] io::Error),

    /// The operating system does not provide so many threads.
    #[error("threads: {0}")]
    Threads(#[source] rayon::ThreadPoolBuildError),

    /// The pictures cannot be written.
    #[error(transparent)]
    Pictures(ecs_picture::CommandError),

    /// Standard output failed.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
}

impl Error {
    /// An error about `file` as a whole.
    pub fn file(file: &Path, reason: impl Into<String>) -> Self {
        Self::File { file: file.to_owned(), reason: reason.into() }
    }

    /// An I/O error about `file`, with the same words on every operating system where possible.
    pub fn io(file: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::file(file, "not found"),
            io::ErrorKind::PermissionDenied => Self::file(file, "permission denied"),
            _ => Self::file(file, error.to_string()),
        }
    }

    /// An error in a JSON file, with its position.
    pub fn json(file: &Path, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // The place comes before the reason.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = text.strip_suffix(&place).map_or(text.clone(), str::to_owned);
        let place = Place { line: error.line(), column: error.column().max(1) };
        if error.line() == 0 {
            Self::file(file, reason)
        } else {
            Self::Content { file: file.to_owned(), place, reason }
        }
    }
}

/// Line and column of a text file, both counted from one; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// The place of the byte `offset` in `text`; past the end: the end.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Self { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// `` `a`, `b` and `c` ``: names for the end of a message.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let text = "ab\nçd\n";
        let places: Vec<_> = [0, 1, 3, 5, 99].map(|offset| Place::of(text, offset).to_string()).into();
        assert_eq!(places, ["1:1", "1:2", "2:1", "2:2", "3:1"]);
    }

    #[test]
    fn lists_read_as_a_sentence() {
        assert_eq!(list([]), "nothing");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
