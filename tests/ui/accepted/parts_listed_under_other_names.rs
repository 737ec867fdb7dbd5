//! A world that lists the types of parts itself, under other names, and includes a schedule of the parts alone.
#![deny(warnings)]
use ecs::prelude::*;

type Place = parts_library::Position;
type Speed = parts_library::Velocity;
type Still = parts_library::Resting;
type Time = parts_library::Clock;
type Turns = parts_library::Bounces;
type Hit = parts_library::Bumped;

world! {
    struct Game {
        components { Place, Speed, Still }
        resources { time: Time = Time::of(1.0), turns: Turns = parts_library::Bounces(0) }
        events { Hit }
    }
    schedule tick { include parts_library::step; count }
}

#[system(Game)]
fn count(hits: EventReader<Hit>) {
    let _ = hits.len();
}

pub fn main() {
    let mut game = Game::new();
    let ball = game.spawn((parts_library::Position(0.0), parts_library::Velocity(11.0)));
    game.tick();
    assert_eq!(game.get::<Place>(ball).unwrap().0, 11.0);
    assert_eq!(game.resource::<Turns>().0, 1);
}
