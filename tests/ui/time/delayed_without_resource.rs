use std::time::Duration;

use ecs::prelude::*;
use ecs::time::{Clock, DespawnEntity};

#[derive(Component)]
struct Bomb;

world! {
    struct Game {
        components { Bomb }
        resources { Clock = Clock::new() }
    }
    schedule frame { light }
}

#[system(Game)]
fn light(entity: Entity, _: &Bomb, mut commands: Commands<Game>) {
    commands.after(Duration::from_secs(2), DespawnEntity(entity));
}

fn main() {}
