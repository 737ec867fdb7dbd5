use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
struct Map(Vec<f32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { Map }
    }
    schedule tick { plan }
}

#[system(Game, background(ticks = 3))]
fn plan(player: Single<&Position>) {
    println!("{}", player.0);
}

fn main() {}
