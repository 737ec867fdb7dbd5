//! The operations on the world and on the model.

use std::collections::BTreeMap;
use std::ops::Range;

use ecs::prelude::*;
use ecs_tests::Ledger;
use proptest::prelude::*;

use super::game::{Body, Game, Held, Large, Needy, Small, Tag};
use super::plain::{Plain, Row};

/// An operation. A `usize` selects one of all ids so far, also of despawned entities.
#[derive(Clone, Debug)]
pub enum Operation {
    SpawnEmpty,
    SpawnHeld(u32),
    SpawnNeedy(u32),
    SpawnAll(u32),
    Batch(u8, usize),
    Despawn(usize),
    DespawnEvery(usize),
    Insert(usize, u32),
    InsertBody(usize, u32),
    TryInsert(usize, u8),
    Remove(usize),
    RemoveBody(usize),
    TryRemove(usize),
    Swap(usize, usize),
    SwapAll(usize, usize),
    Move(usize, usize),
    MoveAll(usize, usize),
    TakeEntity(usize),
    SpawnAt(usize, u8),
    Reserve(u8, usize),
    Write(u32),
    Column(usize, u8),
    Tick,
    Clear,
    Shrink,
    Clone,
    Restore,
    Regroup,
}

pub fn operations(count: Range<usize>, batch: Range<usize>) -> impl Strategy<Value = Vec<Operation>> {
    use Operation::*;
    let id = || 0..10_000usize;
    let step = prop_oneof![
        1 => Just(SpawnEmpty),
        3 => any::<u32>().prop_map(SpawnHeld),
        3 => any::<u32>().prop_map(SpawnNeedy),
        2 => any::<u32>().prop_map(SpawnAll),
        4 => (any::<u8>(), batch).prop_map(|(kind, count)| Batch(kind, count)),
        4 => id().prop_map(Despawn),
        1 => (1..7usize).prop_map(DespawnEvery),
        3 => (id(), any::<u32>()).prop_map(|(n, value)| Insert(n, value)),
        3 => (id(), any::<u32>()).prop_map(|(n, value)| InsertBody(n, value)),
        2 => (id(), any::<u8>()).prop_map(|(n, value)| TryInsert(n, value)),
        3 => id().prop_map(Remove),
        2 => id().prop_map(RemoveBody),
        2 => id().prop_map(TryRemove),
        2 => (id(), id()).prop_map(|(n, m)| Swap(n, m)),
        1 => (id(), id()).prop_map(|(n, m)| SwapAll(n, m)),
        2 => (id(), id()).prop_map(|(n, m)| Move(n, m)),
        1 => (id(), id()).prop_map(|(n, m)| MoveAll(n, m)),
        1 => id().prop_map(TakeEntity),
        2 => (id(), 0..4u8).prop_map(|(n, ahead)| SpawnAt(n, ahead)),
        1 => (any::<u8>(), 0..300usize).prop_map(|(kind, count)| Reserve(kind, count)),
        2 => any::<u32>().prop_map(Write),
        2 => (id(), any::<u8>()).prop_map(|(n, value)| Column(n, value)),
        2 => Just(Tick),
        1 => Just(Clear),
        1 => Just(Shrink),
        1 => Just(Clone),
        1 => Just(Restore),
        2 => Just(Regroup),
    ];
    prop::collection::vec(step, count)
}

/// The world and its model, and a copy of both.
pub struct Pair {
    pub game: Game,
    pub plain: Plain,
    pub ledger: Ledger,
    pub ids: Vec<Entity>,
    copy: Option<(Game, Plain)>,
}

fn large(n: u32) -> Large {
    Large([u64::from(n); 40])
}

impl Pair {
    pub fn new() -> Self {
        let (game, plain, ledger) = (Game::new(), Plain::default(), Ledger::new());
        Self { game, plain, ledger, ids: Vec::new(), copy: None }
    }

    /// The expected number of live tokens.
    pub fn tokens(&self) -> usize {
        self.plain.held() + self.copy.as_ref().map_or(0, |(_, plain)| plain.held())
    }

    fn held(&self, n: u32) -> Held {
        Held(n, self.ledger.token())
    }

    fn pick(&self, n: usize) -> Entity {
        if self.ids.is_empty() { Entity::from_bits(1 << 32).unwrap() } else { self.ids[n % self.ids.len()] }
    }

    fn spawned(&mut self, entity: Entity, row: Row) {
        self.plain.spawn(entity, row);
        self.ids.push(entity);
    }

    pub fn apply(&mut self, operation: &Operation) {
        use Operation::*;
        match *operation {
            SpawnEmpty | SpawnHeld(_) | SpawnNeedy(_) | SpawnAll(_) => self.spawn(operation),
            Batch(kind, count) => self.batch(kind, count),
            Despawn(n) => self.despawn(self.pick(n)),
            DespawnEvery(n) => {
                for entity in self.ids.clone().into_iter().step_by(n) {
                    self.despawn(entity);
                }
            }
            Insert(n, value) => self.insert(self.pick(n), value),
            InsertBody(n, value) => self.insert_body(self.pick(n), value),
            TryInsert(n, value) => self.insert_if_new(self.pick(n), value),
            Remove(n) => self.remove(self.pick(n)),
            RemoveBody(n) => self.remove_body(self.pick(n)),
            TryRemove(n) => self.try_remove(self.pick(n)),
            Swap(n, m) => self.swap(self.pick(n), self.pick(m)),
            SwapAll(n, m) => self.swap_all(self.pick(n), self.pick(m)),
            Move(n, m) => self.move_components(self.pick(n), self.pick(m)),
            MoveAll(n, m) => self.move_all(self.pick(n), self.pick(m)),
            TakeEntity(n) => self.take_entity(self.pick(n)),
            SpawnAt(n, ahead) => self.spawn_at(self.pick(n), ahead),
            Reserve(kind, count) => match kind % 3 {
                0 => self.game.reserve::<(Held, Tag)>(count),
                1 => self.game.reserve::<Needy>(count),
                _ => self.game.reserve::<Body>(count),
            },
            Write(value) => self.write(value),
            Column(n, value) => self.column(self.pick(n), value),
            Tick => {
                self.game.tick();
                self.plain.tick();
            }
            Clear => {
                self.game.clear();
                self.plain.clear();
            }
            Shrink => {
                let before = self.game.stats();
                self.game.shrink_to_fit();
                let after = self.game.stats();
                assert!(after.bytes <= before.bytes, "{} bytes became {}", before.bytes, after.bytes);
                assert_eq!(after.entities, before.entities);
            }
            Clone => self.copy = Some((self.game.clone(), self.plain.clone())),
            Restore => self.restore(),
            Regroup => self.regroup(),
        }
    }

    fn spawn(&mut self, operation: &Operation) {
        let (entity, row) = match *operation {
            Operation::SpawnHeld(n) => {
                let bundle = (self.held(n), Tag);
                (self.game.spawn(bundle), Row { held: Some(n), tag: true, ..Row::default() })
            }
            Operation::SpawnNeedy(n) => (self.game.spawn(Needy(n)), Row { needy: Some(n), ..Row::default() }),
            Operation::SpawnAll(n) => {
                let bundle = (Body { held: self.held(n), large: large(n) }, (Needy(n), Small(n as u8)), Tag);
                let (held, large) = (Some(n), Some([u64::from(n); 40]));
                let row = Row { held, large, needy: Some(n), small: Some(n as u8), tag: true };
                (self.game.spawn(bundle), row)
            }
            _ => (self.game.spawn(()), Row::default()),
        };
        self.spawned(entity, row);
    }

    fn batch(&mut self, kind: u8, count: usize) {
        let ledger = self.ledger.clone();
        let numbers = 0..count as u32;
        let kind = kind % 6;
        let ids: Vec<Entity> = match kind {
            0 => self.game.spawn_batch(numbers.map(|n| Held(n, ledger.token()))).collect(),
            1 => self.game.spawn_batch(numbers.map(|n| (Tag, Needy(n)))).collect(),
            2 => {
                let body = |n| (Body { held: Held(n, ledger.token()), large: large(n) }, Small(n as u8));
                self.game.spawn_batch(numbers.filter(|n| n % 3 != 0).map(body)).collect()
            }
            3 => self.game.spawn_batch(numbers.map(|n| (large(n), Tag))).collect(),
            4 => {
                let held = numbers.clone().map(|n| Held(n, ledger.token()));
                self.game.spawn_columns((held, numbers.map(large))).collect()
            }
            _ => self.game.spawn_columns((numbers.clone().map(|_| Tag), numbers.map(Needy))).collect(),
        };
        let mut numbers = (0..count as u32).filter(|n| kind != 2 || n % 3 != 0);
        for entity in ids {
            let n = numbers.next().expect("no more ids than bundles");
            let row = match kind {
                0 => Row { held: Some(n), ..Row::default() },
                1 | 5 => Row { needy: Some(n), tag: true, ..Row::default() },
                2 => {
                    let (held, large) = (Some(n), Some([u64::from(n); 40]));
                    Row { held, large, small: Some(n as u8), ..Row::default() }
                }
                3 => Row { large: Some([u64::from(n); 40]), tag: true, ..Row::default() },
                _ => Row { held: Some(n), large: Some([u64::from(n); 40]), ..Row::default() },
            };
            self.spawned(entity, row);
        }
        assert_eq!(numbers.next(), None, "an id for each bundle");
    }

    fn despawn(&mut self, entity: Entity) {
        assert_eq!(self.game.despawn(entity).is_ok(), self.plain.despawn(entity));
    }

    fn insert(&mut self, entity: Entity, value: u32) {
        let got = self.game.insert(entity, (Needy(value), Tag));
        let expected = self.plain.rows.get_mut(&entity).map(|row| {
            let old =
                (row.needy.replace(value).map(Needy), std::mem::replace(&mut row.tag, true).then_some(Tag));
            row.join_required();
            old
        });
        assert_eq!(got.ok(), expected);
    }

    fn insert_body(&mut self, entity: Entity, value: u32) {
        let body = Body { held: self.held(value), large: large(value) };
        let got = self.game.insert(entity, body).ok();
        let expected = self
            .plain
            .rows
            .get_mut(&entity)
            .map(|row| (row.held.replace(value), row.large.replace([u64::from(value); 40])));
        let got = got.map(|(held, large)| (held.map(|held| held.0), large.map(|large| large.0)));
        assert_eq!(got, expected);
    }

    fn insert_if_new(&mut self, entity: Entity, value: u8) {
        let bundle = (Small(value), self.held(1));
        let got = self.game.insert_if_new(entity, bundle).is_ok();
        let fits = |row: &&mut Row| row.small.is_none() && row.held.is_none();
        let expected = self.plain.rows.get_mut(&entity).filter(fits).map(|row| {
            (row.small, row.held) = (Some(value), Some(1));
        });
        assert_eq!(got, expected.is_some());
    }

    fn remove(&mut self, entity: Entity) {
        let got = self.game.remove::<(Small, Tag)>(entity).ok();
        let expected = self
            .plain
            .rows
            .get_mut(&entity)
            .map(|row| (row.small.take().map(Small), std::mem::take(&mut row.tag).then_some(Tag)));
        assert_eq!(got, expected);
    }

    fn remove_body(&mut self, entity: Entity) {
        let got = self.game.remove::<Body>(entity).ok();
        let expected = self.plain.rows.get_mut(&entity).map(|row| (row.held.take(), row.large.take()));
        assert_eq!(got.map(|(held, large)| (held.map(|h| h.0), large.map(|l| l.0))), expected);
    }

    fn try_remove(&mut self, entity: Entity) {
        let got = self.game.try_remove::<(Needy, Held)>(entity).ok().map(|(needy, held)| (needy.0, held.0));
        let whole = |row: &&mut Row| row.needy.is_some() && row.held.is_some();
        let expected = self
            .plain
            .rows
            .get_mut(&entity)
            .filter(whole)
            .map(|row| (row.needy.take().unwrap(), row.held.take().unwrap()));
        assert_eq!(got, expected);
    }

    /// The rows of two entities; `None` unless both are alive.
    fn two(&mut self, a: Entity, b: Entity) -> Option<[Row; 2]> {
        Some([self.plain.rows.get(&a)?.clone(), self.plain.rows.get(&b)?.clone()])
    }

    fn put_two(&mut self, [a, b]: [Entity; 2], [of_a, of_b]: [Row; 2]) {
        self.plain.rows.extend([(a, of_a), (b, of_b)]);
    }

    /// Exchanges `Held`, `Needy` and the tag.
    fn swap(&mut self, a: Entity, b: Entity) {
        let got = self.game.swap::<((Held, Needy), Tag)>(a, b).is_ok();
        let rows = self.two(a, b);
        assert_eq!(got, rows.is_some());
        if let Some([mut of_a, mut of_b]) = rows.filter(|_| a != b) {
            std::mem::swap(&mut of_a.held, &mut of_b.held);
            std::mem::swap(&mut of_a.needy, &mut of_b.needy);
            std::mem::swap(&mut of_a.tag, &mut of_b.tag);
            [&mut of_a, &mut of_b].into_iter().for_each(Row::join_required);
            self.put_two([a, b], [of_a, of_b]);
        }
    }

    fn swap_all(&mut self, a: Entity, b: Entity) {
        let got = self.game.swap_all(a, b).is_ok();
        let rows = self.two(a, b);
        assert_eq!(got, rows.is_some());
        if let Some([mut of_a, mut of_b]) = rows.filter(|_| a != b) {
            [&mut of_a, &mut of_b].into_iter().for_each(Row::join_required);
            self.put_two([a, b], [of_b, of_a]);
        }
    }

    /// Moves `Large` and `Needy`.
    fn move_components(&mut self, from: Entity, to: Entity) {
        let got = self.game.move_components::<(Large, Needy)>(from, to).ok();
        let expected = self.two(from, to).map(|[mut source, mut target]| {
            if from == to {
                return (None, None);
            }
            let (large, needy) = (source.large.take(), source.needy.take());
            let brings = needy.is_some();
            let replaced = (
                large.and_then(|large| target.large.replace(large)).map(Large),
                needy.and_then(|needy| target.needy.replace(needy)).map(Needy),
            );
            if brings {
                target.join_required();
            }
            self.put_two([from, to], [source, target]);
            replaced
        });
        assert_eq!(got, expected);
    }

    fn move_all(&mut self, from: Entity, to: Entity) {
        let got = self.game.move_all_components(from, to).is_ok();
        let rows = self.two(from, to);
        assert_eq!(got, rows.is_some());
        if let Some([source, target]) = rows.filter(|_| from != to) {
            let mut moved = Row {
                held: source.held.or(target.held),
                small: source.small.or(target.small),
                large: source.large.or(target.large),
                tag: source.tag | target.tag,
                needy: source.needy.or(target.needy),
            };
            if source.needy.is_some() {
                moved.join_required();
            }
            self.put_two([from, to], [Row::default(), moved]);
        }
    }

    fn take_entity(&mut self, entity: Entity) {
        let got = self.game.take_entity::<(Held, Small)>(entity).ok();
        let expected = self.plain.rows.get(&entity).map(|row| (row.held, row.small));
        assert_eq!(got.map(|(held, small)| (held.map(|held| held.0), small.map(|small| small.0))), expected);
        self.plain.despawn(entity);
    }

    /// Spawns an entity with a later id of the slot of `near`, or with `near` itself.
    fn spawn_at(&mut self, near: Entity, ahead: u8) {
        if self.ids.is_empty() {
            return;
        }
        let entity = Entity::from_bits(near.to_bits() + (u64::from(ahead) << 32)).unwrap();
        let mut known =
            self.plain.rows.keys().chain(&self.plain.dead).filter(|id| id.slot() == entity.slot());
        let is_new = !self.plain.rows.keys().any(|id| id.slot() == entity.slot())
            && known.all(|id| id.generation() < entity.generation());
        let bundle = (self.held(5), Needy(6));
        assert_eq!(self.game.spawn_at(entity, bundle).is_ok(), is_new, "{entity}");
        if is_new {
            self.spawned(entity, Row { held: Some(5), needy: Some(6), ..Row::default() });
        }
    }

    /// Writes through a query.
    fn write(&mut self, value: u32) {
        let mut query = self.game.query_mut::<(&mut Held, Option<&mut Small>)>().filter::<Without<Tag>>();
        for (held, small) in &mut query {
            held.0 ^= value;
            if let Some(small) = small {
                small.0 = value as u8;
            }
        }
        for row in self.plain.rows.values_mut().filter(|row| row.held.is_some() && !row.tag) {
            row.held = row.held.map(|held| held ^ value);
            row.small = row.small.map(|_| value as u8);
        }
    }

    /// Changes one column by its view, which does not insert required components.
    fn column(&mut self, entity: Entity, value: u8) {
        let mut columns = self.game.columns_mut();
        let row = self.plain.rows.get_mut(&entity);
        if value.is_multiple_of(2) {
            let got = columns.needy.insert(entity, Needy(u32::from(value))).ok();
            assert_eq!(got, row.map(|row| row.needy.replace(u32::from(value)).map(Needy)));
        } else {
            let got = columns.held.remove(entity).map(|held| held.0);
            assert_eq!(got, row.and_then(|row| row.held.take()));
        }
    }

    /// Restores the copy. It has no record of the ids that were created since then.
    fn restore(&mut self) {
        if let Some((game, plain)) = self.copy.take() {
            let known: BTreeMap<Entity, ()> =
                plain.rows.keys().chain(&plain.dead).map(|&entity| (entity, ())).collect();
            self.ids.retain(|entity| known.contains_key(entity));
            (self.game, self.plain) = (game, plain);
        }
    }

    /// Moves entities to other slots: their former ids are those of despawned entities.
    fn regroup(&mut self) {
        let moved = self.game.regroup();
        let rows: Vec<(Entity, Row)> = moved
            .iter()
            .map(|(former, present)| {
                (present, self.plain.rows.remove(&former).expect("a live entity was moved"))
            })
            .collect();
        self.plain.dead.extend(moved.iter().map(|(former, _)| former));
        for (entity, row) in rows {
            assert!(!self.plain.dead.contains(&entity), "{entity} was given again");
            assert_eq!(self.plain.rows.insert(entity, row), None, "{entity} was given twice");
            self.ids.push(entity);
        }
        assert!(self.game.regroup().is_empty(), "nothing is left to move");
    }

    /// Drops everything, and asserts that no token is alive.
    pub fn finish(self) -> Result<(), String> {
        let Self { game, copy, ledger, .. } = self;
        drop((game, copy));
        match ledger.alive() {
            0 => Ok(()),
            left => Err(format!("{left} values were never dropped")),
        }
    }
}
