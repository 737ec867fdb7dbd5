//! A `Query` of the user that shadows the library's. The macro reads the access from the tokens, so the types must agree.
use ecs::prelude::{Component, World, system, world};

trait Flip {
    type Out: ecs::query::Data;
}

impl<'a> Flip for &'a Position {
    type Out = &'a mut Position;
}

type Query<'w, D> = ecs::Query<'w, <D as Flip>::Out>;
#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut positions: Query<&Position>) {
    for position in &mut positions {
        position.0 += 1.0;
    }
}

fn main() {
    Game::new().spawn(Position(0.0));
}
