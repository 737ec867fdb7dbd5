//! Several mistakes of one kind (resource) in one program: traits refuse them.
use ecs::prelude::*;
use std::rc::Rc;

#[derive(Resource, Default)]
struct Score(u32);
#[derive(Resource, Default)]
#[resource(main_thread)]
struct Window(Rc<u32>);
#[derive(Component)]
struct Pixel(u32);

world! {
    struct Game {
        resources { Score, Window }
        components { Pixel }
    }
    schedule tick { watch, draw, main_thread_in_par_for_each }
}

// `resource_changed_since` of a resource that is not tracked.
fn changed_since_of_an_untracked_resource() {
    let mut game = Game::default();
    let sent = game.advance_tick();
    game.resource_mut::<Score>().0 += 1;
    println!("{}", game.resource_changed_since::<Score>(sent));
}

// `is_changed` of a resource that is not tracked.
#[system(Game)]
fn watch(score: Res<Score>) {
    if score.is_changed() {
        println!("{}", score.0);
    }
}

// A resource of the main thread cannot be shared by the threads of a `par` system.
#[system(Game, par)]
fn draw(pixel: &mut Pixel, window: Res<Window>) {
    pixel.0 = *window.0;
}

fn main_thread_in_a_par_system() {
    Game::default().tick();
}

// A resource of the main thread cannot be captured by a closure for several threads.
#[system(Game)]
fn main_thread_in_par_for_each(mut pixels: Query<&mut Pixel>, window: Res<Window>) {
    pixels.par_for_each(|pixel| pixel.0 = *window.0);
}

fn main_thread_in_par_for_each_main() {
    Game::default().tick();
}

// A world with a resource of the main thread is not sent to another thread.
fn main_thread_world_sent() {
    let game = Game::default();
    std::thread::spawn(move || drop(game));
}

fn main() {}
