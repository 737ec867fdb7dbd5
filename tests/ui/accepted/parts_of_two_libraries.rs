//! Two libraries of which one needs the other, and a world whose names are close to theirs.
#![deny(warnings)]
use ecs::prelude::*;

#[derive(Component)]
struct Position([i32; 2]);
#[derive(Resource)]
struct Clock;

world! {
    struct Game {
        include parts_library::physics { position as place, clock as physics_clock };
        include parts_library::fire::fire;
        include parts_library::fire::wildfire { clock as spreading };
        components { Position }
        resources { clock: Clock = Clock }
    }
    schedule tick {
        put, include parts_library::step, include parts_library::fire::spread;
        hear
    }
    schedule burn -> Result { include parts_library::fire::burn }
}

#[system(Game)]
fn put(position: &Position, place: &mut parts_library::Position, clock: Res<Clock>) {
    let Clock = *clock;
    place.0 = position.0[0] as f32;
}

#[system(Game)]
fn hear(bumped: EventReader<parts_library::Bumped>) {
    let _ = bumped.len();
}

pub fn main() {
    let mut game = Game::new(parts_library::Bounces(0));
    let ball = game.spawn((Position([3, 4]), parts_library::Position(0.0)));
    game.tick();
    assert!(game.burn().is_ok());
    assert_eq!(game.get::<parts_library::Position>(ball), Some(&parts_library::Position(3.0)));
}
