//! [`Worker`]: one part of a distributed world, and its ticks. Entities move in `migrate`, and loads
//! are balanced in `balance`.

mod balance;
mod metrics;
mod migrate;

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ecs::query::AllowDisabled;
use ecs::save::{DanglingIds, LoadOptions, Saved, Selection};
use ecs::{Entity, World};

use crate::checkpoint::{Checkpoints, Manifest};
use crate::model::Migrating;
use crate::shared::{Link, SharedList, run_tick};
use crate::step::{Step, agree, check_index, exchange_at};
use crate::wire::{read_number, read_part, write_number, write_part};
use crate::{Exchange, GlobalId, Model, Part, Partition, RunError, Space};
use balance::Balance;

/// The times and the amounts of data of a worker's last tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct TickStats {
    /// The time of the model's own tick.
    pub compute: Duration,
    /// The time for the entities that have moved to other workers, and for a new partition.
    pub migrate: Duration,
    /// The time for the exchange of halos, totals and messages.
    pub halo: Duration,
    /// The part of these times in which the worker has waited for messages of others.
    pub wait: Duration,
    /// The worker whose `compute` was longest: the one for which the others have waited.
    pub slowest: usize,
    /// The entities with a place that this worker had during the tick.
    pub entities: usize,
    /// Whether the places were divided anew after the tick.
    pub rebalanced: bool,
    /// The entities that were sent to other workers, without companions.
    pub sent_entities: usize,
    /// The copies of other workers' entities.
    pub mirrors: usize,
    /// The bytes of entities that were sent to other workers.
    pub migration_bytes: usize,
    /// The bytes of mirrored values, totals and messages that were sent to other workers.
    pub halo_bytes: usize,
}

/// One part of a distributed world: the entities whose places it owns.
pub struct Worker<M: Model, E: Exchange> {
    model: M,
    world: M::World,
    exchange: E,
    partition: Partition,
    links: Vec<Box<dyn Link<M>>>,
    selection: Option<Selection<M::World>>,
    tick: u64,
    balance: Balance,
    stats: TickStats,
    /// For each worker the entities that leave for it; kept for its memory.
    leaving: Vec<Vec<Entity>>,
    /// The folders whose checkpoints are those of this run.
    folders: Vec<PathBuf>,
}

impl<M: Model, E: Exchange> Worker<M, E> {
    /// Makes the world of this worker, and exchanges the first halo. All workers call it, with
    /// equal models.
    ///
    /// # Errors
    /// If the model does not list a component of the world, or if the workers cannot reach each
    /// other.
    pub fn new(model: M, exchange: E) -> Result<Self, RunError> {
        check_index(&exchange)?;
        let partition = Partition::equal(model.space().places(), exchange.workers());
        let mut world = model.build(&Part { partition: &partition, worker: exchange.index() });
        model.prepare(&mut world);
        let mut worker = Self::with(model, exchange, world, partition, 0)?;
        worker.begin()?;
        Ok(worker)
    }

    /// Continues from the newest checkpoint; `None` if there is none. All workers call it. The
    /// number of workers may be another one than that of the run that has written the checkpoint.
    /// Then the resources of one worker are taken over, so that they must be equal on all workers,
    /// and unread events and the state of systems of the other workers are lost. What is left of
    /// checkpoints that were not completed is removed: no other run writes to the folder.
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
                checkpoints.remove_unfinished(None)?;
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
                    worker.folders.push(checkpoints.folder().to_owned());
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

    /// Moves entities to their owners, and exchanges what systems of the first tick read.
    fn begin(&mut self) -> Result<(), RunError> {
        self.migrate()?;
        self.balance_loads()?;
        self.renew_shared()
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

    /// The section of a checkpoint with the shared resources.
    fn shared_section(&self) -> Result<Vec<u8>, RunError> {
        let mut section = Vec::new();
        for link in &self.links {
            let Some(name) = link.saved_name() else { continue };
            let mut part = Vec::new();
            link.save(&self.world, self.exchange.index(), &mut part)?;
            write_part(name.as_bytes(), &mut section);
            write_part(&part, &mut section);
        }
        Ok(section)
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

    /// Writes a checkpoint of all workers. All workers call it after the same tick. It is valid as
    /// soon as it is complete; until then, and if it fails, the one before it stays, and nothing is
    /// left of the failed one. After a [`RunError::Checkpoint`] the run can go on, and try again
    /// later.
    ///
    /// # Errors
    /// If a worker cannot write its file, which all workers report, or cannot be reached. If the
    /// folder has checkpoints, and this run neither has written them nor was
    /// [resumed](Self::resume) from them: it would remove them.
    pub fn checkpoint(&mut self, checkpoints: &Checkpoints) -> Result<(), RunError> {
        let own = self.exchange.index();
        let is_known = self.folders.iter().any(|folder| folder == checkpoints.folder());
        // this run has written no manifest there, so that all workers find the same
        let unused = if is_known { Ok(()) } else { checkpoints.check_unused() };
        let is_ours = unused.is_ok();
        let unused = match (&unused, is_known, own) {
            // the others may be writing that of this tick already
            (Ok(()), false, 0) => checkpoints.remove_unfinished(Some(self.tick)),
            _ => unused,
        };
        let result = self.write_checkpoint(checkpoints, unused);
        match &result {
            Ok(()) if !is_known => self.folders.push(checkpoints.folder().to_owned()),
            // all workers have this error, so that none of them goes on to write the manifest
            Err(RunError::Checkpoint(_)) if is_ours => checkpoints.discard(self.tick, own),
            _ => {}
        }
        result
    }

    fn write_checkpoint(
        &mut self,
        checkpoints: &Checkpoints,
        unused: Result<(), RunError>,
    ) -> Result<(), RunError> {
        let own = self.exchange.index();
        let bytes = unused
            .and_then(|()| self.world.to_bytes().map_err(|error| RunError::Checkpoint(error.to_string())));
        let bytes = bytes.and_then(|mut bytes| {
            let section = self.shared_section()?;
            bytes.extend_from_slice(&section);
            bytes.extend((section.len() as u64).to_le_bytes());
            Ok(bytes)
        });
        let written = bytes.and_then(|bytes| checkpoints.write(self.tick, own, &bytes));
        let written = written.map(|(length, hash)| {
            let mut message = Vec::new();
            write_number(length, &mut message);
            write_number(hash, &mut message);
            message
        });
        let mut files = Vec::new();
        let messages = agree(&mut self.exchange, Step::Writing, self.tick, written)?;
        for (from, message) in messages.iter().enumerate() {
            let mut input = message.as_slice();
            let file = read_number(&mut input).zip(read_number(&mut input));
            files.push(file.ok_or_else(|| RunError::damaged(from, "the end of a checkpoint"))?);
        }
        let manifest = Manifest { tick: self.tick, partition: self.partition.clone(), files };
        let complete = match own {
            0 => schema::<M>().and_then(|schema| checkpoints.complete(&manifest, schema)),
            _ => Ok(()),
        };
        agree(&mut self.exchange, Step::Completion, self.tick, complete.map(|()| Vec::new()))?;
        Ok(())
    }

    fn with(
        model: M,
        exchange: E,
        world: M::World,
        partition: Partition,
        tick: u64,
    ) -> Result<Self, RunError> {
        // an entity that moves must not lose a component: each is listed, or said to stay
        let mut listed = Vec::new();
        M::Components::indices(&mut listed);
        let names = M::World::COMPONENTS.iter().copied();
        for (_, component) in names.enumerate().filter(|(index, _)| !listed.contains(index)) {
            if !M::STAYS.contains(&component) {
                return Err(RunError::NotListed { component, world: M::World::NAME });
            }
        }
        // halos begin empty: the first exchange sends all
        let mut links = Vec::new();
        <M::Shared as SharedList<M>>::links(&mut links);
        for link in &mut links {
            link.reset(&model, &partition, exchange.index());
        }
        Ok(Self {
            balance: Balance::new(exchange.workers()),
            leaving: vec![Vec::new(); exchange.workers()],
            model,
            world,
            exchange,
            partition,
            links,
            selection: Some(Selection::of::<M::Components>()),
            tick,
            stats: TickStats::default(),
            folders: Vec::new(),
        })
    }

    /// The same worker, which compares the loads of workers every `ticks` ticks, and divides the
    /// places anew if they are uneven; 0 for never. Without this call they do so in every tick: the
    /// loads are part of messages that are sent anyway. All workers say the same.
    #[must_use]
    pub fn rebalance_every(mut self, ticks: u64) -> Self {
        self.balance.interval = ticks;
        self
    }

    /// The same worker, for which the load of a worker is the time of its ticks in place of the
    /// number of its entities. For models in which some entities take longer than others. Then the
    /// places of workers differ from run to run, and the result does not. All workers say the same.
    #[must_use]
    pub fn rebalance_by_time(mut self) -> Self {
        self.balance.by_time = true;
        self
    }

    /// The world of this worker.
    pub fn world(&self) -> &M::World {
        &self.world
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The number of ticks that were run.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The number of this worker.
    pub fn index(&self) -> usize {
        self.exchange.index()
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.exchange.workers()
    }

    /// The places of each worker.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The times and the amounts of data of this worker's last tick.
    pub fn stats(&self) -> TickStats {
        self.stats
    }

    /// Runs one tick: the model's tick on this part, then the entities that have left it move to
    /// other workers, and the halo is renewed.
    ///
    /// # Errors
    /// If a worker cannot be reached or does not answer, or if an entity cannot be moved. The
    /// worker cannot go on then.
    pub fn tick(&mut self) -> Result<(), RunError> {
        self.stats = TickStats::default();
        let begin = Instant::now();
        run_tick(|| self.model.tick(&mut self.world));
        self.tick += 1;
        let computed = Instant::now();
        self.stats.compute = computed - begin;
        self.balance.measure(self.stats.compute);
        self.migrate()?;
        if self.balance.is_due(self.tick) {
            self.balance_loads()?;
        }
        let migrated = Instant::now();
        self.renew_shared()?;
        self.stats.migrate = migrated - computed;
        self.stats.halo = migrated.elapsed();
        Ok(())
    }

    /// Sends each worker its message, and returns the messages to this worker.
    fn exchange(&mut self, step: Step, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        let begin = Instant::now();
        let received = exchange_at(&mut self.exchange, step, self.tick, to_each);
        self.stats.wait += begin.elapsed();
        received
    }

    /// Exchanges halos, totals and messages.
    fn renew_shared(&mut self) -> Result<(), RunError> {
        if self.links.is_empty() {
            return Ok(());
        }
        // all resources go in one message to each worker
        let mut messages = vec![Vec::new(); self.exchange.workers()];
        for link in &mut self.links {
            link.write(&self.model, &mut self.world, &mut messages)?;
        }
        // read everything before the world changes: a damaged message must not leave half a halo
        let received = self.exchange_shared(Step::Shared, messages)?;
        self.read_shared(&received, |link, from, input| link.read(from, input))?;
        if self.links.iter().any(|link| link.has_answers()) {
            let mut answer = Vec::new();
            for link in self.links.iter_mut().filter(|link| link.has_answers()) {
                link.write_answers(&self.world, &mut answer)?;
            }
            let received = self.exchange_shared(Step::Answers, vec![answer; self.exchange.workers()])?;
            self.read_shared(&received, |link, from, input| match link.has_answers() {
                true => link.read_answers(from, input),
                false => Ok(()),
            })?;
        }
        for link in &mut self.links {
            self.stats.mirrors += link.install(&mut self.world)?;
        }
        Ok(())
    }

    /// Exchanges messages, unless this worker is the only one.
    fn exchange_shared(&mut self, step: Step, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        if messages.len() == 1 {
            return Ok(messages);
        }
        let own = self.exchange.index();
        let sent = messages.iter().enumerate().filter(|(to, _)| *to != own);
        self.stats.halo_bytes += sent.map(|(_, message)| message.len()).sum::<usize>();
        self.exchange(step, messages)
    }

    fn read_shared(
        &mut self,
        received: &[Vec<u8>],
        mut read: impl FnMut(&mut dyn Link<M>, usize, &mut &[u8]) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        for (from, message) in received.iter().enumerate() {
            let mut input = message.as_slice();
            for link in &mut self.links {
                read(&mut **link, from, &mut input)?;
            }
            if !input.is_empty() {
                return Err(RunError::damaged(from, "bytes remain after its last part"));
            }
        }
        Ok(())
    }

    /// The sums of numbers over all workers, with wrapping addition: all workers call it with
    /// equally many numbers, and get the same sums. For sums that systems read, and of floating
    /// point numbers, see [`Totals`](crate::Totals).
    ///
    /// # Errors
    /// If a worker cannot be reached, or gives another number of numbers.
    pub fn sum(&mut self, numbers: &[u64]) -> Result<Vec<u64>, RunError> {
        self.sums(Step::Sum, numbers)
    }

    fn sums(&mut self, step: Step, numbers: &[u64]) -> Result<Vec<u64>, RunError> {
        // each worker sends its numbers to all, and adds up the same ones: every sum is equal
        // everywhere
        let mut message = Vec::new();
        for &number in numbers {
            write_number(number, &mut message);
        }
        let received = self.exchange(step, vec![message; self.exchange.workers()])?;
        let mut sums = vec![0_u64; numbers.len()];
        for (from, mut input) in received.iter().map(Vec::as_slice).enumerate() {
            for sum in &mut sums {
                let number =
                    read_number(&mut input).ok_or_else(|| RunError::damaged(from, "too few numbers"))?;
                *sum = sum.wrapping_add(number);
            }
            if !input.is_empty() {
                return Err(RunError::damaged(from, "too many numbers"));
            }
        }
        Ok(sums)
    }

    /// The messages of all workers, in their order: all workers call it, and get the same messages.
    ///
    /// # Errors
    /// If a worker cannot be reached.
    pub fn gather(&mut self, message: &[u8]) -> Result<Vec<Vec<u8>>, RunError> {
        let workers = self.exchange.workers();
        let mut part = Vec::new();
        write_part(message, &mut part);
        let received = self.exchange(Step::Gather, vec![part; workers])?;
        let mut parts = Vec::with_capacity(workers);
        for (from, mut input) in received.iter().map(Vec::as_slice).enumerate() {
            let part = read_part(&mut input).filter(|_| input.is_empty());
            parts.push(part.ok_or_else(|| RunError::damaged(from, "a gathered message"))?.to_vec());
        }
        Ok(parts)
    }

    /// The hash of the entities of all workers: the same for each number of workers. All workers
    /// call it.
    ///
    /// It is the sum of one hash for each component in [`Model::Components`] of each entity with a
    /// [`GlobalId`]. Ids of entities in components count by the global id of the entity. Resources,
    /// and entities without a global id, are not hashed.
    ///
    /// # Errors
    /// If a worker cannot be reached, or if a value cannot be serialized.
    pub fn hash(&mut self) -> Result<u64, RunError> {
        let own = M::Components::hash(&self.world).map_err(RunError::System)?;
        let entities = self.world.query::<&GlobalId>().filter::<AllowDisabled>().len() as u64;
        let sums = self.sums(Step::Hash, &[own, entities])?;
        Ok(crate::global_id::mix(sums[0] ^ crate::global_id::mix(sums[1])))
    }
}

impl<M: Model, E: Exchange> fmt::Debug for Worker<M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("index", &self.exchange.index())
            .field("workers", &self.exchange.workers())
            .field("tick", &self.tick)
            .finish_non_exhaustive()
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
