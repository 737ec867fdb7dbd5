//! Several mistakes of one kind (event) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct OptionBeforeTheEvent;
#[derive(Event)]
struct Hit;
#[derive(Event)]
struct OptionsInAnotherForm;
#[derive(Event)]
struct Landed;
#[derive(Event)]
struct Left;
#[derive(Event)]
struct Sent;

world! {
    struct Game {
        events {
            Bumped(external, keep = all, full = newest), external OptionBeforeTheEvent,
            Hit external, #[external] OptionsInAnotherForm, Landed[external], Left: external,
            Sent(external keep = 64)
        }
        components { Position, Velocity }
    }
    schedule tick { bump; }
    schedule option_before_the_event_tick { hear }
}

// `full` beside `keep = all`, which has no bound.
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

// An option that stands before its event.
#[system(Game)]
fn hear(mut bumped: EventReader<OptionBeforeTheEvent>) {
    for _ in &mut bumped {}
}

// Options of events without their parentheses or commas.
fn options_in_another_form() {
    Game::new();
}

fn main() {}
