//! Commands, which read which components entities have, beside a storage that changes it.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Frozen } }
    schedule tick { freeze }
}

#[system(Game)]
fn freeze(mut frozen: Storage<Frozen>, mut commands: Commands<Game>) {
    let entity = commands.spawn(Position(0.0));
    let _ = frozen.remove(entity);
}

fn main() {}
