//! The checkpoints of a worker: how it writes its part beside its ticks, and how a run resumes.
//!
//! [`Worker::begin_checkpoint`] copies the state, and a thread writes it. In each tick the workers
//! tell each other how far they are, in messages that they send anyway, so that all know in the
//! same tick that a checkpoint is complete or has failed.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ecs::World;
use ecs::save::{DanglingIds, LoadOptions, Saved};

use super::Worker;
use crate::checkpoint::{Chain, Checkpoints, Entry, Manifest, file_name, manifest_name};
use crate::step::{Step, agree, check_index};
use crate::wire::{read_bytes, read_number, read_part, write_number, write_part};
use crate::{Exchange, Model, Partition, RunError, Space};

/// The time for which the ticks wait until a checkpoint that has failed is removed.
const REMOVING: Duration = Duration::from_secs(1);

/// The checkpoints of a worker.
#[derive(Default)]
pub(super) struct Writing {
    /// The stores that have checkpoints of this run.
    stores: Vec<Known>,
    pending: Option<Pending>,
    /// The error of the last checkpoint, which no call has returned yet: all workers have it.
    failed: Option<RunError>,
    /// The memory of the last state: pages of new memory take as long as a copy.
    buffer: Vec<u8>,
    /// A thread that removes what a checkpoint has left, when the threads that write it have ended.
    late: Option<JoinHandle<()>>,
}

/// A store that has checkpoints of this run.
struct Known {
    address: String,
    /// The pieces of the last checkpoints in it.
    chain: Option<Chain>,
    /// The tick of the last complete one. The state cannot change before the next tick, so that
    /// another one of this tick would have the same, in files of the same names.
    complete: Option<u64>,
}

/// A checkpoint that is not complete yet. All workers have one of the same tick.
struct Pending {
    checkpoints: Checkpoints,
    /// The number of the store in [`Writing::stores`].
    store: usize,
    manifest: Manifest,
    begun: Instant,
    /// The thread that writes the file of this worker, and gives back the chain and the memory.
    file: Task<(Chain, Entry, Vec<u8>)>,
    /// Of worker 0, the thread that writes the manifest, when all files are written.
    complete: Option<Task<()>>,
}

impl Pending {
    fn is_complete_next(&self) -> bool {
        !self.manifest.files.is_empty()
    }
}

/// A job on a thread of its own, and its result when it is known.
struct Task<T> {
    /// The result is handed over, or the thread learns that nobody waits for it.
    from: Option<(Receiver<Outcome<T>>, JoinHandle<()>)>,
    result: Option<Outcome<T>>,
}

type Outcome<T> = Result<T, RunError>;

impl<T: Send + 'static> Task<T> {
    fn done(result: Outcome<T>) -> Self {
        Self { from: None, result: Some(result) }
    }

    /// Runs `job` on a thread.
    fn spawn(job: impl FnOnce() -> Outcome<T> + Send + 'static) -> Self {
        let (to, from) = sync_channel(0);
        // nobody may wait for the result any more
        let body = move || drop(to.send(job()));
        match std::thread::Builder::new().name("checkpoint".to_owned()).spawn(body) {
            Ok(thread) => Self { from: Some((from, thread)), result: None },
            Err(error) => Self::done(Err(RunError::Checkpoint(format!("no thread to write it: {error}")))),
        }
    }

    /// The result, if it is known within a time. Without one it does not wait.
    fn result(&mut self, wait: Option<Duration>) -> Option<&Outcome<T>> {
        if let (None, Some((from, _))) = (&self.result, &self.from) {
            let received = match wait {
                Some(wait) => from.recv_timeout(wait),
                None => from.try_recv().map_err(|error| match error {
                    TryRecvError::Empty => RecvTimeoutError::Timeout,
                    TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                }),
            };
            let panicked = || Err(RunError::Checkpoint("the thread that writes it has panicked".to_owned()));
            match received {
                Err(RecvTimeoutError::Timeout) => {}
                received => self.result = Some(received.unwrap_or_else(|_| panicked())),
            }
        }
        self.result.as_ref()
    }

    /// Waits for the result no longer. Returns the thread if it has not ended.
    fn give_up(mut self) -> Option<JoinHandle<()>> {
        self.result(None);
        self.from.filter(|_| self.result.is_none()).map(|(_, thread)| thread)
    }
}

impl<M: Model, E: Exchange> Worker<M, E> {
    /// Writes a checkpoint of all workers, and waits until it is complete:
    /// [`begin_checkpoint`](Self::begin_checkpoint) and [`end_checkpoint`](Self::end_checkpoint).
    /// All workers call it after the same tick.
    ///
    /// # Errors
    /// Those of the two.
    pub fn checkpoint(&mut self, checkpoints: &Checkpoints) -> Result<(), RunError> {
        self.begin_checkpoint(checkpoints)?;
        self.end_checkpoint()
    }

    /// Begins a checkpoint of all workers, which is written beside the next ticks: copies the state
    /// of this worker, and returns. All workers call it after the same tick. If the checkpoint
    /// before is not complete, it is awaited first.
    ///
    /// The checkpoint is valid as soon as it is complete, in one of the next ticks or in
    /// [`end_checkpoint`](Self::end_checkpoint), which a program calls before it ends. Until then,
    /// and if it fails, the one before it stays, and nothing is left of the failed one. After a
    /// [`RunError::Checkpoint`] the run can go on, and try again later.
    ///
    /// If the checkpoint of this tick is in the store already, it stays, and nothing is done.
    ///
    /// Cost: the worker keeps memory for its state in the compact form.
    ///
    /// # Errors
    /// If a worker could not write its part of the checkpoint before, which all workers report:
    /// then no other one is begun. If a worker cannot be reached. If the store has checkpoints, and
    /// this run neither has written them nor was [resumed](Self::resume) from them: it would remove
    /// them.
    pub fn begin_checkpoint(&mut self, checkpoints: &Checkpoints) -> Result<(), RunError> {
        self.end_checkpoint()?;
        let begun = Instant::now();
        let (own, tick) = (self.exchange.index(), self.tick);
        let address = checkpoints.address();
        let store = match self.writing.stores.iter().position(|known| known.address == address) {
            Some(store) => store,
            None => {
                // worker 0 alone looks into the store
                let unused = match own {
                    0 => checkpoints.check_unused().and_then(|()| checkpoints.remove_unfinished()),
                    _ => Ok(()),
                };
                agree(&mut self.exchange, Step::Checkpoints, tick, unused.map(|()| Vec::new()))?;
                self.writing.stores.push(Known { address, chain: None, complete: None });
                self.writing.stores.len() - 1
            }
        };
        if self.writing.stores[store].complete == Some(tick) {
            return Ok(());
        }
        // all workers have equally many files in their chains, so that all begin a new one together
        let chain = self.writing.stores[store].chain.take();
        let chain = chain.filter(|chain| (chain.ticks.len() as u64) < checkpoints.whole_every);
        let mut chain = chain.unwrap_or_else(Chain::new);
        let since = chain.ticks.first().copied().unwrap_or(tick);
        let late = self.writing.late.take_if(|late| !late.is_finished());
        let state = match late {
            Some(late) => {
                self.writing.late = Some(late);
                Err(checkpoints.fail(&file_name(tick, own), "the store is busy with an earlier one"))
            }
            None => self.state(),
        };
        let file = match state {
            Err(error) => Task::done(Err(error)),
            Ok(state) => {
                let to = checkpoints.clone();
                let write = move || {
                    let entry = to.write(&mut chain, tick, own, &state)?;
                    Ok((chain, entry, state))
                };
                Task::spawn(write)
            }
        };
        self.writing.pending = Some(Pending {
            checkpoints: checkpoints.clone(),
            store,
            manifest: Manifest { tick, since, partition: self.partition.clone(), files: Vec::new() },
            begun,
            file,
            complete: None,
        });
        self.stats.checkpoint += begun.elapsed();
        Ok(())
    }

    /// Waits until the checkpoint that was begun is complete. All workers call it. Without one it
    /// does nothing.
    ///
    /// # Errors
    /// If a worker could not write its part, which all workers report, or not in
    /// [time](Checkpoints::within); or if a worker cannot be reached.
    pub fn end_checkpoint(&mut self) -> Result<(), RunError> {
        let begun = Instant::now();
        while self.writing.pending.is_some() {
            let status = self.status(true);
            let received = self.exchange(Step::Writing, vec![status; self.exchange.workers()])?;
            self.read_statuses(&received)?;
        }
        self.stats.checkpoint += begun.elapsed();
        self.writing.failed.take().map_or(Ok(()), Err)
    }

    /// The progress of this worker's checkpoint, for the others: nothing if there is none.
    pub(super) fn status(&mut self, waits: bool) -> Vec<u8> {
        let own = self.exchange.index();
        let Some(pending) = &mut self.writing.pending else { return Vec::new() };
        let within = pending.checkpoints.within;
        let wait = waits.then(|| within.saturating_sub(pending.begun.elapsed()));
        let late = |name: &str| {
            let is_late = waits || pending.begun.elapsed() >= within;
            is_late.then(|| {
                Err(pending.checkpoints.fail(name, format_args!("it is not written after {within:?}")))
            })
        };
        let tick = pending.manifest.tick;
        let result = if !pending.is_complete_next() {
            match pending.file.result(wait) {
                Some(result) => Some(result.as_ref().map(|(_, entry, _)| Some(*entry)).map_err(Clone::clone)),
                None => late(&file_name(tick, own)),
            }
        } else if let Some(complete) = &mut pending.complete {
            match complete.result(wait) {
                Some(result) => Some(result.clone().map(|()| None)),
                None => late(&manifest_name(tick)),
            }
        } else {
            None
        };
        // a kind, and what it has
        let mut status = Vec::new();
        match result {
            None => status.push(0),
            Some(Ok(entry)) => {
                status.push(1);
                if let Some(Entry { length, index, hash }) = entry {
                    [length, index].iter().for_each(|&number| write_number(number, &mut status));
                    status.extend(hash.to_le_bytes());
                }
            }
            Some(Err(error)) => {
                status.push(2);
                status.extend(error.to_string().as_bytes());
            }
        }
        status
    }

    /// Reads how far all workers are. All of them read the same.
    pub(super) fn read_statuses(&mut self, statuses: &[Vec<u8>]) -> Result<(), RunError> {
        let own = self.exchange.index();
        let is_pending = self.writing.pending.is_some();
        if let Some(from) = statuses.iter().position(|status| status.is_empty() == is_pending) {
            return Err(RunError::damaged(
                from,
                "not all workers write a checkpoint; all workers call the same methods in the same order",
            ));
        }
        let Some(pending) = &mut self.writing.pending else { return Ok(()) };
        // the first error in the order of workers, so that all have the same one
        let failed = statuses.iter().enumerate().find(|(_, status)| status[0] == 2);
        if let Some((from, status)) = failed {
            let text = String::from_utf8_lossy(&status[1..]);
            self.writing.failed = Some(RunError::Checkpoint(format!("worker {from}: {text}")));
            self.give_up();
            return Ok(());
        }
        if pending.is_complete_next() {
            // worker 0 has written the manifest
            if statuses[0][0] == 1 {
                let pending = self.writing.pending.take().expect("it was there");
                if let Some(Ok((chain, _, buffer))) = pending.file.result {
                    let known = &mut self.writing.stores[pending.store];
                    (known.chain, known.complete) = (Some(chain), Some(pending.manifest.tick));
                    self.writing.buffer = buffer;
                }
            }
            return Ok(());
        }
        if statuses.iter().any(|status| status[0] != 1) {
            return Ok(());
        }
        // all files are written
        for (from, status) in statuses.iter().enumerate() {
            let input = &mut &status[1..];
            let entry = (|| {
                let (length, index) = (read_number(input)?, read_number(input)?);
                let hash = u128::from_le_bytes(read_bytes(input, 16)?.try_into().ok()?);
                Some(Entry { length, index, hash })
            })();
            let entry = entry.ok_or_else(|| RunError::damaged(from, "the end of a checkpoint"))?;
            pending.manifest.files.push(entry);
        }
        if own == 0 {
            let (to, manifest, schema) =
                (pending.checkpoints.clone(), pending.manifest.clone(), schema::<M>());
            pending.complete = Some(Task::spawn(move || to.complete(&manifest, schema?)));
        }
        Ok(())
    }

    /// Removes what this worker has written of the checkpoint, on a thread: the store may be slow.
    fn give_up(&mut self) {
        let own = self.exchange.index();
        let Some(Pending { checkpoints, manifest, file, complete, .. }) = self.writing.pending.take() else {
            return;
        };
        if file.from.is_none() {
            return; // it has not begun to write
        }
        let has_manifest = complete.is_some();
        let writing: Vec<_> =
            [complete.and_then(Task::give_up), file.give_up()].into_iter().flatten().collect();
        let have_ended = writing.is_empty();
        // the manifest at first: without one there is no checkpoint. Also if it could not be written
        // there may be one: the error may be that of a late answer
        let mut removes = Task::spawn(move || {
            writing.into_iter().for_each(|thread| drop(thread.join()));
            if has_manifest {
                checkpoints.withdraw(manifest.tick);
            }
            checkpoints.discard(manifest.tick, own);
            Ok(())
        });
        // most stores are fast, and the next checkpoint need not be refused
        if have_ended {
            removes.result(Some(REMOVING));
        }
        self.writing.late = removes.give_up();
    }

    /// The state of this worker: its world, and then its shared resources, with their length.
    fn state(&mut self) -> Result<Vec<u8>, RunError> {
        let mut state = std::mem::take(&mut self.writing.buffer);
        state.clear();
        self.world.save(&mut state).map_err(|error| RunError::Checkpoint(error.to_string()))?;
        let begin = state.len();
        for link in &self.links {
            let Some(name) = link.saved_name() else { continue };
            let mut part = Vec::new();
            link.save(&self.world, self.exchange.index(), &mut part)?;
            write_part(name.as_bytes(), &mut state);
            write_part(&part, &mut state);
        }
        let length = (state.len() - begin) as u64;
        state.extend(length.to_le_bytes());
        Ok(state)
    }

    /// Continues from the newest checkpoint; `None` if there is none. All workers call it. The
    /// number of workers may be another one than that of the run that has written the checkpoint.
    /// Then the resources of one worker are taken over, so that they must be equal on all workers,
    /// and unread events and the state of systems of the other workers are lost. What is left of
    /// checkpoints that were not completed is removed: no other run writes to the folder. A worker
    /// that was dropped before [`end_checkpoint`](Self::end_checkpoint) may have left a thread that
    /// does: a run resumes in the process that has dropped it when the checkpoint is complete, or in
    /// a new process.
    ///
    /// # Errors
    /// If there are checkpoints, and none can be read, or one is of other settings, another space,
    /// another version of the world or of this library; and the errors of [`new`](Self::new).
    pub fn resume(model: M, mut exchange: E, checkpoints: &Checkpoints) -> Result<Option<Self>, RunError> {
        check_index(&exchange)?;
        let (own, workers) = (exchange.index(), exchange.workers());
        let schema = schema::<M>()?;
        // worker 0 alone looks into the folder, so that all try the same checkpoints
        let found =
            if own == 0 { checkpoints.usable(schema, model.space().places()) } else { Ok(Vec::new()) };
        let mut message = Vec::new();
        for manifest in found.as_ref().into_iter().flatten() {
            write_number(manifest.tick, &mut message);
        }
        let found = found.and_then(|_| {
            if own == 0 {
                checkpoints.remove_unfinished()?;
            }
            Ok(message)
        });
        let ticks = agree(&mut exchange, Step::Checkpoints, 0, found)?;
        let mut input = ticks[0].as_slice();
        let mut last = None;
        while !input.is_empty() {
            let tick =
                read_number(&mut input).ok_or_else(|| RunError::damaged(0, "the list of checkpoints"))?;
            let loaded = Self::load(&model, checkpoints, tick, own, workers, schema);
            let result = loaded.as_ref().map(|_| Vec::new()).map_err(Clone::clone);
            let all = agree(&mut exchange, Step::Loading, tick, result);
            match (all, loaded) {
                (Ok(_), Ok(Loaded { mut world, partition, sections })) => {
                    model.prepare(&mut world);
                    let mut worker = Self::with(model, exchange, world, partition, tick)?;
                    let address = checkpoints.address();
                    worker.writing.stores.push(Known { address, chain: None, complete: Some(tick) });
                    for section in sections {
                        worker.restore(&section)?;
                    }
                    worker.begin()?;
                    return Ok(Some(worker));
                }
                (Err(error @ RunError::Checkpoint(_)), _) => last = Some(error),
                (Err(error), _) | (_, Err(error)) => return Err(error),
            }
        }
        last.map_or(Ok(None), Err)
    }

    /// The part of one worker in a checkpoint.
    fn load(
        model: &M,
        checkpoints: &Checkpoints,
        tick: u64,
        own: usize,
        workers: usize,
        schema: u64,
    ) -> Result<Loaded<M::World>, RunError> {
        let places = model.space().places();
        let fail = |error: &dyn fmt::Display| {
            RunError::Checkpoint(format!("the checkpoint of tick {tick} cannot be loaded: {error}"))
        };
        // the process must have the whole checkpoint in its own folder
        let manifests = checkpoints.usable(schema, places)?;
        let manifest = manifests.into_iter().find(|manifest| manifest.tick == tick);
        let manifest = manifest.ok_or_else(|| fail(&"this process does not find it in its folder"))?;
        // as many workers as there were: each loads its own file, with the same partition
        let files = manifest.files.len();
        let read = |file| {
            let mut world = checkpoints.read(&manifest, file)?;
            let section = split_section(&mut world).ok_or_else(|| fail(&"a file is too short"))?;
            Ok((world, section))
        };
        let (bytes, section) = read(own % files)?;
        let options = || LoadOptions::new().memory(u64::MAX);
        let mut world = M::World::load_with(&bytes, options()).map_err(|error| fail(&error))?;
        let mut sections = vec![section];
        if files == workers && (M::DIVIDES_PLACES || manifest.partition.is_whole()) {
            return Ok(Loaded { world, partition: manifest.partition, sections });
        }
        // more workers than files: this one begins without entities, but with the resources of a
        // file
        if own >= files {
            world.clear();
            sections.clear();
        }
        // fewer workers than files: this one gets several
        for file in (own..files).step_by(workers).skip(1) {
            let (bytes, section) = read(file)?;
            world.merge_with(&bytes, DanglingIds::Keep, options()).map_err(|error| fail(&error))?;
            sections.push(section);
        }
        // other workers than before: the partition starts anew, and entities move to their owners
        Ok(Loaded { world, partition: Partition::equal(places, workers), sections })
    }

    /// Gives the shared resources what a checkpoint has of them. It has those that the model has
    /// listed when it was written.
    fn restore(&mut self, mut section: &[u8]) -> Result<(), RunError> {
        let other = |name: &str| {
            RunError::Checkpoint(format!(
                "the checkpoint is of another version of the model: `{name}` is in one of their lists `Model::Shared` alone, or in another \
                 order"
            ))
        };
        for link in &mut self.links {
            let Some(name) = link.saved_name() else { continue };
            let mut part = read_part(&mut section)
                .filter(|found| *found == name.as_bytes())
                .and_then(|_| read_part(&mut section))
                .ok_or_else(|| other(name))?;
            let restored = link.restore(&mut self.world, &mut part);
            restored.filter(|()| part.is_empty()).ok_or_else(|| other(name))?;
        }
        match read_part(&mut section) {
            None => Ok(()),
            Some(name) => Err(other(&String::from_utf8_lossy(name))),
        }
    }
}

/// The part of one worker in a checkpoint.
struct Loaded<W> {
    world: W,
    partition: Partition,
    /// Of each file that was read, the section for shared resources.
    sections: Vec<Vec<u8>>,
}

/// Removes the section for shared resources from the end of a worker's file, and returns it.
fn split_section(file: &mut Vec<u8>) -> Option<Vec<u8>> {
    let (rest, length) = file.split_last_chunk()?;
    let at = rest.len().checked_sub(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let section = rest[at..].to_vec();
    file.truncate(at);
    Some(section)
}

/// The fingerprint of the types of a model's world.
fn schema<M: Model>() -> Result<u64, RunError> {
    M::World::schema().map_err(|error| RunError::Checkpoint(error.to_string()))
}
