//! `changed_since` and `added_since` of a component that is not tracked.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);

world! {
    struct Game {
        components { Position, Health }
    }
}

fn main() {
    let mut game = Game::new();
    let then = game.advance_tick();
    game.changed_since::<Health>(then).count();
    game.changed_since::<Position>(then).count();
    game.added_since::<Position>(then).count();
}
