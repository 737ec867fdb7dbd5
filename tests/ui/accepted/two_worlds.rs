//! Two worlds that share components, one of them in a function.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

pub fn main() {
    world! {
        struct Menu {
            components { Position }
        }
        schedule show {
            scroll;
        }
    }

    #[system(Menu)]
    fn scroll(position: &mut Position) {
        position.0 += 1.0;
    }

    Game::new().run::<movement>();
    Menu::new().show();
}
