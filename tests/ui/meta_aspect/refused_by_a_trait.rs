//! Several mistakes of one kind (meta aspect) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Named(String),
}
#[derive(Component, Default)]
struct Speed(u32);
#[derive(MetaAspect)]
enum WorldLacksAComponent {
    Strong(Health),
    Fast(Speed),
}

world! {
    struct Game { components { Health } }
}

// `take` of a component that is no meta-aspect.
fn take_a_component() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let _ = game.take_one_of::<Health>(rat);
}

// `take` of a meta-aspect with a component that the world does not list.
fn world_lacks_a_component() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let _ = game.take_one_of::<WorldLacksAComponent>(rat);
}

fn main() {}
