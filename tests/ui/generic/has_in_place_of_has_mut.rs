//! Generic code that changes a component with the bound `Has` in place of `HasMut`.
use ecs::prelude::*;
use ecs::Has;

#[derive(Component)]
struct Position(f32);

fn in_a_query<W: World + Has<Position>>(world: &mut W) {
    world.query_mut::<&mut Position>();
}

fn of_one<W: World + Has<Position>>(world: &mut W, entity: Entity) {
    world.get_mut::<Position>(entity);
}

fn main() {}
