//! An alias of a query that names a component which the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);
type Wizards<'w> = Query<'w, (&'static mut Position, &'static Mana)>;

world! {
    struct Game { components { Position } }
    schedule tick { regenerate }
}

#[system(Game)]
fn regenerate(mut wizards: Wizards<'_>) {
    wizards.for_each(|(position, mana)| position.0 += mana.0 as f32);
}

fn main() {}
