//! Several mistakes of one kind (system, unknown) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Component)]
struct Position(f32);
type Time<'w> = Res<'w, Clock>;

world! {
    struct Game { components { Position } }
    schedule tick { advance, movement, show }
}

// A resource that the world does not have.
#[system(Game)]
fn advance(mut clock: ResMut<Clock>) {
    clock.0 += 0.125;
}

// A resource that the world does not have, beside a per-entity parameter.
#[system(Game)]
fn movement(position: &mut Position, clock: Res<Clock>) {
    position.0 += clock.0;
}

// An alias of a resource parameter that the world does not have.
#[system(Game)]
fn show(clock: Time<'_>) {
    println!("{}", clock.0);
}

fn main() {}
