//! Entries as other languages write them: each is one error, and the world has them all.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Health(f32);
#[derive(Component)]
struct Mana(f32);
#[derive(Component)]
struct Armor(f32);
#[derive(Component)]
struct Name(f32);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Resource, Default)]
struct Score(f32);
#[derive(Resource, Default)]
struct Level(f32);

world! {
    struct Game {
        components { Position as place, Velocity: velocity, Health?, "Mana", (Armor, Name) }
        resources { mut Clock, #[tracked] Score, Level => Level(1.0) }
    }
    schedule tick { movement }
}

world! {
    struct Nested { components { { Position } } }
}

#[system(Game)]
fn movement(_a: &Position, _b: &Velocity, _c: &Health, _d: &Mana, _e: &Armor, _f: &Name, _g: Res<Clock>, _h: Res<Score>) {}

fn main() {
    Game::default().tick();
}
