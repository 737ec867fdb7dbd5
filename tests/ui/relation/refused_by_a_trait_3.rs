//! Several mistakes of one kind (relation) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::ChildOf;

#[derive(Component)]
struct Position;
#[derive(Relation)]
#[relation(exclusive)]
struct Guards(Entity);

world! {
    struct Game { components { Position } }
}

fn not_in_the_world() {
    let mut game = Game::new();
    let entity = game.spawn(());
    let _ = game.sources::<ChildOf>(entity);
}

// `relate` with a relation that the world, which has one component, does not list.
fn relate_in_a_world_of_one_component() {
    let mut game = Game::new();
    let gate = game.spawn(Position);
    let _ = game.relate(gate, Guards(gate));
}

fn main() {}
