//! Several mistakes of one kind (save) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
#[component(alias = Place)]
struct Position(f32);
#[derive(Resource)]
#[resource(skip, alias = "Screen")]
struct Window;

world! {
    #[derive(Clone, serde::Serialize)]
    struct Game {}
}

fn main() {}
