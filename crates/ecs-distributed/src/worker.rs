//! [`Worker`]: one part of a distributed world, and its ticks. Entities move in `migrate`, loads
//! are balanced in `balance`, and `checkpoint` writes the state.

mod balance;
mod checkpoint;
mod metrics;
mod migrate;

use std::fmt;
use std::time::{Duration, Instant};

use ecs::query::AllowDisabled;
use ecs::save::Selection;
use ecs::{Entity, World};

use crate::model::Migrating;
use crate::shared::{Link, SharedList, run_tick};
use crate::step::{Step, check_index, exchange_at};
use crate::wire::{read_number, read_part, write_number, write_part};
use crate::{Exchange, GlobalId, Model, Part, Partition, RunError, Space};
use balance::Balance;
use checkpoint::Writing;

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
    /// The time that checkpoints have taken after the tick: to copy the state, and to wait for one
    /// that is not written yet.
    pub checkpoint: Duration,
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
    /// The checkpoints that are written.
    writing: Writing,
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

    /// Moves entities to their owners, and exchanges what systems of the first tick read.
    fn begin(&mut self) -> Result<(), RunError> {
        self.migrate()?;
        self.balance_loads()?;
        self.renew_shared()
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
            writing: Writing::default(),
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
