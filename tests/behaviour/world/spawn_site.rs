//! The places in the source where entities were spawned, in builds with debug assertions.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::world::{WorldIds, WorldMemory};

#[derive(Component, Clone)]
struct Spark(u32);
#[derive(Component, Clone)]
#[component(unique)]
struct Sun;

world! {
    #[derive(Clone)]
    struct Game { components { Spark, Sun, ChildOf } }
    schedule tick { burst; }
}

const BURST: u32 = line!() + 3;
#[system(Game)]
fn burst(mut commands: Commands<Game>) {
    commands.spawn(Spark(0));
    commands.spawn_batch([1, 2].map(Spark));
    commands.run(|game| _ = game.spawn(Spark(3)));
    commands.spawn_with_children(Spark(4), ChildOf, |children| {
        children.spawn(Spark(5));
    });
}

fn line(game: &Game, entity: Entity) -> Option<u32> {
    let site = game.spawn_site(entity)?;
    assert!(site.file().ends_with("spawn_site.rs"), "{site}");
    Some(site.line())
}

/// The value that a build records: the given one, or none without debug assertions.
fn recorded<T>(line: T) -> Option<T> {
    cfg!(debug_assertions).then_some(line)
}

#[test]
fn each_way_to_spawn_has_its_line() {
    let mut game = Game::new();
    let first = line!() + 1;
    let one = game.spawn(Spark(1));
    let other = game.try_spawn(Sun).unwrap();
    assert!(game.try_spawn(Sun).is_err());
    let batch: Vec<Entity> = game.spawn_batch(vec![Spark(1), Spark(2)]).collect();
    let columns: Vec<Entity> = game.spawn_columns((vec![Spark(1), Spark(2)],)).collect();
    let chosen = Entity::from_bits(one.to_bits() + 1000).unwrap();
    game.spawn_at(chosen, Spark(9)).unwrap();
    let parent = game.spawn_with_children(Spark(1), ChildOf, |children| _ = children.spawn(Spark(2)));
    let child = game.sources::<ChildOf>(parent)[0];
    for (entities, of_line) in [
        (vec![one], 0),
        (vec![other], 1),
        (batch, 3),
        (columns, 4),
        (vec![chosen], 6),
        (vec![parent, child], 7),
    ] {
        for entity in entities {
            assert_eq!(line(&game, entity), recorded(first + of_line), "{entity}");
        }
    }
    let copy = game.clone_entity(one).unwrap();
    assert_eq!(line(&game, copy), None);
}

#[test]
fn commands_have_the_line_of_the_system() {
    let mut game = Game::new();
    game.tick();
    let lines: BTreeMap<u32, Option<u32>> = game
        .query::<(Entity, &Spark)>()
        .iter()
        .map(|(entity, spark)| (spark.0, line(&game, entity)))
        .collect();
    let expected = [0, 1, 1, 2, 3, 4].map(|at| recorded(BURST + at));
    assert!(lines.values().eq(&expected), "{lines:?} {expected:?}");
}

#[test]
fn a_dead_entity_has_none_and_copies_keep_theirs() {
    let mut game = Game::new();
    let first = line!() + 1;
    let one = game.spawn(Spark(1));
    let (before, mut copy) = (game.snapshot(), game.clone());
    game.despawn(one).unwrap();
    let two = game.spawn(Spark(2));
    assert_eq!((two.slot(), line(&game, one)), (one.slot(), None));
    assert_eq!((line(&game, two), line(&copy, one)), (recorded(first + 3), recorded(first)));
    copy.despawn(one).unwrap();
    game.restore(&before);
    assert_eq!((line(&game, one), line(&game, two)), (recorded(first), None));
}
