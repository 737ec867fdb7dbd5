//! Every pair of a verb that takes values or memory away (it shrinks, regroups, clears, loads,
//! restores, removes ..) and a verb that fills (it spawns, inserts, merges, restores ..), in one
//! world with columns of both storages, tags, an index, a key, a relation, logs of removed values,
//! and events. After each verb the world is compared with a map.
//!
//! Few values lie far apart, so that columns of large values have many pages, of which most have a
//! value or two.

use std::collections::BTreeMap;
use std::ops::Range;

use ecs::error::SystemError;
use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs_tests::random::{Random, random_cases};
use ecs_tests::{Counted, Ledger};
use proptest::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value of a KiB: a page has 64 of them.
#[derive(Clone, Debug)]
struct Kilobyte([u64; 128]);

impl Kilobyte {
    fn new(n: u32) -> Self {
        Self([u64::from(n); 128])
    }
    fn number(&self) -> u32 {
        assert!(self.0.iter().all(|&n| n == self.0[0]), "a value is torn");
        self.0[0] as u32
    }
}

impl Serialize for Kilobyte {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0[0].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Kilobyte {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(|n| Self([n; 128]))
    }
}

/// The values of an entity.
#[derive(Clone, Default, PartialEq, Debug)]
struct Row {
    number: [Option<u32>; KINDS],
    tag: bool,
    follows: Option<Entity>,
}

macro_rules! components {
    ($($(#[$attribute:meta])* $name:ident($data:ty), $at:literal, |$n:ident| $make:expr, |$value:ident| $number:expr;)*) => {
        $(
            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            $(#[$attribute])*
            struct $name($data);
            impl $name {
                fn new($n: u32) -> Self {
                    Self($make)
                }
                fn number(&self) -> u32 {
                    let $value = &self.0;
                    $number
                }
            }
        )*

        /// The number of kinds of components with a number.
        const KINDS: usize = [$($at),*].len();

        /// Inserts the numbers of a row. Keys are given by the caller, so that no two are equal.
        fn insert_numbers(game: &mut Game, id: Entity, row: &Row) {
            $(if let Some(n) = row.number[$at] {
                _ = game.insert(id, $name::new(n)).expect("the entity is alive");
            })*
        }

        /// Inserts the numbers of a row that the entity lacks, in another way.
        fn add_numbers(game: &mut Game, id: Entity, row: &Row) {
            $(if let Some(n) = row.number[$at] {
                let is_new = !game.has::<$name>(id);
                assert_eq!(game.insert_if_new(id, $name::new(n)).is_ok(), is_new);
            })*
        }

        fn insert_by_commands(commands: &mut Commands<Game>, id: Entity, row: &Row) {
            $(if let Some(n) = row.number[$at] {
                commands.insert(id, $name::new(n));
            })*
        }

        fn remove_kind(game: &mut Game, id: Entity, kind: usize) {
            match kind {
                $($at => drop(game.remove::<$name>(id).expect("the entity is alive")),)*
                _ => unreachable!(),
            }
        }

        fn remove_all_of_kind(game: &mut Game, kind: usize) -> usize {
            match kind {
                $($at => game.remove_all::<$name>(),)*
                _ => unreachable!(),
            }
        }

        fn despawn_all_with(game: &mut Game, kind: usize) -> usize {
            match kind {
                $($at => game.despawn_all::<With<$name>>(),)*
                _ => unreachable!(),
            }
        }

        /// Compares all ways to reach the values of each component with the rows.
        fn check_numbers(game: &mut Game, rows: &Rows) {
            $({
                let mut expected: Vec<(Entity, u32)> =
                    rows.iter().filter_map(|(&id, row)| Some((id, row.number[$at]?))).collect();
                expected.sort_by_key(|(id, _)| id.slot());
                let query = || game.query::<(Entity, &$name)>();
                assert_eq!(query().len(), expected.len(), "number of {}", stringify!($name));
                let looped: Vec<_> = query().iter().map(|(id, value)| (id, value.number())).collect();
                assert_eq!(looped, expected, "loop over {}", stringify!($name));
                let mut visited = Vec::new();
                query().for_each(|(id, value)| visited.push((id, value.number())));
                assert_eq!(visited, expected, "for_each of {}", stringify!($name));
                let mut chunked = Vec::new();
                for (ids, values) in query().chunks_mut() {
                    chunked.extend(ids.zip(values).map(|(id, value)| (id, value.number())));
                }
                assert_eq!(chunked, expected, "chunks of {}", stringify!($name));
                assert_eq!(query().single().is_ok(), expected.len() == 1);
                let plain = game.query::<Entity>().filter::<With<$name>>();
                assert!(plain.iter().eq(expected.iter().map(|(id, _)| *id)), "With<{}>", stringify!($name));
                for (&id, row) in rows {
                    assert_eq!(game.get::<$name>(id).map($name::number), row.number[$at], "{} of {id}", stringify!($name));
                }
            })*
        }
    };
}

components! {
    #[component(storage = "packed")]
    PackedLarge(Kilobyte), 0, |n| Kilobyte::new(n), |value| value.number();
    #[component(storage = "packed")]
    PackedSmall(u32), 1, |n| n, |value| *value;
    #[component(storage = "packed", removed)]
    PackedHeld(Counted), 2, |n| Counted::new(n), |value| value.0;
    Large(Kilobyte), 3, |n| Kilobyte::new(n), |value| value.number();
    #[component(removed)]
    Held(Counted), 4, |n| Counted::new(n), |value| value.0;
    #[component(tracked)]
    Score(u32), 5, |n| n, |value| *value;
    #[component(tracked, storage = "packed")]
    PackedScore(Kilobyte), 6, |n| Kilobyte::new(n), |value| value.number();
    #[component(index)]
    #[derive(PartialEq, Eq, Hash)]
    Team(u32), 7, |n| n % 8, |value| *value;
    #[component(key, storage = "packed")]
    #[derive(PartialEq, Eq, Hash)]
    Key(u32), 8, |n| n, |value| *value;
}

const KEY: usize = 8;

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
struct Tag;
#[derive(Relation, Clone, Debug, Serialize, Deserialize)]
#[relation(exclusive)]
#[component(storage = "packed")]
struct Follows(Entity);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Ping(Counted);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Heard(Vec<u32>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { PackedLarge, PackedSmall, PackedHeld, Large, Held, Score, PackedScore, Team, Key, Tag, Follows }
        resources { heard: Heard = Heard::default() }
        events { Ping(external) }
    }
    schedule tick { hear, bury, notice }
}

#[system(Game)]
fn hear(mut pings: EventReader<Ping>, mut heard: ResMut<Heard>) {
    heard.0.extend(pings.iter().map(|ping| ping.0.0));
}

#[system(Game)]
fn bury(mut packed: Removed<PackedHeld>, mut paged: Removed<Held>) {
    packed.iter().for_each(|(_, held)| _ = held.number());
    paged.iter().for_each(|(_, held)| _ = held.number());
}

#[system(Game)]
fn notice(mut scores: Query<&Score, Changed<Score>>, mut packed: Query<&PackedScore, Changed<PackedScore>>) {
    scores.for_each(|score| _ = score.number());
    packed.for_each(|score| _ = score.number());
}

/// Tags the entities with a team by `Storage`, and takes the tag from the others.
#[system(Game)]
fn tag(teams: Query<(Entity, Option<&Team>)>, mut tags: Storage<Tag>, mut small: Storage<PackedSmall>) {
    for (entity, team) in &teams {
        if team.is_some() {
            tags.insert(entity, Tag).unwrap();
            small.insert(entity, PackedSmall(5)).unwrap();
        } else {
            tags.remove(entity);
        }
    }
}

type Rows = BTreeMap<Entity, Row>;

/// Everything that a snapshot or a save restores.
#[derive(Clone, Default)]
struct State {
    rows: Rows,
    unread: Vec<u32>,
    heard: Vec<u32>,
}

impl State {
    /// Despawns entities: relations to them go.
    fn despawn(&mut self, mut gone: impl FnMut(Entity, &Row) -> bool) -> usize {
        let before = self.rows.len();
        self.rows.retain(|&id, row| !gone(id, row));
        let rows = &mut self.rows;
        let ids: Vec<Entity> = rows.keys().copied().collect();
        for row in rows.values_mut() {
            row.follows = row.follows.filter(|target| ids.binary_search(target).is_ok());
        }
        before - self.rows.len()
    }

    /// Gives entities other ids.
    fn rename(&mut self, new: impl Fn(Entity) -> Entity) {
        let rows = std::mem::take(&mut self.rows).into_iter();
        self.rows = rows.map(|(id, row)| (new(id), Row { follows: row.follows.map(&new), ..row })).collect();
    }
}

/// A world beside its model.
struct Pair {
    game: Game,
    state: State,
    snapshot: (Snapshot<Game>, State),
    file: (Vec<u8>, State),
    random: Random,
    next: u32,
    /// The entities from which values were removed last.
    emptied: Vec<Entity>,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let mut game = Game::new();
        let snapshot = (game.snapshot(), State::default());
        let file = (game.to_bytes().unwrap(), State::default());
        Self {
            game,
            state: State::default(),
            snapshot,
            file,
            random: Random(seed | 1),
            next: 0,
            emptied: Vec::new(),
        }
    }

    fn number(&mut self) -> u32 {
        self.numbers(1).start
    }

    /// Numbers that no other value has.
    fn numbers(&mut self, count: usize) -> Range<u32> {
        let first = self.next;
        self.next += count as u32;
        first..self.next
    }

    /// A row with some components, and never with a relation.
    fn row(&mut self) -> Row {
        let mut row = Row { tag: self.random.place(3) == 0, ..Row::default() };
        for kind in 0..KINDS {
            if self.random.place(3) == 0 {
                let n = self.number();
                row.number[kind] = Some(if kind == 7 { n % 8 } else { n });
            }
        }
        row
    }

    /// The entities at each `step`-th place, from the last one on: those of the last pages are
    /// among them.
    fn some(&mut self) -> Vec<Entity> {
        let mut ids: Vec<Entity> = self.state.rows.keys().copied().collect();
        ids.sort_by_key(|id| std::cmp::Reverse(id.slot()));
        let step = 1 + self.random.place(90);
        ids.into_iter().step_by(step).collect()
    }

    fn spawn(&mut self) -> Entity {
        let row = self.row();
        let id = self.game.spawn(());
        self.insert(id, &row);
        id
    }

    /// Inserts a row into an entity.
    fn insert(&mut self, id: Entity, row: &Row) {
        insert_numbers(&mut self.game, id, row);
        if row.tag {
            self.game.insert(id, Tag).unwrap();
        }
        put(self.state.rows.entry(id).or_default(), row);
    }

    /// Removes a component of an entity.
    fn remove(&mut self, id: Entity, kind: usize) {
        remove_kind(&mut self.game, id, kind);
        self.state.rows.get_mut(&id).unwrap().number[kind] = None;
        self.emptied.push(id);
    }

    fn take_snapshot(&mut self) {
        self.snapshot = (self.game.snapshot(), self.state.clone());
    }

    fn save(&mut self) {
        self.file = (self.game.to_bytes().unwrap(), self.state.clone());
    }

    /// Another world, of entities whose relations stay among them.
    fn guest(&mut self) -> Self {
        let mut guest = Self::new(self.random.place(1 << 40) as u64);
        guest.next = self.next + 1_000_000;
        (0..60).for_each(|_| _ = guest.spawn());
        guest.relate();
        self.next = guest.next;
        guest
    }

    fn relate(&mut self) {
        let ids = self.some();
        for pair in ids.windows(2) {
            self.game.insert(pair[0], Follows(pair[1])).unwrap();
            self.state.rows.get_mut(&pair[0]).unwrap().follows = Some(pair[1]);
        }
    }
}

/// Writes the components of a row over those of another one.
fn put(row: &mut Row, new: &Row) {
    for (old, new) in row.number.iter_mut().zip(new.number) {
        *old = new.or(*old);
    }
    row.tag |= new.tag;
}

/// A verb with its name.
type Verb = (&'static str, fn(&mut Pair));

/// The verbs that take values or memory away.
const TAKE: &[Verb] = &[
    ("shrink_to_fit", |pair| pair.game.shrink_to_fit()),
    ("regroup", |pair| {
        let moved = pair.game.regroup();
        pair.state.rename(|id| moved.current(id));
    }),
    ("clear", |pair| {
        pair.game.clear();
        pair.state.rows.clear();
    }),
    ("clear, shrink_to_fit", |pair| {
        pair.game.clear();
        pair.game.shrink_to_fit();
        pair.state.rows.clear();
    }),
    ("restore", |pair| {
        pair.game.restore(&pair.snapshot.0);
        pair.state = pair.snapshot.1.clone();
    }),
    ("restore an empty world", |pair| {
        pair.game.restore(&Game::new().snapshot());
        pair.state = State::default();
    }),
    ("try_run that fails", |pair| {
        let before = pair.state.clone();
        let undone = pair.game.try_run(|game| {
            let ids: Vec<Entity> = game.entities().iter().collect();
            ids.iter().step_by(2).for_each(|&id| game.despawn(id).unwrap());
            game.shrink_to_fit();
            game.spawn_batch((0..300).map(|n| (PackedLarge::new(n), PackedHeld::new(n), Tag))).count();
            Err::<(), _>(SystemError { system: "", schedule: "", world: "", source: "undone".into() })
        });
        assert!(undone.is_err());
        pair.state = before;
    }),
    ("try_run that clears", |pair| {
        pair.game.try_run(|game| game.clear()).unwrap();
        pair.state.rows.clear();
    }),
    ("clone", |pair| pair.game = pair.game.clone()),
    ("clone_from an empty world", |pair| {
        pair.game.clone_from(&Game::new());
        pair.state = State::default();
    }),
    ("clone_from", |pair| {
        let copy = pair.game.clone();
        pair.game.clear();
        pair.game.clone_from(&copy);
    }),
    ("load", |pair| pair.game = Game::load(&pair.game.to_bytes().unwrap()).unwrap()),
    ("load an empty world", |pair| {
        pair.game = Game::load(&Game::new().to_bytes().unwrap()).unwrap();
        pair.state = State::default();
    }),
    ("despawn_all", |pair| {
        let kind = pair.random.place(KINDS);
        let gone = pair.state.despawn(|_, row| row.number[kind].is_some());
        assert_eq!(despawn_all_with(&mut pair.game, kind), gone);
    }),
    ("retain", |pair| {
        pair.game.retain::<(Entity, Option<&PackedSmall>)>(|(_, small)| small.is_none());
        pair.state.despawn(|_, row| row.number[1].is_some());
    }),
    ("remove_all", |pair| {
        let kind = pair.random.place(KINDS);
        let rows = pair.state.rows.values_mut();
        let removed = rows.filter_map(|row| row.number[kind].take()).count();
        assert_eq!(remove_all_of_kind(&mut pair.game, kind), removed);
    }),
    ("remove, shrink_to_fit", |pair| {
        for id in pair.some() {
            (0..KINDS).for_each(|kind| pair.remove(id, kind));
        }
        pair.game.shrink_to_fit();
    }),
    ("remove the last values, shrink_to_fit", |pair| {
        // memory that was shrunk before has nothing to give back but the last page
        pair.game.shrink_to_fit();
        for kind in 0..KINDS {
            let with = pair.state.rows.iter().filter(|(_, row)| row.number[kind].is_some());
            if let Some(last) = with.map(|(&id, _)| id).max_by_key(|id| id.slot()) {
                pair.remove(last, kind);
            }
        }
        pair.game.shrink_to_fit();
    }),
    ("remove", |pair| {
        let kind = pair.random.place(KINDS);
        pair.some().into_iter().for_each(|id| pair.remove(id, kind));
    }),
    ("despawn, shrink_to_fit", |pair| {
        let gone = pair.some();
        gone.iter().for_each(|&id| pair.game.despawn(id).unwrap());
        pair.state.despawn(|id, _| gone.contains(&id));
        pair.game.shrink_to_fit();
    }),
    ("despawn by commands", |pair| {
        let gone = pair.some();
        pair.game.with_commands(|mut commands| gone.iter().for_each(|&id| commands.despawn(id)));
        pair.state.despawn(|id, _| gone.contains(&id));
    }),
    ("move_entities away", |pair| {
        let (gone, mut other) = (pair.some(), Game::new());
        pair.game.move_entities(&gone, &mut other).unwrap();
        pair.state.despawn(|id, _| gone.contains(&id));
        assert_eq!(other.entities().len(), gone.len());
    }),
    ("swap_all", |pair| {
        let ids = pair.some();
        let (a, b) = (ids[0], ids[ids.len() - 1]);
        // a relation of one to the other would be one to itself
        let refused = [(a, b), (b, a)].iter().any(|(id, other)| pair.state.rows[id].follows == Some(*other));
        assert_eq!(pair.game.swap_all(a, b).is_err(), refused);
        if refused {
            return;
        }
        let other = pair.state.rows[&b].clone();
        let one = pair.state.rows.insert(a, other).unwrap();
        pair.state.rows.insert(b, one);
    }),
    ("drain", |pair| {
        let drained: Vec<u32> = pair.game.drain::<Ping>().map(|ping| ping.0.0).collect();
        assert_eq!(drained, std::mem::take(&mut pair.state.unread));
    }),
    ("tick", |pair| {
        pair.game.tick();
        pair.state.heard.append(&mut pair.state.unread);
        pair.game.resource_mut::<Heard>().0.clear();
        pair.state.heard.clear();
    }),
    ("snapshot, shrink_to_fit", |pair| {
        pair.take_snapshot();
        pair.game.shrink_to_fit();
    }),
    ("dropped snapshot, shrink_to_fit", |pair| {
        drop(pair.game.snapshot());
        pair.game.shrink_to_fit();
    }),
];

/// The verbs that fill.
const FILL: &[Verb] = &[
    ("spawn", |pair| (0..70).for_each(|_| _ = pair.spawn())),
    ("spawn_batch", |pair| {
        let numbers = pair.numbers(200);
        let bundle = |n| (PackedLarge::new(n), Large::new(n), PackedHeld::new(n), Key::new(n), Tag);
        let ids: Vec<Entity> = pair.game.spawn_batch(numbers.clone().map(bundle)).collect();
        for (id, n) in ids.into_iter().zip(numbers) {
            let mut row = Row { tag: true, ..Row::default() };
            [0, 2, 3, KEY].into_iter().for_each(|kind| row.number[kind] = Some(n));
            pair.state.rows.insert(id, row);
        }
    }),
    ("spawn_columns", |pair| {
        let numbers = pair.numbers(100);
        let columns = (
            numbers.clone().map(PackedScore::new).collect::<Vec<_>>(),
            numbers.clone().map(Held::new).collect::<Vec<_>>(),
            numbers.clone().map(Team::new).collect::<Vec<_>>(),
        );
        let ids: Vec<Entity> = pair.game.spawn_columns(columns).collect();
        for (id, n) in ids.into_iter().zip(numbers) {
            let mut row = Row::default();
            (row.number[6], row.number[4], row.number[7]) = (Some(n), Some(n), Some(n % 8));
            pair.state.rows.insert(id, row);
        }
    }),
    ("insert", |pair| {
        for id in pair.some() {
            let row = pair.row();
            pair.insert(id, &row);
        }
    }),
    ("insert again", |pair| {
        for id in std::mem::take(&mut pair.emptied) {
            if pair.game.contains(id) {
                let mut row = Row::default();
                row.number.iter_mut().zip(pair.numbers(KINDS)).for_each(|(number, n)| *number = Some(n));
                row.number[7] = row.number[7].map(|n| n % 8);
                pair.insert(id, &row);
            }
        }
    }),
    ("insert_if_new", |pair| {
        for id in pair.some() {
            let row = pair.row();
            add_numbers(&mut pair.game, id, &row);
            let there = pair.state.rows.get_mut(&id).unwrap();
            there.number.iter_mut().zip(row.number).for_each(|(old, new)| *old = old.or(new));
        }
    }),
    ("insert_batch", |pair| {
        let ids = pair.some();
        let numbers = pair.numbers(ids.len());
        let batch = ids
            .iter()
            .copied()
            .zip(numbers.clone())
            .map(|(id, n)| (id, (PackedLarge::new(n), Score::new(n))));
        assert_eq!(pair.game.insert_batch(batch).unwrap(), ids.len());
        for (id, n) in ids.into_iter().zip(numbers) {
            let row = pair.state.rows.get_mut(&id).unwrap();
            (row.number[0], row.number[5]) = (Some(n), Some(n));
        }
    }),
    ("commands", |pair| {
        let (ids, rows): (Vec<_>, Vec<_>) = pair.some().into_iter().map(|id| (id, pair.row())).unzip();
        let more: Vec<Row> = (0..40).map(|_| pair.row()).collect();
        let spawned = pair.game.with_commands(|mut commands| {
            ids.iter().zip(&rows).for_each(|(&id, row)| insert_by_commands(&mut commands, id, row));
            let spawned: Vec<Entity> = more.iter().map(|_| commands.spawn(())).collect();
            spawned.iter().zip(&more).for_each(|(&id, row)| insert_by_commands(&mut commands, id, row));
            spawned
        });
        for (id, row) in ids.into_iter().zip(rows).chain(spawned.into_iter().zip(more)) {
            put(pair.state.rows.entry(id).or_default(), &Row { tag: false, ..row });
        }
    }),
    ("Storage", |pair| {
        pair.game.run::<tag>();
        for row in pair.state.rows.values_mut() {
            row.tag = row.number[7].is_some();
            if row.tag {
                row.number[1] = Some(5);
            }
        }
    }),
    ("merge", |pair| {
        let guest = pair.guest();
        let bytes = guest.game.to_bytes().unwrap();
        let merged = pair.game.merge(&bytes, DanglingIds::Keep).unwrap();
        let mut state = guest.state;
        state.rename(|id| merged.get(id).unwrap());
        pair.state.rows.append(&mut state.rows);
    }),
    ("move_entities here", |pair| {
        let mut guest = pair.guest();
        let ids: Vec<Entity> = guest.state.rows.keys().copied().collect();
        let moved = guest.game.move_entities(&ids, &mut pair.game).unwrap();
        guest.state.rename(|id| moved[ids.binary_search(&id).unwrap()]);
        pair.state.rows.append(&mut guest.state.rows);
    }),
    ("clone_entities", |pair| {
        let mut ids = pair.some();
        // a key is that of one entity
        ids.retain(|id| pair.state.rows[id].number[KEY].is_none() && pair.state.rows[id].follows.is_none());
        let clones = pair.game.clone_entities(&ids).unwrap();
        for (id, clone) in ids.iter().zip(clones) {
            let row = pair.state.rows[id].clone();
            pair.state.rows.insert(clone, row);
        }
    }),
    ("relate", Pair::relate),
    ("send", |pair| {
        for _ in 0..30 {
            let n = pair.number();
            pair.game.send(Ping(Counted::new(n)));
            pair.state.unread.push(n);
        }
    }),
    ("write in place", |pair| {
        for (id, value) in pair.game.query_mut::<(Entity, &mut PackedLarge)>() {
            value.0 = Kilobyte::new(id.slot());
        }
        pair.game.query_mut::<&mut PackedSmall>().par_for_each(|small| small.0 ^= 1);
        for (&id, row) in &mut pair.state.rows {
            row.number[0] = row.number[0].map(|_| id.slot());
            row.number[1] = row.number[1].map(|n| n ^ 1);
            if let Some(held) = pair.game.get_mut::<PackedHeld>(id) {
                held.0 = Counted::new(id.slot());
                row.number[2] = Some(id.slot());
            }
            if let Some(mut score) = pair.game.get_tracked::<PackedScore>(id) {
                score.0 = Kilobyte::new(id.slot());
                row.number[6] = Some(id.slot());
            }
        }
    }),
    ("reserve, spawn", |pair| {
        pair.game.reserve::<(PackedLarge, Held)>(300);
        pair.game.reserve::<()>(100);
        (0..20).for_each(|_| _ = pair.spawn());
    }),
    ("restore", |pair| {
        pair.game.restore(&pair.snapshot.0);
        pair.state = pair.snapshot.1.clone();
    }),
    ("restore in a new world", |pair| {
        pair.game = Game::new();
        pair.game.restore(&pair.snapshot.0);
        pair.state = pair.snapshot.1.clone();
    }),
    ("load", |pair| {
        pair.game = Game::load(&pair.file.0).unwrap();
        pair.state = pair.file.1.clone();
    }),
];

fn check(pair: &mut Pair) {
    let Pair { game, state: State { rows, unread, heard }, .. } = pair;
    assert_eq!(game.entities().len(), rows.len());
    check_numbers(game, rows);
    let mut sources = BTreeMap::<Entity, Vec<Entity>>::new();
    let mut teams = BTreeMap::<u32, Vec<Entity>>::new();
    for (&id, row) in &*rows {
        assert!(game.contains(id));
        assert_eq!(game.has::<Tag>(id), row.tag, "tag of {id}");
        assert_eq!(game.target::<Follows>(id), row.follows, "target of {id}");
        row.follows.into_iter().for_each(|target| sources.entry(target).or_default().push(id));
        row.number[7].into_iter().for_each(|team| teams.entry(team).or_default().push(id));
        if let Some(key) = row.number[KEY] {
            assert_eq!(game.find_one::<Key>(&Key(key)), Some(id), "key {key}");
        }
    }
    for &id in rows.keys() {
        let mut found = game.sources::<Follows>(id).to_vec();
        found.sort_unstable();
        assert_eq!(Some(found).filter(|found| !found.is_empty()), sources.remove(&id), "sources of {id}");
    }
    for team in 0..8 {
        let mut found: Vec<Entity> = game.find::<Team>(&Team(team)).collect();
        found.sort_unstable();
        assert_eq!(found, teams.remove(&team).unwrap_or_default(), "team {team}");
    }
    assert_eq!(game.resource::<Heard>().0, *heard);
    let events = game.stats().events[0].readers[0].unread;
    assert_eq!(events, unread.len());
}

fn run(seed: u64) {
    let mut pair = Pair::new(seed);
    let mut pairs: Vec<(usize, usize)> =
        (0..TAKE.len()).flat_map(|take| (0..FILL.len()).map(move |fill| (take, fill))).collect();
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, pair.random.place(i + 1));
    }
    for (step, (take, fill)) in pairs.into_iter().enumerate() {
        // between 80 and 900 entities, spread over more slots
        if pair.state.rows.len() > 900 {
            let kept = pair.some();
            pair.game.retain::<Entity>(|id| kept.contains(&id));
            pair.state.despawn(|id, _| !kept.contains(&id));
        }
        if pair.state.rows.len() < 80 {
            let passing: Vec<Entity> = pair.game.spawn_batch((0..1500).map(|_| ())).collect();
            for (i, id) in passing.into_iter().enumerate() {
                match i % 9 {
                    0 => pair.insert(id, &Row::default()),
                    _ => pair.game.despawn(id).unwrap(),
                }
            }
        }
        match step % 5 {
            0 => pair.take_snapshot(),
            1 => pair.save(),
            _ => {}
        }
        let ((name, take), (other, fill)) = (TAKE[take], FILL[fill]);
        let context = Context(seed, step, name, other);
        pair.emptied.clear();
        take(&mut pair);
        check(&mut pair);
        if pair.state.rows.is_empty() {
            // verbs that fill existing entities have some
            (0..3).for_each(|_| _ = pair.spawn());
        }
        fill(&mut pair);
        check(&mut pair);
        if step % 20 == 0 {
            let hash = pair.game.hash();
            assert_eq!(pair.game.clone().hash(), hash);
            assert_eq!(Game::load(&pair.game.to_bytes().unwrap()).unwrap().hash(), hash);
        }
        std::mem::forget(context);
    }
    drop(pair);
    Ledger::of_thread().assert_settled();
}

/// Names the verbs if they panic.
struct Context(u64, usize, &'static str, &'static str);

impl Drop for Context {
    fn drop(&mut self) {
        eprintln!("seed {}, step {}: `{}`, then `{}`", self.0, self.1, self.2, self.3);
    }
}

proptest! {
    #![proptest_config(random_cases(4))]

    #[test]
    fn a_verb_that_fills_follows_each_verb_that_takes(seed in any::<u64>()) {
        run(seed);
    }
}
