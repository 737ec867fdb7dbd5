//! Generic code that uses components without bounds.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn change<W: World>(world: &mut W, entity: Entity) {
    world.get_mut::<Position>(entity);
}

fn read<W: World, T: Component>(world: &W, entity: Entity) -> bool {
    world.has::<T>(entity)
}

fn make<W: World>(world: &mut W) {
    world.spawn((Position(0.0), Velocity(1.0)));
}

fn main() {}
