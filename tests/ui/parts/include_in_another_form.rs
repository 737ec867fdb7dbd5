//! Parts in quotes or braces, several in one `include`, a schedule behind the name of its parts, and a condition within the braces: each
//! is one error, and the world has what is included.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Health(f32);

parts! {
    struct bodies {
        components { Position }
        schedule fall { gravity }
    }
}
parts! {
    moving { components { Velocity } }
}
parts! {
    living { components { Health } }
    more { components { Health } }
}

world! {
    struct Game { include "bodies"; include {moving}; }
    schedule tick { include bodies::fall, include fall { if playing } }
}
world! {
    struct Other { include bodies, moving; }
    schedule tick { movement }
}

#[system]
fn gravity(position: &mut Position) {}
#[system]
fn movement(position: &mut Position, velocity: &Velocity) {}
#[system]
fn playing() -> bool {
    true
}

fn main() {
    Game::new().tick();
    Other::new().tick();
}
