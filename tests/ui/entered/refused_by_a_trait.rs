//! Several mistakes of one kind (entered) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
struct Mana;

world! {
    struct Game { components { Position, Frozen } }
    schedule tick { watch, unknown_component }
}

// A component where `Entered` takes a filter.
#[system(Game)]
fn watch(entered: Entered<Frozen>) {
    let _ = entered;
}

// A filter of a component that the world lacks.
#[system(Game)]
fn unknown_component(exited: Exited<(With<Position>, Without<Mana>)>) {
    let _ = exited;
}

fn main() {}
