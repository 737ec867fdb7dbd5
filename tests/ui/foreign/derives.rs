//! A derive of bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(QueryData)]
#[query_data(mutable)]
struct Body {
    position: &'static mut Position,
}

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement;
    }
}

#[system(Game)]
fn movement(mut bodies: Query<Body>) {
    for body in &mut bodies {
        body.position.0 += 1.0;
    }
}

fn main() {}
