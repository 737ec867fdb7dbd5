//! Paths of parts whose module or last name is misspelt: the world is kept.
use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    parts! {
        pub physics {
            components { Mass }
            schedule rest { fall }
        }
    }

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }
}

world! {
    struct Game {
        include phisics::physics;
        include physics::physic;
        include weather::breeze;
    }
    schedule tick { include physics::resst; warm }
}

#[system(Game)]
fn warm(mass: &mut physics::Mass) {
    mass.0 += 0.5;
}

fn main() {
    let mut game = Game::new();
    game.spawn(physics::Mass(2.0));
    game.tick();
}
