//! The id of an entity that parallel commands spawn.
use ecs::prelude::*;

#[derive(Component)]
struct Fuel(f32);

world! {
    struct Forest {
        components { Fuel }
    }
    schedule tick { burn }
}

#[system(Forest, par)]
fn burn(fuel: &mut Fuel, mut commands: ParCommands<Forest>) {
    let spark = commands.spawn(Fuel(fuel.0));
    commands.insert(spark, Fuel(2.0));
}

fn main() {
    Forest::new().tick();
}
