//! Paths of parts whose module or last name is misspelt: the world is kept.
use ecs::prelude::*;

mod weather {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Wind(pub f32);

    parts! {
        pub breeze {
            components { Wind }
            schedule blow { weaken }
        }
    }

    #[system]
    pub fn weaken(wind: &mut Wind) {
        wind.0 *= 0.5;
    }
}

world! {
    struct Game {
        include wether::breeze;
        include weather::breze;
        include physics::bodies;
    }
    schedule tick { include weather::blowing; fade }
}

#[system(Game)]
fn fade(wind: &mut weather::Wind) {
    wind.0 -= 1.0;
}

fn main() {
    let mut game = Game::new();
    game.spawn(weather::Wind(2.0));
    game.tick();
}
