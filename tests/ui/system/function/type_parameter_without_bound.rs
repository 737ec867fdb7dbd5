//! A type parameter without bounds, which may be a borrow.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
}

#[system(Game)]
fn count<T>(query: Query<&T>) -> usize {
    query.len()
}

#[system]
fn show<R, E>(resource: Res<R>, events: EventReader<E>) {}

#[system(W)]
fn keep<W: World, T>(kept: Local<T>, commands: Commands<W>) {}

fn main() {}
