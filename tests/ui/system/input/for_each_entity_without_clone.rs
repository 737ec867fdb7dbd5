//! A system that runs once for each entity, with an input that is not `Clone`.

use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

struct Potion(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(Potion(3)) }
}

#[system(Game)]
fn heal(potion: In<Potion>, health: &mut Health) {
    health.0 += potion.0.0;
}

fn main() {}
