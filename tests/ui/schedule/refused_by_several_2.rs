//! Several mistakes of one kind (schedule) in one program.
use ecs::prelude::*;
use system_twice_through_an_alias as walk;

#[derive(Component, Clone)]
struct Health(u32);
#[derive(Component)]
struct Position(f32);
struct Clock;
#[derive(Resource, Default)]
struct Score(u32);
#[derive(Resource)]
struct Paused(bool);
struct NoFuel;
#[derive(Component)]
struct Fuel(u32);
#[derive(Component)]
struct Mana(u32);
struct Movement;

world! {
    struct Game {
        components { Health, Position, Fuel }
        resources { Score, paused: Paused = Paused(false) }
    }
    schedule tick { movement(3); }
    schedule input_that_is_no_constant_tick { heal(twice(3)); }
    schedule private_system_tick { motion::movement; }
    schedule refused_by_a_trait_tick every Clock { refused_by_a_trait }
    schedule condition_is_no_bool_tick { refused_by_a_trait if is_paused; }
    schedule error_that_is_no_error_tick -> Result { burn }
    schedule start -> Result { load }
    schedule fallible_schedule_in_an_infallible_one_tick { start, refused_by_a_trait }
    schedule fallible_system_in_an_infallible_schedule_tick { refused_by_a_trait, load }
    schedule generic_system_without_its_component_tick { regenerate; }
    schedule input_missing_tick { inputs::heal_by; }
    schedule period_without_clock_tick { period_without_clock every 0.5 s; }
    schedule pipe_into_a_system_without_input_tick { total | pipe_into_a_system_without_input; }
    schedule pipe_of_another_type_tick { playing | refused_by_a_trait_heal; }
    schedule system_of_another_world_tick { scroll; }
    schedule system_with_an_output_tick { refused_by_a_trait, count }
    schedule type_that_is_no_system_tick { Movement; }
    schedule refused_e0308_tick { refused_e0308("a lot"); }
    schedule input_of_several_arguments_tick { refused_e0308(3, 4); }
    schedule refused_e0425_tick { refused_e0425 if !is_pausd; }
    schedule unknown_system_tick { movment; }
    schedule system_twice_through_an_alias_tick {
        system_twice_through_an_alias;
        walk;
    }
}

world! {
    struct Menu { components { Position } }
}

// An argument for a system that takes no input.
#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn movement(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn playing() -> bool {
    true
}

// An argument that the compiler cannot evaluate.
fn twice(value: u32) -> u32 {
    value * 2
}

// A system of a module that does not make it public.
mod motion {
    use super::*;

    #[system(Game)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

// `every` with a type that is no resource of the world.
#[system(Game)]
fn refused_by_a_trait(position: &mut Position) {
    position.0 += 1.0;
}

fn closure_argument_that_is_no_parameter() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add_fn(&mut game, "refused_by_a_trait", 0, |position: &mut Position| position.0 += 1.0);
}

fn closure_that_keeps_a_parameter() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add_fn(&mut game, "keep", 0, |score: Res<'static, Score>| {
        let _: &'static Score = score.into_inner();
    });
}

fn closure_with_an_output() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add_fn(&mut game, "score", 0, |score: Res<Score>| score.0);
}

// A condition that does not return `bool`.
#[system(Game)]
fn is_paused(paused: Res<Paused>) {
    let _ = paused.0;
}

// A system whose error type does not implement `Error`.
#[system(Game)]
fn burn(mut tanks: Query<&mut Fuel>) -> Result<(), NoFuel> {
    for fuel in &mut tanks {
        fuel.0 = fuel.0.checked_sub(1).ok_or(NoFuel)?;
    }
    Ok(())
}

// A schedule that may fail in one that may not.
#[system(Game)]
fn load() -> Result<(), std::num::ParseIntError> {
    "7".parse::<u32>().map(drop)
}

// A generic system in a world without the component that it needs.
#[system]
fn regenerate(mana: &mut Mana) {
    mana.0 += 1;
}

// A system with an input, without arguments, that the file of the world does not show by its name.
mod inputs {
    use super::*;

    #[system(Game)]
    pub fn heal_by(amount: In<u32>, health: &mut Health) {
        health.0 += *amount;
    }
}

#[system(Game)]
fn refused_by_a_trait_heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn input_missing(health: &mut Health) {
    health.0 += 1;
}

// A period of time in a world without a `Clock`.
#[system(Game)]
fn period_without_clock(health: &mut Health) {
    health.0 += 1;
}

// A pipe into a system that takes no input.
#[system(Game)]
fn pipe_into_a_system_without_input(health: &mut Health) {
    health.0 += 1;
}

// The output of a system is not the input of the next one.
#[system(Game)]
fn pipe_of_another_type(health: &mut Health) {
    health.0 += 1;
}

// A schedule with a system of another world.
#[system(Menu)]
fn scroll(position: &mut Position) {
    position.0 += 1.0;
}

// A system that returns something, in a schedule.
#[system(Game)]
fn count(positions: Query<&Position>) -> usize {
    positions.len()
}

#[system(Game)]
fn system_with_an_output_in_a_schedule_built_at_run_time(mut runs: Local<u32>) -> u32 {
    *runs += 1;
    *runs
}

fn system_with_an_output_in_a_schedule_built_at_run_time_main() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add::<system_with_an_output_in_a_schedule_built_at_run_time>(&mut game, 0);
}

// An argument of another type than the input of the system.
#[system(Game)]
fn refused_e0308(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

// A condition that does not exist.
#[system(Game)]
fn refused_e0425(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn refused_e0425_is_paused(paused: Res<Paused>) -> bool {
    paused.0
}

// A system that a schedule has twice, once under another name.
#[system(Game)]
fn system_twice_through_an_alias(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
