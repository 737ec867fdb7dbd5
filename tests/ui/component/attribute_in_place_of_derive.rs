//! An attribute in place of a derive: the uses of the type cause no second error.
use ecs::prelude::*;

#[component]
struct Position(f32);
#[resource]
struct Score(u32);
#[event]
struct Hit(u32);

world! {
    struct Game {
        components { Position }
        resources { Score = Score(0) }
        events { Hit }
    }
    schedule tick { step; count }
}

#[system(Game)]
fn step(position: &mut Position, mut hits: EventWriter<Hit>) {
    position.0 += 1.0;
    hits.send(Hit(1));
}

#[system(Game)]
fn count(mut score: ResMut<Score>, mut hits: EventReader<Hit>) {
    score.0 += hits.iter().map(|hit| hit.0).sum::<u32>();
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(0.0));
    game.tick();
}
