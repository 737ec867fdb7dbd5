//! Bundles of several components in generic code, with a bound for each component only.
use ecs::prelude::*;
use ecs::Has;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Bundle)]
struct Body {
    velocity: Velocity,
    position: Position,
}

fn ball<W: World + Has<Position> + Has<Velocity>>(world: &mut W) -> Entity {
    world.spawn((Position(0.0), Velocity(1.0)))
}

fn body<W: World + Has<Position> + Has<Velocity>>(world: &mut W, entity: Entity) {
    let _ = world.insert(entity, Body { position: Position(0.0), velocity: Velocity(1.0) });
}

fn main() {}
