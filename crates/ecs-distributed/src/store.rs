//! [`Store`]: where checkpoints are kept, as named objects. [`Folder`] is one on a file system.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A place for the objects of checkpoints, such as a folder or the bucket of an object store. All
/// workers reach it. Objects are written whole, read whole, and never changed.
///
/// Its text is its address. It stands in errors before the name of an object, and two stores with
/// the same text are the same place.
///
/// The errors of the methods become [`RunError::Checkpoint`](crate::RunError::Checkpoint). A method
/// may take long: objects are written on a thread of their own, and given up after
/// [`Checkpoints::within`](crate::Checkpoints::within).
pub trait Store: fmt::Display + Send + Sync + 'static {
    /// Writes an object, whose content is that of the parts together. If there is one of this name,
    /// it is replaced.
    ///
    /// # Errors
    /// If it cannot be written: then nothing of it remains under this name.
    fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Reads an object.
    ///
    /// # Errors
    /// [`NotFound`](io::ErrorKind::NotFound) if there is none of this name; others if it cannot be
    /// read.
    fn get(&self, name: &str) -> io::Result<Vec<u8>>;

    /// The names of all objects, in any order.
    ///
    /// # Errors
    /// If they cannot be listed. A place that does not exist yet has no objects.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Removes an object. One that is not there is no error.
    ///
    /// # Errors
    /// If it is there, and cannot be removed.
    fn delete(&self, name: &str) -> io::Result<()>;
}

/// A [`Store`] in a folder, which is made if needed. Processes on several machines need a folder
/// that these share.
///
/// An object is written under the name `*.part`, flushed to disk, and renamed, so that a file with
/// its name is whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl Store for Folder {
    fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let path = self.0.join(name);
        let folder = path.parent().unwrap_or(&self.0);
        fs::create_dir_all(folder)?;
        let temporary = path.with_extension("part");
        let write = || {
            let mut file = File::create(&temporary)?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            // the name is on disk when the folder is; not all systems can open folders
            if let Ok(folder) = File::open(folder) {
                let _ = folder.sync_all();
            }
            Ok(())
        };
        write().inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
            let _ = fs::remove_dir(folder); // if nothing else is in it
        })
    }

    fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(name))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let entries = |folder: &Path| match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries?.collect::<io::Result<Vec<_>>>(),
        };
        // objects lie in folders of the folder; others may have put something beside them
        let mut names = Vec::new();
        for folder in entries(&self.0)?.iter().filter(|entry| entry.path().is_dir()) {
            for file in entries(&folder.path())? {
                let name = Path::new(&folder.file_name()).join(file.file_name());
                names.extend(name.to_str().map(|name| name.replace('\\', "/")));
            }
        }
        Ok(names)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        let path = self.0.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        if let Some(folder) = path.parent().filter(|folder| *folder != self.0) {
            let _ = fs::remove_dir(folder); // if nothing else is in it
        }
        Ok(())
    }
}
