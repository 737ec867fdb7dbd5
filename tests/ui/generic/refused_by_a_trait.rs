//! Several mistakes of one kind (generic) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Bundle)]
struct Body {
    velocity: Velocity,
    position: Position,
}

// Bundles of several components in generic code, with a bound for each component only.
fn ball<W: World + Has<Position> + Has<Velocity>>(world: &mut W) -> Entity {
    world.spawn((Position(0.0), Velocity(1.0)))
}

fn body<W: World + Has<Position> + Has<Velocity>>(world: &mut W, entity: Entity) {
    let _ = world.insert(entity, Body { position: Position(0.0), velocity: Velocity(1.0) });
}

// Generic code that changes a component with the bound `Has` in place of `HasMut`.
fn in_a_query<W: World + Has<Position>>(world: &mut W) {
    world.query_mut::<&mut Position>();
}

fn of_one<W: World + Has<Position>>(world: &mut W, entity: Entity) {
    world.get_mut::<Position>(entity);
}

// A query of several components in generic code, with a bound for each component only.
fn movement<W: World + HasMut<Position> + Has<Velocity>>(world: &mut W) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

// Generic code that uses components without bounds.
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
