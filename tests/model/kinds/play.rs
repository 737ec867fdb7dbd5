//! The operations on a world and on a map beside it, and their comparison.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::world::Regrouped;
use ecs_tests::Ledger;
use ecs_tests::random::Random;

use super::worlds::{Game, REQUIRED};

thread_local! {
    /// Whether the next program on this thread prints its operations.
    static LOG: Cell<bool> = const { Cell::new(false) };
}

pub fn log_operations() {
    LOG.set(true);
}

/// Random numbers of a seed, also of a small one.
pub fn seeded(seed: u64) -> Random {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..4).for_each(|_| _ = random.place(2));
    random
}

/// The components of an entity: the number of each.
pub type Row = BTreeMap<usize, u32>;
/// The entities of a world.
pub type Rows = BTreeMap<Entity, Row>;

/// All ids of a slot.
fn ids(slot: u32) -> RangeInclusive<Entity> {
    let id = |generation: u64| Entity::from_bits(generation << 32 | u64::from(slot)).unwrap();
    id(1)..=id((1 << 31) - 1)
}

/// A world as a map.
#[derive(Clone, Default)]
struct Plain {
    rows: Rows,
    /// All ids that were ever given to an entity.
    used: BTreeSet<Entity>,
}

impl Plain {
    fn add(&mut self, entity: Entity, row: Row) {
        assert!(self.used.insert(entity), "{entity} was given twice");
        let neighbour = self.rows.range(ids(entity.slot())).next();
        assert_eq!(neighbour, None, "the slot of {entity} was given twice");
        self.rows.insert(entity, row);
    }

    fn remove(&mut self, entity: Entity) -> bool {
        self.rows.remove(&entity).is_some()
    }

    /// The number of values with a token.
    fn counted<W: Game>(&self) -> usize {
        self.rows.values().flat_map(BTreeMap::keys).filter(|&&part| W::PARTS[part].counted).count()
    }
}

/// A world and its map.
struct Pair<W> {
    game: W,
    plain: Plain,
}

/// A world that is played with, another one of its type, and snapshots.
pub struct Play<W: Game> {
    random: Random,
    one: Pair<W>,
    other: Pair<W>,
    snapshots: Vec<(Snapshot<W>, Plain)>,
    /// Whether there was a snapshot: copies of values live as long as the world wants.
    snapshotted: bool,
    /// The parts of each kind.
    sets: Vec<Vec<usize>>,
    /// A part, and another one that it requires.
    requires: Option<[usize; 2]>,
    /// The kinds of this program, and the most entities of an operation.
    kinds: Vec<usize>,
    most: usize,
    next: u32,
    ledger: Ledger,
}

impl<W: Game> Play<W> {
    pub fn new(mut random: Random) -> Self {
        Ledger::new().enter();
        let index = |name: &str| W::PARTS.iter().position(|part| part.name == name).unwrap();
        let names = W::PARTS.iter().map(|part| part.name);
        assert!(names.eq(W::COMPONENTS.iter().copied()), "the parts are in the order of the world");
        let sets: Vec<Vec<usize>> =
            W::KINDS.iter().map(|kind| (kind.names)().into_iter().map(index).collect()).collect();
        let mut kinds: Vec<usize> = (0..sets.len()).collect();
        for _ in 0..random.place(sets.len() - 1) {
            let at = random.place(kinds.len());
            kinds.swap_remove(at);
        }
        let most = [1, 4, 12, 40, 110, 300][random.place(6)];
        let threads = random.once_in(4);
        let pair = || {
            let mut game = W::begin();
            if threads {
                game.set_parallelism(Parallelism::Always);
            }
            Pair { game, plain: Plain::default() }
        };
        let (snapshots, ledger) = (Vec::new(), Ledger::of_thread());
        Self {
            random,
            one: pair(),
            other: pair(),
            snapshots,
            snapshotted: false,
            sets,
            requires: W::REQUIREMENT.map(|names| names.map(index)),
            kinds,
            most,
            next: 1,
            ledger,
        }
    }

    fn kind(&mut self) -> usize {
        self.kinds[self.random.place(self.kinds.len())]
    }

    fn part(&mut self) -> usize {
        let set = self.kind();
        match self.sets[set].len() {
            0 => self.random.place(W::PARTS.len()),
            len if !self.random.once_in(4) => self.sets[set][self.random.place(len)],
            _ => self.random.place(W::PARTS.len()),
        }
    }

    fn count(&mut self) -> u32 {
        1 + self.random.place(self.most) as u32
    }

    /// A number that no value had before.
    fn numbers(&mut self, count: u32) -> u32 {
        self.next += count;
        self.next - count
    }

    fn row(&self, kind: usize, number: u32) -> Row {
        let mut row = self.sets[kind].iter().map(|&part| (part, self.number(part, number))).collect();
        self.complete(&mut row);
        row
    }

    /// Inserts the component that another one of the row requires.
    fn complete(&self, row: &mut Row) {
        if let Some([part, required]) = self.requires
            && row.contains_key(&part)
        {
            row.entry(required).or_insert(REQUIRED);
        }
    }

    /// [`complete`](Self::complete) of the row of an entity that was given these parts.
    fn complete_given(&mut self, entity: Entity, given: &[usize]) {
        if self.requires.is_some_and(|[part, _]| given.contains(&part))
            && let Some(mut row) = self.one.plain.rows.remove(&entity)
        {
            self.complete(&mut row);
            self.one.plain.rows.insert(entity, row);
        }
    }

    fn number(&self, part: usize, number: u32) -> u32 {
        if W::PARTS[part].name.starts_with('T') { 0 } else { number }
    }

    /// An entity that is alive; one in eight is not, if one was despawned.
    fn pick(&mut self) -> Entity {
        let any = self.random.once_in(8);
        let Some(last) = self.one.plain.used.last() else { return Entity::from_bits(1 << 32).unwrap() };
        let from = *ids(self.random.place(last.slot() as usize + 1) as u32).start();
        let Plain { rows, used } = &self.one.plain;
        let alive = || rows.range(from..).chain(rows).next().map(|(&entity, _)| entity);
        let used = || used.range(from..).chain(used).next().copied();
        if any { used() } else { alive().or_else(used) }.unwrap()
    }

    /// Entities that are alive: of all in the order of their slots, some, or a run.
    fn some(&mut self) -> Vec<Entity> {
        let (most, len) = (self.count() as usize, self.one.plain.rows.len());
        let (way, n, from) = (self.random.place(4), 1 + self.random.place(9), self.random.place(len));
        let keys = self.one.plain.rows.keys().copied();
        match way {
            0 => keys.step_by(n).collect(),
            1 => keys.enumerate().filter(|(at, _)| at % (n + 1) != 0).map(|(_, entity)| entity).collect(),
            _ => keys.skip(from).take(most).collect(),
        }
    }

    fn log(&self, text: impl FnOnce() -> String) {
        if LOG.get() {
            eprintln!("{}", text());
        }
    }

    /// Does one random operation.
    pub fn step(&mut self) {
        // in turn few and many entities: blocks empty, and are used again
        if self.one.plain.rows.len() > 1200 || self.random.once_in(60) {
            return self.take_many();
        }
        match self.random.place(43) {
            0..=3 => self.spawn(),
            4..=5 => self.fill_block(),
            6..=8 => self.batch(),
            9 => self.in_turn(),
            10 => self.spawn_at(),
            11..=13 => self.commands(),
            14..=16 => self.tick(),
            17..=18 => self.insert(),
            19 => self.insert_kind(),
            20..=21 => self.remove(),
            22 => self.remove_kind(),
            23..=26 => self.despawn(),
            27 => self.take_many(),
            28 => self.bulk(),
            29 => self.exchange(),
            30 => self.clone_some(),
            31 => self.move_some(),
            32 => self.regroup(),
            33 => self.memory(),
            34..=35 => self.snapshot(),
            36 => self.restore(),
            37 => self.copy(),
            38 => self.save(),
            39..=40 => self.whole_or_not(),
            41 => self.write(),
            _ => self.replace_in_command(),
        }
    }

    fn spawn(&mut self) {
        for _ in 0..self.count().min(20) {
            let (kind, number) = (self.kind(), self.numbers(1));
            self.log(|| format!("spawn {kind} {number}"));
            let entity = (W::KINDS[kind].spawn)(&mut self.one.game, number);
            let row = self.row(kind, number);
            self.one.plain.add(entity, row);
            if self.random.once_in(3) {
                return;
            }
        }
    }

    /// Entities of one kind, as many as fill parts of a shared block, and others that fill the
    /// block: of the latter, or of all, none stays.
    fn fill_block(&mut self) {
        let (kind, other) = (self.kind(), self.kind());
        let (count, none_stays) = (4 * (1 + self.random.place(4) as u32), self.random.once_in(2));
        self.log(|| format!("fill a block, {kind} {other} {count} {none_stays}"));
        let mut new = Vec::new();
        let first = self.numbers(count);
        for number in first..first + count {
            let entity = (W::KINDS[kind].spawn)(&mut self.one.game, number);
            let row = self.row(kind, number);
            self.one.plain.add(entity, row);
            new.extend(none_stays.then_some(entity));
        }
        if self.random.once_in(2) {
            let first = self.numbers(64 - count);
            let ids = (W::KINDS[other].batch)(&mut self.one.game, first, 64 - count, false);
            for (number, &entity) in (first..).zip(&ids) {
                let row = self.row(other, number);
                self.one.plain.add(entity, row);
            }
            new.extend(ids);
        }
        new.into_iter().for_each(|entity| self.despawn_one(entity));
    }

    fn batch(&mut self) {
        let (kind, count) = (self.kind(), self.count());
        let (first, vec) = (self.numbers(count), self.random.once_in(2));
        self.log(|| format!("batch {kind} of {count}"));
        let ids = (W::KINDS[kind].batch)(&mut self.one.game, first, count, vec);
        assert_eq!(ids.len(), count as usize);
        for (number, entity) in (first..).zip(ids) {
            let row = self.row(kind, number);
            self.one.plain.add(entity, row);
        }
    }

    /// Entities of several kinds in turn, of which some go again at once.
    fn in_turn(&mut self) {
        let (rounds, kinds) = (self.count().min(12), self.kinds.clone());
        self.log(|| format!("{rounds} of each kind in turn"));
        for _ in 0..rounds {
            for &kind in kinds.iter().take(8) {
                let number = self.numbers(1);
                let entity = (W::KINDS[kind].spawn)(&mut self.one.game, number);
                let row = self.row(kind, number);
                self.one.plain.add(entity, row);
                if self.random.once_in(4) {
                    let entity = self.pick();
                    self.despawn_one(entity);
                }
            }
        }
    }

    /// A chosen id: a later one of a slot that was used, or one of any slot.
    fn spawn_at(&mut self) {
        let ahead = self.random.place(3) as u64;
        let base = if self.random.once_in(2) {
            self.pick().to_bits()
        } else {
            u64::from(W::begin().spawn(()).generation().get()) << 32 | self.random.place(2000) as u64
        };
        let entity = Entity::from_bits(base + (ahead << 32)).unwrap();
        let (kind, number) = (self.kind(), self.numbers(1));
        self.log(|| format!("spawn {kind} at {entity}"));
        let Plain { rows, used } = &self.one.plain;
        let refused = rows.range(ids(entity.slot())).next().is_some()
            || used.range(entity..=*ids(entity.slot()).end()).next().is_some();
        if (W::KINDS[kind].spawn_at)(&mut self.one.game, entity, number) {
            assert!(!refused, "{entity} is in use");
            let row = self.row(kind, number);
            self.one.plain.add(entity, row);
        }
    }

    /// Commands outside of systems: spawns, and changes of the new entities and of others.
    fn commands(&mut self) {
        let mut spawned: Vec<(Entity, usize, u32)> = Vec::new();
        let orders: Vec<(usize, u32, u32)> = (0..1 + self.random.place(4))
            .map(|_| {
                let (kind, count) = (self.kind(), self.count());
                (kind, self.numbers(count), count)
            })
            .collect();
        let others: Vec<Entity> = (0..3).map(|_| self.pick()).collect();
        let (part, every) = (self.part(), 2 + self.random.place(5));
        let number = self.numbers(1);
        self.log(|| format!("commands {orders:?}, {part} of {others:?}, every {every}"));
        let before = self.one.game.stats().failed_commands;
        self.one.game.on_failed_command(ecs::command::FailurePolicy::Ignore);
        self.one.game.with_commands(|mut commands| {
            for (kind, first, count) in orders {
                let ids = (W::KINDS[kind].batch_command)(&mut commands, first, count);
                spawned.extend((first..).zip(ids).map(|(number, entity)| (entity, kind, number)));
            }
            for (at, (entity, ..)) in spawned.iter().enumerate() {
                match at % every {
                    0 => commands.despawn(*entity),
                    1 => (W::PARTS[part].insert_command)(&mut commands, *entity, number),
                    _ => {}
                }
            }
            (W::PARTS[part].insert_command)(&mut commands, others[0], number);
            (W::PARTS[part].remove_command)(&mut commands, others[1]);
            commands.despawn(others[2]);
        });
        let value = self.number(part, number);
        for (at, (entity, kind, number)) in spawned.into_iter().enumerate() {
            let mut row = self.row(kind, number);
            if at % every == 1 {
                row.insert(part, value);
                self.complete(&mut row);
            }
            self.one.plain.add(entity, row);
            if at % every == 0 {
                self.one.plain.remove(entity);
            }
        }
        let rows = &mut self.one.plain.rows;
        let mut failed = 0;
        match rows.get_mut(&others[0]) {
            Some(row) => _ = row.insert(part, value),
            None => failed += 1,
        }
        self.complete_given(others[0], &[part]);
        let rows = &mut self.one.plain.rows;
        match rows.get_mut(&others[1]) {
            Some(row) => _ = row.remove(&part),
            None => failed += 1,
        }
        failed += u64::from(!self.one.plain.remove(others[2]));
        assert_eq!(self.one.game.stats().failed_commands - before, failed);
    }

    /// A run of the schedule, whose two systems spawn by commands.
    fn tick(&mut self) {
        let mut scripts = [Vec::new(), Vec::new()];
        for script in &mut scripts {
            for _ in 0..self.random.place(4) {
                let (kind, count) = (self.kind(), self.count());
                script.push((kind, self.numbers(count), count));
            }
        }
        self.log(|| format!("tick {scripts:?}"));
        let [one, two] = scripts;
        for (orders, script) in self.one.game.orders().into_iter().zip([one, two]) {
            (orders.ledger, orders.script.0) = (self.ledger.clone(), script);
        }
        self.one.game.run_schedule();
        self.take_spawned();
    }

    /// Adds what the systems have spawned to the map.
    fn take_spawned(&mut self) {
        let spawned: Vec<_> = self
            .one
            .game
            .orders()
            .into_iter()
            .flat_map(|orders| std::mem::take(&mut orders.spawned))
            .collect();
        for (entity, kind, number) in spawned {
            let row = self.row(kind, number);
            self.one.plain.add(entity, row);
        }
    }

    fn insert(&mut self) {
        let (entity, part, number) = (self.pick(), self.part(), self.numbers(1));
        self.log(|| format!("insert {part} into {entity}"));
        let value = self.number(part, number);
        let done = (W::PARTS[part].insert)(&mut self.one.game, entity, number);
        assert_eq!(done, self.one.plain.rows.get_mut(&entity).map(|row| row.insert(part, value)));
        self.complete_given(entity, &[part]);
    }

    fn insert_kind(&mut self) {
        let (kind, number) = (self.kind(), self.numbers(1));
        let mut entities = if self.random.once_in(3) { self.some() } else { vec![self.pick()] };
        self.log(|| format!("insert kind {kind} into {entities:?}"));
        let new = self.row(kind, number);
        if entities.len() == 1 {
            let done = (W::KINDS[kind].insert)(&mut self.one.game, entities[0], number);
            assert_eq!(done, self.one.plain.rows.contains_key(&entities[0]));
            entities.retain(|_| done);
        } else {
            assert!((W::KINDS[kind].insert_batch)(&mut self.one.game, &entities, number));
        }
        let parts = self.sets[kind].clone();
        for entity in entities {
            let row = self.one.plain.rows.get_mut(&entity).unwrap();
            row.extend(new.iter().filter(|(part, _)| parts.contains(part)));
            self.complete_given(entity, &parts);
        }
    }

    /// Inserts or removes the components of a kind, unless one is there already, or is missing.
    fn whole_or_not(&mut self) {
        let (entity, kind, insert) = (self.pick(), self.kind(), self.random.once_in(2));
        let (parts, number) = (self.sets[kind].clone(), self.numbers(1));
        self.log(|| format!("whole kind {kind} of {entity}, {insert}"));
        let new: Row = parts.iter().map(|&part| (part, self.number(part, number))).collect();
        let (verbs, row) = (&W::KINDS[kind], self.one.plain.rows.get_mut(&entity));
        if insert {
            let row = row.filter(|row| parts.iter().all(|part| !row.contains_key(part)));
            let done = (verbs.insert_if_new)(&mut self.one.game, entity, number);
            assert_eq!(done, row.map(|row| row.extend(new)).is_some());
            if done {
                self.complete_given(entity, &parts);
            }
        } else {
            let row = row.filter(|row| parts.iter().all(|part| row.contains_key(part)));
            let removed = row.map(|row| parts.iter().filter_map(|part| row.remove(part)).collect());
            assert_eq!((verbs.try_remove)(&mut self.one.game, entity), removed);
        }
    }

    /// Changes values by a query.
    fn write(&mut self) {
        let number = self.numbers(1);
        self.log(|| format!("write {number}"));
        self.one.game.write(&mut self.one.plain.rows, number);
    }

    fn remove(&mut self) {
        let (entity, part) = (self.pick(), self.part());
        self.log(|| format!("remove {part} from {entity}"));
        let got = (W::PARTS[part].remove)(&mut self.one.game, entity);
        assert_eq!(got, self.one.plain.rows.get_mut(&entity).and_then(|row| row.remove(&part)));
    }

    fn remove_kind(&mut self) {
        let (entity, kind) = (self.pick(), self.kind());
        self.log(|| format!("remove kind {kind} from {entity}"));
        if self.random.once_in(2) {
            let done = (W::KINDS[kind].remove)(&mut self.one.game, entity);
            assert_eq!(done, self.one.plain.rows.contains_key(&entity));
            if let Some(row) = self.one.plain.rows.get_mut(&entity) {
                row.retain(|part, _| !self.sets[kind].contains(part));
            }
        } else {
            let done = (W::KINDS[kind].take_entity)(&mut self.one.game, entity);
            assert_eq!(done, self.one.plain.remove(entity));
        }
    }

    fn despawn_one(&mut self, entity: Entity) {
        let done = self.one.game.despawn(entity).is_ok();
        assert_eq!(done, self.one.plain.remove(entity));
    }

    fn despawn(&mut self) {
        for _ in 0..self.count() {
            let entity = self.pick();
            self.log(|| format!("despawn {entity}"));
            self.despawn_one(entity);
        }
    }

    /// Despawns many entities: some, those of a block, all but a few, or all.
    fn take_many(&mut self) {
        let way = self.random.place(6);
        self.log(|| format!("take many, {way}"));
        match way {
            0 => {
                self.one.game.clear();
                self.one.plain.rows.clear();
            }
            1 => {
                let block = self.pick().slot() / 64;
                let entities: Vec<Entity> = self.one.plain.rows.keys().copied().collect();
                let inside = entities.into_iter().filter(|entity| entity.slot() / 64 == block);
                inside.for_each(|entity| self.despawn_one(entity));
            }
            2 => {
                let entities: Vec<Entity> = self.one.plain.rows.keys().copied().collect();
                entities.into_iter().for_each(|entity| self.despawn_one(entity));
            }
            _ => self.some().into_iter().for_each(|entity| self.despawn_one(entity)),
        }
    }

    /// Verbs for all entities with a component.
    fn bulk(&mut self) {
        let (part, way) = (self.part(), self.random.place(3));
        self.log(|| format!("bulk {way} of {part}"));
        let (verbs, rows) = (&W::PARTS[part], &mut self.one.plain.rows);
        let before = rows.len();
        let holders = rows.values().filter(|row| row.contains_key(&part)).count();
        match way {
            0 => {
                rows.retain(|_, row| !row.contains_key(&part));
                assert_eq!((verbs.despawn_all)(&mut self.one.game), holders);
            }
            1 => {
                rows.values_mut().for_each(|row| _ = row.remove(&part));
                assert_eq!((verbs.remove_all)(&mut self.one.game), holders);
            }
            _ => {
                let keep = |number: u32| number % 3 == 1;
                rows.retain(|_, row| row.get(&part).is_none_or(|&number| keep(number)));
                assert_eq!((verbs.retain)(&mut self.one.game, &keep), before - rows.len());
            }
        }
    }

    /// Exchanges or moves the components of a kind, or all, of two entities.
    fn exchange(&mut self) {
        let (a, b, swap) = (self.pick(), self.pick(), self.random.once_in(2));
        let kind = (!self.random.once_in(3)).then(|| self.kind());
        self.log(|| format!("exchange {kind:?} {a} {b} {swap}"));
        let (game, rows) = (&mut self.one.game, &mut self.one.plain.rows);
        let done = match (kind.map(|kind| &W::KINDS[kind]), swap) {
            (None, true) => game.swap_all(a, b).is_ok(),
            (None, false) => game.move_all_components(a, b).is_ok(),
            (Some(kind), true) => (kind.swap)(game, a, b),
            (Some(kind), false) => (kind.move_components)(game, a, b),
        };
        assert_eq!(done, rows.contains_key(&a) && rows.contains_key(&b));
        if !done || a == b {
            return;
        }
        let parts = kind.map_or_else(|| (0..W::PARTS.len()).collect(), |kind| self.sets[kind].clone());
        let mut taken = |entity| -> Row {
            let row = rows.get_mut(&entity).unwrap();
            parts.iter().filter_map(|&part| Some((part, row.remove(&part)?))).collect()
        };
        let (of_a, of_b) = (taken(a), if swap { taken(b) } else { Row::new() });
        for (entity, given) in [(a, of_b), (b, of_a)] {
            let parts: Vec<usize> = given.keys().copied().collect();
            self.one.plain.rows.get_mut(&entity).unwrap().extend(given);
            self.complete_given(entity, &parts);
        }
    }

    fn clone_some(&mut self) {
        let mut entities = self.some();
        entities.truncate(self.most);
        self.log(|| format!("clone {entities:?}"));
        let clones = self.one.game.clone_entities(&entities).unwrap();
        for (entity, clone) in entities.into_iter().zip(clones) {
            let row = self.one.plain.rows[&entity].clone();
            self.one.plain.add(clone, row);
        }
    }

    /// Moves entities to the other world, and exchanges the worlds now and then.
    fn move_some(&mut self) {
        let entities = self.some();
        self.log(|| format!("move {entities:?}"));
        let new = self.one.game.move_entities(&entities, &mut self.other.game).unwrap();
        for (entity, new) in entities.into_iter().zip(new) {
            let row = self.one.plain.rows.remove(&entity).unwrap();
            self.other.plain.add(new, row);
        }
        if self.random.once_in(2) {
            std::mem::swap(&mut self.one, &mut self.other);
        }
    }

    fn regroup(&mut self) {
        self.log(|| "regroup".into());
        let moved: Regrouped = self.one.game.regroup();
        let plain = &mut self.one.plain;
        let rows: Vec<_> = moved.iter().map(|(old, new)| (new, plain.rows.remove(&old).unwrap())).collect();
        rows.into_iter().for_each(|(new, row)| plain.add(new, row));
        assert!(self.one.game.regroup().is_empty());
    }

    /// Reserves memory and slots, or gives them back.
    fn memory(&mut self) {
        let (kind, count) = (self.kind(), self.random.place(300));
        self.log(|| format!("memory {kind} {count}"));
        match count % 3 {
            0 => {
                let before = self.one.game.stats();
                self.one.game.shrink_to_fit();
                let after = self.one.game.stats();
                assert!(after.bytes <= before.bytes, "{} bytes became {}", before.bytes, after.bytes);
            }
            1 => (W::KINDS[kind].reserve)(&mut self.one.game, count),
            _ => {
                let first = self.random.place(3000) as u32;
                let _ = self.one.game.reserve_ids(first..first + 64); // refused if a slot of them is in use
            }
        }
    }

    fn snapshot(&mut self) {
        self.log(|| "snapshot".into());
        self.snapshotted = true;
        let snapshot = self.one.game.snapshot();
        if self.snapshots.len() == 3 {
            let at = self.random.place(3);
            self.snapshots.swap_remove(at);
        }
        self.snapshots.push((snapshot, self.one.plain.clone()));
    }

    fn restore(&mut self) {
        if self.snapshots.is_empty() {
            return;
        }
        let at = self.random.place(self.snapshots.len());
        self.log(|| format!("restore {at}"));
        let (snapshot, plain) = &self.snapshots[at];
        self.one.game.restore(snapshot);
        self.one.plain.clone_from(plain);
    }

    /// Goes on with a clone, and keeps the former world as the other one, or the other way round.
    fn copy(&mut self) {
        let (swap, from) = (self.random.once_in(2), self.random.once_in(2));
        self.log(|| format!("copy {swap} {from}"));
        if from {
            self.other.game.clone_from(&self.one.game);
        } else {
            self.other.game = self.one.game.clone();
        }
        self.other.plain.clone_from(&self.one.plain);
        if swap {
            std::mem::swap(&mut self.one, &mut self.other);
        }
    }

    /// Goes on with a loaded world, or merges the other world.
    fn save(&mut self) {
        let way = self.random.place(3);
        self.log(|| format!("save {way}"));
        if way < 2 {
            if let Some(loaded) = self.one.game.reloaded(way == 0) {
                self.one.game = loaded;
            }
        } else if self.other.plain.rows.len() < 300
            && let Some(ids) = self.one.game.merge_in(&self.other.game)
        {
            assert_eq!(ids.len(), self.other.plain.rows.len());
            for (old, new) in ids {
                self.one.plain.add(new, self.other.plain.rows[&old].clone());
            }
        }
    }

    /// A command that replaces the world, between others.
    fn replace_in_command(&mut self) {
        let (kind, count) = (self.kind(), self.count());
        let (first, in_schedule) = (self.numbers(2 * count), self.random.once_in(2));
        let mut next = match self.snapshots.is_empty() {
            false => {
                let at = self.random.place(self.snapshots.len());
                let (snapshot, plain) = self.snapshots[at].clone();
                (Some(snapshot), plain)
            }
            true => (None, self.other.plain.clone()),
        };
        self.log(|| format!("replace in a command, {kind}, {count}, {in_schedule}, {}", next.0.is_some()));
        self.one.game.on_failed_command(ecs::command::FailurePolicy::Ignore);
        let other = self.other.game.clone();
        let (snapshot, ledger) = (next.0.take(), self.ledger.clone());
        let mut late = Vec::new();
        self.one.game.with_commands(|mut commands| {
            (W::KINDS[kind].batch_command)(&mut commands, first, count);
            commands.run(move |game| {
                match snapshot {
                    Some(snapshot) => game.restore(&snapshot),
                    None => *game = other,
                }
                game.on_failed_command(ecs::command::FailurePolicy::Ignore);
                if in_schedule {
                    let [one, two] = game.orders();
                    (one.ledger, two.ledger) = (ledger.clone(), ledger);
                    one.script.0 = vec![(kind, first + count, count)];
                    game.run_schedule();
                }
            });
            late = (W::KINDS[kind].batch_command)(&mut commands, first, count);
        });
        self.one.plain = next.1;
        self.take_spawned();
        for entity in late {
            // the id may be one of the restored world, which had it at that time
            assert_eq!(self.one.game.contains(entity), self.one.plain.rows.contains_key(&entity));
        }
    }

    /// Compares the world and the map; everything if `thorough`.
    pub fn check(&mut self, thorough: bool) {
        let pair = &self.one;
        assert_eq!(pair.game.entities().len(), pair.plain.rows.len(), "the number of entities");
        for pair in [&self.one, &self.other].into_iter().filter(|_| thorough) {
            assert!(pair.game.entities().iter().eq(pair.plain.rows.keys().copied()), "the entities");
            let mut values = vec![Vec::new(); W::PARTS.len()];
            for (&entity, row) in &pair.plain.rows {
                row.iter().for_each(|(&part, &number)| values[part].push((entity, number)));
            }
            for ((part, values), column) in W::PARTS.iter().zip(values).zip(pair.game.stats().columns) {
                assert_eq!((column.component, column.len), (part.name, values.len()));
                assert_eq!((part.list)(&pair.game), values, "`{}`", part.name);
            }
            for (at, (&entity, row)) in pair.plain.rows.iter().enumerate().step_by(7) {
                let part = at % W::PARTS.len();
                assert_eq!((W::PARTS[part].get)(&pair.game, entity), row.get(&part).copied());
                let names = row.keys().map(|&part| W::PARTS[part].name);
                assert!(pair.game.entity(entity).unwrap().components().eq(names), "components of {entity}");
            }
            for &entity in pair.plain.used.iter().rev().step_by(11) {
                let row = pair.plain.rows.get(&entity);
                assert_eq!(pair.game.contains(entity), row.is_some(), "{entity}");
                let part = entity.slot() as usize % W::PARTS.len();
                let value = (W::PARTS[part].get)(&pair.game, entity);
                assert_eq!(value, row.and_then(|row| row.get(&part).copied()), "{entity}");
            }
            pair.game.check_queries(&pair.plain.rows);
        }
        if !self.snapshotted {
            let counted = self.one.plain.counted::<W>() + self.other.plain.counted::<W>();
            assert_eq!(self.ledger.alive(), counted, "the number of values");
        }
    }

    pub fn finish(mut self) {
        self.check(true);
        let ledger = self.ledger.clone();
        drop(self);
        ledger.assert_settled();
    }
}
