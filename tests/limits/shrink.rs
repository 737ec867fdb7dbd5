//! A world that gives memory back after a peak: all of it, as the allocator counts it.

use ecs::component::Name;
use ecs::prelude::*;

use super::counting::now;

#[derive(Component)]
struct Position([f32; 3]);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
#[component(storage = "packed")]
struct Rare([u64; 4]);
#[derive(Component, Clone)]
#[component(removed)]
struct Lost(u32);
#[derive(Component)]
struct Tag;

world! {
    struct Game { components { Position, Health, Rare, Lost, Tag, Name, ChildOf } }
    schedule tick { read }
}

#[system(Game)]
fn read(mut lost: Removed<Lost>) {
    lost.iter().for_each(|(_, lost)| assert!(lost.0 < 200_000));
}

#[test]
fn the_memory_of_a_peak_is_given_back() {
    let mut game = Game::new();
    let root = game.spawn((Position([1.0; 3]), Health(1), Rare([1; 4]), Lost(1), Tag, Name::new("root")));
    game.tick();
    let small = now();
    const COUNT: u32 = 200_000;
    let many = game.spawn_batch((0..COUNT).map(|n| (Position([n as f32; 3]), Health(n), Tag, Lost(n))));
    let many: Vec<Entity> = many.collect();
    for (n, &entity) in many.iter().enumerate() {
        game.insert(entity, (Name::new(format!("{n}")), ChildOf(root))).unwrap();
        if n % 3 == 0 {
            game.insert(entity, Rare([n as u64; 4])).unwrap();
        }
    }
    let peak = now() - small;
    game.retain::<(Entity, &Position)>(|(entity, _)| entity == root);
    game.tick();
    let before = now() - small;
    game.shrink_to_fit();
    drop(many);
    let after = now() - small;
    // the generations, the bits of alive slots and the blocks stay
    let lists = COUNT as isize * 5;
    assert!(before * 4 > peak, "without a call the memory is kept: {before} of {peak} bytes");
    assert!(after < lists + 200_000, "{after} of {peak} bytes are left, {lists} of them for the ids");
    assert_eq!(game.get::<Position>(root).map(|position| position.0[0]), Some(1.0));
    assert_eq!((game.get::<Health>(root).unwrap().0, game.get::<Rare>(root).unwrap().0), (1, [1; 4]));
    assert_eq!(
        (game.find_one::<Name>("root"), game.find_one::<Name>("7"), game.sources::<ChildOf>(root).len()),
        (Some(root), None, 0)
    );
}

#[test]
fn a_world_that_is_full_keeps_its_memory_and_its_spare_pages_go() {
    let mut game = Game::new();
    game.reserve::<(Position, Health)>(500_000);
    game.spawn_batch((0..100_000).map(|n| (Position([n as f32; 3]), Health(n))));
    let before = now();
    game.shrink_to_fit();
    let reserved = before - now();
    assert!(reserved > 400_000 * 12, "{reserved} bytes of the reserved pages");
    let before = now();
    game.shrink_to_fit();
    assert_eq!(now(), before, "there is nothing to free");
    assert!(
        game.query::<(&Position, &Health)>()
            .iter()
            .all(|(position, health)| position.0[1] == health.0 as f32)
    );
}
