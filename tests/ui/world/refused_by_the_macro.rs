//! Several mistakes of one kind (world) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Kind(u32);
struct Bumped(u32);
struct Clock(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components {
            Position(packed), type: Kind, at: (f32, f32), velocity: &'static Velocity, name: [u8; 8]
        }
        events { Bumped(external) }
        resources { clock: Clock, seed: [u64; 4] = [0; 4] }
    }
}

fn main() {}
