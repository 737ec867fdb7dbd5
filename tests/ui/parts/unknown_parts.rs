//! Parts that do not exist or are private: the world is kept.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

mod weather {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Wind(f32);

    parts! { breeze { components { Wind } } }
}

parts! { gravity { components { Position } } }

world! {
    struct Game {
        include gravity;
        include gravitiy;
        include motion;
        include weather::breeze;
    }
    schedule tick { fall }
}

#[system(Game)]
fn fall(position: &mut Position) {
    position.0 -= 1.0;
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(0.0));
    game.tick();
}
