//! Options of fields and variants that have none.
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

world! {
    struct Game { components { Position } }
}

fn main() {
    Game::new().spawn(Body { position: Position(0.0), seed: 1 });
}
