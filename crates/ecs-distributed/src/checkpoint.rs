//! [`Checkpoints`]: states of all workers on disk, from which a run resumes.
//!
//! Each checkpoint is a folder. Every worker writes its world to a file there, under another name
//! first, so that the file is whole when it has its name. When all have done so, worker 0 writes
//! the manifest in the same way, with lengths and hashes of the files: a folder without a manifest
//! is no checkpoint. The two newest checkpoints stay. What is left of a checkpoint that fails is
//! removed at once, or when the next run begins.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::global_id::mix;
use crate::{Partition, RunError};

/// The first line of a manifest.
const TITLE: &str = "checkpoint of ecs-distributed, version 2";
/// The number of checkpoints that stay.
const KEPT: usize = 2;

/// A folder for the checkpoints of a run. All workers reach it: processes on several machines need
/// a folder that these share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    settings: u64,
}

/// The contents of a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Manifest {
    pub(crate) tick: u64,
    pub(crate) partition: Partition,
    /// The length and the hash of each worker's file.
    pub(crate) files: Vec<(u64, u64)>,
}

impl Checkpoints {
    /// Checkpoints in a folder, which is made if needed. `settings` is a hash of the options that
    /// change the result of the run, such as its seed: a run with other settings does not resume
    /// from them.
    pub fn new(folder: impl Into<PathBuf>, settings: u64) -> Self {
        Self { folder: folder.into(), settings }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of one checkpoint.
    fn at(&self, tick: u64) -> PathBuf {
        self.folder.join(format!("tick-{tick:010}"))
    }

    fn file(&self, tick: u64, worker: usize) -> PathBuf {
        self.at(tick).join(format!("worker-{worker:04}"))
    }

    /// Writes the file of one worker, and returns its length and hash.
    pub(crate) fn write(&self, tick: u64, worker: usize, bytes: &[u8]) -> Result<(u64, u64), RunError> {
        let folder = self.at(tick);
        fs::create_dir_all(&folder).map_err(|error| fail(&folder, &error))?;
        write_whole(&self.file(tick, worker), bytes)?;
        Ok((bytes.len() as u64, hash_of(bytes)))
    }

    /// Removes the file of one worker, of a checkpoint that has failed: a full disk must not stay
    /// full.
    pub(crate) fn discard(&self, tick: u64, worker: usize) {
        let folder = self.at(tick);
        // a checkpoint with a manifest is whole
        if !folder.join("manifest").exists() {
            let _ = fs::remove_file(self.file(tick, worker));
            let _ = fs::remove_dir(folder); // by the last worker
        }
    }

    /// Removes what is left of checkpoints that were not completed, except for that of a tick. One
    /// worker calls it while no other one writes there.
    pub(crate) fn remove_unfinished(&self, except: Option<u64>) -> Result<(), RunError> {
        for tick in self.ticks()?.into_iter().filter(|&tick| Some(tick) != except) {
            let folder = self.at(tick);
            let is_whole = folder.join("manifest").exists();
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // only files that a run has written
                let is_file = name.starts_with("worker-") && !is_whole;
                if is_file
                    || name == "manifest.part"
                    || name.starts_with("worker-") && name.ends_with(".part")
                {
                    let _ = fs::remove_file(entry.path());
                }
            }
            let _ = fs::remove_dir(folder); // if nothing else is in it
        }
        Ok(())
    }

    /// Reads the file of one worker.
    pub(crate) fn read(&self, manifest: &Manifest, worker: usize) -> Result<Vec<u8>, RunError> {
        let path = self.file(manifest.tick, worker);
        let bytes = fs::read(&path).map_err(|error| fail(&path, &error))?;
        if (bytes.len() as u64, hash_of(&bytes)) != manifest.files[worker] {
            return Err(RunError::Checkpoint(format!("{} is damaged", path.display())));
        }
        Ok(bytes)
    }

    /// Writes the manifest, by which the checkpoint becomes valid, and removes old checkpoints.
    pub(crate) fn complete(&self, manifest: &Manifest, schema: u64) -> Result<(), RunError> {
        let path = self.at(manifest.tick).join("manifest");
        write_whole(&path, self.text(manifest, schema).as_bytes())?;
        let ticks = self.ticks()?;
        for &tick in ticks.iter().filter(|&&tick| tick < manifest.tick).skip(KEPT - 1) {
            let folder = self.at(tick);
            // without its manifest it is no checkpoint, even if the rest cannot be removed
            let _ = fs::remove_file(folder.join("manifest"));
            let _ = fs::remove_dir_all(folder);
        }
        Ok(())
    }

    fn text(&self, manifest: &Manifest, schema: u64) -> String {
        let mut text = format!(
            "{TITLE}\ntick {}\nsettings {:016x}\nschema {schema:016x}\n",
            manifest.tick, self.settings
        );
        for (worker, (length, hash)) in manifest.files.iter().enumerate() {
            let keys = manifest.partition.keys(worker);
            let _ = writeln!(
                text,
                "worker {worker} keys {:016x} {:016x} bytes {length} hash {hash:016x}",
                keys.start, keys.end
            );
        }
        let _ = writeln!(text, "end {:016x}", hash_of(text.as_bytes()));
        text
    }

    /// The ticks of all folders, newest first.
    fn ticks(&self) -> Result<Vec<u64>, RunError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| fail(&self.folder, &error))?,
        };
        let mut ticks = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| fail(&self.folder, &error))?.file_name();
            let tick = name.to_str().and_then(|name| name.strip_prefix("tick-")?.parse::<u64>().ok());
            ticks.extend(tick);
        }
        ticks.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ticks)
    }

    /// Checks that the folder has no checkpoint, whole or damaged: a run that does not continue
    /// from it would remove it.
    pub(crate) fn check_unused(&self) -> Result<(), RunError> {
        for tick in self.ticks()? {
            let path = self.at(tick).join("manifest");
            if path.try_exists().map_err(|error| fail(&path, &error))? {
                return Err(RunError::Checkpoint(format!(
                    "{} has the checkpoint of tick {tick} of another run, which this one would remove: continue from it with \
                     `Worker::resume`, choose another folder, or remove this one",
                    self.folder.display()
                )));
            }
        }
        Ok(())
    }

    /// The manifests of the checkpoints that may be loaded, newest first. `places` is the number of
    /// places.
    ///
    /// A damaged manifest is passed over if there is another one: the newest may be damaged, and
    /// the one before it whole.
    pub(crate) fn usable(&self, schema: u64, places: u32) -> Result<Vec<Manifest>, RunError> {
        let (mut manifests, mut damaged) = (Vec::new(), None);
        for tick in self.ticks()? {
            let path = self.at(tick).join("manifest");
            let bytes = match fs::read(&path) {
                // the run ended while it was written
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(|error| fail(&path, &error))?,
            };
            let refused = |reason: &str| {
                Err(RunError::Checkpoint(format!("{} {reason}: choose another folder", path.display())))
            };
            let text = String::from_utf8_lossy(&bytes);
            let Some(body) = checked(&text) else {
                damaged.get_or_insert(path);
                continue;
            };
            if body.lines().next() != Some(TITLE) {
                return refused("was written by another version of the library");
            }
            let Some(manifest) = parse(body).filter(|manifest| manifest.tick == tick) else {
                damaged.get_or_insert(path);
                continue;
            };
            if !manifest.partition.fits(places, manifest.files.len()) {
                return refused(&format!("belongs to a run whose space has not {places} places"));
            }
            if self.text(&manifest, schema) != text {
                return refused("belongs to a run with other settings, or to another version of the world");
            }
            manifests.push(manifest);
        }
        match damaged.filter(|_| manifests.is_empty()) {
            Some(path) => Err(RunError::Checkpoint(format!(
                "{} is damaged, and there is no other checkpoint: remove its folder to begin anew",
                path.display()
            ))),
            None => Ok(manifests),
        }
    }
}

/// The lines of a manifest before the last one, which has their hash; `None` if the text is
/// damaged.
fn checked(text: &str) -> Option<&str> {
    let end = text.rfind("end ")?;
    let (body, end) = text.split_at(end);
    (end == format!("end {:016x}\n", hash_of(body.as_bytes()))).then_some(body)
}

/// Reads the lines of a manifest. Settings and schema are compared with the text afterwards.
fn parse(body: &str) -> Option<Manifest> {
    let mut lines = body.lines().skip(1);
    let tick = lines.next()?.strip_prefix("tick ")?.parse().ok()?;
    let (mut starts, mut files, mut last) = (Vec::new(), Vec::new(), 0);
    for line in lines.skip(2) {
        let words: Vec<&str> = line.split(' ').collect();
        let ["worker", _, "keys", from, to, "bytes", length, "hash", hash] = words[..] else { return None };
        let number = |text| u64::from_str_radix(text, 16).ok();
        starts.push(number(from)?);
        last = number(to)?;
        files.push((length.parse().ok()?, number(hash)?));
    }
    starts.push(last);
    if files.is_empty() {
        return None;
    }
    Some(Manifest { tick, partition: Partition::from_starts(starts), files })
}

fn fail(path: &Path, error: &io::Error) -> RunError {
    RunError::Checkpoint(format!("{}: {error}", path.display()))
}

/// Writes a file under a temporary name, and then renames it, so that a file with its name is
/// whole. If that fails, nothing is left of it.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let temporary = path.with_extension("part");
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        // the name is on disk when the folder is; not all systems can open folders
        if let Some(Ok(folder)) = path.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        fail(path, &error)
    })
}

pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let fold = |hash: u64, chunk: &[u8]| {
        let mut number = [0; 8];
        number[..chunk.len()].copy_from_slice(chunk);
        mix(hash.rotate_left(7) ^ u64::from_le_bytes(number))
    };
    bytes.chunks(8).fold(mix(bytes.len() as u64), fold)
}
