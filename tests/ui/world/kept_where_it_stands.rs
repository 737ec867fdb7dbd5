//! A schedule within the braces of the struct, and parts within a section: each is one error, and the world has both.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    parts! {
        pub physics { components { Mass } }
    }
}

world! {
    struct Game {
        components { Position, include physics::physics }
        schedule tick { weigh }
    }
}

#[system(Game)]
fn weigh(mass: &mut physics::Mass, _: &Position) {
    mass.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), physics::Mass(1.0)));
    game.tick();
}
