//! Entries with signs and words that belong elsewhere: each is one error, and the entry is listed.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Mana(f32);
#[derive(Resource, Default)]
struct Score(u32);
#[derive(Event)]
struct Hit(u32);
#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        components { &Position, speed = Velocity, Mana(tracked) }
        resources { Score(Score::default()), State<Phase>(extern) = State::new(Phase::Menu) }
        events { Hit = external }
    }
    schedule tick { transition::<Phase>; movement, hit, play }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, mana: &Mana) {
    position.0 += velocity.0 * mana.0;
}

#[system(Game)]
fn hit(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    score.0 += hits.iter().map(|hit| hit.0).sum::<u32>();
}

#[system(Game)]
fn play(mut phase: ResMut<State<Phase>>) {
    let _ = phase.set(Phase::Play);
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0), Mana(1.0)));
    game.tick();
}
