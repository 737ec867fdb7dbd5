//! The same random program on a world that is regrouped and on one that is not. Entities are told
//! apart by a number, since their ids differ: both worlds have the same values, relations,
//! reactions and results of systems after each operation.

use std::collections::BTreeMap;

use ecs::command::FailurePolicy;
use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::save::Saved;
use ecs::system::HookState;
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(key)]
struct Number(u64);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(removed)]
struct Text(String);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Tag;
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(index)]
struct Team(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Rare([u64; 3]);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(hook = Sum)]
struct Weight(u32);
#[derive(Relation, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[relation(many, symmetric)]
struct Knows(Entity);

/// The weights by entity.
#[derive(Clone, Default, PartialEq, Debug)]
struct Sum(BTreeMap<Entity, u32>);

impl ComponentHook<Weight> for Sum {
    fn inserted(&mut self, entity: Entity, old: Option<&Weight>, new: &Weight) {
        assert_eq!(self.0.insert(entity, new.0), old.map(|old| old.0));
    }
    fn removed(&mut self, entity: Entity, old: &Weight) {
        assert_eq!(self.0.remove(&entity), Some(old.0));
    }
}

/// The reports of systems: the numbers of entities, sorted.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Told {
    came: Vec<u64>,
    left: usize,
    changed: Vec<u64>,
    added: Vec<u64>,
    removed: Vec<String>,
    observed: Vec<u64>,
    ticks: u64,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Number, Health, Text, Tag, Team, Rare, Weight, ChildOf, knows: Many<Knows> }
        resources { Told = Told::default() }
    }
    schedule tick { heal; breed; cull; tell; count }
    observers { observe }
}

fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_unstable();
    values
}

#[system(Game)]
fn heal(mut health: Mut<Health>, number: &Number, _: With<Tag>) {
    if number.0.is_multiple_of(3) {
        health.0 = health.0.wrapping_add(1);
    }
}

/// Entities spawn others, whose numbers follow from their own, and get and lose components.
#[system(Game)]
fn breed(all: Query<(Entity, &Number, &Health)>, told: Res<Told>, mut commands: Commands<Game>) {
    for (entity, number, health) in &all {
        let child = number.0.wrapping_mul(31).wrapping_add(told.ticks << 40 | 1 << 39);
        match health.0.wrapping_add(told.ticks as u32) % 9 {
            0 if number.0 < 1 << 39 => {
                _ = commands.spawn((Number(child), Team(health.0 % 3), ChildOf(entity)))
            }
            1 => commands.insert(entity, (Team(health.0 % 3), Weight(health.0))),
            2 => commands.remove::<(Tag, Text)>(entity),
            _ => {}
        }
    }
}

#[system(Game)]
fn cull(all: Query<(Entity, &Number), Without<Health>>, told: Res<Told>, mut commands: Commands<Game>) {
    for (entity, number) in &all {
        if (number.0 ^ told.ticks) % 13 == 5 {
            commands.despawn(entity);
        }
    }
}

#[system(Game)]
fn tell(
    numbers: Query<&Number>,
    came: Entered<(With<Number>, With<Health>)>,
    left: Exited<(With<Number>, With<Health>)>,
    changed: Query<&Number, Changed<Health>>,
    added: Query<&Number, Added<Health>>,
    mut removed: Removed<Text>,
    mut told: ResMut<Told>,
) {
    told.came = sorted(came.iter().map(|entity| numbers.get(entity).unwrap().0));
    told.left = left.len();
    told.changed = sorted(changed.iter().map(|number| number.0));
    told.added = sorted(added.iter().map(|number| number.0));
    told.removed = sorted(removed.iter().map(|(_, text)| text.0.clone()));
}

#[system(Game)]
fn count(mut told: ResMut<Told>) {
    told.ticks += 1;
}

#[system(Game)]
fn observe(tagged: Entered<(With<Number>, With<Tag>)>, numbers: Query<&Number>, mut told: ResMut<Told>) {
    told.observed.extend(tagged.iter().map(|entity| numbers.get(entity).unwrap().0));
    told.observed.sort_unstable();
}

/// An operation. A `usize` selects one of the entities, in the order of their numbers.
#[derive(Clone, Debug)]
enum Operation {
    Spawn(u8),
    Batch(u8, usize),
    Insert(usize, u8, u32),
    InsertEach(usize, u8, u32),
    Change(usize, u32),
    Remove(usize, u8),
    Despawn(usize),
    DespawnEach(usize),
    Parent(usize, usize),
    Know(usize, usize),
    Tick,
    Clone,
    Snapshot,
    Restore,
    Load,
    Regroup,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    use Operation::*;
    let (id, kind) = (|| 0..100_000usize, any::<u8>);
    let step = prop_oneof![
        4 => kind().prop_map(Spawn),
        4 => (kind(), 1..200usize).prop_map(|(kind, count)| Batch(kind, count)),
        4 => (id(), kind(), any::<u32>()).prop_map(|(n, kind, value)| Insert(n, kind, value)),
        6 => (1..9usize, kind(), any::<u32>()).prop_map(|(n, kind, value)| InsertEach(n, kind, value)),
        3 => (id(), any::<u32>()).prop_map(|(n, value)| Change(n, value)),
        4 => (id(), kind()).prop_map(|(n, kind)| Remove(n, kind)),
        3 => id().prop_map(Despawn),
        1 => (2..5usize).prop_map(DespawnEach),
        4 => (id(), id()).prop_map(|(n, m)| Parent(n, m)),
        4 => (id(), id()).prop_map(|(n, m)| Know(n, m)),
        5 => Just(Tick),
        1 => Just(Clone),
        1 => Just(Snapshot),
        1 => Just(Restore),
        1 => Just(Load),
        8 => Just(Regroup),
    ];
    prop::collection::vec(step, 1..50)
}

/// A world, with the ids of its entities by number.
struct Program {
    game: Game,
    regroups: bool,
    next: u64,
    snapshot: Option<(Snapshot<Game>, u64)>,
}

impl Program {
    fn new(regroups: bool) -> Self {
        let mut game = Game::new();
        // an entity that is despawned with its parent may be despawned by a command, too
        game.on_failed_command(FailurePolicy::Ignore);
        Self { game, regroups, next: 0, snapshot: None }
    }

    fn ids(&self) -> Vec<Entity> {
        let all: BTreeMap<u64, Entity> = self
            .game
            .query::<(&Number, Entity)>()
            .iter()
            .map(|(number, entity)| (number.0, entity))
            .collect();
        all.into_values().collect()
    }

    fn pick(&self, n: usize) -> Entity {
        let ids = self.ids();
        if ids.is_empty() { Entity::from_bits(1 << 32).unwrap() } else { ids[n % ids.len()] }
    }

    fn number(&mut self) -> Number {
        self.next += 1;
        Number(self.next)
    }

    fn insert(&mut self, entity: Entity, kind: u8, value: u32) -> bool {
        match kind % 7 {
            0 => self.game.insert(entity, Health(value)).is_ok(),
            1 => self.game.insert(entity, Text(value.to_string())).is_ok(),
            2 => self.game.insert(entity, Tag).is_ok(),
            3 => self.game.insert(entity, Team(value % 4)).is_ok(),
            4 => self.game.insert(entity, Rare([value.into(); 3])).is_ok(),
            5 => self.game.insert(entity, Weight(value)).is_ok(),
            _ => self.game.insert(entity, (Tag, Health(value), Text(value.to_string()))).is_ok(),
        }
    }

    fn apply(&mut self, operation: &Operation) -> usize {
        use Operation::*;
        match *operation {
            Spawn(kind) => {
                let number = self.number();
                let entity = match kind % 3 {
                    0 => self.game.spawn(number),
                    1 => self.game.spawn((number, Health(kind.into()))),
                    _ => self.game.spawn((number, Tag, Team(1))),
                };
                self.game.has::<Tag>(entity).into()
            }
            Batch(kind, count) => {
                let numbers: Vec<Number> = (0..count).map(|_| self.number()).collect();
                match kind % 3 {
                    0 => self.game.spawn_batch(numbers).count(),
                    1 => self.game.spawn_batch(numbers.into_iter().map(|n| (n, Tag))).count(),
                    _ => self.game.spawn_batch(numbers.into_iter().map(|n| (n, Health(kind.into())))).count(),
                }
            }
            Insert(n, kind, value) => self.insert(self.pick(n), kind, value).into(),
            InsertEach(n, kind, value) => {
                let ids = self.ids().into_iter().step_by(n).enumerate();
                ids.filter(|&(i, id)| self.insert(id, kind, value.wrapping_add(i as u32))).count()
            }
            Change(n, value) => {
                let entity = self.pick(n);
                self.game.get_tracked::<Health>(entity).map(|mut health| health.0 = value).is_some().into()
            }
            Remove(n, kind) => {
                let entity = self.pick(n);
                match kind % 4 {
                    0 => self.game.remove_one::<Health>(entity).is_ok_and(|old| old.is_some()).into(),
                    1 => self.game.remove_one::<Text>(entity).is_ok_and(|old| old.is_some()).into(),
                    2 => self.game.remove_one::<ChildOf>(entity).is_ok_and(|old| old.is_some()).into(),
                    _ => self.game.remove::<(Tag, Team, Weight)>(entity).is_ok().into(),
                }
            }
            Despawn(n) => self.game.despawn(self.pick(n)).is_ok().into(),
            DespawnEach(n) => {
                self.ids().into_iter().step_by(n).filter(|&id| self.game.despawn(id).is_ok()).count()
            }
            Parent(n, m) => self.game.insert(self.pick(n), ChildOf(self.pick(m))).is_ok().into(),
            Know(n, m) => self.game.relate(self.pick(n), Knows(self.pick(m))).is_ok().into(),
            Tick => {
                self.game.tick();
                0
            }
            Clone => {
                self.game = self.game.clone();
                0
            }
            Snapshot => {
                self.snapshot = Some((self.game.snapshot(), self.next));
                0
            }
            Restore => {
                if let Some((snapshot, next)) = &self.snapshot {
                    self.game.restore(snapshot);
                    self.next = *next;
                }
                0
            }
            Load => {
                self.game = Game::load(&self.game.to_bytes().unwrap()).unwrap();
                0
            }
            Regroup => {
                if self.regroups {
                    let before = self.ids();
                    let moved = self.game.regroup();
                    let after: Vec<Entity> = before.iter().map(|&id| moved.current(id)).collect();
                    assert_eq!(self.ids(), after);
                    assert!(moved.iter().all(|(former, present)| {
                        !self.game.contains(former) && self.game.contains(present)
                    }));
                    assert!(self.game.regroup().is_empty());
                    let loaded = Game::load(&self.game.to_bytes().unwrap()).unwrap();
                    assert_eq!(loaded.hash(), self.game.hash());
                }
                0
            }
        }
    }

    /// Everything that is seen of the world, without ids.
    fn report(&self) -> (BTreeMap<u64, String>, Vec<Vec<u64>>, Told) {
        let game = &self.game;
        let number = |entity: Entity| game.get::<Number>(entity).unwrap().0;
        let rows = game.query::<(Entity, &Number)>().iter().map(|(entity, number_of)| {
            let row = format!(
                "{:?} {:?} {} {:?} {:?} {:?} parent {:?} children {:?} knows {:?} known by {:?}",
                game.get::<Health>(entity),
                game.get::<Text>(entity),
                game.has::<Tag>(entity),
                game.get::<Team>(entity),
                game.get::<Rare>(entity),
                game.get::<Weight>(entity),
                game.target::<ChildOf>(entity).map(number),
                // commands run in the order of the slots, so that the order of children may differ
                sorted(game.sources::<ChildOf>(entity).iter().map(|&child| number(child))),
                game.relations::<Knows>(entity).iter().map(|knows| number(knows.0)).collect::<Vec<_>>(),
                game.sources::<Knows>(entity).iter().map(|&source| number(source)).collect::<Vec<_>>(),
            );
            assert_eq!(game.find_one::<Number>(number_of), Some(entity));
            (number_of.0, row)
        });
        let rows: BTreeMap<u64, String> = rows.collect();
        let weights: BTreeMap<Entity, u32> =
            game.query::<(Entity, &Weight)>().iter().map(|(entity, weight)| (entity, weight.0)).collect();
        assert!(HookState::<Weight>::of(game).0 == weights);
        assert_eq!(rows.len(), game.entities().len());
        let teams = (0..4).map(|team| sorted(game.find::<Team>(&Team(team)).map(number))).collect();
        (rows, teams, game.resource::<Told>().clone())
    }
}

proptest! {
    #![proptest_config(random_cases(150))]

    #[test]
    fn a_world_that_is_regrouped_behaves_like_one_that_is_not(operations in operations()) {
        let (mut one, mut other) = (Program::new(true), Program::new(false));
        for operation in operations {
            prop_assert_eq!(one.apply(&operation), other.apply(&operation), "{:?}", operation);
            let (one, other) = (one.report(), other.report());
            prop_assert!(one == other, "after {:?}: {:#?}\ninstead of {:#?}", operation, one, other);
        }
    }
}
