//! An app, a plugin and a builder of entities.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

struct Physics;

impl Plugin for Physics {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, movement).init_resource::<u32>();
    }
}

fn main() {
    let mut game = Game::new();
    let mut builder = EntityBuilder::new();
    builder.add(Position(1.0));
    game.spawn(builder.build());
    App::new().add_plugins(Physics).run();
}
