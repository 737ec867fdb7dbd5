//! Several mistakes of one kind (schedule) in one program: the macros report them.
use ecs::prelude::*;
use ecs::state::{entered, exited, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Health(u32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);
#[derive(Resource, PartialEq)]
enum Screen {
    Menu,
}

world! {
    struct Game {
        resources {
            State<Phase> = State::new(Phase::Menu), clock: Clock, paused: Paused,
            screen: Screen = Screen::Menu
        }
        components { Position, Velocity, Health }
    }
    schedule tick {
        transition(Phase); start if entered(Phase::Play), stop if exited::<Phase::Menu>
    }
    schedule one { movement if not(paused) }
    schedule two { movement if and(paused, lost), steer if any(paused, lost) }
    schedule condition_for_each_entity_tick { heal if alive }
    schedule condition_is_a_resource_tick {
        condition_is_a_resource if !Paused,
        Velocity,
    }
    schedule condition_is_an_expression_tick {
        condition_is_an_expression if clock.step > 0.0,
        friction if true;
    }
    schedule condition_of_bevy_tick { condition_of_bevy if in_state(Screen::Menu), settle if on_enter(Screen::Menu); }
    schedule slow {
        condition_of_bevy if on_timer(Duration::from_secs(1)),
        settle if resource_exists::<Screen>();
    }
    schedule every_number_tick every 60 { every_number, }
    schedule method_on_a_system_tick {
        method_on_a_system.run_if(is_paused),
        friction.after(method_on_a_system);
    }
    schedule missing_comma_tick { missing_comma rest; }
    schedule run { named_like_a_verb; }
    schedule react_at_most_zero_times_tick { react { react_at_most_zero_times } max 0; }
    schedule react_with_stages_tick { react { react_with_stages; react_with_stages } max 4; }
    schedule react_without_max_tick { react { react_without_max } }
    schedule react_without_systems_tick { react_without_systems; react {} max 4; }
    schedule result_misspelled_tick -> Option { result_misspelled }
    schedule result_with_types_tick -> Result<(), String> { result_with_types }
    schedule schedule_of_another_world_tick { schedule_of_another_world, Arena::fight }
}

world! {
    struct Arena {}
    schedule fight {}
}

// States in parentheses, which the systems take as types.
#[system]
fn start() {}

#[system]
fn stop() {}

// Conditions that are combined by calls.
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

// A condition that runs once for each entity.
#[system(Game)]
fn alive(health: &Health) -> bool {
    health.0 > 0
}

#[system(Game)]
fn heal(health: &mut Health) {
    health.0 += 1;
}

// A resource, and a component, where systems are named.
#[system(Game)]
fn condition_is_a_resource(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

// Conditions that are expressions.
#[system(Game)]
fn condition_is_an_expression(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn friction(velocity: &mut Velocity) {
    velocity.0 *= 0.9;
}

// Conditions of bevy.
#[system(Game)]
fn condition_of_bevy(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn settle(position: &mut Position) {
    position.0 = 0.0;
}

// `every` with a number in place of a clock.
#[system(Game)]
fn every_number(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn every_number_main() {
    Game::new(Clock::default(), Paused(false)).every_number_tick();
}

// Methods of systems in other libraries.
#[system(Game)]
fn method_on_a_system(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn is_paused(paused: Res<Paused>) -> bool {
    paused.0
}

// Two systems without a comma or semicolon between them.
#[system(Game)]
fn missing_comma(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn rest(velocity: &mut Velocity) {
    velocity.0 *= 0.5;
}

// A schedule that is called like a method of every world.
#[system(Game)]
fn named_like_a_verb(position: &mut Position) {
    position.0 += 1.0;
}

// A `react` block with `max 0`.
#[system(Game)]
fn react_at_most_zero_times(position: &mut Position) {
    position.0 += 1.0;
}

// A `;` in a `react` block.
#[system(Game)]
fn react_with_stages(position: &mut Position) {
    position.0 += 1.0;
}

// A `react` block without `max`.
#[system(Game)]
fn react_without_max(position: &mut Position) {
    position.0 += 1.0;
}

// A `react` block without systems.
#[system(Game)]
fn react_without_systems(position: &mut Position) {
    position.0 += 1.0;
}

// A type other than `Result` after `->`.
#[system(Game)]
fn result_misspelled(position: &mut Position) {
    position.0 += 1.0;
}

// `Result` with types.
#[system(Game)]
fn result_with_types(position: &mut Position) {
    position.0 += 1.0;
}

// A schedule of another world as a step.
#[system(Game)]
fn schedule_of_another_world(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
