//! A query for a tuple of more than twelve elements.
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
    let game = Game::new();
    println!("{}", game.query::<(&A, &B, &C, &D, &E, &F, &G, &H, &I, &J, &K, &L, &M)>().len());
}
