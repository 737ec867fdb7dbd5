//! rustc warns about unused systems as about unused functions, once for each.
#![deny(dead_code)]
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock(1.0) }
    }
    schedule tick {
        movement if !paused;
    }
}

#[system(Game)]
fn movement(position: &mut Position, clock: Res<Clock>) {
    position.0 += clock.0;
}

#[system(Game)]
fn paused(clock: Res<Clock>) -> bool {
    clock.0 == 0.0
}

#[system(Game)]
fn forgotten(position: &mut Position) {
    position.0 = 0.0;
}

#[system(Game)]
fn forgotten_with_checks(mut positions: Query<&mut Position>, clock: Res<Clock>, mut commands: Commands<Game>) {
    positions.for_each(|position| position.0 = clock.0);
    commands.spawn(Position(0.0));
}

#[system]
fn forgotten_of_any_world(position: &mut Position) {
    position.0 = 1.0;
}

#[system]
fn forgotten_generic<T: Component>(_: Query<&T>) {}

#[system(Game, par)]
fn forgotten_on_threads(position: &mut Position) {
    position.0 = 2.0;
}

#[system(Game)]
fn forgotten_condition() -> bool {
    true
}

#[system(Game)]
fn forgotten_with_the_world(game: &mut Game) {
    game.clear();
}

mod library {
    use super::*;

    #[system(Game)]
    pub fn forgotten_in_a_module(position: &mut Position) {
        position.0 = 3.0;
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(0.0));
    game.tick();
}
