//! Several mistakes of one kind (system param) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(SystemParam)]
struct Hunt<'w> {
    position: &'w mut Position,
    clock: &'w Clock,
    count: u32,
    names: Vec<String>,
    entity: Entity,
    moved: Ref<'w, Position>,
    fast: With<Velocity>,
    seen: Option<Res<'w, Clock>>,
    both: (Res<'w, Clock>, bool),
}
#[derive(SystemParam)]
struct GenericSystemWithoutALifetime<'w> {
    clock: Res<'w, Clock>,
}
#[derive(SystemParam)]
enum NotAStruct<'w> {
    Clock(Res<'w, Clock>),
}
#[derive(SystemParam)]
struct Nothing;
#[derive(SystemParam)]
#[system_param(world = Game)]
struct Rest<'w> {
    clock: Res<'w, Clock>,
}
#[derive(SystemParam)]
struct WithoutALifetime<'w> {
    clock: Res<'w, Clock>,
    bodies: Query<&'static Position>,
}

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick {
        chase, generic_system_without_a_lifetime, not_a_struct, rest, without_a_lifetime
    }
}

// Fields that are no parameters, each with its cure.
#[system(Game)]
fn chase(_hunt: Hunt) {}

// A system of every world takes a struct of parameters without its lifetime.
#[system]
fn generic_system_without_a_lifetime(hunt: GenericSystemWithoutALifetime) {
    let _ = hunt.clock.0;
}

// An enum, and a struct without fields.
#[system(Game)]
fn not_a_struct(_nothing: Nothing) {}

#[system(Game)]
fn rest(_rest: Rest) {}

// A field leaves out the lifetime of its parameter.
#[system(Game)]
fn without_a_lifetime(_hunt: WithoutALifetime) {}

fn main() {}
