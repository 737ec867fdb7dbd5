//! Derives of bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(QueryData)]
#[query_data(mutable)]
struct Body {
    position: &'static mut Position,
}

#[derive(SystemParam)]
struct Bodies<'w> {
    bodies: Query<'w, &'static Position>,
}

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement, count;
    }
}

#[system(Game)]
fn movement(mut bodies: Query<Body>) {
    for body in &mut bodies {
        body.position.0 += 1.0;
    }
}

#[system(Game)]
fn count(bodies: Bodies) {
    let _ = bodies.bodies.len();
}

fn main() {}
