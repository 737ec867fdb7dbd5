//! Several mistakes of one kind (derive query) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Resource, Default)]
struct Clock;
#[derive(Event)]
struct Bumped;
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}
#[derive(Query)]
struct Seen<'a> {
    velocity: &'a Velocity,
    clock: Res<'a, Clock>,
    frozen: With<Frozen>,
    health: &'a Ref<'a, Health>,
    entity: Option<Entity>,
    mover: Each<Mover<'a>>,
}
#[derive(Query)]
struct Perhaps<'a> {
    filtered: Option<(&'a Health, With<Frozen>)>,
    doubly: Option<Option<(&'a Velocity, &'a Health)>>,
    behind: &'a (&'a Velocity, &'a Health),
}
#[derive(Query)]
struct StaticBorrow {
    position: &'static Position,
}
#[derive(Query)]
struct TwoLifetimes<'a, 'b> {
    position: &'a mut Position,
    velocity: &'b Velocity,
}
#[derive(Query)]
#[query(mutable)]
struct UnknownOption<'a> {
    position: &'a mut Position,
}
#[derive(Query)]
struct UnnamedFields<'a>(&'a mut Position);

world! {
    struct Game {
        components { Position, Velocity, Frozen, Health }
        resources { clock: Clock = Clock }
        events { Bumped }
    }
}

fn main() {}
