use ecs::prelude::*;

#[derive(Component)]
struct Camera(f32);

world! {
    struct Game { components { Camera } }
}

fn main() {
    let game = Game::new();
    let _ = game.unique::<Camera>();
}
