//! An aspect, a bundle and a reference in the place of a component.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Position(f32);
#[derive(Aspect)]
struct Mob {
    position: Position,
}
#[derive(Bundle)]
struct Body {
    position: Position,
}

world! {
    struct Game { components { Position } }
    schedule tick { aspects, bundles, in_a_query, in_a_filter }
}

#[system(Game)]
pub fn aspects(mob: &Mob) {}

#[system(Game)]
pub fn bundles(body: &mut Body) {}

#[system(Game)]
pub fn in_a_query(mobs: Query<&Mob>) {}

#[system(Game)]
pub fn in_a_filter(position: &Position, _: With<Body>) {}

fn main() {}
