//! A tuple of more than twelve components.
use ecs::prelude::*;

#[derive(Component)]
struct A;
#[derive(Component)]
struct B;
#[derive(Component)]
struct C;
#[derive(Component)]
struct D;
#[derive(Component)]
struct E;
#[derive(Component)]
struct F;
#[derive(Component)]
struct G;
#[derive(Component)]
struct H;
#[derive(Component)]
struct I;
#[derive(Component)]
struct J;
#[derive(Component)]
struct K;
#[derive(Component)]
struct L;
#[derive(Component)]
struct M;

world! {
    struct Game {
        components { A, B, C, D, E, F, G, H, I, J, K, L, M }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((A, B, C, D, E, F, G, H, I, J, K, L, M));
}
