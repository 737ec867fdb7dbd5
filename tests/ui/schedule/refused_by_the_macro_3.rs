//! Several mistakes of one kind (schedule) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Health, Position, Velocity } }
    schedule tick { () if playing; movement }
    schedule refused_by_the_macro_3_tick { (movement, refused_by_the_macro_3(3)); }
    schedule one { steer -> signs_between_systems }
    schedule two { steer || signs_between_systems }
    schedule three { parallel { steer, signs_between_systems } }
}

world! {
    struct InsideItselfGame { components { Position } }
    schedule tick { inside_itself, rest }
    schedule rest { tick }
}

// A condition for no systems.
#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn movement(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn playing() -> bool {
    true
}

// Schedules that run each other.
#[system(InsideItselfGame)]
fn inside_itself(position: &mut Position) {
    position.0 += 1.0;
}

// Systems in parentheses, without a condition behind them.
#[system(Game)]
fn refused_by_the_macro_3(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

// Other signs between systems than `,` and `;`.
#[system(Game)]
fn signs_between_systems(position: &mut Position) {}

#[system(Game)]
fn steer(velocity: &mut Velocity) {}

#[system(Game)]
fn paused(positions: Query<&Position>) -> bool {
    positions.is_empty()
}

#[system(Game)]
fn lost(velocities: Query<&Velocity>) -> bool {
    velocities.is_empty()
}

fn main() {}
