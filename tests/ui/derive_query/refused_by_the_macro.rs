//! Several mistakes of one kind (derive query) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Query)]
struct Nothing {}
#[derive(Component)]
struct Position(f32);
#[derive(Query)]
enum Mover<'a> {
    Walks(&'a mut Position),
}

fn main() {}
