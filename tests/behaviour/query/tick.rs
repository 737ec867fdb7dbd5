//! Ticks: changes since a tick, in systems and outside, compared with a plain list of all changes.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::save::Saved;
use ecs::system::Tick;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[component(index)]
struct Cell(u32);
#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
struct Hero;

#[derive(Resource, Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
struct Log {
    from: Tick,
    now: Tick,
    changed: Vec<Entity>,
    fresh: Vec<(Entity, bool, bool)>,
    unchanged: usize,
}

world! {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Game {
        components { Health, Cell, Hero }
        resources { Log = Log::default() }
    }
    schedule tick { look }
    schedule heal { heal_odd, heal_even, note }
}

#[system(Game)]
fn look(
    changed: Query<Entity, Changed<Health>>,
    refs: Query<(Entity, Ref<Health>), Or<(Changed<Health>, With<Hero>)>>,
    unchanged: Query<Entity, (With<Health>, Not<Changed<Health>>)>,
    now: Tick,
    mut log: ResMut<Log>,
) {
    log.changed = changed.since(log.from).iter().collect();
    let refs = refs.since(log.from);
    log.fresh =
        refs.iter().map(|(entity, health)| (entity, health.is_added(), health.is_changed())).collect();
    log.unchanged = unchanged.since(log.from).len();
    log.now = now;
}

#[system(Game)]
fn heal_odd(mut health: Mut<Health>) {
    if !health.0.is_multiple_of(2) {
        health.0 += 2;
    }
}

#[system(Game)]
fn heal_even(mut health: Mut<Health>) {
    if health.0.is_multiple_of(8) {
        health.0 += 8;
    }
}

#[system(Game)]
fn note(now: Tick, mut log: ResMut<Log>) {
    log.now = now;
}

fn all(ids: impl Iterator<Item = Entity>) -> Vec<Entity> {
    ids.collect()
}

#[test]
fn a_tick_of_a_system_is_after_all_changes_before_it() {
    let mut game = Game::new();
    let ids = all(game.spawn_batch((0..200).map(Health)));
    game.tick();
    assert_eq!(game.resource::<Log>().changed, ids);
    let seen = game.resource::<Log>().now;
    game.resource_mut::<Log>().from = seen;
    game.tick();
    assert_eq!(game.resource::<Log>().changed, []);
    assert_eq!(game.resource::<Log>().unchanged, 200);
    game.get_tracked::<Health>(ids[70]).unwrap().0 = 1_000;
    let hero = game.spawn((Health(1), Hero));
    game.tick();
    game.tick(); // the same tick gives the same result
    let log = game.resource::<Log>();
    assert_eq!(log.changed, [ids[70], hero]);
    assert_eq!(log.fresh, [(ids[70], false, true), (hero, true, true)]);
    assert_eq!(log.unchanged, 199);
}

#[test]
fn the_changes_of_a_run_are_not_later_than_its_end() {
    let mut game = Game::new();
    let ids = all(game.spawn_batch((0..200).map(Health)));
    let before = game.advance_tick();
    game.heal();
    let changed = all(game.changed_since::<Health>(before));
    let expected = ids.iter().enumerate().filter(|(i, _)| i % 2 == 1 || i % 8 == 0).map(|(_, &id)| id);
    assert_eq!(changed, all(expected));
    assert_eq!(game.added_since::<Health>(before).count(), 0);
    assert_eq!(game.changed_since::<Health>(game.change_tick()).count(), 0);
    assert!(game.resource::<Log>().now > before);
    assert!(game.resource::<Log>().now <= game.change_tick());
}

#[test]
fn without_a_run_a_change_tick_stays_and_an_advanced_one_does_not() {
    let mut game = Game::new();
    let first = game.spawn(Health(1));
    assert_eq!(game.change_tick(), Tick::START);
    assert_eq!(all(game.changed_since::<Health>(game.change_tick())), [first]);
    let (then, hash) = (game.advance_tick(), game.hash());
    assert_eq!(all(game.changed_since::<Health>(then)), []);
    assert_eq!(game.change_tick(), then);
    assert_eq!(game.hash(), hash, "to ask for the tick is no change");
    let second = game.spawn(Health(2));
    assert_eq!(all(game.added_since::<Health>(then)), [second]);
}

#[test]
fn an_indexed_value_is_found_too() {
    let mut game = Game::new();
    let (one, two) = (game.spawn(Cell(1)), game.spawn(Cell(2)));
    let outside = game.change_tick();
    assert_eq!(all(game.changed_since::<Cell>(outside)), [one, two]);
    let then = game.advance_tick();
    assert_eq!(all(game.changed_since::<Cell>(then)), []);
    game.insert(one, Cell(3)).unwrap();
    let three = game.spawn(Cell(4));
    assert_eq!(all(game.changed_since::<Cell>(then)), [one, three]);
    assert_eq!(all(game.added_since::<Cell>(then)), [three]);
    game.get_tracked::<Cell>(two).unwrap().0 = 7;
    assert_eq!(all(game.changed_since::<Cell>(then)), [one, two, three]);
}

#[test]
fn a_tick_of_the_future_misses_nothing() {
    let mut game = Game::new();
    let snapshot = game.snapshot();
    (0..50).for_each(|_| game.tick());
    let late = game.change_tick();
    game.restore(&snapshot);
    let id = game.spawn(Health(1));
    assert_eq!(all(game.changed_since::<Health>(late)), [id]);
    assert_eq!(all(game.changed_since::<Health>(Tick::from_bits(u64::MAX))), [id]);
    assert_eq!(Tick::from_bits(late.to_bits()), late);
}

#[derive(Clone, Debug)]
enum Deed {
    Spawn(u32),
    Batch(u16),
    Touch(usize),
    Replace(usize),
    Remove(usize),
    Despawn(usize),
    Heal,
    Mark,
    Snapshot,
    Restore,
    Reload,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => (0..9_u32).prop_map(Deed::Spawn),
        1 => (1..2_000_u16).prop_map(Deed::Batch),
        8 => any::<usize>().prop_map(Deed::Touch),
        3 => any::<usize>().prop_map(Deed::Replace),
        2 => any::<usize>().prop_map(Deed::Remove),
        2 => any::<usize>().prop_map(Deed::Despawn),
        2 => Just(Deed::Heal),
        4 => Just(Deed::Mark),
        1 => Just(Deed::Snapshot),
        1 => Just(Deed::Restore),
        1 => Just(Deed::Reload),
    ]
}

/// For each entity with a value: the value, and the numbers of the operations that added and
/// changed it.
#[derive(Clone, Default)]
struct Account {
    rows: BTreeMap<Entity, Option<(u32, usize, usize)>>,
    deeds: usize,
    /// The recorded ticks, each with the number of operations before it.
    marks: Vec<(Tick, usize)>,
}

impl Account {
    fn put(&mut self, entity: Entity, value: u32) {
        let row = self.rows.entry(entity).or_default();
        *row = Some((value, row.map_or(self.deeds, |(_, added, _)| added), self.deeds));
    }

    fn pick(&self, at: usize) -> Option<Entity> {
        self.rows.keys().nth(at % self.rows.len().max(1)).copied()
    }

    fn check(&self, game: &Game) {
        let rows = || self.rows.iter().filter_map(|(&entity, row)| Some((entity, (*row)?)));
        let mut by_slot: Vec<_> = rows().collect();
        by_slot.sort_by_key(|(entity, _)| entity.slot());
        for &(tick, deeds) in &self.marks {
            let since = |of: fn((u32, usize, usize)) -> usize| {
                all(by_slot.iter().filter(|(_, row)| of(*row) > deeds).map(|&(entity, _)| entity))
            };
            let (added, changed) = (since(|(_, added, _)| added), since(|(_, _, changed)| changed));
            assert_eq!(all(game.added_since::<Health>(tick)), added);
            assert_eq!(all(game.changed_since::<Health>(tick)), changed);
            let query = game.query::<Entity>().filter::<Changed<Health>>().since(tick);
            assert_eq!(
                (query.len(), query.is_empty(), query.to_set().len()),
                (changed.len(), changed.is_empty(), changed.len())
            );
        }
    }
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn changes_since_every_tick_equal_those_of_a_plain_list(deeds in prop::collection::vec(deed(), 1..60)) {
        let (mut game, mut account) = (Game::new(), Account::default());
        let mut kept = None;
        for deed in deeds {
            account.deeds += 1;
            match deed {
                Deed::Spawn(value) => {
                    let entity = game.spawn(Health(value));
                    account.put(entity, value);
                }
                Deed::Batch(count) => {
                    for (entity, value) in all(game.spawn_batch((0..u32::from(count)).map(Health))).into_iter().zip(0..) {
                        account.put(entity, value);
                    }
                }
                Deed::Touch(at) => {
                    let Some(entity) = account.pick(at) else { continue };
                    if let Some(mut health) = game.get_tracked::<Health>(entity) {
                        health.0 += 1;
                        account.put(entity, health.0);
                    }
                }
                Deed::Replace(at) => {
                    let Some(entity) = account.pick(at) else { continue };
                    game.insert(entity, Health(7)).unwrap();
                    account.put(entity, 7);
                }
                Deed::Remove(at) => {
                    let Some(entity) = account.pick(at) else { continue };
                    let _ = game.remove::<Health>(entity);
                    account.rows.insert(entity, None);
                }
                Deed::Despawn(at) => {
                    let Some(entity) = account.pick(at) else { continue };
                    game.despawn(entity).unwrap();
                    account.rows.remove(&entity);
                }
                Deed::Heal => {
                    game.heal();
                    let all: Vec<_> = account.rows.iter().filter_map(|(&entity, row)| Some((entity, (*row)?.0))).collect();
                    for (entity, value) in all {
                        match value {
                            value if value % 2 == 1 => account.put(entity, value + 2),
                            value if value % 8 == 0 => account.put(entity, value + 8),
                            _ => {}
                        }
                    }
                }
                Deed::Mark => account.marks.push((game.advance_tick(), account.deeds)),
                Deed::Snapshot => kept = Some((game.snapshot(), account.clone())),
                Deed::Restore => {
                    if let Some((snapshot, then)) = &kept {
                        game.restore(snapshot);
                        account = then.clone();
                    }
                }
                Deed::Reload => game = Game::load(&game.to_bytes().unwrap()).unwrap(),
            }
            if account.marks.len() > 4 {
                account.marks.remove(1);
            }
        }
        account.check(&game);
        account.check(&game.clone());
    }
}
