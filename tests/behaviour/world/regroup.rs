//! `World::regroup`: entities move to the slots of those with the same components, and all that the
//! library knows of them follows.

use std::collections::BTreeMap;

use ecs::command::FailurePolicy;
use ecs::component::{ComponentHook, StableId};
use ecs::prelude::*;
use ecs::query::{ChangesSince, StructuralAction};
use ecs::save::{Baseline, Replica, Saved, Selection};
use ecs::system::HookState;
use ecs::world::Regrouped;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Position(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(removed)]
struct Cargo(String);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Rare(u64);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Tag;
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(index)]
struct Team(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(unique)]
struct Camera;
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(hook = Members)]
struct Member(u32);
#[derive(Relation, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[relation(many, gone = keep)]
struct Fears(Entity);
#[derive(Relation, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[relation(exclusive, symmetric)]
struct Married(Entity);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Aims {
    at: Option<Entity>,
}

/// The members by their number.
#[derive(Clone, Default, PartialEq, Debug)]
struct Members(BTreeMap<u32, Entity>);

impl ComponentHook<Member> for Members {
    fn inserted(&mut self, entity: Entity, old: Option<&Member>, new: &Member) {
        if let Some(old) = old {
            self.0.remove(&old.0);
        }
        assert_eq!(self.0.insert(new.0, entity), None, "the former id was removed before");
    }
    fn removed(&mut self, entity: Entity, old: &Member) {
        assert_eq!(self.0.remove(&old.0), Some(entity));
    }
}

#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Report {
    came: Vec<Entity>,
    left: Vec<Entity>,
    changed: Vec<Entity>,
    added: Vec<Entity>,
    lost: Vec<Entity>,
    observed: usize,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components {
            Position, Health, Cargo, Rare, Tag, Team, StableId, Camera, Member, ChildOf, Married, fears: Many<Fears>, Aims
        }
        resources { Report = Report::default() }
    }
    schedule tick { report }
    schedule arrive { spawn_some; }
    observers { observe }
}

#[system(Game)]
fn report(
    came: Entered<With<Position>>,
    left: Exited<With<Position>>,
    changed: Query<Entity, Changed<Health>>,
    added: Query<Entity, Added<Health>>,
    mut lost: Removed<Cargo>,
    mut report: ResMut<Report>,
) {
    report.came = came.iter().collect();
    report.left = left.iter().collect();
    report.changed = changed.iter().collect();
    report.added = added.iter().collect();
    report.lost = lost.iter().map(|(entity, _)| entity).collect();
}

#[system(Game)]
fn spawn_some(mut commands: Commands<Game>) {
    (0..100).for_each(|n| _ = commands.spawn(Position(n)));
}

#[system(Game)]
fn observe(_: Entered<With<Tag>>, mut report: ResMut<Report>) {
    report.observed += 1;
}

/// Entities that are spawned empty, and get components of several kinds.
fn grown(game: &mut Game, count: u32) -> Vec<Entity> {
    let ids: Vec<Entity> = (0..count).map(|_| game.spawn(())).collect();
    for (n, &id) in (0..).zip(&ids) {
        game.insert(id, Position(n)).unwrap();
        if n.is_multiple_of(2) {
            game.insert(id, (Health(n), Tag)).unwrap();
        }
        if n.is_multiple_of(3) {
            game.insert(id, Cargo(n.to_string())).unwrap();
        }
        if n.is_multiple_of(50) {
            game.insert(id, Rare(n.into())).unwrap();
        }
    }
    ids
}

fn check(game: &Game, ids: &[Entity]) {
    for (n, &id) in (0..).zip(ids) {
        assert_eq!(game.get(id), Some(&Position(n)));
        assert_eq!(game.get(id), (n.is_multiple_of(2)).then_some(&Health(n)));
        assert_eq!(game.has::<Tag>(id), n.is_multiple_of(2));
        assert_eq!(
            game.get::<Cargo>(id).map(|cargo| cargo.0.clone()),
            (n.is_multiple_of(3)).then(|| n.to_string())
        );
        assert_eq!(game.get::<Rare>(id), (n.is_multiple_of(50)).then_some(&Rare(n.into())));
    }
    assert_eq!(game.query::<&Position>().iter().count(), ids.len());
}

fn update(ids: &mut [Entity], moved: &Regrouped) {
    ids.iter_mut().for_each(|id| _ = moved.update(id));
}

#[test]
fn grown_entities_lie_side_by_side_with_their_values() {
    let mut game = Game::new();
    let mut ids = grown(&mut game, 3000);
    let runs = |game: &Game| game.query::<(&Position, &Cargo)>().filter::<Without<Health>>().chunks().count();
    assert_eq!(runs(&game), 500);
    let before = ids.clone();
    let moved = game.regroup();
    assert!(moved.len() > 1000 && moved.len() < 3000, "{}", moved.len());
    update(&mut ids, &moved);
    check(&game, &ids);
    assert!(runs(&game) <= 3, "{}", runs(&game));
    for (&former, &id) in before.iter().zip(&ids) {
        assert_eq!(moved.get(former), (former != id).then_some(id));
        assert_eq!((game.contains(former), moved.current(former)), (former == id, id));
    }
    assert_eq!(game.regroup(), Regrouped::default(), "nothing is left to move");
    assert!(game.despawn(before[1]).is_err() || before[1] == ids[1]);
}

#[test]
fn entities_spawned_one_by_one_into_small_kinds_lie_as_a_batch_does() {
    let mut game = Game::new();
    let mut batch = Game::new();
    for n in 0..20 {
        game.spawn(Position(n));
        game.spawn((Position(n), Tag));
        game.spawn((Position(n), Health(n)));
        game.spawn((Position(n), Team(n)));
    }
    batch.spawn_batch((0..20).map(Position));
    batch.spawn_batch((0..20).map(|n| (Position(n), Tag)));
    batch.spawn_batch((0..20).map(|n| (Position(n), Health(n))));
    batch.spawn_batch((0..20).map(|n| (Position(n), Team(n))));
    let _ = game.regroup();
    let runs = |game: &Game| game.query::<&Position>().chunks().count();
    assert_eq!(runs(&game), 1);
    assert!(runs(&batch) <= 2, "80 entities begin at slot 0, or lie in two blocks");
    let sum = |game: &Game| game.query::<&Position>().iter().map(|position| position.0).sum::<u32>();
    assert_eq!(sum(&game), sum(&batch));
}

#[test]
fn relations_indexes_names_and_hooks_follow() {
    let mut game = Game::new();
    let mut ids = grown(&mut game, 600);
    for n in 0..600 {
        let (id, next) = (ids[n], ids[(n + 1) % 600]);
        game.insert(id, (Team(n as u32 % 7), StableId(n as u64), Member(n as u32))).unwrap();
        if n > 0 {
            game.insert(id, ChildOf(ids[n / 4])).unwrap();
        }
        if n & 1 == 0 {
            game.insert(id, Married(next)).unwrap();
        }
        for other in [n * 7 % 600, n * 5 % 600] {
            if other != n {
                game.relate(id, Fears(ids[other])).unwrap();
            }
        }
    }
    game.insert(ids[77], Camera).unwrap();
    let ghost = game.spawn(());
    game.relate(ids[5], Fears(ghost)).unwrap();
    game.despawn(ghost).unwrap();
    let children: Vec<Vec<Entity>> = ids.iter().map(|&id| game.sources::<ChildOf>(id).to_vec()).collect();
    let fears: Vec<Vec<Fears>> = ids.iter().map(|&id| game.relations::<Fears>(id).to_vec()).collect();
    let before = ids.clone();
    let moved = game.regroup();
    assert!(moved.len() > 300);
    update(&mut ids, &moved);
    check(&game, &ids);
    let present = |id: &Entity| moved.current(*id);
    for n in 0..600 {
        let id = ids[n];
        assert_eq!(
            game.sources::<ChildOf>(id),
            children[n].iter().map(present).collect::<Vec<_>>(),
            "in order"
        );
        assert_eq!(game.target::<ChildOf>(id), (n > 0).then(|| ids[n / 4]));
        let targets: Vec<Fears> = fears[n].iter().map(|fear| Fears(moved.current(fear.0))).collect();
        assert_eq!(game.relations::<Fears>(id), targets);
        assert_eq!(game.target::<Married>(id), Some(ids[if n & 1 == 0 { n + 1 } else { n - 1 }]));
        assert_eq!(game.find_one::<StableId>(&StableId(n as u64)), Some(id));
    }
    for team in 0..7 {
        let mut expected: Vec<Entity> = (0..600).filter(|n| n % 7 == team).map(|n| ids[n]).collect();
        expected.sort_unstable();
        assert_eq!(game.find::<Team>(&Team(team as u32)).collect::<Vec<_>>(), expected);
    }
    assert_eq!(game.unique::<Camera>().map(|(entity, _)| entity), Some(ids[77]));
    assert!(game.insert(ids[78], Camera).is_err());
    let hook = HookState::<Member>::of(&game);
    let members = &hook.0;
    assert!((0..600).all(|n| members[&(n as u32)] == ids[n]) && members.len() == 600);
    // relations keep their rules
    let former = before.iter().zip(&ids).find(|(former, id)| former != id).unwrap().0;
    assert!(game.insert(ids[0], ChildOf(*former)).is_err(), "a former id is that of a despawned entity");
    assert!(game.insert(ids[1], ChildOf(ids[20])).is_err(), "a cycle");
    let grandchildren = (0..600).filter(|n| [*n, n / 4, n / 16, n / 64, n / 256].contains(&2)).count();
    game.despawn(ids[2]).unwrap();
    assert_eq!(game.entities().len(), 600 - grandchildren, "children are despawned with their parents");
    assert_eq!(game.target::<Married>(ids[3]), None);
}

#[test]
fn nothing_counts_as_changed_added_or_removed() {
    let mut game = Game::new();
    let mut ids = grown(&mut game, 900);
    game.tick();
    game.get_tracked::<Health>(ids[10]).unwrap().0 = 10;
    game.insert(ids[31], Health(31)).unwrap();
    game.remove::<Health>(ids[31]).unwrap();
    game.insert(ids[33], Health(33)).unwrap();
    game.remove::<Cargo>(ids[3]).unwrap();
    game.remove::<Position>(ids[4]).unwrap();
    game.despawn(ids[6]).unwrap();
    let (born, observed) = (game.spawn(Position(0)), game.resource::<Report>().observed);
    let mut twin = game.clone();
    let moved = game.regroup();
    assert!(moved.len() > 300);
    assert_eq!(game.resource::<Report>().observed, observed);
    game.tick();
    twin.tick();
    let sorted = |ids: &[Entity]| {
        let mut ids: Vec<Entity> = ids.iter().map(|&id| moved.current(id)).collect();
        ids.sort_unstable();
        ids
    };
    let (report, expected) = (game.resource::<Report>(), twin.resource::<Report>());
    assert_eq!(report.came, sorted(&expected.came));
    assert_eq!(report.came, sorted(&[born]));
    assert_eq!(report.left, sorted(&expected.left));
    assert_eq!(report.left, sorted(&[ids[4], ids[6]]));
    assert_eq!(report.changed, sorted(&expected.changed));
    assert_eq!(report.changed, sorted(&[ids[10], ids[33]]));
    assert_eq!(report.added, sorted(&[ids[33]]));
    assert_eq!(report.lost, [3, 6].map(|n| moved.current(ids[n])));
    update(&mut ids, &moved);
    game.tick();
    assert_eq!(game.resource::<Report>(), &Report { observed, ..Report::default() });
    assert_eq!(game.get(ids[10]), Some(&Health(10)));
}

#[test]
fn an_entity_that_was_despawned_is_seen_to_exit_although_another_one_got_its_slot() {
    let mut game = Game::new();
    let ids = grown(&mut game, 640);
    game.tick();
    let left: Vec<Entity> = ids.iter().copied().filter(|id| id.slot().is_multiple_of(3)).collect();
    left.iter().for_each(|&id| game.despawn(id).unwrap());
    let moved = game.regroup();
    assert!(moved.iter().any(|(_, present)| left.iter().any(|id| id.slot() == present.slot())));
    let mut loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded.hash(), game.hash());
    for game in [&mut game, &mut loaded] {
        game.tick();
        let report = game.resource::<Report>();
        assert_eq!((&report.left, &report.came), (&left, &Vec::new()));
    }
}

#[test]
fn equal_worlds_are_equal_after_both_are_regrouped() {
    let mut game = Game::new();
    grown(&mut game, 2000);
    game.arrive();
    let mut twin = Game::load(&game.to_bytes().unwrap()).unwrap();
    let hash = game.hash();
    assert_eq!(game.regroup(), twin.regroup());
    assert_eq!(game.hash(), twin.hash());
    assert_ne!(game.hash(), hash, "ids are part of the state");
    for game in [&mut game, &mut twin] {
        game.arrive();
        for n in 0..300 {
            game.spawn((Position(n), Tag));
        }
        game.tick();
    }
    assert_eq!(ecs::save::diff(&game, &twin), []);
    let loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded.hash(), game.hash());
}

#[test]
fn a_snapshot_from_before_is_restored_with_the_former_ids() {
    let mut game = Game::new();
    let mut ids = grown(&mut game, 1500);
    let (before, snapshot, hash) = (ids.clone(), game.snapshot(), game.hash());
    let moved = game.regroup();
    update(&mut ids, &moved);
    let (after, regrouped) = (game.snapshot(), game.hash());
    for _ in 0..2 {
        game.restore(&snapshot);
        check(&game, &before);
        assert_eq!(game.hash(), hash);
        game.restore(&after);
        check(&game, &ids);
        assert_eq!(game.hash(), regrouped);
    }
    game.restore(&snapshot);
    assert_eq!(game.regroup(), moved);
    assert_eq!(game.hash(), regrouped);
}

#[test]
fn a_delta_brings_another_world_up_to_date() {
    let mut game = Game::new();
    let mut ids = grown(&mut game, 700);
    let shown = Selection::of::<(Position, Health, Cargo)>();
    let first = shown.delta(&Baseline::nothing(), &game, 1).unwrap();
    let known = shown.baseline(&mut game, 1);
    let moved = game.regroup();
    update(&mut ids, &moved);
    let second = shown.delta(&known, &game, 2).unwrap();
    let mut copy = Game::new();
    let mut replica = Replica::new();
    shown.apply(&mut copy, &mut replica, &first).unwrap();
    shown.apply(&mut copy, &mut replica, &second).unwrap();
    let rows = |game: &Game| {
        let mut rows: Vec<_> = game
            .query::<(&Position, Option<&Health>, Option<&Cargo>)>()
            .iter()
            .map(|(position, health, cargo)| (position.0, health.cloned(), cargo.cloned()))
            .collect();
        rows.sort_by_key(|row| row.0);
        rows
    };
    assert_eq!(rows(&copy), rows(&game));
    assert_eq!(rows(&copy).len(), ids.len());
}

#[test]
fn ids_that_another_program_has_chosen_stay() {
    let mut game = Game::new();
    game.reserve_ids(0..640).unwrap();
    let mut server = Game::new();
    let chosen: Vec<Entity> = (0..100).map(|_| server.spawn(())).collect();
    for (n, &id) in (0..).zip(&chosen) {
        game.spawn_at(id, Position(n)).unwrap();
        if n.is_multiple_of(2) {
            game.insert(id, Tag).unwrap();
        }
    }
    let grown = grown(&mut game, 640);
    let moved = game.regroup();
    assert!(moved.iter().all(|(former, _)| grown.contains(&former)) && !moved.is_empty());
    assert!((0..).zip(&chosen).all(|(n, &id)| game.get(id) == Some(&Position(n))));
    assert!(moved.iter().all(|(_, present)| present.slot() >= 640));
}

#[test]
fn commands_go_on_spawning() {
    let mut game = Game::new();
    for round in 0..6 {
        game.arrive();
        grown(&mut game, 200);
        let before = game.entities().len();
        let moved = game.regroup();
        assert_eq!(game.entities().len(), before, "round {round}, {} moved", moved.len());
        let odd: Vec<Entity> = game.entities().iter().step_by(3).collect();
        odd.into_iter().for_each(|id| game.despawn(id).unwrap());
    }
    let slots: Vec<u32> = game.entities().iter().map(Entity::slot).collect();
    assert!(slots.is_sorted_by(|a, b| a < b));
    let mut numbers: Vec<u32> = game.query::<&Position>().iter().map(|position| position.0).collect();
    numbers.sort_unstable();
    assert_eq!(numbers.len(), game.entities().len());
}

#[test]
fn an_empty_world_and_a_world_in_order_are_left_alone() {
    let mut game = Game::new();
    assert!(game.regroup().is_empty());
    let ids: Vec<Entity> = game.spawn_batch((0..500).map(|n| (Position(n), Tag))).collect();
    let few: Vec<Entity> = game.spawn_batch((0..20).map(|n| (Position(n), Health(n)))).collect();
    assert!(game.regroup().is_empty());
    assert!(ids.iter().chain(&few).all(|&id| game.contains(id)));
}

mod recorded {
    use super::*;

    #[derive(Component)]
    struct A;
    #[derive(Component)]
    struct B;

    world! {
        #[world(journal = 10_000)]
        struct Logged { components { A, B } }
    }

    #[test]
    fn a_journal_has_each_moved_entity_as_despawned_and_spawned() {
        let mut game = Logged::new();
        for n in 0..256 {
            let id = game.spawn(());
            game.insert(id, A).unwrap();
            if n % 2 == 0 {
                game.insert(id, B).unwrap();
            }
        }
        // what the journal tells is enough to follow the world
        let mut known: BTreeMap<Entity, [bool; 2]> =
            game.entities().iter().map(|id| (id, [game.has::<A>(id), game.has::<B>(id)])).collect();
        let tick = game.advance_tick();
        let moved = game.regroup();
        assert!(!moved.is_empty());
        for change in game.journal_since(tick).unwrap() {
            match change.action {
                StructuralAction::Spawn => assert_eq!(known.insert(change.entity, [false; 2]), None),
                StructuralAction::Despawn => assert_eq!(known.remove(&change.entity), Some([false; 2])),
                StructuralAction::Insert(name) => {
                    known.get_mut(&change.entity).unwrap()[usize::from(name == "B")] = true
                }
                StructuralAction::Remove(name) => {
                    known.get_mut(&change.entity).unwrap()[usize::from(name == "B")] = false
                }
            }
        }
        assert_eq!(
            known,
            game.entities().iter().map(|id| (id, [game.has::<A>(id), game.has::<B>(id)])).collect()
        );
    }
}

#[test]
fn queued_commands_fail_for_entities_that_moved() {
    world! { struct Queue { components { Position, Health } } }
    let mut queue = Queue::new();
    let ids: Vec<Entity> = (0..200).map(|_| queue.spawn(())).collect();
    for &id in ids.iter().step_by(2) {
        queue.insert(id, Position(1)).unwrap();
    }
    queue.on_failed_command(FailurePolicy::Ignore);
    queue.with_commands(|mut commands| {
        commands.run(|queue: &mut Queue| assert!(!queue.regroup().is_empty()));
        ids.iter().for_each(|&id| commands.insert(id, Health(9)));
    });
    let (healed, failed) = (queue.query::<&Health>().len() as u64, queue.stats().failed_commands);
    assert!(failed > 0 && healed + failed == 200, "{healed} and {failed}");
}
