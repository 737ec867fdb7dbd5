//! Several mistakes of one kind (world) in one program: rustc reports them as E0119.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);
#[derive(Clone, Copy)]
struct Fire;
type FireTimer = Timer<Fire>;
#[derive(Component)]
struct Position(f32);
type Place = Position;
#[derive(Event)]
struct Bumped(u32);
type Hit = Bumped;
#[derive(Resource)]
struct Clock(f32);
type ResourceTwiceThroughAnAlias = Clock;

world! {
    struct Game {
        components { burning: Timer<Fire>, FireTimer, Position, Place }
        events { Bumped, Hit }
        resources { clock: Clock, timer: ResourceTwiceThroughAnAlias }
    }
}

fn main() {}
