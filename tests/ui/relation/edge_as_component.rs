//! A relation with many targets that is listed itself, not as `Many`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(many)]
pub struct Likes(Entity);

world! {
    struct Game {
        components { Position, likes: Many<Likes> }
    }
}

#[system(Game)]
pub fn watch(likes: &Likes) {}

fn main() {
    let game = Game::new();
    game.query::<(&Position, &Likes)>();
}
