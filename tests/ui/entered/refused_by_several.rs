//! Several mistakes of one kind (entered) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
struct Mana;

world! {
    struct Game { components { Position, Frozen } }
    schedule tick { watch, by_reference, refused_by_a_trait, unknown_component }
}

// A filter, beside what adds and removes the component that it looks at.
#[system(Game)]
fn watch(entered: Entered<With<Frozen>>, mut frozen: Storage<Frozen>) {
    for entity in entered {
        frozen.remove(entity);
    }
}

// `Entered` by reference.
#[system(Game)]
fn by_reference(entered: &Entered<With<Frozen>>) {
    let _ = entered;
}

// A component where `Entered` takes a filter.
#[system(Game)]
fn refused_by_a_trait(entered: Entered<Frozen>) {
    let _ = entered;
}

// A filter of a component that the world lacks.
#[system(Game)]
fn unknown_component(exited: Exited<(With<Position>, Without<Mana>)>) {
    let _ = exited;
}

fn main() {}
