//! Code that is generic over its world and asks for `Mut` with `Has` alone.
use ecs::prelude::*;
use ecs::Has;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Health, Frozen }
    }
}

fn heal<W: Has<Health>>(world: &mut W) {
    for mut health in world.query_mut::<Mut<Health>>() {
        health.0 += 1;
    }
}

fn main() {
    heal(&mut Game::new());
}
