//! Systems with type parameters, without their arguments.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);
#[derive(Clone, Copy)]
struct Fire;

#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        components { burning: Timer<Fire> }
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule tick { count; transition; cool if in_state; warm if entered }
}

#[system]
fn count<T: Send + Sync + 'static>(timer: &mut Timer<T>) {
    timer.0 -= 1.0;
}

#[system(Game)]
fn cool(timer: &mut Timer<Fire>) {
    timer.0 = 0.0;
}

#[system(Game)]
fn warm(timer: &mut Timer<Fire>) {
    timer.0 += 1.0;
}

fn main() {
    Game::new().tick();
}
