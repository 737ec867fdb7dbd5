//! Systems that are named in any way count as used, and so do components that a world lists.
#![deny(dead_code)]
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component, Default)]
struct Frozen;
#[derive(Relation)]
#[relation(exclusive)]
struct Likes(Entity);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Frozen, Likes }
        resources { clock: Clock = Clock(1.0) }
        events { Bumped(external) }
    }
    schedule tick {
        in_a_schedule, generic::<Frozen>, of_any_world if asked && !also_asked;
        react { reacts } max 2;
        include included
    }
}

#[system(Game)]
fn in_a_schedule(position: &mut Position, clock: Res<Clock>) {
    position.0 += clock.0;
}

#[system]
fn generic<T: Component>(_: Query<&T>) {}

#[system]
fn of_any_world(_: Query<&Position>) {}

#[system(Game)]
fn asked(clock: Res<Clock>) -> bool {
    clock.0 > 0.0
}

#[system(Game)]
fn also_asked(clock: Res<Clock>) -> bool {
    clock.0 > 1.0
}

#[system(Game)]
fn reacts(entered: Entered<With<Frozen>>) {
    entered.iter().for_each(drop);
}

#[system(Game)]
fn run_once(position: &mut Position) {
    position.0 = 0.0;
}

#[system(Game)]
fn answers(positions: Query<&Position>) -> usize {
    positions.len()
}

#[system(Game)]
fn added_at_run_time(position: &mut Position) {
    position.0 = 1.0;
}

#[system(Game)]
fn asked_at_run_time(positions: Query<&Position>) -> bool {
    !positions.is_empty()
}

#[system(Game)]
fn called_as_the_function_it_is(clock: Res<Clock>) {
    assert!(clock.0 > 0.0);
}

#[system(Game, init = prepare)]
fn prepared(position: &mut Position) {
    position.0 = 2.0;
}

fn prepare(game: &mut Game) {
    game.resource_mut::<Clock>().0 = 1.0;
}

#[allow(dead_code)]
#[system(Game)]
fn unused_on_purpose(position: &mut Position) {
    position.0 = 3.0;
}

parts! {
    lists {
        schedule included { in_parts }
    }
}

#[system]
fn in_parts() {}

mod library {
    use super::*;

    #[system(Game)]
    pub fn in_a_module(position: &mut Position) {
        position.0 = 4.0;
    }
}

pub fn main() {
    let mut game = Game::new();
    game.tick();
    game.run::<run_once>();
    game.run::<library::in_a_module>();
    game.run::<prepared>();
    assert_eq!(game.run::<answers>(), 0);
    called_as_the_function_it_is(Res::new(&Clock(1.0)));
    let mut schedule = Schedule::<Game>::new("built");
    schedule.add::<added_at_run_time>(&mut game, 1).unwrap();
    schedule.add::<in_a_schedule>(&mut game, 2).unwrap();
    assert!(!game.run::<asked_at_run_time>());
}
