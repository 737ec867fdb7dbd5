//! Systems and conditions of the user with the names of systems of the library.
use ecs::{Component, World as _, system, world};

#[derive(Component)]
struct Health(u32);

world! {
    struct Game {
        components { Health }
    }
    schedule tick { transition; despawn_on_exit; apply_due if in_state; sub_transition if entered, exited }
}

#[system(Game)]
fn transition(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn sub_transition(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn despawn_on_exit(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn apply_due(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn exited(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn in_state() -> bool {
    true
}

#[system(Game)]
fn entered() -> bool {
    true
}

pub fn main() {
    let mut game = Game::new();
    game.spawn(Health(0));
    game.tick();
}
