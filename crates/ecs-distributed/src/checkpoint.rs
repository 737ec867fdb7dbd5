//! [`Checkpoints`]: states of all workers in a [`Store`], from which a run resumes.
//!
//! Every worker writes its state as an object. When all have done so, worker 0 writes the manifest,
//! with lengths and hashes of the objects: without a manifest, there is no checkpoint. A checkpoint
//! is whole, or has what differs from the ones before it, back to a whole one: see [`pieces`]. The
//! two newest checkpoints stay, with all that they need. What is left of a checkpoint that fails is
//! removed at once, or when the next run begins.

mod pieces;

use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use twox_hash::XxHash3_128;

use crate::store::{Folder, Store};
use crate::{Partition, RunError};
pub(crate) use pieces::Chain;
use pieces::Index;

/// The first line of a manifest.
const TITLE: &str = "checkpoint of ecs-distributed, version 3";
/// The number of checkpoints that stay.
const KEPT: usize = 2;

/// A place for the checkpoints of a run, and how they are written.
#[derive(Clone)]
pub struct Checkpoints {
    store: Arc<dyn Store>,
    settings: u64,
    pub(crate) whole_every: u64,
    pub(crate) within: Duration,
}

/// The contents of a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Manifest {
    pub(crate) tick: u64,
    /// The tick of the whole checkpoint that this one needs: its own, if it is whole.
    pub(crate) since: u64,
    pub(crate) partition: Partition,
    pub(crate) files: Vec<Entry>,
}

/// The file of a worker in a manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) length: u64,
    /// The length of the index at the end of the file.
    pub(crate) index: u64,
    /// The hash of the index, which has those of the rest.
    pub(crate) hash: u128,
}

impl Checkpoints {
    /// Checkpoints in a folder, which is made if needed. Processes on several machines need a
    /// folder that these share. `settings` is a hash of the options that change the result of the
    /// run, such as its seed: a run with other settings does not resume from them.
    pub fn new(folder: impl Into<PathBuf>, settings: u64) -> Self {
        Self::in_store(Folder(folder.into()), settings)
    }

    /// Checkpoints in another [`Store`], for instance a bucket of an object store.
    pub fn in_store(store: impl Store, settings: u64) -> Self {
        let within = Duration::from_secs(50);
        Self { store: Arc::new(store), settings, whole_every: 8, within }
    }

    /// The same place, where each `number`-th checkpoint is whole, and the others have what has
    /// changed since: 8 without this call. With 1 all are whole. All workers say the same.
    ///
    /// The store has the objects of up to `number + 2` checkpoints at a time, and a run resumes
    /// from up to `number` of them. To find what has changed, a worker keeps 64 bytes for about
    /// five kilobytes of all files since the whole one: of its state, and up to `number` times as
    /// much if all of it changes.
    ///
    /// # Panics
    /// If `number` is 0.
    #[must_use]
    pub fn whole_every(self, number: u64) -> Self {
        assert!(number > 0, "some checkpoints are whole");
        Self { whole_every: number, ..self }
    }

    /// The same place, where a checkpoint that takes longer than this to be written is given up,
    /// with an error: 50 seconds without this call. The others wait for a worker that writes, so
    /// this is less than the time after which a worker counts as hanging.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { within: time, ..self }
    }

    /// The address of the store: the path of the folder.
    #[must_use]
    pub fn address(&self) -> String {
        self.store.to_string()
    }

    /// The error of an object.
    pub(crate) fn fail(&self, name: &str, reason: impl std::fmt::Display) -> RunError {
        RunError::Checkpoint(format!("{}/{name}: {reason}", self.store))
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, RunError> {
        self.store.get(name).map_err(|error| self.fail(name, error))
    }

    fn list(&self) -> Result<Vec<String>, RunError> {
        let names = self.store.list();
        names.map_err(|error| RunError::Checkpoint(format!("{}: {error}", self.store)))
    }

    /// Writes the file of one worker: the next one of its chain.
    pub(crate) fn write(
        &self,
        chain: &mut Chain,
        tick: u64,
        worker: usize,
        state: &[u8],
    ) -> Result<Entry, RunError> {
        let (parts, index) = chain.add(tick, state, self.whole_every > 1);
        let name = file_name(tick, worker);
        let mut content: Vec<&[u8]> = parts.iter().map(|part: &Range<usize>| &state[part.clone()]).collect();
        content.push(&index);
        self.store.put(&name, &content).map_err(|error| self.fail(&name, error))?;
        let length = content.iter().map(|part| part.len() as u64).sum();
        Ok(Entry { length, index: index.len() as u64, hash: XxHash3_128::oneshot(&index) })
    }

    /// Removes the file of one worker, of a checkpoint that has failed: a full store must not stay
    /// full.
    pub(crate) fn discard(&self, tick: u64, worker: usize) {
        let _ = self.store.delete(&file_name(tick, worker));
    }

    /// Removes the manifest of a checkpoint that was given up.
    pub(crate) fn withdraw(&self, tick: u64) {
        let _ = self.store.delete(&manifest_name(tick));
    }

    /// Removes what is left of checkpoints that were not completed. One worker calls it while no
    /// other one writes there.
    pub(crate) fn remove_unfinished(&self) -> Result<(), RunError> {
        let names = self.list()?;
        let ticks = ticks_of_manifests(&names);
        let needed = ticks.iter().map(|&tick| self.needed(tick)).collect::<Result<Vec<_>, _>>()?;
        for name in &names {
            let Some((tick, file)) = parse_name(name) else { continue };
            // only objects that a run has written
            let is_left = file.starts_with("worker-") && !needed.iter().any(|needed| needed.contains(&tick));
            if is_left || name.ends_with(".part") {
                let _ = self.store.delete(name);
            }
        }
        Ok(())
    }

    /// The ticks of the checkpoints that one with a manifest needs, with its own. A damaged one may
    /// need all before it.
    fn needed(&self, tick: u64) -> Result<RangeInclusive<u64>, RunError> {
        let manifest = read_manifest(self.get(&manifest_name(tick))?);
        Ok(manifest.map_or(0, |manifest| manifest.since)..=tick)
    }

    /// Reads the state of one worker.
    pub(crate) fn read(&self, manifest: &Manifest, worker: usize) -> Result<Vec<u8>, RunError> {
        let name = file_name(manifest.tick, worker);
        let damaged = |name: &str| RunError::Checkpoint(format!("{}/{name} is damaged", self.store));
        // the index is behind the pieces, and is checked by the manifest
        let own = self.get(&name)?;
        let entry = manifest.files[worker];
        let begin = usize::try_from(entry.index).ok().and_then(|index| own.len().checked_sub(index));
        let index = begin
            .map(|begin| &own[begin..])
            .filter(|index| own.len() as u64 == entry.length && XxHash3_128::oneshot(index) == entry.hash);
        let index = index.and_then(Index::read).ok_or_else(|| damaged(&name))?;
        // the pieces are checked by the index
        let mut own = Some(own);
        let state = index.state(|tick| match own.take_if(|_| tick == manifest.tick) {
            Some(own) => Ok(own),
            None => self.get(&file_name(tick, worker)),
        })?;
        state.map_err(|tick| damaged(&file_name(tick, worker)))
    }

    /// Writes the manifest, by which the checkpoint becomes valid, and removes old checkpoints: later
    /// on, if it cannot be known which ones are needed.
    pub(crate) fn complete(&self, manifest: &Manifest, schema: u64) -> Result<(), RunError> {
        let name = manifest_name(manifest.tick);
        let text = self.text(manifest, schema);
        self.store.put(&name, &[text.as_bytes()]).map_err(|error| self.fail(&name, error))?;
        // what is before it, and those that stay do not need
        let Ok(mut names) = self.list() else { return Ok(()) };
        let ticks = ticks_of_manifests(&names);
        let before = ticks.into_iter().filter(|&tick| tick < manifest.tick).take(KEPT - 1);
        let needed = before.map(|tick| self.needed(tick)).collect::<Result<Vec<_>, _>>();
        let Ok(mut needed) = needed else { return Ok(()) };
        needed.push(manifest.since..=u64::MAX);
        // manifests at first: a checkpoint without one is none, even if the rest cannot be removed
        names.sort_by_key(|name| !name.ends_with("/manifest"));
        for name in &names {
            let tick = parse_name(name).map(|(tick, _)| tick);
            if tick.is_some_and(|tick| !needed.iter().any(|needed| needed.contains(&tick))) {
                let _ = self.store.delete(name);
            }
        }
        Ok(())
    }

    fn text(&self, manifest: &Manifest, schema: u64) -> String {
        let mut text = format!(
            "{TITLE}\ntick {} since {}\nsettings {:016x}\nschema {schema:016x}\n",
            manifest.tick, manifest.since, self.settings
        );
        for (worker, Entry { length, index, hash }) in manifest.files.iter().enumerate() {
            let keys = manifest.partition.keys(worker);
            let _ = writeln!(
                text,
                "worker {worker} keys {:016x} {:016x} bytes {length} index {index} hash {hash:032x}",
                keys.start, keys.end
            );
        }
        let _ = writeln!(text, "end {:032x}", XxHash3_128::oneshot(text.as_bytes()));
        text
    }

    /// Checks that the store has no checkpoint, whole or damaged: a run that does not continue from
    /// it would remove it.
    pub(crate) fn check_unused(&self) -> Result<(), RunError> {
        match ticks_of_manifests(&self.list()?).first() {
            None => Ok(()),
            Some(tick) => Err(RunError::Checkpoint(format!(
                "{} has the checkpoint of tick {tick} of another run, which this one would remove: continue from it with \
                 `Worker::resume`, choose another folder, or remove this one",
                self.store
            ))),
        }
    }

    /// The manifests of the checkpoints that may be loaded, newest first. `places` is the number of
    /// places.
    ///
    /// A damaged manifest is passed over if there is another one: the newest may be damaged, and
    /// the one before it whole.
    pub(crate) fn usable(&self, schema: u64, places: u32) -> Result<Vec<Manifest>, RunError> {
        let (mut manifests, mut damaged) = (Vec::new(), None);
        for tick in ticks_of_manifests(&self.list()?) {
            let name = manifest_name(tick);
            let bytes = self.get(&name)?;
            let refused = |reason: &str| {
                Err(RunError::Checkpoint(format!("{}/{name} {reason}: choose another folder", self.store)))
            };
            let text = String::from_utf8_lossy(&bytes);
            let Some(body) = checked(&text) else {
                damaged.get_or_insert(name);
                continue;
            };
            if body.lines().next() != Some(TITLE) {
                return refused("was written by another version of the library");
            }
            let Some(manifest) = parse(body).filter(|manifest| manifest.tick == tick) else {
                damaged.get_or_insert(name);
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
            Some(name) => Err(RunError::Checkpoint(format!(
                "{}/{name} is damaged, and there is no other checkpoint: remove its folder to begin anew",
                self.store
            ))),
            None => Ok(manifests),
        }
    }
}

impl std::fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (address, settings) = (self.address(), self.settings);
        f.debug_struct("Checkpoints")
            .field("address", &address)
            .field("settings", &settings)
            .finish_non_exhaustive()
    }
}

pub(crate) fn file_name(tick: u64, worker: usize) -> String {
    format!("tick-{tick:010}/worker-{worker:04}")
}

pub(crate) fn manifest_name(tick: u64) -> String {
    format!("tick-{tick:010}/manifest")
}

/// The tick and the file of the name of an object that a run has written.
fn parse_name(name: &str) -> Option<(u64, &str)> {
    let (tick, file) = name.strip_prefix("tick-")?.split_once('/')?;
    let is_own = file.starts_with("worker-") || file == "manifest" || file == "manifest.part";
    Some((tick.parse().ok()?, file)).filter(|_| is_own)
}

/// The ticks of the manifests among names, newest first.
fn ticks_of_manifests(names: &[String]) -> Vec<u64> {
    let manifests = names.iter().filter_map(|name| parse_name(name)).filter(|(_, file)| *file == "manifest");
    let mut ticks: Vec<u64> = manifests.map(|(tick, _)| tick).collect();
    ticks.sort_unstable_by(|a, b| b.cmp(a));
    ticks
}

/// The lines of a manifest before the last one, which has their hash; `None` if the text is
/// damaged.
fn checked(text: &str) -> Option<&str> {
    let end = text.rfind("end ")?;
    let (body, end) = text.split_at(end);
    (end == format!("end {:032x}\n", XxHash3_128::oneshot(body.as_bytes()))).then_some(body)
}

fn read_manifest(bytes: Vec<u8>) -> Option<Manifest> {
    parse(checked(std::str::from_utf8(&bytes).ok()?)?)
}

/// Reads the lines of a manifest. Settings and schema are compared with the text afterwards.
fn parse(body: &str) -> Option<Manifest> {
    let mut lines = body.lines().skip(1);
    let (tick, since) = lines.next()?.strip_prefix("tick ")?.split_once(" since ")?;
    let (mut starts, mut files, mut last) = (Vec::new(), Vec::new(), 0);
    for line in lines.skip(2) {
        let words: Vec<&str> = line.split(' ').collect();
        let ["worker", _, "keys", from, to, "bytes", length, "index", index, "hash", hash] = words[..] else {
            return None;
        };
        let key = |text| u64::from_str_radix(text, 16).ok();
        starts.push(key(from)?);
        last = key(to)?;
        let (length, index) = (length.parse().ok()?, index.parse().ok()?);
        files.push(Entry { length, index, hash: u128::from_str_radix(hash, 16).ok()? });
    }
    starts.push(last);
    if files.is_empty() {
        return None;
    }
    let (tick, since) = (tick.parse().ok()?, since.parse().ok()?);
    Some(Manifest { tick, since, partition: Partition::from_starts(starts), files })
}
