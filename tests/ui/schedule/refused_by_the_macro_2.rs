//! Several mistakes of one kind (schedule) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Event)]
struct Left;
#[derive(Resource, Default)]
struct Paused(bool);
#[derive(Component, Clone)]
struct Health(u32);
#[derive(Component)]
struct Goblin;
#[derive(Resource, Default)]
struct Limit(usize);
#[derive(Resource, Default)]
struct Count(usize);

world! {
    struct Game {
        components { Position, Velocity, Health, Goblin }
        resources { Paused, Limit, Count }
        events { Left }
    }
    schedule one { movement if paused and lost; steer }
    schedule two { movement if !paused or lost; steer }
    schedule tick {
        condition_without_system if !condition_without_system_paused;
        count;
    }
    schedule group_with_stages_in_react_tick {
        react { (group_with_stages_in_react; heal(3)) if playing } max 4;
    }
    schedule input_that_is_a_resource_tick { spawn(Limit) }
    schedule rarely { spawn(3) if fewer_than(Limit) }
    schedule label_behind_a_period_tick { heal(3) every 60 as healing; }
    schedule label_twice_tick { label_twice as first; label_twice as first; }
    schedule label_without_name_tick { label_without_name; label_without_name as "second"; }
    schedule period_behind_a_condition_tick { period_behind_a_condition if playing every 60; }
    schedule period_in_an_unknown_unit_tick { period_in_an_unknown_unit every 2 minutes; }
    schedule period_missing_tick { period_missing every second; }
    schedule period_of_zero_tick { period_of_zero every 0.0 s; }
    schedule pipe_twice_tick {
        pipe_twice | report;
        pipe_twice | report;
    }
    schedule pipe_with_arguments_tick { total | heal(3); }
    schedule system_called_tick { system_called(); }
    schedule system_twice_tick {
        system_twice, rest;
        system_twice;
    }
    schedule twice_tick { twice; }
    schedule twice_tick { twice; }
}

// Conditions that are combined by words.
#[system(Game)]
fn movement(position: &mut Position) {}

#[system(Game)]
fn steer(velocity: &mut Velocity) {}

#[system(Game)]
fn paused(positions: Query<&Position>) -> bool {
    positions.is_empty()
}

#[system(Game)]
fn lost(velocities: Query<&Velocity>) -> bool {
    velocities.is_empty()
}

// A condition that lacks `#[system]`, of a system that sends the only event.
#[system(Game)]
fn condition_without_system(position: &Position, mut left: EventWriter<Left>) {
    if position.0 < 0.0 {
        left.send(Left);
    }
}

/// The system that tells whether time stands still.
pub(crate) fn condition_without_system_paused(condition_without_system_paused: Res<Paused>) -> bool {
    condition_without_system_paused.0
}

#[system(Game)]
fn count(mut left: EventReader<Left>) {
    left.clear();
}

// A group of several stages in a `react` block, which is one stage.
#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn group_with_stages_in_react(health: &mut Health) {
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

// A resource in place of an input, for a system and for a condition.
#[system(Game)]
fn spawn(number: In<usize>, mut commands: Commands<Game>) {
    (0..*number).for_each(|_| _ = commands.spawn(Goblin));
}

#[system(Game)]
fn fewer_than(limit: In<usize>, goblins: Query<&Goblin>) -> bool {
    goblins.len() < *limit
}

fn input_that_is_a_resource() {
    let mut game = Game::default();
    game.input_that_is_a_resource_tick();
    game.rarely();
}

// A name behind the period of a step.
#[system(Game)]
fn label_behind_a_period(health: &mut Health) {
    health.0 += 1;
}

// One name for two places of a schedule.
#[system(Game)]
fn label_twice(health: &mut Health) {
    health.0 += 1;
}

// `as` without a name.
#[system(Game)]
fn label_without_name(health: &mut Health) {
    health.0 += 1;
}

// A period behind the condition of a step.
#[system(Game)]
fn period_behind_a_condition(health: &mut Health) {
    health.0 += 1;
}

// A period in a unit that is not known.
#[system(Game)]
fn period_in_an_unknown_unit(health: &mut Health) {
    health.0 += 1;
}

// `every` without a period.
#[system(Game)]
fn period_missing(health: &mut Health) {
    health.0 += 1;
}

// A period of zero.
#[system(Game)]
fn period_of_zero(health: &mut Health) {
    health.0 += 1;
}

// A pipe that a schedule has twice.
#[system(Game)]
fn pipe_twice(positions: Query<&Position>) -> usize {
    positions.len()
}

#[system(Game)]
fn report(number: In<usize>, mut pipe_twice: ResMut<Count>) {
    pipe_twice.0 = *number;
}

// Arguments for a system whose input is the output of another one.
#[system(Game)]
fn pipe_with_arguments(health: &mut Health) {
    health.0 += 1;
}

// A system with parentheses, as if it were called.
#[system(Game)]
fn system_called(position: &mut Position) {
    position.0 += 1.0;
}

// A system that a schedule has twice.
#[system(Game)]
fn system_twice(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn rest(velocity: &mut Velocity) {
    velocity.0 *= 0.5;
}

// Two schedules of one name.
#[system(Game)]
fn twice(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
