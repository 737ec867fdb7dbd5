//! Several mistakes of one kind (derive query) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    name: String,
}
#[derive(Component)]
struct Mana(u32);
#[derive(Query)]
struct Wizard<'a> {
    position: &'a mut Position,
    mana: &'a Mana,
}

world! {
    struct Game { components { Position } }
    schedule tick { cast }
}

// A query struct for a component that the world does not have, in a system.
#[system(Game)]
fn cast(wizard: Each<Wizard>) {
    let Each(wizard) = wizard;
    wizard.position.0 += wizard.mana.0 as f32;
}

fn main() {}
