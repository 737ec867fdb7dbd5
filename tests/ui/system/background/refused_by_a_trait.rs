//! Several mistakes of one kind (system, background) in one program: traits refuse them.
use ecs::prelude::*;
use std::rc::Rc;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Component)]
struct WorldNotClone(f32);
#[derive(Resource, Clone, Default)]
#[resource(main_thread)]
struct Window(Rc<String>);

world! {
    #[derive(Clone)]
    struct Game { components { Position } }
    schedule tick { plan }
}

world! {
    struct WorldNotCloneGame { components { WorldNotClone } }
    schedule tick { world_not_clone }
}

world! {
    #[derive(Clone)]
    struct WorldWithAMainThreadResourceGame {
        components { Position }
        resources { Window }
    }
    schedule tick { world_with_a_main_thread_resource }
}

#[system(Game)]
fn plan(positions: Query<&Position>) {
    let _ = positions.len();
}

fn not_in_the_background() {
    Game::new().cancel_background::<plan>();
}

#[system(WorldNotCloneGame, background(ticks = 3))]
fn world_not_clone(positions: Query<&WorldNotClone>, mut commands: ParCommands<WorldNotCloneGame>) {
    commands.spawn(WorldNotClone(positions.len() as f32));
}

#[system(WorldWithAMainThreadResourceGame, background(ticks = 3))]
fn world_with_a_main_thread_resource(positions: Query<&Position>, mut commands: ParCommands<WorldWithAMainThreadResourceGame>) {
    commands.spawn(Position(positions.len() as f32));
}

fn main() {}
