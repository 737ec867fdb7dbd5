//! W: references between entities, also dangling ones: relations that mark a source when its target
//! is despawned.

use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
struct CleanUp;

/// A mark with a required component.
#[derive(Component, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked, requires(Counted))]
struct Bereaved(u32);

#[derive(Component, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
struct Counted(u32);

#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(exclusive, gone = mark(CleanUp))]
#[component(removed, requires(Counted))]
struct Attacks(Entity);

#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(many, gone = mark(Bereaved))]
struct Knows(Entity);

#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(exclusive, symmetric, gone = mark(Bereaved))]
#[component(removed)]
struct MarriedTo(Entity);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Seen(Vec<Entity>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Attacks, knows: Many<Knows>, MarriedTo, ChildOf, CleanUp, Bereaved, Counted }
        resources { Seen = Seen::default() }
    }
    schedule tick { strike; notice; heal }
    schedule read { lost }
}

/// Despawns the target of the first attacker.
#[system(Game)]
fn strike(attackers: Query<&Attacks>, mut commands: Commands<Game>) {
    if let Some(attacks) = attackers.iter().next() {
        commands.despawn(attacks.0);
    }
}

#[system(Game)]
fn notice(marked: Entered<With<CleanUp>>, mut seen: ResMut<Seen>) {
    seen.0.extend(marked.iter());
}

#[system(Game)]
fn lost(mut removed: Removed<MarriedTo>, mut seen: ResMut<Seen>) {
    seen.0 = removed.iter().map(|(entity, _)| entity).collect();
}

#[system(Game)]
fn heal(marked: Query<Entity, With<CleanUp>>, mut commands: Commands<Game>) {
    for entity in &marked {
        commands.remove::<(Attacks, CleanUp)>(entity);
    }
}

#[test]
fn w62_a_dangling_reference_marks_its_holder() {
    let mut game = Game::default();
    let [wolf, other] = [game.spawn(()), game.spawn(())];
    let hero = game.spawn(Attacks(wolf));
    let bystander = game.spawn(Attacks(other));
    game.despawn(wolf).unwrap();
    assert!(game.has::<CleanUp>(hero) && !game.has::<CleanUp>(bystander));
    // the relation stays, and its target is despawned
    assert_eq!(game.target::<Attacks>(hero), Some(wolf));
    assert_eq!(game.related::<Attacks>().dangling().map(|(source, _)| source).collect::<Vec<_>>(), [hero]);
    // a new target without the mark: its despawn sets the mark again
    game.relate(hero, Attacks(other)).unwrap();
    game.remove::<CleanUp>(hero).unwrap();
    game.despawn(other).unwrap();
    assert!(game.has::<CleanUp>(hero) && game.has::<CleanUp>(bystander));
}

#[test]
fn w62_whoever_points_elsewhere_by_then_is_not_marked() {
    let mut game = Game::default();
    let [wolf, other] = [game.spawn(()), game.spawn(())];
    let hero = game.spawn(Attacks(wolf));
    let coward = game.spawn(Attacks(wolf));
    game.relate(hero, Attacks(other)).unwrap();
    game.remove::<Attacks>(coward).unwrap();
    game.despawn(wolf).unwrap();
    assert!(!game.has::<CleanUp>(hero) && !game.has::<CleanUp>(coward));
}

#[test]
fn w62_a_present_mark_stays_and_a_new_one_inserts_its_required_components() {
    let mut game = Game::default();
    let [bank, shop] = [game.spawn(()), game.spawn(())];
    let many = || Many::from([Knows(bank), Knows(shop)]);
    let [fresh, marked] = [game.spawn(many()), game.spawn((many(), Bereaved(7)))];
    game.remove::<Counted>(marked).unwrap();
    game.despawn(bank).unwrap();
    assert_eq!(
        (game.get::<Bereaved>(fresh), game.get::<Bereaved>(marked)),
        (Some(&Bereaved(0)), Some(&Bereaved(7)))
    );
    assert_eq!(game.get::<Counted>(fresh), Some(&Counted(0)));
    // all edges are kept, also the dangling one
    assert_eq!(game.relations::<Knows>(fresh), [Knows(bank), Knows(shop)]);
    game.despawn(shop).unwrap();
    assert_eq!(game.get::<Bereaved>(marked), Some(&Bereaved(7)));
}

#[test]
fn w62_the_other_end_of_a_symmetric_relation_is_marked() {
    let mut game = Game::default();
    let one = game.spawn(());
    let other = game.spawn(MarriedTo(one));
    game.despawn(one).unwrap();
    assert!(game.has::<Bereaved>(other));
    assert_eq!(game.target::<MarriedTo>(other), Some(one));
}

#[test]
fn w21_a_relation_that_one_flush_makes_and_ends_leaves_no_trace_at_either_end() {
    let mut game = Game::default();
    let [one, other, third] = [game.spawn(()), game.spawn(()), game.spawn(())];
    game.with_commands(|mut commands| {
        commands.insert(one, MarriedTo(other));
        commands.unrelate::<MarriedTo>(other, one);
        commands.relate(one, MarriedTo(third));
        commands.relate(one, MarriedTo(other)); // the third entity had no partner before
    });
    assert_eq!(game.target::<MarriedTo>(other), Some(one));
    game.read();
    assert_eq!(game.resource::<Seen>().0, []);
    game.with_commands(|mut commands| commands.remove::<MarriedTo>(one));
    game.read();
    let mut both = std::mem::take(&mut game.resource_mut::<Seen>().0);
    both.sort();
    assert_eq!(both, [one, other]);
}

#[test]
fn w62_commands_mark_at_the_flush_and_systems_react() {
    let mut game = Game::default();
    let wolf = game.spawn(());
    let heroes: Vec<Entity> = game.spawn_batch([wolf; 3].map(Attacks)).collect();
    game.tick();
    assert!(!game.contains(wolf));
    assert_eq!(game.resource::<Seen>().0, heroes);
    for hero in heroes {
        assert!(!game.has::<CleanUp>(hero) && !game.has::<Attacks>(hero));
    }
}

#[test]
fn w62_a_source_despawned_with_its_target_is_not_marked() {
    let mut game = Game::default();
    let parent = game.spawn(());
    let child = game.spawn((ChildOf(parent), Attacks(parent)));
    let grandchild = game.spawn((ChildOf(child), Attacks(parent)));
    let outside = game.spawn(Attacks(grandchild));
    game.despawn(parent).unwrap();
    assert!([parent, child, grandchild].iter().all(|&entity| !game.contains(entity)));
    assert!(game.has::<CleanUp>(outside));
    assert_eq!(game.query::<&CleanUp>().iter().count(), 1);
    // sources that are despawned, too, are not marked
    game.clear();
    assert_eq!(game.query::<&CleanUp>().iter().count(), 0);
}

#[test]
fn w62_many_die_at_once() {
    let mut game = Game::default();
    let targets: Vec<Entity> = (0..1000).map(|_| game.spawn(())).collect();
    let holders: Vec<Entity> = targets.iter().map(|&target| game.spawn(Attacks(target))).collect();
    game.with_commands(|mut commands| targets.iter().step_by(2).for_each(|&target| commands.despawn(target)));
    for (i, &holder) in holders.iter().enumerate() {
        assert_eq!(game.has::<CleanUp>(holder), i % 2 == 0, "{i}");
    }
    // sources that are despawned in the same flush, before and after their targets
    game.with_commands(|mut commands| {
        for i in [1, 3, 5] {
            commands.despawn(holders[i]);
            commands.despawn(targets[i]);
        }
        for i in [7, 9, 11] {
            commands.despawn(targets[i]);
            commands.despawn(holders[i]);
        }
    });
    assert_eq!(game.query::<&CleanUp>().iter().count(), 500);
}

#[test]
fn w62_marks_and_dangling_references_are_saved_cloned_and_restored() {
    let mut game = Game::default();
    let [wolf, other] = [game.spawn(()), game.spawn(())];
    let hero = game.spawn(Attacks(wolf));
    let villain = game.spawn(Attacks(other));
    let before = game.snapshot();
    game.despawn(wolf).unwrap();

    let mut compact = Game::load(&game.to_bytes().unwrap()).unwrap();
    let mut text: Game = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    assert_eq!((compact.hash(), text.hash()), (game.hash(), game.hash()));
    let mut cloned = game.clone();
    for world in [&mut compact, &mut text, &mut cloned] {
        assert!(world.has::<CleanUp>(hero) && world.target::<Attacks>(hero) == Some(wolf));
        assert!(!world.has::<CleanUp>(villain));
        // the reverse index is copied, too: the remaining sources are marked in the copy
        world.despawn(other).unwrap();
        assert!(world.has::<CleanUp>(villain));
    }
    assert!(!game.has::<CleanUp>(villain));
    game.restore(&before);
    assert!(!game.has::<CleanUp>(hero) && game.contains(wolf));
    game.despawn(wolf).unwrap();
    assert!(game.has::<CleanUp>(hero));
}

#[test]
fn w62_merged_entities_keep_their_marks_and_can_be_marked() {
    let mut part = Game::default();
    let [wolf, other] = [part.spawn(()), part.spawn(())];
    let (hero, villain) = (part.spawn(Attacks(wolf)), part.spawn(Attacks(other)));
    part.despawn(wolf).unwrap();
    let mut game = Game::default();
    game.spawn_batch([(); 5]).for_each(drop);
    let merged = game.merge(&part.to_bytes().unwrap(), DanglingIds::Keep).unwrap();
    let [hero, villain, other] = [hero, villain, other].map(|entity| merged.get(entity).unwrap());
    assert!(game.has::<CleanUp>(hero) && !game.has::<CleanUp>(villain));
    assert!(game.target::<Attacks>(hero).is_some_and(|target| !game.contains(target)));
    game.despawn(other).unwrap();
    assert!(game.has::<CleanUp>(villain));
}

#[test]
fn w62_a_default_that_panics_leaves_the_rest_marked() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU32, Ordering};

    static MADE: AtomicU32 = AtomicU32::new(0);

    #[derive(Component)]
    struct Fragile;
    impl Default for Fragile {
        fn default() -> Self {
            assert!(MADE.fetch_add(1, Ordering::Relaxed) != 1, "the second one");
            Self
        }
    }
    #[derive(Relation)]
    #[relation(exclusive, gone = mark(Fragile))]
    struct Holds(Entity);
    world! { struct Small { components { Holds, Fragile } } }

    let mut world = Small::new();
    let target = world.spawn(());
    let holders: Vec<Entity> = world.spawn_batch([target; 4].map(Holds)).collect();
    assert!(catch_unwind(AssertUnwindSafe(|| world.despawn(target))).is_err());
    let marked: Vec<bool> = holders.iter().map(|&holder| world.has::<Fragile>(holder)).collect();
    assert_eq!((world.contains(target), marked), (false, vec![true, false, true, true]));
}
