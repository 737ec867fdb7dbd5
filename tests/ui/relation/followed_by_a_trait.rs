//! Outside systems: data that writes to the target, and a relation with many targets.
use ecs::prelude::*;
use ecs::{Many, Target};

#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(exclusive)]
struct Follows(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { Position, Follows, ChildOf, owes: Many<Owes> } }
}

fn main() {
    let mut game = Game::new();
    for leader in game.query_mut::<Target<Follows, &mut Position>>() {
        leader.0 += 1.0;
    }
    for creditor in &game.query::<Target<Owes, &Position>>() {
        println!("{}", creditor.0);
    }
}
