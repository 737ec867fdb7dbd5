//! Bundles: components that are spawned together, as tuples, as structs, and by required
//! components.

use ecs::prelude::*;

#[derive(Component, Debug, Clone)]
struct Position([i32; 2]);

/// An entity that gets a sprite also gets a position and a layer with default values, unless it has
/// them.
#[derive(Component, Debug, Clone)]
#[component(requires(Layer))]
struct Sprite(char);

#[derive(Component, Debug, Default)]
struct Layer(u8);

#[derive(Component, Debug, Clone)]
struct Health(u32);

#[derive(Bundle, Clone)]
struct Monster {
    sprite: Sprite,
    health: Health,
}

world! {
    struct Game {
        components { Position, Sprite, Layer, Health }
    }
}

fn main() {
    let mut game = Game::new();
    let rat = Monster { sprite: Sprite('r'), health: Health(3) };

    let first = game.spawn((rat.clone(), Position([1, 2])));
    println!("one rat: {:?}", game.entity(first));
    let (position, layer) = (game.try_get::<Position>(first), game.try_get::<Layer>(first));
    println!("  at {:?}, drawn on {:?}", position.map(|position| position.0), layer.map(|layer| layer.0));

    let many: Vec<Entity> = game.spawn_batch((0..3).map(|x| (rat.clone(), Position([x, 0])))).collect();
    println!("more rats: {many:?}");

    let replaced = game.insert(first, (Health(9), Layer(2)));
    println!("what the new values replaced: {replaced:?}");
    let removed = game.try_remove::<Monster>(first);
    println!(
        "all of the bundle or nothing: {:?}",
        removed.map(|monster| (monster.sprite.0, monster.health.0))
    );
    if let Err(error) = game.try_remove::<Monster>(first) {
        println!("again: {error}");
    }
    println!("{}", game.stats());
}
