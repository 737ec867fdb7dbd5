//! Where figures, plots and the page are written, and read again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::page::Page;

/// The package's folder, in which the pages are.
const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of figures and plots.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder `results` of the package, which the report reads and the repository keeps.
    pub(crate) fn of_report() -> Self {
        Self(Path::new(PACKAGE).join("results"))
    }

    /// The folder beside the program, for all runs that write no report.
    ///
    /// # Errors
    /// If the path of the program is unknown.
    pub(crate) fn beside_program() -> Result<Self, String> {
        let program = std::env::current_exe()
            .map_err(|error| format!("the path of this program is unknown: {error}"))?;
        Ok(Self(program.with_file_name("ecs-bench-results")))
    }

    /// Writes a file, and says where.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<String, String> {
        write(&self.0.join(name), text)
    }

    /// Writes data as JSON, and says where.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn save(&self, name: &str, data: &impl Serialize) -> Result<String, String> {
        let json = serde_json::to_string_pretty(data).map_err(|error| format!("{name}: {error}"))?;
        self.write(name, &(json + "\n"))
    }

    /// Reads data that was saved.
    ///
    /// # Errors
    /// When it is not there, or of another version of this program.
    pub(crate) fn load<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        self.load_if_there(name)?.ok_or_else(|| {
            let path = self.0.join(name);
            format!("{} is not there: `--report` measures it", path.display())
        })
    }

    /// Reads data that was saved, if it was.
    ///
    /// # Errors
    /// When it cannot be read, or is of another version of this program.
    pub(crate) fn load_if_there<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let path = self.0.join(name);
        let Some(json) = read_if_there(&path)? else { return Ok(None) };
        let data = serde_json::from_str(&json).map_err(|error| {
            format!(
                "{} is not what this program writes: {error}; `--report` measures it anew",
                path.display()
            )
        });
        data.map(Some)
    }
}

/// Writes a page, and says where.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_page(page: &Page) -> Result<String, String> {
    write(&Path::new(PACKAGE).join(page.path), &page.text)
}

/// A hand-written file of the package; empty if there is none.
pub(super) fn by_hand(name: &str) -> Result<String, String> {
    Ok(read_if_there(&Path::new(PACKAGE).join(name))?.unwrap_or_default())
}

fn write(path: &Path, text: &str) -> Result<String, String> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path.display().to_string())
}

fn read_if_there(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is gone afterwards.
    struct Temporary(Folder);

    impl Temporary {
        fn new(name: &str) -> Self {
            Self(Folder(std::env::temp_dir().join(format!("ecs-bench-{name}-{}", std::process::id()))))
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0.0);
        }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let Temporary(folder) = &Temporary::new("saved");
        folder.save("numbers.json", &[1, 2]).unwrap();
        assert_eq!(folder.load::<[u32; 2]>("numbers.json").unwrap(), [1, 2]);
    }

    #[test]
    fn what_is_missing_or_other_is_said() {
        let Temporary(folder) = &Temporary::new("missing");
        let message = folder.load::<u32>("speed.json").unwrap_err();
        assert!(message.contains("speed.json is not there: `--report` measures it"), "{message}");
        assert_eq!(folder.load_if_there::<u32>("speed.json"), Ok(None));
        folder.write("speed.json", "{").unwrap();
        let message = folder.load_if_there::<u32>("speed.json").unwrap_err();
        assert!(message.contains("is not what this program writes"), "{message}");
    }
}
