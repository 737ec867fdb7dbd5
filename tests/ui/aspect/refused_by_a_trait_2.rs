//! Several mistakes of one kind (aspect) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Aspect)]
struct Monster {
    health: Health,
    name: String,
}
#[derive(Aspect)]
struct FieldWithDefaultIsNoComponent {
    health: Health,
    #[aspect(default = String::from("rat"))]
    name: String,
}
#[derive(Component, Default)]
struct Speed(u32);
#[derive(Aspect)]
struct WorldLacksAComponent {
    health: Health,
    speed: Speed,
}

world! {
    struct Game { components { Health } }
}

// Spawning an aspect with a component that the world does not have.
fn world_lacks_a_component() {
    Game::new().spawn(WorldLacksAComponent::fresh());
}

fn main() {}
