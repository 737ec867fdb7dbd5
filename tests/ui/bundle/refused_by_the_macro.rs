//! Several mistakes of one kind (bundle) in one program: the macros report them.
use ecs::prelude::*;
use ecs::{MetaAspect, SystemParam};

#[derive(Component)]
struct Position(f32);
#[derive(Bundle)]
struct Body {
    position: Position,
    #[bundle(ignore)]
    seed: u32,
}
#[derive(Query)]
struct Row<'a> {
    #[query(skip)]
    position: &'a Position,
}
#[derive(SystemParam)]
struct Parameters<'w> {
    #[system_param(optional)]
    positions: Query<'w, &'static Position>,
}
#[derive(MetaAspect)]
enum Thing {
    #[one_of]
    Body(Position),
}
#[derive(Bundle)]
struct Nobody;
#[derive(Component)]
struct Health(u32);
#[derive(Bundle)]
enum Monster {
    Rat(Health),
}
#[derive(Bundle)]
struct Line {
    from: Position,
    to: Position,
}

world! {
    struct Game { components { Position } }
}

// Options of fields and variants that have none.
fn attribute_of_a_field() {
    Game::new().spawn(Body { position: Position(0.0), seed: 1 });
}

fn main() {}
