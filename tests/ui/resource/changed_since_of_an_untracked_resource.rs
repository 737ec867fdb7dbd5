//! `resource_changed_since` of a resource that is not tracked.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Score(u32);

world! {
    struct Game {
        resources { Score }
    }
}

fn main() {
    let mut game = Game::default();
    let sent = game.advance_tick();
    game.resource_mut::<Score>().0 += 1;
    println!("{}", game.resource_changed_since::<Score>(sent));
}
