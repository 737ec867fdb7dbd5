//! Inputs of systems: arguments in schedules, pipes, and `run_with`.

use ecs::prelude::*;
use ecs::system::Pipe;

#[derive(Component, Clone, Debug, PartialEq)]
struct Health(u32);
#[derive(Resource, Default, Clone)]
struct Log(Vec<String>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health }
        resources { Log = Log::default() }
    }
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game, par)]
fn hurt(amount: In<u32>, health: &mut Health) {
    health.0 -= *amount;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn scaled(In(value): In<u32>, mut calls: Local<u32>) -> (u32, &'static str) {
    *calls += 1;
    (value * 10 + *calls, "scaled")
}

#[system(Game)]
fn log(value: In<u32>, name: In<&str>, mut log: ResMut<Log>) {
    log.0.push(format!("{} {}", *name, *value));
}

#[test]
fn run_with_gives_the_input_and_a_pipe_passes_it_on() {
    let mut game = Game::new();
    game.spawn_batch([1, 2].map(Health));
    game.run_with::<heal>(5);
    game.run_with::<hurt>(1);
    assert_eq!(game.run::<total>(), 11);
    assert_eq!(game.run::<Pipe<total, scaled>>(), (111, "scaled"));
    game.run::<Pipe<Pipe<total, scaled>, log>>();
    game.run_with::<log>((7, "seven"));
    assert_eq!(game.resource::<Log>().0, ["scaled 111", "seven 7"]);
}

#[test]
fn a_system_with_an_input_is_called_as_a_function() {
    let mut health = Health(1);
    heal(In(4), &mut health);
    assert_eq!(health, Health(5));
    assert_eq!(scaled(In(4), Local::new(&mut 6)), (47, "scaled"));
}
