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
fn plan(mut both: ParamSet<(Query<&Position>, Query<Entity>)>) {
    println!("{}", both.p0().len());
}

fn main() {}
