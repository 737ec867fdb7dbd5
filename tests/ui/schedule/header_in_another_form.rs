//! Other words before a schedule and behind its name: each is one error, and the method exists.
use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::FixedTime;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
        resources { FixedTime = FixedTime::new(Duration::from_millis(10)) }
    }
    async schedule one { movement }
    schedule two parallel { movement }
    schedule three: movement;
    schedule update parallel { movement }
    system five { movement }
    schedule six every FixedTime -> Result { movement }
    #[parallel]
    schedule seven { movement }
    struct Other { components { Position } }
    schedule eight { schedule inner { movement } movement }
}

#[system]
fn movement(position: &mut Position) {}

fn main() {
    let mut game = Game::new();
    game.one();
    game.two();
    game.three();
    game.update();
    game.five();
    game.six().ok();
    game.seven();
    game.eight();
}
