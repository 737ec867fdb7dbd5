//! Several mistakes of one kind (system param) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(SystemParam)]
struct Hunt<'w> {
    clock: Res<'w, Clock>,
    position: Position,
}
struct DeriveWithoutTheTrait<'w> {
    clock: Res<'w, Clock>,
}
#[derive(SystemParam)]
struct SharedByThreads<'w> {
    clock: Res<'w, Clock>,
    count: Local<'w, u32>,
}
#[derive(Component)]
struct Armor(f32);
#[derive(SystemParam)]
struct UnknownComponent<'w> {
    clock: Res<'w, Clock>,
    armors: Query<'w, (&'static Position, &'static mut Armor)>,
}

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { chase, derive_without_the_trait, shared_by_threads, unknown_component }
}

// A field is a component.
#[system(Game)]
fn chase(_hunt: Hunt) {}

// A struct of parameters without its derive.
#[system(Game)]
fn derive_without_the_trait(hunt: DeriveWithoutTheTrait) {
    let _ = hunt.clock.0;
}

// The threads of a system cannot share a field.
#[system(Game, par)]
fn shared_by_threads(position: &mut Position, mut hunt: SharedByThreads) {
    *hunt.count += 1;
    position.0 += hunt.clock.0;
}

// A field asks for a component that the world does not have.
#[system(Game)]
fn unknown_component(_hunt: UnknownComponent) {}

fn main() {}
