//! Memory that a world gives back.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Label(String);
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Rare(u64);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(index)]
struct Team(u8);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Tag;
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Seen {
    changed: Vec<Entity>,
    entered: usize,
    exited: usize,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Label, Health, Rare, Team, Tag, ChildOf }
        resources { Seen = Seen::default() }
    }
    schedule tick { watch }
}

#[system(Game)]
fn watch(
    changed: Query<Entity, Changed<Health>>,
    entered: Entered<With<Tag>>,
    exited: Exited<With<Tag>>,
    mut seen: ResMut<Seen>,
) {
    *seen = Seen { changed: changed.iter().collect(), entered: entered.len(), exited: exited.len() };
}

/// A world with 40,000 entities, of which each 5,000th is left, and these.
fn after_a_peak() -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let all: Vec<Entity> = game
        .spawn_batch((0..40_000).map(|n| (Label(n.to_string()), Health(n), Tag, Team((n % 5) as u8))))
        .collect();
    for (n, &entity) in all.iter().enumerate() {
        if n % 7 == 0 {
            game.insert(entity, Rare(n as u64)).unwrap();
        }
        if n > 0 && n % 5000 == 0 {
            game.insert(entity, ChildOf(all[0])).unwrap();
        }
    }
    game.tick();
    let kept: Vec<Entity> = all.iter().copied().step_by(5000).collect();
    game.retain::<(Entity, &Health)>(|(entity, _)| kept.contains(&entity));
    (game, kept)
}

fn check(game: &Game, kept: &[Entity]) {
    for (n, &entity) in kept.iter().enumerate() {
        let n = n as u32 * 5000;
        assert_eq!(game.get(entity), Some(&Label(n.to_string())));
        assert_eq!(game.get(entity), Some(&Health(n)));
        assert_eq!(game.get(entity), n.is_multiple_of(7).then_some(&Rare(u64::from(n))));
        assert!(game.has::<Tag>(entity));
    }
    assert_eq!(game.entities().len(), kept.len());
    assert_eq!(game.find::<Team>(&Team(0)).collect::<Vec<_>>(), kept);
    assert_eq!(game.sources::<ChildOf>(kept[0]), &kept[1..]);
}

#[test]
fn pages_are_freed_and_values_stay_at_their_ids() {
    let (mut game, kept) = after_a_peak();
    let (before, hash, bytes) = (game.stats(), game.hash(), game.to_bytes().unwrap());
    game.shrink_to_fit();
    let after = game.stats();
    assert!(
        after.bytes * 3 < before.bytes * 2 && after.pages < before.pages,
        "{} of {}",
        after.bytes,
        before.bytes
    );
    assert_eq!((after.entities, after.blocks), (before.entities, before.blocks));
    check(&game, &kept);
    assert_eq!((game.hash(), game.to_bytes().unwrap()), (hash, bytes));
}

#[test]
fn ids_of_the_peak_stay_dead_and_new_entities_fill_the_slots() {
    let (mut game, kept) = after_a_peak();
    let mut same = game.clone();
    game.shrink_to_fit();
    let spawn = |game: &mut Game| -> Vec<Entity> {
        game.spawn_batch((0..20_000).map(|n| (Label(n.to_string()), Health(n), Tag, Team(9)))).collect()
    };
    let ids = spawn(&mut game);
    assert_eq!(ids, spawn(&mut same), "ids are those of a world that has not given memory back");
    assert!(ids.iter().all(|id| !kept.contains(id)));
    assert_eq!(game.get(ids[19_999]), Some(&Label("19999".into())));
    assert_eq!(game.find::<Team>(&Team(9)).count(), 20_000);
    assert_eq!(game.hash(), same.hash());
    // an id of the peak
    let first = Entity::from_bits(kept[0].to_bits() + 1).unwrap();
    assert!(!game.contains(first) || ids.contains(&first));
}

#[test]
fn systems_see_no_change() {
    let (mut game, kept) = after_a_peak();
    let mut same = game.clone();
    game.shrink_to_fit();
    game.get_tracked::<Health>(kept[3]).unwrap().0 += 0;
    game.spawn(Tag);
    same.get_tracked::<Health>(kept[3]).unwrap().0 += 0;
    same.spawn(Tag);
    for world in [&mut game, &mut same] {
        world.tick();
        let expected = Seen { changed: vec![kept[3]], entered: 1, exited: 40_000 - kept.len() };
        assert_eq!(world.resource::<Seen>(), &expected);
    }
    game.tick();
    assert_eq!(game.resource::<Seen>(), &Seen::default());
}

#[test]
fn a_snapshot_of_the_peak_is_restored() {
    let mut game = Game::new();
    let all: Vec<Entity> =
        game.spawn_batch((0..10_000).map(|n| (Health(n), Rare(u64::from(n)), Tag))).collect();
    game.tick();
    let (peak, hash) = (game.snapshot(), game.hash());
    all.iter().skip(3).for_each(|&entity| game.despawn(entity).unwrap());
    game.shrink_to_fit();
    let (low, low_hash) = (game.snapshot(), game.hash());
    game.restore(&peak);
    assert_eq!(game.hash(), hash);
    assert!(all.iter().enumerate().all(|(n, &entity)| game.get(entity) == Some(&Health(n as u32))));
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, [], "nothing has changed since the run before the snapshot");
    game.restore(&low);
    game.shrink_to_fit();
    assert_eq!((game.hash(), game.entities().len()), (low_hash, 3));
    game.restore(&peak);
    assert_eq!(game.hash(), hash);
}

#[test]
fn an_empty_world_has_no_memory_for_values() {
    let (mut game, _) = after_a_peak();
    game.clear();
    assert!(game.stats().bytes > 100_000, "`clear` keeps the memory");
    game.shrink_to_fit();
    assert_eq!((game.stats().bytes, game.stats().pages), (0, 0));
    let entity = game.spawn((Label("new".into()), Health(1), Rare(2), Team(3), Tag));
    assert_eq!((game.get(entity), game.get(entity)), (Some(&Rare(2)), Some(&Label("new".into()))));
    Game::new().shrink_to_fit();
}
