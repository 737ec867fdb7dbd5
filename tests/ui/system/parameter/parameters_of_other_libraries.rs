//! Parameters of other libraries, each with its replacement.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
        events { Bumped(external) }
    }
    schedule tick { losses, window, observer, messages, later, family, anything }
}

#[system(Game)]
fn losses(mut gone: RemovedComponents<Position>) {
    gone.read();
}

#[system(Game)]
fn window(window: NonSend<Clock>, sound: NonSendMut<Clock>) {}

#[system(Game)]
fn observer(bump: On<Bumped>, older: Trigger<Bumped>) {}

#[system(Game)]
fn messages(bumps: MessageReader<Bumped>, sent: MessageWriter<Bumped>) {}

#[system(Game)]
fn later(commands: ParallelCommands, deferred: Deferred<Clock>) {}

#[system(Game)]
fn family(children: Children, parent: Parent) {}

#[system(Game)]
fn anything(entity: EntityRef, changed: Query<EntityMut>, some: Query<AnyOf<(&Position, &Velocity)>>) {}

fn main() {}
