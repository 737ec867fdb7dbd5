//! A struct of components without a derive in aspects, and its uses.
use ecs::Aspect;
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health(u32);
#[derive(Component, Default)]
struct Speed(u32);
#[derive(Component)]
struct Title(String);

#[derive(Default)]
struct Body {
    health: Health,
    speed: Speed,
}
#[derive(Aspect)]
struct Monster {
    #[aspect(.health.0 = 9)]
    body: Body,
    #[aspect(default = Title("rat".into()))]
    title: Title,
}
#[derive(Aspect)]
struct Plain {
    body: Body,
}

world! {
    struct Game { components { Health, Speed, Title } }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    let wolf = game.spawn(Monster::fresh_with(|monster| monster.body.speed.0 = 7));
    game.spawn(Plain::fresh());
    assert!(game.has_aspect::<Body>(wolf));
    let body = game.remove_aspect::<Body>(wolf)?;
    game.add_aspect(wolf, Body { speed: Speed(1), ..body })?;
    Ok(())
}
