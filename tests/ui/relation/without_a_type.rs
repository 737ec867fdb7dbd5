//! Verbs of relations without the type of the relation: one error each, whose note has the form.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Likes(Entity);

world! {
    struct Game { components { Position, Likes, ChildOf } }
}

fn main() {
    let mut game = Game::new();
    let parent = game.spawn(Position(0.0));
    for child in game.sources(parent) {
        println!("{child}");
    }
    println!("{:?}", game.target(parent));
    println!("{:?}", game.related().roots().count());
    // a component that is no relation
    println!("{}", game.sources::<Likes>(parent).len());
}
