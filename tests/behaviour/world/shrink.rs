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
world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Label, Health, Rare, Team, Tag, ChildOf }
    }
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
