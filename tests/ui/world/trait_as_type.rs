//! `World` is the trait of all worlds. A file that takes it for a type gets the name of its world.

use ecs::prelude::*;

#[derive(Component)]
struct Ship;

world! {
    struct Game { components { Ship } }
    schedule tick { sail }
}

#[system(Game)]
fn sail(_: &Ship) {}

struct Window {
    world: World,
}

fn setup(world: &mut World) -> Entity {
    world.spawn(Ship)
}

fn main() {
    let mut window = Window { world: World::new() };
    setup(&mut window.world);
    window.world.tick();
}
