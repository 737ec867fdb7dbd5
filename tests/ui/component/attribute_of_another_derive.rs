//! An attribute without options that belongs to another derive.
use ecs::prelude::*;

#[derive(Component)]
#[event]
struct Mana(i32);

#[derive(Resource, Default)]
#[component]
struct Score(u32);

#[derive(Event)]
#[resource]
struct Hit;

#[derive(Component)]
#[component(index)]
struct Place(f32);

world! {
    struct Game {
        components { Mana, Place }
        resources { Score = Score::default() }
        events { Hit(external) }
    }
    schedule tick { spend }
}

#[system(Game)]
fn spend(mana: &mut Mana, mut score: ResMut<Score>) {
    mana.0 -= 1;
    score.0 += 1;
}

fn main() {
    Game::new().tick();
}
