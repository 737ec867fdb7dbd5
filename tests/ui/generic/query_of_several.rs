//! A query of several components in generic code, with a bound for each component only.
use ecs::prelude::*;
use ecs::{Has, HasMut};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn movement<W: World + HasMut<Position> + Has<Velocity>>(world: &mut W) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

fn main() {}
